//! Line numbers before each line, as editors, `cat -n` and hosts print them.
//!
//! A gutter is a run of lines that begin with a number, each one higher than that of the line before, followed by the
//! same separator: `→`, a tab, `|`, `│` or `:`. The first number may be any. The rule, from sure to doubtful:
//! - An **arrow** is nothing but a gutter; one line is enough.
//! - A **padded** number (right-aligned with spaces, or with zeros, all to one width) before a tab, `|` or `│` is a gutter
//!   from two lines on: the columns of a data file are not padded, and counted hits are not consecutive.
//! - An **unpadded** number before these, and any number before `:`, is a gutter from three lines on when a line that is
//!   blank or indented behind the separator proves it: columns of data and frames of a stack have none. Unpadded numbers
//!   must stand on all lines without exception.
//! - Lines that all go on with the same number of further separators are records, not numbered lines.
//!
//! One line in twenty may be without a number (`… 40 lines omitted …`), and only there may the numbers jump. Up to three
//! lines before the gutter, if they are an introduction (`… cat -n on src/a.rs:`) or a tag, and the lines behind its end
//! (up to sixteen: a truncation notice, a reminder) belong to the presentation.

use core::ops::Range;

/// A gutter that was found.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Gutter {
    /// The lines that have it, from the first to the last, as a byte range.
    pub(super) lines: Range<usize>,
    pub(super) form: Form,
}

/// How the numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Form {
    separator: &'static str,
}

/// The number that a line begins with.
struct Number {
    value: u32,
    /// Spaces and digits.
    n_field: usize,
    /// Field and separator.
    n_gutter: usize,
    is_padded: bool,
}

/// What may stand between number and line; a space behind `|`, `│` and `:` belongs to it.
const SEPARATORS: &[&str] = &["→", "\t", " | ", "| ", "|", " │ ", "│ ", "│", ": ", ":"];

/// Lines of introduction, and of remarks behind the last number.
const MAX_LEAD: usize = 3;
const MAX_TAIL: usize = 16;

/// The gutter of `text`, if it has one.
pub(super) fn find(text: &str) -> Option<Gutter> {
    let mut from = 0;
    let mut candidate = None;
    for line in text.split_inclusive('\n').take(MAX_LEAD + 1) {
        candidate = Form::of(line);
        if candidate.is_some() {
            break;
        }
        let body = line.trim_ascii();
        if !(body.is_empty()
            || body.ends_with(':')
            || (body.starts_with('<') && body.ends_with('>')))
        {
            return None;
        }
        from += line.len();
    }
    let form = candidate?;
    form.check(text.get(from..)?).map(|n| Gutter { lines: from..from + n, form })
}

impl Form {
    /// The form of a line that begins with a number.
    fn of(line: &str) -> Option<Form> {
        SEPARATORS
            .iter()
            .map(|separator| Form { separator })
            .find(|form| form.number(line).is_some())
    }

    /// Length of the gutter that `line` has in this form; 0 when it has none.
    pub(super) fn len(&self, line: &str) -> usize {
        self.number(line).map_or(0, |number| number.n_gutter)
    }

    fn number(&self, line: &str) -> Option<Number> {
        let n_spaces = line.bytes().take_while(|b| *b == b' ').count();
        let rest = line.get(n_spaces..)?;
        let n_digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if !(1..=9).contains(&n_digits) || n_spaces > 12 {
            return None;
        }
        let (digits, after) = rest.split_at_checked(n_digits)?;
        let n_separator = if after.starts_with(self.separator) {
            self.separator.len()
        } else {
            // On an empty line the separator's space may have been trimmed.
            let bare = self.separator.trim_end_matches(' ');
            (after.trim_end_matches(['\n', '\r']) == bare).then_some(bare.len())?
        };
        let n_field = n_spaces + n_digits;
        let is_padded = n_spaces > 0 || (digits.starts_with('0') && n_digits > 1);
        Some(Number {
            value: digits.parse().ok()?,
            n_field,
            n_gutter: n_field + n_separator,
            is_padded,
        })
    }

    /// How many bytes of `text` the gutter covers, if the lines of `text` follow the rule.
    fn check(&self, text: &str) -> Option<usize> {
        let mut lines = Lines::default();
        let mut n_bytes = 0;
        for line in text.split_inclusive('\n') {
            n_bytes += line.len();
            match self.number(line) {
                Some(number) => lines.take(self, &number, line, n_bytes)?,
                // `nl` leaves blank lines without number.
                None => lines.n_since += usize::from(!line.trim_ascii().is_empty()),
            }
            if lines.n_since > MAX_TAIL {
                return None;
            }
        }
        lines.prove(self).then_some(lines.end)
    }
}

/// What the numbered lines have shown so far.
#[derive(Default)]
struct Lines {
    n_numbered: usize,
    n_padded: usize,
    /// Lines without number between numbered ones.
    n_other: usize,
    /// Lines without number since the last numbered one.
    n_since: usize,
    expected: Option<u32>,
    /// Width of the padded numbers.
    width: Option<usize>,
    /// Whether a line was blank or indented behind its gutter.
    has_proof: bool,
    /// How many more separators each line had, as long as all had equally many.
    n_more: Option<usize>,
    is_uneven: bool,
    /// Where the last numbered line ends.
    end: usize,
}

