//! A process that puts originals and prints each handle once it was answered.

use crate::harness::{Home, Process};
use caveman_core::store::{Entry, Handle, RecoveryStore, Reference, StoreError};
use caveman_native::store::{SqliteStore, StoreOptions};
use std::io::Write;
use std::process::{Command, Stdio};

/// 2026-03-01T00:00:00Z.
const NOW: u64 = 1_772_323_200_000;

/// The original number `at` of the worker `seed`: from 20 bytes to 40 KiB, different for each.
pub(crate) fn original(seed: usize, at: usize) -> Vec<u8> {
    let text = format!("worker {seed}, original {at}\n");
    let times = 1 + (seed * 31 + at * 17) % 53 * ((at % 7) * 4);
    text.repeat(times).into_bytes()
}

pub(crate) fn open(home: &Home) -> SqliteStore {
    SqliteStore::new(StoreOptions::at(home.db()))
}

pub(crate) fn put(store: &mut SqliteStore, original: &[u8]) -> Result<Handle, StoreError> {
    let handle = Handle::of(original);
    let entry = Entry {
        handle,
        content_type: "log",
        compressor: "log",
        tokens_before: 10,
        tokens_after: 1,
        original,
    };
    store.put(&entry, NOW).map(|()| handle)
}

/// Whether exactly this original is there.
#[track_caller]
pub(crate) fn assert_held(store: &mut SqliteStore, original: &[u8]) {
    let handle = Handle::of(original);
    match store.get(&Reference::Handle(handle), NOW) {
        Ok(stored) => assert_eq!(stored.original, original, "{handle} holds other bytes"),
        Err(error) => panic!("{handle}: {} {error}", error.code()),
    }
}

/// Starts a worker that puts the originals `0..n` of `seed`. Its output is a line `put N` after each.
pub(crate) fn start(home: &Home, seed: usize, n: usize) -> Process {
    let program = std::env::current_exe().unwrap();
    let mut command: Command = home.program(program.to_str().unwrap());
    command.args(["--exact", "worker::worker", "--nocapture"]);
    command.env("CAVEMAN_TEST_WORKER", format!("{seed} {n}"));
    command.env("CAVEMAN_TEST_DB", home.db());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Process::start(command)
}

/// How many originals a worker's output says were put.
pub(crate) fn n_answered(output: &[u8]) -> usize {
    let text = String::from_utf8_lossy(output);
    // A line that is cut off by the end was not answered.
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    whole.lines().filter(|line| line.starts_with("put ")).count()
}

/// Not a test of its own: what the processes of this suite run. Without its variables it has nothing to do.
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "the order of a worker comes through its environment"
)]
fn worker() {
    let Ok(order) = std::env::var("CAVEMAN_TEST_WORKER") else { return };
    let mut numbers = order.split(' ').map(|number| number.parse::<usize>().unwrap());
    let (seed, n) = (numbers.next().unwrap(), numbers.next().unwrap());
    let mut store = SqliteStore::new(StoreOptions::at(std::env::var("CAVEMAN_TEST_DB").unwrap()));
    // Past the test runner's own beginning of a line.
    let mut stdout = std::io::stdout();
    stdout.write_all(b"\n").unwrap();
    for at in 0..n {
        put(&mut store, &original(seed, at)).unwrap();
        stdout.write_all(format!("put {at}\n").as_bytes()).unwrap();
        stdout.flush().unwrap();
        // Reading while others write: an early original of its own, now and then.
        if at % 16 == 15 {
            assert_held(&mut store, &original(seed, at / 2));
        }
    }
}
