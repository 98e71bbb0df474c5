//! Opening the database and waiting for its lock: at most five seconds, whatever holds it.

use super::fault;
use super::layout;
use super::place::{self, IfAbsent, Place};
use super::{Access, StoreOptions};
use crate::host::Deadline;
use caveman_core::store::{StoreError, StoreErrorKind};
use rusqlite::{OpenFlags, Result, Transaction, TransactionBehavior};
use std::time::Duration;

pub(super) use rusqlite::Connection;

/// The busy budget: how long a call waits for other programs in all.
pub(super) const BUSY: Duration = Duration::from_secs(5);
/// Between two attempts when SQLite reports busy without having waited, as it does while the journal mode changes hands.
const PAUSE: Duration = Duration::from_millis(7);

/// An open database.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) connection: Connection,
    pub(super) place: Place,
    pub(super) access: Access,
    /// Reads one original by its handle: `original`, `content_type`, `tokens_before`.
    pub(super) select: &'static str,
}

const SELECT: &str =
    "SELECT original, content_type, tokens_before FROM recoveries WHERE handle = ?1";
/// For files of an earlier layout on read-only media, which cannot be migrated.
const SELECT_EARLIER: &str = "SELECT original, NULL, NULL FROM recoveries WHERE handle = ?1";

/// Opens the database, creates or migrates it where `options.access` permits.
pub(super) fn open(options: &StoreOptions) -> std::result::Result<Opened, StoreError> {
    let if_absent = match options.access {
        Access::ReadWrite => IfAbsent::Create,
        Access::ReadOnly => IfAbsent::Fail,
    };
    let place = place::prepare(&options.path, if_absent)?;
    let failed = |error: &rusqlite::Error| fault::of("open", &place.file, error);
    let opened = match options.access {
        Access::ReadWrite => match for_writing(&place) {
            Err(error) if cannot_write(&error) => {
                for_reading(&place).map(|connection| (connection, Access::ReadOnly))
            }
            outcome => outcome.map(|connection| (connection, Access::ReadWrite)),
        },
        Access::ReadOnly => for_reading(&place).map(|connection| (connection, Access::ReadOnly)),
    };
    let (connection, access) = opened.map_err(|error| failed(&error))?;
    if !place.is_unchanged() {
        let detail = format!(
            "the recovery store {} was replaced while it was opened; try again",
            place.file.display()
        );
        return Err(StoreError::new(StoreErrorKind::Unavailable, detail));
    }
    let is_whole = layout::missing_columns(&connection).map_err(|error| failed(&error))?.is_empty();
    let select = if is_whole { SELECT } else { SELECT_EARLIER };
    Ok(Opened { connection, place, access, select })
}

fn for_writing(place: &Place) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let mut connection = Connection::open_with_flags(&place.file, flags)?;
    connection.busy_timeout(BUSY)?;
    within_budget(&connection, |connection| {
        // The answer is the mode that holds now: a rollback journal where the file system has no shared memory.
        connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get::<_, String>(0))
    })?;
    // In WAL mode NORMAL loses nothing when a process dies, whenever it dies; only a loss of power may take back the last commits.
    connection.execute_batch("PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 4194304")?;
    if !within_budget(&connection, layout::is_current)? {
        layout::migrate(&mut connection)?;
    }
    Ok(connection)
}

fn for_reading(place: &Place) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let connection = Connection::open_with_flags(&place.file, flags)?;
    connection.busy_timeout(BUSY)?;
    let is_readable = |connection: &Connection| {
        connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get::<_, u64>(0))
    };
    let Err(error) = within_budget(&connection, is_readable) else { return Ok(connection) };
    // WAL needs a shared-memory file beside the database. Where none can be made nobody can write either, and the file may
    // be read as it is, unless commits still wait in the log.
    let mut log = place.file.clone().into_os_string();
    log.push("-wal");
    let has_log = std::fs::metadata(log).is_ok_and(|found| found.len() > 0);
    if has_log || !cannot_write(&error) {
        return Err(error);
    }
    let uri = format!("file:{}?immutable=1", escaped(&place.file.to_string_lossy()));
    let connection = Connection::open_with_flags(uri, flags | OpenFlags::SQLITE_OPEN_URI)?;
    is_readable(&connection)?;
    Ok(connection)
}

/// Whether the failure is that of media or a folder that cannot be written.
fn cannot_write(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{CannotOpen, PermissionDenied, ReadOnly};
    matches!(error.sqlite_error_code(), Some(CannotOpen | PermissionDenied | ReadOnly))
}

/// A path in a `file:` URI: SQLite reads `%`, `?` and `#` in one.
fn escaped(path: &str) -> String {
    path.replace('%', "%25").replace('?', "%3f").replace('#', "%23")
}

/// Runs `work` in a transaction that holds the write lock from the start, and commits it.
///
/// The lock is asked for again every millisecond or so. SQLite's own waiting backs off to a tenth of a second, so that
/// among many writers whoever has waited longest asks least often: with 16 of them one starved for the whole budget.
pub(super) fn immediately<T>(
    connection: &mut Connection,
    mut work: impl FnMut(&Transaction<'_>) -> Result<T>,
) -> Result<T> {
    let deadline = Deadline::after(BUSY);
    let outcome = loop {
        connection.busy_timeout(Duration::ZERO)?;
        let attempt = connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .and_then(|transaction| {
                // Where there is no WAL a commit waits for readers, who need more than a moment.
                transaction.busy_timeout(deadline.left())?;
                let done = work(&transaction)?;
                transaction.commit()?;
                Ok(done)
            });
        match attempt {
            Err(error) if fault::is_busy(&error) && !deadline.left().is_zero() => {
                std::thread::sleep(nap(deadline));
            }
            outcome => break outcome,
        }
    };
    connection.busy_timeout(BUSY)?;
    outcome
}

/// From 0.3 to 1.3 ms, by the clock's last digits: processes that were refused together do not come back together.
fn nap(deadline: Deadline) -> Duration {
    let micros = deadline.left().subsec_nanos() / 7 % 1000;
    Duration::from_micros(300 + u64::from(micros)).min(deadline.left())
}

/// Runs a read until it is not busy, within the same budget.
pub(super) fn within_budget<T>(
    connection: &Connection,
    mut read: impl FnMut(&Connection) -> Result<T>,
) -> Result<T> {
    let deadline = Deadline::after(BUSY);
    loop {
        match read(connection) {
            Err(error) if fault::is_busy(&error) && pause(connection, deadline)? => {}
            outcome => {
                connection.busy_timeout(BUSY)?;
                return outcome;
            }
        }
    }
}

/// Waits a little and lets SQLite's own waiting end with the deadline; `false` when it has passed.
fn pause(connection: &Connection, deadline: Deadline) -> Result<bool> {
    std::thread::sleep(PAUSE.min(deadline.left()));
    let left = deadline.left();
    if left.is_zero() {
        return Ok(false);
    }
    connection.busy_timeout(left)?;
    Ok(true)
}
