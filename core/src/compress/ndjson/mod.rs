//! NDJSON: one JSON value a line.
//!
//! ```text
//! {"level":"info","msg":"done","ms":12}        {"level":"info","msg":"done","ms":12}
//! {"level":"info","msg":"done","ms":15}    ->  "[caveman: 398 lines elided: 2-399; level: info; msg: done; ms: 9..178]"
//! …                                            {"level":"error","msg":"upstream reset"}
//! {"level":"error","msg":"upstream reset"}
//! ```
//! Keeps: as the JSON compressor does; lines that are no JSON count as lines of text.
//! Declines: when every line says something new.

use super::json::records::Records;
use super::{Compressor, Proposals, Units};
use crate::elide::{self, Focus, Sheet, Style};
use crate::json;
use crate::kind::Kind;
use crate::text::{lines, trim_eol};

/// The compressor of NDJSON.
#[derive(Debug)]
pub(super) struct Ndjson;

impl Compressor for Ndjson {
    fn kind(&self) -> Kind {
        Kind::Ndjson
    }

    fn compress(&self, text: &str, focus: &Focus) -> Proposals {
        let mut sheet = Sheet::new(text, "lines");
        let mut records = Records::default();
        for line in lines(text) {
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
        Proposals { lossless: None, elided: elide::draft(&sheet, focus, &Style::NDJSON) }
    }

    fn units(&self, text: &str) -> Option<Units> {
        Units::flat("lines", lines(text))
    }
}
