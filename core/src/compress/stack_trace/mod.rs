//! Stack traces of Java, Python, JavaScript, Go, Rust, C# and Ruby.
//!
//! ```text
//! java.lang.IllegalStateException: order 88121 captured     java.lang.IllegalStateException: order 88121 captured
//!     at com.acme.OrderService.place(OrderService.java:88)      at com.acme.OrderService.place(OrderService.java:88)
//!     at org.springframework.A.b(A.java:1)              ->      [caveman: 14 frames elided: org.springframework×12, java.base×2]
//!     … 13 more frames of the framework                     Caused by: java.net.ConnectException: refused
//! Caused by: java.net.ConnectException: refused
//! ```
//! Keeps: exception types, messages, causes, the application's own frames, the first frame of each part.
//! Declines: traces whose frames are all the application's.

use super::{Compressor, Proposals, Units};
use crate::draft::{Draft, Piece};
use crate::elide::{self, Focus, MARKER_OPEN, Sheet, Style, mask};
use crate::kind::Kind;
use crate::order;
use crate::prelude::*;
use crate::text::{Span, lines, offset, trim_eol};

/// The compressor of stack traces.
#[derive(Debug)]
pub(super) struct StackTrace;

/// Fewer framework frames in a row than this stay. Our choice.
const MIN_FOLD: usize = 3;

impl Compressor for StackTrace {
    fn kind(&self) -> Kind {
        Kind::StackTrace
    }

    fn compress(&self, text: &str, focus: &Focus) -> Proposals {
        super::log::compress_entries(text, focus)
    }

    fn units(&self, text: &str) -> Option<Units> {
        Units::flat("traces", super::log::entries(text))
    }
}

/// Whether a line continues the entry that `before` belongs to.
pub(super) fn is_continuation(line: &str, before: &str) -> bool {
    if line.starts_with([' ', '\t']) || line.is_empty() && before.starts_with([' ', '\t']) {
        return true;
    }
    let opens = [
        "Caused by:",
        "at ",
        "Traceback (most recent",
        "During handling of",
        "The above exception",
        "... ",
        "Suppressed:",
        "from ",
    ];
    if opens.iter().any(|open| line.starts_with(open)) {
        return true;
    }
    // The last line of a Python trace stands at the margin, below its indented frames.
    before.starts_with("  ") && !before.trim_start().starts_with("at ") && is_exception(line)
}

/// Whether a line states an exception: a dotted name that ends in `Error`, `Exception` and the like, alone or before a colon.
pub(super) fn is_exception(line: &str) -> bool {
    let line = line.trim_start();
    let line =
        line.strip_prefix("Caused by: ").or_else(|| line.strip_prefix("Uncaught ")).unwrap_or(line);
    let name = line.split([':', ' ']).next().unwrap_or_default();
    let is_name = name.len() > 4
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'$'));
    is_name
        && ["Error", "Exception", "Fault", "Interrupt", "Exit", "Warning"]
            .iter()
            .any(|end| name.ends_with(end))
}

/// Whether an entry holds an exception line or a frame after its first line.
pub(super) fn holds_exception(entry: &str) -> bool {
    entry.split('\n').skip(1).take(8).any(|line| {
        is_exception(line) || line.trim_start().starts_with("at ") || line.starts_with("Traceback")
    })
}

/// The shape of what continues an entry: its exceptions and its first frame, so that the depth of a trace does not matter.
pub(super) fn shape(continuation: &str) -> u64 {
    let mut shape = 0;
    let mut has_frame = false;
    for line in continuation.split('\n').map(str::trim).filter(|line| !line.is_empty()).take(64) {
        let is_frame = group_of(line).is_some();
        if !is_frame || !has_frame {
            shape = mask::mix(shape, mask::shape(line));
        }
        has_frame |= is_frame;
    }
    shape
}

