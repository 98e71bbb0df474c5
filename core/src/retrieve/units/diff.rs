//! Diffs: hunks under their file's header; and the commits of a `git log`.

use super::{Cut, LARGE, NONE, is_blank};
use crate::text::{self, Span, offset};

/// Hunks, each under the header of its file; a file without hunks (a rename, a binary) is a unit of its own, and so is
/// text before the first file. Large hunks are cut at blank lines, under their `@@` line.
pub(super) fn hunks(text: &str) -> Cut {
    let lines = text::lines(text);
    let mut cut = Cut::new("hunks");
    let mut header = Span::default();
    let mut file = NONE;
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let shown = line.of(text);
        if shown.starts_with("@@") {
            if !header.is_empty() {
                file = cut.push_head(header, NONE);
                header = Span::default();
            }
            let n_lines = hunk_lines(text, lines.get(at..).unwrap_or_default());
            hunk(text, &mut cut, lines.get(at..at + n_lines).unwrap_or_default(), file);
            at += n_lines;
            continue;
        }
        let next = lines.get(at + 1).map_or("", |next| next.of(text));
        let begins_file = shown.starts_with("diff ")
            || shown.starts_with("commit ")
            || shown.starts_with("--- ")
                && next.starts_with("+++ ")
                && !header.of(text).starts_with("diff ");
        if begins_file || header.is_empty() {
            alone(&mut cut, header);
            (header, file) = (*line, NONE);
        } else {
            header = header.join(*line);
        }
        at += 1;
    }
    alone(&mut cut, header);
    cut
}

/// Adds what has no hunks.
fn alone(cut: &mut Cut, header: Span) {
    if !header.is_empty() {
        cut.noun = "parts";
        cut.push(header, NONE);
    }
}

/// How many lines the hunk at the start of `lines` has, by the counts of its `@@` line and by what its lines begin with.
fn hunk_lines(text: &str, lines: &[Span]) -> usize {
    let (mut old, mut new) =
        lines.first().and_then(|line| counts(line.of(text))).unwrap_or((usize::MAX, usize::MAX));
    let mut n_lines = 1;
    for line in lines.iter().skip(1) {
        let shown = line.of(text);
        let is_done = old == 0 && new == 0;
        match shown.as_bytes().first() {
            Some(b'\\') => {}
            _ if is_done => break,
            Some(b'+') => new = new.saturating_sub(1),
            Some(b'-') => old = old.saturating_sub(1),
            // An empty line is a context line whose space was trimmed away.
            Some(b' ' | b'\n' | b'\r') => {
                (old, new) = (old.saturating_sub(1), new.saturating_sub(1))
            }
            _ => break,
        }
        n_lines += 1;
    }
    n_lines
}

/// The two line counts of `@@ -a,b +c,d @@`.
fn counts(line: &str) -> Option<(usize, usize)> {
    let mut words = line.split(' ').skip(1);
    let mut count = |sign: char| {
        let range = words.next()?.strip_prefix(sign)?;
        range.split_once(',').map_or(Some(1), |(_, n)| n.parse().ok())
    };
    Some((count('-')?, count('+')?))
}

fn hunk(text: &str, cut: &mut Cut, lines: &[Span], file: u32) {
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else { return };
    let whole = first.join(*last);
    if whole.len() <= LARGE || lines.len() < 3 {
        cut.push(whole, file);
        return;
    }
    /// A piece of a large hunk has at most so many lines.
    const MAX_LINES: u32 = 40;
    cut.noun = "parts";
    let head = cut.push_head(*first, file);
    let mut piece = Span::default();
    let mut n_lines = 0;
    for line in lines.iter().skip(1) {
        piece = if piece.is_empty() { *line } else { piece.join(*line) };
        n_lines += 1;
        let is_gap = is_blank(line.of(text).trim_start_matches(['+', '-']));
        if is_gap || n_lines >= MAX_LINES {
            cut.push(piece, head);
            (piece, n_lines) = (Span::default(), 0);
        }
    }
    cut.push(piece, head);
}

/// The commits of a `git log`; its lines when it is a short one.
pub(super) fn commits(text: &str) -> Cut {
    let mut cut = Cut::new("commits");
    let mut commit = Span::default();
    for line in text::lines(text) {
        let shown = line.of(text);
        if shown
            .strip_prefix("commit ")
            .is_some_and(|rest| rest.bytes().take(7).all(|b| b.is_ascii_hexdigit()))
        {
            cut.push(commit, NONE);
            commit = line;
        } else if !is_blank(shown) {
            commit = if commit.is_empty() { line } else { commit.join(line) };
        }
    }
    cut.push(commit, NONE);
    if offset(cut.units.len()) > 1 { cut } else { super::lines::lines(text, "commits") }
}
