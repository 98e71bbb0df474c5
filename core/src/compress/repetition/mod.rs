//! Repetition: lines and blocks of lines that stand again.
//!
//! ```text
//! waiting for the lock       waiting for the lock
//! retry in 5 s               retry in 5 s
//! waiting for the lock   ->  [caveman: the 2 lines above 39 more times]
//! retry in 5 s
//! …
//! ```
//! Keeps: one of each run.
//! Recodes without loss: a block that follows itself, as its count; a block that stood further above, as where.
//! Declines: text without such blocks.

use super::{Compressor, Proposals, Units};
use crate::draft::{Draft, Piece};
use crate::elide::mask::{self, HashedMap};
use crate::elide::{Focus, MARKER_OPEN};
use crate::kind::Kind;
use crate::prelude::*;
use crate::text::{Span, lines, trim_eol};

/// The compressor of texts that repeat themselves.
#[derive(Debug)]
pub(super) struct Repetition;

/// A line that follows itself so often is written as its count. Our choice.
const MIN_RUN: usize = 3;
/// A block of fewer lines is not looked for further above. Our choice.
const MIN_AGAIN: usize = 8;
/// Longer first lines are not quoted whole. Our choice.
const MAX_QUOTED_BYTES: usize = 48;
/// So many lines are compared in vain for each that there is: it keeps the work linear.
const MAX_COMPARED: usize = 8;

impl Compressor for Repetition {
    fn kind(&self) -> Kind {
        Kind::Repetition
    }

    fn compress(&self, text: &str, focus: &Focus) -> Proposals {
        Proposals { lossless: fold(text, &lines(text), focus), elided: None }
    }

    fn units(&self, _text: &str) -> Option<Units> {
        None
    }
}

/// The draft in which what stands again is counted, or said to stand above; `None` when nothing is.
pub(super) fn fold(text: &str, lines: &[Span], focus: &Focus) -> Option<Draft> {
    let mut folder = Folder {
        text,
        lines,
        hashes: lines.iter().map(|line| mask::hash(line.of(text))).collect(),
        lines_before: focus.lines_before,
        is_kept: Vec::with_capacity(lines.len()),
        to_compare: lines.len().saturating_mul(MAX_COMPARED),
        draft: Draft::new("fold", "lines", lines.len()),
    };
    folder.fold();
    let is_folded = |piece: &Piece| matches!(piece, Piece::Recoded { .. });
    folder.draft.pieces.iter().any(is_folded).then_some(folder.draft)
}

struct Folder<'a> {
    text: &'a str,
    lines: &'a [Span],
    hashes: Vec<u64>,
    lines_before: u32,
    /// For each line so far, whether it stands in the output.
    is_kept: Vec<bool>,
    /// How many lines may still be compared in vain.
    to_compare: usize,
    draft: Draft,
}

