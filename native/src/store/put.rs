//! Keeping an original: within the budget, in one transaction, and never answered before it is committed.

use super::connect::{Connection, immediately};
use super::prune;
use super::{StoreOptions, seconds};
use crate::host::rfc3339;
use caveman_core::memory::COPY;
use caveman_core::store::Entry;
use rusqlite::{OptionalExtension, Result, Transaction, params};

/// How fresh the recorded last use may stay: a repeated put or get within a day writes nothing.
const FRESH_SECONDS: u64 = 24 * 60 * 60;

/// What became of an original.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It is stored.
    Kept,
    /// The budget has no room for it and nothing may be pruned.
    NoRoom {
        /// Bytes held.
        held: u64,
    },
}

/// Stores `entry`, or refreshes its age when the same bytes are there already.
pub(super) fn put(
    connection: &mut Connection,
    options: &StoreOptions,
    entry: &Entry<'_>,
    now_ms: u64,
) -> Result<Outcome> {
    let handle = entry.handle.to_string();
    let now = seconds(now_ms);
    // An agent sends the same payload on many turns: that costs one read and takes no lock.
    let is_there = holds(connection, &handle, entry.original)?;
    if is_there && is_fresh(connection, &handle, now)? && !takes_over(connection, &handle, entry)? {
        return Ok(Outcome::Kept);
    }
    immediately(connection, |transaction| {
        if holds(transaction, &handle, entry.original)? {
            touch(transaction, &handle, now)?;
            if takes_over(transaction, &handle, entry)? {
                describe(transaction, &handle, entry)?;
            }
            return Ok(Outcome::Kept);
        }
        if options.limit_bytes > 0 {
            let held = held_bytes(transaction)?;
            let n_bytes = entry.original.len() as u64;
            let excess = held.saturating_add(n_bytes).saturating_sub(options.limit_bytes);
            let too_large = n_bytes > options.limit_bytes;
            if excess > 0 && (too_large || !prune::free(transaction, options, excess, now_ms)?) {
                return Ok(Outcome::NoRoom { held });
            }
        }
        insert(transaction, &handle, entry, now_ms)?;
        Ok(Outcome::Kept)
    })
}

/// Writes the row; one that is there already holds other bytes, so it is damaged and replaced.
fn insert(
    transaction: &Transaction<'_>,
    handle: &str,
    entry: &Entry<'_>,
    now_ms: u64,
) -> Result<()> {
    let mut statement = transaction.prepare_cached(
        "INSERT OR REPLACE INTO recoveries
            (handle, created_at, content_type, compressor, tokens_before, tokens_after, original)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    statement.execute(params![
        handle,
        rfc3339(now_ms),
        entry.content_type,
        entry.compressor,
        entry.tokens_before,
        entry.tokens_after,
        entry.original,
    ])?;
    Ok(())
}

/// Whether exactly these bytes are stored under `handle`.
fn holds(connection: &Connection, handle: &str, original: &[u8]) -> Result<bool> {
    let mut statement =
        connection.prepare_cached("SELECT original FROM recoveries WHERE handle = ?1")?;
    let same = statement
        .query_row([handle], |row| {
            let value = row.get_ref(0)?;
            Ok(value.as_bytes_or_null().is_ok_and(|bytes| bytes == Some(original)))
        })
        .optional()?;
    Ok(same == Some(true))
}

/// Whether what is there belongs to a memory only, which may take it away, and `entry` comes from elsewhere.
fn takes_over(connection: &Connection, handle: &str, entry: &Entry<'_>) -> Result<bool> {
    if entry.compressor == COPY {
        return Ok(false);
    }
    let mut statement = connection.prepare_cached(
        "SELECT EXISTS (SELECT 1 FROM recoveries WHERE handle = ?1 AND compressor = ?2)",
    )?;
    statement.query_row([handle, COPY], |row| row.get(0))
}

/// Writes what is known of an original that is there.
fn describe(transaction: &Transaction<'_>, handle: &str, entry: &Entry<'_>) -> Result<()> {
    let mut statement = transaction.prepare_cached(
        "UPDATE recoveries SET content_type = ?2, compressor = ?3, tokens_before = ?4, tokens_after = ?5
         WHERE handle = ?1",
    )?;
    let Entry { content_type, compressor, tokens_before, tokens_after, .. } = entry;
    let row = params![handle, content_type, compressor, tokens_before, tokens_after];
    statement.execute(row).map(drop)
}

/// Whether the last use that is recorded is recent enough, or lies in the future of a clock that was put back.
pub(super) fn is_fresh(connection: &Connection, handle: &str, now: u64) -> Result<bool> {
    let mut statement =
        connection.prepare_cached("SELECT used FROM caveman_uses WHERE handle = ?1")?;
    let used: Option<i64> = statement.query_row([handle], |row| row.get(0)).optional()?;
    let used = used.map(|used| u64::try_from(used).unwrap_or_default());
    Ok(used.is_some_and(|used| used.saturating_add(FRESH_SECONDS) > now))
}

/// Records a use.
pub(super) fn touch(connection: &Connection, handle: &str, now: u64) -> Result<()> {
    let mut statement = connection
        .prepare_cached("UPDATE caveman_uses SET used = max(used, ?2) WHERE handle = ?1")?;
    statement.execute(params![handle, now])?;
    Ok(())
}

fn held_bytes(connection: &Connection) -> Result<u64> {
    let mut statement = connection.prepare_cached("SELECT n_bytes FROM caveman_totals")?;
    let held: i64 = statement.query_row([], |row| row.get(0))?;
    Ok(u64::try_from(held).unwrap_or_default())
}
