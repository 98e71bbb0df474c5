//! How a server ends: with its input, with its output, or by a signal; quietly and with status 0.

use crate::harness::{Home, Process, Server, log, run};
use std::io::Write;
use std::process::Stdio;
use std::time::Duration;

const PING: &[u8] = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";

#[test]
fn the_last_line_needs_no_newline() {
    let home = Home::new();
    let served = run(home.caveman(&["serve"]), PING);
    assert_eq!(served.text(), "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
    assert_eq!(served.stderr(), "");
    assert_eq!(run(home.caveman(&["serve"]), b"").text(), "");
    assert!(!home.path(".caveman").exists(), "a server that stores nothing touches no disk");
}

/// A client that closes the output is no failure: the server goes, quietly.
pub(crate) fn hang_up() {
    let home = Home::new();
    let mut command = home.caveman(&["serve"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = Process::start(command);
    drop(process.stdout.take());
    // A process that another test is just starting holds a copy of this end until it runs, and an answer to the copy is
    // no failure of writing: so the server is asked until it notices.
    let mut stdin = process.stdin.take().unwrap();
    let notices = (0..3_000).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        stdin.write_all(PING).and_then(|()| stdin.write_all(b"\n")).is_err()
    });
    assert!(notices, "it goes on reading");
    drop(stdin);
    let output = process.output();
    assert_eq!((output.status.code(), &output.stderr[..]), (Some(0), &b""[..]));
}

#[test]
fn a_program_that_hangs_is_killed_and_fails_its_test() {
    let home = Home::new();
    let mut command = home.caveman(&["serve"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = Process::within(Duration::from_millis(200), command);
    let held_open = process.stdin.take().unwrap();
    let waited = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| process.output()));
    assert!(waited.is_err(), "it ended by itself");
    drop(held_open);
}

#[cfg(unix)]
#[test]
fn a_signal_ends_it_with_status_0() {
    for signal in [rustix::process::Signal::TERM, rustix::process::Signal::INT] {
        let home = Home::new();
        let mut server = Server::start(&home);
        let (_, figures) = server.compress(&log(1));
        let process = rustix::process::Pid::from_raw(i32::try_from(server.id()).unwrap()).unwrap();
        rustix::process::kill_process(process, signal).unwrap();
        assert_eq!(server.wait(), Some(0), "{signal:?}");
        let mut server = Server::start(&home);
        let handle = figures["recovery_handle"].as_str().unwrap();
        assert_eq!(server.retrieve(handle), Ok(log(1)));
    }
}

#[cfg(unix)]
#[test]
fn a_signal_during_a_call_ends_it_after_the_answer() {
    let home = Home::new();
    let mut server = Server::start(&home);
    let process = rustix::process::Pid::from_raw(i32::try_from(server.id()).unwrap()).unwrap();
    let input: String = (0..40).map(log).collect();
    let call = serde_json::json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "caveman_compress", "arguments": {"input": input}}});
    server.send(format!("{call}\n").as_bytes());
    rustix::process::kill_process(process, rustix::process::Signal::TERM).unwrap();
    // The signal comes before, during or after the call: a line is whole or absent.
    if let Some(line) = server.line() {
        let reply: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(reply["id"], 1);
    }
    assert_eq!(server.wait(), Some(0));
}
