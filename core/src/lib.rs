//! The pure core of caveman-mcp: payload in, smaller output and facts out. No files, clock, randomness, threads or network.
//!
//! ```text
//! bytes -> present (unwrap) -> detect -> compress (units -> elide) -> tokens -> store -> answer
//!                                                                       retrieve <- rank <-+
//! ```
//!
//! ```
//! use caveman_core::engine::{self, Options};
//! use caveman_core::store::MemoryStore;
//!
//! let log = "2026-03-01T10:00:00Z INFO job done in 5 ms\n".repeat(200);
//! let mut store = MemoryStore::default();
//! let answer = engine::compress(&mut store, 0, log.as_bytes(), &Options::default());
//! assert!(answer.tokens_after * 10 < answer.tokens_before);
//! assert!(answer.recovery_handle.is_some());
//! ```
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

// Layers, lowest first: a module uses only modules of the groups above its own.
pub mod prelude;

pub mod host;
pub mod kind;
pub mod order;
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

/// The examples of the document on the library run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/library.md")]
struct Library;
