//! Presentation: what a host or a terminal wrapped around a payload (BOM, line-number gutter, file wrapper, ANSI), taken
//! off before the payload is read and put back around what is kept.
//!
//! What counts as presentation:
//! - **BOM**: U+FEFF at the very start. It is not put back.
//! - **ANSI** escapes, anywhere (`ansi`). They are not put back. Carriage returns stay: they are what a terminal
//!   session's frames are told by; a move to the first column, which says the same, becomes one.
//! - **File wrapper** (`wrapper`): a first line that is one opening tag of a known name, closed by the last line, and a
//!   host's reminder behind the payload. They are put back around the output as they were.
//! - **Gutter** (`gutter`): line numbers that go up by one from line to line. Kept lines get theirs back.
//!
//! Line ends are never touched: a line of the bare text is a line of the original, so whole lines map to whole lines.

mod ansi;
mod gutter;
mod wrapper;

use crate::draft::{Draft, Piece};
use crate::prelude::*;
use crate::text::{Span, offset};

/// A payload without its presentation.
#[derive(Clone, Debug)]
pub struct Presented<'a> {
    /// The bare text.
    pub text: Cow<'a, str>,
    /// The text without ANSI, in which head, foot and gutters stand.
    base: Cow<'a, str>,
    /// What stands before and behind the bare text, as the output repeats it.
    head: Span,
    foot: Span,
    /// Where the bare text begins in the original, when it is a slice of it.
    shift: u32,
    has_gutter: bool,
    /// The lines, when the bare text is no slice of the original; the last row closes the last line.
    rows: Vec<Row>,
}

/// One line of the bare text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Row {
    /// Where it begins in the bare text.
    bare: u32,
    /// Where it begins in the original.
    original: u32,
    /// Its gutter in the base text.
    gutter: Span,
}

/// Takes the presentation off. Borrowed when there is none, and when it all lies around the payload.
pub fn unwrap(original: &str) -> Presented<'_> {
    let base = ansi::strip(original);
    let from = if base.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut body = from..base.len();
    wrapper::narrow(&base, &mut body);
    let gutters = gutter::find(base.get(body.clone()).unwrap_or_default());
    if let Some(found) = &gutters {
        body = body.start + found.lines.start..body.start + found.lines.end;
    }
    let (head, foot) = (Span::new(from, body.start), Span::new(body.end, base.len()));
    let is_borrowed = matches!(base, Cow::Borrowed(_));
    if is_borrowed && gutters.is_none() {
        let text = original.get(body.clone()).unwrap_or_default();
        return Presented {
            text: Cow::Borrowed(text),
            base,
            head,
            foot,
            shift: offset(body.start),
            has_gutter: false,
            rows: Vec::new(),
        };
    }
    let form = gutters.map(|found| found.form);
    let (text, rows) = bare_lines(original, &base, body, form.as_ref());
    Presented {
        text: Cow::Owned(text),
        base,
        head,
        foot,
        shift: 0,
        has_gutter: form.is_some(),
        rows,
    }
}

/// The lines of `body` without their gutters, and where each stands in the original.
fn bare_lines(
    original: &str,
    base: &str,
    body: core::ops::Range<usize>,
    form: Option<&gutter::Form>,
) -> (String, Vec<Row>) {
    let mut text = String::with_capacity(body.len());
    let mut rows = Vec::new();
    let before = base.get(..body.start).unwrap_or_default();
    let n_before = memchr::memchr_iter(b'\n', before.as_bytes()).count();
    let mut starts = core::iter::once(0)
        .chain(memchr::memchr_iter(b'\n', original.as_bytes()).map(|at| at + 1))
        .skip(n_before);
    let mut at = body.start;
    for line in base.get(body).unwrap_or_default().split_inclusive('\n') {
        let n_gutter = form.map_or(0, |form| form.len(line));
        rows.push(Row {
            bare: offset(text.len()),
            original: offset(starts.next().unwrap_or(original.len())),
            gutter: Span::new(at, at + n_gutter),
        });
        text.push_str(line.get(n_gutter..).unwrap_or_default());
        at += line.len();
    }
    // Without a line end of its own the last line ends where its line in the original does.
    let is_cut = !text.is_empty() && !text.ends_with('\n');
    let end = starts.next().map(|at| at - usize::from(is_cut));
    rows.push(Row {
        bare: offset(text.len()),
        original: offset(end.unwrap_or(original.len())),
        gutter: Span::default(),
    });
    (text, rows)
}

