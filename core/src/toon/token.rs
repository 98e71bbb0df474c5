//! Strings and keys of TOON text: when they must be quoted, how they are escaped, and how tokens are read back.

use super::ToonErrorKind;
use crate::json::{plain_end, scan_number, specials, write_escaped};
use crate::prelude::*;
use crate::text::push_piece;

/// Byte classes for the quoting rules.
const SYNTAX: u8 = 1;
const WORD: u8 = 2;
const DIGIT: u8 = 4;

#[expect(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "worked out at compile time"
)]
static CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        class[byte] = match byte as u8 {
            0..=0x1f | b':' | b'"' | b'\\' | b'[' | b']' | b'{' | b'}' => SYNTAX,
            b'A'..=b'Z' | b'a'..=b'z' | b'_' => WORD,
            b'0'..=b'9' | b'.' => DIGIT,
            _ => 0,
        };
        byte += 1;
    }
    class
};

fn class(byte: u8) -> u8 {
    CLASS.get(byte as usize).copied().unwrap_or(SYNTAX)
}

const ONES: u64 = u64::MAX / 255;

/// High bit of some byte when `word` has a byte equal to `byte`.
#[inline(always)]
fn has(word: u64, byte: u8) -> u64 {
    let differs = word ^ (ONES * byte as u64);
    differs.wrapping_sub(ONES) & !differs
}

/// Whether a byte of `text` is syntax or the delimiter.
#[inline(always)]
fn has_syntax(text: &[u8], delimiter: u8) -> bool {
    let mut rest = text;
    while let Some((word, after)) = rest.split_first_chunk::<8>() {
        let word = u64::from_le_bytes(*word);
        // Bit 5 set maps `[` to `{` and `]` to `}`, and nothing else to either.
        let folded = word | (ONES * 0x20);
        let hits = has(folded, b'{')
            | has(folded, b'}')
            | has(word, b':')
            | has(word, delimiter)
            | has(word, b'"')
            | has(word, b'\\')
            | (word.wrapping_sub(ONES * 0x20) & !word);
        if hits & (ONES * 0x80) != 0 {
            return true;
        }
        rest = after;
    }
    rest.iter().any(|&b| b == delimiter || class(b) == SYNTAX)
}

/// Whether the string `text` must be quoted as a value in a document with this delimiter.
#[inline(always)]
pub(super) fn must_quote(text: &str, delimiter: u8) -> bool {
    let bytes = text.as_bytes();
    let (Some(first), Some(last)) = (bytes.first(), bytes.last()) else { return true };
    match first {
        b' ' | b'\t' | b'-' | b'#' => return true,
        b'0'..=b'9' | b'+' if is_number_like(bytes) => return true,
        b't' | b'f' | b'n' if matches!(text, "true" | "false" | "null") => return true,
        _ => {}
    }
    matches!(last, b' ' | b'\t') || has_syntax(bytes, delimiter)
}

/// `[+-]?\d+(\.\d+)?(e[+-]?\d+)?` in any case.
fn is_number_like(text: &[u8]) -> bool {
    let digits = |from: &[u8]| from.iter().take_while(|b| b.is_ascii_digit()).count();
    let mut rest = text;
    let skip = |rest: &mut &[u8], n: usize| *rest = rest.get(n..).unwrap_or_default();
    if let Some(b'+' | b'-') = rest.first() {
        skip(&mut rest, 1);
    }
    let n = digits(rest);
    if n == 0 {
        return false;
    }
    skip(&mut rest, n);
    if let Some(after) = rest.strip_prefix(b".") {
        let n = digits(after);
        if n == 0 {
            return false;
        }
        rest = after.get(n..).unwrap_or_default();
    }
    if let Some(b'e' | b'E') = rest.first() {
        skip(&mut rest, 1);
        if let Some(b'+' | b'-') = rest.first() {
            skip(&mut rest, 1);
        }
        let n = digits(rest);
        if n == 0 {
            return false;
        }
        skip(&mut rest, n);
    }
    rest.is_empty()
}

/// Whether a key may stand bare: `[A-Za-z_][A-Za-z0-9_.]*`.
#[inline(always)]
pub(super) fn is_bare_key(key: &str) -> bool {
    key.bytes().next().is_some_and(|b| class(b) == WORD)
        && key.bytes().all(|b| class(b) & (WORD | DIGIT) != 0)
}

/// Appends `text` as a quoted token.
pub(super) fn write_quoted(text: &str, out: &mut String) {
    let bytes = text.as_bytes();
    let mut from = 0;
    out.push('"');
    loop {
        let at = plain_end(bytes, from);
        out.push_str(text.get(from..at).unwrap_or_default());
        let Some(byte) = bytes.get(at) else { break };
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            other => out.push_str(&format!("\\u{other:04x}")),
        }
        from = at + 1;
    }
    out.push('"');
}

