//! Text: prose, and lines of no known kind.
//!
//! ```text
//! Fetching part 1 of 400 from the mirror        Fetching part 1 of 400 from the mirror
//! Fetching part 2 of 400 from the mirror        [caveman: 396 lines elided: 2-397; part: 396 distinct, 2..397, all present]
//! …                                         ->  …
//! The mirror refused part 398.                  The mirror refused part 398.
//! ```
//! Keeps: every line that is said less than four times, however the others read; first and last signals; outliers.
//! Recodes without loss: what stands again, as [`repetition`] does.
//! Declines: prose, lists, tables of numbers, encoded data: whatever has no template that repeats.

use super::{Compressor, Proposals, Units, repetition};
use crate::draft::Draft;
use crate::elide::mask::{self, HashedMap};
use crate::elide::{self, CellKind, Focus, Sheet, Style, is_number, signal};
use crate::kind::Kind;
use crate::prelude::*;
use crate::text::{Span, lines, offset, trim_eol};

/// The compressor of text.
#[derive(Debug)]
pub(super) struct Text;

/// A line said so often is boilerplate; one said less often is content. Our choice.
const MIN_REPEATS: u32 = 4;
/// So many words make a template of a line with identifiers in it; a line of fewer is its identifiers. Our choice.
const MIN_WORDS: usize = 3;
/// The fields of a template behind this many are not told of. Our choice.
const MAX_FIELDS: u64 = 64;

impl Compressor for Text {
    fn kind(&self) -> Kind {
        Kind::Text
    }

    fn compress(&self, text: &str, focus: &Focus) -> Proposals {
        let lines = lines(text);
        let lossless = repetition::fold(text, &lines, focus);
        Proposals { lossless, elided: elided(text, &lines, focus, |_| false) }
    }

    /// Text nests in no way of its own: retrieval cuts it by its general rules, at blank lines or else by line.
    fn units(&self, _text: &str) -> Option<Units> {
        None
    }
}

/// The draft in which templates that repeat are elided. Lines of which `is_content` holds stay, whatever they repeat.
pub(super) fn elided(
    text: &str,
    lines: &[Span],
    focus: &Focus,
    is_content: impl Fn(Span) -> bool,
) -> Option<Draft> {
    let solid: Vec<Span> =
        lines.iter().copied().filter(|line| !line.of(text).trim_ascii().is_empty()).collect();
    let shapes: Vec<u64> = solid.iter().map(|line| shape(line.of(text))).collect();
    let mut counts: HashedMap<u32> =
        HashedMap::with_capacity_and_hasher(shapes.len(), Default::default());
    shapes.iter().for_each(|shape| *counts.entry(*shape).or_default() += 1);
    if counts.values().all(|n| *n < MIN_REPEATS) {
        return None;
    }

    let mut sheet = Sheet::new(text, "lines");
    let mut columns: HashedMap<u32> = HashedMap::default();
    for (at, (line, shape)) in (0_u64..).zip(solid.iter().zip(&shapes)) {
        let is_content = is_content(*line) || counts.get(shape).is_none_or(|n| *n < MIN_REPEATS);
        // A shape of its own keeps a line whatever else has its form.
        let shape = if is_content { mask::mix(*shape, at) } else { *shape };
        let content = trim_eol(line.of(text));
        sheet.add_unit(*line, shape, signal::of_words(content));
        if !is_content {
            add_cells(&mut sheet, &mut columns, shape, line.start, content);
        }
    }
    elide::draft(&sheet, focus, &Style::PLAIN)
}

/// A line with its identifiers masked, when enough words around them say what they are; else the line as it stands.
fn shape(line: &str) -> u64 {
    let line = trim_eol(line);
    let is_word = |token: &&str| {
        let word = token.trim_end_matches([',', '.', ':', ';', '!', '?']);
        word.chars().count() > 1 && word.chars().all(char::is_alphabetic)
    };
    let n_words = line.split_ascii_whitespace().filter(is_word).take(MIN_WORDS).count();
    if n_words < MIN_WORDS { mask::hash(line) } else { mask::shape(line) }
}

/// The identifiers and numbers of a line as fields, each named for the word before it.
fn add_cells(
    sheet: &mut Sheet<'_>,
    columns: &mut HashedMap<u32>,
    shape: u64,
    base: u32,
    line: &str,
) {
    let mut name = "value";
    let mut at = 0;
    let mut nth = 0;
    for token in line.split_inclusive([' ', '\t', '=', '(', ')', '[', ']', '"', ',', ';']) {
        let start = at;
        at += token.len();
        let bare = token.trim_end_matches(|c: char| " \t=()[]\",;:.%!?".contains(c));
        if bare.is_empty() {
            continue;
        }
        if !bare.bytes().any(|b| b.is_ascii_digit()) {
            name = if bare.len() <= 40 { bare } else { "value" };
            continue;
        }
        nth += 1;
        if nth > MAX_FIELDS {
            return;
        }
        let key = mask::mix(shape, nth);
        let column = *columns.entry(key).or_insert_with(|| sheet.add_column(name));
        let kind = if is_number(bare) { CellKind::Number } else { CellKind::Text };
        let start = base + offset(start);
        sheet.add_cell(column, kind, Span { start, end: start + offset(bare.len()) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elided(text: &str) -> Option<String> {
        Text.compress(text, &Focus::default()).elided.map(|draft| draft.render(text))
    }

    #[test]
    fn templates_that_repeat_go_and_odd_lines_stay() {
        let mut text = String::new();
        for n in 1..=200 {
            text.push_str(&format!("Fetching part {n} of 200 from the mirror\n"));
            if n == 120 {
                text.push_str("The weather is fine today.\n");
            }
            if n == 150 {
                text.push_str("Fetching part 150 failed at the mirror\n");
            }
        }
        let out = elided(&text).unwrap();
        assert!(out.len() * 4 < text.len(), "{out}");
        for line in ["The weather is fine today.", "Fetching part 150 failed at the mirror"] {
            assert!(out.contains(line), "{out}");
        }
    }

    #[test]
    fn an_outlier_stays() {
        let mut text = String::new();
        for n in 0..200_u32 {
            let loss = if n == 77 { 9_999 } else { 100 + n * 7 % 13 };
            text.push_str(&format!("After step {n} the loss was {loss}\n"));
        }
        let out = elided(&text).unwrap();
        assert!(out.contains("step 77 the loss was 9999"), "{out}");
    }

    #[test]
    fn what_repeats_little_is_content() {
        let verse = "Row, row, row your boat,\nGently down the stream.\n\
                     Merrily, merrily, merrily, merrily,\nLife is but a dream.\n\n";
        assert_eq!(elided(&verse.repeat(3)), None);
        assert!(elided(&verse.repeat(30)).is_some());
    }

    #[test]
    fn lines_without_words_are_content() {
        let numbers: String =
            (0..300).map(|n| format!("{n} {} {}\n", n * 37 % 101, n * n)).collect();
        let ids: String = (0..300).map(|n| format!("ord-{n}\n")).collect();
        let labels: String = (0..300).map(|n| format!("Order {n}: ready\n")).collect();
        for text in [
            numbers.as_str(),
            ids.as_str(),
            labels.as_str(),
            "",
            "\n\n\n",
            "one line",
            "é\r\né\r\n",
        ] {
            assert_eq!(Text.compress(text, &Focus::default()), Proposals::default(), "{text}");
        }
    }
}
