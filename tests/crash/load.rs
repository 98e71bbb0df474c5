//! Many at once.

use crate::harness::{Home, Process, size};
use crate::worker::{assert_held, n_answered, open, original, start};
use caveman_core::store::RecoveryStore;

/// Waits for workers that must all have put `n` originals, and checks every one of them.
fn all_land(home: &Home, workers: Vec<Process>, n: usize) {
    let n_workers = workers.len();
    for (seed, worker) in workers.into_iter().enumerate() {
        let output = worker.output();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "worker {seed}: {}\n{stderr}", output.status);
        assert_eq!(n_answered(&output.stdout), n, "worker {seed}\n{stderr}");
    }
    let mut store = open(home);
    let mut n_bytes = 0;
    for (seed, at) in (0..n_workers).flat_map(|seed| (0..n).map(move |at| (seed, at))) {
        let original = original(seed, at);
        assert_held(&mut store, &original);
        n_bytes += original.len() as u64;
    }
    let info = store.info();
    assert_eq!((info.entries, info.bytes), ((n_workers * n) as u64, n_bytes));
    let findings = store.verify().unwrap();
    assert!(findings.is_sound(), "{findings:?}");
}

#[test]
fn sixty_four_processes_start_cold_and_all_land() {
    let home = Home::new();
    let workers = (0..64).map(|seed| start(&home, seed, 3)).collect();
    all_land(&home, workers, 3);
}

#[test]
fn sixteen_processes_write_while_others_read() {
    let home = Home::new();
    let n = size("CAVEMAN_TEST_ORIGINALS", 100);
    let workers = (0..16).map(|seed| start(&home, seed, n)).collect();
    all_land(&home, workers, n);
}
