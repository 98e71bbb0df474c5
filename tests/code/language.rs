//! The language is told from the text alone.

use crate::files::{self, File};
use crate::grammar;
use caveman_core::detect;
use caveman_core::kind::Kind;
use caveman_tests::random::Random;

/// Languages that share all but a few constructs. A text without these is of either.
const RELATIVES: [&[&str]; 2] = [&["javascript", "jsx", "typescript", "tsx"], &["c", "cpp"]];

fn is_relative(named: &str, language: &str) -> bool {
    RELATIVES.iter().any(|family| family.contains(&named) && family.contains(&language))
}

/// What reads without an error in a relative's grammar is that language too.
fn reads(text: &str, named: &str) -> bool {
    grammar::of(named).is_some_and(|grammar| !grammar.parse(text).root_node().has_error())
}

fn is_right(text: &str, language: &str, is_enough: fn(&str, &str) -> bool) -> bool {
    let detection = detect::detect(text);
    let named = detection.language.unwrap_or_default();
    let is_relative = || is_relative(named, language) && is_enough(text, named);
    detection.kind == Kind::Code && (named == language || is_relative())
}

fn shares(
    files: &[File],
    what: &str,
    most_wrong_percent: usize,
    is_enough: fn(&str, &str) -> bool,
) {
    let wrong: Vec<String> = files
        .iter()
        .filter(|file| !is_right(&file.text, &file.language, is_enough))
        .map(|file| {
            let detection = detect::detect(&file.text);
            format!("{}: {} {:?}", file.name, detection.kind.name(), detection.language)
        })
        .collect();
    println!("{what}: {} of {} wrong", wrong.len(), files.len());
    // Of few files one is a large share.
    let most = (files.len() * most_wrong_percent / 100).max(2);
    assert!(wrong.len() <= most, "{what}: {wrong:#?}");
}

#[test]
fn of_a_whole_file() {
    shares(&files::all(), "files", 1, reads);
}

#[test]
fn of_forty_lines_that_are_mostly_code() {
    let mut random = Random::new(11);
    let mut snippets = Vec::new();
    for file in files::all() {
        let lines: Vec<&str> = file.text.split_inclusive('\n').collect();
        let Some(room) = lines.len().checked_sub(40) else { continue };
        let from = usize::try_from(random.below(room as u64 + 1)).expect("below a usize");
        let lines = &lines[from..from + 40];
        if n_code(lines) * 2 >= lines.len() {
            snippets.push(File {
                name: format!("{}:{from}", file.name),
                text: lines.concat(),
                ..file
            });
        }
    }
    // Half of a statement reads in no grammar: of a snippet the family is asked.
    shares(&snippets, "snippets", 5, |_, _| true);
}

/// How many lines are neither blank nor a comment, nor only punctuation or a text.
fn n_code(lines: &[&str]) -> usize {
    let is_code = |line: &&&str| {
        let line = line.trim();
        let is_comment =
            ["//", "/*", "*", "#", "--", "\"", "'"].iter().any(|sign| line.starts_with(sign));
        !is_comment
            && line.contains(|c: char| c.is_alphabetic())
            && line.contains(|c: char| c.is_ascii_punctuation())
    };
    lines.iter().filter(is_code).count()
}
