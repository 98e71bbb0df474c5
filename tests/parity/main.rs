//! Native and wasm give equal bytes: the shipped artifact under wasmtime against the same code compiled natively.

#![cfg(test)]

mod door;
#[path = "../toon/exact.rs"]
mod exact;
#[path = "../toon/fixtures.rs"]
mod fixtures;
mod host;
mod machine;
mod payloads;
mod toon;

use caveman_core::kind::Kind;
use caveman_tests::random::Random;
use door::{Argument, Door, Native};
use host::Keeping;
use machine::Machine;
use payloads::Payload;
use std::fmt::Write;

/// Largest payload that is also damaged and forced through every compressor.
const SMALL_BYTES: usize = 16 * 1024;

/// Both sides, and what they disagreed on.
struct Pair {
    wasm: Machine,
    n_compared: u32,
    differences: Vec<String>,
}

impl Pair {
    fn new() -> Pair {
        Pair { wasm: Machine::new(), n_compared: 0, differences: Vec::new() }
    }

    /// Compares one call; gives the native answer.
    fn compare(&mut self, of: &str, name: &str, arguments: &[Argument<'_>]) -> Vec<u8> {
        let native = Native.call(name, arguments);
        let wasm = self.wasm.call(name, arguments);
        self.n_compared += 1;
        self.judge(&format!("{name} of {of}"), native, wasm)
    }

    fn judge(
        &mut self,
        what: &str,
        native: Result<Vec<u8>, String>,
        wasm: Result<Vec<u8>, String>,
    ) -> Vec<u8> {
        match (native, wasm) {
            (Ok(native), Ok(wasm)) if native == wasm => return native,
            (Ok(native), Ok(wasm)) => {
                self.differences.push(format!("{what}: {}", difference(&native, &wasm)))
            }
            (native, wasm) => {
                let said =
                    |side: Result<Vec<u8>, String>| side.err().unwrap_or_else(|| "fine".to_owned());
                self.differences.push(format!(
                    "{what}: native: {}; wasm: {}",
                    said(native),
                    said(wasm)
                ));
            }
        }
        Vec::new()
    }

    /// Every verb on one payload.
    fn payload(&mut self, payload: &Payload) {
        let Payload { name, bytes, kind } = payload;
        let bytes = Argument::Bytes(bytes);
        self.compare(name, "handleOf", &[bytes]);
        self.compare(name, "detect", &[bytes]);
        self.compare(name, "compress", &[bytes, Argument::Text("")]);
        self.compare(name, "toonEncodeBytes", &[bytes, Argument::Text(r#"{"delimiter":"|"}"#)]);
        self.compare(name, "toonDecodeBytes", &[bytes, Argument::Text(r#"{"indent_size":4}"#)]);
        let forced: Vec<Kind> = if payload.bytes.len() <= SMALL_BYTES {
            Kind::ALL.to_vec()
        } else {
            kind.iter().copied().collect()
        };
        for kind in forced {
            let options = format!(r#"{{"content_type":"{}"}}"#, kind.name());
            let of = format!("{name} as {}", kind.name());
            self.compare(&of, "compress", &[bytes, Argument::Text(&options)]);
        }
        let Ok(text) = std::str::from_utf8(&payload.bytes) else { return };
        let words = words(text);
        let options =
            serde_json::json!({ "query": words.join(" "), "token_budget": 120 }).to_string();
        self.compare(name, "compress", &[bytes, Argument::Text(&options)]);
        self.compare(name, "countTokens", &[Argument::Text(text)]);
        let toon = self.compare(name, "toonEncode", &[Argument::Text(text), Argument::Text("")]);
        self.compare(
            name,
            "toonDecode",
            &[Argument::Text(text), Argument::Text(r#"{"strict":false}"#)],
        );
        let toon = String::from_utf8_lossy(&toon);
        let toon = toon.split_once('\n').map_or("", |(_, toon)| toon);
        self.compare(name, "toonDecode", &[Argument::Text(toon), Argument::Text("")]);
        for query in words {
            let of = format!("{name} by {query:?}");
            let kind = Argument::Text("");
            self.compare(&of, "retrieveView", &[bytes, kind, Argument::Text(query)]);
        }
    }

    /// The verdict of a test.
    fn agree(self, at_least: u32) {
        let Pair { n_compared, differences, .. } = self;
        println!("{n_compared} answers compared");
        assert!(n_compared >= at_least, "only {n_compared} answers were compared");
        let mut report = String::new();
        for difference in differences.iter().take(20) {
            writeln!(report, "- {difference}").expect("a text takes what is written");
        }
        assert!(differences.is_empty(), "{} differences:\n{report}", differences.len());
    }
}

/// Three words from different places, to ask for.
fn words(text: &str) -> Vec<&str> {
    let words: Vec<&str> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| (3..40).contains(&word.len()))
        .take(20_000)
        .collect();
    [words.len() / 5, words.len() / 2, words.len() * 4 / 5]
        .into_iter()
        .filter_map(|at| words.get(at).copied())
        .collect()
}

/// Where two answers part.
fn difference(native: &[u8], wasm: &[u8]) -> String {
    let at = native.iter().zip(wasm).take_while(|(a, b)| a == b).count();
    let near = |side: &[u8]| {
        let from = at.saturating_sub(40);
        let to = side.len().min(at + 40);
        String::from_utf8_lossy(side.get(from..to).unwrap_or_default()).into_owned()
    };
    format!("byte {at} of {}: native {:?}, wasm {:?}", native.len(), near(native), near(wasm))
}

#[test]
fn the_artifact_imports_nothing() {
    let imports: Vec<String> =
        machine::module().imports().map(|i| format!("{}.{}", i.module(), i.name())).collect();
    assert_eq!(imports, [""; 0]);
}

#[test]
fn cases_and_samples_give_equal_bytes() {
    let mut pair = Pair::new();
    payloads::cases().iter().for_each(|payload| pair.payload(payload));
    pair.agree(100);
}

#[test]
fn the_corpus_gives_equal_bytes() {
    let mut pair = Pair::new();
    let payloads = payloads::corpus();
    payloads.iter().for_each(|payload| pair.payload(payload));
    pair.agree(u32::from(!payloads.is_empty()) * 100);
}

#[test]
fn generated_payloads_give_equal_bytes() {
    let mut pair = Pair::new();
    payloads::generated().iter().for_each(|payload| pair.payload(payload));
    pair.agree(1_000);
}

#[test]
fn damaged_payloads_give_equal_bytes() {
    let mut pair = Pair::new();
    let mut random = Random::new(11);
    let whole: Vec<Payload> = payloads::cases().into_iter().chain(payloads::generated()).collect();
    for payload in whole.iter().filter(|payload| payload.bytes.len() <= SMALL_BYTES) {
        for payload in payloads::damaged(payload, &mut random) {
            let bytes = Argument::Bytes(&payload.bytes);
            pair.compare(&payload.name, "detect", &[bytes]);
            pair.compare(&payload.name, "compress", &[bytes, Argument::Text("")]);
        }
    }
    pair.agree(500);
}

/// A conversation: the handshake, then compress, retrieve with and without a query, ledger, TOON, mistakes, statistics.
fn conversation(payloads: &[Payload]) -> Vec<u8> {
    let mut lines = vec![
        r#"{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"p","version":"1"}}}"#.to_owned(),
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_owned(),
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#.to_owned(),
        r#"{"jsonrpc":"2.0","id":2,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#.to_owned(),
    ];
    let mut id = 100;
    let mut call = |tool: &str, arguments: serde_json::Value| {
        id += 1;
        let params =
            serde_json::json!({ "name": format!("caveman_{tool}"), "arguments": arguments });
        serde_json::json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
            .to_string()
    };
    for payload in payloads {
        let Ok(text) = std::str::from_utf8(&payload.bytes) else { continue };
        let handle = caveman_wasm::handle_of(&payload.bytes);
        let retrieve =
            |query: &str| serde_json::json!({ "recovery_handle": handle, "query": query });
        lines.push(call("compress", serde_json::json!({ "input": text })));
        lines.push(call("retrieve", retrieve("")));
        lines.push(call("retrieve", retrieve("")));
        for word in words(text) {
            lines.push(call("retrieve", retrieve(word)));
        }
        lines.push(call(
            "retrieve",
            serde_json::json!({ "recovery_handle": handle, "offset": 5, "limit": 40 }),
        ));
        lines.push(call("toon_encode", serde_json::json!({ "input": text })));
        lines.push(call("toon_decode", serde_json::json!({ "input": text })));
        let batch = [
            call("compress", serde_json::json!({ "input": format!("{text}{text}") })),
            call(
                "retrieve",
                serde_json::json!({ "recovery_handle": caveman_wasm::handle_of(format!("{text}{text}").as_bytes()) }),
            ),
            call("stats", serde_json::json!({})),
        ];
        lines.push(format!("[{}]", batch.join(",")));
    }
    lines.extend(
        [
            "", "42", "[]", "{", "\u{feff}{}", r#"{"id":7}"#, r#"{"jsonrpc":"2.0","id":8,"method":"nope"}"#,
            r#"{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"nope"}}"#,
            r#"{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"caveman_retrieve","arguments":{"recovery_handle":"ccr_00000000000000000000000000000000"}}}"#,
            r#"{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{"name":"caveman_compress","arguments":{"input":"\ud800"}}}"#,
            r#"{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"name":"caveman_stats"}}"#,
        ]
        .map(str::to_owned),
    );
    lines.join("\n").into_bytes()
}

#[test]
fn sessions_give_equal_replies() {
    let mut pair = Pair::new();
    let mut payloads = payloads::cases();
    payloads.extend(payloads::corpus());
    payloads.extend(payloads::generated());
    payloads.retain(|payload| payload.bytes.len() <= 64 * 1024);
    for (group, keeping) in
        payloads.chunks(25).zip([Keeping::Keeps, Keeping::Refuses].into_iter().cycle())
    {
        let input = conversation(group);
        for chunk_bytes in [65_536, 1_021] {
            let native = host::serve(&mut Native, "", &input, chunk_bytes, keeping);
            let wasm = host::serve(&mut pair.wasm, "", &input, chunk_bytes, keeping);
            pair.n_compared += 1;
            let name = group.first().map(|payload| payload.name.clone()).unwrap_or_default();
            let replies = pair.judge(&format!("a session that begins with {name}"), native, wasm);
            assert!(replies.len() > 1000 || !pair.differences.is_empty(), "the session answers");
        }
    }
    pair.agree(2);
}

#[test]
fn recorded_conversations_give_equal_replies() {
    let mut pair = Pair::new();
    let cases = payloads::cases();
    for transcript in cases.iter().filter(|payload| payload.name.ends_with(".in.jsonl")) {
        for chunk_bytes in [65_536, 7] {
            let input = &transcript.bytes;
            let native = host::serve(&mut Native, "", input, chunk_bytes, Keeping::Keeps);
            let wasm = host::serve(&mut pair.wasm, "", input, chunk_bytes, Keeping::Keeps);
            pair.n_compared += 1;
            pair.judge(&transcript.name, native, wasm);
        }
    }
    pair.agree(38);
}

#[test]
fn an_oversized_line_gives_equal_replies() {
    let mut input = br#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"caveman_compress","arguments":{"input":""#.to_vec();
    input.resize(17 << 20, b'x');
    input.extend_from_slice(b"\"}},\"id\":5}\n{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"ping\"}");
    let mut pair = Pair::new();
    let native = host::serve(&mut Native, "", &input, 65_536, Keeping::Keeps);
    let wasm = host::serve(&mut pair.wasm, "", &input, 65_536, Keeping::Keeps);
    let replies = pair.judge("an oversized line", native, wasm);
    let replies = String::from_utf8_lossy(&replies).into_owned();
    assert!(replies.contains("\"id\":5") && replies.contains("\"id\":6"), "{replies}");
    assert_eq!(pair.differences, [""; 0]);
}

#[test]
fn a_trap_ends_one_instance_and_the_next_one_works() {
    let mut machine = Machine::new();
    let opened = machine.call("sessionOpen", &[Argument::Text("stats")]).expect("a session opens");
    assert_eq!(opened, b"");
    for _ in 0..3 {
        let trapped = machine.call("handleOf", &[Argument::Wild]);
        assert!(trapped.is_err(), "{trapped:?}");
        let handle =
            machine.call("handleOf", &[Argument::Bytes(b"x")]).expect("the next one works");
        assert_eq!(handle, caveman_wasm::handle_of(b"x").into_bytes());
    }
}
