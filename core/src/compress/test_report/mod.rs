//! Test reports: pytest, unittest, cargo test, nextest, jest, vitest, mocha, go test, TAP, JUnit XML, gradle, dotnet, rspec.
//!
//! ```text
//! test parse::empty ... ok            test parse::empty ... ok
//! test parse::one ... ok              [caveman: 997 lines elided: 2-998; outcome: ok]
//! …                              ->   test parse::big ... FAILED
//! test parse::big ... FAILED          …
//! ```
//! Keeps: every line that is not a passing or skipped test, or the noise of a build: failures, messages, diffs, totals.
//! Declines: reports without enough passes to leave out.
//! Source: the runners' own output, one form each in [`lines`]; `go test -json` and JUnit in files of their own.

mod go_json;
mod junit;
pub(super) mod outcome;
mod rspec;

use super::{Compressor, Proposals, Units, stack_trace};
use crate::elide::{self, CellKind, Focus, Severity, Sheet, Style, mask};
use crate::kind::Kind;
use crate::text::{Span, lines, offset, trim_eol};
use outcome::Form;

/// A test that logs more lines is shown. Our choice.
const MAX_LOGGED: usize = 64;

/// The compressor of test reports.
#[derive(Debug)]
pub(super) struct TestReport;

impl Compressor for TestReport {
    fn kind(&self) -> Kind {
        Kind::TestReport
    }

    fn compress(&self, text: &str, focus: &Focus) -> Proposals {
        let elided = if junit::is_junit(text) {
            elide::draft(&junit::sheet(text), focus, &Style::XML)
        } else if go_json::is_events(text) {
            elide::draft(&go_json::sheet(text), focus, &Style::NDJSON)
        } else {
            stack_trace::draft(&sheet(text), focus, &Style::PLAIN)
        };
        Proposals { lossless: None, elided }
    }

    /// The cases of JUnit XML; other reports are cut by the general rules of retrieval: a line with the detail below it.
    fn units(&self, text: &str) -> Option<Units> {
        junit::is_junit(text).then(|| Units::flat("cases", junit::cases(text)))?
    }
}

/// The sheet of a report: lines that may go share a shape for each form, every other line has a shape of its own.
struct Report<'t> {
    sheet: Sheet<'t>,
    outcome: u32,
    time: u32,
    /// Whether the unit that was added last may go.
    has_open_pass: bool,
}

impl<'t> Report<'t> {
    fn new(text: &'t str, noun: &'static str) -> Report<'t> {
        let mut sheet = Sheet::new(text, noun);
        let outcome = sheet.add_column("outcome");
        sheet.always_tell(outcome);
        let time = sheet.add_column("time");
        Report { sheet, outcome, time, has_open_pass: false }
    }

    /// A unit that stays.
    fn keep(&mut self, span: Span) {
        self.sheet.add_unit(span, mask::mix(1, u64::from(span.start)), Severity::Error);
        self.has_open_pass = false;
    }

    /// A unit that may go. `outcome`: where the line says how it went; `form`: what it is alike with.
    fn may_go(&mut self, span: Span, form: u64, outcome: Span) {
        self.sheet.add_unit(span, mask::mix(2, form), Severity::None);
        self.sheet.add_cell(self.outcome, CellKind::Text, outcome);
        self.has_open_pass = true;
    }

    fn took(&mut self, time: Span) {
        self.sheet.add_cell(self.time, CellKind::Number, time);
    }
}

fn sheet(text: &str) -> Sheet<'_> {
    let mut report = Report::new(text, "results");
    let all = lines(text);
    let mut examples = rspec::passes(text, &all).into_iter().peekable();
    let mut lines = all.iter().copied().peekable();
    while let Some(mut line) = lines.next() {
        let start = line.start;
        let begun = trim_eol(line.of(text)).trim_end();
        if examples.next_if_eq(&start).is_some() {
            report.sheet.add_unit(line, mask::mix(2, Form::Documented as u64), Severity::None);
            report.has_open_pass = true;
            continue;
        }
        if begun.is_empty() && report.has_open_pass {
            // Runners that leave a line free after each test.
            report.sheet.extend_last(line.end);
            continue;
        }
        // One test on two lines: a name that the next line says again with its outcome, where output came between; TAP's
        // announcement of a subtest.
        let announces = |next: &str| {
            begun.contains("::") && next.starts_with(begun)
                || begun.trim_start().starts_with("# Subtest: ")
        };
        if let Some(next) = lines.next_if(|next| {
            announces(next.of(text)) && outcome::of(trim_eol(next.of(text))).is_some()
        }) {
            line = next;
        }
        let content = trim_eol(line.of(text));
        let Some(mut found) = outcome::of(content) else {
            report.keep(line);
            continue;
        };
        let mut end = line.end;
        if found.form == Form::GoStep
            && let Some(next) = lines.peek()
            && outcome::of(trim_eol(next.of(text))).is_none()
            && !next.of(text).trim().is_empty()
        {
            // What a test writes stands below its name: both go when it passed and only logged, else both stay.
            let rest = lines.clone();
            let Some(n_lines) = logged_by_a_pass(text, begun, rest) else {
                report.keep(line);
                continue;
            };
            for next in lines.by_ref().take(n_lines) {
                (line, end) = (next, next.end);
            }
            found = outcome::of(trim_eol(line.of(text))).unwrap_or(found);
        }
        if found.form == Form::Tap {
            // A test point's YAML block belongs to it.
            let depth = indent(content);
            let is_block = |next: &Span| indent(trim_eol(next.of(text))) > depth;
            if lines.peek().is_some_and(|next| is_block(next) && next.of(text).trim() == "---") {
                while let Some(next) = lines.next_if(is_block) {
                    end = next.end;
                    if next.of(text).trim() == "..." {
                        break;
                    }
                }
            }
        }
        let at = |(from, to): (usize, usize)| Span {
            start: line.start + offset(from),
            end: line.start + offset(to),
        };
        report.may_go(Span { start, end }, found.form as u64, at(found.outcome));
        if let Some(time) = found.time {
            report.took(at(time));
        }
    }
    report.sheet
}

/// How many lines a test logged, its result included, when it passed: `    a_test.go:12: text`, then `--- PASS: TestA`.
fn logged_by_a_pass(text: &str, step: &str, rest: impl Iterator<Item = Span>) -> Option<usize> {
    let name = step.rsplit([' ', '\t']).next()?;
    let mut n_lines = 0;
    for line in rest.take(MAX_LOGGED) {
        let content = trim_eol(line.of(text));
        n_lines += 1;
        if let Some(result) = content.trim_start().strip_prefix("--- PASS: ") {
            return (result.split(' ').next() == Some(name)).then_some(n_lines);
        }
        let is_first = n_lines == 1;
        if indent(content) < 4 || is_first && !content.contains(".go:") {
            return None;
        }
    }
    None
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}
