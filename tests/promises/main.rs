//! What the product promises of ordinary payloads, asked of the engine with the in-memory store.
#![cfg(test)]

mod credentials;
mod facts;
mod ids;
mod properties;
mod rare;
mod readme;
mod reports;
mod samples;
mod untouched;
mod variants;
mod wishes;

use caveman_core::engine::{self, Answer, Options};
use caveman_core::store::{MemoryStore, Reference};

/// Compresses with nothing asked for, and asks of every answer what holds for all of them.
#[track_caller]
fn compress(payload: &[u8]) -> Answer<'_> {
    let mut store = MemoryStore::default();
    let answer = engine::compress(&mut store, 0, payload, &Options::default());
    match answer.recovery_handle {
        None => {
            assert!(answer.reason.is_some(), "no handle and no reason");
            assert_eq!(answer.output.as_ref(), payload, "passed through, and not as it came");
            assert_eq!((answer.ratio(), answer.method), (0.0, "none"));
        }
        Some(handle) => {
            assert_eq!(answer.reason, None);
            assert!(answer.tokens_after < answer.tokens_before, "not smaller");
            let stored = engine::retrieve(&mut store, 0, &Reference::Handle(handle), None);
            assert!(stored.expect("a handle resolves").original == payload, "another original");
        }
    }
    answer
}

/// The output as text.
fn text<'a>(answer: &'a Answer<'_>) -> &'a str {
    str::from_utf8(&answer.output).expect("text in, text out")
}

/// Percent of tokens saved, kind and method, for messages.
fn figures(answer: &Answer<'_>) -> String {
    let Answer { content_type, method, tokens_before, tokens_after, reason, .. } = answer;
    let percent = answer.ratio() * 100.0;
    format!(
        "{} {method} {tokens_before} -> {tokens_after} tokens ({percent:.1} % saved) {reason:?}",
        content_type.name()
    )
}
