//! What holds for every payload, asked of generated ones of all kinds, whole and damaged.

use crate::variants::variants;
use crate::{compress, figures, wishes};
use caveman_core::compress::{self as compressors, Proposals};
use caveman_core::draft::{Draft, Piece};
use caveman_core::elide::{Focus, MARKER_OPEN};
use caveman_core::engine::{self, Elided, Options};
use caveman_core::kind::Kind;
use caveman_core::present;
use caveman_core::store::MemoryStore;
use caveman_core::text::Span;
use caveman_tests::payloads::{HOSTILE, ORDINARY};
use caveman_tests::random::Random;

/// Payloads by name: ordinary ones of several sizes, hostile ones, and damaged copies of both.
fn subjects() -> Vec<(String, String)> {
    let mut subjects = Vec::new();
    for growing in ORDINARY {
        for size in [300, 3_000, 30_000] {
            subjects.push((format!("{} {size}", growing.name), (growing.make)(size)));
        }
    }
    subjects.extend(HOSTILE.iter().map(|g| (g.name.to_owned(), (g.make)(20_000))));
    let mut random = Random::new(99);
    for growing in ORDINARY {
        for round in 0..3 {
            let whole = (growing.make)(12_000);
            subjects
                .push((format!("{} damaged {round}", growing.name), damaged(&whole, &mut random)));
        }
    }
    subjects
}

/// Cut short, lines taken out and doubled, a character replaced, `\r\n` for some `\n`.
fn damaged(whole: &str, random: &mut Random) -> String {
    let mut out = String::new();
    for line in whole.split_inclusive('\n') {
        match random.below(40) {
            0 => {}
            1 => out.push_str(&line.repeat(2)),
            2 => out.push_str(&line.replace('\n', "\r\n")),
            3 => out.push_str(&line.replace('1', "é")),
            4 => out.push_str(&line.replace('"', "")),
            5 => out.push_str(&line.replace(',', "漢")),
            _ => out.push_str(line),
        }
    }
    let cut = usize::try_from(random.below(out.len() as u64 / 2)).unwrap_or(0);
    out.chars().take(out.chars().count() - cut).collect()
}

#[test]
fn two_runs_are_equal() {
    for (name, payload) in subjects() {
        let (one, two) = (compress(payload.as_bytes()), compress(payload.as_bytes()));
        assert!(one.output == two.output, "{name}: two outputs");
        assert_eq!(
            (one.recovery_handle, one.tokens_after),
            (two.recovery_handle, two.tokens_after),
            "{name}"
        );
    }
}

#[test]
fn compressing_an_output_again_changes_nothing() {
    let cases = wishes::subjects().into_iter().chain(variants(4_800, 3));
    let cases = cases.map(|(name, _, payload)| (name, payload));
    for (name, payload) in subjects().into_iter().chain(cases) {
        let first = compress(payload.as_bytes());
        if first.recovery_handle.is_none() {
            continue;
        }
        let second = compress(&first.output);
        assert!(
            second.output == first.output,
            "{name}: {} then {}\n--- first\n{}\n--- second\n{}",
            figures(&first),
            figures(&second),
            String::from_utf8_lossy(&first.output),
            String::from_utf8_lossy(&second.output),
        );
    }
}

#[test]
fn every_forced_kind_answers_every_payload() {
    for (name, payload) in subjects() {
        for kind in Kind::ALL {
            let options = Options { content_type: Some(*kind), ..Options::default() };
            let mut store = MemoryStore::default();
            let answer = engine::compress(&mut store, 0, payload.as_bytes(), &options);
            let smaller = answer.tokens_after < answer.tokens_before;
            assert!(
                smaller || answer.output.as_ref() == payload.as_bytes(),
                "{name} as {}",
                kind.name()
            );
        }
    }
}

#[test]
fn a_full_store_passes_through() {
    for (name, payload) in subjects() {
        let mut store = MemoryStore::with_limit(1);
        let answer = engine::compress(&mut store, 0, payload.as_bytes(), &Options::default());
        assert!(
            answer.recovery_handle.is_none() && answer.output.as_ref() == payload.as_bytes(),
            "{name}"
        );
    }
}

#[test]
fn a_budget_is_never_worse_than_none() {
    for growing in ORDINARY {
        let payload = (growing.make)(30_000);
        let free = compress(payload.as_bytes());
        for budget in [200, 1_000, 5_000] {
            let options = Options { token_budget: Some(budget), ..Options::default() };
            let mut store = MemoryStore::default();
            let answer = engine::compress(&mut store, 0, payload.as_bytes(), &options);
            assert!(
                answer.tokens_after <= free.tokens_after,
                "{} within {budget}: {} against {} without",
                growing.name,
                figures(&answer),
                figures(&free),
            );
        }
    }
}

