//! Bodies by indentation: Python by its rule; Ruby, Lua and shell where the layout leaves no doubt.

use crate::prelude::*;
use crate::text::{Span, lines, trim_eol};
use core::ops::Range;

/// One line of a source.
struct Line<'t> {
    span: Span,
    text: &'t str,
    indent: usize,
    /// Whether it continues a string or bracket of the line before.
    is_inside: bool,
}

impl Line<'_> {
    fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }
}

fn read<'t>(text: &'t str, spans: &[Span]) -> Vec<Line<'t>> {
    spans
        .iter()
        .map(|span| {
            let line = trim_eol(span.of(text));
            Line {
                span: *span,
                text: line,
                indent: line.len() - line.trim_start().len(),
                is_inside: false,
            }
        })
        .collect()
}

/// The lines of function bodies in Python, docstrings left out, as ranges of line indices.
pub(super) fn python(text: &str) -> Option<Vec<Range<usize>>> {
    let spans = lines(text);
    let mut all = read(text, &spans);
    mark_continuations(text, &mut all)?;
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(line) = all.get(at) {
        let head = line.text.trim_start();
        let is_def =
            !line.is_inside && (head.starts_with("def ") || head.starts_with("async def "));
        if !is_def {
            at += 1;
            continue;
        }
        let indent = line.indent;
        let body = logical_end(&all, at);
        let mut end = body;
        let mut last = body;
        while let Some(next) = all.get(end) {
            let belongs = next.is_inside
                || next.is_blank()
                || next.indent > indent
                || next.text.trim_start().starts_with('#') && comment_belongs(&all, end, indent);
            if !belongs {
                break;
            }
            end += 1;
            if !next.is_blank() {
                last = end;
            }
        }
        let start = docstring_end(&all, body, last);
        out.push(start..last);
        at = last.max(at + 1);
    }
    Some(out)
}

/// A comment at or left of the function's indent belongs to it when code of the function follows.
fn comment_belongs(all: &[Line<'_>], at: usize, indent: usize) -> bool {
    all.iter()
        .skip(at)
        .take(64)
        .find(|l| !l.is_blank() && !l.text.trim_start().starts_with('#'))
        .is_some_and(|l| l.indent > indent)
}

/// The line after the logical line that begins at `at`.
fn logical_end(all: &[Line<'_>], at: usize) -> usize {
    at + 1 + all.iter().skip(at + 1).take_while(|line| line.is_inside).count()
}

/// The line after the docstring of a body, or the body's first line.
fn docstring_end(all: &[Line<'_>], body: usize, last: usize) -> usize {
    let Some(first) = (body..last).find(|at| all.get(*at).is_some_and(|line| !line.is_blank()))
    else {
        return body;
    };
    let begins = all.get(first).map(|line| line.text.trim_start()).unwrap_or_default();
    let begins = begins.trim_start_matches(['r', 'R', 'u', 'b', 'f']);
    if begins.starts_with('"') || begins.starts_with('\'') {
        logical_end(all, first).min(last)
    } else {
        body
    }
}

/// Marks the lines that continue a string, a bracket or a backslash. `None` when something stays open.
fn mark_continuations(text: &str, all: &mut [Line<'_>]) -> Option<()> {
    let bytes = text.as_bytes();
    let (mut depth, mut at, mut line) = (0_usize, 0, 0);
    let mut opens = Vec::new();
    let mut is_joined = false;
    while at < bytes.len() {
        match bytes.get(at)? {
            b'#' => {
                at += memchr::memchr(b'\n', bytes.get(at..)?).unwrap_or(bytes.len() - at);
                continue;
            }
            quote @ (b'"' | b'\'') => {
                let triple = [*quote; 3];
                let is_triple = bytes.get(at..)?.starts_with(&triple);
                let mut i = at + if is_triple { 3 } else { 1 };
                loop {
                    match bytes.get(i)? {
                        b'\\' => {
                            if bytes.get(i + 1) == Some(&b'\n') {
                                line += 1;
                                opens.push(line);
                            }
                            i += 2;
                        }
                        b'\n' if !is_triple => return None,
                        b'\n' => {
                            line += 1;
                            opens.push(line);
                            i += 1;
                        }
                        b if b == quote && (!is_triple || bytes.get(i..)?.starts_with(&triple)) => {
                            i += if is_triple { 3 } else { 1 };
                            break;
                        }
                        _ => i += 1,
                    }
                }
                at = i;
                continue;
            }
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
            b'\n' => {
                line += 1;
                if depth > 0 || is_joined {
                    opens.push(line);
                }
            }
            _ => {}
        }
        is_joined = bytes.get(at) == Some(&b'\\');
        at += 1;
    }
    for line in opens {
        if let Some(line) = all.get_mut(line) {
            line.is_inside = true;
        }
    }
    (depth == 0).then_some(())
}

/// How a function opens and closes in a language that is read by its layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// `def x` … `end`
    Ruby,
    /// `function x()` … `end`
    Lua,
    /// `x() {` … `}`
    Shell,
}

impl Layout {
    fn opens(self, line: &str) -> bool {
        let head = line.trim();
        match self {
            Layout::Ruby => {
                head.starts_with("def ") && !head.ends_with("end") && !head.contains(" = ")
            }
            Layout::Lua => {
                (head.starts_with("function ")
                    || head.starts_with("local function ")
                    || head.contains("= function("))
                    && !head.ends_with("end")
            }
            Layout::Shell => {
                head.ends_with('{') && (head.contains("()") || head.starts_with("function "))
            }
        }
    }

    fn closes(self, line: &str) -> bool {
        let word = line.trim();
        match self {
            Layout::Ruby => word == "end",
            Layout::Lua => matches!(word, "end" | "end," | "end;" | "end)"),
            Layout::Shell => word == "}",
        }
    }
}

/// The lines of bodies whose every line stands deeper than the line that opens and the line that closes them.
pub(super) fn by_layout(text: &str, layout: Layout) -> Vec<Range<usize>> {
    let spans = lines(text);
    let all = read(text, &spans);
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(line) = all.get(at) {
        at += 1;
        if !layout.opens(line.text) {
            continue;
        }
        let deeper = all
            .iter()
            .skip(at)
            .take_while(|next| next.is_blank() || next.indent > line.indent)
            .count();
        let closes = all
            .get(at + deeper)
            .is_some_and(|next| next.indent == line.indent && layout.closes(next.text));
        if closes {
            out.push(at..at + deeper);
            at += deeper;
        }
    }
    debug_assert!(
        all.iter().all(|line| line.span.end as usize <= text.len()),
        "lines lie in the text"
    );
    out
}
