//! JSON documents and JSON lines: the brackets and separators of the head are followed, nothing is parsed.

use super::sample::Sample;
use super::{Scores, share};
use crate::kind::Kind;
use crate::prelude::*;

/// Fewer tokens than this before the first offence prove nothing: `[1] see below`, `{x}`.
const MIN_TOKENS: usize = 12;

pub(super) fn probe(sample: &Sample<'_>, scores: &mut Scores) {
    lines(sample, scores);
    let head = sample.head.trim_start_matches('\u{feff}');
    if !skip_space(head.as_bytes(), 0)
        .is_some_and(|(at, _)| matches!(head.as_bytes().get(at), Some(b'{' | b'[')))
    {
        // A snippet from inside a document.
        scores.claim(Kind::Json, members(sample) * 9 / 10);
        return;
    }
    let scan = Scan::of(head);
    let rest = head.len().saturating_sub(scan.at);
    let score = match scan.end {
        End::Open if scan.is_relaxed && scan.n_tokens < MIN_TOKENS => 0,
        End::Open if sample.is_whole && scan.n_tokens < 4 => 0,
        End::Open | End::Complete if rest == 0 => 1000,
        End::Complete if head.get(scan.at..).is_some_and(|r| r.trim().is_empty()) => 1000,
        _ if scan.n_tokens < MIN_TOKENS => 0,
        _ => share(scan.at, head.len()).max(members(sample) * 9 / 10),
    };
    // Unquoted keys and single quotes are as likely to be a JavaScript literal.
    scores.claim(Kind::Json, if scan.is_relaxed { score * 9 / 10 } else { score });
}

/// JSON lines: each line by itself is a value in brackets.
fn lines(sample: &Sample<'_>, scores: &mut Scores) {
    let skip = usize::from(sample.n_head == 1 && !sample.is_whole);
    let full = sample.lines.iter().skip(skip).filter(|line| !line.is_blank());
    let (mut n_lines, mut n_values, mut n_objects, mut budget) = (0, 0, 0, 16 * 1024_usize);
    for line in full {
        n_lines += 1;
        let bytes = line.text.as_bytes();
        let is_closed = matches!(
            (bytes.first(), bytes.last()),
            (Some(b'{'), Some(b'}')) | (Some(b'['), Some(b']'))
        );
        if !is_closed || bytes.len() < 2 {
            continue;
        }
        if budget >= bytes.len() {
            budget -= bytes.len();
            let scan = Scan::of(line.text);
            if scan.end != End::Complete || scan.at != bytes.len() || scan.is_relaxed {
                continue;
            }
        } else if !matches!(
            bytes.get(1),
            Some(b'"' | b'{' | b'[' | b'}' | b']' | b'0'..=b'9' | b' ' | b't' | b'f' | b'n' | b'-')
        ) {
            continue;
        }
        n_values += 1;
        n_objects += usize::from(bytes.first() == Some(&b'{'));
    }
    if n_lines >= 2 && n_values >= 2 && (n_objects >= 1 || n_values >= 3) {
        scores.claim(Kind::Ndjson, share(n_values, n_lines));
    }
}

/// Share of lines that read as lines of an indented document: `"key": …`, brackets, elements with their comma.
fn members(sample: &Sample<'_>) -> u32 {
    let (mut n_members, mut n_keys) = (0, 0);
    for line in sample.full() {
        let bytes = line.body.as_bytes();
        let is_bracket = bytes.iter().all(|b| matches!(b, b'{' | b'}' | b'[' | b']' | b','));
        let is_element =
            matches!(bytes.first(), Some(b'"' | b'0'..=b'9' | b'-' | b't' | b'f' | b'n'))
                && bytes.last() == Some(&b',');
        let is_key = bytes.first() == Some(&b'"')
            && line
                .body
                .get(1..)
                .and_then(|r| r.split_once('"'))
                .is_some_and(|(_, rest)| rest.trim_start().starts_with(':'));
        n_keys += usize::from(is_key);
        n_members += usize::from(is_bracket || is_element || is_key);
    }
    if n_keys * 4 < n_members || n_keys < 3 { 0 } else { sample.share(n_members) }
}

/// Where the strict JSON value that `text` begins with ends.
pub(super) fn value_end(text: &str) -> Option<usize> {
    let scan = Scan::of(text);
    (scan.end == End::Complete && !scan.is_relaxed).then_some(scan.at)
}

/// How many bytes of `text` follow the grammar of JSON.
pub(super) fn explained(text: &str) -> usize {
    Scan::of(text).at
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// The text ended inside the document.
    Open,
    /// The document ended at `at`.
    Complete,
    /// At `at` stands what JSON does not allow there.
    Broken,
}

