//! Runs of lines that may go, and the markers in their places.

use crate::elide::{Focus, MARKER_OPEN};
use crate::order;
use crate::prelude::*;
use crate::text::{Span, lines, trim_eol};
use core::ops::Range;

/// A source being read: its lines, and what may go of them.
#[derive(Debug)]
pub(super) struct Source<'t> {
    pub(super) text: &'t str,
    pub(super) lines: Vec<Span>,
    /// What begins a comment up to the end of the line.
    pub(super) comment: &'static str,
    /// How hard to press, as in [`Focus::pressure`].
    pub(super) pressure: u8,
    pub(super) cuts: Vec<Cut>,
}

/// A run of whole lines that may go.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    pub(super) lines: Range<usize>,
    pub(super) what: What,
}

/// What a cut takes away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// Statements: the inside of a function or block, or a stretch of it.
    Body,
    /// Values: the elements of a literal, statements of one shape.
    Data,
    /// The inside of a comment; the marker takes what its lines begin with.
    Comment,
    /// Lines of a text: a docstring, a literal of several lines.
    Text,
}

impl<'t> Source<'t> {
    pub(super) fn new(text: &'t str, comment: &'static str, pressure: u8) -> Source<'t> {
        Source { text, lines: lines(text), comment, pressure, cuts: Vec::new() }
    }

    /// A line without its end; empty past the last.
    pub(super) fn line(&self, at: usize) -> &'t str {
        self.lines.get(at).map_or("", |span| trim_eol(span.of(self.text)))
    }

    /// The line that holds byte `at`.
    pub(super) fn line_of(&self, at: usize) -> usize {
        self.lines.partition_point(|line| line.start as usize <= at).saturating_sub(1)
    }

    /// Where line `at` begins; the end of the text past the last.
    pub(super) fn start_of(&self, at: usize) -> usize {
        self.lines.get(at).map_or(self.text.len(), |line| line.start as usize)
    }

    /// How many bytes a line is indented.
    pub(super) fn indent_of(&self, at: usize) -> usize {
        let line = self.line(at);
        line.len() - line.trim_start_matches([' ', '\t']).len()
    }

    pub(super) fn is_blank(&self, at: usize) -> bool {
        self.line(at).trim().is_empty()
    }

    pub(super) fn span_of(&self, range: Range<usize>) -> Span {
        self.lines
            .get(range)
            .and_then(|lines| Some(lines.first()?.join(*lines.last()?)))
            .unwrap_or_default()
    }

    /// Notes that lines may go, blank ones at their ends left out.
    pub(super) fn cut(&mut self, lines: Range<usize>, what: What) {
        let Some(start) = lines.clone().find(|at| !self.is_blank(*at)) else { return };
        let end = lines.rev().find(|at| !self.is_blank(*at)).map_or(start, |at| at + 1);
        if end - start >= MIN_LINES {
            self.cuts.push(Cut { lines: start..end, what });
        }
    }

    /// The cuts in order, none inside another.
    pub(super) fn take_cuts(&mut self) -> Vec<Cut> {
        let mut cuts = core::mem::take(&mut self.cuts);
        order::sort_by_key(&mut cuts, |cut| (cut.lines.start, usize::MAX - cut.lines.end));
        let mut end = 0;
        cuts.retain(|cut| {
            let is_free = cut.lines.start >= end;
            if is_free {
                end = cut.lines.end;
            }
            is_free
        });
        cuts
    }

    /// The marker of a cut; `None` when the lines stay: asked for, or no more than twice as dear as their marker.
    pub(super) fn marker(&self, cut: &Cut, focus: &Focus) -> Option<String> {
        let source = self.span_of(cut.lines.clone()).of(self.text);
        if !focus.words.is_empty() {
            let lower = source.to_lowercase();
            if focus.words.iter().any(|word| lower.contains(word.as_str())) {
                return None;
            }
        }
        let first = self.line(cut.lines.start);
        let indent = first.get(..self.indent_of(cut.lines.start)).unwrap_or_default();
        let before = focus.lines_before as usize;
        let (from, to) = (before + cut.lines.start + 1, before + cut.lines.end);
        let mut out = match cut.what {
            What::Body | What::Data => format!("{indent}{} ", self.comment),
            What::Comment => format!("{} ", lead(first).trim_end()),
            What::Text => indent.to_owned(),
        };
        out.push_str(&format!("{MARKER_OPEN}lines {from}-{to}"));
        for word in WORDS {
            if memchr::memmem::find(source.as_bytes(), word.as_bytes()).is_none() {
                continue;
            }
            let at: Vec<String> = cut
                .lines
                .clone()
                .zip(from..)
                .filter(|(at, _)| self.line(*at).contains(word))
                .map(|(_, n)| n.to_string())
                .take(6)
                .collect();
            out.push_str(&format!("; {word}: {}", at.join(", ")));
        }
        if cut.what == What::Comment {
            let sections: Vec<&str> =
                cut.lines.clone().filter_map(|at| section(self.line(at))).take(5).collect();
            if !sections.is_empty() {
                out.push_str(&format!("; {}", sections.join(", ")));
            }
        }
        out.push(']');
        out.push_str(if source.ends_with("\r\n") { "\r\n" } else { "\n" });
        (out.len() * 2 <= source.len()).then_some(out)
    }
}

/// Functions of so many lines are looked into: the items in them keep their heads. Our choice.
pub(super) const LONG: usize = 30;

/// An item in a long function keeps its head when it has so many lines. Our choice.
pub(super) const NESTED: usize = 8;

/// Blocks outside of functions, and texts, of so many lines may go. Our choice: shorter ones say what a file is for.
pub(super) const BLOCK: usize = 10;

/// A literal of so many lines may lose its middle. Our choice.
pub(super) const VALUES: usize = 6;

/// A literal keeps so many members whose names stand before them, and half as many others. Our choice.
pub(super) const MEMBERS: usize = 12;

/// Items in items: deeper ones are not looked at. Our choice, above what people write.
pub(super) const MAX_DEPTH: usize = 40;

/// Fewer lines stay. Our choice: a marker says less than two lines do.
const MIN_LINES: usize = 3;

/// What a marker names with the lines that hold it.
const WORDS: [&str; 7] = ["TODO", "FIXME", "HACK", "XXX", "SAFETY", "unsafe", "panic!"];

/// What a comment's line begins with before it says anything: `    /// `, ` * `.
fn lead(line: &str) -> &str {
    let rest = line.trim_start_matches([' ', '\t']);
    let rest = rest.trim_start_matches(['/', '*', '!', '#', '-', ';', '%']);
    line.get(..line.len() - rest.len()).unwrap_or_default()
}

/// A heading in a comment: `/// # Panics`.
fn section(line: &str) -> Option<&str> {
    let said = line.trim_start().trim_start_matches(['/', '!', '*']).trim();
    let name = said.strip_prefix("# ")?;
    (line.trim_start().starts_with(['/', '*'])
        && name.len() <= 24
        && !name.contains([' ', '[', ']', '`']))
    .then_some(name)
}
