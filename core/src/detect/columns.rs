//! Rows and columns: tables aligned with spaces or drawn with boxes, and delimited records.

use super::sample::{Line, Sample};
use super::shape::{holds, n_digits};
use super::{Scores, share};
use crate::kind::Kind;
use crate::order;
use crate::prelude::*;

/// Columns of characters and rows that are looked at; wider and longer tables show their shape in these.
const MAX_WIDTH: usize = 320;
const MAX_ROWS: usize = 48;

pub(super) fn probe(sample: &Sample<'_>, scores: &mut Scores) {
    drawn(sample, scores);
    aligned(sample, scores);
    even(sample, scores);
    for delimiter in [b',', b'\t', b';', b'|'] {
        delimited(sample, delimiter, scores);
    }
}

/// Box tables (`+---+`, `│`), psql tables, Markdown tables.
fn drawn(sample: &Sample<'_>, scores: &mut Scores) {
    let (mut n_rows, mut n_rules, mut n_pipe_rows, mut n_markdown_rules, mut n_psql_rules) =
        (0, 0, 0, 0, 0);
    for line in sample.full() {
        let body = line.body;
        match body.as_bytes().first() {
            Some(b'|') if body.len() > 2 && body.ends_with('|') => {
                n_pipe_rows += 1;
                let is_rule = body.bytes().all(|b| matches!(b, b'|' | b'-' | b':' | b' '))
                    && holds(body, "--");
                n_markdown_rules += usize::from(is_rule);
            }
            Some(b'+')
                if body.bytes().all(|b| matches!(b, b'+' | b'-' | b'=')) && body.len() > 4 =>
            {
                n_rules += 1
            }
            Some(b'-') if holds(body, "-+-") && body.bytes().all(|b| matches!(b, b'+' | b'-')) => {
                n_psql_rules += 1
            }
            Some(0xe2) if body.starts_with(['│', '┃', '║']) && body.ends_with(['│', '┃', '║']) => {
                n_rows += 1
            }
            Some(0xe2)
                if body.starts_with([
                    '┌', '┏', '├', '┡', '└', '╭', '╰', '╔', '╠', '╚', '╞', '┗', '┣', '┢',
                ]) && body.contains(['─', '━', '═', '╌']) =>
            {
                n_rules += 1;
            }
            _ if n_psql_rules > 0
                && (holds(body, " | ") || (body.starts_with('(') && body.ends_with("rows)"))) =>
            {
                n_rows += 1
            }
            _ => {}
        }
    }
    if n_psql_rules > 0 {
        scores.claim(Kind::Table, sample.share(n_rows + n_psql_rules + 1));
    } else if n_rules >= 2 && n_rows + n_pipe_rows >= 1 {
        scores.claim(Kind::Table, sample.share(n_rows + n_pipe_rows + n_rules));
    } else if n_markdown_rules > 0 && n_pipe_rows >= 3 {
        scores.claim(Kind::Tabular, sample.share(n_pipe_rows));
    }
}

/// Tables whose cells are aligned with spaces, each block of lines by itself.
fn aligned(sample: &Sample<'_>, scores: &mut Scores) {
    let (mut n_explained, mut n_seen, mut is_headed) = (0, 0, false);
    let blocks = sample.lines.split(Line::is_blank).filter(|b| !b.is_empty());
    for block in blocks.take(64) {
        n_seen += block.len();
        // A title may stand above the header: `Active Internet connections (w/o servers)`.
        let best = (0..=2)
            .filter_map(|skip| Grid::of(block.get(skip..)?))
            .max_by_key(|grid| (grid.is_headed(), grid.n_fitting));
        if let Some(grid) = best.filter(Grid::is_table) {
            is_headed |= grid.is_headed();
            n_explained += grid.n_fitting * block.len() / grid.n_rows.max(1);
        }
    }
    let score = share(n_explained.min(n_seen), n_seen.max(1));
    scores.claim(Kind::Table, if is_headed { score } else { score * 3 / 4 });
}

