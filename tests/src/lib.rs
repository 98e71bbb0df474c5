//! Helpers that the suites share.

pub mod clock;
pub mod payloads;
pub mod random;
pub mod sessions;
