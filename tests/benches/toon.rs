//! How fast TOON and the JSON reader are, what they take in memory, and whether they stay linear.
//!
//! `cargo bench -p caveman-tests --bench toon [-- [speed|memory|linear|tokens FOLDER|serve FOLDER]…]`
//! - speed: MB/s of the input (JSON text for encode, TOON text for decode), text to text, beside `toon-format` with
//!   `serde_json` before or after it, and `memchr` over the same bytes, in the same run.
//! - memory: most bytes allocated at once, the input counted, as times the input.
//! - linear: how many times as long twice the input takes, on inputs made to be slow; the bar is 2.6.
//! - tokens: o200k tokens of every JSON file in a folder as TOON, as two-space and as compact JSON, and of the best of
//!   TOON and compact.
//! - serve: the native side of `npm/scripts/bench-toon.mjs`.
#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use caveman_core::toon::{DecodeOptions, EncodeOptions};
use caveman_core::{json, tokens, toon};
use caveman_tests::clock::now;
use caveman_tests::random::Random;
use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt::Write;
use std::hint::black_box;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

const MIB: usize = 1 << 20;

/// The median of a few samples, each of as many runs as the clock needs to be exact.
fn median(mut run: impl FnMut()) -> Duration {
    const SAMPLE: Duration = Duration::from_millis(60);
    let mut time = |n: u32| {
        let start = now();
        (0..n).for_each(|_| run());
        now().saturating_sub(start)
    };
    let mut n = 1;
    while n < 1 << 20 && time(n) < SAMPLE {
        n *= 2;
    }
    let mut times: Vec<Duration> = (0..5).map(|_| time(n) / n).collect();
    times.sort();
    times.get(2).copied().unwrap_or_default().max(Duration::from_nanos(1))
}

/// The system's allocator with a count of the bytes in use and of the most there have been.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

fn count(more: usize, less: usize) {
    let in_use = IN_USE.fetch_add(more, Relaxed).wrapping_add(more);
    IN_USE.fetch_sub(less, Relaxed);
    MOST.fetch_max(in_use.wrapping_sub(less), Relaxed);
}

