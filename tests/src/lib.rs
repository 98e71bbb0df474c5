//! Helpers that the suites share.

pub mod clock;
pub mod memory;
pub mod payloads;
mod printed;
pub mod random;
pub mod sessions;
