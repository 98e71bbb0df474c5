//! The MCP session from outside: transcripts, the rules of each protocol revision, hostile input, the ledger, paging.

#![cfg(test)]

mod fuzz;
mod ledger;
mod paging;
mod pending;
mod revisions;
mod transcripts;

use caveman_core::host::Host;
use caveman_core::mcp::{Framer, Reply, Session};
use caveman_core::store::{Entry, Handle, MemoryStore, RecoveryStore};
use serde_json::Value;

/// The clock stands still.
struct Epoch;

impl Host for Epoch {
    fn now_ms(&self) -> u64 {
        0
    }
}

/// A session with its store.
#[derive(Default)]
struct Server {
    session: Session,
    store: MemoryStore,
}

impl Server {
    /// The answer to one line, without its newline; empty when there is none.
    fn line(&mut self, line: impl AsRef<[u8]>) -> String {
        match self.session.handle_line(&mut self.store, &Epoch, line.as_ref()) {
            Reply::Line(bytes) => {
                let text = String::from_utf8(bytes).unwrap();
                let line = text.strip_suffix('\n').expect("a reply ends with its newline");
                assert!(!line.contains('\n'), "a reply is one line: {line}");
                line.to_owned()
            }
            Reply::Nothing => String::new(),
            Reply::Pending(reference) => panic!("the memory store never waits: {reference}"),
        }
    }

    /// What goes to stdout when these bytes come in on stdin.
    fn stream(&mut self, bytes: &[u8]) -> Vec<u8> {
        let (mut framer, mut out) = (Framer::default(), Vec::new());
        framer.push(bytes);
        framer.finish();
        while let Some(frame) = framer.take() {
            let reply = self.session.handle_frame(&mut self.store, &Epoch, &frame);
            if let Reply::Line(line) = reply {
                out.extend_from_slice(&line);
            }
        }
        out
    }

    /// The result or error of a request; `params` is JSON text.
    fn request(&mut self, method: &str, params: &str) -> Value {
        let line = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#);
        let answer: Value = serde_json::from_str(&self.line(line)).unwrap();
        assert_eq!(answer["id"], 1);
        answer
    }

    /// The text blocks of a tool's answer; `arguments` is JSON text.
    fn call(&mut self, tool: &str, arguments: &str) -> Vec<String> {
        let params = format!(r#"{{"name":"{tool}","arguments":{arguments}}}"#);
        let answer = self.request("tools/call", &params);
        let blocks = answer["result"]["content"].as_array().unwrap_or_else(|| panic!("{answer}"));
        blocks.iter().map(|block| block["text"].as_str().unwrap().to_owned()).collect()
    }

    fn retrieve(&mut self, handle: Handle, query: Option<&str>) -> Vec<String> {
        let query = query.map(|q| format!(",\"query\":{}", Value::from(q))).unwrap_or_default();
        self.call("caveman_retrieve", &format!("{{\"recovery_handle\":\"{handle}\"{query}}}"))
    }

    /// Stores an original without compressing it.
    fn keep(&mut self, original: &[u8], content_type: &str, tokens_before: u64) -> Handle {
        let handle = Handle::of(original);
        let entry = Entry {
            handle,
            content_type,
            compressor: "test",
            tokens_before,
            tokens_after: 0,
            original,
        };
        self.store.put(&entry, 0).unwrap();
        handle
    }
}
