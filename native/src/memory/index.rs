//! Keeping the postings of current memories: numbers for new ones, chunks rewritten where a memory comes or goes.

use caveman_core::memory::postings::{self, Posting, TermCounts, chunk_of};
use caveman_core::store::Handle;
use rusqlite::{OptionalExtension, Result, Transaction, params};
use std::collections::BTreeMap;

/// So many postings wait at most before they are written: about 60 MB. A bulk of memories then rewrites each chunk once.
const MAX_WAITING: usize = 2_000_000;

/// Adds memories to the index; nothing is in it for sure before [`Indexer::finish`].
pub(super) struct Indexer<'t> {
    transaction: &'t Transaction<'t>,
    next_doc: u64,
    /// The terms that wait, numbered.
    terms: BTreeMap<String, usize>,
    /// By the number of their term; by rising number of the memory.
    waiting: Vec<(usize, Posting)>,
    n_docs: u64,
    n_terms: u64,
}

impl<'t> Indexer<'t> {
    pub(super) fn new(transaction: &'t Transaction<'t>) -> Result<Indexer<'t>> {
        let mut last =
            transaction.prepare_cached("SELECT coalesce(max(doc), 0) FROM cavemem_docs")?;
        let last: u64 = last.query_row([], |row| row.get(0))?;
        Ok(Indexer {
            transaction,
            next_doc: last + 1,
            terms: BTreeMap::new(),
            waiting: Vec::new(),
            n_docs: 0,
            n_terms: 0,
        })
    }

    /// Takes a current memory in.
    pub(super) fn add(&mut self, id: &str, text: &str) -> Result<()> {
        let doc = self.next_doc;
        self.next_doc += 1;
        let mut insert = self
            .transaction
            .prepare_cached("INSERT INTO cavemem_docs (doc, id, handle) VALUES (?1, ?2, ?3)")?;
        insert.execute(params![doc, id, Handle::of(text.as_bytes()).0])?;
        let TermCounts { counts, n_terms } = TermCounts::of(text);
        self.n_docs += 1;
        self.n_terms += u64::from(n_terms);
        for (term, tf) in counts {
            let n_known = self.terms.len();
            let number = *self.terms.entry(term).or_insert(n_known);
            self.waiting.push((number, Posting { doc, tf, n_terms }));
        }
        if self.waiting.len() > MAX_WAITING { self.write() } else { Ok(()) }
    }

    /// Writes everything.
    pub(super) fn finish(mut self) -> Result<()> {
        self.write()?;
        let mut update = self.transaction.prepare_cached(
            "UPDATE cavemem_state SET n_docs = n_docs + ?1, n_terms = n_terms + ?2",
        )?;
        update.execute([self.n_docs, self.n_terms]).map(drop)
    }

    /// Writes what waits, in the order of the table.
    fn write(&mut self) -> Result<()> {
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.sort_by_key(|(number, _)| *number);
        for (term, number) in std::mem::take(&mut self.terms) {
            let start = waiting.partition_point(|(held, _)| *held < number);
            let end = waiting.partition_point(|(held, _)| *held <= number);
            let of_term = waiting.get(start..end).unwrap_or_default();
            for added in of_term.chunk_by(|(_, a), (_, b)| chunk_of(a.doc) == chunk_of(b.doc)) {
                let chunk = added.first().map_or(0, |(_, posting)| chunk_of(posting.doc));
                rewrite(self.transaction, &term, chunk, |bytes| {
                    postings::with(chunk, &bytes, added.iter().map(|(_, posting)| *posting))
                })?;
            }
        }
        Ok(())
    }
}

/// Takes a memory out, if it is in.
pub(super) fn remove(transaction: &Transaction<'_>, id: &str, text: &str) -> Result<()> {
    let mut select = transaction.prepare_cached("SELECT doc FROM cavemem_docs WHERE id = ?1")?;
    let doc: Option<u64> = select.query_row([id], |row| row.get(0)).optional()?;
    let Some(doc) = doc else { return Ok(()) };
    transaction.prepare_cached("DELETE FROM cavemem_docs WHERE doc = ?1")?.execute([doc])?;
    let TermCounts { counts, n_terms } = TermCounts::of(text);
    for term in counts.keys() {
        rewrite(transaction, term, chunk_of(doc), |bytes| postings::without(&bytes, doc))?;
    }
    let mut update = transaction.prepare_cached(
        "UPDATE cavemem_state SET n_docs = max(n_docs - 1, 0), n_terms = max(n_terms - ?1, 0)",
    )?;
    update.execute([n_terms]).map(drop)
}

/// Puts what `change` makes of a chunk in its place; an empty chunk has no row.
fn rewrite(
    transaction: &Transaction<'_>,
    term: &str,
    chunk: u64,
    change: impl FnOnce(Vec<u8>) -> Vec<u8>,
) -> Result<()> {
    let mut select = transaction
        .prepare_cached("SELECT docs FROM cavemem_postings WHERE term = ?1 AND chunk = ?2")?;
    let before: Option<Vec<u8>> =
        select.query_row(params![term, chunk], |row| row.get(0)).optional()?;
    let is_new = before.is_none();
    let after = change(before.unwrap_or_default());
    let sql = match (after.is_empty(), is_new) {
        (true, true) => return Ok(()),
        (true, false) => {
            "DELETE FROM cavemem_postings WHERE term = ?1 AND chunk = ?2 AND ?3 IS NOT NULL"
        }
        (false, true) => "INSERT INTO cavemem_postings (term, chunk, docs) VALUES (?1, ?2, ?3)",
        (false, false) => "UPDATE cavemem_postings SET docs = ?3 WHERE term = ?1 AND chunk = ?2",
    };
    transaction.prepare_cached(sql)?.execute(params![term, chunk, after]).map(drop)
}
