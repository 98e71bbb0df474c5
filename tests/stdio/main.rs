//! The server as its hosts meet it: raw bytes in, lines out, through the binary.
#![cfg(test)]

#[path = "../harness/mod.rs"]
mod harness;

mod conversations;
mod degraded;
mod egress;
mod ends;
mod fuzz;
mod hostile;
mod tools;
mod transcripts;
