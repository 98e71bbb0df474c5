//! The durable recovery store: SQLite, in a file that other programs of this ecosystem read and write too.
//!
//! Nothing is opened before the first call that needs it, so that a server which never compresses never touches the disk.
//! A store that cannot be opened answers each call with the cause, and tries again at the next: the server lives on.

pub(crate) mod connect;
pub(crate) mod fault;
mod get;
mod layout;
mod loose;
pub(crate) mod place;
mod prune;
mod purge;
mod put;
mod verify;

pub use prune::Pruned;
pub use verify::Findings;

use crate::host::SystemHost;
use crate::log;
use crate::settings::Settings;
use caveman_core::host::Host;
use caveman_core::memory::CopyStore;
use caveman_core::store::{
    Entry, MemoryStore, RecoveryStore, Reference, StoreError, StoreErrorKind, StoreInfo, Stored,
};
use connect::Opened;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// How a store is opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreOptions {
    /// The database.
    pub path: PathBuf,
    /// Bytes of originals that are kept; 0 for no limit. Default: 512 MiB.
    pub limit_bytes: u64,
    /// Originals untouched for so many days may be pruned; 0 for never. Default: 30.
    pub retention_days: u64,
    /// Whether the disk may be changed. Default: it may.
    pub access: Access,
}

/// Whether a store changes the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Creates, migrates, writes.
    ReadWrite,
    /// Only reads what is there.
    ReadOnly,
}

impl StoreOptions {
    /// The default budget and retention, with the database at `path`.
    pub fn at(path: impl Into<PathBuf>) -> StoreOptions {
        StoreOptions {
            path: path.into(),
            limit_bytes: crate::settings::DEFAULT_MAX_BYTES,
            retention_days: crate::settings::DEFAULT_RETENTION_DAYS,
            access: Access::ReadWrite,
        }
    }
}

/// How long the process that asks for a store will be there to give originals back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifetime {
    /// A server: originals in memory are there as long as anybody asks.
    Session,
    /// One command: what is not on disk when it ends is lost.
    Command,
}

/// The store that the settings ask for: SQLite, or in memory, or none where memory would lose what it is given.
pub fn of(settings: &Settings, lifetime: Lifetime) -> Box<dyn CopyStore> {
    if settings.ephemeral {
        return match lifetime {
            Lifetime::Session => Box::new(MemoryStore::with_limit(settings.max_bytes)),
            Lifetime::Command => Box::new(NoStore(StoreError::new(
                StoreErrorKind::Unavailable,
                "CAVEMAN_MCP_EPHEMERAL keeps originals in a server's memory only; unset it to use this command",
            ))),
        };
    }
    match SqliteStore::of(settings, Access::ReadWrite) {
        Ok(store) => Box::new(store),
        Err(cause) => Box::new(NoStore(cause)),
    }
}

/// What originals of one kind cost, and what their outputs do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokensOfKind {
    /// The kind as it was recorded; programs that share the file may write others than ours.
    pub name: String,
    /// How many are kept.
    pub n_originals: u64,
    /// Tokens of the originals.
    pub before: u64,
    /// Tokens of the outputs.
    pub after: u64,
}

/// Originals in SQLite.
#[derive(Debug)]
pub struct SqliteStore {
    options: StoreOptions,
    opened: Option<Opened>,
    /// Why the last put was refused; `None` after one that went well.
    refusal: Option<StoreError>,
    /// The time of the last call that told it.
    now_ms: Option<u64>,
}

impl SqliteStore {
    /// A store that opens its database at the first call.
    pub fn new(options: StoreOptions) -> SqliteStore {
        SqliteStore { options, opened: None, refusal: None, now_ms: None }
    }

    /// The same, with the place and the limits that the settings name. Fails when they name no place.
    pub fn of(settings: &Settings, access: Access) -> Result<SqliteStore, StoreError> {
        let path = settings.recovery_db().ok_or_else(|| {
            StoreError::new(
                StoreErrorKind::Unavailable,
                "there is no home folder for the recovery store: set CAVEMAN_HOME or CAVEMAN_CCR_DB",
            )
        })?;
        Ok(SqliteStore::new(StoreOptions {
            path,
            limit_bytes: settings.max_bytes,
            retention_days: settings.retention_days,
            access,
        }))
    }

    /// The database.
    pub fn path(&self) -> &Path {
        &self.options.path
    }

    /// Whether there is a database yet.
    pub fn exists(&self) -> bool {
        self.options.path.symlink_metadata().is_ok()
    }

