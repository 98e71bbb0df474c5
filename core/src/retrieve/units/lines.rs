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

/// `ls -R` and the like: lines, each under the `folder:` line above it; a blank line ends a folder.
pub(super) fn listing(text: &str) -> Cut {
    let mut cut = Cut::new("lines");
    let mut head = NONE;
    let mut after_blank = true;
    let all = text::lines(text);
    for (at, line) in all.iter().enumerate() {
        let shown = line.of(text);
        if is_blank(shown) {
            (head, after_blank) = (NONE, true);
            continue;
        }
        let holds_some = all.get(at + 1).is_some_and(|next| !is_blank(next.of(text)));
        if after_blank && holds_some && text::trim_eol(shown).ends_with(':') {
            head = cut.push_head(*line, NONE);
        } else {
            cut.push(*line, head);
        }
        after_blank = false;
    }
    cut
}

/// Log entries: in a text most of whose lines are stamped, a line without a stamp belongs to the entry above it; elsewhere
/// indented lines and the known forms of stack traces and source excerpts do.
pub(super) fn entries(text: &str) -> Cut {
    let lines = text::lines(text);
    let (mut n_stamped, mut n_others) = (0_usize, 0_usize);
    for line in &lines {
        let line = line.of(text);
        if is_stamped(line) {
            n_stamped += 1;
        } else if !is_blank(line) && !continues(line) {
            n_others += 1;
        }
    }
    let by_stamp = n_stamped > n_others;

    let mut cut = Cut::new("lines");
    let mut entry: Vec<Span> = Vec::new();
    let mut in_traceback = false;
    for line in lines {
        let shown = line.of(text);
        let joins = if is_blank(shown) || continues(shown) {
            true
        } else if by_stamp {
            // Nothing stamped yet: no entry to belong to.
            !is_stamped(shown) && entry.first().is_some_and(|first| is_stamped(first.of(text)))
        } else {
            core::mem::take(&mut in_traceback)
        };
        if !joins {
            close(text, &mut cut, &mut entry);
        }
        if shown.starts_with("Traceback (most recent call last)") {
            in_traceback = true;
        }
        entry.push(line);
    }
    close(text, &mut cut, &mut entry);
    cut
}

/// Adds the entry to the cut: whole, or, when it is large, its first line as the head of the others.
fn close(text: &str, cut: &mut Cut, entry: &mut Vec<Span>) {
    while entry.last().is_some_and(|line| is_blank(line.of(text))) {
        entry.pop();
    }
    if let (Some(first), Some(last)) = (entry.first(), entry.last()) {
        let whole = first.join(*last);
        if entry.len() > 1 {
            cut.noun = "entries";
        }
        if whole.len() <= LARGE || entry.len() == 1 {
            cut.push(whole, NONE);
        } else {
            let head = cut.push_head(*first, NONE);
            for line in entry.iter().skip(1).filter(|line| !is_blank(line.of(text))) {
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

/// Whether a line begins as log lines do: with a date or time, an epoch, or a level, perhaps behind a short source name.
fn is_stamped(line: &str) -> bool {
    /// How far into a line a stamp is looked for, in bytes.
    const REACH: usize = 64;
    const LEVELS: &[&str] =
        &["TRACE", "DEBUG", "INFO", "NOTICE", "WARN", "ERROR", "FATAL", "CRITICAL", "SEVERE"];
    let bytes = line.as_bytes();
    let head = bytes.get(..REACH).unwrap_or(bytes);
    if matches!(head.first(), None | Some(b' ' | b'\t')) {
        return false;
    }
    let is_time = |w: &[u8]| matches!(w, [a, b, b':', c, d] if [a, b, c, d].iter().all(|x| x.is_ascii_digit()));
    let is_date = |w: &[u8]| {
        matches!(w, [a, b, c, d, s, e, f]
            if matches!(s, b'-' | b'/' | b'.') && [a, b, c, d, e, f].iter().all(|x| x.is_ascii_digit()))
    };
    let bare = line.trim_start_matches(['[', '<', '(']);
    head.windows(5).any(is_time)
        || head.windows(7).any(is_date)
        || bare.trim_start_matches(' ').bytes().take_while(u8::is_ascii_digit).count() >= 9
        || line.starts_with('[') && bare.trim_start().starts_with(|c: char| c.is_ascii_digit())
        || LEVELS
            .iter()
            .any(|level| bare.get(..level.len()).is_some_and(|l| l.eq_ignore_ascii_case(level)))
}
