//! Counts a text piece by piece.

use crate::prelude::*;

use super::merge::Merger;
use super::scan::{BLANK, BREAK, DIGIT, Eight, KINDS, LETTER, OTHER, TAB, load, run, run_end};
use super::split;
use super::view::{View, view};

/// A counter that keeps what it learnt, for many texts in turn. Every count is exact and independent of the others.
///
/// Texts repeat their pieces, and what was seen lately lies nearer than the tables, so it is kept by hash, the newest
/// in each slot.
pub struct Counter {
    view: &'static View,
    merger: Merger,
    /// Pieces of 2 to 8 bytes; empty, as the next, until a text is long enough to repeat itself.
    short: Vec<Seen<1>>,
    /// Pieces of 9 to 16 bytes.
    long: Vec<Seen<2>>,
    /// Longer pieces of the text at hand.
    longest: Vec<SeenAt>,
    n_bytes: usize,
}

/// A piece, padded with `0xFF`, and its tokens.
#[derive(Clone, Copy)]
struct Seen<const N: usize> {
    key: [u64; N],
    n_tokens: u64,
}

impl<const N: usize> Seen<N> {
    /// No text holds `0xFF`, so no piece has this key.
    const NONE: Self = Seen { key: [u64::MAX; N], n_tokens: 0 };

