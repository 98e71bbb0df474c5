//! Durable memories: what an agent wants to know in a later session, found again by what it is about.
//!
//! A *memory* is a text of at most [`MAX_TEXT_BYTES`]. Its versions are its *lineage*, each superseding the one before;
//! the newest is *current*, and only current memories are recalled.
//!
//! ```text
//! remember, supersede -> text -> store (source of truth), postings
//! recall:  query -> postings -> rank (BM25) -> coverage threshold -> pack into the budget: raw | compressed | head
//! ```
//! No files here: [`Memories`] keep, and lend a [`Snapshot`] to recall from. Originals of hits that do not go out
//! whole are put into the recovery store, so that the handle beside a hit resolves.

mod ask;
mod error;
mod lineage;
mod pack;
pub mod postings;
mod rank;
mod recall;

pub use error::{MemoryError, MemoryErrorKind};
pub use lineage::lineage;
pub use pack::{COPY, Form, Hit};
pub use rank::{MIN_COVERAGE, Ranked, rank};
pub use recall::{Options, Recall, recall};

use crate::prelude::*;
use crate::rank::bm25::Corpus;
use crate::store::{Handle, RecoveryStore, StoreError};
use postings::Posting;

/// Longest text of a memory in bytes, white space around it not counted.
pub const MAX_TEXT_BYTES: usize = 256 * 1024;

/// One version of a memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// Its name, as the store gave it.
    pub id: String,
    /// The text, as it was remembered.
    pub text: String,
    /// When it was written, RFC 3339 in UTC; as found, where another program wrote it.
    pub created_at: Option<String>,
    /// Since when it holds; the same form.
    pub valid_from: Option<String>,
    /// Until when it held; `None` while it is current.
    pub valid_until: Option<String>,
    /// The version before.
    pub supersedes: Option<String>,
    /// The version after.
    pub superseded_by: Option<String>,
}

impl Memory {
    /// Whether it is the newest of its lineage and may be recalled.
    pub fn is_current(&self) -> bool {
        self.valid_until.is_none() && self.superseded_by.is_none()
    }
}

/// What became of a text that was to be remembered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remembered {
    /// The memory that holds it.
    pub id: String,
    /// When that memory was written.
    pub created_at: Option<String>,
    /// The version that it replaced.
    pub supersedes: Option<String>,
    /// Whether it was there already.
    pub status: Status,
}

/// Whether a text was new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// A memory was written.
    Stored,
    /// A current memory held exactly this text.
    Known,
}

impl Status {
    /// The wire name.
    pub fn name(self) -> &'static str {
        match self {
            Status::Stored => "stored",
            Status::Known => "known",
        }
    }
}

/// What a store of memories says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryInfo {
    /// Current memories.
    pub n_memories: u64,
    /// All versions.
    pub n_versions: u64,
    /// Bytes of their texts.
    pub n_bytes: u64,
    /// Terms of the current ones, repeats included.
    pub n_terms: u64,
}

/// Where memories are kept, durably, the text before anything else. `now_ms`: milliseconds since the Unix epoch.
pub trait Memories {
    /// Keeps a text, or names the current memory that holds it.
    fn remember(&mut self, text: &str, now_ms: u64) -> Result<Remembered, MemoryError>;
    /// Puts a text in the place of a current memory, which stays in the lineage.
    fn supersede(&mut self, id: &str, text: &str, now_ms: u64) -> Result<Remembered, MemoryError>;
    /// Every version of a memory, oldest first, named by any of them.
    fn history(&mut self, id: &str) -> Result<Vec<Memory>, MemoryError>;
    /// Removes one version from every file, for good. Before that, `purge` is called with its text, unless another version
    /// holds the same text; when it fails, nothing is removed.
    fn forget(
        &mut self,
        id: &str,
        purge: &mut dyn FnMut(&str) -> Result<(), StoreError>,
    ) -> Result<(), MemoryError>;
    /// A state to recall from, whatever is written meanwhile.
    fn snapshot(&mut self) -> Result<Box<dyn Snapshot + '_>, MemoryError>;
    /// Sizes.
    fn info(&mut self) -> Result<MemoryInfo, MemoryError>;
}

/// The current memories at one moment, by number.
pub trait Snapshot {
    /// How many there are, and their terms.
    fn corpus(&self) -> Result<Corpus, MemoryError>;
    /// Replaces `out` by what holds `term`, by rising number.
    fn postings(&self, term: &str, out: &mut Vec<Posting>) -> Result<(), MemoryError>;
    /// The terms that begin with `stem`, sorted; a few dozen at most.
    fn terms(&self, stem: &str) -> Result<Vec<String>, MemoryError>;
    /// The memory of this number.
    fn memory(&self, doc: u64) -> Result<Option<Memory>, MemoryError>;
}

/// A recovery store that can take back the copies that recalls have put into it (see [`COPY`]).
pub trait CopyStore: RecoveryStore {
    /// Removes `original` from every file, unless it is there for another reason than as a copy.
    fn purge(&mut self, original: &str) -> Result<(), StoreError>;
}

impl CopyStore for crate::store::MemoryStore {
    fn purge(&mut self, original: &str) -> Result<(), StoreError> {
        self.remove(Handle::of(original.as_bytes()));
        Ok(())
    }
}

/// The text that is kept of `input`: without the white space around it, not empty, not too long.
pub fn text(input: &str) -> Result<&str, MemoryError> {
    let text = input.trim();
    if text.is_empty() {
        return Err(MemoryError::new(
            MemoryErrorKind::Empty,
            "the text is empty; say what to remember",
        ));
    }
    if text.len() > MAX_TEXT_BYTES {
        return Err(MemoryError::new(
            MemoryErrorKind::TooLarge,
            format!(
                "the text has {} bytes, a memory at most {MAX_TEXT_BYTES}; keep it in parts",
                text.len()
            ),
        ));
    }
    Ok(text)
}

/// A name for a new memory: `mem_` and 12 hexadecimal digits, from its text and time. `attempt` tells apart what would be
/// called the same.
pub fn new_id(text: &str, now_ms: u64, attempt: u32) -> String {
    let seed = format!("{now_ms} {attempt} {text}");
    let name = Handle::of(seed.as_bytes()).to_string();
    let digits = name.strip_prefix("ccr_").unwrap_or(&name);
    format!("mem_{}", digits.get(..12).unwrap_or(digits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_trimmed_and_has_between_1_and_262144_bytes() {
        let check = |input: &str| text(input).map(str::len).map_err(|error| error.code());
        assert_eq!(check(" \n a\u{a0}"), Ok(1));
        assert_eq!(check(&"x".repeat(MAX_TEXT_BYTES)), Ok(262_144));
        assert_eq!(check(&format!(" {} ", "x".repeat(MAX_TEXT_BYTES))), Ok(262_144));
        assert_eq!(check(&"x".repeat(MAX_TEXT_BYTES + 1)), Err("cave_memory_too_large"));
        assert_eq!(check(&"é".repeat(MAX_TEXT_BYTES / 2)), Ok(262_144));
        assert_eq!(check("\u{3000} \t"), Err("cave_memory_empty"));
    }

    #[test]
    fn ids_differ_by_text_time_and_attempt() {
        let one = new_id("a", 1, 0);
        assert!(one.len() == 16 && one.starts_with("mem_"), "{one}");
        assert_eq!(new_id("a", 1, 0), one);
        for other in [new_id("b", 1, 0), new_id("a", 2, 0), new_id("a", 1, 1)] {
            assert_ne!(other, one);
        }
    }
}
