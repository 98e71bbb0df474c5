//! Conversations as tables: what is sent to a server, and what must come back before the next request is answered.
//!
//! `tests/conversations/` holds them, for this binary and for the wasm core in Node.js alike. A line in `send` is a message, a
//! text, or a list of parts: texts, `{"repeat": TEXT, "times": N}`, `{"bytes": [N, …]}`. A reply in `wanted` names the members
//! that it must have, at least; `{"absent": true}` is one that it must not have, `{"present": true}` one of any value, and
//! `says` stands somewhere in its line. `same` is a path under which all replies hold the same. `how` tells those that do not
//! begin with a handshake and end with a ping.

use crate::ends;
use crate::harness::{Home, Server};
use caveman_core::mcp::Session;
use caveman_core::store::{Entry, RecoveryStore, Reference, StoreError, StoreInfo, Stored};
use caveman_native::host::SystemHost;
use caveman_native::signals::Signals;
use caveman_native::stdio::{self, Compression, Input};
use serde_json::{Value, json};
use std::io;
use std::path::Path;

/// The cases of a table.
fn table(name: &str) -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/conversations");
    let text = std::fs::read_to_string(folder.join(name)).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn every_hostile_conversation_is_answered() {
    let cases = table("hostile.json");
    assert_eq!(cases.len(), 46);
    hold(&cases);
}

#[test]
fn every_revision_is_spoken() {
    let cases = table("revisions.json");
    // The 24th row, that every answer fits the official schema of its revision, is asked in Node.js.
    let rows = |case: &Value| name(case).split_once(": ").unwrap().0.parse::<usize>().unwrap();
    assert!(cases.iter().map(rows).eq(1..=23), "a row is missing");
    hold(&cases);
}

/// Fails with every case that does not go as its table says.
#[track_caller]
fn hold(cases: &[Value]) {
    let wrong: Vec<String> = (cases.iter())
        .filter_map(|case| converse(case).err().map(|why| format!("{}: {why}", name(case))))
        .collect();
    println!("{} of {} conversations went as they should", cases.len() - wrong.len(), cases.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn name(case: &Value) -> &str {
    case["name"].as_str().unwrap()
}

fn converse(case: &Value) -> Result<(), String> {
    let how = case["how"].as_str();
    let lines = match how {
        Some("hangs up") => {
            ends::hang_up();
            return Ok(());
        }
        Some("panics") => in_this_process(case),
        how => with_a_server(case, how)?,
    };
    let wanted = case["wanted"].as_array().unwrap();
    if lines.len() != wanted.len() {
        return Err(format!("{} replies: {}", lines.len(), shown(&lines)));
    }
    let replies: Vec<Value> = lines
        .iter()
        .map(|line| serde_json::from_str(line).map_err(|e| e.to_string()))
        .collect::<Result<_, _>>()?;
    for ((line, reply), wanted) in lines.iter().zip(&replies).zip(wanted) {
        let mut wanted = wanted.clone();
        let says = wanted.as_object_mut().and_then(|members| members.remove("says"));
        if says.as_ref().and_then(Value::as_str).is_some_and(|says| !line.contains(says))
            || !fits(&wanted, reply)
        {
            return Err(shown(&lines));
        }
    }
    if let Some(path) = case["same"].as_array() {
        let mut found = replies
            .iter()
            .map(|reply| path.iter().fold(reply, |at, step| &at[step.as_str().unwrap()]));
        let first = found.find(|value| !value.is_null());
        if first.is_none() || !found.all(|other| other.is_null() || Some(other) == first) {
            return Err(format!("{path:?} differs"));
        }
    }
    Ok(())
}

fn shown(lines: &[String]) -> String {
    lines
        .iter()
        .map(|line| line.chars().take(400).collect::<String>())
        .collect::<Vec<_>>()
        .join("\n")
}

/// The replies before the ping's, or before the end.
fn with_a_server(case: &Value, how: Option<&str>) -> Result<Vec<String>, String> {
    let home = Home::new();
    let mut server = Server::start(&home);
    if how != Some("opens") {
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}});
        server.request("initialize", &params);
        server.send(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
    }
    let lines = case["send"].as_array().unwrap();
    for (at, line) in lines.iter().enumerate() {
        send(&mut server, line);
        if how != Some("ends") || at + 1 < lines.len() {
            server.send(b"\n");
        }
    }
    let mut replies = Vec::new();
    if how == Some("ends") {
        server.close();
        replies.extend(std::iter::from_fn(|| server.line()));
        return if server.wait() == Some(0) {
            Ok(replies)
        } else {
            Err("it did not end with status 0".to_owned())
        };
    }
    server.send(b"{\"jsonrpc\":\"2.0\",\"id\":\"alive\",\"method\":\"ping\"}\n");
    loop {
        let Some(line) = server.line() else {
            return Err(format!("it ended after {}", shown(&replies)));
        };
        if line == "{\"jsonrpc\":\"2.0\",\"id\":\"alive\",\"result\":{}}" {
            break;
        }
        replies.push(line);
    }
    let (peak_kib, most_kib) = (server.peak_kib(), case["peak_kib"].as_u64());
    if let Some(most_kib) = most_kib {
        println!("{}: a peak of {peak_kib} KiB, of {most_kib}", name(case));
    }
    if most_kib.is_some_and(|most_kib| peak_kib > most_kib) {
        return Err(format!("a peak of {peak_kib} KiB"));
    }
    if server.end() == Some(0) {
        Ok(replies)
    } else {
        Err("it did not end with status 0".to_owned())
    }
}

