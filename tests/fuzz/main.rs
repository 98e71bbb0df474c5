//! A fuzz target for each kind: mutated payloads through the engine, and a share of them through the wasm artifact.
//!
//! `CAVEMAN_FUZZ_SECONDS=600 cargo test -p caveman-parity --test fuzz [KIND]` gives each kind so long, `CAVEMAN_FUZZ_SEED=7`
//! begins elsewhere. A payload that fails is cut down before it is shown. The same seed gives the same payloads.

#![cfg(test)]

#[path = "../parity/door.rs"]
#[expect(dead_code, reason = "the parity suite calls more of the exports")]
mod door;
#[path = "../parity/machine.rs"]
mod machine;
mod mutate;
mod properties;

use caveman_core::kind::Kind;
use caveman_tests::payloads::{HOSTILE, ORDINARY};
use caveman_tests::random::Random;
use machine::Machine;
use mutate::Mutator;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Payloads for each kind, however little time there is.
const LEAST_ROUNDS: u64 = 100;
/// One payload in so many goes through wasm too.
const WASM_SHARE: u64 = 8;
/// Attempts to cut a failing payload down.
const CUTS: usize = 600;

macro_rules! targets {
    ($($name:ident: $kind:ident),* $(,)?) => {
        $(#[test]
        fn $name() {
            fuzz(Kind::$kind);
        })*

        #[test]
        fn every_kind_has_a_target() {
            assert_eq!(&[$(Kind::$kind),*], Kind::ALL);
        }
    };
}

targets! {
    json: Json,
    ndjson: Ndjson,
    log: Log,
    test_report: TestReport,
    diagnostics: Diagnostics,
    stack_trace: StackTrace,
    diff: Diff,
    search: Search,
    listing: Listing,
    table: Table,
    tabular: Tabular,
    config: Config,
    code: Code,
    html: Html,
    xml: Xml,
    markdown: Markdown,
    terminal: Terminal,
    git_log: GitLog,
    text: Text,
    mixed: Mixed,
    toon: Toon,
    repetition: Repetition,
    tool_schema: ToolSchema,
    a11y: A11y,
}

#[expect(clippy::disallowed_methods, reason = "the switches of the suite")]
fn asked(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[expect(clippy::disallowed_methods, reason = "how long a kind is tried, not what it gives")]
fn fuzz(kind: Kind) {
    let seed = asked("CAVEMAN_FUZZ_SEED").unwrap_or(1) << 8 | kind as u64;
    let time = Duration::from_secs(asked("CAVEMAN_FUZZ_SECONDS").unwrap_or(0));
    let (own, all) = seeds(kind);
    let mut mutator = Mutator { random: Random::new(seed), own: &own, all };
    let mut machine = None;
    let (mut round, start) = (0, Instant::now());
    while round < LEAST_ROUNDS || start.elapsed() < time {
        let payload = mutator.payload();
        let mut check = |payload: &[u8]| -> Result<(), String> {
            properties::hold(kind, payload)?;
            if round % WASM_SHARE != WASM_SHARE - 1 {
                return Ok(());
            }
            let machine = machine.get_or_insert_with(Machine::new);
            properties::equal_in_wasm(machine, kind, payload)
        };
        if let Err(what) = check(&payload) {
            let least = cut_down(payload, |payload| check(payload).is_err());
            let what = check(&least).err().unwrap_or(what);
            let shown = String::from_utf8_lossy(&least);
            panic!("{} round {round}: {what}\n--- payload\n{shown}\n--- {shown:?}", kind.name());
        }
        round += 1;
    }
    println!("{}: {round} payloads in {} s", kind.name(), start.elapsed().as_secs());
}

/// The payload with as many lines, then bytes, taken out as leave it failing.
fn cut_down(payload: Vec<u8>, fails: impl FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut fails = fails;
    let mut n_left = CUTS;
    let lines: Vec<Vec<u8>> =
        payload.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    let lines = cut(lines, &mut n_left, |lines| fails(&lines.concat()));
    cut(lines.concat(), &mut n_left, |bytes| fails(bytes))
}

fn cut<T: Clone>(
    mut parts: Vec<T>,
    n_left: &mut usize,
    mut fails: impl FnMut(&[T]) -> bool,
) -> Vec<T> {
    let mut width = parts.len().div_ceil(2);
    while width > 0 && *n_left > 0 {
        let mut at = 0;
        while at < parts.len() && *n_left > 0 {
            let end = (at + width).min(parts.len());
            let without = [&parts[..at], &parts[end..]].concat();
            *n_left -= 1;
            if fails(&without) { parts = without } else { at = end }
        }
        width /= 2;
    }
    parts
}

/// A payload with the kind that its folder is named for.
type Named = (Option<Kind>, Vec<u8>);

/// The payloads of a kind, and those of all kinds.
fn seeds(kind: Kind) -> (Vec<Vec<u8>>, &'static [Vec<u8>]) {
    static ALL: OnceLock<(Vec<Named>, Vec<Vec<u8>>)> = OnceLock::new();
    let (named, all) = ALL.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../core/src");
        let mut found = Vec::new();
        for folder in folders(&root.join("compress")) {
            gather(&folder.join("cases"), kind_of(&folder), &mut found);
        }
        for folder in folders(&root.join("detect/cases")) {
            gather(&folder, kind_of(&folder), &mut found);
        }
        for growing in ORDINARY.iter().chain(HOSTILE) {
            found.push((None, (growing.make)(4_000).into_bytes()));
        }
        let all = found.iter().map(|(_, bytes)| bytes.clone()).collect();
        (found, all)
    });
    let own = named.iter().filter(|(of, _)| *of == Some(kind)).map(|(_, bytes)| bytes.clone());
    (own.collect(), all)
}

/// The kind that a folder is named for: `stack_trace` holds `stack-trace`.
fn kind_of(folder: &Path) -> Option<Kind> {
    Kind::parse(&folder.file_name()?.to_str()?.replace('_', "-"))
}

fn folders(above: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(above).unwrap_or_else(|e| panic!("{}: {e}", above.display()));
    let mut folders: Vec<_> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|p| p.is_dir()).collect();
    folders.sort();
    folders
}

fn gather(folder: &Path, kind: Option<Kind>, found: &mut Vec<Named>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut files: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    files.retain(|path| !path.to_string_lossy().contains(".out."));
    found.extend(files.iter().filter_map(|path| Some((kind, fs::read(path).ok()?))));
}
