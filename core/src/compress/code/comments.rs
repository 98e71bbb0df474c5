//! Long comments: the first sentences stay, what follows them goes.

use super::cut::{Source, What};
use crate::prelude::*;
use core::ops::Range;

/// A comment that has its lines for itself.
#[derive(Clone, Debug)]
pub(super) struct Remark {
    pub(super) lines: Range<usize>,
    pub(super) style: Style,
}

/// How a comment is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Each line begins with the sign of a comment.
    Lines,
    /// From an opening to a closing sign.
    Block,
    /// A text that stands as documentation.
    Docstring,
}

/// Of the first paragraph so many lines stay at most. Our choice: the summary of an item.
const SUMMARY_LINES: usize = 3;

/// Notes what may go of comments.
pub(super) fn cut(source: &mut Source<'_>, remarks: &[Remark]) {
    for remark in remarks {
        for part in parts(source, remark) {
            let is_closed = remark.style != Style::Lines && part.end == remark.lines.end;
            let end = part.end - usize::from(is_closed);
            let start = part.start + summary(source, &(part.start..end), remark.style);
            let what = if remark.style == Style::Docstring { What::Text } else { What::Comment };
            if start < end {
                source.cut(start..end, what);
            }
        }
    }
}

/// A comment without the lines that tell tools something: these stay.
fn parts(source: &Source<'_>, remark: &Remark) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut start = remark.lines.start;
    if remark.style == Style::Lines {
        for at in remark.lines.clone() {
            if is_directive(said(source.line(at))) {
                out.push(start..at);
                start = at + 1;
            }
        }
    }
    out.push(start..remark.lines.end);
    out.retain(|part| !part.is_empty());
    out
}

/// How many lines of a comment are its summary.
fn summary(source: &Source<'_>, lines: &Range<usize>, style: Style) -> usize {
    let most = if source.pressure > 0 || is_licence(source, lines) { 1 } else { SUMMARY_LINES };
    let mut n_said = 0;
    for at in lines.clone() {
        let line = source.line(at);
        let text = if style == Style::Docstring {
            line.trim().trim_start_matches(['r', 'R', 'u', 'b', 'f']).trim_matches(['"', '\''])
        } else {
            said(line)
        };
        let is_empty = text.bytes().all(|b| b.is_ascii_punctuation() || b == b' ');
        if n_said > 0 && (is_empty || begins_section(text)) || n_said >= most {
            return at - lines.start;
        }
        n_said += usize::from(!is_empty);
    }
    lines.len()
}

/// A line of a comment without its signs.
fn said(line: &str) -> &str {
    line.trim().trim_start_matches(['/', '*', '!', '#', '-', ';', '<']).trim_start()
}

/// `@param x`, `\brief`, `:param x:`, `Args:`, a fence, a list, an element.
fn begins_section(text: &str) -> bool {
    text.starts_with(['@', '\\', ':', '<'])
        || text.starts_with("```")
        || text.starts_with("- ")
        || text.starts_with(">>>")
        || text.ends_with(':') && text.split(' ').count() == 1
}

/// What a tool reads.
fn is_directive(said: &str) -> bool {
    const STARTS: [&str; 16] = [
        "go:",
        "+build",
        "export ",
        "eslint",
        "@ts-",
        "@flow",
        "@jsx",
        "-*-",
        "vim:",
        "coding",
        "shellcheck",
        "frozen_string_literal",
        "type:",
        "noqa",
        "region",
        "swift-tools-version",
    ];
    STARTS.iter().any(|start| said.starts_with(start))
}

/// Whether a comment at the top of a file is its licence.
fn is_licence(source: &Source<'_>, lines: &Range<usize>) -> bool {
    lines.start < 40
        && lines.clone().take(30).any(|at| {
            let line = source.line(at).to_ascii_lowercase();
            ["copyright", "license", "licence", "spdx-"].iter().any(|word| line.contains(word))
        })
}

/// The comments of a source whose comments begin with `sign`, from what each line is. `is_inside` tells lines that
/// belong to a string or bracket of the line before.
pub(super) fn by_sign(
    source: &Source<'_>,
    sign: &str,
    is_inside: impl Fn(usize) -> bool,
) -> Vec<Remark> {
    let mut out: Vec<Remark> = Vec::new();
    for at in 0..source.lines.len() {
        let line = source.line(at);
        let is_comment = line.trim_start().starts_with(sign) && !line.starts_with("#!");
        if !is_comment || is_inside(at) {
            continue;
        }
        match out.last_mut() {
            Some(last)
                if last.lines.end == at
                    && source.indent_of(at) == source.indent_of(last.lines.start) =>
            {
                last.lines.end = at + 1;
            }
            _ => out.push(Remark { lines: at..at + 1, style: Style::Lines }),
        }
    }
    out
}
