//! Markdown: documents.
//!
//! ```text
//! ## Hosts                          ## Hosts
//! | name | rack | load |            | name | rack | load |
//! |------|------|------|            |------|------|------|
//! | h-1  | a    | 0.41 |        ->  | h-1  | a    | 0.41 |
//! | …200 more rows…    |            [caveman: 195 rows elided: 4-198; name: 195 distinct, h-4..h-198, all present; …]
//! ```
//! Keeps: headings, code, distinct prose and list items, whatever is said less than four times; of long tables what
//! [`tabular`] keeps; of long logs, diffs and the like between fences what their own compressors keep. Link definitions
//! that follow one template are told by the template, so are links within prose; the commonest place of others is named once.
//! Declines: documents that repeat nothing, as most do: to elide a document is to lose it.

mod inline;
mod links;

use super::tabular::{self, rows::Rows};
use super::{Compressor, Proposals, Units, mixed, part, text};
use crate::detect;
use crate::draft::{Draft, Piece};
use crate::elide::{self, Focus, Segment, Sheet, Style};
use crate::kind::Kind;
use crate::order;
use crate::prelude::*;
use crate::text::{Span, lines, offset, trim_eol};

/// The compressor of Markdown.
#[derive(Debug)]
pub(super) struct Markdown;

/// Tables of fewer rows are read whole. Our choice.
const MIN_ROWS: usize = 24;
/// Shorter blocks between fences are read whole. Our choice.
const MIN_DATA_BYTES: usize = 1024;

impl Compressor for Markdown {
    fn kind(&self) -> Kind {
        Kind::Markdown
    }

    fn compress(&self, text: &str, focus: &Focus) -> Proposals {
        let lines = lines(text);
        let outline = Outline::of(text, &lines);
        let is_content = |line: Span| outline.fixed.binary_search(&line.start).is_ok();
        let mut parts: Vec<Part> = Vec::new();
        let prose = text::elided(text, &lines, focus, is_content);
        for piece in prose.map(|draft| draft.pieces).unwrap_or_default() {
            if let Piece::Marker { of, n_units, text } = piece {
                parts.push(Part::marker(of, n_units, text));
            }
        }
        links::shorten(text, &lines, focus, is_content, &mut parts);
        for table in &outline.tables {
            elide_rows(text, table, focus, &mut parts);
        }
        shorten_data(text, focus, &mut parts);
        let mut draft = Draft::new("elide", "lines", lines.len());
        order::sort_by_key(&mut parts, |part| part.of.start);
        let is_part = |line: Span| {
            let before = parts.partition_point(|part| part.of.start <= line.start);
            before
                .checked_sub(1)
                .and_then(|at| parts.get(at))
                .is_some_and(|part| line.start < part.of.end)
        };
        let is_fixed = |line: Span| is_content(line) || is_part(line);
        if let Some((statement, links)) = inline::shorten(text, &lines, focus, is_fixed) {
            draft.pieces.push(Piece::Recoded { of: Span::default(), text: statement });
            parts.extend(links.into_iter().map(|(of, text)| Part::recoded(of, text)));
        }
        order::sort_by_key(&mut parts, |part| part.of.start);

        let mut at = 0;
        for part in parts {
            // Under pressure prose loses rows too; what went once does not go again.
            if part.of.start < at {
                continue;
            }
            draft.keep(Span { start: at, end: part.of.start });
            draft.append(part.draft, 0);
            at = part.of.end;
        }
        draft.keep(Span { start: at, end: offset(text.len()) });
        if draft.is_lossless() {
            draft.method = "fold";
            let is_shorter = draft.len_bytes() < text.len();
            return Proposals { lossless: is_shorter.then_some(draft), elided: None };
        }
        Proposals { lossless: None, elided: Some(draft) }
    }

    /// The general cut serves: by section and paragraph.
    fn units(&self, _text: &str) -> Option<Units> {
        None
    }
}

/// A stretch that is written otherwise.
struct Part {
    of: Span,
    draft: Draft,
}

impl Part {
    /// The same, written another way.
    fn recoded(of: Span, text: String) -> Part {
        let pieces = vec![Piece::Recoded { of, text }];
        Part { of, draft: Draft { pieces, ..Draft::new("elide", "lines", 0) } }
    }

    /// One marker.
    fn marker(of: Span, n_units: u32, text: String) -> Part {
        let mut draft = Draft::new("elide", "lines", 0);
        draft.pieces.push(Piece::Marker { of, n_units, text });
        Part { of, draft }
    }
}

/// Adds what long blocks between fences become that show data: a log, a diff, a document.
fn shorten_data(text: &str, focus: &Focus, parts: &mut Vec<Part>) {
    let (mut at, mut line) = (0, focus.lines_before);
    for (of, kind) in detect::fences(text, MIN_DATA_BYTES) {
        let body = of.of(text);
        let before = Span { start: at, end: of.start }.of(text);
        line += offset(memchr::memchr_iter(b'\n', before.as_bytes()).count());
        at = of.start;
        let within = Focus { lines_before: line, ..focus.clone() };
        if mixed::is_data(kind, body)
            && let Some(part) = part::compress(body, Some(kind), &within)
        {
            let mut draft = Draft::default();
            draft.append(part, of.start);
            draft.end_line(text);
            parts.push(Part { of, draft });
        }
    }
}

