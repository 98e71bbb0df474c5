//! Byte-pair merging: the number of tokens of a piece that is not one itself.
//!
//! The lowest rank merges first, the leftmost of equals. Short pieces are scanned for it. Long ones go through windows of
//! some symbols: a sequence of tokens is the encoding of its text exactly when each two neighbours are that of theirs, so
//! windows join where the second begins with the token that the first saw there.

use crate::prelude::*;
use core::cmp::Reverse;

use super::view::{NONE, View};

/// Symbols that are merged at once: the fewer, the sooner the lowest rank is found.
const WINDOW: usize = 64;
/// The same where windows of that many do not join; more than twice the longest token (128 bytes).
const WIDE: usize = 272;
/// How many symbols before its end a window is left for the next one (our choice: what ends there hardly ever changes what
/// stands so far before).
const AHEAD: usize = 16;
/// What is left of a piece that repeats itself, in bytes: more than windows look at.
const LEFT: usize = 4 * WIDE;
/// Windows tried for one step (our choice; no text is known that needs two wide ones).
const TRIES: usize = 8;
/// Symbols whose lowest rank is kept together.
const GROUP: usize = 16;

/// Key of a symbol that merges with nothing to its right.
const IDLE: i32 = i32::MAX;
/// Keys are rank * 512 + place: 27 bits.
const PLACE_BITS: u32 = 9;
const PLACES: i32 = (1 << PLACE_BITS) - 1;

/// Merges pieces; keeps its room from piece to piece.
#[derive(Default)]
pub(super) struct Merger {
    /// Part numbers of a piece's symbols.
    symbols: Vec<u32>,
    /// Where the tokens of a window end, in symbols.
    ends: Vec<usize>,
}

impl Merger {
    /// How many tokens the bytes of a piece make.
    pub(super) fn count(&mut self, view: &View, piece: &[u8]) -> u64 {
        if piece.len() > 2 * LEFT
            && let Some(n_tokens) = self.repeated(view, piece)
        {
            return n_tokens;
        }
        self.symbols.clear();
        view.symbols(piece, &mut self.symbols);
        match self.symbols.len() {
            0..=16 => Merge::<16, 1>::new(view, &self.symbols).run(view),
            17..=WINDOW => Merge::<WINDOW, 4>::new(view, &self.symbols).run(view),
            _ => self
                .windows::<WINDOW, 4>(view)
                .or_else(|| self.windows::<WIDE, 17>(view))
                .unwrap_or_else(|| heap(view, &mut self.symbols)),
        }
    }

    /// The count of a long piece that repeats its first bytes, one to four of them; `None` when it does not.
    ///
    /// Where an encoding begins with the same token twice, that token may stand before it any number of times: each two
    /// neighbours still are the encoding of theirs. So a piece is counted without most of its copies of that token.
    fn repeated(&mut self, view: &View, piece: &[u8]) -> Option<u64> {
        let period = (1..=4).find(|&n| piece.get(n..) == piece.get(..piece.len() - n))?;
        self.symbols.clear();
        self.symbols.extend(piece.iter().take(WIDE).map(|&byte| u32::from(byte)));
        let mut merge = Merge::<WIDE, 17>::new(view, &self.symbols);
        merge.run(view);
        let token = merge.after(0);
        if merge.after(token) != 2 * token || !token.is_multiple_of(period) {
            return None;
        }
        let n_copies = (piece.len() - LEFT) / token;
        let rest = piece.get(n_copies * token..)?;
        self.symbols.clear();
        view.symbols(rest, &mut self.symbols);
        // The rest begins as the piece does, and wide windows that join agree on the first two tokens.
        Some(n_copies as u64 + self.windows::<WIDE, 17>(view)?)
    }

    /// The count of a long piece, or `None` when two windows do not join.
    fn windows<const N: usize, const GROUPS: usize>(&mut self, view: &View) -> Option<u64> {
        let mut n_tokens = 0;
        let mut window = self.symbols.as_slice();
        let mut merge = Merge::<N, GROUPS>::new(view, window.get(..N).unwrap_or(window));
        loop {
            let n_here = merge.run(view);
            if window.len() <= N {
                return Some(n_tokens + n_here);
            }
            merge.ends(&mut self.ends);
            let last = self.ends.partition_point(|&end| end + AHEAD <= N);
            let n_kept = (1..=last).rev().take(TRIES).find(|&n_kept| {
                let (Some(&end), Some(&next)) = (self.ends.get(n_kept - 1), self.ends.get(n_kept))
                else {
                    return false;
                };
                let rest = window.get(end..).unwrap_or_default();
                merge = Merge::new(view, rest.get(..N).unwrap_or(rest));
                merge.run(view);
                merge.after(0) == next - end
            })?;
            n_tokens += n_kept as u64;
            window = window.get(*self.ends.get(n_kept - 1)?..)?;
        }
    }
}

