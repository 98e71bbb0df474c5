//! Selection: which units answer the query.

use super::units::Cut;
use crate::prelude::*;
use crate::rank::bm25::{Corpus, K1};
use crate::rank::pack::{self, Limits};
use crate::rank::{Query, exact};
use crate::text::{Span, offset};
use crate::tokens;

/// Most identifiers of a query that are looked for.
const MAX_IDENTIFIERS: usize = 16;
/// Most terms that are counted, parts of identifiers among them.
const MAX_TERMS: usize = 128;
/// A unit below this share of the best score is a weak hit. SPEC, retrieval.
const WEAK: f64 = 0.3;
/// Shortest identifier that is also found as a part of a longer word (the head of a hash), in bytes.
const MIN_PART_BYTES: usize = 6;
/// How many of the ranked units are weighed against the budget: so many may be passed over because they do not fit.
const MAX_WEIGHED: usize = 80;
/// Tokens that a line `… [caveman: n units between] …` costs at most.
const MARKER_TOKENS: u64 = 20;

/// The units that are shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hits {
    /// Indices of the units to show, ascending.
    pub shown: Vec<u32>,
    /// How many units match.
    pub n_matching: u32,
}

/// One matching unit.
#[derive(Clone, Copy)]
struct Hit {
    unit: u32,
    score: f64,
    /// Idf of the words that it holds, each once: what part of the query it covers.
    covers: f64,
}

/// The matching units that fit into `limits`; `None` when nothing matches, or the best is too large to be shown.
pub(super) fn select(text: &str, cut: &Cut, query: &str, limits: Limits) -> Option<Hits> {
    let identifiers = Identifiers::find(text, cut, query);
    let mut hits = score(text, cut, &Words::of(query, &identifiers), &identifiers);
    let n_matching = offset(hits.len());
    let best = hits.iter().map(|hit| hit.score).max_by(f64::total_cmp)?;
    let covered = hits.iter().map(|hit| hit.covers).max_by(f64::total_cmp)?;
    // A unit that holds as much of the query as any is no weak hit, however long it is.
    hits.retain(|hit| hit.score >= WEAK * best || hit.covers >= covered);
    hits.sort_unstable_by(|a, b| b.score.total_cmp(&a.score).then(a.unit.cmp(&b.unit)));
    let top = hits.first()?.unit;
    if let Some(place) = hits.iter().position(|hit| hit.covers >= covered) {
        // The first of these has a place whatever the scores of the others.
        hits.get_mut(..=place)?.rotate_right(1);
    }
    hits.truncate(MAX_WEIGHED);

    let header = tokens::count(cut.header.of(text));
    let limits =
        Limits { n_tokens: limits.n_tokens.checked_sub(header + 2 * MARKER_TOKENS)?, ..limits };
    let ranked = hits.iter().map(|hit| hit.unit);
    let mut shown =
        pack::greedy(ranked, limits, |taken, unit, left| cost(text, cut, taken, unit, left));
    if !shown.contains(&top) {
        return None;
    }
    shown.sort_unstable();
    Some(Hits { shown, n_matching })
}

/// Tokens of a unit, the lines that open its level and a marker; no exact figure when that is above `left`.
fn cost(text: &str, cut: &Cut, taken: &[u32], unit: u32, left: u64) -> u64 {
    let mut n_tokens = MARKER_TOKENS;
    let mut count = |span: Span| n_tokens += tokens::count(span.of(text)) + 1;
    // A text of more bytes than this cannot fit: no token is longer than 128 bytes.
    if cut.span(unit).len() as u64 > left.saturating_mul(128) {
        return left.saturating_add(1);
    }
    count(cut.span(unit));
    for head in cut.heads(unit) {
        if !taken.iter().any(|other| *other == head || cut.heads(*other).any(|h| h == head)) {
            count(cut.span(head));
        }
    }
    n_tokens
}

