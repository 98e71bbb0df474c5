//! The pure core of caveman-mcp: payload in, smaller output and facts out. No files, clock, randomness, threads or network.
//!
//! ```text
//! bytes -> present (unwrap) -> detect -> compress (units -> elide) -> tokens -> store -> answer
//!                                                                       retrieve <- rank <-+
//! ```
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod compress;
pub mod detect;
pub mod draft;
pub mod elide;
pub mod engine;
pub mod host;
pub mod json;
pub mod kind;
pub mod mcp;
pub mod prelude;
pub mod present;
pub mod rank;
pub mod retrieve;
pub mod store;
pub mod text;
pub mod tokens;
pub mod toon;
