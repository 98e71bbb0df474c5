//! Damaged conversations, one after the other, with one server: it answers the request after each, and does not grow.
//!
//! `CAVEMAN_FUZZ_LINES=1000000 cargo test --release -p caveman-native --test stdio fuzz` is the long run.

use crate::harness::{Home, Server, size};
use caveman_tests::random::Random;
use caveman_tests::sessions;
use serde_json::value::RawValue;

/// How much a server may hold at most, in KiB: a line of 16 MiB twice, and what it began with.
const MOST_KIB: u64 = 34 << 10;

#[test]
fn after_any_conversation_the_next_request_is_answered() {
    let home = Home::new();
    let mut command = home.caveman(&["serve"]);
    command.env("CAVEMAN_CCR_MAX_BYTES", "200000");
    let mut server = Server::of(command);
    let (mut random, n_lines) = (Random::new(7), size("CAVEMAN_FUZZ_LINES", 4_000));
    let (mut n_sent, mut n_answered, mut n_kept) = (0, 0, 0);
    for round in 0_u64.. {
        if n_sent >= n_lines {
            break;
        }
        let stream = sessions::damaged(&mut random);
        n_sent += stream.iter().filter(|byte| **byte == b'\n').count();
        let chunk_bytes = usize::try_from(random.range(1, 5_000)).unwrap();
        stream.chunks(chunk_bytes).for_each(|chunk| server.send(chunk));
        if random.below(100) == 0 {
            (0..17).for_each(|_| server.send(&[b'x'; 1 << 20]));
        }
        let ping = format!("\n{{\"jsonrpc\":\"2.0\",\"id\":\"r{round}\",\"method\":\"ping\"}}\n");
        server.send(ping.as_bytes());
        let pong = format!("{{\"jsonrpc\":\"2.0\",\"id\":\"r{round}\",\"result\":{{}}}}");
        loop {
            let line = server.line().expect("it lives");
            if line == pong {
                break;
            }
            // Not to a value: an id may be a number of any size, and is given back as it came.
            let is_json = serde_json::from_str::<&RawValue>(&line);
            assert!(is_json.is_ok(), "{line}");
            n_answered += 1;
            n_kept += usize::from(line.contains("recovery_handle\\\":\\\"ccr_"));
        }
    }
    println!(
        "{n_sent} lines, {n_answered} answers, {n_kept} of them with a handle, a peak of {} KiB",
        server.peak_kib()
    );
    assert!(
        n_answered > n_sent / 2 && n_kept > 10,
        "the conversations are not what they should be"
    );
    assert!(server.peak_kib() <= MOST_KIB, "a peak of {} KiB", server.peak_kib());
    assert_eq!(server.end(), Some(0));
}
