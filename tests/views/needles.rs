//! Needles: over the payloads of `../shared/corpus`, where that folder is there, every query of a facts file must give a view
//! in which the strings that it asks for stand together.

use caveman_core::detect;
use caveman_core::json::{self, Value};
use caveman_core::kind::Kind;
use caveman_core::present;
use caveman_core::retrieve;
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn every_needle_is_in_the_view_of_its_query() {
    let mut problems = Vec::new();
    let mut n_views = 0;
    for facts in facts_files() {
        let payload = facts.to_str().unwrap().trim_end_matches(".facts.json").to_owned();
        let name = Path::new(&payload).file_name().unwrap().to_str().unwrap().to_owned();
        let original = fs::read_to_string(&payload).unwrap();
        let facts = fs::read_to_string(&facts).unwrap();
        let facts = json::read(&facts).unwrap();
        let detected = detect::detect(&present::unwrap(&original).text).kind;
        let mut kinds = vec![kind_by_name(&name), detected];
        kinds.dedup();
        for needle in facts.root().get("needles").unwrap().elements() {
            let query = needle.get("query").and_then(Value::as_str).unwrap();
            let all: Vec<_> =
                needle.get("all").unwrap().elements().map(|s| s.as_str().unwrap()).collect();
            for kind in &kinds {
                let Some(view) = retrieve::view(&original, *kind, &query) else {
                    problems.push(format!("{name} as {}: no view of {query:?}", kind.name()));
                    continue;
                };
                n_views += 1;
                let share = view.text.len() * 100 / original.len();
                println!(
                    "{name:28} {:12} {share:3} % {:3} of {:4}  {query}",
                    kind.name(),
                    view.n_shown,
                    view.n_matching
                );
                if !together(&view.text, &all) {
                    problems.push(format!(
                        "{name} as {}: {query:?} lost\n{}",
                        kind.name(),
                        view.text
                    ));
                }
            }
        }
    }
    println!("{n_views} views");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The facts files beside the payloads; none where the folder is not there.
fn facts_files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders = [root.join("../shared/corpus"), root.join("target/more-corpus")];
    let entries = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten();
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.to_string_lossy().ends_with(".facts.json"));
    files.sort();
    files
}

/// What the first word of a payload's name says it is.
fn kind_by_name(name: &str) -> Kind {
    match name.split('-').next().unwrap_or(name) {
        "build" => Kind::Diagnostics,
        "grep" => Kind::Search,
        "md" => Kind::Markdown,
        "term" if name.contains("-ls-") => Kind::Listing,
        "term" => Kind::Terminal,
        kind => Kind::parse(kind).unwrap_or(Kind::Text),
    }
}

/// Whether one line, or one bracketed record of at most 6,000 characters, holds all strings.
fn together(view: &str, strings: &[impl AsRef<str>]) -> bool {
    let holds = |text: &str| strings.iter().all(|s| text.contains(s.as_ref()));
    view.lines().any(holds) || records(view).any(holds)
}

/// The bracketed stretches of a text, nested ones too.
fn records(text: &str) -> impl Iterator<Item = &str> {
    let mut open = Vec::new();
    text.bytes().enumerate().filter_map(move |(at, byte)| match byte {
        b'{' => {
            open.push(at);
            None
        }
        b'}' => {
            let start = open.pop()?;
            (at - start < 6_000).then(|| text.get(start..=at)).flatten()
        }
        _ => None,
    })
}
