//! Ranking memories for a query: BM25 over the postings of its terms, behind a threshold on coverage.

use super::ask::{Asked, MAX_RELATIVES};
use super::postings::Posting;
use super::{MemoryError, Snapshot};
use crate::prelude::*;
use crate::rank::bm25::Corpus;

/// The share of the query's weight that a memory must hold to be recalled at all: what keeps a query about something else
/// from recalling whatever shares a word with it. `tests/cavemem/quality.rs` measures both sides.
pub const MIN_COVERAGE: f64 = 0.4;

/// So many memories about other things are taken to stand beside those that are there. In a store of three memories every
/// word of theirs is common, and only words that they lack would have weight. Measured: with none, one memory in four is not
/// found when it is the only one; from 100 to 1000 it makes no difference.
const BACKGROUND: u64 = 300;

/// What a relative of a term counts, beside the term itself.
const RELATIVE: f64 = 0.7;

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

/// The `n_best` memories that cover enough of `query`, best first, ties by number, the newest first; and how many do in all.
pub fn rank(
    snapshot: &dyn Snapshot,
    query: &str,
    n_best: usize,
) -> Result<(Vec<Ranked>, u64), MemoryError> {
    let corpus = snapshot.corpus()?;
    let background = Corpus { n_docs: corpus.n_docs.saturating_add(BACKGROUND), ..corpus };
    let mut lists = Vec::new();
    for asked in Asked::of(query) {
        let mut exact = Vec::new();
        snapshot.postings(&asked.term, &mut exact)?;
        let relatives = relatives(snapshot, &asked, &exact)?;
        let df = (exact.len() + relatives.len()) as u64;
        lists.push(List {
            idf: corpus.idf(df),
            weight: asked.share * background.idf(df),
            exact,
            relatives,
        });
    }
    // The rarest terms first: once the rest cannot reach the threshold by itself, it only adds to what was found before.
    lists.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    let all: f64 = lists.iter().map(|list| list.weight).sum();
    let mut left = all;
    let mut found: Vec<Ranked> = Vec::new();
    for List { idf, weight, exact, relatives } in &lists {
        let admits = left >= MIN_COVERAGE * all;
        for (postings, share) in [(exact, 1.0), (relatives, RELATIVE)] {
            let score = |posting: &Posting| share * corpus.score(*idf, posting.tf, posting.n_terms);
            found = merged(&found, postings, admits, share * weight, score);
        }
        left -= weight;
    }
    found.iter_mut().for_each(|ranked| ranked.coverage /= all);
    found.retain(|ranked| ranked.coverage >= MIN_COVERAGE);
    let n_found = found.len() as u64;
    let better = |a: &Ranked, b: &Ranked| b.score.total_cmp(&a.score).then(b.doc.cmp(&a.doc));
    if n_best < found.len() {
        // A frequent word has more answers than anybody reads: only the best are put in order.
        found.select_nth_unstable_by(n_best, better);
        found.truncate(n_best);
    }
    found.sort_by(better);
    Ok((found, n_found))
}

/// What holds one term of a query.
struct List {
    /// For the score.
    idf: f64,
    /// For coverage.
    weight: f64,
    exact: Vec<Posting>,
    /// Of memories that do not hold the term itself.
    relatives: Vec<Posting>,
}

fn relatives(
    snapshot: &dyn Snapshot,
    asked: &Asked,
    exact: &[Posting],
) -> Result<Vec<Posting>, MemoryError> {
    let mut terms = asked.compounds.clone();
    if let Some(stem) = asked.stem() {
        let forms = snapshot.terms(stem)?.into_iter().filter(|term| asked.is_form(term));
        terms.extend(forms.take(MAX_RELATIVES));
    }
    let (mut all, mut postings) = (Vec::new(), Vec::new());
    for term in &terms {
        snapshot.postings(term, &mut postings)?;
        all.append(&mut postings);
    }
    all.retain(|posting| exact.binary_search_by_key(&posting.doc, |held| held.doc).is_err());
    all.sort_by_key(|posting| posting.doc);
    all.dedup_by(|later, kept| {
        let is_same = later.doc == kept.doc;
        if is_same {
            kept.tf = kept.tf.saturating_add(later.tf);
        }
        is_same
    });
    Ok(all)
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
