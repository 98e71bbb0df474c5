//! `go test -json`: one event a line.

use super::Report;
use crate::elide::Sheet;
use crate::elide::mask::{self, HashedMap};
use crate::json::{self, Value};
use crate::text::{Span, lines, trim_eol};

/// Whether the text is a stream of test events.
pub(super) fn is_events(text: &str) -> bool {
    let head = text.lines().next().unwrap_or_default();
    head.starts_with('{') && head.contains("\"Action\":")
}

/// Events of tests that failed stay, and so do those of packages; the other events may go.
pub(super) fn sheet(text: &str) -> Sheet<'_> {
    let lines = lines(text);
    let mut failed: HashedMap<()> = HashedMap::default();
    for line in &lines {
        event(text, *line, |event| {
            if event.get("Action").is_some_and(|action| action.is_str("fail"))
                && let Some(test) = test_of(event)
            {
                failed.insert(test, ());
            }
        });
    }
    let mut report = Report::new(text, "lines");
    for line in lines {
        let mut went = None;
        event(text, line, |event| {
            let (Some(test), Some(action)) = (test_of(event), event.get("Action")) else { return };
            if !failed.contains_key(&test) {
                went = Some(Span { start: action.span().start + 1, end: action.span().end - 1 });
            }
        });
        match went {
            Some(action) => report.may_go(line, mask::hash(action.of(text)), action),
            None => report.keep(line),
        }
    }
    report.sheet
}

fn event(text: &str, line: Span, each: impl FnOnce(Value<'_>)) {
    let end = line.start as usize + trim_eol(line.of(text)).len();
    if let Ok((tape, _)) =
        json::read_prefix(text.get(..end).unwrap_or_default(), line.start as usize)
    {
        each(tape.root());
    }
}

/// A test by package and name; `None` for an event of a package.
fn test_of(event: Value<'_>) -> Option<u64> {
    let package = event.get("Package").map_or(0, |p| mask::hash(p.text()));
    event.get("Test").map(|test| mask::mix(package, mask::hash(test.text())))
}