/// Where a frame belongs: the application (an empty name) or a framework by name. `None` when the line is no frame.
fn group_of(line: &str) -> Option<&str> {
    let line = line.trim();
    if let Some(python) = line.strip_prefix("File \"") {
        let path = python.split('"').next()?;
        return Some(
            ["site-packages/", "dist-packages/"]
                .iter()
                .find_map(|mark| path.split(mark).nth(1))
                .map_or_else(
                    || {
                        if path.contains("/lib/python") || path.starts_with("<frozen") {
                            "python"
                        } else {
                            ""
                        }
                    },
                    |inside| inside.split('/').next().unwrap_or_default().trim_end_matches(".py"),
                ),
        );
    }
    if let Some((number, symbol)) = line.split_once(": ")
        && !number.is_empty()
        && number.len() <= 4
        && number.bytes().all(|b| b.is_ascii_digit())
    {
        // A numbered frame of a Rust backtrace; its place stands on the next line.
        let symbol = symbol.trim_start_matches('<');
        let is_runtime = [
            "std::",
            "core::",
            "alloc::",
            "__rustc::",
            "rust_begin_unwind",
            "rust_panic",
            "test::",
            "tokio::",
            "__libc",
            "_start",
            "start_thread",
            "clone",
        ];
        return is_runtime
            .iter()
            .find(|name| symbol.starts_with(**name))
            .map(|name| name.trim_end_matches(':'));
    }
    let call = line.strip_prefix("at ").or_else(|| line.strip_prefix("from "))?;
    if let Some(inside) = call.split("node_modules/").nth(1) {
        let mut parts = inside.split('/');
        let first = parts.next()?;
        let len = if first.starts_with('@') {
            first.len() + 1 + parts.next().unwrap_or_default().len()
        } else {
            first.len()
        };
        return inside.get(..len);
    }
    if let Some(inside) = call.split("/gems/").nth(1) {
        return inside.split('/').next();
    }
    if call.contains("node:") || call.contains("(internal/") {
        return Some("node");
    }
    if call.contains("/rustc/") || call.contains("/.cargo/registry/") {
        return Some("rust");
    }
    // Java module prefixes (`java.base/`) and class loaders (`app//`) stand before the name.
    let name = call
        .rsplit_once('/')
        .map_or(call, |(head, tail)| if head.contains(['(', ' ']) { call } else { tail });
    Some(
        FRAMEWORKS
            .iter()
            .find(|framework| name.starts_with(**framework))
            .map_or("", |framework| framework.trim_end_matches('.')),
    )
}

/// Packages of runtimes and frameworks, by the prefix of their frames.
const FRAMEWORKS: [&str; 44] = [
    "java.",
    "javax.",
    "jakarta.",
    "jdk.",
    "sun.",
    "com.sun.",
    "kotlin.",
    "kotlinx.",
    "scala.",
    "groovy.",
    "clojure.",
    "akka.",
    "reactor.",
    "io.netty.",
    "io.grpc.",
    "io.vertx.",
    "io.micrometer.",
    "io.undertow.",
    "org.springframework.",
    "org.apache.",
    "org.hibernate.",
    "org.eclipse.",
    "org.jboss.",
    "org.junit.",
    "org.gradle.",
    "org.slf4j.",
    "org.postgresql.",
    "com.mysql.",
    "com.zaxxer.",
    "com.google.",
    "com.fasterxml.",
    "com.intellij.",
    "ch.qos.",
    "feign.",
    "okhttp3.",
    "retrofit2.",
    "rx.",
    "System.",
    "Microsoft.",
    "Newtonsoft.",
    "core::",
    "std::",
    "tokio::",
    "alloc::",
];

/// The draft of a payload of whole lines, as [`elide::draft`] makes it, with the framework frames of what is kept folded.
pub(super) fn draft(sheet: &Sheet<'_>, focus: &Focus, style: &Style) -> Option<Draft> {
    elide::draft_with(sheet, focus, style, |kept, draft| fold(sheet.text, kept, focus, draft))
}

