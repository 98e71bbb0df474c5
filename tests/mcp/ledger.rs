//! The anti-storm ledger: it saves bytes, it never makes an answer up, and it withholds nothing for good.

use super::Server;
use caveman_core::mcp::Session;
use caveman_tests::random::Random;

#[test]
fn the_same_again_is_a_pointer_and_asked_once_more_content() {
    let mut server = Server::default();
    let handle = server.keep(b"some original\n", "text", 3);
    for query in [None, Some("some")] {
        let content = server.retrieve(handle, query);
        assert_eq!(content[0], "some original\n");
        let pointer = server.retrieve(handle, query);
        assert_eq!(pointer.len(), 1);
        assert!(pointer[0].ends_with("ask once more to have it sent again]"), "{pointer:?}");
        assert!(!pointer[0].contains('\n'));
        let again = server.retrieve(handle, query.map(|q| format!("  {q} ")).as_deref());
        assert_eq!(again, content);
    }
}

#[test]
fn without_a_ledger_every_answer_is_content() {
    let mut server = Server { session: Session::default().without_ledger(), ..Server::default() };
    let handle = server.keep(b"some original\n", "text", 3);
    for _ in 0..10 {
        assert_eq!(server.retrieve(handle, None), ["some original\n"]);
    }
}

/// A log in which each of these queries finds a few lines.
fn log(n_lines: usize) -> (String, Vec<String>) {
    let lines = (0..n_lines).map(|n| format!("2026-01-01T00:00:00Z INFO request {n} was served\n"));
    (lines.collect(), (0..20).map(|n| (n * 7 + 3).to_string()).collect())
}

#[test]
fn after_five_distinct_views_of_a_handle_the_original_is_paid_out_once() {
    let (original, queries) = log(400);
    let mut server = Server::default();
    let handle = server.keep(original.as_bytes(), "log", 6000);
    let other = server.keep(format!("{original}end\n").as_bytes(), "log", 6000);
    for query in &queries[..5] {
        let view = server.retrieve(handle, Some(query));
        assert!(view.len() == 1 && view[0].len() < original.len(), "{view:?}");
        // Asked twice is still one distinct retrieve.
        assert_eq!(server.retrieve(handle, Some(query)).len(), 1);
    }
    let view = server.retrieve(other, Some(&queries[5]));
    assert!(view[0].len() < original.len(), "another handle has its own count");
    let paid = server.retrieve(handle, Some(&queries[5]));
    assert!(paid[0] == original && paid.len() == 2, "{}", paid[0].len());
    assert!(paid[1].contains("the whole original"), "{paid:?}");
    for query in &queries[6..] {
        let view = server.retrieve(handle, Some(query));
        assert!(view.len() == 1 && view[0].len() < original.len(), "{view:?}");
    }
}

#[test]
fn a_very_long_original_is_not_paid_out_and_the_view_says_once_how_to_page() {
    let (original, queries) = log(3000);
    let mut server = Server::default();
    let handle = server.keep(original.as_bytes(), "log", 45_000);
    let mut notes = Vec::new();
    for query in &queries {
        let mut answer = server.retrieve(handle, Some(query));
        assert!(answer[0].len() < original.len());
        notes.extend(answer.drain(1..));
    }
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(notes[0].contains("45000 tokens") && notes[0].contains("\"offset\":0"), "{notes:?}");
}

#[test]
fn whatever_the_queries_the_bytes_are_bounded_and_every_answer_is_content_or_points_to_it() {
    let original: String =
        (0..400).map(|n| format!("INFO request {n} took {} ms\n", n % 7)).collect();
    let queries = ["1", "request 7", "399", "took 3", "nothing like it", "", "INFO", "42 ms", "17"];
    let pointer_bytes = 200;
    let mut n_paid_out_in_all = 0;
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let mut server = Server::default();
        let mut plain =
            Server { session: Session::default().without_ledger(), ..Server::default() };
        let handle = server.keep(original.as_bytes(), "log", 4000);
        plain.keep(original.as_bytes(), "log", 4000);
        let k = random.range(1, 40);
        let (mut sent, mut allowed) = (0, original.len());
        let mut answered: Vec<String> = Vec::new();
        let mut n_paid_out = 0;
        for _ in 0..k {
            let query = random.pick(&queries);
            let view = plain.retrieve(handle, Some(query)).swap_remove(0);
            let answer = server.retrieve(handle, Some(query)).swap_remove(0);
            sent += answer.len();
            allowed += view.len() + pointer_bytes;
            if answer.starts_with("[caveman: ") && answer.ends_with("sent again]") {
                assert!(answer.len() <= pointer_bytes);
                assert!(answered.iter().any(|q| q == query), "points to what was never sent");
                // Once more, and it is content again.
                answered.retain(|q| q != query);
                continue;
            }
            assert!(
                !answered.iter().any(|q| q == query),
                "content again without being asked twice"
            );
            answered.push(query.to_owned());
            if answer != view {
                assert_eq!(answer, original);
                n_paid_out += 1;
            }
        }
        assert!(sent <= allowed, "seed {seed}: {sent} bytes sent, {allowed} allowed");
        assert!(n_paid_out <= 1, "seed {seed}");
        n_paid_out_in_all += n_paid_out;
    }
    assert!(n_paid_out_in_all > 20, "hardly anything was paid out: the queries narrow nothing");
}