    /// Whether there is none. Both are false where the system does not tell.
    fn is_absent(&self) -> bool {
        let found = self.options.path.symlink_metadata();
        found.is_err_and(|error| error.kind() == ErrorKind::NotFound)
    }

    /// Prunes originals that were not used for `days` days, and gives the disk back what they took.
    pub fn prune(&mut self, days: u64, now_ms: u64) -> Result<Pruned, StoreError> {
        let opened = self.opened()?.writable()?;
        let pruned = prune::older_than(&mut opened.connection, days, now_ms)
            .map_err(|error| fault::of("prune", &opened.place, &error))?;
        if pruned.n_entries > 0
            && let Err(error) =
                opened.connection.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
        {
            // They are gone all the same, and new originals take their place in the file.
            let error = fault::of("shrink", &opened.place, &error);
            log::warn(format_args!("pruned, but {error}"));
        }
        Ok(pruned)
    }

    /// What [`SqliteStore::prune`] would prune.
    pub fn would_prune(&mut self, days: u64, now_ms: u64) -> Result<Pruned, StoreError> {
        let opened = self.opened()?;
        prune::would_prune(&opened.connection, days, now_ms)
            .map_err(|error| fault::of("read", &opened.place, &error))
    }

    /// Reads every original and checks its hash, the file, and the running total.
    pub fn verify(&mut self) -> Result<Findings, StoreError> {
        verify::verify(self.opened()?)
    }

    /// Tokens of all originals ever stored and of their outputs, as recorded.
    pub fn tokens_ever(&mut self) -> Result<(u64, u64), StoreError> {
        let opened = self.opened()?;
        opened
            .connection
            .query_row("SELECT tokens_before, tokens_after FROM caveman_totals", [], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .map_err(|error| fault::of("read the totals of", &opened.place, &error))
    }

    /// Tokens of the originals that are kept, and of their outputs, by kind; what saved most first.
    pub fn tokens_by_kind(&mut self) -> Result<Vec<TokensOfKind>, StoreError> {
        let opened = self.opened()?;
        let rows = opened
            .connection
            .prepare(
                "SELECT COALESCE(content_type, ''), COUNT(*), COALESCE(SUM(tokens_before), 0), COALESCE(SUM(tokens_after), 0)
                 FROM recoveries GROUP BY 1 ORDER BY 3 - 4 DESC, 1",
            )
            .and_then(|mut statement| {
                let of = |row: &rusqlite::Row<'_>| {
                    let (name, n_originals) = (row.get(0)?, row.get(1)?);
                    Ok(TokensOfKind { name, n_originals, before: row.get(2)?, after: row.get(3)? })
                };
                statement.query_map([], of)?.collect()
            });
        rows.map_err(|error| fault::of("read the kinds of", &opened.place, &error))
    }

    /// The open database. Opened anew when the file was deleted or replaced under us: what is written to a file without a
    /// name is lost when the process ends.
    fn opened(&mut self) -> Result<&mut Opened, StoreError> {
        let kept = self.opened.take().filter(|opened| opened.place.is_unchanged());
        let opened = match kept {
            Some(opened) => opened,
            None => connect::open(&self.options.path, self.options.access, &layout::DATABASE)?,
        };
        Ok(self.opened.insert(opened))
    }

    fn try_put(&mut self, entry: &Entry<'_>, now_ms: u64) -> Result<(), StoreError> {
        let options = self.options.clone();
        let opened = self.opened()?.writable()?;
        match put::put(&mut opened.connection, &options, entry, now_ms) {
            Ok(put::Outcome::Kept) => Ok(()),
            Ok(put::Outcome::NoRoom { held }) => Err(no_room(&options, held, entry.original.len())),
            Err(error) => {
                let failure = fault::of("write to", &opened.place, &error);
                if fault::is_lasting(&error) {
                    self.opened = None;
                }
                Err(failure)
            }
        }
    }