/// The columns of one block of lines.
struct Grid {
    n_rows: usize,
    /// Rows with a cell in the first column and in half of all.
    n_fitting: usize,
    n_columns: usize,
    /// Columns that at least two spaces separate from the one before.
    n_wide: usize,
    has_rule: bool,
    has_caps: bool,
    /// Columns whose rows are numbers below a word.
    n_numeric: usize,
}

impl Grid {
    fn of(block: &[Line<'_>]) -> Option<Grid> {
        // The first rows, and some of all others: what begins as a table may go on as something else.
        let (first, others) = block.split_at_checked(MAX_ROWS / 2).unwrap_or((block, &[]));
        let step = others.len().div_ceil(MAX_ROWS / 2).max(1);
        let rows: Vec<&str> =
            first.iter().chain(others.iter().step_by(step)).map(|l| l.text).collect();
        let header = *rows.first()?;
        if rows.len() < 2 || !holds(header, "  ") && !rows.get(1)?.contains("  ") {
            return None;
        }
        // Rows of a literal.
        if rows.iter().filter(|row| row.ends_with([',', ';'])).count() * 2 > rows.len() {
            return None;
        }
        let mut used = [0_u8; MAX_WIDTH];
        for row in &rows {
            for (c, cell) in row.chars().zip(used.iter_mut()) {
                *cell += u8::from(c != ' ');
            }
            if holds(row, "\t") {
                return None;
            }
        }
        // A row in twenty may run over its column.
        let slack = u8::try_from(rows.len() / 20).unwrap_or(0);
        let mut starts: Vec<(usize, usize)> = Vec::new();
        let mut gap = usize::MAX;
        for (at, n) in used.iter().enumerate() {
            if *n <= slack {
                gap = gap.saturating_add(1);
            } else {
                if gap > 0 {
                    starts.push((at, gap));
                }
                gap = 0;
            }
        }
        // Behind the last name the last column holds what it likes: a command line, a message.
        let n_named = header.trim_end().chars().count();
        if !header.bytes().any(|b| b.is_ascii_digit()) {
            starts.retain(|(at, _)| *at < n_named);
        }
        if starts.len() < 2 {
            return None;
        }
        let cells: Vec<Vec<&str>> = rows.iter().map(|row| cut(row, &starts)).collect();
        let filled = |row: &Vec<&str>| row.iter().filter(|c| !c.is_empty()).count();
        let n_fitting = cells
            .iter()
            .filter(|row| {
                row.first().is_some_and(|c| !c.is_empty())
                    && filled(row) * 2 >= starts.len()
                    && filled(row) >= 2
            })
            .count();
        let head = cells.first()?;
        let n_numeric = (0..starts.len())
            .filter(|at| {
                let is_named = head.get(*at).is_some_and(|c| !c.is_empty() && !is_quantity(c));
                let mut below =
                    cells.iter().skip(1).filter_map(|row| row.get(*at)).filter(|c| !c.is_empty());
                let n = below.clone().count();
                is_named && n >= 2 && below.all(|c| is_quantity(c))
            })
            .count();
        Some(Grid {
            n_rows: rows.len(),
            n_fitting,
            n_columns: starts.len(),
            n_wide: starts.iter().skip(1).filter(|(_, gap)| *gap >= 2).count(),
            has_rule: rows.iter().take(3).any(|row| is_rule(row)),
            has_caps: filled(head) >= 2
                && !header.bytes().any(|b| b.is_ascii_lowercase())
                && header.bytes().filter(u8::is_ascii_uppercase).count() >= 4,
            n_numeric,
        })
    }

    fn is_headed(&self) -> bool {
        self.has_rule || self.has_caps || (self.n_numeric > 0 && self.n_rows >= 4)
    }

    /// With a header two columns do; without, only columns that stand well apart.
    fn is_table(&self) -> bool {
        self.n_columns >= 2
            && self.n_fitting * 10 >= self.n_rows * 7
            && if self.is_headed() {
                self.n_wide >= 1 || self.n_columns >= 4 || self.has_rule
            } else {
                self.n_rows >= 4 && self.n_wide >= 2
            }
    }
}

/// `row` cut at the character columns where cells start; every cell trimmed.
fn cut<'a>(row: &'a str, starts: &[(usize, usize)]) -> Vec<&'a str> {
    let mut at = row.char_indices().map(|(byte, _)| byte).chain(core::iter::once(row.len()));
    let mut before = 0;
    let mut bytes: Vec<usize> = Vec::with_capacity(starts.len() + 1);
    for (column, _) in starts {
        bytes.push(at.nth(column - before).unwrap_or(row.len()));
        before = column + 1;
    }
    bytes.push(row.len());
    bytes
        .windows(2)
        .map(
            |w| if let [from, to] = *w { row.get(from..to).unwrap_or_default().trim() } else { "" },
        )
        .collect()
}

