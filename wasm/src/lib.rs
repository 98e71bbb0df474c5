//! The door: the exports of the one wasm artifact.

use wasm_bindgen::prelude::wasm_bindgen;

/// How many o200k_base tokens `text` has.
#[wasm_bindgen(js_name = countTokens)]
pub fn count_tokens(text: &str) -> f64 {
    caveman_core::tokens::count(text) as f64
}
