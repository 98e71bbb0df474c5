//! The one door to the outside: what the core cannot know by itself.

/// Supplied by the native shim, the wasm host, or a test.
pub trait Host {
    /// Milliseconds since the Unix epoch.
    fn now_ms(&self) -> u64;
}
