//! Why a memory could not be kept, found or changed.

use crate::prelude::*;
use crate::store::StoreError;
use core::fmt;

/// A failure, with its stable code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryError {
    kind: MemoryErrorKind,
    detail: String,
}

/// The kinds of failure, each with its own code.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MemoryErrorKind {
    /// The text is longer than a memory may be.
    TooLarge,
    /// There is no text.
    Empty,
    /// No memory has this id.
    Unknown,
    /// The memory has been superseded, or its lineage has ended.
    NotCurrent,
    /// The links between versions do not fit together.
    BrokenLineage,
    /// What is to be imported is not what an export gives, or contradicts what is there.
    BadImport,
    /// The store failed.
    Store(StoreError),
}

impl MemoryError {
    /// An error of `kind`; `detail` says what happened to which thing, lower case, no full stop.
    pub fn new(kind: MemoryErrorKind, detail: impl Into<String>) -> MemoryError {
        MemoryError { kind, detail: detail.into() }
    }

    /// That no memory is called `id`.
    pub fn unknown(id: &str) -> MemoryError {
        let shown: String = id.chars().take(64).filter(|c| !c.is_control()).collect();
        MemoryError::new(
            MemoryErrorKind::Unknown,
            format!("no memory {shown:?}; copy the id exactly as recall gives it"),
        )
    }

    /// What kind of failure.
    pub fn kind(&self) -> &MemoryErrorKind {
        &self.kind
    }

    /// The stable code.
    pub fn code(&self) -> &'static str {
        match &self.kind {
            MemoryErrorKind::TooLarge => "cave_memory_too_large",
            MemoryErrorKind::Empty => "cave_memory_empty",
            MemoryErrorKind::Unknown => "cave_unknown_memory",
            MemoryErrorKind::NotCurrent => "cave_memory_not_current",
            MemoryErrorKind::BrokenLineage => "cave_broken_lineage",
            MemoryErrorKind::BadImport => "cave_bad_import",
            MemoryErrorKind::Store(error) => error.code(),
        }
    }
}

impl From<StoreError> for MemoryError {
    fn from(error: StoreError) -> MemoryError {
        let detail = error.to_string();
        MemoryError { kind: MemoryErrorKind::Store(error), detail }
    }
}

impl fmt::Display for MemoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)
    }
}

impl core::error::Error for MemoryError {}
