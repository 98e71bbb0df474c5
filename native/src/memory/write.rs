//! Changing lineages: each change is one transaction, so that another process, or the next one after a crash, sees all of it
//! or nothing.

use super::index::{self, Indexer};
use super::read;
use crate::host::rfc3339;
use crate::store::connect::{Connection, empty_log, within_budget};
use caveman_core::memory::{Memory, MemoryError, MemoryErrorKind, Remembered, Status, new_id};
use rusqlite::{Result, Transaction, params};

/// Writes a new memory, or finds the current one that holds the text.
pub(super) fn remember(
    transaction: &Transaction<'_>,
    text: &str,
    now_ms: u64,
) -> Result<Remembered> {
    let mut indexer = Indexer::new(transaction)?;
    let remembered = remember_among(transaction, &mut indexer, text, now_ms)?;
    indexer.finish()?;
    Ok(remembered)
}

/// The same as one of many that are indexed together.
pub(super) fn remember_among(
    transaction: &Transaction<'_>,
    indexer: &mut Indexer<'_>,
    text: &str,
    now_ms: u64,
) -> Result<Remembered> {
    match read::known(transaction, text)? {
        Some(known) => Ok(known),
        None => add(transaction, indexer, text, None, now_ms),
    }
}

/// Puts `text` in the place of the current memory `id`.
pub(super) fn supersede(
    transaction: &Transaction<'_>,
    id: &str,
    text: &str,
    now_ms: u64,
) -> Result<std::result::Result<Remembered, MemoryError>> {
    let Some(old) = read::version(transaction, id)? else {
        return Ok(Err(MemoryError::unknown(id)));
    };
    if !old.is_current() {
        let instead = match &old.superseded_by {
            Some(next) => format!("it was superseded by {next}; see its history"),
            None => "its lineage has ended; remember the text anew".to_owned(),
        };
        let detail = format!("{id} is not current: {instead}");
        return Ok(Err(MemoryError::new(MemoryErrorKind::NotCurrent, detail)));
    }
    if old.text == text {
        let Memory { id, created_at, supersedes, .. } = old;
        return Ok(Ok(Remembered { id, created_at, supersedes, status: Status::Known }));
    }
    let mut indexer = Indexer::new(transaction)?;
    let new = add(transaction, &mut indexer, text, Some(id), now_ms)?;
    indexer.finish()?;
    let mut end = transaction
        .prepare_cached("UPDATE memories SET valid_until = ?2, superseded_by = ?3 WHERE id = ?1")?;
    end.execute(params![id, rfc3339(now_ms), new.id])?;
    index::remove(transaction, id, &old.text)?;
    Ok(Ok(new))
}

/// Writes a current version.
fn add(
    transaction: &Transaction<'_>,
    indexer: &mut Indexer<'_>,
    text: &str,
    supersedes: Option<&str>,
    now_ms: u64,
) -> Result<Remembered> {
    let mut id = new_id(text, now_ms, 0);
    for attempt in 1.. {
        if read::version(transaction, &id)?.is_none() {
            break;
        }
        id = new_id(text, now_ms, attempt);
    }
    let now = rfc3339(now_ms);
    let memory = Memory {
        id,
        text: text.to_owned(),
        created_at: Some(now.clone()),
        valid_from: Some(now),
        supersedes: supersedes.map(str::to_owned),
        ..Memory::default()
    };
    insert(transaction, &memory)?;
    indexer.add(&memory.id, text)?;
    let Memory { id, created_at, supersedes, .. } = memory;
    Ok(Remembered { id, created_at, supersedes, status: Status::Stored })
}

/// Writes one row, as it is.
pub(super) fn insert(transaction: &Transaction<'_>, memory: &Memory) -> Result<()> {
    let mut statement = transaction.prepare_cached(
        "INSERT INTO memories (id, text, created_at, valid_from, valid_until, supersedes, superseded_by)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    statement.execute(params![
        memory.id,
        memory.text,
        memory.created_at,
        memory.valid_from,
        memory.valid_until,
        memory.supersedes,
        memory.superseded_by,
    ])?;
    Ok(())
}

/// The version `id`, and whether another one holds the same text.
pub(super) fn to_forget(connection: &Connection, id: &str) -> Result<(Option<Memory>, bool)> {
    let version = read::version(connection, id)?;
    let is_shared = match &version {
        Some(version) => connection.query_row(
            "SELECT EXISTS (SELECT 1 FROM memories WHERE text = ?1 AND id <> ?2)",
            params![version.text, id],
            |row| row.get(0),
        )?,
        None => false,
    };
    Ok((version, is_shared))
}

/// Deletes one version and ties its neighbours together. What was superseded stays so: an old version whose successor is gone
/// has no successor, and is not current.
pub(super) fn forget(transaction: &Transaction<'_>, id: &str) -> Result<()> {
    let Some(version) = read::version(transaction, id)? else { return Ok(()) };
    let Memory { text, supersedes, superseded_by, .. } = &version;
    transaction.execute("DELETE FROM memories WHERE id = ?1", [id])?;
    if let Some(previous) = supersedes {
        transaction.execute(
            "UPDATE memories SET superseded_by = ?2,
                valid_until = coalesce(valid_until, valid_from, created_at, '')
             WHERE id = ?1 AND superseded_by = ?3",
            params![previous, superseded_by, id],
        )?;
    }
    if let Some(next) = superseded_by {
        transaction.execute(
            "UPDATE memories SET supersedes = ?2 WHERE id = ?1 AND supersedes = ?3",
            params![next, supersedes, id],
        )?;
    }
    index::remove(transaction, id, text)?;
    transaction.execute("UPDATE cavemem_state SET has_traces = 1", []).map(drop)
}

/// Writes the file anew and empties the log where something was forgotten since that was done last. Overwriting alone leaves
/// copies where SQLite has moved rows between pages before.
pub(super) fn clean(connection: &Connection) -> Result<()> {
    let has_traces = "SELECT has_traces FROM cavemem_state";
    let has_traces: bool = within_budget(connection, |connection| {
        connection.query_row(has_traces, [], |row| row.get(0))
    })?;
    if !has_traces {
        return Ok(());
    }
    within_budget(connection, |connection| connection.execute_batch("VACUUM"))?;
    empty_log(connection)?;
    within_budget(connection, |connection| {
        connection.execute_batch("UPDATE cavemem_state SET has_traces = 0")
    })
}
