//! Detection: probes that score evidence for each kind over a bounded sample.

use crate::kind::Kind;
use crate::prelude::*;

/// What a payload is, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detection {
    /// The best kind above its margin, else [`Kind::Text`].
    pub kind: Kind,
    /// For code: the language, in the spelling of `language` on the wire (`rust`, `python`, `typescript`, …).
    pub language: Option<&'static str>,
    /// The scores that were not zero, best first.
    pub scores: Vec<(Kind, u32)>,
}

/// Detects the kind of a bare text (see [`crate::present`]).
pub fn detect(text: &str) -> Detection {
    let kind = if text.starts_with(['{', '[']) { Kind::Json } else { Kind::Text };
    Detection { kind, language: None, scores: Vec::new() }
}
