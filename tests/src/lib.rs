//! Helpers that the suites share.

pub mod payloads;
pub mod random;
