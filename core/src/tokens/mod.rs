//! Exact o200k_base token counts, ready at the first call: nothing is parsed or built when a program starts.
//!
//! A text is cut into pieces by the splitting pattern (`scan` for ASCII, `split` for the rest). Most pieces are one
//! token, which one look into a perfect hash tells; the others are merged pair by pair (`merge`).

mod class;
mod counter;
mod cut;
mod merge;
mod scan;
mod split;
#[cfg_attr(
    not(any(test, target_arch = "wasm32")),
    expect(dead_code, reason = "build.rs runs the expansion")
)]
mod tables;
mod view;

pub use counter::Counter;
pub use cut::{is_exact_cut, unit_counts};

/// Name of the counter, for `token_count_basis`.
pub const BASIS: &str = "o200k_base";

/// How many o200k_base tokens `text` has (special tokens are not recognised: their text counts as text).
pub fn count(text: &str) -> u64 {
    Counter::new().count(text)
}

/// How many tokens `text` has, or `None` if more than `limit`; stops reading there.
pub fn count_up_to(text: &str, limit: u64) -> Option<u64> {
    Counter::new().count_up_to(text, limit)
}
