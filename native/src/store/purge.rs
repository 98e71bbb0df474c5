//! Taking back an original that only a memory put here, so that no trace of it is left in the file.

use super::connect::{Connection, Opened, empty_log, immediately, within_budget};
use caveman_core::memory::COPY;
use caveman_core::store::Handle;
use memchr::memmem;
use rusqlite::Result;
use std::fs::File;
use std::io::{self, Read};

/// Length of a piece that is looked for, in bytes: long enough that other texts rarely hold it.
const PROBE_BYTES: usize = 48;
/// So many pieces of an original are looked for. What is left behind is left in stretches of a page.
const N_PROBES: usize = 8;

/// Deletes the row, unless it is there for another reason, overwriting it; writes the file anew where pieces are still found.
pub(super) fn purge(opened: &mut Opened, original: &[u8]) -> Result<()> {
    let handle = Handle::of(original).to_string();
    let connection = &mut opened.connection;
    // Pruning has deleted it without overwriting it.
    let was_pruned = "SELECT EXISTS (SELECT 1 FROM caveman_tombstones WHERE handle = ?1)";
    let was_pruned: bool = within_budget(connection, |connection| {
        connection.query_row(was_pruned, [&handle], |row| row.get(0))
    })?;
    connection.execute_batch("PRAGMA secure_delete = ON")?;
    let n_deleted = immediately(connection, |transaction| {
        transaction.execute(
            "DELETE FROM recoveries WHERE handle = ?1 AND compressor = ?2",
            [handle.as_str(), COPY],
        )
    });
    connection.execute_batch("PRAGMA secure_delete = OFF")?;
    if n_deleted? == 0 && !was_pruned {
        return Ok(());
    }
    empty_log(connection)?;
    if is_in_file(opened, original).unwrap_or(true) {
        rewrite(&opened.connection)?;
    }
    Ok(())
}

fn rewrite(connection: &Connection) -> Result<()> {
    within_budget(connection, |connection| connection.execute_batch("VACUUM"))?;
    empty_log(connection)
}

/// Whether a piece of `original` stands somewhere in the database.
fn is_in_file(opened: &Opened, original: &[u8]) -> io::Result<bool> {
    const WINDOW_BYTES: usize = 1 << 20;
    let step = original.len().div_ceil(N_PROBES).max(1);
    let probes: Vec<memmem::Finder<'_>> = (0..original.len())
        .step_by(step)
        .filter_map(|at| original.get(at..original.len().min(at + PROBE_BYTES)))
        .filter(|probe| probe.len() >= PROBE_BYTES.min(original.len()))
        .map(memmem::Finder::new)
        .collect();
    let mut file = File::open(&opened.place.file)?;
    let mut window = Vec::with_capacity(WINDOW_BYTES + PROBE_BYTES);
    loop {
        let n_read = file.by_ref().take(WINDOW_BYTES as u64).read_to_end(&mut window)?;
        if probes.iter().any(|probe| probe.find(&window).is_some()) {
            return Ok(true);
        }
        if n_read == 0 {
            return Ok(false);
        }
        // A piece may stand across two windows.
        window.drain(..window.len().saturating_sub(PROBE_BYTES));
    }
}
