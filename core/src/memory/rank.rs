//! Ranking memories for a query: BM25 over the postings of its terms, behind a threshold on coverage.

use super::postings::Posting;
use super::{MemoryError, Snapshot};
use crate::prelude::*;
use crate::rank::Query;
use crate::rank::bm25::Corpus;

/// The share of the query's weight that a memory must hold to be recalled at all: what keeps a query about something else
/// from recalling whatever shares a word with it. `tests/cavemem/quality.rs` measures both sides.
pub const MIN_COVERAGE: f64 = 0.35;

/// A memory that answers a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked {
    /// Its number.
    pub doc: u64,
    /// BM25.
    pub score: f64,
    /// The share of the query that it holds, from [`MIN_COVERAGE`] to 1.
    pub coverage: f64,
}

/// The memories that cover enough of `query`, best first; ties by number, the newest first.
pub fn rank(snapshot: &dyn Snapshot, query: &Query) -> Result<Vec<Ranked>, MemoryError> {
    let corpus = snapshot.corpus()?;
    let mut lists: Vec<(f64, f64, Vec<Posting>)> = Vec::new();
    for term in query.terms() {
        let mut postings = Vec::new();
        snapshot.postings(term, &mut postings)?;
        let df = postings.len() as u64;
        lists.push((corpus.idf(df), weight(corpus, df), postings));
    }
    // The rarest terms first: once the rest cannot reach the threshold by itself, it only adds to what was found before.
    lists.sort_by(|a, b| b.1.total_cmp(&a.1));
    let all: f64 = lists.iter().map(|list| list.1).sum();
    let wanted = MIN_COVERAGE * all;
    let mut left = all;
    let mut found: Vec<Ranked> = Vec::new();
    for (idf, weight, postings) in &lists {
        let score = |posting: &Posting| corpus.score(*idf, posting.tf, posting.n_terms);
        found = merged(&found, postings, left >= wanted, *weight, score);
        left -= weight;
    }
    found.iter_mut().for_each(|ranked| ranked.coverage /= all);
    found.retain(|ranked| ranked.coverage >= MIN_COVERAGE);
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then(b.doc.cmp(&a.doc)));
    Ok(found)
}

/// What a term counts for coverage.
fn weight(corpus: Corpus, df: u64) -> f64 {
    corpus.idf(df)
}

/// `found` with the scores of one more term; memories that are new are taken in when `admits`. Both are by rising number.
fn merged(
    found: &[Ranked],
    postings: &[Posting],
    admits: bool,
    weight: f64,
    score: impl Fn(&Posting) -> f64,
) -> Vec<Ranked> {
    let mut out = Vec::with_capacity(found.len() + if admits { postings.len() } else { 0 });
    let mut rest = found.iter().copied().peekable();
    for posting in postings {
        while let Some(ranked) = rest.next_if(|ranked| ranked.doc < posting.doc) {
            out.push(ranked);
        }
        let held = rest.next_if(|ranked| ranked.doc == posting.doc);
        let Some(before) = held
            .or_else(|| admits.then_some(Ranked { doc: posting.doc, score: 0.0, coverage: 0.0 }))
        else {
            continue;
        };
        out.push(Ranked {
            score: before.score + score(posting),
            coverage: before.coverage + weight,
            ..before
        });
    }
    out.extend(rest);
    out
}
