//! SIGKILL at random moments.

use crate::harness::{Home, Server, log, size};
use crate::worker::{assert_held, n_answered, open, original, put, start};
use caveman_core::store::RecoveryStore;
use caveman_tests::random::Random;
use std::thread::sleep;
use std::time::Duration;

#[test]
fn every_answered_handle_outlives_its_process() {
    let home = Home::new();
    let mut random = Random::new(6);
    let (mut n_kept, mut n_stopped) = (0_u64, 0);
    for seed in 0..size("CAVEMAN_TEST_KILLS", 60) {
        // Two at a time: the other one lives on over the death of its neighbour.
        let (victim, neighbour) = (start(&home, seed * 2, 10_000), start(&home, seed * 2 + 1, 4));
        sleep(Duration::from_micros(random.range(2_000, 60_000)));
        victim.kill();
        let victim = victim.output();
        let neighbour = neighbour.output();
        assert!(neighbour.status.success(), "{}", String::from_utf8_lossy(&neighbour.stderr));

        let mut store = open(&home);
        let n_answered = n_answered(&victim.stdout);
        (0..n_answered).for_each(|at| assert_held(&mut store, &original(seed * 2, at)));
        (0..4).for_each(|at| assert_held(&mut store, &original(seed * 2 + 1, at)));
        n_kept += n_answered as u64;
        n_stopped += usize::from(n_answered > 0);
    }
    println!(
        "{n_stopped} workers killed after their first answer, {n_kept} originals answered by them"
    );
    assert!(n_stopped > 0, "no worker was killed after its first answer");
    let mut store = open(&home);
    let findings = store.verify().unwrap();
    assert!(findings.is_sound() && findings.n_entries >= n_kept, "{findings:?}");
}

#[test]
fn a_server_that_is_killed_leaves_a_log_that_is_read() {
    let home = Home::new();
    let mut server = Server::start(&home);
    let handles: Vec<String> = (0..20)
        .map(|seed| server.compress(&log(seed)).1["recovery_handle"].as_str().unwrap().to_owned())
        .collect();
    server.kill();
    let waiting = std::fs::metadata(home.path(".caveman/ccr.db-wal")).unwrap().len();
    assert!(waiting > 0, "nothing was left in the write-ahead log");
    let mut server = Server::start(&home);
    for (seed, handle) in (0..).zip(&handles) {
        assert_eq!(server.retrieve(handle), Ok(log(seed)));
    }
    assert_eq!(server.stats()["store"]["entries"], 20);
    assert_eq!(server.end(), Some(0));
}

#[test]
fn half_a_log_is_half_a_history_and_never_a_wrong_payload() {
    let home = Home::new();
    let mut server = Server::start(&home);
    let handles: Vec<String> = (0..8)
        .map(|seed| server.compress(&log(seed)).1["recovery_handle"].as_str().unwrap().to_owned())
        .collect();
    server.kill();
    // What a machine that lost power may leave: the end of the log never reached the disk.
    let path = home.path(".caveman/ccr.db-wal");
    let whole = std::fs::read(&path).unwrap();
    for n_bytes in [whole.len() - 1, whole.len() / 2, 33, 32, 1, 0] {
        std::fs::write(&path, &whole[..n_bytes]).unwrap();
        let copy = Home::new();
        std::fs::create_dir(copy.path(".caveman")).unwrap();
        for name in ["ccr.db", "ccr.db-wal"] {
            let name = format!(".caveman/{name}");
            std::fs::copy(home.path(&name), copy.path(&name)).unwrap();
        }
        let mut server = Server::start(&copy);
        for (seed, handle) in (0..).zip(&handles) {
            match server.retrieve(handle) {
                Ok(found) => assert_eq!(found, log(seed)),
                Err(code) => assert_eq!(code, "cave_unknown_handle", "{n_bytes} bytes"),
            }
        }
        // And it takes originals again.
        assert!(server.compress(&log(99)).1["recovery_handle"].is_string());
    }
    let mut store = open(&home);
    put(&mut store, b"x").unwrap();
    assert!(store.info().entries > 0);
}
