//! Giving an original back: only bytes whose hash is the handle, or an error that says why there are none.

use super::connect::{Connection, Opened, within_budget};
use super::{fault, layout, loose, put, seconds};
use crate::store::Access;
use caveman_core::store::{Handle, Reference, StoreError, StoreErrorKind, Stored};
use rusqlite::types::ValueRef;
use rusqlite::{Error, OptionalExtension, Result, Row};
use std::path::Path;
use std::time::Duration;

const SELECT: &str =
    "SELECT original, content_type, tokens_before FROM recoveries WHERE handle = ?1";
/// For files of an earlier layout on read-only media, which cannot be migrated.
const SELECT_EARLIER: &str = "SELECT original, NULL, NULL FROM recoveries WHERE handle = ?1";

/// The original behind `reference`.
pub(super) fn get(
    opened: &Opened,
    reference: &Reference,
    now_ms: u64,
) -> std::result::Result<Stored, StoreError> {
    match reference {
        Reference::Handle(handle) => by_handle(opened, *handle, now_ms),
        Reference::Object(id) => object(opened, id),
    }
}

fn by_handle(
    opened: &Opened,
    handle: Handle,
    now_ms: u64,
) -> std::result::Result<Stored, StoreError> {
    let failed = |error: &Error| fault::of("read an original from", &opened.place, error);
    let name = handle.to_string();
    let damage = match within_budget(&opened.connection, |c| row(c, opened, &name)) {
        Ok(Some(stored)) if Handle::of(&stored.original) == handle => {
            record_use(opened, &name, now_ms);
            return Ok(stored);
        }
        Ok(Some(_)) => Some(corrupt(handle, &opened.place.file)),
        Ok(None) => None,
        Err(error) => {
            let error = failed(&error);
            if error.kind() != StoreErrorKind::Corrupt {
                return Err(error);
            }
            Some(error)
        }
    };
    // A loose copy is as good: it is checked the same way.
    if let Some(stored) = loose(opened, handle)? {
        return Ok(stored);
    }
    if let Some(damage) = damage {
        return Err(damage);
    }
    let tombstone = within_budget(&opened.connection, |c| expired_at(c, &name));
    match tombstone.map_err(|error| failed(&error))? {
        Some(date) => Err(StoreError::new(
            StoreErrorKind::Expired,
            format!("the original of {handle} was pruned from the recovery store on {date}"),
        )),
        None => Err(unknown(&name)),
    }
}

fn row(connection: &Connection, opened: &Opened, handle: &str) -> Result<Option<Stored>> {
    let is_whole = opened.is_current || layout::missing_columns(connection)?.is_empty();
    let select = if is_whole { SELECT } else { SELECT_EARLIER };
    let mut statement = connection.prepare_cached(select)?;
    statement.query_row([handle], stored).optional()
}

fn stored(row: &Row<'_>) -> Result<Stored> {
    let content_type = row.get_ref(1)?.as_str_or_null().ok().flatten().unwrap_or_default();
    let tokens = row.get_ref(2)?.as_i64_or_null().ok().flatten().unwrap_or_default();
    Ok(Stored {
        original: bytes(row.get_ref(0)?),
        content_type: content_type.to_owned(),
        tokens_before: u64::try_from(tokens).unwrap_or_default(),
    })
}

/// Bytes, whether a program stored them as a blob or as text. A number is no original: empty, so that its hash is wrong.
fn bytes(value: ValueRef<'_>) -> Vec<u8> {
    match value {
        ValueRef::Blob(bytes) | ValueRef::Text(bytes) => bytes.to_vec(),
        _ => Vec::new(),
    }
}

/// Keeps an original that is still asked for from being pruned. Failing to is no reason to fail the get, and neither is it
/// worth waiting for another program's lock: the next get tries again.
fn record_use(opened: &Opened, handle: &str, now_ms: u64) {
    let now = seconds(now_ms);
    let connection = &opened.connection;
    let is_due = opened.access == Access::ReadWrite
        && put::is_fresh(connection, handle, now).is_ok_and(|is_fresh| !is_fresh);
    if is_due && connection.busy_timeout(Duration::ZERO).is_ok() {
        drop(put::touch(connection, handle, now));
        drop(connection.busy_timeout(super::connect::BUSY));
    }
}

fn loose(opened: &Opened, handle: Handle) -> std::result::Result<Option<Stored>, StoreError> {
    let folder = &opened.place.folder;
    let found = loose::read(folder, handle).map_err(|error| {
        let path = loose::path(folder, handle);
        let detail = format!("cannot read the original {}: {error}", path.display());
        StoreError::new(StoreErrorKind::Unavailable, detail)
    })?;
    let Some(original) = found else { return Ok(None) };
    if Handle::of(&original) != handle {
        return Err(corrupt(handle, &loose::path(folder, handle)));
    }
    Ok(Some(Stored { original, content_type: String::new(), tokens_before: 0 }))
}

fn object(opened: &Opened, id: &str) -> std::result::Result<Stored, StoreError> {
    let found = within_budget(&opened.connection, |connection| {
        let select = "SELECT data, NULL, NULL FROM typed_objects WHERE object_id = ?1";
        absent_table(connection.query_row(select, [id], stored).optional())
    });
    found
        .map_err(|error| fault::of("read an object from", &opened.place, &error))?
        .ok_or_else(|| unknown(id))
}

fn expired_at(connection: &Connection, handle: &str) -> Result<Option<String>> {
    let select = "SELECT expired_at FROM caveman_tombstones WHERE handle = ?1";
    absent_table(connection.query_row(select, [handle], |row| row.get(0)).optional())
}

/// A table that another program has not created, or that read-only media lack, holds nothing.
fn absent_table<T>(outcome: Result<Option<T>>) -> Result<Option<T>> {
    match outcome {
        Err(error) if error.to_string().starts_with("no such table") => Ok(None),
        outcome => outcome,
    }
}

fn unknown(reference: &str) -> StoreError {
    let detail = format!(
        "no original is stored under {reference}; copy the handle exactly as the output gives it"
    );
    StoreError::new(StoreErrorKind::Unknown, detail)
}

fn corrupt(handle: Handle, file: &Path) -> StoreError {
    let detail =
        format!("what {} holds under {handle} does not have that hash: damaged", file.display());
    StoreError::new(StoreErrorKind::Corrupt, detail)
}
