//! The recovery store as the core sees it: handles, the trait, its errors, and the in-memory store.
//!
//! The durable store (SQLite) lives in the native shim; the JavaScript host brings its own.

mod handle;
mod memory;

pub use handle::Handle;
pub use memory::MemoryStore;

use crate::prelude::*;
use core::fmt;

/// One original on its way into a store.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// Content address of `original`.
    pub handle: Handle,
    /// Wire name of the content kind.
    pub content_type: &'a str,
    /// Name of the compressor or method.
    pub compressor: &'a str,
    /// o200k tokens of the original.
    pub tokens_before: u64,
    /// o200k tokens of the output.
    pub tokens_after: u64,
    /// The bytes as they came.
    pub original: &'a [u8],
}

/// One original on its way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The bytes as they came; their hash has been checked against the handle.
    pub original: Vec<u8>,
    /// Wire name of the content kind that was recorded; empty when unknown.
    pub content_type: String,
    /// o200k tokens of the original as recorded; 0 when unknown.
    pub tokens_before: u64,
}

/// What `stats` says of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreInfo {
    /// `sqlite`, `memory`, `files`, `none`.
    pub kind: &'static str,
    /// How many originals are held.
    pub entries: u64,
    /// Their total size in bytes.
    pub bytes: u64,
    /// The budget in bytes; 0 when there is none.
    pub limit_bytes: u64,
    /// `ok`, or why the store does not take originals.
    pub state: String,
}

/// Where originals are kept.
pub trait RecoveryStore {
    /// Keeps an original durably. Putting the same handle again only refreshes its age. `now_ms`: milliseconds since the Unix epoch.
    fn put(&mut self, entry: &Entry<'_>, now_ms: u64) -> Result<(), StoreError>;
    /// The original behind a handle, its hash checked.
    fn get(&mut self, reference: &Reference, now_ms: u64) -> Result<Stored, StoreError>;
    /// Size and state, without scanning.
    fn info(&mut self) -> StoreInfo;
}

/// What a caller may ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reference {
    /// An original of ours.
    Handle(Handle),
    /// An object of a sibling program, `ccr_obj_…`: the id as written.
    Object(String),
}

/// Why a store did not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreError {
    kind: StoreErrorKind,
    detail: String,
}

/// The kinds of store failure, each with its own code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreErrorKind {
    /// No such handle here.
    Unknown,
    /// The original was pruned.
    Expired,
    /// The store could not be opened or read.
    Unavailable,
    /// Another program held the lock for longer than we wait.
    Busy,
    /// The budget or the disk is full.
    Full,
    /// The bytes do not match their handle.
    Corrupt,
    /// The host has to fetch the original first and call again (JavaScript hosts only).
    Pending,
}

impl StoreError {
    /// An error of `kind`; `detail` says what happened to which thing, lower case, no full stop.
    pub fn new(kind: StoreErrorKind, detail: impl Into<String>) -> StoreError {
        StoreError { kind, detail: detail.into() }
    }

    /// What kind of failure.
    pub fn kind(&self) -> StoreErrorKind {
        self.kind
    }

    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self.kind {
            StoreErrorKind::Unknown => "cave_unknown_handle",
            StoreErrorKind::Expired => "cave_expired_handle",
            StoreErrorKind::Unavailable | StoreErrorKind::Pending => "cave_store_unavailable",
            StoreErrorKind::Busy => "cave_store_busy",
            StoreErrorKind::Full => "cave_store_full",
            StoreErrorKind::Corrupt => "cave_store_corrupt",
        }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)
    }
}

impl core::error::Error for StoreError {}