/// What is wrong with a line, and where in it.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) kind: ToonErrorKind,
    pub(super) what: &'static str,
    /// Byte offset in the line.
    pub(super) at: usize,
}

impl Fault {
    #[cold]
    pub(super) fn new(kind: ToonErrorKind, what: &'static str, at: usize) -> Fault {
        Fault { kind, what, at }
    }

    #[cold]
    fn quoting(what: &'static str, at: usize) -> Fault {
        Fault { kind: ToonErrorKind::Quoting, what, at }
    }
}

/// A quoted token as [`scan_quoted`] finds it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quoted {
    /// One past its closing quote.
    pub(super) end: usize,
    pub(super) is_escaped: bool,
    /// Whether it holds control characters as they are, which JSON does not allow.
    pub(super) has_controls: bool,
}

/// The quoted token whose opening quote stands at `at`.
#[inline(always)]
pub(super) fn scan_quoted(line: &[u8], at: usize) -> Result<Quoted, Fault> {
    let mut token = Quoted { end: at + 1, is_escaped: false, has_controls: false };
    loop {
        token.end = plain_end(line, token.end);
        match line.get(token.end) {
            Some(b'"') => {
                token.end += 1;
                return Ok(token);
            }
            Some(b'\\') => {
                token.is_escaped = true;
                token.end = scan_escape(line, token.end)?;
            }
            Some(_) => {
                token.has_controls = true;
                token.end += 1;
            }
            None => return Err(Fault::quoting("a quoted token without its closing quote", at)),
        }
    }
}

/// The end of the escape whose backslash stands at `at`.
fn scan_escape(line: &[u8], at: usize) -> Result<usize, Fault> {
    match line.get(at + 1) {
        Some(b'"' | b'\\' | b'n' | b'r' | b't') => Ok(at + 2),
        Some(b'u') => {
            let hex = line.get(at + 2..at + 6).filter(|hex| hex.iter().all(u8::is_ascii_hexdigit));
            match hex {
                Some([b'd' | b'D', b'8' | b'9' | b'a'..=b'f' | b'A'..=b'F', ..]) => {
                    Err(Fault::quoting("an escape that names a surrogate", at))
                }
                Some(_) => Ok(at + 6),
                None => Err(Fault::quoting("an escape without four hexadecimal digits", at)),
            }
        }
        _ => Err(Fault::quoting("an escape that is none of \\\\ \\\" \\n \\r \\t \\u", at)),
    }
}

/// Appends a scanned quoted token as a JSON string. Every escape of TOON is one of JSON.
#[inline(always)]
pub(super) fn write_quoted_as_json(line: &str, at: usize, token: Quoted, out: &mut String) {
    let text = line.get(at..token.end).unwrap_or_default();
    if token.has_controls {
        for part in text.split_inclusive(|c: char| c < ' ') {
            let plain = part.trim_end_matches(|c: char| c < ' ');
            out.push_str(plain);
            write_escaped(part.get(plain.len()..).unwrap_or_default(), out);
        }
    } else {
        out.push_str(text);
    }
}

/// Appends what a scanned quoted token says.
pub(super) fn unquote(line: &str, at: usize, token: Quoted, out: &mut Vec<u8>) {
    let mut rest = line.as_bytes().get(at + 1..token.end - 1).unwrap_or_default();
    while let Some(backslash) = memchr::memchr(b'\\', rest) {
        let (plain, escape) = rest.split_at_checked(backslash).unwrap_or_default();
        out.extend_from_slice(plain);
        let mut len = 2;
        let said = match escape.get(1) {
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                len = 6;
                let hex = escape.get(2..6).and_then(|hex| core::str::from_utf8(hex).ok());
                hex.and_then(|hex| u32::from_str_radix(hex, 16).ok())
                    .and_then(char::from_u32)
                    .unwrap_or_default()
            }
            other => char::from(other.copied().unwrap_or_default()),
        };
        out.extend_from_slice(said.encode_utf8(&mut [0; 4]).as_bytes());
        rest = escape.get(len..).unwrap_or_default();
    }
    out.extend_from_slice(rest);
}

/// One past the quote that closes the span whose opening quote stands at `at`, or the end of the line.
pub(super) fn span_end(line: &[u8], at: usize) -> usize {
    let mut at = at + 1;
    loop {
        let Some(found) = line.get(at..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) else {
            return line.len();
        };
        at += found + 1;
        if line.get(at - 1) == Some(&b'"') {
            return at;
        }
        at += 1;
    }
}

/// Where the first delimiter outside quoted spans from `at` on stands, or the end of the line.
pub(super) fn token_end(line: &[u8], mut at: usize, delimiter: u8) -> usize {
    loop {
        let Some(found) = line.get(at..).and_then(|rest| memchr::memchr2(b'"', delimiter, rest))
        else {
            return line.len();
        };
        at += found;
        if line.get(at) == Some(&delimiter) {
            return at;
        }
        at = span_end(line, at);
    }
}

