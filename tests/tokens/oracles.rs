//! Counts against two independent counters: over texts found on this machine and over generated strings.
//!
//! The default run takes a sample; `TOKENS_FULL=1` counts 1,000,000 strings and 24 MB of text.

use std::fs;
use std::path::{Path, PathBuf};

use caveman_core::tokens;

use crate::generate::{Generator, hostile, long_texts};

/// The share of the full run that is taken by default.
#[expect(clippy::disallowed_methods, reason = "the switch between the sample and the full run")]
fn of_full(full: usize, sample: usize) -> usize {
    if std::env::var_os("TOKENS_FULL").is_some() { full } else { sample }
}

#[track_caller]
fn check(text: &str) {
    let counted = tokens::count(text);
    let tiktoken = tiktoken_rs::o200k_base_singleton().count_ordinary(text) as u64;
    let bpe = bpe_openai::o200k_base().count(text) as u64;
    if (counted, counted) == (tiktoken, bpe) {
        return;
    }
    let shown: String = text.chars().take(400).collect();
    panic!("counted {counted}, tiktoken-rs {tiktoken}, bpe-openai {bpe}: {shown:?}");
}

#[test]
fn generated_strings_count_as_both_oracles_say() {
    let mut generator = Generator::new(200_000);
    for _ in 0..of_full(1_000_000, 20_000) {
        check(&generator.string());
    }
}

#[test]
fn generated_texts_count_as_both_oracles_say() {
    for (_, text) in long_texts(of_full(2 << 20, 50_000)) {
        check(&text);
    }
}

#[test]
fn hostile_texts_count_as_an_oracle_says() {
    for (name, text) in hostile(of_full(1 << 20, 100_000)) {
        let bpe = bpe_openai::o200k_base().count(text.as_str()) as u64;
        assert_eq!(tokens::count(&text), bpe, "{name}");
    }
}

#[test]
fn texts_of_this_machine_count_as_both_oracles_say() {
    let mut left = of_full(24 << 20, 1 << 20);
    let mut folders = sources();
    assert!(!folders.is_empty(), "the tests' own dependencies have sources");
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(folder) else { continue };
        let mut paths: Vec<PathBuf> =
            entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                folders.push(path);
            } else if let Some(text) =
                fs::read(&path).ok().and_then(|bytes| String::from_utf8(bytes).ok())
            {
                let (text, _) = text.split_at(text.floor_char_boundary(300_000));
                check(text);
                left = left.saturating_sub(text.len());
                if left == 0 {
                    return;
                }
            }
        }
    }
}

/// This project, and the sources of cargo's registries.
fn sources() -> Vec<PathBuf> {
    #[expect(clippy::disallowed_methods, reason = "cargo's own folder")]
    let cargo = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let registries = cargo.map(|cargo| cargo.join("registry/src")).filter(|folder| folder.is_dir());
    registries.into_iter().chain([project.join("core"), project.join("docs")]).collect()
}
