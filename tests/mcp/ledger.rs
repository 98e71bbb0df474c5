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

#[test]
fn whatever_the_queries_the_bytes_are_bounded_and_every_answer_is_content_or_points_to_it() {
    let original: String =
        (0..400).map(|n| format!("INFO request {n} took {} ms\n", n % 7)).collect();
    let queries = ["1", "request 7", "399", "took 3", "nothing like it", "", "INFO", "42 ms", "17"];
    let pointer_bytes = 200;
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
    }
}
