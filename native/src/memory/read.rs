//! Reading: versions by id and by text, postings for recall, lists.

use super::layout::{COLUMNS, CURRENT};
use super::{Which, memory};
use crate::store::connect::{Connection, Opened, within_budget};
use crate::store::fault;
use caveman_core::memory::postings::{self, Posting};
use caveman_core::memory::{Memory, MemoryError, MemoryInfo, Remembered, Snapshot, Status};
use caveman_core::rank::bm25::Corpus;
use caveman_core::store::Handle;
use rusqlite::{OptionalExtension, Result, Transaction, params};

/// The version `id`.
pub(super) fn version(connection: &Connection, id: &str) -> Result<Option<Memory>> {
    let select = format!("SELECT {COLUMNS} FROM memories WHERE id = ?1");
    connection.prepare_cached(&select)?.query_row([id], memory).optional()
}

/// The current memory that holds exactly `text`, the oldest of several.
pub(super) fn known(connection: &Connection, text: &str) -> Result<Option<Remembered>> {
    let select = format!(
        "SELECT {COLUMNS} FROM memories WHERE id IN (SELECT id FROM cavemem_docs WHERE handle = ?1) \
         AND text = ?2 ORDER BY rowid"
    );
    let mut statement = connection.prepare_cached(&select)?;
    let found =
        statement.query_row(params![Handle::of(text.as_bytes()).0, text], memory).optional()?;
    Ok(found.map(|memory| Remembered {
        id: memory.id,
        created_at: memory.created_at,
        supersedes: memory.supersedes,
        status: Status::Known,
    }))
}

/// Versions, the newest first.
pub(super) fn list(connection: &Connection, which: Which, limit: u64) -> Result<Vec<Memory>> {
    let which = match which {
        Which::Current => CURRENT,
        Which::All => "1",
    };
    let select =
        format!("SELECT {COLUMNS} FROM memories WHERE {which} ORDER BY rowid DESC LIMIT ?1");
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    connection.prepare(&select)?.query_map([limit], memory)?.collect()
}

/// Every version, the oldest first.
pub(super) fn all(connection: &Connection, each: &mut dyn FnMut(Memory)) -> Result<()> {
    let mut statement =
        connection.prepare(&format!("SELECT {COLUMNS} FROM memories ORDER BY rowid"))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        each(memory(row)?);
    }
    Ok(())
}

/// The text with this handle: of a current memory by the index, of an old version by looking at all of them.
pub(super) fn text_of(connection: &Connection, handle: Handle) -> Result<Option<String>> {
    let is_it = |text: &String| Handle::of(text.as_bytes()) == handle;
    let select = "SELECT CAST(text AS TEXT) FROM memories WHERE id IN (SELECT id FROM cavemem_docs WHERE handle = ?1)";
    let mut statement = connection.prepare(select)?;
    let mut rows = statement.query([handle.0])?;
    while let Some(row) = rows.next()? {
        let text: String = row.get(0)?;
        if is_it(&text) {
            return Ok(Some(text));
        }
    }
    let mut found = None;
    all(connection, &mut |memory| {
        if found.is_none() && is_it(&memory.text) {
            found = Some(memory.text);
        }
    })?;
    Ok(found)
}

pub(super) fn corpus(connection: &Connection) -> Result<Corpus> {
    let mut statement = connection.prepare_cached("SELECT n_docs, n_terms FROM cavemem_state")?;
    statement.query_row([], |row| Ok(Corpus { n_docs: row.get(0)?, n_terms: row.get(1)? }))
}

pub(super) fn info(connection: &Connection) -> Result<MemoryInfo> {
    let corpus = corpus(connection)?;
    let sizes = "SELECT count(*), coalesce(sum(length(CAST(text AS BLOB))), 0) FROM memories";
    connection.query_row(sizes, [], |row| {
        Ok(MemoryInfo {
            n_memories: corpus.n_docs,
            n_versions: row.get(0)?,
            n_bytes: row.get(1)?,
            n_terms: corpus.n_terms,
        })
    })
}

/// One moment of the store: a read transaction.
pub(super) struct Moment<'o> {
    transaction: Transaction<'o>,
    opened: &'o Opened,
}

impl<'o> Moment<'o> {
    pub(super) fn of(opened: &'o Opened) -> std::result::Result<Moment<'o>, MemoryError> {
        let transaction = within_budget(&opened.connection, |connection| {
            let transaction = connection.unchecked_transaction()?;
            // The first read fixes the moment, and waits where a log is being recovered.
            corpus(&transaction)?;
            Ok(())
        })
        .and_then(|()| opened.connection.unchecked_transaction());
        let transaction =
            transaction.map_err(|error| fault::of("read from", &opened.place, &error))?;
        Ok(Moment { transaction, opened })
    }

    /// The version `id`.
    pub(super) fn version(&self, id: &str) -> std::result::Result<Option<Memory>, MemoryError> {
        self.found(version(&self.transaction, id))
    }

    fn found<T>(&self, outcome: Result<T>) -> std::result::Result<T, MemoryError> {
        Ok(outcome.map_err(|error| fault::of("read from", &self.opened.place, &error))?)
    }
}

impl Snapshot for Moment<'_> {
    fn corpus(&self) -> std::result::Result<Corpus, MemoryError> {
        self.found(corpus(&self.transaction))
    }

    fn postings(&self, term: &str, out: &mut Vec<Posting>) -> std::result::Result<(), MemoryError> {
        out.clear();
        self.found(read_postings(&self.transaction, term, out))
    }

    fn terms(&self, stem: &str) -> std::result::Result<Vec<String>, MemoryError> {
        let statement = self.transaction.prepare_cached(
            "SELECT DISTINCT term FROM cavemem_postings WHERE term > ?1 AND term < ?2 ORDER BY term LIMIT 64",
        );
        let end = format!("{stem}{}", char::MAX);
        let read = |row: &rusqlite::Row<'_>| row.get(0);
        self.found(statement.and_then(|mut s| s.query_map([stem, &end], read)?.collect()))
    }

    fn memory(&self, doc: u64) -> std::result::Result<Option<Memory>, MemoryError> {
        let select = format!(
            "SELECT {COLUMNS} FROM memories WHERE id = (SELECT id FROM cavemem_docs WHERE doc = ?1)"
        );
        let statement = self.transaction.prepare_cached(&select);
        self.found(statement.and_then(|mut s| s.query_row([doc], memory).optional()))
    }
}

fn read_postings(connection: &Connection, term: &str, out: &mut Vec<Posting>) -> Result<()> {
    let mut statement = connection.prepare_cached(
        "SELECT chunk, docs FROM cavemem_postings WHERE term = ?1 ORDER BY chunk",
    )?;
    let mut rows = statement.query([term])?;
    while let Some(row) = rows.next()? {
        postings::read(row.get(0)?, row.get_ref(1)?.as_blob()?, out);
    }
    Ok(())
}
