//! Making room: originals that nobody used for the retention time go, oldest first, each leaving a tombstone, so that a
//! later retrieve can say when it went instead of that it never was.

use super::connect::{Connection, immediately};
use super::{StoreOptions, seconds};
use crate::host::rfc3339;
use rusqlite::{Result, Transaction, params};

const DAY_SECONDS: u64 = 24 * 60 * 60;
/// Tombstones are kept so many days: our choice; a transcript older than a year is not continued.
const TOMBSTONE_DAYS: u64 = 400;

/// What a pruning did, or would do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Originals.
    pub n_entries: u64,
    /// Their size in bytes.
    pub n_bytes: u64,
}

/// Prunes at least `excess` bytes; `false`, with nothing pruned, when too little is old enough.
pub(super) fn free(
    transaction: &Transaction<'_>,
    options: &StoreOptions,
    excess: u64,
    now_ms: u64,
) -> Result<bool> {
    let Some(cutoff) = cutoff(options.retention_days, now_ms) else { return Ok(false) };
    let mut freed = 0_u64;
    let mut handles = Vec::new();
    {
        let mut statement = transaction.prepare_cached(
            "SELECT handle, n_bytes FROM caveman_uses WHERE used < ?1 ORDER BY used, handle",
        )?;
        let mut rows = statement.query([cutoff])?;
        while freed < excess
            && let Some(row) = rows.next()?
        {
            handles.push(row.get::<_, String>(0)?);
            freed = freed.saturating_add(row.get(1)?);
        }
    }
    if freed < excess {
        return Ok(false);
    }
    handles.iter().try_for_each(|handle| bury(transaction, handle, now_ms))?;
    Ok(true)
}

/// Prunes everything that was not used for `days` days.
pub(super) fn older_than(connection: &mut Connection, days: u64, now_ms: u64) -> Result<Pruned> {
    // Not `cutoff`: here 0 days was asked for in so many words and means everything.
    let cutoff =
        seconds(now_ms).saturating_sub(days.saturating_mul(DAY_SECONDS)) + u64::from(days == 0);
    immediately(connection, |transaction| {
        let pruned = count_before(transaction, cutoff)?;
        let handles = {
            let mut statement =
                transaction.prepare("SELECT handle FROM caveman_uses WHERE used < ?1")?;
            let handles = statement.query_map([cutoff], |row| row.get::<_, String>(0))?;
            handles.collect::<Result<Vec<_>>>()?
        };
        handles.iter().try_for_each(|handle| bury(transaction, handle, now_ms))?;
        let forgotten = now_ms.saturating_sub(TOMBSTONE_DAYS * DAY_SECONDS * 1000);
        transaction.execute(
            "DELETE FROM caveman_tombstones WHERE expired_at < ?1",
            [rfc3339(forgotten)],
        )?;
        Ok(pruned)
    })
}

/// What [`older_than`] would prune.
pub(super) fn would_prune(connection: &Connection, days: u64, now_ms: u64) -> Result<Pruned> {
    let cutoff =
        seconds(now_ms).saturating_sub(days.saturating_mul(DAY_SECONDS)) + u64::from(days == 0);
    count_before(connection, cutoff)
}

/// Whether at least one original may be pruned.
pub(super) fn is_possible(
    connection: &Connection,
    options: &StoreOptions,
    now_ms: u64,
) -> Result<bool> {
    let Some(cutoff) = cutoff(options.retention_days, now_ms) else { return Ok(false) };
    connection.query_row(
        "SELECT EXISTS (SELECT 1 FROM caveman_uses WHERE used < ?1)",
        [cutoff],
        |row| row.get(0),
    )
}

/// Seconds since the epoch before which a last use makes an original prunable; `None` when nothing ever is.
fn cutoff(retention_days: u64, now_ms: u64) -> Option<u64> {
    (retention_days > 0)
        .then(|| seconds(now_ms).saturating_sub(retention_days.saturating_mul(DAY_SECONDS)))
}

fn count_before(connection: &Connection, cutoff: u64) -> Result<Pruned> {
    connection.query_row(
        "SELECT count(*), coalesce(sum(n_bytes), 0) FROM caveman_uses WHERE used < ?1",
        [cutoff],
        |row| Ok(Pruned { n_entries: row.get(0)?, n_bytes: row.get(1)? }),
    )
}

/// Deletes one original and leaves its tombstone. The triggers keep the totals.
fn bury(transaction: &Transaction<'_>, handle: &str, now_ms: u64) -> Result<()> {
    let mut tombstone = transaction.prepare_cached(
        "INSERT OR REPLACE INTO caveman_tombstones (handle, created_at, expired_at)
         SELECT handle, created_at, ?2 FROM recoveries WHERE handle = ?1",
    )?;
    tombstone.execute(params![handle, rfc3339(now_ms)])?;
    let mut delete = transaction.prepare_cached("DELETE FROM recoveries WHERE handle = ?1")?;
    delete.execute([handle])?;
    Ok(())
}
