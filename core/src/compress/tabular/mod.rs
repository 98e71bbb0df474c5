//! CSV, TSV and Markdown tables.
//!
//! ```text
//! id,region,total            id,region,total
//! 1,emea,1.98                1,emea,1.98
//! 2,apac,3.96           ->   …
//! …                          [caveman: 404 rows elided: 4-407; id: 404 distinct, 4..407, all present; total: 0.99..13.86]
//! 410,apac,25.86             410,apac,25.86
//! ```
//! Keeps: header, first and last rows, the extremes of each measure, rare values, rows of another width.
//! Declines: text without a delimiter that cuts its lines alike.

pub(crate) mod rows;

use super::{Compressor, Proposals, Units};
use crate::elide::{self, Focus, Sheet, Style};
use crate::kind::Kind;
use crate::prelude::*;
use crate::text::{Span, offset, trim_eol};
use rows::Rows;

/// The compressor of delimited tables.
#[derive(Debug)]
pub(super) struct Tabular;

impl Compressor for Tabular {
    fn kind(&self) -> Kind {
        Kind::Tabular
    }

    fn compress(&self, text: &str, focus: &Focus) -> Proposals {
        let Some(table) = Table::of(text) else { return Proposals::default() };
        let mut sheet = Sheet::new(text, "rows");
        let names = table.names();
        let rows = Rows::new(&mut sheet, names.iter().map(String::as_str), table.rows.len());
        let mut cells = Vec::new();
        sheet.reserve(table.rows.len(), table.rows.len() * rows.n_looked_at());
        for row in &table.rows {
            table.cells(*row, &mut cells);
            rows.add(&mut sheet, *row, &cells);
        }
        Proposals { lossless: None, elided: elide::draft(&sheet, focus, &Style::ROWS) }
    }

    fn units(&self, text: &str) -> Option<Units> {
        let table = Table::of(text)?;
        Some(Units { header: table.header, spans: table.rows, noun: "rows", ..Units::default() })
    }
}

/// A delimited text, cut into rows.
struct Table<'t> {
    text: &'t str,
    delimiter: u8,
    /// The header, with the rule below it in Markdown; empty when the first row is data.
    header: Span,
    rows: Vec<Span>,
}

