//! How fast tokens are counted, beside `memchr` for an absent byte over the same bytes (what this machine can read) and,
//! with `--features toktok`, the counter of that name, all in one run.
//!
//! `cargo bench -p caveman-tests --features toktok --bench tokens [-- FILE…]`: texts of 1 MiB, hostile ones, then each
//! file. Speeds are MB/s, the best of several rounds in turn; times are CPU times where the system tells them. The first
//! count of the process is timed too, and what it adds to the resident memory.
#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use caveman_core::tokens;
use std::hint::black_box;
use std::time::{Duration, Instant};
use std::{env, fs};

#[path = "../tokens/generate.rs"]
#[expect(
    dead_code,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "made for the tests, which use more of it"
)]
mod generate;

const MIB: usize = 1 << 20;
const ROUNDS: usize = 7;
/// What one measurement takes at least: the system's CPU times move in steps of some milliseconds.
const AT_LEAST: Duration = Duration::from_millis(40);

#[expect(clippy::disallowed_methods, reason = "a bench measures time")]
fn clock() -> Instant {
    Instant::now()
}

/// CPU time of this thread.
fn cpu() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split(' ').next()?.parse().ok()?))
}

/// Time of one `run`, over as many as take long enough.
fn time(mut run: impl FnMut()) -> f64 {
    let (start, start_cpu) = (clock(), cpu());
    let mut n_runs = 0.0;
    loop {
        run();
        n_runs += 1.0;
        let took = match (start_cpu, cpu()) {
            (Some(start), Some(now)) => now.saturating_sub(start),
            _ => start.elapsed(),
        };
        if took >= AT_LEAST {
            return took.as_secs_f64() / n_runs;
        }
    }
}

/// Resident memory of this process in KiB.
fn resident() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn grown(before: Option<u64>) -> String {
    match (before, resident()) {
        (Some(before), Some(now)) => format!("{} KiB more resident", now.saturating_sub(before)),
        _ => "resident memory not told".to_owned(),
    }
}

#[cfg(feature = "toktok")]
struct Other(toktok::Tokenizer);

#[cfg(feature = "toktok")]
impl Other {
    fn new() -> Option<Other> {
        toktok::Tokenizer::builtin("o200k_base").ok().map(Other)
    }

    fn count(&self, text: &str) -> usize {
        self.0.count(text.as_bytes())
    }
}

#[cfg(not(feature = "toktok"))]
struct Other;

#[cfg(not(feature = "toktok"))]
impl Other {
    fn new() -> Option<Other> {
        None
    }

    fn count(&self, text: &str) -> usize {
        text.len()
    }
}

fn main() {
    let texts: Vec<(String, String)> = generate::long_texts(MIB)
        .into_iter()
        .chain(generate::hostile(MIB))
        .map(|(name, text)| (name.to_owned(), text))
        .chain(
            env::args()
                .skip(1)
                .filter_map(|path| fs::read_to_string(&path).ok().map(|text| (path, text))),
        )
        .collect();

    let before = resident();
    let start = clock();
    black_box(tokens::count(black_box("first: getElementById, 数据库, naïve 12345\n")));
    println!("first count {:.3} ms, {}", start.elapsed().as_secs_f64() * 1e3, grown(before));
    for (name, text) in &texts {
        let before = resident();
        black_box(tokens::count(text));
        println!("then {name}: {}", grown(before));
    }

    let other = Other::new();
    println!(
        "{:32} {:>8} {:>8} {:>8} {:>9} {:>8}",
        "text", "MB", "MB/s", "memchr", "of memchr", "x toktok"
    );
    for (name, text) in &texts {
        let (mut ours, mut read, mut theirs) = (f64::MAX, f64::MAX, f64::MAX);
        for _ in 0..ROUNDS {
            ours = ours.min(time(|| _ = black_box(tokens::count(black_box(text)))));
            read =
                read.min(time(|| _ = black_box(memchr::memchr(0xFF, black_box(text.as_bytes())))));
            if let Some(other) = &other {
                theirs = theirs.min(time(|| _ = black_box(other.count(black_box(text)))));
            }
        }
        let size = text.len() as f64 / 1e6;
        let beside =
            other.as_ref().map_or_else(|| "-".to_owned(), |_| format!("{:.2}", theirs / ours));
        println!(
            "{name:32} {size:8.2} {:8.1} {:8.0} {:9.4} {beside:>8}",
            size / ours,
            size / read,
            read / ours
        );
    }
}
