//! How long a query over a large original takes, for every way to cut one into units.
//!
//! `cargo bench -p caveman-tests --bench retrieve [-- KIND…]`. Milliseconds at 16 MiB, least of three runs of CPU time where
//! the system tells it: `id` asks for one identifier, `words` for two common words, `both` for the identifier and a word,
//! `none` for what stands nowhere. The bar is 500 ms.
#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use caveman_core::kind::Kind;
use caveman_core::retrieve;
use caveman_tests::clock::now;
use caveman_tests::payloads::{HOSTILE, ORDINARY};
use std::hint::black_box;
use std::time::Duration;

const BYTES: usize = 16 << 20;
const BAR: Duration = Duration::from_millis(500);

/// Name and text of each query.
const QUERIES: &[(&str, &str)] = &[
    ("id", "ord-1777"),
    ("words", "connection timeout"),
    ("both", "ord-1777 timeout"),
    ("none", "zzyzx-00"),
];

fn main() {
    let wanted: Vec<Kind> = std::env::args().filter_map(|arg| Kind::parse(&arg)).collect();
    let kinds = [
        Kind::Json,
        Kind::Ndjson,
        Kind::Log,
        Kind::Tabular,
        Kind::Table,
        Kind::Diff,
        Kind::Markdown,
        Kind::Text,
        Kind::Code,
        Kind::Config,
        Kind::Html,
    ];
    print!("{:<18} {:<10}", "ms at 16 MiB", "cut as");
    QUERIES.iter().for_each(|(name, _)| print!(" {name:>8}"));
    println!();
    for growing in ORDINARY.iter().chain(HOSTILE) {
        let payload = (growing.make)(BYTES);
        for kind in kinds.iter().filter(|kind| wanted.is_empty() || wanted.contains(kind)) {
            print!("{:<18} {:<10}", growing.name, kind.name());
            for (_, query) in QUERIES {
                let took = least(|| {
                    black_box(retrieve::view(&payload, *kind, query));
                });
                print!(" {:>7.0}{}", took.as_secs_f64() * 1e3, if took > BAR { "!" } else { " " });
            }
            println!();
        }
    }
}

/// The least of three runs.
fn least(mut run: impl FnMut()) -> Duration {
    let times = (0..3).map(|_| {
        let start = now();
        run();
        now().saturating_sub(start)
    });
    times.min().unwrap_or_default()
}
