//! The durable memories: SQLite, in a file of its own beside the recovery store.
//!
//! Like the recovery store nothing is opened before the first call that needs it, and a store that cannot be opened answers
//! each call with the cause and tries again at the next.

mod index;
mod layout;
mod read;
mod transfer;
mod write;

pub use transfer::Transferred;

use crate::log;
use crate::settings::Settings;
use crate::store::connect::{self, Opened, immediately, within_budget};
use crate::store::{Access, fault};
use caveman_core::memory::{
    Memories, Memory, MemoryError, MemoryInfo, Remembered, Snapshot, lineage,
};
use caveman_core::store::{StoreError, StoreErrorKind};
use rusqlite::{Result as SqlResult, Row};
use std::path::{Path, PathBuf};

/// Memories in SQLite.
#[derive(Debug)]
pub struct SqliteMemories {
    place: Where,
    opened: Option<Opened>,
}

/// Where memories are.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Where {
    File(PathBuf),
    Memory,
    Nowhere,
}

impl SqliteMemories {
    /// Memories in the file `path`, opened at the first call.
    pub fn at(path: impl Into<PathBuf>) -> SqliteMemories {
        SqliteMemories { place: Where::File(path.into()), opened: None }
    }

    /// Memories that touch no disk and end with the process.
    pub fn in_memory() -> SqliteMemories {
        SqliteMemories { place: Where::Memory, opened: None }
    }

    /// Those that the settings name. Where they name no place, each call says so.
    pub fn of(settings: &Settings) -> SqliteMemories {
        let place = match settings.memory_db() {
            _ if settings.ephemeral => Where::Memory,
            Some(path) => Where::File(path),
            None => Where::Nowhere,
        };
        SqliteMemories { place, opened: None }
    }

    /// The database, where there is a file.
    pub fn path(&self) -> Option<&Path> {
        match &self.place {
            Where::File(path) => Some(path),
            Where::Memory | Where::Nowhere => None,
        }
    }

    /// The open database; opened anew when the file was deleted or replaced under us.
    fn opened(&mut self) -> Result<&mut Opened, StoreError> {
        let is_there = |opened: &Opened| self.place == Where::Memory || opened.place.is_unchanged();
        let opened = match self.opened.take().filter(is_there) {
            Some(opened) => opened,
            None => {
                let mut opened = match &self.place {
                    Where::File(path) => connect::open(path, Access::ReadWrite, &layout::DATABASE)?,
                    Where::Memory => connect::open_in_memory(&layout::DATABASE)?,
                    Where::Nowhere => {
                        let detail =
                            "there is no home folder for the memory store: set CAVEMAN_HOME";
                        return Err(StoreError::new(StoreErrorKind::Unavailable, detail));
                    }
                };
                if opened.access == Access::ReadWrite {
                    finish_forgetting(&mut opened);
                }
                opened
            }
        };
        Ok(self.opened.insert(opened))
    }

