//! Hostile framing: whatever comes, it is answered as the protocol says, and so is the request after it.

use crate::harness::{Home, Server};
use serde_json::{Value, json};

/// Sends `bytes`, then a ping; gives what was answered before the ping.
#[track_caller]
fn answers(bytes: &[u8]) -> Vec<Value> {
    let home = Home::new();
    let mut server = Server::start(&home);
    server.send(bytes);
    server.send(b"\n{\"jsonrpc\":\"2.0\",\"id\":\"alive\",\"method\":\"ping\"}\n");
    let mut before = Vec::new();
    loop {
        let reply = server.reply();
        if reply["id"] == "alive" {
            assert_eq!(reply["result"], json!({}));
            assert_eq!(server.end(), Some(0));
            return before;
        }
        before.push(reply);
    }
}

/// One error with this id and code.
#[track_caller]
fn refused(bytes: &[u8], id: impl Into<Value>, code: i64) {
    let found = answers(bytes);
    let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]).into_owned();
    assert_eq!(found.len(), 1, "{shown}: {found:?}");
    assert_eq!(
        (&found[0]["id"], &found[0]["error"]["code"]),
        (&id.into(), &code.into()),
        "{shown}: {found:?}"
    );
}

fn request(id: &str, method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#)
}

#[test]
fn ids_come_back_as_they_were_written() {
    let home = Home::new();
    let mut server = Server::start(&home);
    for id in [
        "\"s\"",
        "1.5",
        "9007199254740993",
        "-0",
        "1e400",
        "\"\\u00e9\"",
        "123456789012345678901234567890",
    ] {
        server.send((request(id, "ping", "{}") + "\r\n").as_bytes());
        let line = server.line().unwrap();
        assert!(line.contains(&format!("\"id\":{id},")), "{line}");
    }
}

#[test]
fn replies_keep_the_order_of_the_requests_however_the_bytes_are_cut() {
    let lines: String = (0..50).map(|id| request(&id.to_string(), "ping", "{}") + "\n").collect();
    let home = Home::new();
    let mut server = Server::start(&home);
    for chunk in lines.as_bytes().chunks(7) {
        server.send(chunk);
    }
    let ids: Vec<Value> = (0..50).map(|_| server.reply()["id"].take()).collect();
    assert_eq!(ids, (0..50).map(Value::from).collect::<Vec<_>>());
}

#[test]
fn nesting_of_two_hundred_thousand_levels_is_survived() {
    let deep = "[".repeat(200_000) + &"]".repeat(200_000);
    refused(request("19", "tools/call", &deep).as_bytes(), 19, -32602);
    refused("[".repeat(200_000).as_bytes(), Value::Null, -32700);
    let objects = "{\"a\":".repeat(100_000);
    refused(request("20", "tools/call", &objects).as_bytes(), 20, -32700);
}

#[test]
fn a_line_over_sixteen_mib_is_refused_with_its_id_and_not_kept() {
    let call = |id: &str, n_bytes: usize| {
        let input = "x".repeat(n_bytes);
        request(
            id,
            "tools/call",
            &format!(r#"{{"name":"caveman_compress","arguments":{{"input":"{input}"}}}}"#),
        )
    };
    refused(call("21", 17 << 20).as_bytes(), 21, -32600);
    // The id stands after the payload, as one SDK writes it.
    let last = format!(
        r#"{{"jsonrpc":"2.0","method":"ping","params":{{"x":"{}"}},"id":"z"}}"#,
        "y".repeat(17 << 20)
    );
    refused(last.as_bytes(), "z", -32600);
}

#[test]
fn fifteen_mib_go_through() {
    let home = Home::new();
    let mut server = Server::start(&home);
    let input = "word ".repeat(3 << 20);
    let (output, figures) = server.compress(&input);
    match figures["recovery_handle"].as_str() {
        Some(handle) => assert!(output.contains(handle)),
        None => assert!(output == input, "passed through, and changed"),
    }
}