/// A number with a unit or sign, a version, a share, a date: whatever starts with a digit, or stands for nothing.
fn is_quantity(cell: &str) -> bool {
    let cell = cell.trim_start_matches(['-', '+', '<', '$', '~']);
    cell.is_empty()
        || n_digits(cell.as_bytes()) > 0
        || matches!(cell, "none" | "None" | "none>" | "N/A")
}

/// `------- ----`
fn is_rule(row: &str) -> bool {
    holds(row, "--") && row.bytes().all(|b| matches!(b, b'-' | b' ' | b'='))
        || holds(row, "==") && row.bytes().all(|b| matches!(b, b'=' | b' '))
}

/// Lines of equally many words, some of which hardly vary and others of which are no words or names: `mount`, `apt list`,
/// `lsmod`, `dpkg --get-selections`.
fn even(sample: &Sample<'_>, scores: &mut Scores) {
    const MIN_ROWS: usize = 16;
    let rows: Vec<Vec<&str>> = sample
        .full()
        .take(128)
        .filter(|line| line.indent() == 0)
        .map(|line| line.body.split_whitespace().collect())
        .collect();
    let Some(n_columns) = rows.get(rows.len() / 2).map(Vec::len) else { return };
    let fitting: Vec<&Vec<&str>> = rows.iter().filter(|row| row.len() == n_columns).collect();
    if fitting.len() < MIN_ROWS || !(2..=16).contains(&n_columns) {
        return;
    }
    let (mut n_constant, mut n_coded) = (0, 0);
    for column in 0..n_columns {
        let values = || fitting.iter().filter_map(|row| row.get(column).copied());
        let first = values().next().unwrap_or_default();
        let n_same = values().filter(|value| *value == first).count();
        let is_code = |value: &&str| {
            value.bytes().any(|b| b.is_ascii_digit() || matches!(b, b'/' | b'=' | b'_' | b'-'))
        };
        // Of two columns one must say the same throughout: anything else may be two words.
        let least = if n_columns == 2 { 19 } else { 10 };
        n_constant += usize::from(n_same * 20 >= fitting.len() * least);
        let mut sorted: Vec<&str> = values().collect();
        order::sort_by(&mut sorted, Ord::cmp);
        sorted.dedup();
        let is_name = sorted.len() == fitting.len();
        n_coded +=
            usize::from(is_name || values().filter(is_code).count() * 10 >= fitting.len() * 8);
    }
    if n_constant > 0 && n_coded > 0 {
        scores.claim(Kind::Table, share(fitting.len(), rows.len()) * 85 / 100);
    }
}

