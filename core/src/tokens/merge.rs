//! Byte-pair merging: the number of tokens of a piece that is not one itself.

use crate::prelude::*;
use core::cmp::Reverse;

use super::view::{NONE, NOT_A_PART, View};

/// Pieces up to this many symbols are merged by scanning for the lowest rank; longer ones through a heap.
const SCAN: usize = 96;

/// Room for the symbols of one piece, kept from piece to piece.
#[derive(Default)]
pub(super) struct Scratch {
    /// Part numbers of the symbols.
    parts: Vec<u32>,
    /// Rank of the merge of each symbol with its successor.
    ranks: Vec<u32>,
}

/// How many tokens the bytes of a piece make.
pub(super) fn count(view: &View, scratch: &mut Scratch, piece: &[u8]) -> u64 {
    scratch.parts.clear();
    scratch.parts.extend(piece.iter().map(|&byte| u32::from(byte)));
    scratch.ranks.clear();
    scratch.ranks.extend(
        piece
            .iter()
            .zip(piece.iter().skip(1))
            .map(|(&left, &right)| view.merge(left.into(), right.into())),
    );
    scratch.ranks.push(NONE);
    if piece.len() <= SCAN { scan(view, scratch) } else { heap(view, scratch) }
}

fn pair(view: &View, left: u32, right: u32) -> u32 {
    if left == NOT_A_PART || right == NOT_A_PART { NONE } else { view.merge(left, right) }
}

#[expect(
    clippy::indexing_slicing,
    reason = "indices below the length of both vectors, which are equally long"
)]
fn scan(view: &View, scratch: &mut Scratch) -> u64 {
    let Scratch { parts, ranks } = scratch;
    loop {
        let mut best = (NONE, 0);
        for (at, &rank) in ranks.iter().enumerate() {
            if rank < best.0 {
                best = (rank, at);
            }
        }
        let (rank, at) = best;
        if rank == NONE {
            return parts.len() as u64;
        }
        parts.remove(at + 1);
        ranks.remove(at + 1);
        parts[at] = view.part(rank);
        ranks[at] = if at + 1 < parts.len() { pair(view, parts[at], parts[at + 1]) } else { NONE };
        if at > 0 {
            ranks[at - 1] = pair(view, parts[at - 1], parts[at]);
        }
    }
}

#[expect(
    clippy::indexing_slicing,
    reason = "indices below the length of the vectors, which are equally long"
)]
#[expect(clippy::cast_possible_truncation, reason = "payloads are below 4 GiB")]
fn heap(view: &View, scratch: &mut Scratch) -> u64 {
    let Scratch { parts, ranks } = scratch;
    let n = parts.len();
    let mut next: Vec<u32> = (1..=n as u32).collect();
    let mut previous: Vec<u32> = (0..n as u32).map(|at| at.wrapping_sub(1)).collect();
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
            ranks[at] = pair(view, parts[at], parts[after]);
            if ranks[at] != NONE {
                waiting.push(Reverse((ranks[at], at as u32)));
            }
        }
        let before = previous[at] as usize;
        if before < n {
            ranks[before] = pair(view, parts[before], parts[at]);
            if ranks[before] != NONE {
                waiting.push(Reverse((ranks[before], before as u32)));
            }
        }
    }
    count
}
