//! Asked for: what holds a word of the caller's query stays, whatever a compressor makes of the rest. Where it went with
//! something that has no units (markup, a checksum, a menu), the place that holds it is told beside the handle.

use crate::elide::{Focus, MARKER_OPEN};
use crate::prelude::*;
use crate::text::{lines, trim_eol};

/// So many words that would be missing are looked for. Our choice.
const MAX_WORDS: usize = 4;
/// So much of a line is shown, in bytes. Our choice.
const MAX_SHOWN: usize = 160;

/// A note for each word of the query that `text` holds and `output` does not.
pub fn notes(text: &str, focus: &Focus, output: &str) -> Vec<String> {
    if focus.words.is_empty() {
        return Vec::new();
    }
    let shown = output.to_lowercase();
    let mut missing: Vec<&str> = focus
        .words
        .iter()
        .map(String::as_str)
        .filter(|word| !shown.contains(word))
        .take(MAX_WORDS)
        .collect();
    let mut notes = Vec::new();
    for (line, number) in lines(text).into_iter().zip(1 + focus.lines_before..) {
        if missing.is_empty() {
            break;
        }
        let said = trim_eol(line.of(text));
        let lower = said.to_lowercase();
        missing.retain(|word| {
            let Some(at) = lower.find(word) else { return true };
            let slice = around(said, at, word.len());
            notes.push(format!("{MARKER_OPEN}line {number} holds {word}: {slice}]"));
            false
        });
    }
    notes
}

/// The part of a line around `at`, whole when it is short.
fn around(line: &str, at: usize, len: usize) -> String {
    let line_end = line.trim_end();
    let from = at.saturating_sub(MAX_SHOWN.saturating_sub(len) / 2);
    let from = line_end.floor_char_boundary(if at + len < MAX_SHOWN { 0 } else { from });
    let to = line_end.ceil_char_boundary(from + MAX_SHOWN.max(len + 8));
    let slice = line_end.get(from..to).unwrap_or_default().trim();
    let (before, after) =
        (if from > 0 { "…" } else { "" }, if to < line_end.len() { "…" } else { "" });
    format!("{before}{slice}{after}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, query: &str, output: &str, want: &[&str]) {
        assert_eq!(notes(text, &Focus::of_query(Some(query)), output), want);
    }

    #[test]
    fn what_is_missing_is_told_where_it_stands() {
        check("a\nb Needle c\n", "needle a", "a", &["[caveman: line 2 holds needle: b Needle c]"]);
        check("a\nb needle c\n", "needle", "NEEDLE", &[]);
        check("a\n", "needle", "b", &[]);
        check("a\n", "", "b", &[]);
        let long = format!("{}needle{}", "é".repeat(5_000), "ü".repeat(5_000));
        let told = notes(&long, &Focus::of_query(Some("needle")), "");
        assert!(
            told.iter()
                .all(|note| note.contains("…é") && note.contains("needleü") && note.len() < 260)
        );
    }
}
