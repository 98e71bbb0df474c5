//! Retrieval by query: whole units of an original that match, in source order, as slices.
//!
//! ```text
//! original -> unwrap -> units (the compressor's, else a general cut) -> select (exact identifiers, BM25) -> pack -> view
//! ```
//! A unit that alone is above the budget is not cut into fragments: kinds that nest are cut at the next level down,
//! with the lines that open the level shown above what they hold; where nothing nests there is no view.

mod select;
mod units;
mod write;

use crate::kind::Kind;
use crate::prelude::*;
use crate::rank::pack::Limits;
use crate::tokens;
use crate::{compress, present};
use select::Miss;
use units::Cut;

/// The answer to a query over an original.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Matching units in source order, with what was skipped between them said, and a last line `k of m matching units shown`.
    pub text: String,
    /// How many matching units are shown.
    pub n_shown: u32,
    /// How many units match.
    pub n_matching: u32,
}

/// Most that a view shows.
const LIMITS: Limits = Limits { n_items: 20, n_tokens: 8_000 };

/// Longest part of a query that is read, in bytes. Our choice: a longer one is a document.
const MAX_QUERY_BYTES: usize = 4 << 10;

/// The units of `original` that match `query`; `None` when nothing decomposes, nothing matches or the view is not smaller:
/// the caller then gives the whole original.
pub fn view(original: &str, kind: Kind, query: &str) -> Option<View> {
    let query = query.get(..query.floor_char_boundary(MAX_QUERY_BYTES)).unwrap_or(query);
    let presented = present::unwrap(original);
    let text: &str = &presented.text;
    let own = compress::of(kind).and_then(|compressor| compressor.units(text)).map(Cut::from);
    let general = || units::cut(text, kind);
    let mut cut = own.or_else(general)?;
    if kind == Kind::Code {
        (cut.named, cut.is_by_name) = units::names::declared(text, &cut, query);
        // Whole items are for those who name them; others are answered from smaller units.
        if cut.named.is_empty() {
            cut = units::finer(text, kind).unwrap_or(cut);
        }
    }
    let hits = match select::select(text, &cut, query, LIMITS) {
        Ok(hits) => hits,
        Err(Miss::Nothing) => return None,
        Err(Miss::TooLarge) => {
            cut = units::finer(text, kind)?;
            select::select(text, &cut, query, LIMITS).ok()?
        }
    };
    let view = write::write(original, &presented, &cut, &hits);
    is_smaller(&view.text, original).then_some(view)
}

/// Whether `view` costs fewer tokens than `original`, and no more than a view may.
fn is_smaller(view: &str, original: &str) -> bool {
    /// No token of o200k_base is longer: a text of so many bytes for each token of the limit costs the limit at least.
    const MAX_TOKEN_BYTES: u64 = 128;
    let n_tokens = tokens::count(view);
    n_tokens <= LIMITS.n_tokens
        && (original.len() as u64 > LIMITS.n_tokens * MAX_TOKEN_BYTES
            || n_tokens < tokens::count(original))
}
