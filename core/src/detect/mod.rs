//! Detection: probes that score evidence for each kind over a bounded sample; the best score above the floor wins.
//!
//! A score is the share of the sampled non-blank lines, in thousandths, that a kind's own grammar explains, raised where a
//! line occurs that no other kind has (`@@ -1,4 +1,6 @@`, `test result: ok.`). So kinds compete on one scale: how much of
//! the payload each of them accounts for. A kind below [`FLOOR`] has explained too little to be trusted with the
//! payload, and equal scores go to the more specific kind, by [`SPECIFIC_FIRST`].
//!
//! The payload is never parsed: probes see at most 40 KiB of it (head, middle, tail, in whole lines).

mod code;
mod columns;
mod config;
mod diff;
mod json;
mod listing;
mod log;
mod markup;
mod mixed;
mod report;
mod sample;
mod session;
mod shape;
mod trace;

use crate::kind::Kind;
use crate::prelude::*;
use sample::Sample;

/// What a payload is, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detection {
    /// The best kind above its margin, else [`Kind::Text`].
    pub kind: Kind,
    /// For code: the language, in the spelling of `language` on the wire (`rust`, `python`, `typescript`, …).
    pub language: Option<&'static str>,
    /// The scores that were not zero, best first.
    pub scores: Vec<(Kind, u32)>,
}

/// Detects the kind of a bare text (see [`crate::present`]).
pub fn detect(text: &str) -> Detection {
    let sample = Sample::of(text);
    let mut scores = Scores::default();
    for probe in PROBES {
        probe(&sample, &mut scores);
    }
    scores.decide()
}

type Probe = fn(&Sample<'_>, &mut Scores);

/// One family of evidence each.
const PROBES: &[Probe] = &[
    json::probe,
    diff::probe,
    log::probe,
    trace::probe,
    report::probe,
    listing::probe,
    columns::probe,
    config::probe,
    markup::probe,
    session::probe,
    code::probe,
    mixed::probe,
];

/// Those that can be sure of a segment between prose.
const DATA_PROBES: &[Probe] = &[
    json::probe,
    diff::probe,
    log::probe,
    trace::probe,
    report::probe,
    listing::probe,
    columns::probe,
];

/// The least share that a kind has to explain. Our choice: at half of the lines a second kind may explain the rest.
const FLOOR: u32 = 500;

/// Who wins among equals: the narrower grammar. A test report may be made of JSON lines, a listing of aligned columns.
const SPECIFIC_FIRST: &[Kind] = &[
    Kind::TestReport,
    Kind::Diff,
    Kind::GitLog,
    Kind::Diagnostics,
    Kind::Ndjson,
    Kind::Json,
    Kind::StackTrace,
    Kind::Mixed,
    Kind::Html,
    Kind::Xml,
    Kind::Terminal,
    Kind::Listing,
    Kind::Log,
    Kind::Search,
    Kind::Tabular,
    Kind::Table,
    Kind::Markdown,
    Kind::Code,
    Kind::Config,
];

/// Evidence gathered so far.
#[derive(Debug, Default)]
struct Scores {
    by_kind: Vec<(Kind, u32)>,
    language: Option<&'static str>,
}

impl Scores {
    /// Records that `kind` explains `score` thousandths; the best of several claims counts.
    fn claim(&mut self, kind: Kind, score: u32) {
        if score == 0 {
            return;
        }
        let score = score.min(1000);
        match self.by_kind.iter_mut().find(|(k, _)| *k == kind) {
            Some((_, best)) => *best = score.max(*best),
            None => self.by_kind.push((kind, score)),
        }
    }

    /// Sorts the claims, best first.
    fn sort(&mut self) {
        let rank = |kind| SPECIFIC_FIRST.iter().position(|k| *k == kind).unwrap_or(usize::MAX);
        self.by_kind.sort_by_key(|(kind, score)| (core::cmp::Reverse(*score), rank(*kind)));
    }

    /// The best claim.
    fn best(mut self) -> Option<(Kind, u32)> {
        self.sort();
        self.by_kind.first().copied()
    }

    fn decide(mut self) -> Detection {
        self.sort();
        let best = self.by_kind.first().filter(|(_, score)| *score >= FLOOR);
        let kind = best.map_or(Kind::Text, |(kind, _)| *kind);
        Detection {
            kind,
            language: self.language.filter(|_| kind == Kind::Code),
            scores: self.by_kind,
        }
    }
}

/// `n` of `total` in thousandths; 0 of nothing.
fn share(n: usize, total: usize) -> u32 {
    if total == 0 {
        return 0;
    }
    u32::try_from(n.saturating_mul(1000) / total).unwrap_or(1000).min(1000)
}