/// How far a text follows the grammar of JSON (and of JSON5, then `is_relaxed`).
#[derive(Clone, Copy, Debug)]
struct Scan {
    at: usize,
    n_tokens: usize,
    is_relaxed: bool,
    end: End,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Expect {
    Value,
    /// A key, or the end of the object.
    Key,
    Colon,
    /// A comma, or the end of what is open.
    Comma,
}

impl Scan {
    fn of(text: &str) -> Scan {
        let bytes = text.as_bytes();
        let mut scan = Scan { at: 0, n_tokens: 0, is_relaxed: false, end: End::Open };
        let mut open: Vec<u8> = Vec::new();
        let mut expect = Expect::Value;
        loop {
            let Some((at, had_comment)) = skip_space(bytes, scan.at) else {
                scan.at = bytes.len();
                return scan;
            };
            scan.at = at;
            // Comments stand in JSONC, which is JSON here.
            scan.n_tokens += usize::from(had_comment);
            let Some(&b) = bytes.get(at) else { return scan };
            let next = match (expect, b) {
                (Expect::Value, b'{' | b'[') => {
                    open.push(b);
                    expect = if b == b'{' { Expect::Key } else { Expect::Value };
                    Some(at + 1)
                }
                (Expect::Value | Expect::Comma, b']') if open.last() == Some(&b'[') => {
                    open.pop();
                    expect = Expect::Comma;
                    Some(at + 1)
                }
                (Expect::Key | Expect::Comma, b'}') if open.last() == Some(&b'{') => {
                    open.pop();
                    expect = Expect::Comma;
                    Some(at + 1)
                }
                (Expect::Value | Expect::Key, b'"' | b'\'') => {
                    scan.is_relaxed |= b == b'\'';
                    expect = if expect == Expect::Key { Expect::Colon } else { Expect::Comma };
                    Some(string_end(bytes, at + 1, b))
                }
                (Expect::Colon, b':') => {
                    expect = Expect::Value;
                    Some(at + 1)
                }
                (Expect::Comma, b',') => {
                    expect = if open.last() == Some(&b'{') { Expect::Key } else { Expect::Value };
                    Some(at + 1)
                }
                (Expect::Value, _) => {
                    expect = Expect::Comma;
                    scalar_end(bytes, at)
                }
                (Expect::Key, b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$') => {
                    scan.is_relaxed = true;
                    expect = Expect::Colon;
                    let name = bytes.get(at..).unwrap_or_default();
                    Some(
                        at + name
                            .iter()
                            .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$'))
                            .count(),
                    )
                }
                _ => None,
            };
            let Some(next) = next else {
                scan.end = End::Broken;
                return scan;
            };
            scan.at = next.min(bytes.len());
            scan.n_tokens += 1;
            if open.is_empty() {
                scan.end = End::Complete;
                return scan;
            }
        }
    }
}

/// Past the string whose opening quote stands before `from`; past the text when it does not end.
fn string_end(bytes: &[u8], from: usize, quote: u8) -> usize {
    let mut at = from;
    while let Some(skip) = memchr::memchr2(quote, b'\\', bytes.get(at..).unwrap_or_default()) {
        if bytes.get(at + skip) == Some(&quote) {
            return at + skip + 1;
        }
        at += skip + 2;
    }
    bytes.len()
}

/// Past the number or literal at `at`, cut off by the end of the text or not; `None` when there is none.
fn scalar_end(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at..)?;
    let n = rest
        .iter()
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
        .count();
    let word = rest.get(..n)?;
    let is_cut = n == rest.len();
    let literal = ["true", "false", "null", "NaN", "Infinity", "-Infinity"]
        .iter()
        .any(|l| l.as_bytes() == word || (is_cut && l.as_bytes().starts_with(word)));
    let n_signs = word.iter().skip(1).filter(|b| matches!(b, b'-' | b'+')).count();
    let number = word.first().is_some_and(|b| b.is_ascii_digit() || *b == b'-' || *b == b'.')
        && word.iter().all(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.' | b'e' | b'E'))
        && n_signs <= 1;
    (n > 0 && (literal || number)).then_some(at + n)
}

/// The next byte that is no white space and no comment, and whether there was a comment; `None` at the end of the text.
fn skip_space(bytes: &[u8], from: usize) -> Option<(usize, bool)> {
    let mut at = from;
    let mut had_comment = false;
    loop {
        at += bytes.get(at..)?.iter().take_while(|b| b.is_ascii_whitespace()).count();
        let rest = bytes.get(at..)?;
        if rest.starts_with(b"//") {
            at += memchr::memchr(b'\n', rest)?;
        } else if rest.starts_with(b"/*") {
            at += memchr::memmem::find(rest, b"*/")? + 2;
        } else {
            return (!rest.is_empty()).then_some((at, had_comment));
        }
        had_comment = true;
    }
}