    /// The slot of a key among so many, a power of two or none.
    #[inline(always)]
    fn slot(key: [u64; N], n_slots: usize) -> usize {
        let hash = key.iter().fold(0u64, |hash, word| {
            (hash.rotate_left(27) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        });
        (hash >> 40) as usize & n_slots.wrapping_sub(1)
    }
}

/// Where a piece stands in the text, and its tokens.
#[derive(Clone, Copy, Default)]
struct SeenAt {
    start: usize,
    end: usize,
    n_tokens: u64,
}

/// Slots for long and for longest pieces, as a part of those for short ones (our choice).
const LONG: usize = 2;
const LONGEST: usize = 16;
/// Slots for short pieces: one for so many bytes of text, between these (our choice: making room costs little beside
/// counting, and from 64 KiB of text on it is 472 KiB in all; source code counts a sixth slower with a quarter of it).
const BYTES_A_SLOT: usize = 4;
const LEAST: usize = 64;
const MOST: usize = 16384;

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
            short: Vec::new(),
            long: Vec::new(),
            longest: Vec::new(),
            n_bytes: 0,
        }
    }

    /// How many o200k_base tokens `text` has.
    pub fn count(&mut self, text: &str) -> u64 {
        self.count_up_to(text, u64::MAX).unwrap_or(u64::MAX)
    }

    /// How many tokens `text` has, or `None` if more than `limit`; stops reading there.
    pub fn count_up_to(&mut self, text: &str, limit: u64) -> Option<u64> {
        self.make_room(text.len());
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

    /// Makes the room for pieces seen lately that fits all the bytes counted so far.
    fn make_room(&mut self, n_bytes: usize) {
        self.n_bytes = self.n_bytes.saturating_add(n_bytes);
        let wanted = (self.n_bytes / BYTES_A_SLOT).clamp(LEAST, MOST).next_power_of_two();
        if wanted > self.short.len() && self.short.len() < MOST && self.n_bytes > 4 * LEAST {
            self.short = vec![Seen::NONE; wanted];
            self.long = vec![Seen::NONE; wanted / LONG];
        }
        self.longest.clear();
        self.longest.resize(self.short.len() / LONGEST, SeenAt::default());
    }

    /// The tokens of the pieces that start in `from..end` of `text`, and where the last of them ends.
    pub(super) fn count_to(&mut self, text: &str, from: usize, end: usize) -> (u64, usize) {
        self.longest.clear();
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
        let end = split::piece_end(self.view, text, at);
        (self.tokens(text.as_bytes(), at, end), end)
    }

    /// How many tokens a piece has.
    #[inline(always)]
    fn tokens(&mut self, bytes: &[u8], start: usize, end: usize) -> u64 {
        match end - start {
            1 => 1,
            n @ ..=8 => {
                let key = [padded(load(bytes, start), n)];
                match self.short.get(Seen::slot(key, self.short.len())) {
                    Some(seen) if seen.key == key => seen.n_tokens,
                    _ => self.short(bytes, start, end, key),
                }
            }
            n @ ..=16 => {
                let key = [load(bytes, start), padded(load(bytes, start + 8), n - 8)];
                match self.long.get(Seen::slot(key, self.long.len())) {
                    Some(seen) if seen.key == key => seen.n_tokens,
                    _ => self.long(bytes, start, end, key),
                }
            }
            _ => self.longest(bytes, start, end),
        }
    }

    /// The same for a piece of at most 8 bytes that was not seen lately.
    #[inline(never)]
    fn short(&mut self, bytes: &[u8], start: usize, end: usize, key: [u64; 1]) -> u64 {
        let [word] = key;
        let is_word = self.view.is_short_word(word);
        let n_tokens = if is_word { 1 } else { self.merged(bytes, start, end) };
        let n_slots = self.short.len();
        if let Some(seen) = self.short.get_mut(Seen::slot(key, n_slots)) {
            *seen = Seen { key, n_tokens };
        }
        n_tokens
    }

    /// The same for a piece of 9 to 16 bytes that was not seen lately.
    #[inline(never)]
    fn long(&mut self, bytes: &[u8], start: usize, end: usize, key: [u64; 2]) -> u64 {
        let [low, high] = key;
        let is_word = self.view.is_long_word(low, high);
        let n_tokens = if is_word { 1 } else { self.merged(bytes, start, end) };
        let n_slots = self.long.len();
        if let Some(seen) = self.long.get_mut(Seen::slot(key, n_slots)) {
            *seen = Seen { key, n_tokens };
        }
        n_tokens
    }

    /// The same for a piece of more than 16 bytes.
    #[inline(never)]
    fn longest(&mut self, bytes: &[u8], start: usize, end: usize) -> u64 {
        let key = [load(bytes, start) ^ (end - start) as u64, load(bytes, end - 8)];
        let slot = Seen::slot(key, self.longest.len());
        let kept = self.longest.get(slot).copied().unwrap_or_default();
        if kept.start < kept.end && bytes.get(kept.start..kept.end) == bytes.get(start..end) {
            return kept.n_tokens;
        }
        let n_tokens = self.merged(bytes, start, end);
        if let Some(seen) = self.longest.get_mut(slot) {
            *seen = SeenAt { start, end, n_tokens };
        }
        n_tokens
    }

    fn merged(&mut self, bytes: &[u8], start: usize, end: usize) -> u64 {
        self.merger.count(self.view, bytes.get(start..end).unwrap_or_default())
    }
}

/// The first `n` bytes, 1 to 8, and `0xFF` after them.
#[inline(always)]
fn padded(eight: u64, n: usize) -> u64 {
    eight | !(u64::MAX >> (64 - 8 * n))
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

    #[test]
    fn what_was_seen_before_does_not_change_a_count() {
        let zeros: String =
            [2, 8, 9, 16, 17, 40].map(|n| format!("{} a", "\0".repeat(n))).concat() + "\n";
        let parts = [
            "internationalization-of-identifiers\n",
            "getElementById(x)\n",
            "日志数据库的错误信息\n",
            &zeros,
        ];
        let mut counter = Counter::new();
        for part in parts {
            let n_tokens = Counter::new().count(part);
            check(&part.repeat(1000), 1000 * n_tokens);
            assert_eq!(counter.count(&part.repeat(1000)), 1000 * n_tokens);
            assert_eq!(counter.count(part), n_tokens);
            assert_eq!(counter.count_to(&part.repeat(2), part.len(), 2 * part.len()).0, n_tokens);
        }
    }
}