/// Records of equally many fields.
fn delimited(sample: &Sample<'_>, delimiter: u8, scores: &mut Scores) {
    let lines = sample.lines.get(..sample.n_head).unwrap_or_default();
    let mut records: Vec<Record> = Vec::new();
    let mut open = Record::default();
    let (mut n_lines, mut n_odd_starts, mut n_spaced, mut n_delimiters) = (0, 0, 0, 0);
    for line in lines.iter().take(128) {
        if line.is_blank() && !open.is_quoted {
            continue;
        }
        n_lines += 1;
        if open.n_lines == 0 {
            n_odd_starts += usize::from(
                matches!(
                    line.text.as_bytes().first(),
                    Some(b'{' | b'(' | b'<' | b'*' | b'@' | b' ' | b'\t')
                ) || line.text.starts_with("//"),
            );
        }
        let text = line.text;
        open.read(text.as_bytes(), delimiter, &mut n_spaced);
        open.n_lines += 1;
        if !open.is_quoted {
            n_delimiters += open.n_fields;
            open.ends_open = text.as_bytes().last() == Some(&delimiter);
            records.push(core::mem::take(&mut open));
        } else if open.n_lines > 40 {
            return;
        }
    }
    let Some(first) = records.first() else { return };
    let second = records.get(1).map_or(first.n_fields, |second| second.n_fields);
    // R leaves the column of row names without a name.
    let is_cell_short = first.is_named && first.n_fields + 1 == second && first.n_fields >= 2;
    let n_fields = if is_cell_short { second } else { first.n_fields };
    let is_named = first.is_named && records.iter().skip(1).any(|r| !r.is_named);
    // Below names of columns the last cells of a record may be missing.
    let fits = |r: &&Record| {
        let is_short = r.n_fields < n_fields && r.n_fields * 2 >= n_fields;
        r.n_fields == n_fields
            || (is_cell_short && r.is_named)
            || (is_named && n_fields >= 3 && is_short)
    };
    let n_even = records.iter().filter(fits).map(|r| r.n_lines).sum::<usize>();
    let n_ends = records.iter().filter(|r| r.ends_open).count();
    if n_fields < 1
        || first.is_open_head
        || (first.ends_open && n_ends * 2 > records.len() && (n_fields < 3 || delimiter == b';'))
    {
        return;
    }
    if n_odd_starts * 3 > records.len() || records.len() < 2 {
        return;
    }
    let mut score = share(n_even, n_lines);
    // Prose and code put a space behind their commas; two columns agree by chance.
    if delimiter != b'\t' && delimiter != b'|' && n_spaced * 3 > n_delimiters * 2 {
        // A list of references agrees on its commas; without names of columns, fields of several words are prose.
        let is_prose =
            !is_named && lines.iter().take(16).any(|l| has_prose_field(l.text, delimiter));
        score = if is_prose { 0 } else { score * 3 / 4 };
    }
    let n_least = if is_named {
        2
    } else if n_fields >= 3 {
        3
    } else {
        5
    };
    if records.len() < n_least || (n_fields == 1 && score < 950) {
        score /= 2;
    }
    scores.claim(Kind::Tabular, score);
}

/// Whether a field has four words or more.
fn has_prose_field(text: &str, delimiter: u8) -> bool {
    text.split(char::from(delimiter)).any(|field| field.split_whitespace().nth(3).is_some())
}

/// One delimited record.
#[derive(Default)]
struct Record {
    /// Delimiters outside quotes.
    n_fields: usize,
    n_lines: usize,
    is_quoted: bool,
    ends_open: bool,
    /// Every field has a letter and none starts with a digit: what names of columns look like.
    is_named: bool,
    is_open_head: bool,
}

impl Record {
    fn read(&mut self, bytes: &[u8], delimiter: u8, n_spaced: &mut usize) {
        if self.n_lines == 0 {
            self.is_named = !bytes.is_empty();
        }
        let mut is_start = self.n_lines == 0;
        for (at, b) in bytes.iter().enumerate() {
            if *b == b'"' && (is_start || self.is_quoted) {
                self.is_quoted = !self.is_quoted;
            } else if *b == b'"' && bytes.get(at.wrapping_sub(1)) == Some(&b'"') {
                // A doubled quote inside a quoted field.
                self.is_quoted = true;
            } else if *b == delimiter && !self.is_quoted && !is_millisecond(bytes, at) {
                self.n_fields += 1;
                *n_spaced += usize::from(bytes.get(at + 1) == Some(&b' '));
                is_start = true;
                continue;
            } else if is_start && (b.is_ascii_digit() || *b == b'-') {
                self.is_named = false;
            }
            is_start = is_start && *b == b' ';
        }
    }
}

/// Whether the comma at `at` separates seconds from milliseconds: `12:00:01,123`.
fn is_millisecond(bytes: &[u8], at: usize) -> bool {
    bytes.get(at) == Some(&b',')
        && n_digits(bytes.get(at + 1..).unwrap_or_default()) == 3
        && at
            .checked_sub(3)
            .and_then(|from| bytes.get(from..at))
            .is_some_and(|t| super::shape::looks_like(t, b":99"))
}
