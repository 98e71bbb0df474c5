//! JUnit XML: one `<testcase>` a unit.

use super::Report;
use crate::elide::Sheet;
use crate::prelude::*;
use crate::text::{Span, offset};
use memchr::memmem;

/// Whether the text is a JUnit report.
pub(super) fn is_junit(text: &str) -> bool {
    let head = text.get(..text.floor_char_boundary(4096)).unwrap_or_default();
    head.trim_start().starts_with('<') && head.contains("<testsuite")
}

/// The test cases, each with the white space up to the end of its last line.
pub(super) fn cases(text: &str) -> Vec<Span> {
    let mut out = Vec::new();
    let mut at = 0;
    let rest = |from: usize| text.get(from..).unwrap_or_default();
    let opens = memmem::Finder::new("<testcase");
    while let Some(found) = opens.find(rest(at).as_bytes()) {
        let start = at + found;
        let Some(tag_len) = tag_end(rest(start)) else { break };
        let tag_end = start + tag_len;
        let end = if rest(start).get(..tag_len).is_some_and(|tag| tag.ends_with("/>")) {
            Some(tag_end)
        } else {
            memmem::find(rest(tag_end).as_bytes(), b"</testcase>")
                .map(|close| tag_end + close + "</testcase>".len())
        };
        let Some(end) = end else { break };
        // Whole lines where the case stands on lines of its own.
        let blank = |b: u8| matches!(b, b' ' | b'\t');
        let lead =
            text.get(..start).unwrap_or_default().bytes().rev().take_while(|b| blank(*b)).count();
        let trail = rest(end).bytes().take_while(|b| blank(*b) || *b == b'\r').count();
        let is_own = rest(end + trail).starts_with('\n')
            && (start == lead || text.get(..start - lead).is_some_and(|t| t.ends_with('\n')));
        out.push(if is_own {
            Span::new(start - lead, end + trail + 1)
        } else {
            Span::new(start, end)
        });
        at = end;
    }
    out
}

/// Length of the tag that `text` begins with, quotes respected.
fn tag_end(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, b) in text.bytes().enumerate() {
        match (quote, b) {
            (None, b'"' | b'\'') => quote = Some(b),
            (Some(open), b) if b == open => quote = None,
            (None, b'>') => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// Cases with a failure or an error stay; passed and skipped ones may go.
pub(super) fn sheet(text: &str) -> Sheet<'_> {
    let mut report = Report::new(text, "cases");
    for case in cases(text) {
        let body = case.of(text);
        if body.contains("<failure")
            || body.contains("<error")
            || body.contains("<rerunFailure")
            || body.contains("<flakyFailure")
        {
            report.keep(case);
            continue;
        }
        let word = if body.contains("<skipped") { "skipped" } else { "testcase" };
        let start = case.start + offset(body.find(word).unwrap_or(0));
        report.may_go(case, word.len() as u64, Span { start, end: start + offset(word.len()) });
        if let Some(at) = body.find(" time=\"") {
            let from = case.start + offset(at + 7);
            let len = body.get(at + 7..).and_then(|rest| rest.find('"')).unwrap_or(0);
            let time = Span { start: from, end: from + offset(len) };
            if crate::elide::is_number(time.of(text)) {
                report.took(time);
            }
        }
    }
    report.sheet
}