#[test]
fn each_marker_says_what_it_stands_for() {
    let mut n_markers = 0;
    for (name, payload) in subjects() {
        let answer = compress(payload.as_bytes());
        let output = std::str::from_utf8(&answer.output).expect("text");
        let mut before = Span::default();
        for Elided { marker, of, .. } in &answer.elided {
            let text = marker.of(output);
            assert!(text.contains(MARKER_OPEN), "{name}: {text:?} is no marker");
            assert!(marker.start >= before.end, "{name}: {text:?} comes twice");
            before = *marker;
            assert!(!of.of(&payload).is_empty(), "{name}: {text:?} stands for nothing");
            n_markers += 1;
        }
        let is_lossy = answer.reason.is_none() && !answer.lossless_to_model;
        assert!(is_lossy || answer.elided.is_empty(), "{name}");
        // What repeats may be told of once, beside the handle.
        assert!(!is_lossy || output.contains(MARKER_OPEN), "{name}");
    }
    assert!(n_markers > 200, "only {n_markers} markers");
}

#[test]
fn drafts_account_for_what_they_leave_out() {
    let mut n_drafts = 0;
    for (name, payload) in subjects() {
        let presented = present::unwrap(&payload);
        for compressor in compressors::ALL {
            let name = format!("{name} as {}", compressor.kind().name());
            for pressure in [0, Focus::MAX_PRESSURE] {
                let focus = Focus { pressure, ..Focus::default() };
                let Proposals { lossless, elided } = compressor.compress(&presented.text, &focus);
                for draft in lossless.iter().chain(&elided) {
                    check_draft(&name, &presented.text, draft);
                    n_drafts += 1;
                }
                assert!(
                    lossless.is_none_or(|d| d.is_lossless()),
                    "{name}: a lossless draft elides"
                );
            }
        }
    }
    assert!(n_drafts > 100, "{n_drafts} drafts only");
}

/// Pieces stand in the order of the payload and do not overlap, kept ones are slices at character boundaries, markers
/// stand for something, and together for no more units than there are.
#[track_caller]
fn check_draft(name: &str, text: &str, draft: &Draft) {
    let (mut end, mut n_told_below) = (0, 0);
    for piece in &draft.pieces {
        let (span, what) = match piece {
            Piece::Kept(span) => (*span, "kept"),
            // A statement about the whole: it stands before the first byte that is shown.
            Piece::Marker { of, n_units: 0, text } if of.is_empty() => {
                assert!(text.contains(MARKER_OPEN), "{name}: not a marker: {text:?}");
                (*of, "recoded")
            }
            Piece::Recoded { of, .. } => (*of, "recoded"),
            Piece::Marker { of, n_units, text } => {
                if !text.contains(MARKER_OPEN) {
                    n_told_below += n_units;
                }
                (*of, "marker")
            }
            Piece::Glue(_) => continue,
        };
        assert!(span.start >= end, "{name}: {what} {span:?} overlaps what ends at {end}");
        assert!(text.get(span.range()).is_some(), "{name}: {what} {span:?} is no slice");
        assert!(what == "recoded" || !span.is_empty(), "{name}: {what} {span:?} is empty");
        end = span.end;
    }
    // Markers without words are counted by notes, to the unit.
    let n_noted: u32 = draft.notes.iter().filter_map(|note| noted(note)).sum();
    assert_eq!(n_told_below, n_noted, "{name}: {:?}", draft.notes);
    assert!(
        draft.n_elided() <= draft.n_units,
        "{name}: {} of {} units",
        draft.n_elided(),
        draft.n_units
    );
}

/// How many units a note says went without a marker of their own: `[caveman: context elided: 12 lines]`.
fn noted(note: &str) -> Option<u32> {
    let count = note
        .rsplit_once(": ")?
        .1
        .strip_suffix(" lines]")
        .or(note.rsplit_once(": ")?.1.strip_suffix(" more elided]"))?;
    count.parse().ok()
}

#[test]
fn units_for_retrieval_are_ordered_slices() {
    for (name, payload) in subjects() {
        for compressor in compressors::ALL {
            let Some(units) = compressor.units(&payload) else { continue };
            let name = format!("{name} as {}", compressor.kind().name());
            let mut end = 0;
            for span in units.spans {
                assert!(
                    span.start >= end && payload.get(span.range()).is_some(),
                    "{name}: {span:?} after {end}"
                );
                end = span.end;
            }
        }
    }
}
