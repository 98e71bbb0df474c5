//! The rules of the tree that no compiler checks: layers, dependencies, bans, words, and documents that match the code.
//!
//! A rule is a function from text to offences, so that each is also shown an offence planted in a string: a rule that
//! cannot fail holds nothing.
#![cfg(test)]

mod dependencies;
mod documents;
mod layers;
mod sources;
mod tree;

/// Panics with every offence on a line of its own.
#[track_caller]
fn none(offences: Vec<String>) {
    assert!(offences.is_empty(), "{} offences:\n{}", offences.len(), offences.join("\n"));
}
