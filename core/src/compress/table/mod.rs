//! Tables aligned with spaces: kubectl, docker, ps, df, pip list.
//!
//! ```text
//! NAME        READY   STATUS    AGE        NAME        READY   STATUS    AGE
//! cart-1      1/1     Running   3d         cart-1      1/1     Running   3d
//! cart-2      1/1     Running   3d    ->   [caveman: 97 rows elided: 2-98; NAME: 97 distinct, …; STATUS: Running]
//! …                                        mailer-9    0/1     Pending   1d
//! mailer-9    0/1     Pending   1d
//! ```
//! Keeps: header and rule, first and last rows, rows whose state speaks of failure, rare values, extremes.
//! Declines: text without columns.

use super::tabular::rows::Rows;
use super::{Compressor, Proposals, Units};
use crate::elide::{self, Focus, Sheet, Style};
use crate::kind::Kind;
use crate::prelude::*;
use crate::text::{Span, lines, offset, trim_eol};

/// The compressor of aligned tables.
#[derive(Debug)]
pub(super) struct Table;

impl Compressor for Table {
    fn kind(&self) -> Kind {
        Kind::Table
    }

    fn compress(&self, text: &str, focus: &Focus) -> Proposals {
        let Some(layout) = Layout::of(text) else { return Proposals::default() };
        let mut sheet = Sheet::new(text, "rows");
        let rows = Rows::new(
            &mut sheet,
            layout.columns.iter().map(|column| column.name.as_str()),
            layout.rows.len(),
        );
        let mut cells = Vec::new();
        sheet.reserve(layout.rows.len(), layout.rows.len() * rows.n_looked_at());
        for row in &layout.rows {
            layout.cells(*row, &mut cells);
            rows.add(&mut sheet, *row, &cells);
        }
        Proposals { lossless: None, elided: elide::draft(&sheet, focus, &Style::ROWS) }
    }

    fn units(&self, text: &str) -> Option<Units> {
        let layout = Layout::of(text)?;
        Some(Units { header: layout.header, spans: layout.rows, noun: "rows", ..Units::default() })
    }
}

/// A rule further down belongs to something else. Our choice.
const MAX_HEADER: usize = 12;

/// A named column and where its header stands.
struct Column {
    name: String,
    start: usize,
    end: usize,
}

/// Where the columns of a table stand.
struct Layout<'t> {
    text: &'t str,
    columns: Vec<Column>,
    header: Span,
    rows: Vec<Span>,
    /// Characters before which a row may be cut: between all columns, or none.
    cuts: Vec<usize>,
    /// Least number of spaces between two cells of a row that cannot be cut.
    gap: usize,
}

