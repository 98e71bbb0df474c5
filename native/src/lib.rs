//! The native host.