/// The first unquoted colon of a line from `at` on, and the first unquoted `[` before it.
#[inline(always)]
pub(super) fn landmarks(line: &[u8], mut at: usize) -> (Option<usize>, Option<usize>) {
    let mut bracket = None;
    while let Some(byte) = line.get(at) {
        match byte {
            b':' => return (Some(at), bracket),
            b'"' => {
                at = span_end(line, at);
                continue;
            }
            b'[' if bracket.is_none() => bracket = Some(at),
            _ => {}
        }
        at += 1;
    }
    (None, bracket)
}

/// One past the last byte of `line[from..to]` that is no space, at least `from`.
#[inline(always)]
pub(super) fn trim_spaces(line: &[u8], from: usize, mut to: usize) -> usize {
    while to > from && line.get(to - 1) == Some(&b' ') {
        to -= 1;
    }
    to
}

/// The first byte from `at` on that is no space, at most the end.
#[inline(always)]
pub(super) fn skip_spaces(line: &[u8], mut at: usize) -> usize {
    // Indentation is long where documents are deep.
    while let Some(word) = line.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let differs = u64::from_le_bytes(*word) ^ (ONES * b' ' as u64);
        if differs != 0 {
            return at + (differs.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while line.get(at) == Some(&b' ') {
        at += 1;
    }
    at
}

/// Writes the cell that begins at `at` as JSON; where its delimiter stands, or the end of the line.
#[inline(always)]
pub(super) fn write_cell(
    line: &str,
    at: usize,
    delimiter: u8,
    out: &mut String,
) -> Result<usize, Fault> {
    let bytes = line.as_bytes();
    let start = skip_spaces(bytes, at);
    if bytes.get(start) == Some(&b'"') {
        let token = scan_quoted(bytes, start)?;
        let end = skip_spaces(bytes, token.end);
        if bytes.get(end).is_some_and(|b| *b != delimiter) {
            return Err(Fault::quoting("something after a closing quote", token.end));
        }
        write_quoted_as_json(line, start, token, out);
        return Ok(end);
    }
    let stop = plain_cell_end(bytes, start, delimiter);
    let is_plain = bytes.get(stop).is_none_or(|b| *b == delimiter);
    let end = if is_plain { stop } else { token_end(bytes, start, delimiter) };
    write_bare(line, start, trim_spaces(bytes, start, end), is_plain, out);
    Ok(end)
}

/// Where the first delimiter, quote, backslash or control from `at` on stands, or the end of the line.
#[inline(always)]
fn plain_cell_end(line: &[u8], mut at: usize, delimiter: u8) -> usize {
    while let Some(word) = line.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let word = u64::from_le_bytes(*word);
        let hits = specials(word) | (has(word, delimiter) & (ONES * 0x80));
        if hits != 0 {
            return at + (hits.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while let Some(byte) = line.get(at) {
        if *byte == delimiter || matches!(byte, b'"' | b'\\' | 0..=0x1f) {
            break;
        }
        at += 1;
    }
    at
}

/// Writes the token that is all of `line[at..]` as JSON; it does not end with a space.
#[inline(always)]
pub(super) fn write_value(line: &str, at: usize, out: &mut String) -> Result<(), Fault> {
    let bytes = line.as_bytes();
    if bytes.get(at) == Some(&b'"') {
        let token = scan_quoted(bytes, at)?;
        if token.end != bytes.len() {
            return Err(Fault::quoting("something after a closing quote", token.end));
        }
        write_quoted_as_json(line, at, token, out);
        return Ok(());
    }
    write_bare(line, at, bytes.len(), plain_end(bytes, at) == bytes.len(), out);
    Ok(())
}

/// Writes the bare token `line[start..end]` as the JSON value that it is; `is_plain`: nothing in it needs an escape.
#[inline(always)]
fn write_bare(line: &str, start: usize, end: usize, is_plain: bool, out: &mut String) {
    let token = line.get(start..end).unwrap_or_default();
    match token.as_bytes().first() {
        Some(b'-' | b'0'..=b'9') if scan_number(token.as_bytes(), 0) == Some(token.len()) => {
            let zero = token.starts_with("-0")
                && token
                    .bytes()
                    .take_while(|b| !matches!(b, b'e' | b'E'))
                    .all(|b| matches!(b, b'-' | b'0' | b'.'));
            out.push_str(if zero { "0" } else { token });
            return;
        }
        Some(b't' | b'f' | b'n') if matches!(token, "true" | "false" | "null") => {
            out.push_str(token);
            return;
        }
        _ => {}
    }
    out.push('"');
    if is_plain {
        push_piece(out, line, start, end);
    } else {
        write_escaped(token, out);
    }
    out.push('"');
}
