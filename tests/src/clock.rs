//! The clock of the benches: CPU time of this thread where the system tells it, so that other work on the machine counts less.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// CPU time of this thread since it began; without `/proc`, time since the first call.
pub fn now() -> Duration {
    let cpu = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = cpu.and_then(|text| text.split(' ').next()?.parse().ok());
    nanos.map_or_else(elapsed, Duration::from_nanos)
}

#[expect(clippy::disallowed_methods, reason = "a bench measures time")]
fn elapsed() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}
