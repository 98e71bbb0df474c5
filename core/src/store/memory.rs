//! The store that touches no disk: for `CAVEMAN_MCP_EPHEMERAL=1`, for wasm, and for tests.

use super::{
    Entry, Handle, RecoveryStore, Reference, StoreError, StoreErrorKind, StoreInfo, Stored,
};
use crate::prelude::*;

/// Originals in memory, dropped with the process.
#[derive(Debug, Default)]
pub struct MemoryStore {
    originals: BTreeMap<Handle, Stored>,
    n_bytes: u64,
    limit_bytes: u64,
}

impl MemoryStore {
    /// An empty store that takes `limit_bytes` of originals; 0 for no limit.
    pub fn with_limit(limit_bytes: u64) -> MemoryStore {
        MemoryStore { limit_bytes, ..MemoryStore::default() }
    }

    /// Drops an original, if it is there.
    pub fn remove(&mut self, handle: Handle) {
        if let Some(stored) = self.originals.remove(&handle) {
            self.n_bytes = self.n_bytes.saturating_sub(stored.original.len() as u64);
        }
    }
}

impl RecoveryStore for MemoryStore {
    fn put(&mut self, entry: &Entry<'_>, _now_ms: u64) -> Result<(), StoreError> {
        if self.originals.contains_key(&entry.handle) {
            return Ok(());
        }
        let n_bytes = self.n_bytes.saturating_add(entry.original.len() as u64);
        if self.limit_bytes > 0 && n_bytes > self.limit_bytes {
            return Err(StoreError::new(
                StoreErrorKind::Full,
                format!("the recovery store is full at {} bytes", self.limit_bytes),
            ));
        }
        self.n_bytes = n_bytes;
        let stored = Stored {
            original: entry.original.to_vec(),
            content_type: entry.content_type.to_owned(),
            tokens_before: entry.tokens_before,
        };
        self.originals.insert(entry.handle, stored);
        Ok(())
    }

    fn get(&mut self, reference: &Reference, _now_ms: u64) -> Result<Stored, StoreError> {
        let found = match reference {
            Reference::Handle(handle) => self.originals.get(handle),
            Reference::Object(_) => None,
        };
        found.cloned().ok_or_else(|| {
            StoreError::new(
                StoreErrorKind::Unknown,
                format!("no original is stored under {reference}"),
            )
        })
    }

    fn info(&mut self) -> StoreInfo {
        StoreInfo {
            kind: "memory",
            entries: self.originals.len() as u64,
            bytes: self.n_bytes,
            limit_bytes: self.limit_bytes,
            state: "ok".to_owned(),
        }
    }
}
