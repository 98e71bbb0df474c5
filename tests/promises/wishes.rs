//! What a caller asks for: words whose units stay, and a budget. Asked of every kind, over the compressors' own cases.

use crate::text;
use caveman_core::compress as compressors;
use caveman_core::engine::{self, Answer, Options};
use caveman_core::kind::Kind;
use caveman_core::store::MemoryStore;
use caveman_tests::payloads::ORDINARY;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Payloads that their compressors shorten: name, kind and text.
pub(crate) fn subjects() -> Vec<(String, Kind, String)> {
    let mut subjects = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/src/compress");
    for compressor in compressors::ALL {
        let kind = compressor.kind();
        let folder = root.join(kind.name().replace('-', "_")).join("cases");
        let mut files: Vec<_> =
            fs::read_dir(folder).expect("cases").map(|file| file.expect("a case").path()).collect();
        files.sort();
        for path in files {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            if name.contains(".in.") {
                let text = fs::read_to_string(&path).expect("a case of text");
                subjects.push((format!("{} {name}", kind.name()), kind, text));
            }
        }
    }
    for growing in ORDINARY {
        let payload = (growing.make)(20_000);
        let kind = caveman_core::detect::detect(&payload).kind;
        subjects.push((growing.name.to_owned(), kind, payload));
    }
    subjects
}

fn compress<'p>(payload: &'p str, options: &Options<'_>) -> Answer<'p> {
    engine::compress(&mut MemoryStore::default(), 0, payload.as_bytes(), options)
}

/// Words of a payload that stand in it once, spread over it.
fn unique_words(payload: &str) -> Vec<&str> {
    let bare = |c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_');
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let words: Vec<&str> = payload.split(bare).filter(|word| word.len() >= 6).collect();
    words.iter().for_each(|word| *counts.entry(word).or_default() += 1);
    let is_unique = |word: &&str| {
        counts.get(word) == Some(&1)
            && payload.matches(*word).count() == 1
            && word.bytes().any(|b| b.is_ascii_alphabetic())
            // An escape's letters are no word, nor is the middle of a colour.
            && !payload.contains(&format!("\\{word}"))
            && !payload.contains(&format!("[{word}"))
    };
    let unique: Vec<&str> = words.into_iter().filter(is_unique).collect();
    let step = (unique.len() / 8).max(1);
    unique.into_iter().step_by(step).collect()
}

#[test]
fn what_is_asked_for_stays() {
    let mut missing = Vec::new();
    let mut n_asked = 0;
    for (name, kind, payload) in subjects() {
        for word in unique_words(&payload) {
            let options =
                Options { content_type: Some(kind), query: Some(word), ..Options::default() };
            n_asked += 1;
            let answer = compress(&payload, &options);
            if !answer.lossless_to_model && !text(&answer).contains(word) {
                missing.push(format!("{name}: {word}"));
            }
        }
    }
    assert!(n_asked > 300, "{n_asked} words only");
    assert!(missing.is_empty(), "{} of {n_asked}:\n{}", missing.len(), missing.join("\n"));
}

#[test]
fn a_budget_is_kept_to_the_token() {
    /// What a marker, the handle and a line or two cost.
    const FEASIBLE: u64 = 120;
    let mut broken = Vec::new();
    for (name, kind, payload) in subjects() {
        for budget in [20, FEASIBLE, 300, 1_000, 3_000] {
            let options = Options {
                content_type: Some(kind),
                token_budget: Some(budget),
                ..Options::default()
            };
            let answer = compress(&payload, &options);
            assert_eq!(answer.within_budget, Some(answer.tokens_after <= budget), "{name}");
            // A payload that is hardly above its budget cannot be made smaller by 5 %, nor said to be.
            let is_feasible = budget >= FEASIBLE;
            if is_feasible && answer.within_budget != Some(true) {
                broken.push(format!(
                    "{name} within {budget}: {} -> {}, {:?}",
                    answer.tokens_before, answer.tokens_after, answer.reason
                ));
            }
        }
    }
    assert!(broken.is_empty(), "{}:\n{}", broken.len(), broken.join("\n"));
}

#[test]
fn signals_go_last() {
    let lines = |n: usize| -> String {
        (0..n)
            .map(|i| match i {
                700 => "2026-09-14 08:11:40 ERROR disk of node-7 is full, é\n".to_owned(),
                i => format!(
                    "2026-09-14 08:{:02}:{:02} INFO step {i} of {} done by {}\n",
                    i / 60 % 60,
                    i % 60,
                    i * 7,
                    i % 13
                ),
            })
            .collect()
    };
    let payload = lines(1_500);
    for budget in [150, 200, 400, 2_000] {
        let options = Options { token_budget: Some(budget), ..Options::default() };
        let answer = compress(&payload, &options);
        assert!(
            text(&answer).contains("ERROR disk of node-7 is full, é"),
            "{budget}: {}",
            text(&answer)
        );
    }
    let options = Options { token_budget: Some(70), ..Options::default() };
    let answer = compress(&payload, &options);
    assert!(
        text(&answer).contains("disk of node-7") || text(&answer).contains("signal"),
        "{}",
        text(&answer)
    );
}
