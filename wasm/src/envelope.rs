//! Envelopes: a line of JSON, then a payload.

use caveman_core::mcp::Object;
use serde::Deserialize;

/// The code of options that are not what a verb takes.
pub(crate) const BAD_ARGUMENTS: &str = "cave_invalid_arguments";

/// Figures (one line of JSON) and the payload that they speak of.
pub(crate) fn enveloped(figures: &str, payload: &[u8]) -> Vec<u8> {
    [figures.as_bytes(), b"\n", payload].concat()
}

/// `{"error":…,"message":…}` and nothing, as every failure is told.
pub(crate) fn failed(code: &str, message: &str) -> Vec<u8> {
    enveloped(&failure(code, message).finish(), b"")
}

/// The figures of a failure, to which a place may be added.
pub(crate) fn failure(code: &str, message: &str) -> Object {
    Object::new().text("error", code).text("message", message)
}

/// Options from JSON; an empty text means all defaults. What is wrong with them are the figures of a failure.
pub(crate) fn parsed<'a, T: Default + Deserialize<'a>>(options: &'a str) -> Result<T, Object> {
    if options.is_empty() {
        return Ok(T::default());
    }
    serde_json::from_str(options).map_err(|e| failure(BAD_ARGUMENTS, &format!("options: {e}")))
}
