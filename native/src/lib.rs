//! The native host: settings, clock, the SQLite recovery store, the stdio loop and the command line.
//!
//! Everything that touches the outside of the process stands here; what it does with the bytes stands in `caveman_core`.
#![forbid(unsafe_code)]

pub mod cli;
pub mod eval;
pub mod hook;
pub mod host;
pub mod install;
pub mod log;
pub mod memory;
pub mod settings;
pub mod signals;
pub mod stdio;
pub mod store;
