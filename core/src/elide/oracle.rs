//! The facts oracle: re-derives every fact of every marker from the units that it replaced, by other means than `facts`.

use super::plan::Segment;
use super::sheet::{CellKind, Sheet};
use super::{Focus, Style, segments};
use crate::prelude::*;
use crate::text::Span;

/// The values that the units hold of the column named `name`, one list for each unit.
fn column<'t>(sheet: &Sheet<'t>, name: &str, units: core::ops::Range<usize>) -> Vec<Vec<&'t str>> {
    let id = sheet
        .columns()
        .iter()
        .position(|n| n == name)
        .unwrap_or_else(|| panic!("no column {name}"));
    units
        .map(|u| {
            sheet
                .cells_of(u)
                .iter()
                .filter(|c| c.column() as usize == id)
                .map(|c| c.span.of(sheet.text))
                .collect()
        })
        .collect()
}

fn is_true(sheet: &Sheet<'_>, fact: &str, units: core::ops::Range<usize>) -> bool {
    let (name, told) =
        fact.split_once(": ").unwrap_or_else(|| panic!("a fact without a name: {fact}"));
    let per_unit = column(sheet, name, units.clone());
    let all: Vec<&str> = per_unit
        .iter()
        .flatten()
        .copied()
        .map(|v| if v.is_empty() { "(empty)" } else { v })
        .collect();
    let n_absent = per_unit.iter().filter(|values| values.is_empty()).count();
    let (told, absent) = match told.rsplit_once(", absent×") {
        Some((told, n)) => (told, n.parse::<usize>().unwrap()),
        None => (told, 0),
    };
    if absent != n_absent {
        return false;
    }
    if let Some((n, rest)) = told.split_once(" distinct, ") {
        let mut sorted = all.clone();
        sorted.sort_unstable();
        sorted.dedup();
        let n: usize = n.parse().unwrap();
        let counted = sorted.len() == n && all.len() == n;
        if let Some(range) = rest.strip_suffix(", all present") {
            let (low, high) = range.split_once("..").unwrap();
            let digits = |s: &str| {
                s.trim_start_matches(|c: char| !c.is_ascii_digit()).parse::<u64>().unwrap()
            };
            return counted
                && digits(high) - digits(low) + 1 == n as u64
                && all.contains(&low)
                && all.contains(&high);
        }
        return counted && rest == format!("{} … {}", all[0], all[n - 1]);
    }
    if told.contains('×') {
        let mut sum = 0;
        let held = told.split(", ").all(|part| {
            let (value, n) = part.rsplit_once('×').unwrap();
            let n: usize = n.parse().unwrap();
            sum += n;
            all.iter().filter(|v| **v == value).count() == n
        });
        return held && sum == all.len();
    }
    if let Some((low, high)) = told.split_once("..") {
        let number = |s: &str| s.parse::<f64>().ok();
        let within = |v: &str| match (number(v), number(low), number(high)) {
            (Some(v), Some(low), Some(high)) => low <= v && v <= high,
            _ => low <= v && v <= high,
        };
        return all.contains(&low) && all.contains(&high) && all.iter().all(|v| within(v));
    }
    all.iter().all(|v| *v == told)
}

/// Panics unless every marker counts its units, names its range and states only what is true of them.
pub(super) fn check(sheet: &Sheet<'_>, segments: &[Segment]) -> usize {
    let (mut n_facts, mut at) = (0, 0);
    for segment in segments {
        let (units, marker) = match segment {
            Segment::Keep { units } => (units, None),
            Segment::Elide { units, marker } => (units, Some(marker)),
        };
        assert_eq!(units.start, at, "segments leave no gap");
        at = units.end;
        let Some(marker) = marker else { continue };
        let inside = marker
            .trim()
            .trim_matches('"')
            .strip_prefix("[caveman: ")
            .unwrap()
            .strip_suffix(']')
            .unwrap();
        let mut parts = inside.split("; ");
        let head = parts.next().unwrap();
        assert!(head.starts_with(&format!("{} ", units.len())), "{head}");
        assert!(
            head.ends_with(&if units.len() == 1 {
                format!("{}", at)
            } else {
                format!("{}-{at}", units.start + 1)
            }),
            "{head}"
        );
        for fact in parts {
            assert!(is_true(sheet, fact, units.clone()), "{fact} is not true of {units:?}");
            n_facts += 1;
        }
    }
    assert_eq!(at, sheet.len());
    n_facts
}

