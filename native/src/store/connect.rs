//! Opening the database and waiting for its lock: at most five seconds, whatever holds it.

use super::Access;
use super::fault;
use super::place::{self, IfAbsent, Place};
use crate::host::Deadline;
use caveman_core::store::{StoreError, StoreErrorKind};
use rusqlite::{OpenFlags, Result, Transaction, TransactionBehavior};
use std::path::Path;
use std::time::Duration;

pub(crate) use rusqlite::Connection;

/// The busy budget: how long a call waits for other programs in all.
pub(crate) const BUSY: Duration = Duration::from_secs(5);
/// Between two attempts when SQLite reports busy without having waited, as it does while the journal mode changes hands.
const PAUSE: Duration = Duration::from_millis(7);

/// What a database of ours is: its name, and how a file is brought to what the code counts on.
#[derive(Debug)]
pub(crate) struct Database {
    pub(crate) name: place::Name,
    /// Run on every connection that may write, after `journal_mode = WAL`.
    pub(crate) pragmas: &'static str,
    /// Whether everything that the code counts on is there.
    pub(crate) is_current: fn(&Connection) -> Result<bool>,
    /// Creates what is missing, in one transaction.
    pub(crate) migrate: fn(&mut Connection) -> Result<()>,
}

/// An open database.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) connection: Connection,
    pub(crate) place: Place,
    pub(crate) access: Access,
    /// Whether its layout is that of this build; on read-only media an earlier one cannot be migrated.
    pub(crate) is_current: bool,
}

impl Opened {
    /// This database, if it may be written.
    pub(crate) fn writable(&mut self) -> std::result::Result<&mut Opened, StoreError> {
        if self.access == Access::ReadWrite {
            return Ok(self);
        }
        let (noun, file) = (self.place.name.noun, self.place.file.display());
        let detail = format!("the {noun} {file} lies where nothing can be written");
        Err(StoreError::new(StoreErrorKind::Unavailable, detail))
    }
}

/// Opens the database at `path`, creates or migrates it where `access` permits.
pub(crate) fn open(
    path: &Path,
    access: Access,
    database: &'static Database,
) -> std::result::Result<Opened, StoreError> {
    let if_absent = match access {
        Access::ReadWrite => IfAbsent::Create,
        Access::ReadOnly => IfAbsent::Fail,
    };
    let place = place::prepare(path, if_absent, &database.name)?;
    let failed = |error: &rusqlite::Error| fault::of("open", &place, error);
    let opened = match access {
        Access::ReadWrite => match for_writing(&place, database) {
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
            "the {} {} was replaced while it was opened; try again",
            database.name.noun,
            place.file.display()
        );
        return Err(StoreError::new(StoreErrorKind::Unavailable, detail));
    }
    let is_current = access == Access::ReadWrite
        || within_budget(&connection, database.is_current).map_err(|error| failed(&error))?;
    Ok(Opened { connection, place, access, is_current })
}

/// A database that touches no disk and ends with its connection.
pub(crate) fn open_in_memory(
    database: &'static Database,
) -> std::result::Result<Opened, StoreError> {
    let place = Place::nowhere(&database.name);
    let opened = Connection::open_in_memory().and_then(|mut connection| {
        connection.execute_batch(database.pragmas)?;
        (database.migrate)(&mut connection)?;
        Ok(connection)
    });
    let connection = opened.map_err(|error| fault::of("open", &place, &error))?;
    Ok(Opened { connection, place, access: Access::ReadWrite, is_current: true })
}

/// Moves everything from the write-ahead log into the database and empties the log, waiting for readers of other processes.
pub(crate) fn empty_log(connection: &Connection) -> Result<()> {
    within_budget(connection, |connection| {
        let is_blocked: bool =
            connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
        if is_blocked {
            let busy = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY);
            return Err(rusqlite::Error::SqliteFailure(busy, None));
        }
        Ok(())
    })
}

fn for_writing(place: &Place, database: &Database) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let mut connection = Connection::open_with_flags(&place.file, flags)?;
    connection.busy_timeout(BUSY)?;
    within_budget(&connection, |connection| {
        // The answer is the mode that holds now: a rollback journal where the file system has no shared memory.
        connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get::<_, String>(0))
    })?;
    connection.execute_batch("PRAGMA journal_size_limit = 4194304")?;
    connection.execute_batch(database.pragmas)?;
    if !within_budget(&connection, database.is_current)? {
        (database.migrate)(&mut connection)?;
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
pub(crate) fn immediately<T>(
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
pub(crate) fn within_budget<T>(
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
