//! The binary `cavemem` and its store: what it promises, over files and processes.
#![cfg(test)]

#[path = "../harness/mod.rs"]
mod harness;

mod quality;