impl<'t> Table<'t> {
    fn of(text: &'t str) -> Option<Table<'t>> {
        let delimiter = sniff(text)?;
        let mut rows = records(text, delimiter);
        let mut n_header = usize::from(!rows.is_empty());
        let rule = |span: &Span| {
            let line = trim_eol(span.of(text)).trim();
            line.contains("--") && line.bytes().all(|b| matches!(b, b'|' | b'-' | b':' | b' '))
        };
        if delimiter == b'|' && rows.get(1).is_some_and(rule) {
            n_header = 2;
        } else if is_data(text, &rows, delimiter) {
            n_header = 0;
        }
        let header = rows.get(..n_header)?.iter().copied().reduce(Span::join).unwrap_or_default();
        rows.drain(..n_header);
        (rows.len() >= 2).then_some(Table { text, delimiter, header, rows })
    }

    fn names(&self) -> Vec<String> {
        let mut cells = Vec::new();
        match self.header.is_empty() {
            false => {
                let first = Span {
                    start: self.header.start,
                    end: self.header.start + first_line_len(self.header.of(self.text)),
                };
                self.cells(first, &mut cells);
                let names = cells.iter().map(|span| span.of(self.text).to_owned());
                let mut row = Vec::new();
                self.cells(self.rows.get(1).copied().unwrap_or_default(), &mut row);
                // The names of rows stand in a column without a name.
                let row_names = (row.len() == cells.len() + 1).then(|| "row".to_owned());
                row_names.into_iter().chain(names).collect()
            }
            true => {
                if let Some(row) = self.rows.first() {
                    self.cells(*row, &mut cells);
                }
                (1..=cells.len()).map(|n| format!("column {n}")).collect()
            }
        }
    }

    /// The cells of a row, without quotes and surrounding spaces.
    fn cells(&self, row: Span, out: &mut Vec<Span>) {
        out.clear();
        cut(self.text, row, self.delimiter, out);
    }
}

fn first_line_len(text: &str) -> u32 {
    offset(memchr::memchr(b'\n', text.as_bytes()).map_or(text.len(), |at| at + 1))
}

/// Adds the cells of a row to `out`, without quotes and surrounding spaces.
pub(super) fn cut(text: &str, row: Span, delimiter: u8, out: &mut Vec<Span>) {
    let content = trim_eol(row.of(text));
    let bytes = content.as_bytes();
    let (mut start, mut end) = (0, bytes.len());
    if delimiter == b'|' && content.trim_start().starts_with('|') {
        start = content.len() - content.trim_start().len() + 1;
        end = if content.trim_end().ends_with('|') { content.trim_end().len() - 1 } else { end };
    }
    let mut at = start;
    let mut is_quoted = false;
    while at <= end {
        let byte = if at == end { None } else { bytes.get(at).copied() };
        match byte {
            Some(b'"') if delimiter != b'|' => is_quoted = !is_quoted,
            Some(b'\\') if delimiter == b'|' => at += 1,
            Some(b) if b == delimiter && !is_quoted => {
                out.push(trimmed(content, start, at, row.start));
                start = at + 1;
            }
            None => out.push(trimmed(content, start, end, row.start)),
            _ => {}
        }
        at += 1;
    }
}

/// A cell without surrounding spaces and quotes, as a span of the text.
fn trimmed(line: &str, start: usize, end: usize, base: u32) -> Span {
    let cell = line.get(start..end.max(start)).unwrap_or_default();
    let inner = cell.trim();
    let lead = cell.len() - cell.trim_start().len();
    let (from, to) = (start + lead, start + lead + inner.len());
    let is_quoted = inner.len() >= 2 && inner.starts_with('"') && inner.ends_with('"');
    let (from, to) = if is_quoted { (from + 1, to - 1) } else { (from, to) };
    Span { start: base + offset(from), end: base + offset(to) }
}

/// Whole records: a quoted line end belongs to its record. A quote left open ends at the next line end after 64 KiB.
fn records(text: &str, delimiter: u8) -> Vec<Span> {
    const MAX_RECORD: usize = 64 * 1024;
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let (mut start, mut is_quoted) = (0, false);
    if delimiter == b'|' {
        return crate::text::lines(text);
    }
    for at in memchr::memchr2_iter(b'"', b'\n', bytes) {
        if bytes.get(at) == Some(&b'"') {
            is_quoted = !is_quoted;
        } else if !is_quoted || at - start > MAX_RECORD {
            out.push(Span::new(start, at + 1));
            start = at + 1;
            is_quoted = false;
        }
    }
    if start < bytes.len() {
        out.push(Span::new(start, bytes.len()));
    }
    out
}

/// The delimiter that cuts most of the first lines into the same number of cells, at least two.
fn sniff(text: &str) -> Option<u8> {
    let head = text
        .get(..text.len().min(16 * 1024))
        .or_else(|| text.get(..text.floor_char_boundary(16 * 1024)))?;
    let mut best: Option<(usize, usize, u8)> = None;
    for delimiter in [b',', b'\t', b';', b'|'] {
        let mut rows = records(head, delimiter);
        if head.len() < text.len() {
            rows.pop();
        }
        let mut cells = Vec::new();
        let widths: Vec<usize> = rows
            .iter()
            .take(64)
            .map(|row| {
                cells.clear();
                cut(head, *row, delimiter, &mut cells);
                cells.len()
            })
            .collect();
        // A header may be a cell short, as R writes it: then the second row tells the width.
        let alike = |width: usize| (widths.iter().filter(|w| **w == width).count(), width);
        let most = widths.iter().take(2).map(|width| alike(*width)).max_by_key(|(n, _)| *n);
        let Some((n_alike, width)) = most.filter(|(_, width)| *width >= 2) else { continue };
        let better = best.is_none_or(|(n, w, _)| (n_alike, width) > (n, w));
        if n_alike * 10 >= widths.len() * 8 && better {
            best = Some((n_alike, width, delimiter));
        }
    }
    best.map(|(_, _, delimiter)| delimiter)
}

/// Whether the first row is data: it holds a number in a column whose next rows hold numbers too.
fn is_data(text: &str, rows: &[Span], delimiter: u8) -> bool {
    let (mut first, mut second) = (Vec::new(), Vec::new());
    if let (Some(a), Some(b)) = (rows.first(), rows.get(1)) {
        cut(text, *a, delimiter, &mut first);
        cut(text, *b, delimiter, &mut second);
    }
    first
        .iter()
        .zip(&second)
        .any(|(a, b)| elide::is_number(a.of(text)) && elide::is_number(b.of(text)))
}