/// At most `N` symbols, in `GROUPS` groups of 16.
struct Merge<const N: usize, const GROUPS: usize> {
    n: usize,
    n_tokens: u64,
    parts: [u32; N],
    keys: [[i32; GROUP]; GROUPS],
    lowest: [i32; GROUPS],
    /// Groups whose lowest key is to be found again, as bits.
    changed: u32,
    /// The place of the next symbol, `n` after the last.
    next: [u16; N],
    previous: [u16; N],
}

#[expect(clippy::indexing_slicing, reason = "places are below n, and n is at most N = 16 * GROUPS")]
#[expect(clippy::cast_possible_truncation, reason = "ranks have 18 bits and places 9")]
#[expect(clippy::cast_sign_loss, reason = "keys have 27 bits")]
impl<const N: usize, const GROUPS: usize> Merge<N, GROUPS> {
    #[inline(always)]
    fn new(view: &View, symbols: &[u32]) -> Self {
        let mut this = Merge {
            n: symbols.len(),
            n_tokens: symbols.len() as u64,
            parts: [0; N],
            keys: [[IDLE; GROUP]; GROUPS],
            lowest: [IDLE; GROUPS],
            changed: 0,
            next: [0; N],
            previous: [0; N],
        };
        for (at, &symbol) in symbols.iter().enumerate() {
            this.parts[at] = symbol;
            this.next[at] = at as u16 + 1;
            this.previous[at] = (at as u16).wrapping_sub(1);
        }
        for (at, pair) in symbols.windows(2).enumerate() {
            if let [left, right] = *pair {
                this.keys[at / GROUP][at % GROUP] = key(view.first_merge(left, right), at);
            }
        }
        for group in 0..GROUPS {
            this.find_lowest(group);
        }
        this
    }

    #[inline(always)]
    fn find_lowest(&mut self, group: usize) {
        self.lowest[group] = self.keys[group].iter().fold(IDLE, |lowest, &key| lowest.min(key));
    }

    /// Merges all that merge; how many tokens are left.
    #[inline(always)]
    fn run(&mut self, view: &View) -> u64 {
        loop {
            let lowest = self.lowest.iter().fold(IDLE, |lowest, &key| lowest.min(key));
            if lowest == IDLE {
                return self.n_tokens;
            }
            // A merge makes pairs of higher ranks only, so all of this rank are there now. They merge in one sweep.
            let part = view.part((lowest >> PLACE_BITS) as u32);
            let at = (lowest & PLACES) as usize;
            self.merge(view, at, part);
            if GROUPS == 1 {
                self.find_lowest(0);
                continue;
            }
            for group in at / GROUP..GROUPS {
                if self.lowest[group] <= lowest | PLACES {
                    for lane in 0..GROUP {
                        if self.keys[group][lane] <= lowest | PLACES {
                            self.merge(view, group * GROUP + lane, part);
                        }
                    }
                }
            }
            for group in 0..GROUPS {
                if self.changed & (1 << group) != 0 {
                    self.find_lowest(group);
                }
            }
            self.changed = 0;
        }
    }

    /// Merges the symbol at `at` with the next one.
    #[inline(always)]
    fn merge(&mut self, view: &View, at: usize, part: u32) {
        self.n_tokens -= 1;
        let gone = self.after(at);
        let after = self.after(gone);
        self.set(gone, IDLE);
        self.next[at] = after as u16;
        self.parts[at] = part;
        if after < self.n {
            self.previous[after] = at as u16;
            self.pair(view, at, after);
        } else {
            self.set(at, IDLE);
        }
        let before = usize::from(self.previous[at]);
        if before < self.n {
            self.pair(view, before, at);
        }
    }

    #[inline(always)]
    fn set(&mut self, at: usize, key: i32) {
        self.keys[at / GROUP][at % GROUP] = key;
        self.changed |= 1 << (at / GROUP);
    }

    #[inline(always)]
    fn pair(&mut self, view: &View, left: usize, right: usize) {
        self.set(left, key(view.merge(self.parts[left], self.parts[right]), left));
    }

    fn after(&self, at: usize) -> usize {
        usize::from(self.next[at])
    }

