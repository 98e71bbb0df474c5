//! What the recovery store costs: a put and a get of 10 KiB in a store of 100,000 originals, opening it, and its stats.
//!
//! `cargo bench -p caveman-native --bench store [-- N_ORIGINALS]`. Wall-clock times, each as the least, the median and the
//! 95th of a hundred; beside them a plain write of 10 KiB to a file that is new each time, which is what this disk can do.
#![expect(clippy::print_stdout, reason = "a bench prints its figures")]
#![expect(clippy::expect_used, reason = "a bench that cannot work stops")]

use caveman_core::store::{Entry, Handle, RecoveryStore, Reference};
use caveman_native::store::{SqliteStore, StoreOptions};
use caveman_tests::clock;
use caveman_tests::random::Random;
use std::path::Path;

const NOW: u64 = 1_772_323_200_000;
const N_RUNS: usize = 1000;

/// 10 KiB that no two calls share.
fn original(random: &mut Random) -> Vec<u8> {
    random.hex(10 << 10).into_bytes()
}

fn put(store: &mut SqliteStore, original: &[u8]) -> Handle {
    let handle = Handle::of(original);
    let entry = Entry {
        handle,
        content_type: "log",
        compressor: "log",
        tokens_before: 3000,
        tokens_after: 300,
        original,
    };
    store.put(&entry, NOW).expect("the store takes it");
    handle
}

fn measure(name: &str, n_runs: usize, run: impl FnMut()) {
    let [least, median, late] = clock::spread_ms(n_runs, run);
    println!("{name:28} {least:8.4} {median:8.4} {late:8.4}");
}

fn main() {
    let n_originals = std::env::args().find_map(|arg| arg.parse().ok()).unwrap_or(100_000);
    let folder =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("ccr.db");
    let options = StoreOptions { limit_bytes: 0, ..StoreOptions::at(&path) };
    let mut random = Random::new(1);

    println!("{:28} {:>8} {:>8} {:>8}   ms", "", "least", "median", "95th");
    let mut at = 0;
    let bytes = original(&mut random);
    measure("plain write of 10 KiB", N_RUNS, || {
        at += 1;
        std::fs::write(folder.join(format!("plain-{at}")), &bytes).expect("a file");
    });
    let fresh = |name: &str| StoreOptions::at(folder.join(name));
    measure("create", 20, || {
        at += 1;
        put(&mut SqliteStore::new(fresh(&format!("new-{at}.db"))), b"x");
    });

    let mut store = SqliteStore::new(options.clone());
    let handles: Vec<Handle> =
        (0..n_originals).map(|_| put(&mut store, &original(&mut random))).collect();
    println!("{n_originals} originals of 10 KiB");
    let mut ready: Vec<Vec<u8>> = (0..N_RUNS).map(|_| original(&mut random)).collect();
    measure("put", N_RUNS, || {
        put(&mut store, &ready.pop().unwrap_or_default());
    });
    let again = original(&mut random);
    put(&mut store, &again);
    measure("put again", N_RUNS, || {
        put(&mut store, &again);
    });
    measure("get", N_RUNS, || {
        let at = usize::try_from(random.below(handles.len() as u64)).unwrap_or_default();
        let handle = handles.get(at).copied().expect("a handle");
        let stored = store.get(&Reference::Handle(handle), NOW).expect("it is there");
        assert_eq!(stored.original.len(), 10 << 10);
    });
    measure("stats", N_RUNS, || {
        assert!(store.info().entries >= n_originals);
    });
    drop(store);
    measure("open and stats", 100, || {
        assert!(SqliteStore::new(options.clone()).info().entries >= n_originals);
    });
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}
