//! Envelopes: a line of JSON, then a payload.

use serde::{Deserialize, Serialize};

/// The code of options that are not what a verb takes.
pub(crate) const BAD_ARGUMENTS: &str = "cave_invalid_arguments";

/// `{"error":…,"message":…}`, as every failure is told.
#[derive(Serialize)]
pub(crate) struct Failure<'a> {
    /// `cave_…`
    pub(crate) error: &'a str,
    /// What happened to which thing.
    pub(crate) message: String,
    /// Where in the input, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u32>,
    /// Where in that line, in characters from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) column: Option<u32>,
}

/// The JSON of a figure sheet. Plain structs of texts and numbers always have one.
pub(crate) fn json(figures: &impl Serialize) -> String {
    serde_json::to_string(figures).unwrap_or_default()
}

/// Figures and the payload that they speak of.
pub(crate) fn sealed(figures: &impl Serialize, payload: &[u8]) -> Vec<u8> {
    let mut out = json(figures).into_bytes();
    out.reserve_exact(payload.len() + 1);
    out.push(b'\n');
    out.extend_from_slice(payload);
    out
}

/// A failure without a place.
pub(crate) fn failed(code: &str, message: String) -> Vec<u8> {
    sealed(&Failure { error: code, message, line: None, column: None }, b"")
}

/// Options from JSON; an empty text means all defaults.
pub(crate) fn parsed<'a, T: Default + Deserialize<'a>>(options: &'a str) -> Result<T, Vec<u8>> {
    if options.is_empty() {
        return Ok(T::default());
    }
    serde_json::from_str(options).map_err(|e| failed(BAD_ARGUMENTS, format!("options: {e}")))
}
