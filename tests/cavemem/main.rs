//! The binary `cavemem` and its store: what it promises, over files and processes.
//!
//! The default sizes keep the suite short; the full ones are `CAVEMEM_TEST_KILLS=200 CAVEMEM_TEST_MEMORIES=100000
//! cargo test -p caveman-native --test cavemem`.
#![cfg(test)]

#[path = "../harness/mod.rs"]
mod harness;

mod budgets;
mod command;
mod crash;
mod layouts;
mod lineages;
mod quality;
mod server;
mod traces;

use harness::{Home, Run, run};
use serde_json::Value;

/// Runs `cavemem` to its end.
fn cavemem(home: &Home, arguments: &[&str], stdin: &[u8]) -> Run {
    run(home.cavemem(arguments), stdin)
}

/// Remembers and gives the id.
#[track_caller]
fn remember(home: &Home, text: &str) -> String {
    id_of(&cavemem(home, &["remember", "--stdin"], text.as_bytes()).json())
}

fn id_of(answer: &Value) -> String {
    answer["id"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

/// The texts that a query recalls.
#[track_caller]
fn recalled(home: &Home, query: &str) -> Vec<String> {
    let found = cavemem(home, &["recall", "--stdin"], query.as_bytes()).json();
    let hits = found["hits"].as_array().unwrap();
    hits.iter().map(|hit| hit["text"].as_str().unwrap().to_owned()).collect()
}
