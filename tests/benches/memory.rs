//! What memories cost: remembering and recalling in a store of 100,000 memories, 10 MB of text.
//!
//! `cargo bench -p caveman-native --bench memory [-- N_MEMORIES]`. Wall-clock times, each as the least, the median and the
//! 95th of a hundred; beside them the mean CPU time, which other work on the machine changes less. Words are drawn as in language: few are frequent, most are rare.
#![expect(clippy::print_stdout, reason = "a bench prints its figures")]
#![expect(clippy::expect_used, reason = "a bench that cannot work stops")]

use caveman_core::memory::{Memories, Memory, Options, recall};
use caveman_core::store::MemoryStore;
use caveman_native::memory::SqliteMemories;
use caveman_tests::clock;
use caveman_tests::random::Random;
use std::path::Path;

const NOW: u64 = 1_772_323_200_000;
const N_WORDS: u64 = 30_000;

/// A word by rank: squaring a uniform draw three times makes low ranks frequent.
fn word(random: &mut Random) -> String {
    let draw = random.below(1 << 20);
    let share = (draw * draw) >> 20;
    let share = (share * share) >> 20;
    let mut rank = (share * N_WORDS) >> 20;
    let mut out = String::new();
    loop {
        let syllable =
            ["ba", "ker", "mol", "tin", "sor", "vek", "lum", "dra", "pio", "quen", "zeth", "gru"];
        out.push_str(
            syllable
                .get(usize::try_from(rank % 12).unwrap_or_default())
                .copied()
                .unwrap_or_default(),
        );
        rank /= 12;
        if rank == 0 {
            return out;
        }
    }
}

fn text(random: &mut Random, n_words: u64) -> String {
    (0..n_words).map(|_| word(random)).collect::<Vec<_>>().join(" ")
}

fn measure(name: &str, n_runs: usize, run: impl FnMut()) {
    let before = clock::now();
    let [least, median, late] = clock::spread_ms(n_runs, run);
    let cpu = clock::now().saturating_sub(before).as_secs_f64() * 1000.0 / n_runs as f64;
    println!("{name:36} {least:8.3} {median:8.3} {late:8.3} {cpu:8.3}");
}

fn main() {
    let n_memories = std::env::args().find_map(|arg| arg.parse().ok()).unwrap_or(100_000);
    let folder =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("bench-memory-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("mem.db");
    let mut random = Random::new(2);
    let mut store = SqliteMemories::at(&path);
    let memories: Vec<Memory> = (0..n_memories)
        .map(|_| Memory { text: text(&mut random, 16), ..Memory::default() })
        .collect();
    println!("{:36} {:>8} {:>8} {:>8} {:>8}   ms", "", "least", "median", "95th", "CPU");
    let bytes: usize = memories.iter().map(|memory| memory.text.len()).sum();
    measure("first remember, creating the store", 1, || {
        store.remember("the first", NOW).expect("it lands");
    });
    measure("import of all", 1, || {
        store.import(&memories, NOW).expect("they land");
    });
    let file = std::fs::metadata(&path).map_or(0, |found| found.len());
    println!("{n_memories} memories, {bytes} bytes of text, {file} bytes of file");
    measure("remember", 1000, || {
        let text = text(&mut random, 16);
        store.remember(&text, NOW).expect("it lands");
    });
    let known = memories.first().map(|memory| memory.text.clone()).unwrap_or_default();
    measure("remember what is known", 1000, || {
        store.remember(&known, NOW).expect("it is there");
    });
    let mut copies = MemoryStore::default();
    for (name, n_words) in [("recall, 1 word", 1), ("recall, 3 words", 3), ("recall, 8 words", 8)] {
        measure(name, 300, || {
            let query = text(&mut random, n_words);
            recall(&mut store, &mut copies, NOW, &query, &Options::default()).expect("an answer");
        });
    }
    measure("recall, the most frequent word", 100, || {
        recall(&mut store, &mut copies, NOW, "ba", &Options::default()).expect("an answer");
    });
    drop(store);
    measure("open and recall, 3 words", 50, || {
        let query = text(&mut random, 3);
        let mut store = SqliteMemories::at(&path);
        recall(&mut store, &mut copies, NOW, &query, &Options::default()).expect("an answer");
    });
    let mut store = SqliteMemories::at(&path);
    let last = store.remember("to be forgotten soon", NOW).expect("it lands").id;
    measure("forget, writing the file anew", 1, || {
        store.forget(&last, &mut |_| Ok(())).expect("it goes");
    });
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}
