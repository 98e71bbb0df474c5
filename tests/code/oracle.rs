//! No wrong cut, and few long bodies that stay.

use crate::files::{self, File};
use crate::grammar::{self, Grammar};
use crate::judge;
use caveman_core::draft::Piece;
use std::collections::BTreeMap;
use std::ops::Range;
use tree_sitter::{Node, Tree};

/// A body has so many lines that say something before it counts as long.
const LONG: usize = 6;

#[derive(Default)]
struct Tally {
    n_files: usize,
    n_long: usize,
    n_kept: usize,
    kept: Vec<String>,
}

#[test]
fn what_goes_is_whole_and_long_bodies_go() {
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    let mut faults = Vec::new();
    for file in files::all() {
        let Some(grammar) = grammar::of(&file.language) else { continue };
        let tree = grammar.parse(&file.text);
        let stretches = judge::proposal(&file.text).map(|draft| {
            covers(&file, &draft.pieces);
            judge::elided(&draft)
        });
        let stretches = stretches.unwrap_or_default();
        for stretch in &stretches {
            let fault = judge::fault(&file.text, &grammar, &tree, stretch);
            faults.extend(fault.map(|fault| format!("{}: {fault}", file.name)));
        }
        let tally = tallies.entry(file.language.leak()).or_default();
        tally.n_files += 1;
        for body in long_bodies(&file.text, &grammar, &tree) {
            tally.n_long += 1;
            let n_gone = body.iter().filter(|at| stretches.iter().any(|s| s.contains(at))).count();
            if n_gone * 2 < body.len() {
                tally.n_kept += 1;
                let line = judge::line_of(&file.text, body[0]);
                tally.kept.push(format!("{}:{line}", file.name));
            }
        }
    }
    let (n_long, n_kept) =
        tallies.values().fold((0, 0), |sum, t| (sum.0 + t.n_long, sum.1 + t.n_kept));
    let table: Vec<String> = tallies
        .iter()
        .map(|(name, t)| {
            format!("{name}: {} files, {} long bodies, kept {:?}", t.n_files, t.n_long, t.kept)
        })
        .collect();
    let n_files: usize = tallies.values().map(|tally| tally.n_files).sum();
    println!("{n_files} files, {} languages, {n_long} long bodies, {n_kept} kept", tallies.len());
    assert!(faults.is_empty(), "{} of {n_files} files: {faults:#?}", faults.len());
    assert!(n_kept * 100 <= n_long * 3, "{n_kept} of {n_long} stay\n{}", table.join("\n"));
    assert!(n_long > 100 && tallies.len() >= 12, "{n_long} bodies, {} languages", tallies.len());
}

/// Kept slices and what the markers stand for make the source again.
fn covers(file: &File, pieces: &[Piece]) {
    let mut at = 0;
    for piece in pieces {
        let (Piece::Kept(of) | Piece::Marker { of, .. }) = piece else {
            panic!("{}: {piece:?}", file.name)
        };
        assert_eq!(of.start, at, "{}: {piece:?}", file.name);
        at = of.end;
    }
    assert_eq!(at as usize, file.text.len(), "{}", file.name);
}

/// For each long body where its lines begin, blank ones, comments and the lines of its brackets left out.
fn long_bodies(text: &str, grammar: &Grammar, tree: &Tree) -> Vec<Vec<usize>> {
    let mut starts = vec![0];
    starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
    let mut out = Vec::new();
    for body in grammar.bodies(tree) {
        if body.has_error() {
            continue;
        }
        let rows = inner_rows(&body, text);
        let says = |at: &usize| {
            let rest = text.get(*at..).unwrap_or_default();
            let line = rest.lines().next().unwrap_or_default().trim();
            let is_comment =
                tree.root_node().descendant_for_byte_range(at + 1, at + 1).is_some_and(|node| {
                    node.kind().contains("comment") || node.kind().contains("string")
                });
            let begins = ["//", "#", "--", "/*", "*", "\"\"\""];
            !line.is_empty() && !is_comment && !begins.iter().any(|sign| line.starts_with(sign))
        };
        let lines: Vec<usize> =
            rows.filter_map(|row| starts.get(row).copied()).filter(says).collect();
        if lines.len() >= LONG {
            out.push(lines);
        }
    }
    out
}

fn inner_rows(body: &Node<'_>, text: &str) -> Range<usize> {
    let (first, last) = (body.start_position().row, body.end_position().row);
    let is_bracketed = judge::slice(text, body.byte_range()).starts_with(['{', '(']);
    if is_bracketed { first + 1..last } else { first..last + 1 }
}
