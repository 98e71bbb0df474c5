//! The command line as its users meet it: payloads on stdout, words on stderr, statuses that scripts can rely on.
#![cfg(test)]

#[path = "../harness/mod.rs"]
mod harness;

mod basics;
mod describe;
mod eval;
mod hook;
mod install;
mod large;
mod settings;
mod store;
#[cfg(unix)]
mod terminal;
mod toon;
