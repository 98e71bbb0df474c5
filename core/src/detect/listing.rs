//! Listings of files (`ls`, `find`, `tree`, `du`) and search hits (`grep`, `rg`): lines that name paths.

use super::Scores;
use super::sample::{Line, Sample};
use super::shape::{begins, has_extension, holds, is_path, n_digits, number};
use crate::kind::Kind;

pub(super) fn probe(sample: &Sample<'_>, scores: &mut Scores) {
    long(sample, scores);
    branches(sample, scores);
    paths(sample, scores);
    hits(sample, scores);
}

/// `ls -l`, `ls -laR`, `tar tv`, `dir`.
fn long(sample: &Sample<'_>, scores: &mut Scores) {
    let (mut n_entries, mut n_other, mut after_blank) = (0, 0, true);
    for line in &sample.lines {
        let text = line.text;
        if is_mode(text.trim_start().as_bytes()) || is_dos_entry(text) {
            n_entries += 1;
        } else if number(text.strip_prefix("total ").unwrap_or_default()).is_some()
            || (after_blank && text.ends_with(':'))
            || text.starts_with("ls: ")
            || text.starts_with(" Directory of ")
            || text.starts_with(" Volume ")
            || text.ends_with(" bytes free")
            || holds(text, " File(s) ")
        {
            n_other += 1;
        }
        after_blank = line.is_blank();
    }
    if n_entries > 0 {
        scores.claim(Kind::Listing, sample.share(n_entries + n_other));
    }
}

/// `drwxr-xr-x`, with what may follow it.
fn is_mode(bytes: &[u8]) -> bool {
    let Some((mode, rest)) = bytes.split_at_checked(10) else { return false };
    matches!(mode.first(), Some(b'd' | b'l' | b'c' | b'b' | b'p' | b's' | b'-'))
        && mode
            .iter()
            .skip(1)
            .all(|b| matches!(b, b'r' | b'w' | b'x' | b's' | b'S' | b't' | b'T' | b'-'))
        && matches!(rest.first(), Some(b' ' | b'.' | b'+' | b'@'))
}

/// `01/31/2026  10:00 AM    <DIR>          src`
fn is_dos_entry(text: &str) -> bool {
    super::shape::looks_like(text.as_bytes(), b"99/99/9999  99:99 ") && text.len() > 36
}

/// `tree`, `cargo tree`, `npm ls`.
fn branches(sample: &Sample<'_>, scores: &mut Scores) {
    let (mut n_branches, mut n_other) = (0, 0);
    for (at, line) in sample.lines.iter().enumerate() {
        let rest = line.body.trim_start_matches(['│', '|', ' ', '\u{a0}']);
        if begins(rest, &["├─", "└─", "|-- ", "`-- ", "+-- ", "\\-- ", "+--- ", "\\--- ", "-- "])
        {
            n_branches += 1;
        } else if (at == 0 && !line.is_blank())
            || (rest.is_empty() && !line.is_blank())
            || is_tree_total(line.body)
        {
            n_other += 1;
        }
    }
    if n_branches >= 2 {
        scores.claim(Kind::Listing, sample.share(n_branches + n_other));
    }
}

/// `3 directories, 12 files`
fn is_tree_total(body: &str) -> bool {
    number(body)
        .is_some_and(|(_, r)| r.starts_with(" director") && (holds(r, ", ") || r.ends_with('s')))
}

/// `find`, `git ls-files`, `ls -1`, `du`, `wc -l`: one path a line, perhaps after a size.
fn paths(sample: &Sample<'_>, scores: &mut Scores) {
    let (mut n_paths, mut n_deep, mut n_named, mut n_sized, mut first_part) = (0, 0, 0, 0, "");
    for line in sample.full() {
        let Some((is_sized, path)) = entry(line) else { continue };
        if !holds(path, "/") && !has_extension(path) && !is_sized {
            continue;
        }
        n_paths += 1;
        n_sized += usize::from(is_sized);
        // Base64 has slashes too, but no punctuation of names, and its lines do not begin alike.
        let part = path.split('/').find(|p| !p.is_empty()).unwrap_or_default();
        n_named += usize::from(
            path.bytes().any(|b| matches!(b, b'.' | b'-' | b'_')) || part == first_part,
        );
        n_deep += usize::from(holds(path, "/"));
        first_part = part;
    }
    let is_enough = n_paths >= 3 || (n_paths >= 2 && n_deep >= 2);
    if is_enough && n_named * 2 >= n_paths {
        let score = sample.share(n_paths);
        // Names without folders may be any list of words with dots.
        let is_sure = n_deep * 2 >= n_paths || n_sized * 2 >= n_paths;
        scores.claim(Kind::Listing, if is_sure { score } else { score * 4 / 5 });
    }
}