    /// Where the tokens end.
    fn ends(&self, ends: &mut Vec<usize>) {
        ends.clear();
        let mut at = 0;
        while at < self.n {
            at = self.after(at);
            ends.push(at);
        }
    }
}

#[expect(clippy::cast_possible_wrap, clippy::cast_possible_truncation, reason = "27 bits")]
#[inline(always)]
fn key(rank: u32, place: usize) -> i32 {
    if rank == NONE { IDLE } else { (rank << PLACE_BITS) as i32 | place as i32 }
}

/// The count of a piece of any length, through a heap: exact without windows, and slower.
#[expect(
    clippy::indexing_slicing,
    reason = "places below the length of the vectors, which are equally long"
)]
#[expect(clippy::cast_possible_truncation, reason = "payloads are below 4 GiB")]
#[cold]
fn heap(view: &View, parts: &mut [u32]) -> u64 {
    let n = parts.len();
    let mut next: Vec<u32> = (1..=n as u32).collect();
    let mut previous: Vec<u32> = (0..n as u32).map(|at| at.wrapping_sub(1)).collect();
    let mut ranks: Vec<u32> = parts.windows(2).map(|pair| view.merge(pair[0], pair[1])).collect();
    ranks.push(NONE);
    let waiting: Vec<_> = ranks
        .iter()
        .zip(0u32..)
        .filter(|(rank, _)| **rank != NONE)
        .map(|(&rank, at)| Reverse((rank, at)))
        .collect();
    let mut waiting = alloc::collections::BinaryHeap::from(waiting);
    let mut count = n as u64;
    while let Some(Reverse((rank, at))) = waiting.pop() {
        let at = at as usize;
        if ranks[at] != rank {
            continue;
        }
        let gone = next[at] as usize;
        let after = next[gone] as usize;
        ranks[gone] = NONE;
        next[at] = after as u32;
        parts[at] = view.part(rank);
        count -= 1;
        ranks[at] = NONE;
        if after < n {
            previous[after] = at as u32;
            ranks[at] = view.merge(parts[at], parts[after]);
            if ranks[at] != NONE {
                waiting.push(Reverse((ranks[at], at as u32)));
            }
        }
        let before = previous[at] as usize;
        if before < n {
            ranks[before] = view.merge(parts[before], parts[at]);
            if ranks[before] != NONE {
                waiting.push(Reverse((ranks[before], before as u32)));
            }
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::view::view;

    #[track_caller]
    fn check(piece: &str) {
        let view = view();
        let mut merger = Merger::default();
        let counted = merger.count(view, piece.as_bytes());
        let mut bytes: Vec<u32> = piece.bytes().map(u32::from).collect();
        let shown: String = piece.chars().take(60).collect();
        assert_eq!(counted, heap(view, &mut bytes), "{} bytes: {shown:?}", piece.len());
    }

    #[test]
    fn windows_and_whole_characters_count_like_the_bytes_in_a_heap() {
        for piece in [
            "a",
            "ab",
            " 京",
            "北京",
            " 京赛车彩票",
            " 밝은아침",
            "フード",
            "电影彩神",
            "zqxj",
            "-=-=",
            "中文字符",
            " ",
            "\t",
            "\n",
            "=",
            "A",
            "\r\n",
            "/*",
            "é",
            "\u{301}",
            "中",
            "한",
            "😀",
            "{\"a\"",
            "   \t\t\t\n\n\n",
            "             t\t\t\t\t\t\t\t; \n",
            "🔥⭐🏽\u{200d}❤\u{fe0f}",
        ] {
            for n in [1, 2, 3, 7, 16, 17, 48, 49, 272, 273, 1000, 2183, 2185, 2399, 2500, 5003] {
                check(&piece.repeat(n));
            }
        }
        let mut blank = String::new();
        for n in 1..150 {
            let [one, other] = [[" ", "\t"], ["\n", " "], ["\t", "\n"], [" ", "\r"]][n % 4];
            blank += &(one.repeat(n) + &other.repeat(n * n % 37));
            check(&one.repeat(n));
            check(&(other.repeat(n * 7 % 19) + &one.repeat(n)));
            check(&blank);
        }
        let han: String = (0x4E00..0x9FFF).filter_map(char::from_u32).collect();
        check(&han);
        let hangul: String = (0xAC00..0xD7A3).rev().filter_map(char::from_u32).collect();
        check(&hangul);
        let mixed: String = (0x3000..0xFA00).step_by(7).filter_map(char::from_u32).collect();
        check(&mixed);
    }
}
