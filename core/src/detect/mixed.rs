//! Mixed payloads: prose around segments of other kinds, fenced or told by what they are.

use super::sample::{self, Sample};
use super::{Scores, columns, diff, json, listing, log, markup, report, trace};
use crate::kind::Kind;
use crate::prelude::*;

/// A segment of fewer lines is part of the prose around it.
const MIN_LINES: usize = 6;

/// A payload of more blocks is a document.
const MAX_BLOCKS: usize = 16;

pub(super) fn probe(sample: &Sample<'_>, scores: &mut Scores) {
    fenced(sample, scores);
    bare(sample, scores);
}

/// Long fences and few headings: someone shows data, this is no document with examples.
fn fenced(sample: &Sample<'_>, scores: &mut Scores) {
    let (mut n_prose, mut n_fenced, mut n_fences, mut n_headings, mut in_fence) =
        (0, 0, 0, 0, false);
    for line in sample.full() {
        let body = line.body;
        if body.starts_with("```") {
            in_fence = !in_fence;
            n_fences += 1;
            n_fenced += 1;
        } else if in_fence {
            n_fenced += 1;
        } else {
            n_headings += usize::from(body.starts_with('#'));
            n_prose += usize::from(markup::is_prose(body) || body.ends_with(':'));
        }
    }
    if n_fences >= 2
        && n_prose > 0
        && sample.share(n_fenced) >= 500
        && n_fenced >= n_fences * MIN_LINES
        && n_headings <= 2
    {
        scores.claim(Kind::Mixed, sample.share(n_fenced + n_prose));
    }
}

/// Blocks between blank lines, some of them prose, the others of a kind that its own probes are sure of. One segment of
/// a kind that is read line by line needs no cutting: its compressor leaves other lines alone.
fn bare(sample: &Sample<'_>, scores: &mut Scores) {
    let blocks = blocks(sample.head);
    if !(2..=MAX_BLOCKS).contains(&blocks.len()) {
        return;
    }
    let (mut n_prose, mut n_data, mut kinds) = (0, 0, Vec::new());
    for block in blocks {
        let lines = || block.lines().map(str::trim).filter(|line| !line.is_empty());
        let n_lines = lines().count();
        let n_words = lines().filter(|line| markup::is_prose(line) || line.ends_with(':')).count();
        if n_words * 10 >= n_lines * 6 {
            n_prose += n_lines;
        } else if n_lines >= MIN_LINES
            && let Some(kind) = sure(block)
        {
            n_data += n_lines;
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
    }
    let needs_cutting = match kinds.as_slice() {
        [Kind::Json | Kind::Diff | Kind::Table | Kind::Tabular | Kind::Listing] => true,
        kinds => kinds.len() >= 2,
    };
    if n_prose > 0 && needs_cutting && sample.share(n_data) >= 500 {
        scores.claim(Kind::Mixed, sample.share(n_prose + n_data) * 98 / 100);
    }
}

/// The stretches between blank lines.
fn blocks(text: &str) -> Vec<&str> {
    let mut blocks = Vec::new();
    let (mut start, mut at) = (0, 0);
    for line in sample::lines(text) {
        if line.trim().is_empty() {
            if at > start {
                blocks.push(text.get(start..at).unwrap_or_default());
            }
            start = at + line.len();
        }
        at += line.len();
        if blocks.len() > MAX_BLOCKS {
            return blocks;
        }
    }
    if at > start {
        blocks.push(text.get(start..at).unwrap_or_default());
    }
    blocks
}

/// The kind that a block certainly is.
fn sure(block: &str) -> Option<Kind> {
    let sample = Sample::of(block);
    let mut scores = Scores::default();
    let probes = [
        json::probe,
        diff::probe,
        report::tests,
        listing::probe,
        log::probe,
        report::diagnostics,
        trace::probe,
        columns::probe,
    ];
    for probe in probes {
        probe(&sample, &mut scores);
    }
    let (kind, score) = scores.best()?;
    (score >= 900).then_some(kind)
}
