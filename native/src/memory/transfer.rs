//! Taking in what an export gave: the same rows, links and all, in one transaction.

use super::index::Indexer;
use super::{read, write};
use caveman_core::memory::{Memory, MemoryError, MemoryErrorKind, lineage};
use rusqlite::{Result, Transaction};
use std::collections::BTreeSet;

/// What an import did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Transferred {
    /// Versions written.
    pub n_stored: u64,
    /// Versions, or texts without an id, that were there already.
    pub n_known: u64,
}

/// Writes `memories` in their order. One that contradicts what is there, or links that do not fit together, undo all.
pub(super) fn import(
    transaction: &Transaction<'_>,
    memories: &[Memory],
    now_ms: u64,
) -> Result<std::result::Result<Transferred, MemoryError>> {
    transaction.execute_batch("SAVEPOINT import")?;
    let outcome = take(transaction, memories, now_ms)?;
    let end = if outcome.is_ok() { "RELEASE import" } else { "ROLLBACK TO import" };
    transaction.execute_batch(end)?;
    Ok(outcome)
}

fn take(
    transaction: &Transaction<'_>,
    memories: &[Memory],
    now_ms: u64,
) -> Result<std::result::Result<Transferred, MemoryError>> {
    let mut done = Transferred::default();
    let mut written: Vec<&Memory> = Vec::new();
    for memory in memories.iter().filter(|memory| !memory.id.is_empty()) {
        match read::version(transaction, &memory.id)? {
            None => {
                write::insert(transaction, memory)?;
                written.push(memory);
            }
            Some(held) if held == *memory => done.n_known += 1,
            Some(_) => return Ok(Err(differs(memory))),
        }
    }
    if let Err(error) = check(transaction, &written)? {
        return Ok(Err(error));
    }
    done.n_stored += written.len() as u64;
    let mut indexer = Indexer::new(transaction)?;
    for memory in written.iter().filter(|memory| memory.is_current()) {
        indexer.add(&memory.id, &memory.text)?;
    }
    for memory in memories.iter().filter(|memory| memory.id.is_empty()) {
        let remembered =
            write::remember_among(transaction, &mut indexer, memory.text.trim(), now_ms)?;
        match remembered.status {
            caveman_core::memory::Status::Stored => done.n_stored += 1,
            caveman_core::memory::Status::Known => done.n_known += 1,
        }
    }
    indexer.finish()?;
    Ok(Ok(done))
}

/// Whether every lineage of what was written is whole.
fn check(
    transaction: &Transaction<'_>,
    written: &[&Memory],
) -> Result<std::result::Result<(), MemoryError>> {
    let mut sound = BTreeSet::new();
    for memory in written {
        if sound.contains(&memory.id) {
            continue;
        }
        let mut failure = None;
        let walked = lineage(&memory.id, |id| {
            Ok(read::version(transaction, id).unwrap_or_else(|error| {
                failure = Some(error);
                None
            }))
        });
        if let Some(error) = failure {
            return Err(error);
        }
        match walked {
            Ok(versions) => sound.extend(versions.into_iter().map(|version| version.id)),
            Err(error) => {
                let detail = format!("the import is not whole: {error}");
                return Ok(Err(MemoryError::new(MemoryErrorKind::BadImport, detail)));
            }
        }
    }
    Ok(Ok(()))
}

fn differs(memory: &Memory) -> MemoryError {
    let detail = format!("{} is here already, with another text or other links", memory.id);
    MemoryError::new(MemoryErrorKind::BadImport, detail)
}
