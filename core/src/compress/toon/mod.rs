//! TOON: JSON written as TOON, and long arrays of TOON text.
//!
//! ```text
//! orders[150]{id,status,total}:        orders[150]{id,status,total}:
//!   1,paid,9.5                           1,paid,9.5
//!   2,paid,3.25                    ->    …
//!   …                                    [caveman: 144 rows elided: 4-147; id: 144 distinct, 4..147, all present; status: paid]
//! ```
//! Keeps: everything outside of tabular arrays; of their rows what [`super::tabular`] keeps.
//! Recodes without loss: JSON, as TOON.
//! Declines: anything else.

use super::tabular::{self, rows::Rows};
use super::{Compressor, Proposals, Units};
use crate::draft::{Draft, Piece};
use crate::elide::{self, Focus, Segment, Sheet, Style};
use crate::kind::Kind;
use crate::prelude::*;
use crate::text::{Span, lines, offset, trim_eol};
use crate::{json, toon};

/// The compressor of TOON.
#[derive(Debug)]
pub(super) struct Toon;

impl Compressor for Toon {
    fn kind(&self) -> Kind {
        Kind::Toon
    }

    fn compress(&self, text: &str, focus: &Focus) -> Proposals {
        if let Ok(tape) = json::read(text) {
            let options = toon::EncodeOptions::default();
            let encoded = toon::encode_value(tape.root(), &options).ok();
            let lossless = encoded.map(|text| Draft {
                pieces: vec![Piece::Recoded { of: tape.root().span(), text }],
                ..Draft::new("toon", "records", 0)
            });
            return Proposals { lossless, elided: None };
        }
        Proposals { lossless: None, elided: elided(text, focus) }
    }

    fn units(&self, _text: &str) -> Option<Units> {
        None
    }
}

fn elided(text: &str, focus: &Focus) -> Option<Draft> {
    let lines = lines(text);
    let mut draft = Draft::new("elide", "rows", 0);
    let (mut kept, mut at) = (0, 0);
    while let Some(line) = lines.get(at) {
        at += 1;
        let Some(header) = Header::of(line.of(text)) else { continue };
        let n =
            lines.iter().skip(at).take_while(|row| indent(row.of(text)) > header.indent).count();
        let Some(rows) = lines.get(at..at + n.min(header.n_rows)) else { continue };
        at += rows.len();
        let mut sheet = Sheet::new(text, "rows");
        let columns = Rows::new(&mut sheet, header.fields.iter().copied(), rows.len());
        let mut cells = Vec::new();
        for row in rows {
            cells.clear();
            tabular::cut(text, *row, header.delimiter, &mut cells);
            columns.add(&mut sheet, *row, &cells);
        }
        draft.n_units += offset(rows.len());
        for segment in elide::segments(&sheet, focus, &Style::ROWS) {
            let Segment::Elide { units, marker } = segment else { continue };
            let gone = rows.get(units.clone()).unwrap_or_default();
            let of = gone.iter().copied().reduce(Span::join).unwrap_or_default();
            draft.keep(Span { start: kept, end: of.start });
            let text = format!("{}{marker}", " ".repeat(header.indent + 2));
            draft.pieces.push(Piece::Marker { of, n_units: offset(units.len()), text });
            kept = of.end;
        }
    }
    draft.keep(Span { start: kept, end: offset(text.len()) });
    (!draft.is_lossless()).then_some(draft)
}

/// The header of a tabular array: `orders[150]{id,status}:`, with `|` or a tab for the comma where it says so.
struct Header<'t> {
    indent: usize,
    n_rows: usize,
    delimiter: u8,
    fields: Vec<&'t str>,
}

impl<'t> Header<'t> {
    fn of(line: &'t str) -> Option<Header<'t>> {
        let body = trim_eol(line).trim_start_matches(' ');
        let (head, fields) = body.strip_suffix("}:")?.rsplit_once("]{")?;
        let (_, length) = head.rsplit_once('[')?;
        let (delimiter, length) = match length.as_bytes().last()? {
            mark @ (b'|' | b'\t') => (*mark, length.get(..length.len() - 1)?),
            _ => (b',', length),
        };
        let fields = fields.split(char::from(delimiter)).collect();
        Some(Header { indent: indent(line), n_rows: length.parse().ok()?, delimiter, fields })
    }
}

fn indent(line: &str) -> usize {
    if line.trim().is_empty() { 0 } else { line.len() - line.trim_start_matches(' ').len() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_toon_text_go_and_odd_ones_stay() {
        for delimiter in [",", "|", "\t"] {
            let rows: Vec<String> = (1..=100)
                .map(|n| format!("    {n},{},x\n", if n == 44 { "void" } else { "paid" }))
                .collect();
            let mark = if delimiter == "," { "" } else { delimiter };
            let text =
                format!("shop:\n  orders[100{mark}]{{id,status,note}}:\n{}  é: 1\n", rows.concat())
                    .replace(',', delimiter);
            let draft = Toon.compress(&text, &Focus::default()).elided;
            let out = draft.map(|draft| draft.render(&text)).unwrap_or_default();
            assert!(out.len() * 2 < text.len() && out.contains("void"), "{out}");
            assert!(out.ends_with("  é: 1\n"), "{out}");
        }
    }

    #[test]
    fn malformed_text_comes_back() {
        let deep = " ".repeat(10_000) + "a[3]{b}:\n";
        for text in
            ["", "a[", "a[x]{}:", "]{}:", "a[9999999999999999999999]{b}:\n  1\n", "a[3]{b}:", &deep]
        {
            assert_eq!(Toon.compress(text, &Focus::default()), Proposals::default(), "{text}");
        }
    }
}
