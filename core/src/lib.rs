//! The pure core of caveman-mcp: payload in, smaller output and facts out. No files, clock, randomness, threads or network.
//!
//! ```text
//! bytes -> present (unwrap) -> detect -> compress (units -> elide) -> tokens -> store -> answer
//!                                                                       retrieve <- rank <-+
//! ```
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

// Layers, lowest first: a module uses only modules of the groups above its own.
pub mod prelude;

pub mod host;
pub mod kind;
pub mod text;

pub mod json;
pub mod tokens;

pub mod draft;
pub mod rank;
pub mod store;
pub mod toon;

pub mod present;

pub mod detect;

pub mod elide;

pub mod compress;

pub mod retrieve;

pub mod engine;

pub mod memory;

pub mod mcp;