    fn try_info(&mut self) -> Result<StoreInfo, StoreError> {
        let options = self.options.clone();
        let refusal = self.refusal.clone();
        let limit_bytes = options.limit_bytes;
        let now_ms = self.now_ms.unwrap_or_else(|| SystemHost.now_ms());
        if self.is_absent() {
            // Nothing is created in order to look.
            refusal.map_or(Ok(()), Err)?;
            if options.access == Access::ReadWrite {
                place::check_absent(&options.path, &layout::DATABASE.name)?;
            }
            let state = "ok".to_owned();
            return Ok(StoreInfo { kind: "sqlite", entries: 0, bytes: 0, limit_bytes, state });
        }
        let opened = self.opened()?;
        let (entries, bytes) = layout::totals(&opened.connection)
            .map_err(|error| fault::of("read the totals of", &opened.place, &error))?;
        let state = match refusal {
            Some(error) => error.to_string(),
            None if opened.access == Access::ReadOnly && options.access == Access::ReadWrite => {
                "read-only: originals can be retrieved, none can be added".to_owned()
            }
            None if is_full(opened, &options, bytes, now_ms)? => full(&options, bytes),
            None => "ok".to_owned(),
        };
        Ok(StoreInfo { kind: "sqlite", entries, bytes, limit_bytes, state })
    }
}

impl RecoveryStore for SqliteStore {
    fn put(&mut self, entry: &Entry<'_>, now_ms: u64) -> Result<(), StoreError> {
        self.now_ms = Some(now_ms);
        let outcome = self.try_put(entry, now_ms);
        self.refusal = outcome.clone().err();
        outcome
    }

    fn get(&mut self, reference: &Reference, now_ms: u64) -> Result<Stored, StoreError> {
        self.now_ms = Some(now_ms);
        get::get(self.opened()?, reference, now_ms)
    }

    fn info(&mut self) -> StoreInfo {
        self.try_info().unwrap_or_else(|cause| none(&cause))
    }
}

impl CopyStore for SqliteStore {
    fn purge(&mut self, original: &str) -> Result<(), StoreError> {
        if !self.exists() {
            return Ok(());
        }
        let opened = self.opened()?.writable()?;
        purge::purge(opened, original.as_bytes())
            .map_err(|error| fault::of("purge from", &opened.place, &error))
    }
}

/// A store that never was: there is no place for one.
#[derive(Debug)]
struct NoStore(StoreError);

impl RecoveryStore for NoStore {
    fn put(&mut self, _entry: &Entry<'_>, _now_ms: u64) -> Result<(), StoreError> {
        Err(self.0.clone())
    }

    fn get(&mut self, _reference: &Reference, _now_ms: u64) -> Result<Stored, StoreError> {
        Err(self.0.clone())
    }

    fn info(&mut self) -> StoreInfo {
        none(&self.0)
    }
}

impl CopyStore for NoStore {
    /// Where nothing can be put there is nothing to take back.
    fn purge(&mut self, _original: &str) -> Result<(), StoreError> {
        Ok(())
    }
}

fn none(cause: &StoreError) -> StoreInfo {
    StoreInfo { kind: "none", entries: 0, bytes: 0, limit_bytes: 0, state: cause.to_string() }
}

/// Whether the last twentieth of the budget is in use and nothing may be pruned: said before the first original is refused.
fn is_full(
    opened: &Opened,
    options: &StoreOptions,
    bytes: u64,
    now_ms: u64,
) -> Result<bool, StoreError> {
    let is_near =
        options.limit_bytes > 0 && bytes >= options.limit_bytes - options.limit_bytes / 20;
    let may_prune = || prune::is_possible(&opened.connection, options, now_ms);
    let may_prune = is_near.then(may_prune).transpose();
    let may_prune = may_prune.map_err(|error| fault::of("read", &opened.place, &error))?;
    Ok(may_prune == Some(false))
}

fn full(options: &StoreOptions, held: u64) -> String {
    let StoreOptions { limit_bytes, retention_days, .. } = options;
    let why = match retention_days {
        0 => "CAVEMAN_CCR_RETENTION_DAYS=0 forbids pruning".to_owned(),
        days => format!("nothing in it is unused for {days} days"),
    };
    format!(
        "full: {held} of {limit_bytes} bytes and {why}; raise CAVEMAN_CCR_MAX_BYTES or run `caveman-mcp store prune`"
    )
}

fn no_room(options: &StoreOptions, held: u64, n_bytes: usize) -> StoreError {
    let detail = if n_bytes as u64 > options.limit_bytes {
        format!(
            "an original of {n_bytes} bytes is larger than the whole recovery store may be ({} bytes)",
            options.limit_bytes
        )
    } else {
        format!("no room for {n_bytes} bytes, the recovery store is {}", full(options, held))
    };
    StoreError::new(StoreErrorKind::Full, detail)
}

/// Milliseconds as whole seconds.
fn seconds(ms: u64) -> u64 {
    ms / 1000
}
