//! The tables, and bringing a file of any earlier layout to them in one transaction.
//!
//! `recoveries` is shared with other programs that write the same file, and stays exactly as they know it: nothing is added
//! to it. What we keep beside it (sizes and last use, the running total, tombstones) lives in tables of our own, and
//! triggers keep those right whichever program writes, with whichever conflict clause. The triggers use only what every
//! SQLite since 3.8.2 knows, because they run inside those programs too.
//!
//! The statements stand in files of their own (`sql/`): the JavaScript host runs the same ones.

use super::connect::{Connection, Database, immediately};
use super::place::Name;
use rusqlite::{Result, Row};

/// What a program of this ecosystem expects; `original` is the one column without which a row is nothing.
const RECOVERIES: &str = include_str!("sql/recoveries.sql");

/// Columns that files of earlier layouts may lack.
const LATER_COLUMNS: [(&str, &str); 6] = [
    ("created_at", "TEXT"),
    ("content_type", "TEXT"),
    ("compressor", "TEXT"),
    ("tokens_before", "INTEGER"),
    ("tokens_after", "INTEGER"),
    ("metadata", "BLOB"),
];

/// `caveman_uses.used` is in seconds since the Unix epoch. The token counts of `caveman_totals` are of all originals ever
/// stored; its other columns are of those that are there.
const OURS: &str = include_str!("sql/tables.sql");

/// No conflict clause inside: the clause of the statement that fires a trigger would override it. A `REPLACE` elsewhere does
/// not fire the delete trigger, so the insert trigger takes a row that it finds for replaced.
const TRIGGERS: &str = include_str!("sql/triggers.sql");

/// Takes in the rows that were there before us, or that came while our triggers were gone.
const TAKE_IN: &str = include_str!("sql/take_in.sql");

/// `recoveries`, our three tables and the index, three triggers.
const N_NAMES: u32 = 8;

/// The recovery store.
pub(super) static DATABASE: Database = Database {
    name: Name {
        noun: "recovery store",
        variable: "CAVEMAN_CCR_DB",
        check: "caveman-mcp store verify",
    },
    // In WAL mode NORMAL loses nothing when a process dies, whenever it dies; only a loss of power may take back the last
    // commits.
    pragmas: "PRAGMA synchronous = NORMAL",
    is_current,
    migrate,
};

/// Whether everything that we count on is there.
pub(super) fn is_current(connection: &Connection) -> Result<bool> {
    let n_names: u32 = connection.query_row(
        "SELECT count(*) FROM sqlite_master WHERE name IN (
            'recoveries', 'caveman_uses', 'caveman_uses_by_age', 'caveman_totals',
            'caveman_tombstones', 'caveman_inserted', 'caveman_deleted', 'caveman_updated')",
        [],
        |row| row.get(0),
    )?;
    Ok(n_names == N_NAMES && missing_columns(connection)?.is_empty())
}

/// Creates what is missing and takes in the rows of earlier layouts. One transaction: another process sees all or nothing.
pub(super) fn migrate(connection: &mut Connection) -> Result<()> {
    immediately(connection, |transaction| {
        if is_current(transaction)? {
            return Ok(());
        }
        transaction.execute_batch(RECOVERIES)?;
        for (name, kind) in missing_columns(transaction)? {
            transaction
                .execute_batch(&format!("ALTER TABLE recoveries ADD COLUMN {name} {kind}"))?;
        }
        transaction.execute_batch(OURS)?;
        transaction.execute_batch(TRIGGERS)?;
        transaction.execute_batch(TAKE_IN)
    })
}

/// Those of [`LATER_COLUMNS`] that `recoveries` does not have.
pub(super) fn missing_columns(
    connection: &Connection,
) -> Result<Vec<(&'static str, &'static str)>> {
    let mut statement = connection.prepare("SELECT name FROM pragma_table_info('recoveries')")?;
    let names = statement.query_map([], |row| row.get::<_, String>(0))?;
    let names = names.collect::<Result<Vec<_>>>()?;
    let is_missing =
        |column: &(&str, &str)| !names.iter().any(|n| n.eq_ignore_ascii_case(column.0));
    Ok(LATER_COLUMNS.into_iter().filter(is_missing).collect())
}

/// Entries and bytes, from the running total; where a file of an earlier layout cannot be migrated, by counting.
pub(super) fn totals(connection: &Connection) -> Result<(u64, u64)> {
    let stated = connection.query_row("SELECT n_entries, n_bytes FROM caveman_totals", [], pair);
    match stated {
        Err(error) if error.to_string().starts_with("no such table") => recount(connection),
        outcome => outcome,
    }
}

/// Entries and bytes by counting every row: for `store verify`.
pub(super) fn recount(connection: &Connection) -> Result<(u64, u64)> {
    connection.query_row(
        "SELECT count(*), coalesce(sum(CASE typeof(original)
            WHEN 'blob' THEN length(original) ELSE length(CAST(original AS BLOB)) END), 0)
         FROM recoveries WHERE handle IS NOT NULL",
        [],
        pair,
    )
}

fn pair(row: &Row<'_>) -> Result<(u64, u64)> {
    Ok((row.get(0)?, row.get(1)?))
}