/// The path that `line` consists of, and whether a size stands before it.
fn entry<'a>(line: &Line<'a>) -> Option<(bool, &'a str)> {
    let body = line.body;
    let rest = body.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let rest = rest.strip_prefix(['K', 'M', 'G', 'T', 'B']).unwrap_or(rest);
    if rest.len() < body.len() && n_digits(body.as_bytes()) > 0 {
        let path = rest.trim_start();
        if path.len() < rest.len() && (is_plain_path(path) || path == "total" || path == ".") {
            return Some((true, path));
        }
    }
    (line.indent() == 0 && is_plain_path(body)).then_some((false, body))
}

/// A path without the signs of assignments and calls.
fn is_plain_path(text: &str) -> bool {
    (is_path(text) || (text.starts_with("./") && !holds(text, ": ")))
        && !text.contains(['=', ',', ':', '(', '\'', '!', '&', '$'])
        && !text.ends_with('.')
}

/// `path:12:text`, `path:12:5:text`, `path-12-context`, hits under a heading, `12:text`.
fn hits(sample: &Sample<'_>, scores: &mut Scores) {
    let (mut n_hits, mut n_context, mut n_heads, mut n_numbered, mut n_steps) = (0, 0, 0, 0, 0);
    let (mut last_path, mut is_under_head, mut last_number) = ("", false, 0);
    for line in &sample.lines {
        let text = line.text;
        if line.is_blank() {
            is_under_head = false;
            continue;
        }
        if let Some(path) = hit_path(text) {
            n_hits += 1;
            last_path = path;
        } else if let Some((number, _)) = number(text).filter(|(_, r)| r.starts_with([':', '-'])) {
            n_numbered += usize::from(is_under_head || number > last_number);
            n_steps += usize::from(number == last_number + 1);
            last_number = number;
        } else if line.indent() == 0 && is_plain_path(text) {
            n_heads += 1;
            is_under_head = true;
            last_number = 0;
        } else if let Some((path, _)) = text.split_once(':').filter(|(p, _)| {
            (*p == last_path && !p.is_empty()) || (holds(p, "/") && is_plain_path(p))
        }) {
            n_hits += 1;
            last_path = path;
        } else if text == "--"
            || (text.starts_with("Binary file ") && text.ends_with("matches"))
            || is_context(text, last_path)
        {
            n_context += 1;
        }
    }
    if n_hits >= 2 || (n_hits == 1 && sample.n_full == 1) {
        scores.claim(Kind::Search, sample.share(n_hits + n_context));
    }
    if n_heads > 0 && n_numbered >= n_heads && n_numbered >= 2 {
        scores.claim(Kind::Search, sample.share(n_heads + n_numbered + n_context));
    }
    // Without any path only growing numbers with gaps tell hits from numbered lines.
    if n_numbered >= 4 && n_steps * 2 < n_numbered {
        scores.claim(Kind::Search, sample.share(n_numbered + n_context) * 4 / 5);
    }
}

/// The path of `path:12:…`.
fn hit_path(text: &str) -> Option<&str> {
    // A drive letter's colon is part of the path.
    let from = if text.as_bytes().get(1) == Some(&b':') { 2 } else { 0 };
    let colon = from + memchr::memchr(b':', text.as_bytes().get(from..)?)?;
    let rest = text.get(colon + 1..)?;
    let n = n_digits(rest.as_bytes());
    let path = text.get(..colon)?;
    ((1..=7).contains(&n) && rest.as_bytes().get(n) == Some(&b':') && is_path(path)).then_some(path)
}

/// `path-12-text`, where `path` is that of the hit before or any path.
fn is_context(text: &str, last_path: &str) -> bool {
    let numbered = |rest: &str| {
        rest.strip_prefix('-').and_then(number).is_some_and(|(_, r)| r.starts_with('-'))
    };
    if !last_path.is_empty() && text.strip_prefix(last_path).is_some_and(numbered) {
        return true;
    }
    let head = text.split(' ').next().unwrap_or_default();
    memchr::memchr_iter(b'-', head.as_bytes()).take(8).any(|at| {
        text.get(at..).is_some_and(numbered)
            && text.get(..at).is_some_and(|p| is_plain_path(p) && has_extension(p))
    })
}
