//! The SQLite store as a library: what it keeps, what it refuses, and which error says so.
#![cfg(test)]

#[path = "../harness/mod.rs"]
mod harness;

mod budget;
mod damage;
mod keeping;
mod layouts;
mod locks;
mod media;
#[cfg(unix)]
mod places;

use caveman_core::store::{Entry, Handle, RecoveryStore, Reference, StoreError, StoreErrorKind};
use caveman_native::store::{SqliteStore, StoreOptions};
use harness::Home;

/// 2026-03-01T00:00:00Z.
const NOW: u64 = 1_772_323_200_000;
const DAY: u64 = 24 * 60 * 60 * 1000;

fn store(home: &Home) -> SqliteStore {
    SqliteStore::new(StoreOptions::at(home.db()))
}

fn put_at(store: &mut SqliteStore, original: &[u8], now_ms: u64) -> Result<Handle, StoreError> {
    let handle = Handle::of(original);
    let entry = Entry {
        handle,
        content_type: "log",
        compressor: "log",
        tokens_before: 100,
        tokens_after: 10,
        original,
    };
    store.put(&entry, now_ms).map(|()| handle)
}

#[track_caller]
fn put(store: &mut SqliteStore, original: &[u8]) -> Handle {
    put_at(store, original, NOW).unwrap()
}

fn get(store: &mut SqliteStore, handle: Handle) -> Result<Vec<u8>, StoreErrorKind> {
    let stored = store.get(&Reference::Handle(handle), NOW);
    stored.map(|stored| stored.original).map_err(|error| error.kind())
}

/// The database as another program sees it.
fn database(home: &Home) -> rusqlite::Connection {
    let database = rusqlite::Connection::open(home.db()).unwrap();
    database.busy_timeout(std::time::Duration::from_secs(5)).unwrap();
    database
}
