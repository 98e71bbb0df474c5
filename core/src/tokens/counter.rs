//! Counts a text piece by piece.

use crate::prelude::*;

use super::merge::Merger;
use super::scan::{BLANK, BREAK, DIGIT, Eight, KINDS, LETTER, OTHER, TAB, load, run, run_end};
use super::split;
use super::view::{View, view};

/// A counter that keeps what it learnt, for many texts in turn. Every count is exact and independent of the others.
pub struct Counter {
    view: &'static View,
    merger: Merger,
    /// Pieces of several tokens seen lately, by hash; empty until a text is long enough to repeat itself.
    seen: Vec<Seen>,
    /// The same for pieces of more than 16 bytes of the text at hand.
    seen_long: Vec<SeenLong>,
    n_bytes: usize,
}

#[derive(Clone, Copy, Default)]
struct Seen {
    key: [u64; 2],
    n_tokens: u64,
}

#[derive(Clone, Copy, Default)]
struct SeenLong {
    start: usize,
    end: usize,
    n_tokens: u64,
}

/// Slots for long pieces seen lately (our choice, as `SEEN`).
const SEEN_LONG: usize = 256;
/// Slots for pieces seen lately (our choice: 64 KiB stay in the second cache; the benches measure it).
const SEEN: usize = 2048;
/// Bytes counted before they are kept: making room costs about a microsecond.
const SEEN_FROM: usize = 4096;

impl Default for Counter {
    fn default() -> Self {
        Counter::new()
    }
}

impl Counter {
    /// A counter that has seen nothing.
    pub fn new() -> Counter {
        Counter {
            view: view(),
            merger: Merger::default(),
            seen: Vec::new(),
            seen_long: Vec::new(),
            n_bytes: 0,
        }
    }

    /// How many o200k_base tokens `text` has.
    pub fn count(&mut self, text: &str) -> u64 {
        self.count_up_to(text, u64::MAX).unwrap_or(u64::MAX)
    }

    /// How many tokens `text` has, or `None` if more than `limit`; stops reading there.
    pub fn count_up_to(&mut self, text: &str, limit: u64) -> Option<u64> {
        self.n_bytes = self.n_bytes.saturating_add(text.len());
        if self.n_bytes >= SEEN_FROM && self.seen.is_empty() {
            self.seen = vec![Seen::default(); SEEN];
        }
        self.seen_long.clear();
        if text.len() >= SEEN_FROM {
            self.seen_long.resize(SEEN_LONG, SeenLong::default());
        }
        let mut n_tokens = 0;
        let mut at = 0;
        while at < text.len() {
            let (n, end) = self.piece(text, at);
            n_tokens += n;
            if n_tokens > limit {
                return None;
            }
            at = end;
        }
        Some(n_tokens)
    }

    /// The tokens of the pieces that start in `from..end` of `text`, and where the last of them ends.
    pub(super) fn count_to(&mut self, text: &str, from: usize, end: usize) -> (u64, usize) {
        let mut n_tokens = 0;
        let mut at = from;
        while at < end {
            let (n, next) = self.piece(text, at);
            n_tokens += n;
            at = next;
        }
        (n_tokens, at)
    }

    /// The tokens of the piece that starts at `at`, or of a run of digits, and where it ends.
    #[inline(always)]
    fn piece(&mut self, text: &str, at: usize) -> (u64, usize) {
        let bytes = text.as_bytes();
        let eight = load(bytes, at);
        let [first, second, ..] = eight.to_le_bytes();
        let kinds = (kind(first), kind(second));
        let end = match kinds {
            (LETTER, _) => word_end(bytes, at),
            (BLANK | TAB | OTHER, LETTER) => word_end(bytes, at + 1),
            (DIGIT, _) => return self.digits(text, at),
            (OTHER, BLANK | TAB | DIGIT) => return (1, at + 1),
            (OTHER, OTHER | BREAK) => punctuation_end(bytes, at),
            (BLANK, OTHER) => punctuation_end(bytes, at + 1),
            (BLANK, DIGIT) | (TAB, DIGIT | OTHER) => return (1, at + 1),
            (BLANK | TAB, BLANK | TAB | BREAK) | (BREAK, _) => space_end(bytes, at),
            _ => None,
        };
        match end {
            Some(end) => (self.tokens(bytes, at, end), end),
            None => self.beyond(text, at),
        }
    }

    /// A run of digits is cut every three, and every group is one token.
    fn digits(&mut self, text: &str, at: usize) -> (u64, usize) {
        let end = run_end(text.as_bytes(), at, Eight::digits);
        let n = end - at;
        let whole = n / 3;
        if text.as_bytes().get(end).is_none_or(|&next| next < 0x80) {
            (n.div_ceil(3) as u64, end)
        } else if whole > 0 {
            (whole as u64, at + 3 * whole)
        } else {
            self.beyond(text, at)
        }
    }

    /// A piece in which another character than ASCII may stand.
    #[inline(never)]
    fn beyond(&mut self, text: &str, at: usize) -> (u64, usize) {
        let rest = text.get(at..).unwrap_or_default();
        let end = at + split::first_piece(self.view, rest).max(1);
        (self.tokens(text.as_bytes(), at, end), end)
    }

