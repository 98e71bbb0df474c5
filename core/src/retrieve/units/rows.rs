//! Rows under a header: CSV and its relatives, Markdown tables, aligned columns.

use super::{Cut, NONE, is_blank};
use crate::text::{self, Span};

/// Aligned columns: the first line is the header when it holds no digit, with the rule below it.
pub(super) fn table(text: &str) -> Cut {
    let mut cut = Cut::new("rows");
    for line in text::lines(text) {
        let shown = line.of(text);
        if is_blank(shown) {
            continue;
        }
        let has_digit = || shown.bytes().any(|b| b.is_ascii_digit());
        let heads = cut.header.is_empty() && !has_digit() || is_rule(shown);
        if cut.units.is_empty() && heads {
            cut.header = if cut.header.is_empty() { line } else { cut.header.join(line) };
        } else {
            cut.push(line, NONE);
        }
    }
    cut
}

/// CSV, TSV and Markdown tables: a quoted field may hold line ends. A quote that never closes is no quote.
pub(super) fn tabular(text: &str) -> Cut {
    let first = text.lines().find(|line| !is_blank(line)).unwrap_or_default();
    if first.trim_ascii_start().starts_with('|') {
        return table(text);
    }
    let delimiter = [b',', b'\t', b';', b'|']
        .into_iter()
        .max_by_key(|d| (first.bytes().filter(|b| b == d).count(), core::cmp::Reverse(*d)))
        .unwrap_or(b',');
    let mut cut = Cut::new("rows");
    let mut start = 0;
    while start < text.len() {
        let end = row_end(text.as_bytes(), start, delimiter);
        let row = Span::new(start, end);
        start = end;
        if is_blank(row.of(text)) {
            continue;
        }
        if cut.header.is_empty() {
            cut.header = row;
        } else {
            cut.push(row, NONE);
        }
    }
    cut
}

/// Where the row that begins at `start` ends, its line end included.
fn row_end(bytes: &[u8], start: usize, delimiter: u8) -> usize {
    /// A row with more bytes in quotes than this has an open quote. Our choice; keeps the cut linear.
    const MAX_ROW_BYTES: usize = 64 << 10;
    let line_end = |at: usize| {
        let rest = bytes.get(at..).unwrap_or_default();
        memchr::memchr(b'\n', rest).map_or(bytes.len(), |n| at + n + 1)
    };
    let end = line_end(start);
    let line = bytes.get(start..end).unwrap_or_default();
    if memchr::memchr(b'"', line).is_none() {
        return end;
    }
    let (mut at_field_start, mut in_quotes) = (true, false);
    let limit = bytes.len().min(end.max(start + MAX_ROW_BYTES));
    let mut at = start;
    while at < limit {
        let byte = bytes.get(at).copied().unwrap_or_default();
        match byte {
            b'"' if in_quotes && bytes.get(at + 1) == Some(&b'"') => at += 1,
            b'"' if in_quotes => in_quotes = false,
            b'"' if at_field_start => in_quotes = true,
            b'\n' if !in_quotes => return at + 1,
            _ => {}
        }
        at_field_start = byte == delimiter && !in_quotes;
        at += 1;
    }
    if in_quotes || limit < bytes.len() { end } else { limit }
}

/// `---- ----`, `|:--|--:|`, `+====+`
fn is_rule(line: &str) -> bool {
    let line = line.trim_ascii();
    line.contains(['-', '=', '─', '━']) && line.chars().all(|c| "-=+|: ─━┼┿".contains(c))
}
