//! The clock of the benches: CPU time of this thread where the system tells it, so that other work on the machine counts less.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Wall-clock time of `n_runs` runs, at least one, in milliseconds: the least, the median and the 95th of a hundred.
#[expect(clippy::disallowed_methods, reason = "a bench measures time")]
pub fn spread_ms(n_runs: usize, mut run: impl FnMut()) -> [f64; 3] {
    let mut times: Vec<Duration> = (0..n_runs)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .collect();
    times.sort();
    [0, 50, 95].map(|share| {
        let time = times.get((n_runs * share / 100).min(n_runs - 1)).copied().unwrap_or_default();
        time.as_secs_f64() * 1000.0
    })
}

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
