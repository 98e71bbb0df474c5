//! Other programs that hold the lock: waited for, up to five seconds, and then named.

use crate::harness::{Home, Process};
use crate::{NOW, database, get, put, put_at, store};
use caveman_core::store::StoreErrorKind;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

/// Another program that holds the lock for so many seconds; returns once it has it.
fn hold(home: &Home, begin: &str, seconds: u64) -> Process {
    let program = std::env::current_exe().unwrap();
    let mut command = home.program(program.to_str().unwrap());
    command.args(["--exact", "locks::other_program", "--nocapture"]);
    command.env("CAVEMAN_TEST_HOLD", format!("{seconds} {begin}"));
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    let mut process = Process::start(command);
    let stdout = BufReader::new(process.stdout.take().unwrap());
    let mut lines = stdout.lines().map_while(Result::ok);
    assert!(lines.any(|line| line == "held"), "it ended without the lock");
    // Read on, so that it can say how it ended.
    thread::spawn(move || lines.for_each(drop));
    process
}

/// Not a test of its own: what the other program runs. Without its variable it has nothing to do.
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "the order of the other program comes through its environment"
)]
fn other_program() {
    let Ok(order) = std::env::var("CAVEMAN_TEST_HOLD") else { return };
    let (seconds, begin) = order.split_once(' ').unwrap();
    let path = std::path::Path::new(&std::env::var("HOME").unwrap()).join(".caveman/ccr.db");
    let database = rusqlite::Connection::open(path).unwrap();
    database.execute_batch(begin).unwrap();
    let mut stdout = std::io::stdout();
    // Past the test runner's own beginning of a line.
    stdout.write_all(b"\nheld\n").unwrap();
    stdout.flush().unwrap();
    thread::sleep(Duration::from_secs(seconds.parse().unwrap()));
    database.execute_batch("COMMIT").unwrap();
}

#[test]
fn a_lock_of_four_seconds_is_waited_for() {
    let home = Home::new();
    let mut ours = store(&home);
    let before = put(&mut ours, b"before");
    let holder = hold(&home, "BEGIN IMMEDIATE", 4);
    assert_eq!(get(&mut ours, before).as_deref(), Ok(&b"before"[..]));
    assert!(!holder.has_ended(), "a reader does not wait for a writer");
    let during = put(&mut ours, b"during");
    assert!(holder.wait().success());
    assert_eq!(get(&mut store(&home), during).as_deref(), Ok(&b"during"[..]));
}

#[test]
#[expect(clippy::disallowed_methods, reason = "measures how long a call waits")]
fn a_lock_of_eight_seconds_is_named_after_five() {
    let home = Home::new();
    let mut ours = store(&home);
    put(&mut ours, b"before");
    let holder = hold(&home, "BEGIN IMMEDIATE", 8);
    let start = Instant::now();
    let error = put_at(&mut ours, b"during", NOW).unwrap_err();
    let waited = start.elapsed();
    assert_eq!((error.kind(), error.code()), (StoreErrorKind::Busy, "cave_store_busy"));
    assert!(waited > Duration::from_secs(4), "{waited:?}");
    assert!(!holder.has_ended(), "it waited until the lock was free");
    assert!(holder.wait().success());
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
    let holder = hold(&home, "BEGIN EXCLUSIVE", 8);
    let mut ours = store(&home);
    let start = Instant::now();
    let error = put_at(&mut ours, b"x", NOW).unwrap_err();
    let waited = start.elapsed();
    assert_eq!(error.kind(), StoreErrorKind::Busy, "{error}");
    assert!(waited > Duration::from_secs(4), "{waited:?}");
    assert!(!holder.has_ended(), "it waited until the lock was free");
    assert!(holder.wait().success());
    put(&mut ours, b"x");
}
