//! Other programs that hold the lock: waited for, up to five seconds, and then named.

use crate::harness::Home;
use crate::{NOW, database, get, put, put_at, store};
use caveman_core::store::StoreErrorKind;
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

/// A program that holds the write lock for so long; returns once it has it.
fn hold(home: &Home, begin: &'static str, time: Duration) -> thread::JoinHandle<()> {
    let other = database(home);
    let (sender, held) = channel();
    let holder = thread::spawn(move || {
        other.execute_batch(begin).unwrap();
        sender.send(()).unwrap();
        thread::sleep(time);
        other.execute_batch("COMMIT").unwrap();
    });
    held.recv().unwrap();
    holder
}

#[test]
#[expect(clippy::disallowed_methods, reason = "measures how long a call waits")]
fn a_lock_of_four_seconds_is_waited_for() {
    let home = Home::new();
    let mut ours = store(&home);
    let before = put(&mut ours, b"before");
    let start = Instant::now();
    let holder = hold(&home, "BEGIN IMMEDIATE", Duration::from_secs(4));
    assert_eq!(get(&mut ours, before).as_deref(), Ok(&b"before"[..]));
    assert!(start.elapsed() < Duration::from_secs(2), "a reader does not wait for a writer");
    let during = put(&mut ours, b"during");
    assert!(start.elapsed() >= Duration::from_millis(3900), "{:?}", start.elapsed());
    holder.join().unwrap();
    assert_eq!(get(&mut store(&home), during).as_deref(), Ok(&b"during"[..]));
}

#[test]
#[expect(clippy::disallowed_methods, reason = "measures how long a call waits")]
fn a_lock_of_eight_seconds_is_named_after_five() {
    let home = Home::new();
    let mut ours = store(&home);
    put(&mut ours, b"before");
    let holder = hold(&home, "BEGIN IMMEDIATE", Duration::from_secs(8));
    let start = Instant::now();
    let error = put_at(&mut ours, b"during", NOW).unwrap_err();
    let waited = start.elapsed();
    assert_eq!((error.kind(), error.code()), (StoreErrorKind::Busy, "cave_store_busy"));
    assert!(waited > Duration::from_secs(4) && waited < Duration::from_secs(7), "{waited:?}");
    holder.join().unwrap();
    let after = put(&mut ours, b"during");
    assert_eq!(get(&mut ours, after).as_deref(), Ok(&b"during"[..]));
}

#[test]
#[expect(clippy::disallowed_methods, reason = "measures how long a call waits")]
fn opening_waits_no_longer_either() {
    let home = Home::new();
    std::fs::create_dir_all(home.path(".caveman")).unwrap();
    database(&home).execute_batch("CREATE TABLE other (x)").unwrap();
    // Not in WAL mode yet: the other program keeps everybody out.
    let holder = hold(&home, "BEGIN EXCLUSIVE", Duration::from_secs(8));
    let mut ours = store(&home);
    let start = Instant::now();
    let error = put_at(&mut ours, b"x", NOW).unwrap_err();
    let waited = start.elapsed();
    assert_eq!(error.kind(), StoreErrorKind::Busy, "{error}");
    assert!(waited > Duration::from_secs(4) && waited < Duration::from_secs(7), "{waited:?}");
    holder.join().unwrap();
    put(&mut ours, b"x");
}
