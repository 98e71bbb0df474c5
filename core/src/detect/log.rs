//! Logs: records that begin with a time stamp or a severity, and the lines that continue them.

use super::sample::{Line, Sample};
use super::shape::{is_level, looks_like, n_digits, number, stamp, word};
use super::trace;
use super::{Scores, share};
use crate::kind::Kind;

pub(super) fn probe(sample: &Sample<'_>, scores: &mut Scores) {
    let (mut n_records, mut n_stamped, mut n_more) = (0, 0, 0);
    for line in sample.full() {
        match record(line) {
            Some(Head::Stamp) => {
                n_stamped += 1;
                n_records += 1;
            }
            Some(Head::Level) => n_records += 1,
            None if n_records > 0 && is_continuation(line) => n_more += 1,
            None => {}
        }
    }
    // Three records are a log; fewer only when there is nothing else.
    if n_records >= 3 || (n_records > 0 && n_records == sample.n_full) {
        let score = sample.share(n_records + n_more);
        // Severity words alone also open the lines of build tools and of prose.
        let score = if share(n_stamped, n_records) >= 500 { score } else { score * 19 / 20 };
        // A first record with pages of indented lines below it is something else.
        scores.claim(
            Kind::Log,
            if share(n_records, n_records + n_more) < 15 { score / 2 } else { score },
        );
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Head {
    Stamp,
    Level,
}

/// What makes a record of `line`: a stamp among its first words, or a severity among the first two.
fn record(line: &Line<'_>) -> Option<Head> {
    // The stamps of JSON lines are members of their objects.
    if line.indent() > 2 || line.body.starts_with("{\"") {
        return None;
    }
    let text = line.body;
    if is_kernel_stamp(text) {
        return Some(Head::Stamp);
    }
    let bytes = text.as_bytes();
    let (mut n_words, mut at) = (0, 0);
    while n_words < 8 && at < bytes.len().min(120) {
        let rest = text.get(at..).unwrap_or_default();
        if let Some(n) = stamp(rest)
            && is_stamp_end(rest.as_bytes().get(n))
            && (n_words == 0 || n > 16 || at < 2)
        {
            return Some(Head::Stamp);
        }
        if n_words < 2 && is_severity(rest) {
            return Some(Head::Level);
        }
        if n_words == 0 && is_epoch(rest) {
            return Some(Head::Stamp);
        }
        let Some(next) = bytes.get(at..).and_then(|r| {
            r.iter().position(|b| matches!(b, b' ' | b'[' | b'(' | b'"' | b'=' | b'|' | b'\t'))
        }) else {
            break;
        };
        at += next + 1;
        n_words += usize::from(next > 0);
    }
    None
}

/// A stamp that a delimiter follows is a cell of a table.
fn is_stamp_end(next: Option<&u8>) -> bool {
    !matches!(next, Some(b',' | b';' | b'a'..=b'z' | b'A'..=b'Y'))
}

/// `INFO `, `[info] `, `WARNING:`, `level=info`, `npm verb `; whatever comes next must not continue the word.
fn is_severity(rest: &str) -> bool {
    let (name, after) = word(rest.trim_start_matches(['[', '<', '(']));
    let next = after.as_bytes().first();
    if is_level(name) {
        return matches!(
            next,
            Some(b' ' | b':' | b']' | b'|' | b'>' | b')' | b'\t' | b'/' | b'-') | None
        );
    }
    match name {
        "level" | "lvl" | "severity" => after.starts_with('='),
        "trace" | "debug" | "info" | "notice" | "warn" | "warning" | "error" | "fatal" => {
            rest.starts_with('[') && next == Some(&b']')
        }
        "npm" => ["http", "verb", "info", "timing", "warn", "ERR", "error", "notice", "sill"]
            .iter()
            .any(|w| after.strip_prefix(' ').is_some_and(|r| r.starts_with(w))),
        _ => false,
    }
}

/// `[   12.345678] `
fn is_kernel_stamp(text: &str) -> bool {
    text.strip_prefix('[').is_some_and(|r| {
        let r = r.trim_start();
        let n = n_digits(r.as_bytes());
        (1..=9).contains(&n) && r.as_bytes().get(n..).is_some_and(|f| looks_like(f, b".999999]"))
    })
}

/// Ten digits that start with 1, alone, with a fraction, or thirteen of them: seconds or milliseconds since 1970.
fn is_epoch(rest: &str) -> bool {
    let bytes = rest.as_bytes();
    let n = n_digits(bytes);
    let next = bytes.get(n);
    bytes.first() == Some(&b'1')
        && ((n == 10 && matches!(next, Some(b'.' | b' '))) || (n == 13 && next == Some(&b' ')))
        && bytes.len() > n + 8
}

/// A line that belongs to the record above it: indented, a stack frame, or an exception's own line.
fn is_continuation(line: &Line<'_>) -> bool {
    line.indent() > 0
        || trace::is_frame(line)
        || trace::is_headline(line.body)
        || number(line.body).is_some_and(|(_, r)| r.starts_with(" more"))
}
