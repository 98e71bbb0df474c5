//! Elision: the one mechanism by which every lossy compressor leaves units out.

use crate::prelude::*;

/// What the caller wants to see: words that protect units, and how hard to press.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Focus {
    /// Words of the caller's query, lower-cased; a unit that holds one of them as a whole word stays. Default: none.
    pub words: Vec<String>,
    /// 0 keeps what the rules ask for; each step keeps fewer non-signal units. At most [`Focus::MAX_PRESSURE`]. Default: 0.
    pub pressure: u8,
}

impl Focus {
    /// The hardest pressure.
    pub const MAX_PRESSURE: u8 = 4;
}

impl Focus {
    /// The focus of a caller's query.
    pub fn of_query(query: Option<&str>) -> Focus {
        let words = query.unwrap_or_default().split_whitespace().map(str::to_lowercase).collect();
        Focus { words, pressure: 0 }
    }
}
