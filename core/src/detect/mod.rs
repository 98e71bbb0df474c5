//! Detection: probes that score evidence for each kind over a bounded sample; the best score above the floor wins.
//!
//! A score is the share of the sampled non-blank lines, in thousandths, that a kind's own grammar explains, raised where a
//! line occurs that no other kind has (`@@ -1,4 +1,6 @@`, `test result: ok.`). So kinds compete on one scale: how much of
//! the payload each of them accounts for. A kind below `FLOOR` has explained too little to be trusted with the
//! payload, and equal scores go to the more specific kind, by `SPECIFIC_FIRST`.
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
use crate::order;
use crate::prelude::*;
pub use markup::is_html_block;
pub use mixed::{Segment, fences, needs_cutting, segments};
use sample::Sample;

/// What a payload is, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detection {
    /// The best kind above its margin, else [`Kind::Text`].
    pub kind: Kind,
    /// For code: the language, in the spelling of `language` on the wire (`rust`, `python`, `typescript`, …).
    pub language: Option<&'static str>,
    /// The scores that were not zero, best first. A kind that could not win any more was not asked.
    pub scores: Vec<(Kind, u32)>,
}

/// Detects the kind of a bare text (see [`crate::present`]).
pub fn detect(text: &str) -> Detection {
    let sample = Sample::of(text);
    let mut scores = Scores::default();
    for probe in PROBES {
        if !scores.is_settled_before(probe.best) {
            (probe.run)(&sample, &mut scores);
        }
    }
    scores.decide()
}

/// One family of evidence.
struct Probe {
    run: fn(&Sample<'_>, &mut Scores),
    /// The most specific kind that it may claim: no use to run it when a kind before that one explains every line.
    best: Kind,
}

/// The families; those of kinds that others cannot beat come first.
const PROBES: &[Probe] = &[
    Probe { run: json::probe, best: Kind::Ndjson },
    Probe { run: markup::tags, best: Kind::Html },
    Probe { run: diff::probe, best: Kind::Diff },
    Probe { run: report::tests, best: Kind::TestReport },
    Probe { run: listing::probe, best: Kind::Listing },
    Probe { run: log::probe, best: Kind::Log },
    Probe { run: report::diagnostics, best: Kind::Diagnostics },
    Probe { run: trace::probe, best: Kind::StackTrace },
    Probe { run: session::probe, best: Kind::Terminal },
    Probe { run: columns::probe, best: Kind::Tabular },
    Probe { run: markup::markdown, best: Kind::Markdown },
    Probe { run: code::probe, best: Kind::Code },
    Probe { run: config::probe, best: Kind::Config },
    Probe { run: mixed::probe, best: Kind::Mixed },
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

    /// Whether a kind that goes before `kind` explains every line, so that `kind` cannot win.
    fn is_settled_before(&self, kind: Kind) -> bool {
        self.by_kind.iter().any(|(k, score)| *score == 1000 && rank(*k) < rank(kind))
    }

    /// Sorts the claims, best first.
    fn sort(&mut self) {
        order::sort_by_key(&mut self.by_kind, |(kind, score)| {
            (core::cmp::Reverse(*score), rank(*kind))
        });
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

/// The place of `kind` among equals.
fn rank(kind: Kind) -> usize {
    SPECIFIC_FIRST.iter().position(|k| *k == kind).unwrap_or(usize::MAX)
}

/// `n` of `total` in thousandths; 0 of nothing.
fn share(n: usize, total: usize) -> u32 {
    if total == 0 {
        return 0;
    }
    u32::try_from(n.saturating_mul(1000) / total).unwrap_or(1000).min(1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(claims: &[(Kind, u32)]) -> Kind {
        let mut scores = Scores::default();
        for (kind, score) in claims {
            scores.claim(*kind, *score);
        }
        scores.decide().kind
    }

    #[test]
    fn the_best_claim_wins_and_equals_go_to_the_narrower_kind() {
        assert_eq!(decided(&[]), Kind::Text);
        assert_eq!(decided(&[(Kind::Log, FLOOR - 1)]), Kind::Text);
        assert_eq!(decided(&[(Kind::Log, FLOOR)]), Kind::Log);
        assert_eq!(decided(&[(Kind::Code, 900), (Kind::TestReport, 800)]), Kind::Code);
        assert_eq!(decided(&[(Kind::Code, 900), (Kind::TestReport, 900)]), Kind::TestReport);
        assert_eq!(decided(&[(Kind::Log, 400), (Kind::Search, 600), (Kind::Log, 700)]), Kind::Log);
    }

    #[test]
    fn every_detectable_kind_has_its_place_among_equals() {
        for kind in Kind::ALL {
            let is_placed = SPECIFIC_FIRST.contains(kind);
            let is_other = matches!(
                kind,
                Kind::Text | Kind::Toon | Kind::Repetition | Kind::ToolSchema | Kind::A11y
            );
            assert_ne!(is_placed, is_other, "{}", kind.name());
        }
    }

    #[test]
    fn hostile_payloads_are_read_within_the_bound() {
        let units = [
            "a",
            " ",
            "\n",
            "\"",
            "\"\"\"\n",
            "[",
            "{\"a\":",
            "<a ",
            "<",
            "|",
            ",",
            "a:1:",
            "\tat (\n",
            "/* ",
            "a/",
            "\u{1b}[",
            "1:\n",
            "字",
            "- ",
            "x\r",
            "```\n",
            "# a\n",
            "@@ -1 +1 @@\n",
            "def \n",
            "\\\"",
            "'",
        ];
        for unit in units {
            let part = unit.repeat(100_000);
            let whole = part.repeat(4);
            // Four times the payload gives the same evidence: nothing beyond the sample was looked at.
            let (few, many) = (detect(&part), detect(&whole));
            assert_eq!(few.kind, many.kind, "{unit:?}");
            assert_eq!(many, detect(&whole), "{unit:?}");
        }
    }
}