/// The identifiers of the query that stand somewhere in the units.
#[derive(Default)]
struct Identifiers<'q> {
    present: Vec<&'q str>,
    absent: Vec<&'q str>,
    /// For each unit a bit for each present identifier; empty when there is none.
    masks: Vec<u32>,
    /// For each present identifier, how many units hold it.
    df: Vec<u64>,
}

impl<'q> Identifiers<'q> {
    fn find(text: &str, cut: &Cut, query: &'q str) -> Identifiers<'q> {
        let mut found = Identifiers::default();
        for word in exact::identifiers(query, MAX_IDENTIFIERS) {
            let bit = 1_u32 << found.present.len();
            let mut df = found.mark(cut, exact::bounded(text, word), word.len(), bit);
            if df == 0 && word.len() >= MIN_PART_BYTES {
                df = found.mark(cut, exact::anywhere(text, word), word.len(), bit);
            }
            if df == 0 {
                found.absent.push(word);
            } else {
                found.present.push(word);
                found.df.push(df);
            }
        }
        found
    }

    /// Sets `bit` of every unit that holds one of the places whole; answers how many units that are.
    fn mark(
        &mut self,
        cut: &Cut,
        places: impl Iterator<Item = usize>,
        len: usize,
        bit: u32,
    ) -> u64 {
        let mut n_units = 0;
        let mut unit = 0;
        for at in places {
            while cut.units.get(unit).is_some_and(|u| u.span.end as usize <= at) {
                unit += 1;
            }
            let Some(span) = cut.units.get(unit).map(|u| u.span) else { break };
            if span.start as usize > at || at + len > span.end as usize {
                continue;
            }
            self.masks.resize(cut.units.len(), 0);
            if let Some(mask) = self.masks.get_mut(unit).filter(|mask| **mask & bit == 0) {
                *mask |= bit;
                n_units += 1;
            }
        }
        n_units
    }

    /// The masks that rank: those with the most identifiers and, for each identifier that none of these holds, those with
    /// the most among the masks that hold it. So a query for two records that share no unit shows both.
    fn ranking(&self) -> Vec<u32> {
        let mut kinds: Vec<u32> = self.masks.iter().copied().filter(|mask| *mask != 0).collect();
        kinds.sort_unstable_by_key(|mask| (core::cmp::Reverse(mask.count_ones()), *mask));
        kinds.dedup();
        let mut ranking: Vec<u32> = Vec::new();
        let mut covered = 0;
        for bit in core::iter::once(u32::MAX).chain((0..self.present.len()).map(|i| 1 << i)) {
            if covered & bit != 0 {
                continue;
            }
            let most =
                kinds.iter().filter(|mask| **mask & bit != 0).map(|mask| mask.count_ones()).max();
            let chosen =
                kinds.iter().filter(|mask| **mask & bit != 0 && Some(mask.count_ones()) == most);
            ranking.extend(chosen.clone());
            covered = ranking.iter().fold(0, |all, mask| all | mask);
        }
        ranking
    }
}

/// The words of the query that BM25 ranks by.
struct Words {
    query: Query,
    /// From this term on, the terms are parts of identifiers that stand nowhere: they count only where they are rare.
    n_plain: usize,
}

impl Words {
    /// The words of `query` that are not among the identifiers found as they stand.
    fn of(query: &str, identifiers: &Identifiers<'_>) -> Words {
        let is_identifier = |word: &&str| {
            let word = exact::trim(word);
            identifiers.present.contains(&word) || identifiers.absent.contains(&word)
        };
        let plain: Vec<&str> =
            query.split_whitespace().filter(|word| !is_identifier(word)).collect();
        let plain = Query::new(&plain.join(" "));
        let has_others = !identifiers.present.is_empty() || !identifiers.absent.is_empty();
        let mut terms =
            if has_others && plain.is_stop_words() { Vec::new() } else { plain.terms().to_vec() };
        let n_plain = terms.len();
        terms.extend(identifiers.absent.iter().flat_map(|word| Query::new(word).terms().to_vec()));
        terms.truncate(MAX_TERMS);
        Words { query: Query::of_terms(terms), n_plain }
    }
}

/// How often a unit holds a term.
struct Posting {
    unit: u32,
    term: usize,
    tf: u32,
}

/// Scores every unit that matches, in source order.
fn score(text: &str, cut: &Cut, words: &Words, identifiers: &Identifiers<'_>) -> Vec<Hit> {
    let mut corpus = Corpus::default();
    let mut df = vec![0_u64; words.query.terms().len()];
    let mut postings: Vec<Posting> = Vec::new();
    let mut lengths: Vec<(u32, u32)> = Vec::new();
    if !words.query.is_empty() {
        let mut scratch = String::new();
        for (unit, span) in (0_u32..).zip(cut.units.iter().map(|u| u.span)) {
            let first = postings.len();
            let n_terms = words.query.count(span.of(text), &mut scratch, |term| {
                match postings.iter_mut().skip(first).find(|p| p.term == term) {
                    Some(posting) => posting.tf += 1,
                    None => postings.push(Posting { unit, term, tf: 1 }),
                }
            });
            for posting in postings.iter().skip(first) {
                if let Some(df) = df.get_mut(posting.term) {
                    *df += 1;
                }
            }
            if postings.len() > first {
                lengths.push((unit, n_terms));
            }
            corpus.add(n_terms);
        }
    }
    let corpus_of_units = Corpus { n_docs: cut.units.len() as u64, ..corpus };
    let idf: Vec<f64> = (0..)
        .zip(&df)
        .map(|(term, df)| {
            let says_something = term < words.n_plain || df * 4 <= corpus_of_units.n_docs.max(8);
            if says_something { corpus_of_units.idf(*df) } else { 0.0 }
        })
        .collect();

    let mut hits: Vec<Hit> = Vec::new();
    let mut postings = postings.into_iter().peekable();
    for (unit, n_terms) in lengths {
        let mut score = 0.0;
        let mut held = 0_u128;
        while let Some(posting) = postings.next_if(|posting| posting.unit == unit) {
            let idf = idf.get(posting.term).copied().unwrap_or_default();
            score += corpus_of_units.score(idf, posting.tf, n_terms);
            held |= 1_u128.checked_shl(offset(posting.term)).unwrap_or_default();
        }
        if score > 0.0 {
            // Summed in the order of the query: equal sets of words give equal sums.
            let covers = (0_u32..).zip(&idf).filter(|(term, _)| held >> term & 1 == 1);
            hits.push(Hit { unit, score, covers: covers.map(|(_, idf)| idf).sum() });
        }
    }
    if identifiers.present.is_empty() {
        return hits;
    }
    with_identifiers(&hits, identifiers, corpus_of_units)
}

/// Only the units that the identifiers choose. An identifier adds as much as a word that fills a unit could, so that a long
/// unit is no weaker hit than a short one.
fn with_identifiers(hits: &[Hit], identifiers: &Identifiers<'_>, corpus: Corpus) -> Vec<Hit> {
    let ranking = identifiers.ranking();
    let mut by_words = hits.iter().peekable();
    let mut out = Vec::new();
    for (unit, mask) in (0_u32..).zip(&identifiers.masks) {
        let by_words = by_words.next_if(|hit| hit.unit == unit);
        let (mut score, covers) = by_words.map_or((0.0, 0.0), |hit| (hit.score, hit.covers));
        if *mask == 0 || !ranking.contains(mask) {
            continue;
        }
        for (bit, df) in (0..).zip(&identifiers.df) {
            if mask >> bit & 1 == 1 {
                score += corpus.idf(*df) * (K1 + 1.0);
            }
        }
        out.push(Hit { unit, score, covers });
    }
    out
}
