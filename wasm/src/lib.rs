//! The door: the exports of the one wasm artifact, and nothing else.
//!
//! Exports take and return bytes, text and numbers only; that is why the module imports nothing. Options and figures are
//! JSON. An answer that carries a payload is an *envelope*: one line of JSON, a line feed, then the bytes of the payload.
//! A failure is an envelope too: `{"error":"cave_…","message":…}`.
//!
//! Without wasm the same functions are ordinary Rust, which is how they are compared byte for byte.

mod envelope;
mod mailbox;
mod panics;
mod recode;
mod session;
mod verbs;

pub use panics::last_panic;
#[cfg(target_family = "wasm")]
pub use panics::start;
pub use recode::{toon_decode, toon_decode_bytes, toon_encode, toon_encode_bytes};
pub use session::{
    framer_finish, framer_push, framer_take, session_done, session_handle, session_open,
    session_original, session_panicked, session_puts, session_refuse, session_store,
    session_supply, session_supply_error,
};
pub use verbs::{compress, count_tokens, detect, handle_of, parse_handle, retrieve_view, version};
