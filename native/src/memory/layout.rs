//! The tables, and bringing a file of any earlier layout to them in one transaction.
//!
//! `memories` holds the texts, the source of truth, and stands as other programs know it. What makes recall fast stands in
//! tables of our own (`cavemem_…`) that hold nothing which could not be made anew from it: the numbers of current
//! memories, the postings, the totals.

use super::index::Indexer;
use crate::store::connect::{Connection, Database, immediately};
use crate::store::place::Name;
use caveman_core::memory::postings;
use rusqlite::{OptionalExtension, Result, Row, Transaction};

/// The store of memories.
pub(super) static DATABASE: Database = Database {
    name: Name { noun: "memory store", variable: "CAVEMAN_HOME", check: "cavemem stats" },
    // NORMAL as for originals: nothing is lost when a process dies. What is deleted is overwritten, and what SQLite puts
    // aside while it rewrites the file stays in memory. 16 MiB of pages: an index of 100,000 memories has four times that.
    pragmas: "PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY; \
              PRAGMA cache_size = -16384",
    is_current,
    migrate,
};

const MEMORIES: &str = include_str!("sql/memories.sql");
/// Drops what an earlier version of the index left.
const INDEX: &str = include_str!("sql/index.sql");

/// Columns that files of earlier layouts may lack.
const LATER_COLUMNS: [&str; 5] =
    ["created_at", "valid_from", "valid_until", "supersedes", "superseded_by"];

/// The columns of a version, for [`memory`](super::memory). Whatever another program stored is read as text.
pub(super) const COLUMNS: &str = "id, CAST(text AS TEXT), CAST(created_at AS TEXT), \
    CAST(valid_from AS TEXT), CAST(valid_until AS TEXT), supersedes, superseded_by";

/// What makes a version current.
pub(super) const CURRENT: &str = "valid_until IS NULL AND superseded_by IS NULL";

fn is_current(connection: &Connection) -> Result<bool> {
    if !columns(connection)?.is_whole() {
        return Ok(false);
    }
    let names = "SELECT count(*) FROM sqlite_master WHERE name IN \
                 ('cavemem_docs', 'cavemem_docs_by_handle', 'cavemem_postings', 'cavemem_state')";
    let n_names: u32 = connection.query_row(names, [], |row| row.get(0))?;
    if n_names < 4 {
        return Ok(false);
    }
    let version = "SELECT version FROM cavemem_state";
    let version: Option<u32> = connection.query_row(version, [], |row| row.get(0)).optional()?;
    Ok(version == Some(postings::VERSION))
}

/// Creates what is missing, takes in the rows of earlier layouts and indexes them. One transaction: another process sees all
/// or nothing.
fn migrate(connection: &mut Connection) -> Result<()> {
    immediately(connection, |transaction| {
        if is_current(transaction)? {
            return Ok(());
        }
        transaction.execute_batch(MEMORIES)?;
        take_in(transaction)?;
        transaction.execute_batch(INDEX)?;
        transaction.execute(
            "INSERT INTO cavemem_state (id, version, n_docs, n_terms, has_traces) VALUES (1, ?1, 0, 0, 0)",
            [postings::VERSION],
        )?;
        let mut indexer = Indexer::new(transaction)?;
        let select =
            format!("SELECT id, CAST(text AS TEXT) FROM memories WHERE {CURRENT} ORDER BY rowid");
        let mut statement = transaction.prepare(&select)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (id, text): (String, String) = (row.get(0)?, row.get(1)?);
            indexer.add(&id, &text)?;
        }
        indexer.finish()
    })
}

/// Brings `memories` to its columns. A table whose ids are numbers, or that lacks a key, is copied into a new one.
fn take_in(transaction: &Transaction<'_>) -> Result<()> {
    let columns = columns(transaction)?;
    if columns.is_whole() {
        return Ok(());
    }
    for name in &columns.missing {
        transaction.execute_batch(&format!("ALTER TABLE memories ADD COLUMN {name} TEXT"))?;
    }
    if !columns.has_text_ids {
        transaction.execute_batch("ALTER TABLE memories RENAME TO cavemem_earlier")?;
        transaction.execute_batch(MEMORIES)?;
        // Numbers in links become the same text as the ids that they name.
        transaction.execute_batch(
            "INSERT OR IGNORE INTO memories (id, text, created_at, valid_from, valid_until, supersedes, superseded_by)
             SELECT CAST(coalesce(id, rowid) AS TEXT), CAST(text AS TEXT), CAST(created_at AS TEXT),
                CAST(valid_from AS TEXT), CAST(valid_until AS TEXT), CAST(supersedes AS TEXT), CAST(superseded_by AS TEXT)
             FROM cavemem_earlier WHERE text IS NOT NULL ORDER BY rowid;
             DROP TABLE cavemem_earlier",
        )?;
    }
    // A version holds from when it was written, and until the next one was: earlier layouts did not say so.
    transaction.execute_batch(
        "UPDATE memories SET valid_from = created_at WHERE valid_from IS NULL;
         UPDATE memories SET valid_until = coalesce(
             (SELECT next.created_at FROM memories AS next WHERE next.id = memories.superseded_by), created_at, '')
         WHERE superseded_by IS NOT NULL AND valid_until IS NULL",
    )
}

/// What `memories` looks like.
#[derive(Default)]
struct Columns {
    missing: Vec<&'static str>,
    has_text_ids: bool,
}

impl Columns {
    fn is_whole(&self) -> bool {
        self.missing.is_empty() && self.has_text_ids
    }
}

fn columns(connection: &Connection) -> Result<Columns> {
    let mut statement =
        connection.prepare("SELECT name, type, pk FROM pragma_table_info('memories')")?;
    let read = |row: &Row<'_>| {
        Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, u32>(2)?))
    };
    let found = statement.query_map([], read)?.collect::<Result<Vec<_>>>()?;
    let has = |column: &&str| found.iter().any(|(name, _, _)| name.eq_ignore_ascii_case(column));
    Ok(Columns {
        missing: LATER_COLUMNS.into_iter().filter(|column| !has(column)).collect(),
        has_text_ids: found.iter().any(|(name, kind, key)| {
            name.eq_ignore_ascii_case("id") && kind.eq_ignore_ascii_case("TEXT") && *key > 0
        }),
    })
}