// SAFETY: every call goes to the system's allocator unchanged; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: the caller keeps the contract of `GlobalAlloc::alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count(0, layout.size());
        // SAFETY: the block came from `alloc` or `realloc` with this layout.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Large blocks are moved by remapping, so that both are never there at once.
        count(size, layout.size());
        // SAFETY: the block came from `alloc` or `realloc` with this layout.
        unsafe { System.realloc(block, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() {
    let words: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let wants = |mode: &str| words.is_empty() || words.iter().any(|w| w == mode);
    if wants("speed") {
        speed();
    }
    if wants("memory") {
        memory();
    }
    if wants("linear") {
        linear();
    }
    if let Some(at) = words.iter().position(|w| w == "tokens") {
        counts(words.get(at + 1).map_or(".", String::as_str));
    }
    if let Some(at) = words.iter().position(|w| w == "serve") {
        serve(Path::new(words.get(at + 1).map_or(".", String::as_str)));
    }
}

/// A set of documents, with its name.
type Set = (&'static str, fn() -> String);

/// Data sets of about 5 MB.
const SETS: &[Set] =
    &[("uniform", uniform), ("mixed", mixed), ("deep", deep), ("non-ASCII", non_ascii)];

/// Records of eight fields.
fn uniform() -> String {
    let mut random = Random::new(31);
    let mut out = String::from("[");
    for id in 0..31_500u32 {
        let (first, last) = (
            random.pick(&["Ada", "Grace", "Linus", "Edsger"]),
            random.pick(&["Stone", "Rivers", "Okafor"]),
        );
        let separator = if id == 0 { "" } else { "," };
        add(
            &mut out,
            format_args!(
                "{separator}{{\"id\":{id},\"name\":\"{first} {last}\",\"email\":\"{}.{id}@mail.example.com\",\"department\":\"{}\",\"salary\":{},\"rating\":{}.{},\"active\":{},\"joined\":\"20{:02}-{:02}-{:02}T08:30:00Z\"}}",
                first.to_lowercase(),
                random.pick(&["Engineering", "Sales", "Field Operations", "Legal, Risk"]),
                random.range(30_000, 180_000),
                random.below(5),
                random.range(1, 10),
                random.pick(&["true", "false"]),
                random.range(10, 26),
                random.range(1, 13),
                random.range(1, 29),
            ),
        );
    }
    out.push(']');
    out
}

/// Nested orders with optional fields.
fn mixed() -> String {
    let mut random = Random::new(32);
    let mut out = String::from("{\"orders\":[");
    for id in 0..14_000u32 {
        let separator = if id == 0 { "" } else { "," };
        add(
            &mut out,
            format_args!(
                "{separator}{{\"orderId\":\"ord-{id:06}\",\"customer\":{{\"id\":{},\"name\":\"Customer {}\",\"tier\":\"{}\"}},\"status\":\"{}\",\"lines\":[",
                random.below(9000),
                random.below(500),
                random.pick(&["gold", "silver"]),
                random.pick(&["open", "paid", "shipped"]),
            ),
        );
        for line in 0..random.range(1, 4) {
            let separator = if line == 0 { "" } else { "," };
            add(
                &mut out,
                format_args!(
                    "{separator}{{\"sku\":\"SKU-{}\",\"qty\":{},\"price\":{}.{}}}",
                    random.below(10_000),
                    random.range(1, 9),
                    random.below(500),
                    random.range(1, 100),
                ),
            );
        }
        out.push(']');
        if random.below(2) == 0 {
            add(
                &mut out,
                format_args!(
                    ",\"note\":\"Leave at the door: \\\"{}\\\", please\\nthank you\"",
                    random.hex(6)
                ),
            );
        }
        if random.below(3) == 0 {
            add(
                &mut out,
                format_args!(
                    ",\"tags\":[\"{}\",\"{}\",{}]",
                    random.pick(&["fragile", "gift"]),
                    random.hex(4),
                    random.below(100)
                ),
            );
        }
        if random.below(4) == 0 {
            add(
                &mut out,
                format_args!(
                    ",\"refund\":{{\"reason\":null,\"amount\":{}.5,\"steps\":[]}}",
                    random.below(90)
                ),
            );
        }
        add(&mut out, format_args!(",\"total\":{}.{}}}", random.below(5000), random.range(1, 100)));
    }
    out.push_str("]}");
    out
}

/// A configuration tree of depth 13, most of it settings; indentation makes it 1.7 times as long in TOON.
fn deep() -> String {
    fn node(random: &mut Random, depth: u32, out: &mut String) {
        add(
            out,
            format_args!(
                "{{\"name\":\"section-{}\",\"description\":\"Settings of the {} tier, revision {}; the runbook says how to change them\",\"enabled\":{},\"limits\":{{\"timeoutMs\":{},\"retries\":{},\"mode\":\"{}\"}}",
                random.hex(4),
                random.pick(&["edge", "storage", "billing"]),
                random.below(900),
                random.pick(&["true", "false"]),
                random.below(60_000),
                random.below(9),
                random.pick(&["auto", "manual"]),
            ),
        );
        if random.below(3) == 0 {
            add(out, format_args!(",\"paths\":[\"{}\",\"{}\"]", random.hex(5), random.hex(8)));
        }
        for side in ["left", "right"].iter().take(if depth > 0 { 2 } else { 0 }) {
            add(out, format_args!(",\"{side}\":"));
            node(random, depth - 1, out);
        }
        out.push('}');
    }
    let mut random = Random::new(33);
    let mut out = String::from("{\"sections\":[");
    let mut separator = "";
    while out.len() < 5_000_000 {
        out.push_str(separator);
        separator = ",";
        node(&mut random, 10, &mut out);
    }
    out.push_str("]}");
    out
}

/// Records with names and texts in three scripts.
fn non_ascii() -> String {
    let mut random = Random::new(34);
    let mut out = String::from("[");
    for id in 0..26_000u32 {
        let separator = if id == 0 { "" } else { "," };
        add(
            &mut out,
            format_args!(
                "{separator}{{\"id\":{id},\"name\":\"{}\",\"city\":\"{}\",\"note\":\"{}, {}\",\"open\":{}}}",
                random.pick(&["Zoë Čapek", "Ольга Иванова", "山田太郎", "François Lefèvre"]),
                random.pick(&["Malmö", "Санкт-Петербург", "東京都", "Łódź"]),
                random.pick(&["Straße gesperrt", "доставка завтра утром", "荷物は受付にあります"]),
                random.pick(&["déjà vu 😀", "на складе № 7", "再配達を依頼"]),
                random.pick(&["true", "false"]),
            ),
        );
    }
    out.push(']');
    out
}

fn add(out: &mut String, text: std::fmt::Arguments<'_>) {
    assert!(out.write_fmt(text).is_ok(), "a String takes any text");
}

fn encode(json: &str) -> String {
    toon::encode(json, &EncodeOptions::default()).unwrap_or_default()
}

fn decode(toon: &str) -> String {
    toon::decode(toon, &DecodeOptions::default()).unwrap_or_default()
}

fn encode_theirs(json: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(json).unwrap_or_default();
    toon_format::encode_default(&value).unwrap_or_default()
}

fn decode_theirs(toon: &str) -> String {
    let value: serde_json::Value = toon_format::decode_default(toon).unwrap_or_default();
    serde_json::to_string(&value).unwrap_or_default()
}

fn rate(n_bytes: usize, took: Duration) -> f64 {
    n_bytes as f64 / 1e6 / took.as_secs_f64()
}

fn speed() {
    println!(
        "\n{:<9} {:<13} {:>9} {:>9} {:>9} {:>7} {:>8}",
        "set", "MB/s", "input MB", "ours", "t-format", "ratio", "memchr"
    );
    for (name, make) in SETS {
        let json = make();
        let toon = encode(&json);
        assert_eq!(toon, encode_theirs(&json), "{name}");
        row(
            name,
            "encode",
            &json,
            &|| drop(black_box(encode(&json))),
            Some(&|| drop(black_box(encode_theirs(&json)))),
        );
        row(
            name,
            "decode",
            &toon,
            &|| drop(black_box(decode(&toon))),
            Some(&|| drop(black_box(decode_theirs(&toon)))),
        );
        row(name, "json::read", &json, &|| drop(black_box(json::read(&json))), None);
        let pretty = pretty(&json);
        row(name, "  indented", &pretty, &|| drop(black_box(json::read(&pretty))), None);
        row(
            name,
            "json::minify",
            &pretty,
            &|| {
                let mut out = String::new();
                json::minify(&pretty, &mut out);
                black_box(out);
            },
            None,
        );
    }
}

fn row(set: &str, what: &str, input: &str, ours: &dyn Fn(), theirs: Option<&dyn Fn()>) {
    let memchr = rate(
        input.len(),
        median(|| {
            black_box(memchr::memchr(0xff, black_box(input.as_bytes())));
        }),
    );
    let ours = rate(input.len(), median(ours));
    print!("{set:<9} {what:<13} {:>9.2} {ours:>9.1}", input.len() as f64 / 1e6);
    match theirs {
        Some(theirs) => {
            let theirs = rate(input.len(), median(theirs));
            print!(" {theirs:>9.1} {:>6.1}x", ours / theirs);
        }
        None => print!(" {:>9} {:>7}", "", ""),
    }
    println!(" {memchr:>8.0}");
}

fn pretty(json: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(json).unwrap_or_default();
    serde_json::to_string_pretty(&value).unwrap_or_default()
}

/// Writes the sets into a folder and names them; then says how many nanoseconds the calls took that a line of stdin asks
/// for: `SET encode|decode text|bytes CALLS`.
fn serve(folder: &Path) {
    let mut documents = Vec::new();
    for (name, make) in SETS {
        let json = make();
        let toon = encode(&json);
        let written = [("json", &json), ("toon", &toon)]
            .map(|(ends, text)| std::fs::write(folder.join(format!("{name}.{ends}")), text));
        assert!(written.iter().all(Result::is_ok), "{} cannot be written to", folder.display());
        documents.push((*name, json, toon));
    }
    println!("{}", documents.iter().map(|(name, ..)| *name).collect::<Vec<_>>().join(" "));
    for line in std::io::stdin().lines().map_while(Result::ok) {
        let [set, verb, form, n_calls] = line.split(' ').collect::<Vec<_>>()[..] else { return };
        let document = documents.iter().find(|(name, ..)| *name == set);
        let (Some((_, json, toon)), Ok(n_calls)) = (document, n_calls.parse()) else { return };
        let (input, recode): (&str, fn(&str) -> String) =
            if verb == "encode" { (json, encode) } else { (toon, decode) };
        let start = now();
        for _ in 0u32..n_calls {
            if form == "bytes" {
                black_box(std::str::from_utf8(black_box(input.as_bytes())).map(recode).ok());
            } else {
                black_box(recode(black_box(input)));
            }
        }
        println!("{}", now().saturating_sub(start).as_nanos());
    }
}

/// Most bytes beyond those in use before.
fn peak(run: impl FnOnce()) -> usize {
    let before = IN_USE.load(Relaxed);
    MOST.store(before, Relaxed);
    run();
    MOST.load(Relaxed).saturating_sub(before)
}

fn memory() {
    println!("\n{:<9} {:<8} {:>9} {:>10} {:>9}", "set", "peak", "input MB", "peak MB", "x input");
    for (name, make) in SETS {
        let json = make();
        let toon = encode(&json);
        let peaks = [
            ("encode", json.len(), peak(|| drop(black_box(encode(&json))))),
            ("decode", toon.len(), peak(|| drop(black_box(decode(&toon))))),
        ];
        for (what, input, peak) in peaks {
            // The input is memory too.
            let all = peak + input;
            println!(
                "{name:<9} {what:<8} {:>9.2} {:>10.2} {:>9.2}",
                input as f64 / 1e6,
                all as f64 / 1e6,
                all as f64 / input as f64
            );
        }
    }
}

/// An input that grows with a size, for encode (JSON) or decode (TOON).
type Hostile = (&'static str, bool, fn(usize) -> String);

const HOSTILE: &[Hostile] = &[
    ("100,000 fields", true, |n| {
        let fields: Vec<String> = (0..n / 20).map(|i| format!("\"field{i}\":{i}")).collect();
        let row = format!("{{{}}}", fields.join(","));
        let turned: Vec<&str> = fields.iter().rev().map(String::as_str).collect();
        format!("[{row},{{{}}}]", turned.join(","))
    }),
    ("100,000 fields", false, |n| {
        let names: Vec<String> = (0..n / 20).map(|i| format!("field{i}")).collect();
        let cells: Vec<String> = (0..n / 20).map(|i| i.to_string()).collect();
        format!("[1]{{{}}}:\n  {}", names.join(","), cells.join(","))
    }),
    ("many keys", true, |n| {
        let fields: Vec<String> = (0..n / 20).map(|i| format!("\"key{i}\":\"v{i}\"")).collect();
        format!("{{{}}}", fields.join(","))
    }),
    ("many keys", false, |n| (0..n / 14).map(|i| format!("key{i}: v{i}\n")).collect()),
    ("512 levels", true, |n| {
        let one = format!("{}1{}", "{\"a\":{\"b\":[".repeat(170), ",2]}}".repeat(170));
        format!("[{}]", vec![one.as_str(); n / one.len() + 1].join(","))
    }),
    ("nearly uniform", true, |n| {
        // Each half has the other's shape down to the last leaf.
        fn half(depth: usize, leaf: &str) -> String {
            if depth == 0 {
                return leaf.to_owned();
            }
            format!("{{\"p\":{},\"q\":{}}}", half(depth - 1, "1"), half(depth - 1, leaf))
        }
        half((n / 8).ilog2() as usize, "[]")
    }),
    ("1,000,000 rows", true, |n| format!("[{}{{\"a\":1}}]", "{\"a\":1},".repeat(n / 8))),
    ("1,000,000 rows", false, |n| {
        let n = n / 4;
        format!("[{n}]{{a}}:\n{}", "  1\n".repeat(n))
    }),
    ("one cell", true, |n| format!("[{{\"a\":\"{}\"}}]", "x,\\n".repeat(n / 4))),
    ("one cell", false, |n| format!("[1]{{a}}:\n  \"{}\"", "x,\\n".repeat(n / 4))),
    ("one line", false, |n| "a\"b:".repeat(n / 4)),
    ("open spans", false, |n| format!("[{}]: {}1", n / 2, "1,".repeat(n / 2 - 1))),
    ("blank lines", false, |n| format!("a[2]:\n  - 1\n  - b: 2\n{}c: 3", "\n".repeat(n))),
    ("headers", false, |n| (0..n / 16).map(|i| format!("k{i}[1]{{a}}:\n  1\n")).collect()),
    ("indentation", false, |n| format!("a:\n{}b: 1", " ".repeat(n))),
    ("numbers", true, |n| format!("[{}1e{}]", "1.0,".repeat(n / 8), "0".repeat(n / 2))),
];

fn linear() {
    println!("\n{:<16} {:<7} {:>10}  1-2   2-4   4-8   8-16 MiB", "doubling", "", "ms at 1");
    for (name, is_encode, make) in HOSTILE {
        let mut times = Vec::new();
        for size in [1, 2, 4, 8, 16] {
            let input = make(size * MIB);
            times.push(median(|| match is_encode {
                true => drop(black_box(toon::encode(&input, &EncodeOptions::default()))),
                false => drop(black_box(toon::decode(&input, &DecodeOptions::default()))),
            }));
        }
        let what = if *is_encode { "encode" } else { "decode" };
        print!(
            "{name:<16} {what:<7} {:>10.2} ",
            times.first().map_or(0.0, |t| t.as_secs_f64() * 1e3)
        );
        for (less, more) in times.iter().zip(times.iter().skip(1)) {
            let ratio = more.as_secs_f64() / less.as_secs_f64();
            print!(
                " {ratio:>4.2}{}",
                if ratio > 2.6 && *more > Duration::from_micros(500) { "!" } else { " " }
            );
        }
        println!();
    }
}

fn counts(folder: &str) {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .collect();
    files.sort();
    println!(
        "\n{:<28} {:>8} {:>8} {:>8} {:>9} {:>9} {:>8}",
        "tokens", "TOON", "2-space", "compact", "vs 2-sp.", "vs comp.", "best of"
    );
    let mut sums = [0u64; 4];
    for path in files {
        let json = std::fs::read_to_string(&path).unwrap_or_default();
        let mut compact = String::new();
        json::minify(&json, &mut compact);
        let n_toon = tokens::count(&encode(&json));
        let n_compact = tokens::count(&compact);
        let counts = [n_toon, tokens::count(&pretty(&json)), n_compact, n_toon.min(n_compact)];
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum += count;
        }
        line(&path.file_stem().unwrap_or_default().to_string_lossy(), counts);
    }
    line("all", sums);
}

fn line(name: &str, [toon, indented, compact, best]: [u64; 4]) {
    let change = |of: u64| (toon as f64 / of as f64 - 1.0) * 100.0;
    println!(
        "{name:<28} {toon:>8} {indented:>8} {compact:>8} {:>+8.1}% {:>+8.1}% {best:>8}",
        change(indented),
        change(compact)
    );
}
