//! NDJSON: one JSON value a line.
//!
//! ```text
//! {"level":"info","msg":"done","ms":12}        {"level":"info","msg":"done","ms":12}
//! {"level":"info","msg":"done","ms":15}    ->  "[caveman: 398 lines elided: 2-399; level: info; msg: done; ms: 9..178]"
//! …                                            {"level":"error","msg":"upstream reset"}
//! {"level":"error","msg":"upstream reset"}
//! ```
//! Keeps: as the JSON compressor does, in long lines that stay the strings that are payloads too; lines that are no JSON
//! count as lines of text.
//! Declines: when every line says something new.

use super::json::records::Records;
use super::{Compressor, Proposals, Units};
use crate::draft::{Draft, Piece};
use crate::elide::{self, Focus, Sheet, Style};
use crate::json;
use crate::kind::Kind;
use crate::prelude::*;
use crate::text::{Span, lines, offset, trim_eol};

/// The compressor of NDJSON.
#[derive(Debug)]
pub(super) struct Ndjson;

/// In shorter lines no string is looked at. Our choice.
const MIN_LONG: usize = 1024;

impl Compressor for Ndjson {
    fn kind(&self) -> Kind {
        Kind::Ndjson
    }

    fn compress(&self, text: &str, focus: &Focus) -> Proposals {
        let mut sheet = Sheet::new(text, "lines");
        let mut records = Records::default();
        let mut has_long = false;
        for line in lines(text) {
            has_long |= line.len() >= MIN_LONG;
            let content = trim_eol(line.of(text));
            let end = line.start as usize + content.len();
            // The reader sees no further than this line, so that a bracket left open costs no more than its line.
            match json::read_prefix(text.get(..end).unwrap_or_default(), line.start as usize) {
                Ok((tape, value_end)) if value_end == end => {
                    records.add(&mut sheet, line, None, tape.root())
                }
                _ => records.add_line(&mut sheet, line),
            }
        }
        records.settle(&mut sheet);
        let elided = elide::draft(&sheet, focus, &Style::NDJSON);
        if !has_long {
            return Proposals { lossless: None, elided };
        }
        let draft = elided.unwrap_or_else(|| {
            let mut whole = Draft::new("elide", "lines", sheet.len());
            whole.keep(Span::new(0, text.len()));
            whole
        });
        let draft = shorten_leaves(text, draft, focus);
        if draft.is_lossless() {
            let is_shorter = draft.len_bytes() < text.len();
            return Proposals { lossless: is_shorter.then_some(draft), elided: None };
        }
        Proposals { lossless: None, elided: Some(draft) }
    }

    fn units(&self, text: &str) -> Option<Units> {
        Units::flat("lines", lines(text))
    }
}

/// The draft with what strings of long kept lines hold written shorter: the outputs of commands in a transcript.
fn shorten_leaves(text: &str, draft: Draft, focus: &Focus) -> Draft {
    let mut out = Draft { pieces: Vec::new(), notes: Vec::new(), ..draft };
    out.notes = draft.notes;
    for piece in draft.pieces {
        let Piece::Kept(kept) = piece else {
            out.pieces.push(piece);
            continue;
        };
        for line in lines(kept.of(text)) {
            let line = line.shifted(kept.start);
            let content = trim_eol(line.of(text));
            let end = line.start as usize + content.len();
            let start = line.start as usize;
            let read = (content.len() >= MIN_LONG)
                .then(|| json::read_prefix(text.get(..end).unwrap_or_default(), start).ok());
            let part = read.flatten().filter(|(_, value_end)| *value_end == end);
            match part.and_then(|(tape, _)| super::json::leaves(tape.root(), focus)) {
                Some(part) => {
                    out.append(part, 0);
                    out.keep(Span { start: offset(end), end: line.end });
                }
                None => out.keep(line),
            }
        }
    }
    out
}