impl<'t> Layout<'t> {
    fn of(text: &'t str) -> Option<Layout<'t>> {
        let all = lines(text);
        if let Some(layout) = Layout::without_names(text, &all) {
            return Some(layout);
        }
        let is_rule = |line: &Span| {
            let line = line.of(text).trim();
            line.len() >= 3 && line.bytes().all(|b| matches!(b, b'-' | b'=' | b'+' | b'|' | b' '))
        };
        // The header stands above the rule, where there is one near the top.
        let ruled = all
            .iter()
            .take(MAX_HEADER)
            .position(is_rule)
            .filter(|rule| *rule > 0)
            .map(|rule| rule - 1);
        let at = ruled.or_else(|| all.iter().position(|line| !line.of(text).trim().is_empty()))?;
        let head = trim_eol(all.get(at)?.of(text));
        let n_header = at + 1 + usize::from(ruled.is_some());
        let header = Span { start: 0, end: all.get(n_header - 1)?.end };
        let rows: Vec<Span> = all
            .into_iter()
            .skip(n_header)
            .filter(|line| !line.of(text).trim().is_empty())
            .collect();
        let names = Names::of(head, text, &rows)?;
        Some(Layout {
            text,
            header,
            rows,
            columns: names.columns,
            cuts: names.cuts,
            gap: names.gap,
        })
    }

    /// Rows of equally many words, such as `mount` gives: a row that has a word of the next in its place is no header.
    fn without_names(text: &'t str, all: &[Span]) -> Option<Layout<'t>> {
        let words = |line: &Span| {
            let line = trim_eol(line.of(text));
            fields(line, 1).into_iter().filter_map(|(from, to)| line.get(from..to)).collect()
        };
        let full: Vec<Span> =
            all.iter().filter(|line| !line.of(text).trim().is_empty()).copied().collect();
        let width = |line: &Span| fields(trim_eol(line.of(text)), 1).len();
        let n_columns = commonest(full.iter().take(256).map(width))?;
        let first = full.iter().take(MAX_HEADER).position(|line| width(line) == n_columns)?;
        let rows = full.get(first..)?;
        // The last column may hold several words: `[installed,upgradable to: 2]`.
        let sample: Vec<usize> = rows.iter().take(256).map(width).collect();
        let n_even = sample.iter().filter(|n| **n == n_columns).count();
        let n_wider = sample.iter().filter(|n| **n > n_columns).count();
        let is_wide = rows.iter().take(16).any(|row| row.of(text).trim().contains("  "));
        if n_columns < 3
            || is_wide
            || n_even * 10 < sample.len() * 6
            || (n_even + n_wider) * 20 < sample.len() * 19
        {
            return None;
        }
        let (one, next): (Vec<&str>, Vec<&str>) = (words(rows.first()?), words(rows.get(1)?));
        if !one.iter().zip(&next).any(|(one, next)| one == next) {
            return None;
        }
        let columns =
            (1..=n_columns).map(|n| Column { name: format!("column {n}"), start: 0, end: 0 });
        let header = Span { start: 0, end: rows.first()?.start };
        let (columns, cuts) = (columns.collect(), Vec::new());
        Some(Layout { text, columns, header, rows: rows.to_vec(), cuts, gap: 1 })
    }

    /// The cells of a row that is blank wherever columns part.
    fn cut(&self, line: &str) -> Option<Vec<(usize, usize)>> {
        if self.cuts.is_empty() {
            return None;
        }
        let mut cells = Vec::with_capacity(self.cuts.len() + 1);
        let mut places = line.char_indices();
        let (mut before, mut from) = (0, 0);
        for cut in &self.cuts {
            let at = match places.nth(cut - before) {
                Some((at, ' ')) => at,
                Some(_) => return None,
                None => line.len(),
            };
            before = cut + 1;
            cells.push(trimmed(line, from, at));
            from = at;
        }
        cells.push(trimmed(line, from, line.len()));
        Some(cells)
    }

    /// One span for each column that the row fills, in order; all columns when the row has as many fields.
    fn cells(&self, row: Span, out: &mut Vec<Span>) {
        out.clear();
        let line = trim_eol(row.of(self.text));
        let span = |start: usize, end: usize| Span {
            start: row.start + offset(start),
            end: row.start + offset(end),
        };
        let found = fields(line, self.gap);
        let n = self.columns.len();
        if self.gap > 1 && found.len() == n {
            return out.extend(found.iter().map(|(start, end)| span(*start, *end)));
        }
        if let Some(cells) = self.cut(line) {
            return out.extend(cells.iter().map(|(start, end)| span(*start, *end)));
        }
        if found.len() == n {
            return out.extend(found.iter().map(|(start, end)| span(*start, *end)));
        }
        if self.gap == 1 && found.len() > n {
            // The last column holds the rest: a command line, a mount point.
            out.extend(found.iter().take(n - 1).map(|(start, end)| span(*start, *end)));
            return out
                .extend(found.get(n - 1).map(|(start, _)| span(*start, line.trim_end().len())));
        }
        // Cells are missing: each field belongs to the header that it stands under.
        let mut left = found.iter().peekable();
        for (at, column) in self.columns.iter().enumerate() {
            let next = self.columns.get(at + 1).map_or(usize::MAX, |c| c.start);
            let cell = left.next_if(|(start, end)| {
                *start < next && (*end > column.start || *start <= column.end)
            });
            out.push(cell.map_or(span(line.len(), line.len()), |(start, end)| span(*start, *end)));
        }
        if left.next().is_some() {
            // More fields than headers to stand under: a row of another kind.
            out.push(span(line.len(), line.len()));
        }
    }
}

/// The columns that a header names, judged by what stands below it: `CONTAINER ID` is one name, `PID %CPU` are two.
struct Names {
    columns: Vec<Column>,
    cuts: Vec<usize>,
    gap: usize,
}

/// Rows and characters of a row that are looked at. Our choice.
const MAX_LOOKED_AT: usize = 64;
const MAX_WIDTH: usize = 512;

impl Names {
    fn of(head: &str, text: &str, rows: &[Span]) -> Option<Names> {
        let mut used = [0_u8; MAX_WIDTH];
        let step = rows.len().div_ceil(MAX_LOOKED_AT).max(1);
        let mut n_seen = 0_u8;
        for row in rows.iter().step_by(step) {
            n_seen = n_seen.saturating_add(1);
            for (c, n) in trim_eol(row.of(text)).chars().zip(used.iter_mut()) {
                *n += u8::from(c != ' ');
            }
        }
        // A row in twenty may run over its column.
        let slack = n_seen / 20;
        let is_used = |at: usize| used.get(at).is_some_and(|n| *n > slack);
        let place = |byte: usize| head.get(..byte).unwrap_or_default().chars().count();

        let words = fields(head, 1);
        let mut names = Names { columns: Vec::new(), cuts: Vec::new(), gap: 2 };
        let mut cut_before = 0;
        let mut is_cut = true;
        for (at, (start, end)) in words.iter().enumerate() {
            let Some(last) = names.columns.last_mut() else {
                names.columns.push(Column { name: String::new(), start: *start, end: *end });
                continue;
            };
            let is_apart = start - last.end > 1 || head.as_bytes().get(last.end) == Some(&b'\t');
            let (from, to) = (place(last.end), place(*start));
            let next = words.get(at + 1).map_or(MAX_WIDTH, |(start, _)| place(*start));
            // The blank nearest to the space between the two names.
            let valley = (from..to)
                .chain((place(last.start) + 1..from).rev())
                .chain(to..place(*end))
                .find(|at| *at > cut_before && !is_used(*at));
            let parts = valley.filter(|valley| {
                (cut_before..*valley).any(is_used) && (*valley..next).any(is_used)
            });
            if !is_apart && parts.is_none() {
                last.end = *end;
                continue;
            }
            names.gap = if is_apart { names.gap } else { 1 };
            match valley {
                Some(valley) => {
                    names.cuts.push(valley);
                    cut_before = valley;
                }
                None => is_cut = false,
            }
            names.columns.push(Column { name: String::new(), start: *start, end: *end });
        }
        for column in &mut names.columns {
            head.get(column.start..column.end).unwrap_or_default().clone_into(&mut column.name);
        }
        if !is_cut {
            names.cuts.clear();
        }
        (names.columns.len() >= 2).then_some(names)
    }
}

/// The number that comes most often.
fn commonest(numbers: impl Iterator<Item = usize>) -> Option<usize> {
    let mut sorted: Vec<usize> = numbers.collect();
    sorted.sort_unstable();
    sorted.chunk_by(|a, b| a == b).max_by_key(|run| run.len()).and_then(|run| run.first()).copied()
}

/// `line[from..to]` without the blanks around it.
fn trimmed(line: &str, from: usize, to: usize) -> (usize, usize) {
    let cell = line.get(from..to).unwrap_or_default();
    let start = from + (cell.len() - cell.trim_start().len());
    (start, start + cell.trim().len())
}

/// The fields of a line: runs of text with at least `gap` spaces, or a tab, between them.
fn fields(line: &str, gap: usize) -> Vec<(usize, usize)> {
    let bytes = line.as_bytes();
    let mut out: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let blank = bytes
            .get(at..)
            .unwrap_or_default()
            .iter()
            .take_while(|b| matches!(b, b' ' | b'\t'))
            .count();
        let has_tab = bytes.get(at..at + blank).unwrap_or_default().contains(&b'\t');
        at += blank;
        let len = bytes
            .get(at..)
            .unwrap_or_default()
            .iter()
            .take_while(|b| !matches!(b, b' ' | b'\t'))
            .count();
        if len == 0 {
            break;
        }
        match out.last_mut() {
            Some(last) if blank < gap && !has_tab => last.1 = at + len,
            _ => out.push((at, at + len)),
        }
        at += len;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first row's cells, each with its column's name.
    fn check(text: &str, want: &[(&str, &str)]) {
        let layout = Layout::of(text).unwrap();
        let mut cells = Vec::new();
        layout.cells(layout.rows[0], &mut cells);
        let found: Vec<(&str, &str)> = layout
            .columns
            .iter()
            .zip(&cells)
            .map(|(column, cell)| (column.name.as_str(), cell.of(text)))
            .collect();
        assert_eq!(found, want, "{text}");
    }

    #[test]
    fn what_stands_below_a_name_says_where_it_ends() {
        check(
            "CONTAINER ID  NAME\n0f3a9c1b22d4  web\n11aa22bb33cc  db\n",
            &[("CONTAINER ID", "0f3a9c1b22d4"), ("NAME", "web")],
        );
        check(
            "USER   PID %CPU COMMAND\nroot     1  0.6 init -x\nroot    22  0.0 cron\n",
            &[("USER", "root"), ("PID", "1"), ("%CPU", "0.6"), ("COMMAND", "init -x")],
        );
        check(
            "LAST SEEN   TYPE     REASON\n5m          Normal   Pulled\n12m                  Created\n",
            &[("LAST SEEN", "5m"), ("TYPE", "Normal"), ("REASON", "Pulled")],
        );
        // A missing cell is an empty one, wherever the others stand.
        check(
            "NAME   STATE   AGE\nété            3d\nb      ok      4d\n",
            &[("NAME", "été"), ("STATE", ""), ("AGE", "3d")],
        );
    }

    #[test]
    fn columns_that_no_blank_parts_are_cut_nowhere() {
        for text in [
            "a b  c\n xx yyzz\nx  yy zz\n",
            "a  b\n",
            "a  b\nxxxx\nxxxxxxx\n",
            "a b c d\n  x\n x x x\n",
        ] {
            if let Some(layout) = Layout::of(text) {
                assert!(layout.cuts.is_sorted(), "{text}");
                let mut cells = Vec::new();
                layout.rows.iter().for_each(|row| layout.cells(*row, &mut cells));
            }
        }
    }
}
