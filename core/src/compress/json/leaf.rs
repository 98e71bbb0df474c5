//! Strings that are payloads themselves: the output of a command, the body of an answer, the text of an MCP content block.
//!
//! ```text
//! {"exit_code":1,"stdout":"line 1\nline 2\n…"}  ->  {"exit_code":1,"stdout":"line 1\n[caveman: 388 lines elided: 2-389]\n…"}
//! ```
//! The draft of what the string says is written back between its quotes: kept pieces as the slices that they are,
//! everything else escaped. Markers count the lines of the string.

use crate::compress::part;
use crate::draft::{Draft, Piece};
use crate::elide::Focus;
use crate::json::{self, JsonKind, Value};
use crate::prelude::*;
use crate::text::{Span, offset};

/// Shorter strings stay as they are. Our choice.
const MIN_BYTES: usize = 512;
/// A string of fewer lines that is no JSON or markup is a sentence. Our choice.
const MIN_LINES: usize = 6;

/// The draft of what stands between the quotes of `value`, in spans of its document; `None` when it stays as it is.
pub(super) fn compress(value: Value<'_>, focus: &Focus) -> Option<Draft> {
    let node = value.node();
    let whole = value.span();
    if node.kind() != JsonKind::String || whole.len() < MIN_BYTES {
        return None;
    }
    let inner = Span { start: whole.start + 1, end: whole.end - 1 };
    let written = inner.of(value.tape().text);
    if !may_be_payload(written) || is_key(value) {
        return None;
    }
    let says = value.as_str()?;
    let within = Focus { lines_before: 0, ..focus.clone() };
    let part = part::compress(&says, None, &within)?;
    let mut draft = Draft::new(part.method, part.noun, part.n_units as usize);
    draft.notes = part.notes;
    let mut places = json::Places::new(written);
    let mut at = inner.start;
    for piece in part.pieces {
        let mut place = |span: Span| {
            let start = inner.start + offset(places.of(span.start as usize));
            at = inner.start + offset(places.of(span.end as usize));
            Span { start, end: at }
        };
        match piece {
            Piece::Kept(span) => draft.keep(place(span)),
            Piece::Recoded { of, text } => {
                let text = escaped(&text);
                draft.pieces.push(Piece::Recoded { of: place(of), text });
            }
            Piece::Marker { of, n_units, text } => {
                let text = escaped(&text);
                draft.pieces.push(Piece::Marker { of: place(of), n_units, text });
            }
            Piece::Glue(text) => {
                let of = Span { start: at, end: at };
                draft.pieces.push(Piece::Recoded { of, text: escaped(text) });
            }
        }
    }
    Some(draft)
}

/// Whether a string as it is written has several lines, or begins as a document does.
fn may_be_payload(written: &str) -> bool {
    let is_document =
        written.trim_start_matches([' ', '\\', 'n', 't']).starts_with(['{', '[', '<']);
    is_document || memchr::memmem::find_iter(written.as_bytes(), b"\\n").nth(MIN_LINES).is_some()
}

/// Whether a string is the name of a member: a colon follows it.
fn is_key(value: Value<'_>) -> bool {
    let rest = value.tape().text.get(value.span().end as usize..).unwrap_or_default();
    rest.trim_start().starts_with(':')
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    json::write_escaped(text, &mut out);
    out
}