/// Sends a line, without its line end, in pieces: the largest is larger than what this machine should hold twice.
fn send(server: &mut Server, line: &Value) {
    match line {
        Value::String(text) => server.send(text.as_bytes()),
        Value::Array(parts) => parts.iter().for_each(|part| send_part(server, part)),
        message => server.send(message.to_string().as_bytes()),
    }
}

fn send_part(server: &mut Server, part: &Value) {
    if let Some(text) = part.as_str() {
        server.send(text.as_bytes());
    } else if let Some(text) = part["repeat"].as_str() {
        let mut left = usize::try_from(part["times"].as_u64().unwrap()).unwrap();
        while left > 0 {
            let now = left.min(1 << 20);
            server.send(text.repeat(now).as_bytes());
            left -= now;
        }
    } else {
        let bytes = part["bytes"].as_array().unwrap();
        let bytes: Vec<u8> =
            bytes.iter().map(|byte| u8::try_from(byte.as_u64().unwrap()).unwrap()).collect();
        server.send(&bytes);
    }
}

/// Whether `found` has what `wanted` names.
fn fits(wanted: &Value, found: &Value) -> bool {
    match (wanted, found) {
        (Value::Object(wanted), Value::Object(found)) => wanted.iter().all(|(key, wanted)| {
            if *wanted == json!({"absent": true}) {
                return !found.contains_key(key);
            }
            found
                .get(key)
                .is_some_and(|found| *wanted == json!({"present": true}) || fits(wanted, found))
        }),
        (Value::Array(wanted), Value::Array(found)) => {
            wanted.len() == found.len()
                && wanted.iter().zip(found).all(|(wanted, found)| fits(wanted, found))
        }
        (wanted, found) => wanted == found,
    }
}

/// A store that panics, which no store of ours can be made to.
struct Panicking;

impl RecoveryStore for Panicking {
    fn put(&mut self, _: &Entry<'_>, _: u64) -> Result<(), StoreError> {
        panic!("a put")
    }
    fn get(&mut self, _: &Reference, _: u64) -> Result<Stored, StoreError> {
        panic!("a get")
    }
    fn info(&mut self) -> StoreInfo {
        panic!("a look")
    }
}

/// All bytes at once, then the end.
struct Once(Vec<u8>);

impl Input for Once {
    fn chunk(&mut self) -> io::Result<Vec<u8>> {
        Ok(std::mem::take(&mut self.0))
    }
    fn is_ready(&self) -> bool {
        false
    }
}

/// The replies before a ping's, by the very loop of the binary over a store that panics.
fn in_this_process(case: &Value) -> Vec<String> {
    let mut input: String =
        case["send"].as_array().unwrap().iter().map(|line| format!("{line}\n")).collect();
    input.push_str("{\"jsonrpc\":\"2.0\",\"id\":\"alive\",\"method\":\"ping\"}\n");
    let (mut session, mut output) = (Session::default(), Vec::new());
    let mut service =
        Compression { session: &mut session, store: &mut Panicking, host: &SystemHost };
    let input = Once(input.into_bytes());
    stdio::serve(&mut service, &Signals::default(), input, &mut output).unwrap();
    // The loop has taken over what is said of panics, and the tests of this process want it back.
    drop(std::panic::take_hook());
    let output = String::from_utf8(output).unwrap();
    let lines = output
        .strip_suffix("{\"jsonrpc\":\"2.0\",\"id\":\"alive\",\"result\":{}}\n")
        .expect(&output);
    lines.lines().map(str::to_owned).collect()
}
