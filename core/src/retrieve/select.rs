//! Selection: which units answer the query.

use super::units::Cut;
use crate::order;
use crate::prelude::*;
use crate::rank::bm25::{Corpus, K1};
use crate::rank::pack::{self, Limits};
use crate::rank::{Query, exact};
use crate::text::offset;
use crate::tokens;
use alloc::collections::BTreeSet;

/// Most identifiers of a query that are looked for.
const MAX_IDENTIFIERS: usize = 16;
/// Most terms that are counted, parts of identifiers among them.
const MAX_TERMS: usize = 128;
/// A unit below this share of the best score is a weak hit. Our choice.
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

/// Why nothing is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Miss {
    /// No unit matches.
    Nothing,
    /// The best unit alone is above the limits.
    TooLarge,
}

/// One matching unit.
#[derive(Clone, Copy)]
struct Hit {
    unit: u32,
    score: f64,
    /// Idf of the words that it holds, each once: what part of the query it covers.
    covers: f64,
}

/// The matching units that fit into `limits`, the best among them.
pub(super) fn select(text: &str, cut: &Cut, query: &str, limits: Limits) -> Result<Hits, Miss> {
    let identifiers = Identifiers::find(text, cut, query);
    let mut hits = score(text, cut, &Words::of(query, &identifiers), &identifiers);
    let is_named = |unit: u32| cut.named.binary_search(&unit).is_ok();
    // So far they stand in the order of the text.
    let is_missed = |unit: &&u32| hits.binary_search_by_key(*unit, |hit| hit.unit).is_err();
    let missed = cut.named.iter().filter(is_missed);
    let missed: Vec<Hit> =
        missed.map(|unit| Hit { unit: *unit, score: 0.0, covers: 0.0 }).collect();
    hits.extend(missed);
    let n_matching = offset(hits.len());
    let most =
        |of: fn(&Hit) -> f64| hits.iter().map(of).max_by(f64::total_cmp).ok_or(Miss::Nothing);
    let (best, covered) = (most(|hit| hit.score)?, most(|hit| hit.covers)?);
    // A unit that holds as much of the query as any is no weak hit, however long it is.
    hits.retain(|hit| {
        is_named(hit.unit) || !cut.is_by_name && (hit.score >= WEAK * best || hit.covers >= covered)
    });
    order::sort_by(&mut hits, |a, b| b.score.total_cmp(&a.score).then(a.unit.cmp(&b.unit)));
    let covering = hits.iter().position(|hit| hit.covers >= covered);
    let top = hits.first().map(|hit| hit.unit).ok_or(Miss::Nothing)?;
    if let Some(ahead) = covering.and_then(|place| hits.get_mut(..=place)) {
        // The first of these has a place whatever the scores of the others.
        ahead.rotate_right(1);
    }
    order::sort_by_key(&mut hits, |hit| !is_named(hit.unit));
    let top = hits.first().map(|hit| hit.unit).filter(|unit| is_named(*unit)).unwrap_or(top);
    hits.truncate(MAX_WEIGHED);

    let overhead = tokens::count(cut.header.of(text)) + 2 * MARKER_TOKENS;
    let limits = Limits { n_tokens: limits.n_tokens.saturating_sub(overhead), ..limits };
    let mut heads = BTreeSet::new();
    let ranked = hits.iter().map(|hit| hit.unit);
    let mut shown =
        pack::greedy(ranked, limits, |unit, left| cost(text, cut, unit, left, &mut heads));
    if !shown.contains(&top) {
        return Err(Miss::TooLarge);
    }
    shown.sort_unstable();
    Ok(Hits { shown, n_matching })
}