    /// How many tokens a piece has.
    #[inline(always)]
    fn tokens(&mut self, bytes: &[u8], start: usize, end: usize) -> u64 {
        match end - start {
            1 => 1,
            n @ ..=8 => {
                let low = padded(load(bytes, start), n);
                if self.view.is_short_word(low) {
                    1
                } else {
                    self.merged(bytes, start, end, [low, u64::MAX])
                }
            }
            n @ ..=16 => {
                let key @ [low, high] = [load(bytes, start), padded(load(bytes, start + 8), n - 8)];
                if self.view.is_long_word(low, high) {
                    1
                } else {
                    self.merged(bytes, start, end, key)
                }
            }
            _ => self.long(bytes, start, end),
        }
    }

    /// The same for a piece of more than 16 bytes.
    #[inline(never)]
    fn long(&mut self, bytes: &[u8], start: usize, end: usize) -> u64 {
        let piece = bytes.get(start..end).unwrap_or_default();
        let hash = slot([load(bytes, start) ^ (end - start) as u64, load(bytes, end - 8)]);
        let Some(seen) = self.seen_long.get_mut(hash % SEEN_LONG) else {
            return self.merger.count(self.view, piece);
        };
        if bytes.get(seen.start..seen.end) != Some(piece) {
            *seen = SeenLong { start, end, n_tokens: self.merger.count(self.view, piece) };
        }
        seen.n_tokens
    }

    /// The same for a piece of at most 16 bytes that is not one token.
    #[inline(never)]
    fn merged(&mut self, bytes: &[u8], start: usize, end: usize, key: [u64; 2]) -> u64 {
        let piece = bytes.get(start..end).unwrap_or_default();
        let Some(seen) = self.seen.get_mut(slot(key)) else {
            return self.merger.count(self.view, piece);
        };
        if seen.key != key {
            *seen = Seen { key, n_tokens: self.merger.count(self.view, piece) };
        }
        seen.n_tokens
    }
}

/// The first `n` bytes, 1 to 8, and `0xFF` after them.
#[inline(always)]
fn padded(eight: u64, n: usize) -> u64 {
    eight | !(u64::MAX >> (64 - 8 * n))
}

fn slot([low, high]: [u64; 2]) -> usize {
    ((low ^ high.rotate_left(27)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize % SEEN
}

#[inline(always)]
#[expect(clippy::indexing_slicing, reason = "256 kinds")]
fn kind(byte: u8) -> u8 {
    KINDS[usize::from(byte)]
}

/// Where the word ends whose letters begin at `letters`; `None` when another character touches it.
#[inline(always)]
fn word_end(bytes: &[u8], letters: usize) -> Option<usize> {
    let eight = Eight(load(bytes, letters));
    let n_upper = run(eight.upper());
    let mut end = letters + n_upper;
    if n_upper < 8 {
        let n_lower = run(eight.lower() >> (8 * n_upper));
        end += n_lower;
        if n_upper + n_lower == 8 {
            end = run_end(bytes, end, Eight::lower);
        }
    } else {
        end = run_end(bytes, end, Eight::upper);
        end = run_end(bytes, end, Eight::lower);
    }
    let after = load(bytes, end).to_le_bytes();
    match after {
        [next, ..] if next >= 0x80 => (end == bytes.len()).then_some(end),
        [b'\'', b's' | b'S' | b't' | b'T' | b'm' | b'M' | b'd' | b'D', ..] => Some(end + 2),
        [b'\'', b'r' | b'R' | b'v' | b'V', b'e' | b'E', ..]
        | [b'\'', b'l' | b'L', b'l' | b'L', ..] => Some(end + 3),
        [b'\'', next, ..] if next >= 0x80 => (end + 1 == bytes.len()).then_some(end),
        _ => Some(end),
    }
}

/// Where a run of punctuation ends, with the line breaks and slashes after it.
#[inline(always)]
fn punctuation_end(bytes: &[u8], from: usize) -> Option<usize> {
    let end = run_end(bytes, from, Eight::others);
    let end = match bytes.get(end) {
        Some(0x80..) => return None,
        Some(b'\r' | b'\n') => run_end(bytes, end, Eight::tail),
        _ => end,
    };
    Some(end)
}

/// Where a run of white space ends: at its last line break, else before its last character if something follows.
#[inline(always)]
fn space_end(bytes: &[u8], start: usize) -> Option<usize> {
    let end = run_end(bytes, start, Eight::spaces);
    if matches!(bytes.get(end), Some(0x80..)) {
        return None;
    }
    let run = bytes.get(start..end).unwrap_or_default();
    Some(match memchr::memrchr2(b'\r', b'\n', run) {
        Some(last) => start + last + 1,
        None if end < bytes.len() && run.len() > 1 => end - 1,
        None => end,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, n_tokens: u64) {
        let mut counter = Counter::new();
        assert_eq!(counter.count(text), n_tokens, "{text:?}");
        assert_eq!(counter.count_up_to(text, n_tokens), Some(n_tokens));
        assert_eq!(n_tokens.checked_sub(1).and_then(|less| counter.count_up_to(text, less)), None);
    }

    #[test]
    fn counts_are_those_of_the_published_counter() {
        check("", 0);
        check("a", 1);
        check("hello world", 2);
        check("Hello, world!", 4);
        check("don't they'LL", 4);
        check("getElementById(\"f47ac10b-58cc\")", 14);
        check("1234567 12.5", 7);
        check("  \n\n    x\r\n\r\n", 4);
        check("<|endoftext|>", 7);
        check("东京赛车，数据库服务器的日志。", 8);
        check("한국어 텍스트", 5);
        check("e\u{301}\u{301}ABC \u{301}ABC", 7);
        check("👩‍💻🇩🇪", 9);
    }
}