    /// Runs `work` in one transaction that may write.
    fn write<T>(
        &mut self,
        what: &str,
        work: impl FnMut(&rusqlite::Transaction<'_>) -> SqlResult<T>,
    ) -> Result<T, StoreError> {
        let opened = self.opened()?.writable()?;
        let (failure, is_lasting) = match immediately(&mut opened.connection, work) {
            Ok(done) => return Ok(done),
            Err(error) => (fault::of(what, &opened.place, &error), fault::is_lasting(&error)),
        };
        if is_lasting && self.place != Where::Memory {
            self.opened = None;
        }
        Err(failure)
    }

    /// Runs a read.
    fn read<T>(
        &mut self,
        work: impl FnMut(&rusqlite::Connection) -> SqlResult<T>,
    ) -> Result<T, StoreError> {
        let opened = self.readable()?;
        within_budget(&opened.connection, work)
            .map_err(|error| fault::of("read from", &opened.place, &error))
    }

    fn readable(&mut self) -> Result<&mut Opened, StoreError> {
        let opened = self.opened()?;
        if !opened.is_current {
            let file = opened.place.file.display();
            let detail = format!(
                "the memory store {file} has an earlier layout and lies where nothing can be written"
            );
            return Err(StoreError::new(StoreErrorKind::Unavailable, detail));
        }
        Ok(opened)
    }

    /// Current memories, the newest first, at most `limit`; with old versions where `All`.
    pub fn list(&mut self, which: Which, limit: u64) -> Result<Vec<Memory>, MemoryError> {
        Ok(self.read(|connection| read::list(connection, which, limit))?)
    }

    /// Calls `each` for every version, in the order in which they were written.
    pub fn export(&mut self, each: &mut dyn FnMut(Memory)) -> Result<(), MemoryError> {
        Ok(self.read(|connection| read::all(connection, each))?)
    }

    /// Takes in what an export gave, all of it or, when one line is wrong, nothing.
    pub fn import(&mut self, lines: &[Memory], now_ms: u64) -> Result<Transferred, MemoryError> {
        self.write("write to", |transaction| transfer::import(transaction, lines, now_ms))?
    }

    /// The text whose handle this is, from the memories themselves.
    pub fn text_of(
        &mut self,
        handle: caveman_core::store::Handle,
    ) -> Result<Option<String>, MemoryError> {
        Ok(self.read(|connection| read::text_of(connection, handle))?)
    }
}

/// Which versions are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Current memories.
    Current,
    /// Every version.
    All,
}

impl Memories for SqliteMemories {
    fn remember(&mut self, text: &str, now_ms: u64) -> Result<Remembered, MemoryError> {
        // An agent says the same on many days: that costs one read and takes no lock.
        if let Some(known) = self.read(|connection| read::known(connection, text))? {
            return Ok(known);
        }
        Ok(self.write("write to", |transaction| write::remember(transaction, text, now_ms))?)
    }

    fn supersede(&mut self, id: &str, text: &str, now_ms: u64) -> Result<Remembered, MemoryError> {
        self.write("write to", |transaction| write::supersede(transaction, id, text, now_ms))?
    }

    fn history(&mut self, id: &str) -> Result<Vec<Memory>, MemoryError> {
        let moment = read::Moment::of(self.readable()?)?;
        lineage(id, |id| moment.version(id))
    }

    fn forget(
        &mut self,
        id: &str,
        purge: &mut dyn FnMut(&str) -> Result<(), StoreError>,
    ) -> Result<(), MemoryError> {
        self.opened()?.writable()?;
        let (version, is_shared) = self.read(|connection| write::to_forget(connection, id))?;
        let version = version.ok_or_else(|| MemoryError::unknown(id))?;
        if !is_shared {
            purge(&version.text)?;
        }
        self.write("delete from", |transaction| write::forget(transaction, id))?;
        finish_forgetting(self.opened()?.writable()?);
        Ok(())
    }

    fn snapshot(&mut self) -> Result<Box<dyn Snapshot + '_>, MemoryError> {
        Ok(Box::new(read::Moment::of(self.readable()?)?))
    }

    fn info(&mut self) -> Result<MemoryInfo, MemoryError> {
        Ok(self.read(read::info)?)
    }
}

/// Takes the traces of what was forgotten out of the files. What another program's lock keeps from being done now is done
/// when the store is opened next.
fn finish_forgetting(opened: &mut Opened) {
    if let Err(error) = write::clean(&opened.connection) {
        let error = fault::of("clean", &opened.place, &error);
        log::warn(format_args!("what was forgotten may be left in the file for now: {error}"));
    }
}

/// A version from a row of [`layout::COLUMNS`].
fn memory(row: &Row<'_>) -> SqlResult<Memory> {
    Ok(Memory {
        id: row.get(0)?,
        text: row.get(1)?,
        created_at: row.get(2)?,
        valid_from: row.get(3)?,
        valid_until: row.get(4)?,
        supersedes: row.get(5)?,
        superseded_by: row.get(6)?,
    })
}