/// Adds an entry to the draft, runs of framework frames folded. The first frame of each part stays.
pub(super) fn fold(text: &str, span: Span, focus: &Focus, draft: &mut Draft) {
    let entry = span.of(text);
    if memchr::memchr_iter(b'\n', entry.as_bytes()).count() < MIN_FOLD + 2 {
        return draft.keep(span);
    }
    let items = items(entry);
    let mut at = 0;
    let mut is_first_frame = true;
    while let Some(item) = items.get(at) {
        let is_foldable = |item: &Item<'_>| {
            item.group.is_some_and(|group| !group.is_empty()) && !focus.is_in(item.span.of(entry))
        };
        let len = if is_first_frame {
            0
        } else {
            items.iter().skip(at).take_while(|item| is_foldable(item)).count()
        };
        let run = items.get(at..at + len).unwrap_or_default();
        match (run.first(), run.last()) {
            (Some(first), Some(last)) if len >= MIN_FOLD => {
                let of = first.span.join(last.span);
                let text = marker(entry, run);
                if text.len() * 2 <= of.len() {
                    draft.pieces.push(Piece::Marker {
                        of: Span { start: span.start + of.start, end: span.start + of.end },
                        n_units: 0,
                        text,
                    });
                } else {
                    draft.keep(Span { start: span.start + of.start, end: span.start + of.end });
                }
                at += len;
            }
            _ => {
                is_first_frame = item.group.is_none();
                draft.keep(Span {
                    start: span.start + item.span.start,
                    end: span.start + item.span.end,
                });
                at += 1;
            }
        }
    }
}

/// A frame with the lines that belong to it, or another line.
struct Item<'t> {
    span: Span,
    group: Option<&'t str>,
}

fn items(entry: &str) -> Vec<Item<'_>> {
    let mut out: Vec<Item<'_>> = Vec::new();
    let mut indent = usize::MAX;
    for line in lines(entry) {
        let content = trim_eol(line.of(entry));
        let depth = content.len() - content.trim_start().len();
        let group = group_of(content);
        match out.last_mut() {
            // The source line below a Python frame.
            Some(item)
                if depth > indent
                    && (group.is_none() || content.trim_start().starts_with("at ")) =>
            {
                item.span.end = line.end
            }
            _ => {
                indent = if group.is_some() && content.trim_start().starts_with("File ") {
                    depth
                } else {
                    usize::MAX
                };
                out.push(Item { span: line, group });
            }
        }
    }
    out
}

fn marker(entry: &str, run: &[Item<'_>]) -> String {
    let mut groups: Vec<(&str, usize)> = Vec::new();
    for group in run.iter().filter_map(|item| item.group) {
        match groups.iter_mut().find(|(name, _)| *name == group) {
            Some((_, n)) => *n += 1,
            None => groups.push((group, 1)),
        }
    }
    order::sort_by_key(&mut groups, |group| core::cmp::Reverse(group.1));
    let indent: String = run
        .first()
        .map(|item| item.span.of(entry).chars().take_while(|c| matches!(c, ' ' | '\t')).collect())
        .unwrap_or_default();
    let named = match groups.as_slice() {
        [(name, _)] => format!(": {name}"),
        few if few.len() <= 5 => format!(
            ": {}",
            few.iter().map(|(name, n)| format!("{name}×{n}")).collect::<Vec<_>>().join(", ")
        ),
        _ => String::new(),
    };
    format!("{indent}{MARKER_OPEN}{} frames elided{named}]\n", offset(run.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_told_from_other_lines_and_frameworks_from_the_application() {
        for (line, want) in [
            ("\tat com.acme.Order.place(Order.java:8)", Some("")),
            ("\tat java.base/java.lang.Thread.run(Thread.java:1)", Some("java")),
            ("  at org.springframework.web.A.b(A.java:1)", Some("org.springframework")),
            ("    at /srv/app/node_modules/@nestjs/core/router.js:1:2", Some("@nestjs/core")),
            ("    at run (/srv/app/src/main.js:1:2)", Some("")),
            ("    at node:internal/main:1:2", Some("node")),
            (
                "  File \"/usr/lib/python3.11/site-packages/django/core.py\", line 1, in x",
                Some("django"),
            ),
            ("  File \"/srv/app/main.py\", line 1, in x", Some("")),
            ("Caused by: java.io.IOException: x", None),
            ("", None),
        ] {
            assert_eq!(group_of(line), want, "{line}");
        }
        assert!(is_exception("ValueError: bad") && is_exception("Caused by: java.io.IOException"));
        assert!(!is_exception("INFO done") && !is_exception("the Error"));
    }
}
