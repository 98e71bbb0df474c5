//! Spans and lines: the vocabulary in which every module speaks of places in a payload.

use crate::prelude::*;

/// A half-open byte range of a payload. Payloads are at most 64 MiB, so 32 bits hold every offset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end`. Offsets past 4 GiB saturate: they cannot occur in an accepted payload.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start: offset(start), end: offset(end) }
    }

    /// Length in bytes.
    pub fn len(self) -> usize {
        self.end.saturating_sub(self.start) as usize
    }

    /// Whether the range holds nothing.
    pub fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// As the index range of a slice.
    pub fn range(self) -> core::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The slice of `text` that this range names; empty when it lies outside or cuts a character.
    pub fn of(self, text: &str) -> &str {
        text.get(self.range()).unwrap_or_default()
    }

    /// The same range of a text in which this one's text begins at `by`.
    #[must_use]
    pub fn shifted(self, by: u32) -> Span {
        Span { start: self.start.saturating_add(by), end: self.end.saturating_add(by) }
    }

    /// The smallest range that holds both.
    pub fn join(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A byte offset in 32 bits, saturating.
pub fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// The lines of `text`, each span with its terminating `\n` (the last one perhaps without). No line for an empty text.
pub fn lines(text: &str) -> Vec<Span> {
    let mut out = Vec::new();
    let mut start = 0;
    for at in memchr::memchr_iter(b'\n', text.as_bytes()) {
        out.push(Span::new(start, at + 1));
        start = at + 1;
    }
    if start < text.len() {
        out.push(Span::new(start, text.len()));
    }
    out
}

/// A line without its terminator (`\n` or `\r\n`).
pub fn trim_eol(line: &str) -> &str {
    let line = line.strip_suffix('\n').unwrap_or(line);
    line.strip_suffix('\r').unwrap_or(line)
}

/// `out.push_str(&text[from..to])` for pieces that are mostly short; nothing where that is no slice of `text`. More than the
/// piece is copied where `text` has more, and taken off again: a copy whose length the compiler knows is a few moves,
/// where any other is a call, in wasm one that leaves the module.
#[inline(always)]
pub(crate) fn push_piece(out: &mut String, text: &str, from: usize, to: usize) {
    const SHORT: usize = 16;
    const LONG: usize = 32;
    let end = out.len().saturating_add(to.saturating_sub(from));
    if to <= from + SHORT
        && let Some(more) = text.get(from..from + SHORT)
    {
        out.push_str(more);
        out.truncate(end);
    } else if to <= from + LONG
        && let Some(more) = text.get(from..from + LONG)
    {
        out.push_str(more);
        out.truncate(end);
    } else {
        out.push_str(text.get(from..to).unwrap_or_default());
    }
}