impl Lines {
    /// Takes one numbered line; `None` when it breaks the rule.
    fn take(&mut self, form: &Form, number: &Number, line: &str, end: usize) -> Option<()> {
        let expected = self.expected.unwrap_or(number.value);
        let is_after_gap = self.n_since > 0;
        if number.value != expected && !(is_after_gap && number.value > expected) {
            // Behind the end any number may stand in a remark.
            self.n_since += 1;
            return is_after_gap.then_some(());
        }
        if number.is_padded {
            // One width for all but the first, from which a host may have trimmed the spaces, and for numbers that outgrow it.
            let is_outgrown = line.starts_with(|c: char| c.is_ascii_digit());
            if *self.width.get_or_insert(number.n_field) != number.n_field && !is_outgrown {
                return None;
            }
            self.n_padded += 1;
        }
        let content = line.get(number.n_gutter..).unwrap_or_default();
        self.has_proof |= content.trim_ascii().is_empty() || content.starts_with([' ', '\t']);
        let sign = form.separator.trim_matches(' ');
        let n_more = if self.is_uneven { 0 } else { content.matches(sign).count() };
        self.is_uneven |= *self.n_more.get_or_insert(n_more) != n_more;
        self.n_other += core::mem::take(&mut self.n_since);
        self.n_numbered += 1;
        self.expected = Some(number.value.saturating_add(1));
        self.end = end;
        Some(())
    }

    fn prove(&self, form: &Form) -> bool {
        let is_nearly_all = self.n_other * 20 <= self.n_numbered;
        if form.separator == "→" {
            return is_nearly_all && self.n_numbered >= 1;
        }
        let is_record = !self.is_uneven && self.n_more.is_some_and(|n| n > 0);
        let is_padded = self.n_padded > 0 && self.n_padded + 1 >= self.n_numbered.min(9);
        let is_sure = if is_padded && !form.separator.starts_with(':') {
            self.n_numbered >= 2
        } else {
            self.n_numbered >= 3
                && self.has_proof
                && (is_padded || self.n_other + self.n_since == 0)
        };
        is_nearly_all && is_sure && !is_record
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    #[test]
    fn gutters_and_what_only_looks_like_one() {
        let check = |text: &str, want: Option<&str>| {
            let found = find(text).map(|g| {
                let lines = text.get(g.lines).unwrap();
                lines
                    .split_inclusive('\n')
                    .map(|l| l.get(g.form.len(l)..).unwrap())
                    .collect::<String>()
            });
            assert_eq!(found.as_deref(), want, "{text:?}");
        };
        // Gutters.
        check("     1→fn a() {\n     2→}\n", Some("fn a() {\n}\n"));
        check("   347→    x();\n   348→}\n", Some("    x();\n}\n"));
        check("347→    x();\n   348→}\n", Some("    x();\n}\n"));
        check("  9→a\n 10→b\n\n(Output truncated at 10 lines)\n", Some("a\nb\n"));
        check("00001| # Title\n00002| \n00003| text\n", Some("# Title\n\ntext\n"));
        check("00001| # Title\n00002|\n00003| text", Some("# Title\n\ntext"));
        check("     1\ta\n     2\t\tb\n", Some("a\n\tb\n"));
        check("     1\ta\n       \n     2\tb\n", Some("a\n       \nb\n"));
        check("1\tdef f():\n2\t    return\n3\t\n4\tf()\n", Some("def f():\n    return\n\nf()\n"));
        check("  8: if x {\n  9:     y\n 10: }\n", Some("if x {\n    y\n}\n"));
        check("8:if x {\n9:    y\n10:}\n", Some("if x {\n    y\n}\n"));
        check("   1 │ a\n   2 │ b\n", Some("a\nb\n"));
        check(
            "Here's the result of running `cat -n` on a.rs:\n     1\ta\n     2\tb\n",
            Some("a\nb\n"),
        );
        // Columns of data, hits, lists, logs.
        check("1,Ann,3\n2,Bob,4\n3,Cyd,5\n", None);
        check("1\tAnn\t3\n2\tBob\t4\n3\tCyd\t5\n", None);
        check("1\tAnn\n2\tBob\n3\tCyd\n", None);
        check("0001|Ann|3\n0002|Bob|4\n0003|Cyd|5\n", None);
        check("12:use a;\n15:    use b;\n16:use c;\n", None);
        check("1. one\n2. two\n3. three\n", None);
        check("1: one\n2: two\n3: three\n", None);
        check("   0: std::rt\n   1: main::f\n   2: main\n", None);
        check("10:00:01 a\n11:00:02 b\n12:00:03  c\n", None);
        check("    12\tAnn\n     9\tBob\n", None);
        check("10 | let x;\n   | ^ here\n11 | let y;\n", None);
        check("", None);
        check("7", None);
        check("3→a\n2→b\n", None);
    }
}
