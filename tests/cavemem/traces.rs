//! Forgetting: what is forgotten stands in no file of the store, whole or in part.

use crate::harness::{Home, Server, run};
use crate::{cavemem, id_of, recalled, remember};
use caveman_tests::random::Random;
use serde_json::json;
use std::path::Path;

/// Every file under the home that holds `needle`.
fn holders(folder: &Path, needle: &str) -> Vec<String> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            out.extend(holders(&path, needle));
        } else if memchr::memmem::find(&std::fs::read(&path).unwrap(), needle.as_bytes()).is_some()
        {
            out.push(path.display().to_string());
        }
    }
    out
}

#[track_caller]
fn assert_gone(home: &Home, needle: &str) {
    assert_eq!(holders(&home.path(".caveman"), needle), [""; 0], "{needle}");
}

/// A text with a word of its own at the beginning, in the middle and at the end.
fn text(seed: u64, n_words: u64) -> (String, [String; 3]) {
    let mut random = Random::new(seed);
    let marks = [random.hex(12), random.hex(12), random.hex(12)].map(|hex| format!("zq{hex}"));
    let words = |n: u64, random: &mut Random| -> String {
        (0..n)
            .map(|_| {
                format!(
                    "{} ",
                    ["valve", "pump", "drain", "flow"][usize::try_from(random.below(4)).unwrap()]
                )
            })
            .collect()
    };
    let text = format!(
        "{} {}{} {}{}",
        marks[0],
        words(n_words / 2, &mut random),
        marks[1],
        words(n_words / 2, &mut random),
        marks[2]
    );
    (text, marks)
}

#[test]
fn no_file_holds_what_was_forgotten() {
    let home = Home::new();
    // Neighbours before and after, so that pages split around what will go.
    for seed in 100..160 {
        remember(&home, &text(seed, seed % 7 * 60).0);
    }
    for (seed, n_words) in [(1, 4), (2, 300), (3, 3000), (4, 40_000)] {
        let (secret, marks) = text(seed, n_words);
        let id = remember(&home, &secret);
        // A recovery copy.
        cavemem(&home, &["recall", &marks[0], "--token-budget", "3"], b"").done();
        let next = id_of(&cavemem(&home, &["supersede", &id, "the valve is shut"], b"").json());
        for seed in 200..210 {
            remember(&home, &text(seed, 90).0);
        }
        assert!(!holders(&home.path(".caveman"), &marks[0]).is_empty());
        cavemem(&home, &["forget", &id], b"").done();
        marks.iter().for_each(|mark| assert_gone(&home, mark));
        cavemem(&home, &["forget", &next], b"").done();
    }
    assert_gone(&home, "the valve is shut");
    assert_eq!(recalled(&home, &text(101, 0).1[0]), [text(101, 101 % 7 * 60).0]);
}

#[test]
fn a_server_that_still_runs_keeps_no_trace_on_disk() {
    let home = Home::new();
    let mut server = Server::of(home.cavemem(&["serve"]));
    let (secret, marks) = text(5, 2000);
    let (answer, _) = server.call("cavemem_remember", &json!({"text": secret}));
    let id = id_of(&serde_json::from_str(&answer[0]).unwrap());
    server.call("cavemem_recall", &json!({"query": marks[1], "token_budget": 5}));
    // Another process forgets it.
    cavemem(&home, &["forget", &id], b"").done();
    marks.iter().for_each(|mark| assert_gone(&home, mark));
    let (answer, is_error) = server.call("cavemem_recall", &json!({"query": marks[1]}));
    assert!(!is_error && answer[0].starts_with("{\"hits\":[]"), "{answer:?}");
    assert_eq!(server.end(), Some(0));
}

#[test]
fn an_original_that_was_compressed_for_its_own_sake_stays() {
    let home = Home::new();
    let logged = crate::harness::log(3);
    let recall = ["recall", "worker-3", "--token-budget", "300"];
    // First the copy, then the compression of the same payload; and the other way round.
    for is_copy_first in [true, false] {
        let id = remember(&home, &logged);
        let compress =
            || run(home.caveman(&["compress"]), logged.trim().as_bytes()).text().to_owned();
        let copy = || {
            let found = cavemem(&home, &recall, b"").json();
            found["hits"][0]["recovery_handle"].as_str().unwrap().to_owned()
        };
        let handle = if is_copy_first {
            let handle = copy();
            compress();
            handle
        } else {
            compress();
            copy()
        };
        cavemem(&home, &["forget", &id], b"").done();
        assert_eq!(run(home.caveman(&["retrieve", &handle]), b"").done(), logged.trim().as_bytes());
    }
}

#[test]
fn an_equal_text_elsewhere_keeps_its_copy() {
    let home = Home::new();
    let (shared, marks) = text(6, 2000);
    let a = remember(&home, &shared);
    cavemem(&home, &["supersede", &a, "the drain is open"], b"").done();
    let other = remember(&home, &shared);
    let found = cavemem(&home, &["recall", &marks[0], "--token-budget", "9"], b"").json();
    let handle = found["hits"][0]["recovery_handle"].as_str().unwrap().to_owned();
    cavemem(&home, &["forget", &a], b"").done();
    assert_eq!(run(home.caveman(&["retrieve", &handle]), b"").done(), shared.as_bytes());
    cavemem(&home, &["forget", &other], b"").done();
    run(home.caveman(&["retrieve", &handle]), b"").fails(1, "cave_unknown_handle");
    marks.iter().for_each(|mark| assert_gone(&home, mark));
}
