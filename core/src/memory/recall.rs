//! Recall: from a query to the hits that fit into a budget.

use super::pack::Packer;
use super::{Hit, Memories, Memory, MemoryError, rank};
use crate::prelude::*;
use crate::rank::pack::{Limits, greedy};
use crate::store::{Handle, RecoveryStore};
use alloc::collections::BTreeSet;

/// Longest part of a query that is read, in bytes. Our choice: a longer one is a document.
const MAX_QUERY_BYTES: usize = 4 << 10;

/// So many hits beyond the limit are tried when others do not fit. Our choice: a small rest of a budget is not worth reading
/// every memory that matches.
const TRIED_BEYOND: usize = 32;

/// No budget, in tokens: below what an item costs that is not to be taken.
const MOST: u64 = u64::MAX - 1;

/// What the caller of [`recall()`] may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How many hits at most. Default: 5.
    pub limit: u64,
    /// How many o200k tokens the texts of all hits may cost; 0 for no limit. Default: 2000.
    pub token_budget: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { limit: 5, token_budget: 2000 }
    }
}

/// What a query recalled.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recall {
    /// Best first.
    pub hits: Vec<Hit>,
    /// o200k tokens of their texts: never above the budget.
    pub tokens_added: u64,
    /// How many memories answer the query, those that did not fit included.
    pub n_matching: u64,
}

/// The current memories that answer `query`, best first, each that fits; see [`rank()`] for which do.
pub fn recall(
    memories: &mut dyn Memories,
    copies: &mut dyn RecoveryStore,
    now_ms: u64,
    query: &str,
    options: &Options,
) -> Result<Recall, MemoryError> {
    let query = query.get(..query.floor_char_boundary(MAX_QUERY_BYTES)).unwrap_or(query);
    let snapshot = memories.snapshot()?;
    let limits = Limits {
        n_items: usize::try_from(options.limit).unwrap_or(usize::MAX),
        n_tokens: if options.token_budget == 0 { MOST } else { options.token_budget.min(MOST) },
    };
    let n_tried = limits.n_items.saturating_add(TRIED_BEYOND);
    let (ranked, n_matching) = rank::rank(&*snapshot, query, n_tried)?;
    let mut out = Recall { n_matching, ..Recall::default() };
    let mut packer = Packer { store: copies, now_ms, query };
    let mut failure = None;
    let mut taken = BTreeSet::new();
    greedy(&ranked, limits, |found, n_left| {
        let is_first = out.hits.is_empty();
        // Two lineages may say the same: once is enough.
        let is_new = |memory: &Memory| taken.insert(Handle::of(memory.text.as_bytes()));
        let packed = match snapshot.memory(found.doc) {
            _ if failure.is_some() => None,
            Ok(memory) => memory
                .filter(is_new)
                .and_then(|memory| packer.pack(memory, found.score, n_left, is_first)),
            Err(error) => {
                failure = Some(error);
                None
            }
        };
        let Some(hit) = packed else { return u64::MAX };
        let n_tokens = hit.tokens_added;
        out.tokens_added += n_tokens;
        out.hits.push(hit);
        n_tokens
    });
    failure.map_or(Ok(()), Err)?;
    Ok(out)
}