/// A sheet of random rows: an identifier, a time, enumerations, a measure, a field that some rows lack.
fn random_rows(seed: u64, n: usize) -> String {
    let mut state = seed;
    let mut next = |below: u64| {
        state = super::mask::mix(state, 11);
        state % below
    };
    let (n_states, gap, lack) = (1 + next(7), 1 + next(3), 1 + next(40));
    let mut out = String::new();
    for i in 0..n as u64 {
        let state =
            if next(50) == 0 { String::from("odd") } else { format!("s{}", next(n_states)) };
        let level = if next(60) == 0 { "" } else { "ok" };
        let measure = if next(80) == 0 { 100_000 } else { 10 + next(90) };
        let note = if next(40) < lack { format!("n{}", next(3)) } else { String::from("-absent-") };
        out.push_str(&format!(
            "id-{},2026-09-14T{:02}:{:02}:{:02}Z,{state},{level},{measure}.5,{note}\n",
            7 + i * gap,
            next(24),
            next(60),
            next(60)
        ));
    }
    out
}

fn sheet_of(text: &str) -> Sheet<'_> {
    let mut sheet = Sheet::new(text, "rows");
    let columns: Vec<u32> = ["id", "time", "state", "level", "measure", "note"]
        .iter()
        .map(|n| sheet.add_column(n))
        .collect();
    for line in crate::text::lines(text) {
        sheet.add_unit(line, 0, super::Severity::None);
        let mut at = line.start;
        for (cell, column) in line.of(text).trim_end().split(',').zip(&columns) {
            let span = Span { start: at, end: at + crate::text::offset(cell.len()) };
            if cell != "-absent-" {
                sheet.add_cell(*column, CellKind::of(cell), span);
            }
            at = span.end + 1;
        }
    }
    sheet
}

#[test]
fn every_fact_of_ten_thousand_sheets_is_true() {
    let mut n_facts = 0;
    for seed in 0..10_000_u32 {
        let text = random_rows(u64::from(seed), 8 + (seed * 7 % 60) as usize);
        let sheet = sheet_of(&text);
        n_facts += check(&sheet, &segments(&sheet, &Focus::default(), &Style::ROWS));
    }
    assert!(n_facts > 10_000, "the generator gives facts to check: {n_facts}");
}

#[test]
fn a_rare_value_a_minority_and_an_outlier_stay_in_sight() {
    let row = |i: usize, state: &str, ms: usize| {
        format!("id-{i},2026-09-14T08:00:{i:02}Z,{state},ok,{ms}.5,n0\n")
    };
    let text: String = (0..60)
        .map(|i| {
            row(
                i,
                if i == 33 { "declined" } else { "paid" },
                if i == 44 { 90_000 } else { 10 + i % 7 },
            )
        })
        .collect();
    let sheet = sheet_of(&text);
    let kept: Vec<usize> = segments(&sheet, &Focus::default(), &Style::ROWS)
        .into_iter()
        .filter_map(|s| if let Segment::Keep { units } = s { Some(units) } else { None })
        .flatten()
        .collect();
    assert!(kept.contains(&33) && kept.contains(&44), "{kept:?}");
    assert!(kept.len() < 12, "{kept:?}");
}

#[test]
fn a_focus_word_keeps_its_units() {
    let text = random_rows(3, 60);
    let sheet = sheet_of(&text);
    let word = sheet.units()[31].span.of(&text).split(',').next().unwrap().to_owned();
    let focus = Focus { words: vec![word], ..Focus::default() };
    let keeps = |focus: &Focus| {
        segments(&sheet, focus, &Style::ROWS)
            .iter()
            .any(|s| matches!(s, Segment::Keep { units } if units.contains(&31)))
    };
    assert!(keeps(&focus) && !keeps(&Focus::default()));
}

#[test]
fn harder_pressure_never_keeps_more() {
    for seed in 0..50 {
        let text = random_rows(seed, 80);
        let sheet = sheet_of(&text);
        let kept = |pressure| -> usize {
            let focus = Focus { pressure, ..Focus::default() };
            let units = |s: &Segment| if let Segment::Keep { units } = s { units.len() } else { 0 };
            segments(&sheet, &focus, &Style::ROWS).iter().map(units).sum()
        };
        assert!((0..Focus::MAX_PRESSURE).all(|p| kept(p + 1) <= kept(p)), "seed {seed}");
    }
}
