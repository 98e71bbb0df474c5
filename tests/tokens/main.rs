//! The token counter against its vocabulary and against two independent counters.
#![cfg(test)]

mod generate;
mod oracles;
mod vocabulary;