impl Folder<'_> {
    fn fold(&mut self) {
        // Where each line stood last.
        let mut last: HashedMap<usize> = HashedMap::default();
        let mut at = 0;
        while let Some(hash) = self.hashes.get(at).copied() {
            let before = last.get(&hash).copied();
            let before = before.filter(|_| self.to_compare > 0);
            let n_again = before.map_or(0, |before| self.n_again(before, at));
            let n_folded = match before {
                Some(before) if n_again >= at - before => self.count(before, at, n_again),
                Some(before) if n_again >= MIN_AGAIN => self.refer(before, at, n_again),
                _ => 0,
            };
            if n_folded == 0 {
                self.to_compare = self.to_compare.saturating_sub(n_again);
                self.draft.keep(self.lines.get(at).copied().unwrap_or_default());
                self.is_kept.push(true);
            } else {
                self.is_kept.extend(core::iter::repeat_n(false, n_folded));
            }
            for at in at..at + n_folded.max(1) {
                if let Some(hash) = self.hashes.get(at) {
                    last.insert(*hash, at);
                }
            }
            at += n_folded.max(1);
        }
    }

    /// How many lines from `at` on equal those from `before` on.
    fn n_again(&self, before: usize, at: usize) -> usize {
        let line = |at: usize| self.lines.get(at).map_or("", |line| line.of(self.text));
        let hashes = |from: usize| self.hashes.iter().skip(from);
        let n = hashes(before).zip(hashes(at)).take_while(|(a, b)| a == b).count();
        // Equal hashes are not believed.
        (0..n).take_while(|n| line(before + n) == line(at + n)).count()
    }

    /// Folds the block `before..at`, which the next `n_again` lines go on repeating; how many lines that were.
    fn count(&mut self, before: usize, at: usize, n_again: usize) -> usize {
        let n_block = at - before;
        let n_times = n_again / n_block;
        let n_folded = n_times * n_block;
        let what = if n_block == 1 { "line".to_owned() } else { format!("{n_block} lines") };
        let times =
            if n_times == 1 { "once more".to_owned() } else { format!("{n_times} more times") };
        let is_short = n_block == 1 && n_times + 1 < MIN_RUN;
        if is_short || !self.are_kept(before, at) {
            return 0;
        }
        self.replace(at, n_folded, format!("{MARKER_OPEN}the {what} above {times}]\n"))
    }

    /// Says of the next `n_again` lines where they stood before.
    fn refer(&mut self, before: usize, at: usize, n_again: usize) -> usize {
        let n_again = n_again.min(at - before);
        let n_kept = self.is_kept.iter().skip(before).take(n_again).take_while(|k| **k).count();
        if n_kept < MIN_AGAIN {
            return 0;
        }
        let first = self.lines.get(before).map_or("", |line| trim_eol(line.of(self.text)).trim());
        let quoted = first.get(..first.floor_char_boundary(MAX_QUOTED_BYTES)).unwrap_or_default();
        let dots = if quoted.len() < first.len() { "…" } else { "" };
        let from = self.lines_before as usize + before + 1;
        let to = from + n_kept - 1;
        let marker = format!("{MARKER_OPEN}lines {from}-{to} again, from \"{quoted}{dots}\"]\n");
        self.replace(at, n_kept, marker)
    }

    fn are_kept(&self, from: usize, to: usize) -> bool {
        self.is_kept.get(from..to).is_some_and(|kept| kept.iter().all(|kept| *kept))
    }

    /// Writes `marker` for `n` lines where that pays; how many lines it stands for.
    fn replace(&mut self, at: usize, n: usize, marker: String) -> usize {
        let lines = self.lines.get(at..at + n).unwrap_or_default();
        let of = lines.iter().copied().reduce(Span::join).unwrap_or_default();
        if marker.len() * 2 > of.len() {
            return 0;
        }
        self.draft.pieces.push(Piece::Recoded { of, text: marker });
        n
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, want: &str) {
        let lossless = Repetition.compress(text, &Focus::default()).lossless;
        assert!(lossless.as_ref().is_none_or(Draft::is_lossless));
        assert_eq!(lossless.map(|draft| draft.render(text)).unwrap_or_default(), want, "{text}");
    }

    #[test]
    fn a_line_or_block_that_follows_itself_is_counted() {
        let line = "waiting for the lock on the build directory\n";
        check(
            &format!("start\n{}end\n", line.repeat(50)),
            &format!("start\n{line}[caveman: the line above 49 more times]\nend\n"),
        );
        check(&format!("start\n{}end\n", line.repeat(2)), "");
        let block = format!("{line}retry in 5 seconds, é\r\n");
        check(
            &format!("{}end", block.repeat(20)),
            &format!("{block}[caveman: the 2 lines above 19 more times]\nend"),
        );
    }

    #[test]
    fn a_block_further_above_is_referred_to() {
        let block: String = (0..12).map(|n| format!("line number {n} of the block\n")).collect();
        check(
            &format!("{block}between\n{block}end\n"),
            &format!(
                "{block}between\n[caveman: lines 1-12 again, from \"line number 0 of the block\"]\nend\n"
            ),
        );
    }

    #[test]
    fn distinct_and_hostile_texts_come_back() {
        check("", "");
        check("a\n\n\n\nb\n", "");
        let texts = [
            (0..100_000).map(|n| format!("{}\n", n % 7)).collect::<String>(),
            (0..100_000_u64).map(|n| format!("{}\n", n * n % 1009)).collect(),
            (0..2_000).map(|n| "a\n".repeat(n % 50) + "b\n").collect(),
            "x".repeat(1 << 20),
        ];
        for text in texts {
            let draft = Repetition.compress(&text, &Focus::default()).lossless;
            assert!(draft.is_none_or(|draft| draft.len_bytes() < text.len()));
        }
    }
}