/// Adds what goes of a table, whose first line is its header and whose second the rule below it.
fn elide_rows(text: &str, table: &[Span], focus: &Focus, parts: &mut Vec<Part>) {
    let Some((header, rows)) = table.split_first() else { return };
    let mut sheet = Sheet::new(text, "rows");
    let mut cells = Vec::new();
    tabular::cut(text, *header, b'|', &mut cells);
    let names = cells.iter().map(|cell| cell.of(text));
    let columns = Rows::new(&mut sheet, names, rows.len());
    for row in rows.iter().skip(1) {
        cells.clear();
        tabular::cut(text, *row, b'|', &mut cells);
        columns.add(&mut sheet, *row, &cells);
    }
    for segment in elide::segments(&sheet, focus, &Style::ROWS) {
        let Segment::Elide { units, marker } = segment else { continue };
        let n_units = offset(units.len());
        let elided = sheet.units().get(units).unwrap_or_default();
        if let Some(of) = elided.iter().map(|unit| unit.span).reduce(Span::join) {
            parts.push(Part::marker(of, n_units, marker));
        }
    }
}

/// What of a document stays whatever it repeats, and its long tables.
#[derive(Default)]
struct Outline<'l> {
    /// Starts of headings, lines of code and rows of tables, ascending.
    fixed: Vec<u32>,
    tables: Vec<&'l [Span]>,
}

impl<'l> Outline<'l> {
    fn of(text: &str, lines: &'l [Span]) -> Outline<'l> {
        let mut outline = Outline::default();
        let mut fence: Option<&str> = None;
        let mut table = 0..0;
        for (at, line) in lines.iter().enumerate() {
            let body = trim_eol(line.of(text)).trim_start();
            let is_row = fence.is_none() && body.starts_with('|');
            if is_row {
                table = if table.end == at { table.start..at + 1 } else { at..at + 1 };
            }
            if table.len() >= MIN_ROWS && (!is_row || at + 1 == lines.len()) {
                outline.tables.extend(lines.get(table.clone()));
                table = 0..0;
            }
            let mark = ["```", "~~~"].into_iter().find(|mark| body.starts_with(mark));
            let is_fenced = fence.is_some() || mark.is_some();
            fence = match fence {
                None => mark,
                Some(open) if mark == Some(open) => None,
                open => open,
            };
            let next = lines.get(at + 1).map_or("", |next| trim_eol(next.of(text)));
            let is_underline =
                |line: &str| !line.is_empty() && line.bytes().all(|b| matches!(b, b'=' | b'-'));
            if is_fenced
                || is_row
                || body.starts_with('#')
                || is_underline(body)
                || is_underline(next)
            {
                outline.fixed.push(line.start);
            }
        }
        outline
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elided(text: &str) -> Option<String> {
        Markdown.compress(text, &Focus::default()).elided.map(|draft| draft.render(text))
    }

    #[test]
    fn headings_and_code_stay_however_often_they_repeat() {
        let section = "## Added in this version\n\n```sh\ncargo add the crate again\n```\n\n\
                       See the full list of changes in the repository of this project, under the tag of \
                       this version and of each version before it.\n\n";
        let text = section.repeat(30);
        let out = elided(&text).unwrap();
        for line in ["## Added in this version", "cargo add the crate again"] {
            assert_eq!(out.matches(line).count(), 30, "{out}");
        }
        assert!(out.matches("See the full list").count() < 10, "{out}");
    }

    #[test]
    fn long_tables_lose_rows_and_short_ones_do_not() {
        let rows = |n: usize| {
            let rows: String =
                (1..=n).map(|n| format!("| host-{n} | rack a | {} |\r\n", 40 + n % 5)).collect();
            format!(
                "# Hosts\r\n\r\n| name | place | load |\r\n|---|---|---|\r\n{rows}\r\nThe end, é.\r\n"
            )
        };
        let out = elided(&rows(200)).unwrap();
        assert!(out.contains("| name | place | load |\r\n|---|---|---|\r\n| host-1 |"), "{out}");
        assert!(out.contains("rows elided") && out.ends_with("The end, é.\r\n"), "{out}");
        let odd = rows(200).replace("| host-77 | rack a |", "| host-77 | cellar |");
        assert!(elided(&odd).unwrap().contains("| host-77 | cellar |"));
        assert_eq!(elided(&rows(20)), None);
    }

    #[test]
    fn under_pressure_nothing_goes_twice() {
        let text = "| host | rack |\n".repeat(60);
        let focus = Focus { pressure: Focus::MAX_PRESSURE, ..Focus::default() };
        let draft = Markdown.compress(&text, &focus).elided.unwrap();
        assert!(draft.n_elided() <= 60, "{}", draft.render(&text));
    }

    #[test]
    fn distinct_text_passes_through() {
        let list: String =
            (0..200).map(|n| format!("- item{n} of {n}, told [here](#{n})\n")).collect();
        let open = format!("```\n{}", "the same line of code again\n".repeat(50));
        for text in ["", "# a", "| a |", "```", "a\n===\n", list.as_str(), open.as_str()] {
            assert_eq!(elided(text), None, "{text}");
        }
        let line = "é ".repeat(500_000);
        assert_eq!(elided(&line), None);
        let deep: String = (0..10_000).map(|n| format!("{}- x\n", "  ".repeat(n % 400))).collect();
        assert!(elided(&deep).is_none_or(|out| out.len() < deep.len()));
    }
}
