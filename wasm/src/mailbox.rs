//! The store of a session whose originals are with JavaScript: what is put waits here for the host, what is asked for has
//! to be brought here first.

use caveman_core::mcp::Object;
use caveman_core::store::{
    Entry, Handle, RecoveryStore, Reference, StoreError, StoreErrorKind, StoreInfo, Stored,
};
use std::collections::BTreeMap;

/// Originals on their way out and in, for one frame.
pub(crate) struct Mailbox {
    puts: Vec<Put>,
    brought: BTreeMap<String, Result<Stored, StoreError>>,
    /// Why nothing is taken while this frame is handled again.
    refusal: Option<StoreError>,
    /// What the host last said of its store.
    pub(crate) info: StoreInfo,
}

/// One original that the host must keep before the answer goes out.
pub(crate) struct Put {
    handle: String,
    content_type: String,
    compressor: String,
    tokens_before: u64,
    tokens_after: u64,
    pub(crate) original: Vec<u8>,
}

impl Put {
    /// Everything but the original, as JSON.
    pub(crate) fn figures(&self) -> String {
        Object::new()
            .text("handle", &self.handle)
            .text("content_type", &self.content_type)
            .text("compressor", &self.compressor)
            .number("tokens_before", self.tokens_before)
            .number("tokens_after", self.tokens_after)
            .finish()
    }
}

/// A store's failure by its code; a code that is not known means that the store is not there.
pub(crate) fn store_error(code: &str, message: &str) -> StoreError {
    let kind = match code {
        "cave_unknown_handle" => StoreErrorKind::Unknown,
        "cave_expired_handle" => StoreErrorKind::Expired,
        "cave_store_busy" => StoreErrorKind::Busy,
        "cave_store_full" => StoreErrorKind::Full,
        "cave_store_corrupt" => StoreErrorKind::Corrupt,
        _ => StoreErrorKind::Unavailable,
    };
    StoreError::new(kind, message)
}

impl Mailbox {
    /// An empty mailbox in front of a store of which nothing is known yet.
    pub(crate) fn new() -> Mailbox {
        let state = "ok".to_owned();
        let info = StoreInfo { kind: "memory", entries: 0, bytes: 0, limit_bytes: 0, state };
        Mailbox { puts: Vec::new(), brought: BTreeMap::new(), refusal: None, info }
    }

    /// What waits for the host, in order.
    pub(crate) fn puts(&self) -> &[Put] {
        &self.puts
    }

    /// What was put before is forgotten: the frame is handled anew.
    pub(crate) fn forget_puts(&mut self) {
        self.puts.clear();
    }

    /// From now until the frame is done nothing is taken.
    pub(crate) fn refuse(&mut self, why: StoreError) {
        self.refusal = Some(why);
    }

    /// The host's answer to a reference; an original under a handle is checked against it.
    pub(crate) fn bring(&mut self, reference: &str, found: Result<Stored, StoreError>) {
        let found = match (Reference::parse(reference), found) {
            (Some(Reference::Handle(handle)), Ok(stored))
                if Handle::of(&stored.original) != handle =>
            {
                Err(StoreError::new(
                    StoreErrorKind::Corrupt,
                    format!("what is stored under {handle} does not have that hash: damaged"),
                ))
            }
            (_, found) => found,
        };
        self.brought.insert(reference.to_owned(), found);
    }

    /// The frame is answered.
    pub(crate) fn clear(&mut self) {
        self.puts = Vec::new();
        self.brought.clear();
        self.refusal = None;
    }
}

impl RecoveryStore for Mailbox {
    fn put(&mut self, entry: &Entry<'_>, _now_ms: u64) -> Result<(), StoreError> {
        if let Some(why) = &self.refusal {
            return Err(why.clone());
        }
        let handle = entry.handle.to_string();
        if !self.puts.iter().any(|put| put.handle == handle) {
            self.puts.push(Put {
                handle,
                content_type: entry.content_type.to_owned(),
                compressor: entry.compressor.to_owned(),
                tokens_before: entry.tokens_before,
                tokens_after: entry.tokens_after,
                original: entry.original.to_vec(),
            });
        }
        Ok(())
    }

    fn get(&mut self, reference: &Reference, _now_ms: u64) -> Result<Stored, StoreError> {
        let name = reference.to_string();
        if let Some(put) = self.puts.iter().find(|put| put.handle == name) {
            return Ok(Stored {
                original: put.original.clone(),
                content_type: put.content_type.clone(),
                tokens_before: put.tokens_before,
            });
        }
        let wanted = || {
            let detail = format!("the host has not brought {reference} yet");
            Err(StoreError::new(StoreErrorKind::Pending, detail))
        };
        self.brought.get(&name).cloned().unwrap_or_else(wanted)
    }

    fn info(&mut self) -> StoreInfo {
        self.info.clone()
    }
}