/// Tokens of a unit, of a marker and of the heads above it that are not among `shown`, to which they are added when all fits;
/// no exact figure when that is above `left`.
fn cost(text: &str, cut: &Cut, unit: u32, left: u64, shown: &mut BTreeSet<u32>) -> u64 {
    let mut n_tokens = MARKER_TOKENS;
    let mut added = Vec::new();
    for part in
        core::iter::once(unit).chain(cut.heads(unit).take_while(|head| !shown.contains(head)))
    {
        let span = cut.span(part);
        // No token is longer than 128 bytes: a text of more bytes cannot fit.
        if n_tokens > left || span.len() as u64 > left.saturating_mul(128) {
            return left.saturating_add(1);
        }
        n_tokens += tokens::count(span.of(text)) + 1;
        added.push(part);
    }
    if n_tokens <= left {
        shown.extend(added);
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
        order::sort_by_key(&mut kinds, |mask| (core::cmp::Reverse(mask.count_ones()), *mask));
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
        for piece in
            identifiers.absent.iter().flat_map(|word| word.split(['/', ':', '.', '#', '@']))
        {
            let parts = Query::new(piece).terms().to_vec();
            let has_digit = piece.bytes().any(|b| b.is_ascii_digit());
            // The parts of a number name other things: only its joined form, the last term, is still meant.
            let n_vague = if has_digit { parts.len().saturating_sub(1).max(1) } else { 0 };
            terms.extend(parts.into_iter().skip(n_vague));
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::Kind;
    use crate::rank::terms;
    use crate::retrieve::units;

    const LIMITS: Limits = Limits { n_items: 20, n_tokens: 8_000 };

    /// BM25 as the formula reads, over lists of terms.
    fn naive(units: &[&str], query: &[String]) -> Vec<u32> {
        let docs: Vec<Vec<String>> = units.iter().map(|unit| terms::of(unit)).collect();
        let n = docs.len() as f64;
        let mean = docs.iter().map(Vec::len).sum::<usize>() as f64 / n;
        let idf = |term: &String| {
            let df = docs.iter().filter(|doc| doc.contains(term)).count() as f64;
            libm::log(1.0 + (n - df + 0.5) / (df + 0.5))
        };
        let scores: Vec<(f64, f64)> = docs
            .iter()
            .map(|doc| {
                let (mut score, mut covers) = (0.0, 0.0);
                for term in query {
                    let tf = doc.iter().filter(|t| *t == term).count() as f64;
                    let norm = 1.2 * (1.0 - 0.75 + 0.75 * doc.len() as f64 / mean);
                    score += idf(term) * tf * 2.2 / (tf + norm);
                    covers += if tf > 0.0 { idf(term) } else { 0.0 };
                }
                (score, covers)
            })
            .collect();
        let best = scores.iter().map(|s| s.0).fold(0.0, f64::max);
        let covered = scores.iter().map(|s| s.1).fold(0.0, f64::max);
        let mut shown: Vec<(f64, u32)> = (0..)
            .zip(&scores)
            .filter(|(_, (score, covers))| {
                *score > 0.0 && (*score >= 0.3 * best || *covers > covered - 1e-9)
            })
            .map(|(unit, (score, _))| (-score, unit))
            .collect();
        shown.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut shown: Vec<u32> = shown.into_iter().take(20).map(|(_, unit)| unit).collect();
        shown.sort_unstable();
        shown
    }

    #[test]
    fn words_are_ranked_as_the_formula_says() {
        const WORDS: &[&str] =
            &["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"];
        let mut state = 1_u32;
        let mut next = |n: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % n
        };
        for round in 0..200 {
            // Few words are frequent, most are rare; lines of any length, so that no two scores are close by accident.
            let mut text = String::new();
            for _ in 0..5 + next(60) {
                for _ in 0..1 + next(12) {
                    let word = next(8).min(next(8));
                    text.push_str(WORDS[word as usize]);
                    text.push(' ');
                }
                text.push('\n');
            }
            let query = [WORDS[next(8) as usize], WORDS[next(8) as usize]].join(" ");
            let cut = units::cut(&text, Kind::Repetition).unwrap();
            let lines: Vec<&str> = cut.units.iter().map(|unit| unit.span.of(&text)).collect();
            let expected = naive(&lines, Query::new(&query).terms());
            match select(&text, &cut, &query, LIMITS) {
                Ok(hits) => {
                    // A unit that covers the query may have taken the place of the last one.
                    let n_other = hits.shown.iter().filter(|unit| !expected.contains(unit)).count();
                    assert_eq!(hits.shown.len(), expected.len(), "round {round}, {query}\n{text}");
                    assert!(n_other <= usize::from(expected.len() == 20), "round {round}, {query}");
                }
                Err(miss) => assert!(miss == Miss::Nothing && expected.is_empty(), "round {round}"),
            }
        }
    }

    fn check(text: &str, query: &str, shown: &[u32], n_matching: u32) {
        let cut = units::cut(text, Kind::Repetition).unwrap();
        let hits = select(text, &cut, query, LIMITS).ok();
        let got = hits.map(|hits| (hits.shown, hits.n_matching));
        let expected = (!shown.is_empty()).then(|| (shown.to_vec(), n_matching));
        assert_eq!(got, expected, "{query}");
    }

    #[test]
    fn identifiers_outrank_words() {
        let text =
            "ord-1 paid\nord-2 failed failed failed\nord-3 paid\nord-1 failed\nord-10 failed\n";
        check(text, "ord-1 failed", &[0, 3], 2);
        check(text, "ord-1", &[0, 3], 2);
        check(text, "`ord-2`, ord-3?", &[1, 2], 2);
        check(text, "ord-10 ord-2 paid", &[1, 4], 2);
        check(text, "the ord-3", &[2], 1);
        check(text, "ord-77", &[], 0);
        check(text, "ord-77 failed", &[1, 3, 4], 3);
        check(text, "what is this", &[], 0);
    }

    #[test]
    fn a_long_unit_that_holds_all_words_is_shown() {
        let filler = "noise of any other sort ".repeat(60);
        let mut text = "alpha alpha\nbeta beta\n".to_owned();
        text.push_str(&format!("alpha {filler} beta\nalpha {filler}\n"));
        text.push_str(&"nothing\n".repeat(20));
        check(&text, "alpha beta", &[0, 1, 2], 4);
    }

    #[test]
    fn the_head_of_a_hash_is_found_when_nothing_stands_whole() {
        let text = "commit 1a2b3c4d5e6f\ncommit 9f8e7d6c5b4a\ncommit 1a2b3c4dffff\n";
        check(text, "1a2b3c4d", &[0, 2], 2);
        check(text, "1a2b3c4d5e6f", &[0], 1);
        // Too short to mean a longer word.
        check(text, "1a2b", &[], 0);
    }

    #[test]
    fn an_absent_name_is_found_by_its_rare_parts() {
        let mut text = "line of noise\n".repeat(20);
        text.push_str("UserService starts\n");
        check(&text, "UserServiceImpl", &[20], 1);
        check(&text, "user_service", &[20], 1);
        check(&text, "noise_maker", &[], 0);
    }

    #[test]
    fn a_unit_above_the_budget_is_no_view() {
        let text = format!("needle-1 {}\nother\n", "word ".repeat(20_000));
        let cut = units::cut(&text, Kind::Repetition).unwrap();
        assert_eq!(select(&text, &cut, "needle-1", LIMITS), Err(Miss::TooLarge));
        assert_eq!(select(&text, &cut, "other", LIMITS).unwrap().shown, [1]);
        // Nor is a smaller one shown in the place of the best.
        let text = format!("{text}needle-1 again\n");
        let cut = units::cut(&text, Kind::Repetition).unwrap();
        assert_eq!(select(&text, &cut, "needle-1", LIMITS), Err(Miss::TooLarge));
    }
}