impl Presented<'_> {
    /// How many lines of its file stand before the payload, as the gutter of its first line says; 0 without a gutter.
    pub fn lines_before(&self) -> u32 {
        let gutter = self
            .rows
            .first()
            .filter(|_| self.has_gutter)
            .map(|row| row.gutter.of(&self.base))
            .unwrap_or_default();
        let digits: String = gutter.chars().filter(char::is_ascii_digit).collect();
        digits.parse::<u32>().map_or(0, |first| first.saturating_sub(1))
    }

    /// Where the original holds what `span` of the bare text holds; the whole lines that it touches, when something was taken
    /// off within lines.
    pub fn to_original(&self, span: Span) -> Span {
        if self.rows.is_empty() {
            return Span { start: span.start + self.shift, end: span.end + self.shift };
        }
        if span.is_empty() {
            let start = self.row_of(span.start).map_or(0, |row| row.original);
            return Span { start, end: start };
        }
        let start = self.row_of(span.start).map_or(0, |row| row.original);
        let next = self.rows.partition_point(|row| row.bare < span.end);
        let end = self.rows.get(next).or(self.rows.last()).map_or(start, |row| row.original);
        Span { start, end: end.max(start) }
    }

    /// Renders a draft over the bare text as output, with gutters put back before kept lines and the file wrapper around the whole.
    pub fn rewrap(&self, draft: &Draft) -> String {
        let (head, foot) = (self.head.of(&self.base), self.foot.of(&self.base));
        let mut out = String::with_capacity(head.len() + draft.len_bytes() + foot.len());
        out.push_str(head);
        for piece in &draft.pieces {
            match piece {
                Piece::Kept(span) => self.keep(*span, &mut out),
                Piece::Recoded { text, .. } | Piece::Marker { text, .. } => out.push_str(text),
                Piece::Glue(text) => out.push_str(text),
            }
        }
        if self.text.ends_with('\n') && !foot.is_empty() && !out.ends_with('\n') {
            out.push('\n');
        }
        out.push_str(foot);
        out
    }

    /// The draft over the original that reads as [`Presented::rewrap`] of this one does. `None` where a marker would stand for
    /// a part of a line whose other parts are told otherwise.
    pub fn over_original(&self, draft: Draft) -> Option<Draft> {
        let mut over = Draft {
            method: draft.method,
            noun: draft.noun,
            n_units: draft.n_units,
            notes: draft.notes,
            pieces: Vec::with_capacity(draft.pieces.len()),
        };
        if self.rows.is_empty() {
            let bare = Draft { pieces: draft.pieces, ..Draft::default() };
            over.keep(self.head);
            over.append(bare, self.shift);
            over.keep(self.foot);
            return Some(over);
        }
        let mut out = self.head.of(&self.base).to_owned();
        let first = self.rows.first().map_or(0, |row| row.original);
        over.pieces.push(Piece::Recoded { of: Span { start: 0, end: first }, text: out.clone() });
        let mut told = first;
        for piece in draft.pieces {
            let mut place = |span: Span| {
                let of = self.to_original(span);
                let of = Span { start: of.start.max(told), end: of.end.max(told) };
                told = of.end;
                of
            };
            match piece {
                Piece::Kept(span) => {
                    let at = out.len();
                    self.keep(span, &mut out);
                    let text = out.get(at..).unwrap_or_default().to_owned();
                    over.pieces.push(Piece::Recoded { of: place(span), text });
                }
                Piece::Recoded { of, text } => {
                    out.push_str(&text);
                    over.pieces.push(Piece::Recoded { of: place(of), text });
                }
                Piece::Marker { of, n_units, text } => {
                    out.push_str(&text);
                    let of = place(of);
                    if of.is_empty() {
                        return None;
                    }
                    over.pieces.push(Piece::Marker { of, n_units, text });
                }
                Piece::Glue(text) => {
                    out.push_str(text);
                    over.pieces.push(Piece::Glue(text));
                }
            }
        }
        let foot = self.foot.of(&self.base);
        if self.text.ends_with('\n') && !foot.is_empty() && !out.ends_with('\n') {
            over.pieces.push(Piece::Glue("\n"));
        }
        if !foot.is_empty() {
            let of = Span { start: told, end: told };
            over.pieces.push(Piece::Recoded { of, text: foot.to_owned() });
        }
        Some(over)
    }

    /// Writes a kept slice, each line of it behind its gutter.
    fn keep(&self, span: Span, out: &mut String) {
        if !self.has_gutter {
            out.push_str(span.of(&self.text));
            return;
        }
        let first = self.rows.partition_point(|row| row.bare <= span.start).saturating_sub(1);
        for (at, row) in self.rows.iter().enumerate().skip(first) {
            let end = self.rows.get(at + 1).map_or(row.bare, |next| next.bare).min(span.end);
            let start = row.bare.max(span.start);
            if start >= end {
                break;
            }
            // A slice from the middle of a line stands on a line of its own only where nothing is left out before it.
            let is_line_start =
                Span { start: row.bare, end: start }.of(&self.text).trim().is_empty();
            if is_line_start && (out.is_empty() || out.ends_with('\n')) {
                out.push_str(row.gutter.of(&self.base));
            }
            out.push_str(Span { start, end }.of(&self.text));
        }
    }

    /// The line of the bare text that holds the byte at `at`.
    fn row_of(&self, at: u32) -> Option<&Row> {
        let next = self.rows.partition_point(|row| row.bare <= at);
        self.rows.get(next.saturating_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::lines;

    /// Unwraps, then checks what holds of every payload: all kept gives the text back without ANSI and BOM, and every
    /// line maps to the original line that it was.
    fn check(original: &str, bare: &str) {
        let presented = unwrap(original);
        assert_eq!(presented.text, bare, "{original:?}");
        let mut all = Draft::new("elide", "lines", 1);
        all.keep(Span::new(0, bare.len()));
        let plain = ansi::strip(original);
        assert_eq!(
            presented.rewrap(&all),
            plain.strip_prefix('\u{feff}').unwrap_or(&plain),
            "{original:?}"
        );
        for span in lines(bare) {
            let line = presented.to_original(span).of(original);
            let plain = ansi::strip(line);
            assert!(!line.is_empty() && plain.ends_with(span.of(bare)), "{original:?}: {line:?}");
            assert!(line.matches('\n').count() <= 1, "{line:?}");
        }
        let whole = presented.to_original(Span::new(0, bare.len())).of(original);
        let last =
            lines(bare).last().map(|l| presented.to_original(*l).of(original)).unwrap_or_default();
        assert!(whole.ends_with(last));
    }

    #[test]
    fn what_is_wrapped_comes_off() {
        check("", "");
        check("plain\r\ntext", "plain\r\ntext");
        check("\u{feff}{\"a\":1}\n", "{\"a\":1}\n");
        check("\u{1b}[31ma\u{1b}[0m\nb\n", "a\nb\n");
        check("<file path=\"a.rs\">\nfn a() {}\n</file>\n", "fn a() {}\n");
        check("<file path=\"a.rs\">\n     1→fn a() {\n     2→}\n</file>", "fn a() {\n}\n");
        check("<file>\n00001| a\n00002| b\n\n(End of file - total 2 lines)\n</file>\n", "a\nb\n");
        check(
            "     1→a\r\n     2→\r\n     3→é\n\n<system-reminder>\nBe kind.\n</system-reminder>\n",
            "a\r\n\r\né\n",
        );
        check("text\n\n<system-reminder>x</system-reminder>", "text\n");
        check("\u{1b}[2m   7→\u{1b}[0m\u{1b}[32mé\u{1b}[0m\n\u{1b}[2m   8→\u{1b}[0mb", "é\nb");
        check("<file path=\"cut.py\">\nimport os\n", "import os\n");
    }

    #[test]
    fn what_is_the_payloads_own_stays() {
        for text in [
            "<document>\n<title>a</title>\n</document>\n",
            "<result/>\n",
            "<file path=\"a\">\na\n</file>\n<file path=\"b\">\nb\n</file>\n",
            "id,name\n1,a\n2,b\n",
            "<html>\n</html>\n",
            "<system-reminder>only</system-reminder>",
        ] {
            assert!(matches!(unwrap(text).text, Cow::Borrowed(t) if t == text), "{text:?}");
        }
    }

    #[test]
    fn kept_lines_get_their_gutter_back_and_markers_do_not() {
        let original = "<file path=\"a\">\n  8→one\n  9→two\n 10→three\n 11→four\n</file>\n";
        let presented = unwrap(original);
        assert_eq!(presented.text, "one\ntwo\nthree\nfour\n");
        let mut draft = Draft::new("elide", "lines", 4);
        draft.keep(Span::new(0, 4));
        draft.pieces.push(Piece::Marker {
            of: Span::new(4, 14),
            n_units: 2,
            text: "… 2 lines\n".to_string(),
        });
        draft.keep(Span::new(14, 19));
        assert_eq!(
            presented.rewrap(&draft),
            "<file path=\"a\">\n  8→one\n… 2 lines\n 11→four\n</file>\n"
        );
        assert_eq!(presented.to_original(Span::new(4, 14)).of(original), "  9→two\n 10→three\n");
    }

    #[test]
    fn hostile_input_takes_linear_time_and_no_panic() {
        let unit = 1 << 20;
        for text in [
            "\u{1b}".repeat(unit),
            "\u{1b}[".repeat(unit / 2),
            "\u{1b}]".repeat(unit / 2),
            "<file>\n".repeat(unit / 7),
            format!("<file path=\"a\">\n{}", "file".repeat(unit / 4)),
            "</system-reminder>".repeat(unit / 18),
            format!("1→{}", "→".repeat(unit / 3)),
            "1→\n".repeat(unit / 5),
            (1..unit / 8).map(|n| format!("{n}\té\n")).collect(),
        ] {
            let presented = unwrap(&text);
            let mut all = Draft::new("elide", "lines", 1);
            for span in lines(&presented.text) {
                all.keep(span);
            }
            presented.rewrap(&all);
            presented.to_original(Span::new(0, presented.text.len()));
        }
    }
}
