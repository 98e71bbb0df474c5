//! The bounded part of a payload that the probes look at: whole lines from its head, its middle and its tail.

use super::share;
use crate::prelude::*;
use crate::text::trim_eol;

/// How much of each place is looked at: 40 KiB in all, and a bound on lines for payloads of very short ones. That keeps
/// detection below a millisecond for any payload.
const HEAD: Bounds = Bounds { bytes: 24 * 1024, lines: 384 };
const MIDDLE: Bounds = Bounds { bytes: 8 * 1024, lines: 128 };
const TAIL: Bounds = Bounds { bytes: 8 * 1024, lines: 128 };

struct Bounds {
    bytes: usize,
    lines: usize,
}

/// One sampled line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    /// Without line end and trailing white space.
    pub(super) text: &'a str,
    /// Without indentation either; empty for a blank line.
    pub(super) body: &'a str,
}

impl Line<'_> {
    /// White space before the body, in bytes.
    pub(super) fn indent(&self) -> usize {
        self.text.len() - self.body.len()
    }

    pub(super) fn is_blank(&self) -> bool {
        self.body.is_empty()
    }
}

/// What the probes see.
#[derive(Debug)]
pub(super) struct Sample<'a> {
    /// The payload's first bytes, cut at a line end where there is one.
    pub(super) head: &'a str,
    /// Lines of head, middle and tail, in order.
    pub(super) lines: Vec<Line<'a>>,
    /// How many of `lines` follow one another from the payload's first line on.
    pub(super) n_head: usize,
    /// How many of `lines` are not blank.
    pub(super) n_full: usize,
    /// Carriage returns inside lines: frames of a progress display.
    pub(super) n_returns: usize,
    /// Whether the head is the whole payload.
    pub(super) is_whole: bool,
}

impl<'a> Sample<'a> {
    pub(super) fn of(text: &'a str) -> Sample<'a> {
        let head = whole_lines(text, HEAD.bytes);
        let mut sample = Sample {
            head,
            lines: Vec::with_capacity(64),
            n_head: 0,
            n_full: 0,
            n_returns: 0,
            is_whole: head.len() == text.len(),
        };
        let n_read = sample.read(head, HEAD.lines);
        sample.n_head = sample.lines.len();
        if n_read == head.len() && sample.is_whole {
            return sample;
        }
        let middle = after_line_end(text, n_read.max(text.len() / 2));
        let n_middle = sample.read(whole_lines(middle, MIDDLE.bytes), MIDDLE.lines);
        let from = text.len() - middle.len() + n_middle;
        let tail = after_line_end(text, from.max(text.len().saturating_sub(TAIL.bytes)));
        let skip = memchr::memrchr_iter(b'\n', tail.as_bytes()).nth(TAIL.lines);
        sample.read(tail.get(skip.map_or(0, |at| at + 1)..).unwrap_or_default(), TAIL.lines);
        sample
    }

    /// Takes up to `max_lines` lines of `part`; returns how many bytes they were.
    fn read(&mut self, part: &'a str, max_lines: usize) -> usize {
        let mut n_bytes = 0;
        for line in lines(part).take(max_lines) {
            n_bytes += line.len();
            let text = trim_eol(line);
            self.n_returns += memchr::memchr_iter(b'\r', text.as_bytes()).count();
            let text = text.trim_ascii_end();
            let body = text.trim_start();
            self.n_full += usize::from(!body.is_empty());
            self.lines.push(Line { text, body });
        }
        n_bytes
    }

    /// The lines that are not blank.
    pub(super) fn full(&self) -> impl Iterator<Item = &Line<'a>> {
        self.lines.iter().filter(|line| !line.is_blank())
    }

    /// `n` of the non-blank lines, in thousandths.
    pub(super) fn share(&self, n: usize) -> u32 {
        share(n, self.n_full)
    }

    /// The first non-blank line; empty when there is none.
    pub(super) fn first(&self) -> &'a str {
        self.full().next().map_or("", |line| line.body)
    }
}

/// The lines of `text`, each with its end.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    core::iter::from_fn(move || {
        let n = memchr::memchr(b'\n', rest.as_bytes()).map_or(rest.len(), |at| at + 1);
        let (line, after) = rest.split_at_checked(n)?;
        rest = after;
        (n > 0).then_some(line)
    })
}

/// The first lines of `text` that fit in `max_bytes`; when the first line alone does not fit, as much of it as does.
fn whole_lines(text: &str, max_bytes: usize) -> &str {
    if text.len() <= max_bytes {
        return text;
    }
    let cut = text.floor_char_boundary(max_bytes);
    let part = text.get(..cut).unwrap_or_default();
    match memchr::memrchr(b'\n', part.as_bytes()) {
        Some(at) => part.get(..=at).unwrap_or(part),
        None => part,
    }
}

/// What follows the first line end at or after `from` (exactly `from` when a line starts there); empty when no line end is near.
fn after_line_end(text: &str, from: usize) -> &str {
    let start = from.saturating_sub(1);
    let near = text.as_bytes().get(start..).unwrap_or_default();
    let near = near.get(..TAIL.bytes).unwrap_or(near);
    memchr::memchr(b'\n', near).and_then(|at| text.get(start + at + 1..)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_is_bounded_and_made_of_whole_lines() {
        let text: String = (0..400_000).map(|n| format!("line {n} é\n")).collect();
        let sample = Sample::of(&text);
        assert_eq!(sample.lines.len(), HEAD.lines + MIDDLE.lines + TAIL.lines);
        assert!(sample.lines.iter().all(|l| l.text.starts_with("line ") && l.text.ends_with(" é")));
        assert_eq!(sample.lines.last().unwrap().text, "line 399999 é");
        let mut unique: Vec<&str> = sample.lines.iter().map(|l| l.text).collect();
        unique.dedup();
        assert_eq!(unique.len(), sample.lines.len());
    }

    #[test]
    fn one_endless_line_is_cut_at_a_character() {
        let text = "é".repeat(1 << 20);
        let sample = Sample::of(&text);
        assert_eq!(sample.lines.len(), 1);
        assert!(sample.head.len() <= HEAD.bytes && !sample.is_whole);
    }

    #[test]
    fn a_small_payload_is_read_once() {
        for text in ["", "\n", "a", "a\nb", "a\r\nb\r\n", "\n\n\n"] {
            let sample = Sample::of(text);
            assert!(sample.is_whole, "{text:?}");
            assert_eq!(sample.lines.len(), text.split_inclusive('\n').count());
            assert_eq!(sample.n_returns, 0);
        }
    }
}
