//! The server as its hosts meet it: raw bytes in, lines out, through the binary.
#![cfg(test)]

#[path = "../harness/mod.rs"]
mod harness;

mod degraded;
mod ends;
mod hostile;
mod openings;
mod tools;
mod transcripts;
