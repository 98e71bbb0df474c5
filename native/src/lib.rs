//! The native host: settings, clock, the SQLite recovery store, the stdio loop and the command line.
//!
//! Everything that touches the outside of the process stands here; what it does with the bytes stands in `caveman_core`.
//!
//! ```
//! use caveman_core::store::MemoryStore;
//! use caveman_native::hook::{Protocol, Shortener};
//!
//! let stdout = "2026-03-01T10:00:00Z INFO job done in 5 ms\\n".repeat(200);
//! let input = format!(
//!     r#"{{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{{"command":"make"}},
//!          "tool_response":{{"stdout":"{stdout}","stderr":"","interrupted":false,"isImage":false}}}}"#
//! );
//! let mut store = MemoryStore::default();
//! let hook = Protocol::of("claude-code").expect("a host");
//! let answer = hook.answer(&input, &mut Shortener::new(&mut store, 0)).expect("it is shortened");
//! assert!(answer.len() * 10 < input.len());
//! ```
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
