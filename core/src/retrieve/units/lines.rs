//! Lines: one unit each, or with the lines that continue them (stack traces, wrapped messages, indented detail).

use super::{Cut, LARGE, NONE, is_blank};
use crate::prelude::*;
use crate::text::{self, Span};

/// Every line that is not blank.
pub(super) fn lines(text: &str, noun: &'static str) -> Cut {
    let mut cut = Cut::new(noun);
    for line in text::lines(text) {
        if !is_blank(line.of(text)) {
            cut.push(line, NONE);
        }
    }
    cut
}

/// Reports of tools: a line at the margin with the indented lines, excerpts and traces below it.
pub(super) fn outline(text: &str) -> Cut {
    let mut cut = Cut::new("lines");
    let mut entry: Vec<Span> = Vec::new();
    let mut in_traceback = false;
    for line in text::lines(text) {
        let shown = line.of(text);
        if is_blank(shown) {
            continue;
        }
        let begins_traceback = shown.starts_with("Traceback (most recent call last)");
        let is_detail = continues(shown) && !is_status(shown);
        // The line below the frames of a Python trace stands at the margin.
        let joins = is_detail || in_traceback && !begins_traceback;
        in_traceback = begins_traceback || in_traceback && is_detail;
        let is_below_margin = entry.first().is_some_and(|first| {
            let first = first.of(text);
            !continues(first) || is_status(first)
        });
        if !joins || !is_below_margin {
            close(&mut cut, &mut entry);
        }
        entry.push(line);
    }
    close(&mut cut, &mut entry);
    cut
}

/// Adds the entry to the cut: whole, or, when it is large, its first line as the head of the others.
fn close(cut: &mut Cut, entry: &mut Vec<Span>) {
    if let (Some(first), Some(last)) = (entry.first(), entry.last()) {
        let whole = first.join(*last);
        if entry.len() > 1 {
            cut.noun = "entries";
        }
        if whole.len() <= LARGE || entry.len() == 1 {
            cut.push(whole, NONE);
        } else {
            let head = cut.push_head(*first, NONE);
            for line in entry.iter().skip(1) {
                cut.push(*line, head);
            }
        }
    }
    entry.clear();
}

/// Whether a line can only belong to the one above it.
fn continues(line: &str) -> bool {
    const STARTS: &[&str] = &[
        " ",
        "\t",
        "Caused by:",
        "Suppressed:",
        "... ",
        "| ",
        "|\n",
        "= note",
        "E  ",
        ">  ",
        "}",
        ")",
        "]",
        "^",
        "~~~",
    ];
    STARTS.iter().any(|start| line.starts_with(start)) || is_numbered_source(line)
}

/// `12 | let x = …`
fn is_numbered_source(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < line.len() && rest.trim_start_matches(' ').starts_with('|')
}

/// `   Compiling serde v1.0.0`: a capitalised verb that ends in the twelfth column, as cargo aligns what it does.
fn is_status(line: &str) -> bool {
    const COLUMN: usize = 12;
    let verb = line.get(..COLUMN).unwrap_or_default().trim_start_matches(' ');
    let mut letters = verb.bytes();
    letters.next().is_some_and(|b| b.is_ascii_uppercase())
        && letters.all(|b| b.is_ascii_lowercase())
        && line.as_bytes().get(COLUMN) == Some(&b' ')
}
