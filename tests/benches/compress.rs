//! How fast each step of the road is, and whether it stays linear.
//!
//! `cargo bench -p caveman-tests --bench compress [-- [linear|speed] STEP… NAME…]`, NAME being a part of a payload's name; without
//! one, all.
//! Speeds are MB/s of the payload at 4 MiB, beside the speed of `memchr` for an absent byte over the same payload in the
//! same run, which is what this machine can read at all. Linear: how many times as long each doubling from 1 to 16 MiB
//! takes; the bar is 2.2. Times are CPU times where the system tells them, so that a busy machine does not count; large
//! blocks of memory come from the system each time, as in the static binary that ships.
#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use caveman_core::compress as compressors;
use caveman_core::elide::Focus;
use caveman_core::engine::{self, Options};
use caveman_core::store::MemoryStore;
use caveman_core::{detect, present, retrieve, tokens};
use caveman_tests::clock::now;
use caveman_tests::memory;
use caveman_tests::payloads::{CODE, Growing, HOSTILE, ORDINARY};
use std::hint::black_box;
use std::time::Duration;

const MIB: usize = 1 << 20;

/// What a doubling may cost.
const BAR: f64 = 2.2;

/// A step above this is not tried on twice the payload.
const GIVE_UP: Duration = Duration::from_secs(8);

/// Rounds over all sizes of a payload.
const ROUNDS: usize = 5;

/// Time of one run, from a batch that is long enough for a clock that ticks every 4 ms.
fn sample(mut run: impl FnMut()) -> Duration {
    const ENOUGH: Duration = Duration::from_millis(400);
    let mut n_runs: u32 = 1;
    loop {
        let start = now();
        (0..n_runs).for_each(|_| run());
        let took = now().saturating_sub(start);
        if took >= ENOUGH || n_runs >= 1 << 20 {
            return (took / n_runs).max(Duration::from_nanos(1));
        }
        n_runs *= 2;
    }
}

/// The least of three samples.
fn least(mut run: impl FnMut()) -> Duration {
    (1..3).fold(sample(&mut run), |least, _| least.min(sample(&mut run)))
}

/// A step of the road over a payload, with its name.
type Step = (&'static str, fn(&str));

/// What this machine can read at all.
const BASELINE: &str = "memchr";

const STEPS: &[Step] = &[
    (BASELINE, |payload| {
        black_box(memchr::memchr(0xff, payload.as_bytes()));
    }),
    ("detect", |payload| {
        black_box(detect::detect(&present::unwrap(payload).text));
    }),
    ("compress", |payload| {
        let presented = present::unwrap(payload);
        let kind = detect::detect(&presented.text).kind;
        if let Some(compressor) = compressors::of(kind) {
            black_box(compressor.compress(&presented.text, &Focus::default()));
        }
    }),
    ("count", |payload| {
        black_box(tokens::count(payload));
    }),
    ("whole", |payload| {
        let mut store = MemoryStore::default();
        black_box(engine::compress(&mut store, 0, payload.as_bytes(), &Options::default()));
    }),
    ("view", |payload| {
        let kind = detect::detect(&present::unwrap(payload).text).kind;
        black_box(retrieve::view(payload, kind, "timeout ord-1777 refused"));
    }),
];

fn main() {
    memory::fresh_blocks();
    let words: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let (modes, names): (Vec<String>, Vec<String>) =
        words.into_iter().partition(|w| w == "linear" || w == "speed");
    let (steps, names): (Vec<String>, Vec<String>) =
        names.into_iter().partition(|w| STEPS.iter().any(|(step, _)| step == w));
    let steps: Vec<Step> = STEPS
        .iter()
        .filter(|(step, _)| {
            *step == BASELINE || steps.is_empty() || steps.iter().any(|s| s == step)
        })
        .copied()
        .collect();
    let wants = |mode: &str| modes.is_empty() || modes.iter().any(|m| m == mode);
    let payloads: Vec<Growing> = ORDINARY
        .iter()
        .chain(CODE)
        .chain(HOSTILE)
        .filter(|p| names.is_empty() || names.iter().any(|n| p.name.contains(n.as_str())))
        .copied()
        .collect();
    if wants("speed") {
        speed(&steps, &payloads);
    }
    if wants("linear") {
        linear(&steps, &payloads);
    }
}

/// MB/s of each step at 4 MiB, and how many times slower than `memchr` it is.
fn speed(steps: &[Step], payloads: &[Growing]) {
    print!("\n{:<18} {:<12}", "MB/s (x memchr)", "kind");
    steps.iter().for_each(|(step, _)| print!(" {step:>16}"));
    println!();
    for growing in payloads {
        let payload = (growing.make)(4 * MIB);
        let kind = detect::detect(&present::unwrap(&payload).text).kind;
        print!("{:<18} {:<12}", growing.name, kind.name());
        let mut baseline = 0.0;
        for (step, run) in steps {
            let rate = payload.len() as f64 / 1e6 / least(|| run(&payload)).as_secs_f64();
            if *step == BASELINE {
                baseline = rate;
                print!(" {rate:>16.0}");
            } else {
                let cell = format!("{rate:.0} (x{:.0})", baseline / rate);
                print!(" {cell:>16}");
            }
        }
        println!();
    }
}

/// Time of each doubling over the one before, 1 to 16 MiB: the least of several rounds over all sizes, so that what slows a
/// machine for a while slows all of them, and not one step.
fn linear(steps: &[Step], payloads: &[Growing]) {
    println!("\n{:<18} {:<10} {:>9}  1-2   2-4   4-8   8-16", "doubling", "step", "ms/MiB");
    for growing in payloads {
        let sizes = [1, 2, 4, 8, 16].map(|size| (growing.make)(size * MIB));
        for (step, run) in steps.iter().filter(|(step, _)| *step != BASELINE) {
            let mut times: Vec<Duration> = Vec::new();
            for payload in &sizes {
                if times.last().is_some_and(|last| *last > GIVE_UP) {
                    break;
                }
                times.push(sample(|| run(payload)));
            }
            for _ in 1..ROUNDS {
                for (time, payload) in times.iter_mut().zip(&sizes) {
                    *time = sample(|| run(payload)).min(*time);
                }
            }
            let first = times.first().map_or(0.0, |t| t.as_secs_f64() * 1e3);
            print!("{:<18} {step:<10} {first:>9.2} ", growing.name);
            for (less, more) in times.iter().zip(times.iter().skip(1)) {
                let ratio = more.as_secs_f64() / less.as_secs_f64();
                // Below a fifth of a millisecond the clock is most of what is measured.
                let over = ratio > BAR && *more > Duration::from_micros(200);
                print!(" {ratio:>4.2}{}", if over { "!" } else { " " });
            }
            println!("{}", if times.len() < 5 { " gave up!" } else { "" });
        }
    }
}
