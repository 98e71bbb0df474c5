//! Stack traces of Java, Python, JavaScript, Go, Rust, C#, Ruby, PHP and native debuggers.

use super::Scores;
use super::sample::{Line, Sample};
use super::shape::{begins, holds, n_digits, number};
use crate::kind::Kind;

pub(super) fn probe(sample: &Sample<'_>, scores: &mut Scores) {
    let (mut n_frames, mut n_heads, mut n_other, mut after_frame) = (0, 0, 0, false);
    for line in sample.full() {
        if is_frame(line) {
            n_frames += 1;
            after_frame = true;
        } else if is_headline(line.body) {
            n_heads += 1;
            after_frame = false;
        } else if is_trimming(line, after_frame) {
            n_other += 1;
        } else {
            after_frame = false;
        }
    }
    if n_frames >= 2 || (n_frames == 1 && n_heads >= 1) {
        scores.claim(Kind::StackTrace, sample.share(n_frames + n_heads + n_other));
    }
}

/// Whether `line` names one frame of a stack.
pub(super) fn is_frame(line: &Line<'_>) -> bool {
    let body = line.body;
    let is_indented = line.indent() > 0;
    match body.as_bytes().first() {
        Some(b'a') => body.strip_prefix("at ").is_some_and(|r| {
            holds(r, "(")
                || r.ends_with(|c: char| c.is_ascii_digit())
                || r.ends_with(".<anonymous>")
        }),
        Some(b'F') => body.starts_with("File \"") && holds(body, "\", line "),
        Some(b'f') => body.starts_with("from ") && holds(body, ":in "),
        Some(b'#') => body.get(1..).and_then(number).is_some_and(|(_, r)| {
            let r = r.trim_start();
            r.starts_with("0x")
                || r.starts_with('/')
                || r.starts_with('{')
                || holds(r, " (")
                || holds(r, "): ")
                || holds(r, " at ")
        }),
        // Rust: `  12: core::panicking::panic`, then `at /path.rs:1:2`.
        Some(b'0'..=b'9') if is_indented => number(body).is_some_and(|(_, r)| {
            r.starts_with(": ")
                && (holds(r, "::") || holds(r, "0x") || r.trim_start().starts_with(": _"))
        }),
        // Go: `\t/path/file.go:12 +0x1d`, the function above it.
        Some(b'/') if is_indented => holds(body, ".go:") || holds(body, ".s:"),
        Some(b'(') if is_indented => {
            holds(body, ".ex:") || holds(body, ".erl:") || holds(body, ".exs:")
        }
        _ if body.ends_with(')') && !is_indented => {
            holds(body, "(0x")
                || holds(body, "(...)")
                || holds(body, "({0x")
                || (body.ends_with("()") && holds(body, ".") && !holds(body, " "))
        }
        _ => holds(body, ".rb:") && holds(body, ":in "),
    }
}

/// Whether `body` opens a trace or names its exception.
pub(super) fn is_headline(body: &str) -> bool {
    const STARTS: &[&str] = &[
        "Traceback (most recent call last)",
        "Exception in thread ",
        "Caused by: ",
        "Suppressed: ",
        "Unhandled exception",
        "Uncaught ",
        "panic: ",
        "fatal error: ",
        "goroutine ",
        "created by ",
        "stack backtrace:",
        "Backtrace:",
        "Stack trace:",
        "PHP Fatal error:",
        "During handling of the above exception",
        "The above exception was the direct cause",
        "--- End of ",
        "[signal SIG",
        "exit status ",
        "note: run with `RUST_BACKTRACE",
        "note: Some details are omitted",
        "Node.js v",
        "Program received signal",
    ];
    if begins(body, STARTS) || (body.starts_with("thread '") && holds(body, "panicked at")) {
        return true;
    }
    // `java.lang.IllegalStateException: text`, `ValueError`, `TypeError [ERR_X]: text`
    let name = body.split([':', ' ']).next().unwrap_or_default();
    let is_name =
        name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'$'));
    is_name
        && name.len() > 5
        && (name.ends_with("Error")
            || name.ends_with("Exception")
            || name.ends_with("Throwable")
            || name.ends_with("Interrupt")
            || name.ends_with("Exit"))
        && body
            .get(name.len()..)
            .is_some_and(|r| r.is_empty() || r.starts_with(':') || r.starts_with(" ["))
}

/// What stands between frames: the source line below a Python frame, `... 12 more`, carets.
fn is_trimming(line: &Line<'_>, after_frame: bool) -> bool {
    let body = line.body;
    (after_frame && (line.indent() >= 2 || body == "}"))
        || (body.starts_with("... ") && n_digits(body.as_bytes().get(4..).unwrap_or_default()) > 0)
        || body.bytes().all(|b| matches!(b, b'^' | b'~' | b' '))
        || body.starts_with("[Previous line repeated")
}
