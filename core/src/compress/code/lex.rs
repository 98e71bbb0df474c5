//! Lexing for languages with brackets: where strings and comments stand, and how brackets pair.

use crate::prelude::*;
use memchr::memmem;

/// What a lexer must know of a language.
#[derive(Clone, Copy, Debug)]
pub(super) struct Syntax {
    /// What begins a comment up to the end of its line.
    pub(super) line_comments: &'static [&'static str],
    /// Whether `/* */` comments nest.
    pub(super) nests_comments: bool,
    /// Quotes of strings on one line with backslash escapes.
    pub(super) quotes: &'static [u8],
    /// Whether those strings may reach over line ends.
    pub(super) has_long_strings: bool,
    /// Whether `'` may be a lifetime or label instead of a character.
    pub(super) has_lifetimes: bool,
    /// Strings with special ends.
    pub(super) special: &'static [Special],
    /// Whether `/` may begin a regular expression.
    pub(super) has_regex: bool,
    /// Whether a line that begins with `#` is the preprocessor's.
    pub(super) has_preprocessor: bool,
}

/// A string that is not one line with backslash escapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Special {
    /// `r"…"`, `r#"…"#` of Rust, with `b` and `c` before.
    RustRaw,
    /// `R"x(…)x"` of C++.
    CppRaw,
    /// `"""…"""`, with code in `${…}` where the flag of the language says so.
    Triple,
    /// `` `…` `` with `${…}`.
    Template,
    /// `` `…` `` of Go: no escapes.
    GoRaw,
    /// `@"…""…"` of C#.
    Verbatim,
    /// `<<<ID … ID` of PHP.
    PhpHeredoc,
}

/// One bracket or semicolon of the code.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub(super) at: usize,
    pub(super) byte: u8,
    /// Index of the bracket that it pairs with; its own for `;`.
    pub(super) pair: usize,
}

/// The brackets of a source, and its comments and strings in order.
#[derive(Debug, Default)]
pub(super) struct Lexed {
    pub(super) marks: Vec<Mark>,
    /// Comments and strings: they are no code.
    pub(super) opaque: Vec<(usize, usize)>,
}

/// Code in strings in code …: deeper than this and the source is left alone.
const MAX_NESTING: usize = 16;

/// Reads a source. `None` when its brackets do not pair or a string or comment stays open: then nothing is sure.
pub(super) fn lex(text: &str, syntax: &Syntax) -> Option<Lexed> {
    let bytes = text.as_bytes();
    let mut out = Lexed::default();
    let mut open: Vec<usize> = Vec::new();
    let mut at = 0;
    let mut before = b'\n';
    while let Some(&byte) = bytes.get(at) {
        if let Some(end) = skip(bytes, at, before, syntax, 0)? {
            out.opaque.push((at, end));
            before = b'"';
            at = end;
            continue;
        }
        match byte {
            b'{' | b'(' | b'[' => {
                open.push(out.marks.len());
                out.marks.push(Mark { at, byte, pair: 0 });
            }
            b'}' | b')' | b']' => {
                let opened = open.pop()?;
                let this = out.marks.len();
                let mark = out.marks.get_mut(opened)?;
                let fits = matches!((mark.byte, byte), (b'{', b'}') | (b'(', b')') | (b'[', b']'));
                if !fits {
                    return None;
                }
                mark.pair = this;
                out.marks.push(Mark { at, byte, pair: opened });
            }
            b';' => out.marks.push(Mark { at, byte, pair: out.marks.len() }),
            _ => {}
        }
        if !byte.is_ascii_whitespace() || byte == b'\n' && before == b'\n' {
            before = byte;
        }
        at += 1;
    }
    open.is_empty().then_some(out)
}

/// The end of the comment or string that begins at `at`; `Some(None)` when none does; `None` when it stays open.
#[expect(clippy::option_option, reason = "open and absent are different answers")]
fn skip(
    bytes: &[u8],
    at: usize,
    before: u8,
    syntax: &Syntax,
    nesting: usize,
) -> Option<Option<usize>> {
    if nesting > MAX_NESTING {
        return None;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    let byte = *rest.first()?;
    // Most bytes begin nothing.
    if !matches!(
        byte,
        b'/' | b'#' | b'"' | b'\'' | b'`' | b'r' | b'b' | b'c' | b'R' | b'@' | b'$' | b'<' | b'-'
    ) {
        return Some(None);
    }
    if byte == b'#' && syntax.has_preprocessor && is_line_start(bytes, at) {
        return Some(Some(directive_end(bytes, at)));
    }
    for open in syntax.line_comments {
        if rest.starts_with(open.as_bytes()) && !(*open == "#" && rest.starts_with(b"#[")) {
            return Some(Some(at + memchr::memchr(b'\n', rest).unwrap_or(rest.len())));
        }
    }
    if rest.starts_with(b"/*") {
        return block_comment_end(bytes, at, syntax.nests_comments).map(Some);
    }
    for special in syntax.special {
        if let Some(end) = special_string(bytes, at, *special, syntax, nesting) {
            return end.map(Some);
        }
    }
    if byte == b'\'' && syntax.has_lifetimes {
        return Some(char_end(bytes, at));
    }
    if syntax.quotes.contains(&byte) {
        return string_end(bytes, at + 1, byte, syntax.has_long_strings).map(Some);
    }
    if byte == b'/' && syntax.has_regex && may_begin_regex(bytes, at, before) {
        return Some(regex_end(bytes, at));
    }
    Some(None)
}

fn is_line_start(bytes: &[u8], at: usize) -> bool {
    let before = bytes.get(..at).unwrap_or_default();
    before.iter().rev().take_while(|b| **b != b'\n').all(|b| matches!(b, b' ' | b'\t'))
}

/// A preprocessor line with the lines that a backslash joins to it.
fn directive_end(bytes: &[u8], at: usize) -> usize {
    let mut end = at;
    loop {
        let rest = bytes.get(end..).unwrap_or_default();
        let Some(len) = memchr::memchr(b'\n', rest) else { return bytes.len() };
        let line = rest.get(..len).unwrap_or_default();
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        end += len;
        if !line.ends_with(b"\\") {
            return end;
        }
        end += 1;
    }
}

fn block_comment_end(bytes: &[u8], at: usize, nests: bool) -> Option<usize> {
    if !nests {
        return memmem::find(bytes.get(at + 2..)?, b"*/").map(|found| at + 2 + found + 2);
    }
    let (mut depth, mut i) = (1, at + 2);
    loop {
        i += memchr::memchr2(b'/', b'*', bytes.get(i..)?)?;
        match bytes.get(i..i + 2) {
            Some(b"/*") => (depth, i) = (depth + 1, i + 2),
            Some(b"*/") => (depth, i) = (depth - 1, i + 2),
            Some(_) => i += 1,
            None => return None,
        }
        if depth == 0 {
            return Some(i);
        }
    }
}

/// The end of a string whose inside begins at `at`; `None` when it stays open, or open at a line end that it may not cross.
fn string_end(bytes: &[u8], mut at: usize, quote: u8, is_long: bool) -> Option<usize> {
    loop {
        match bytes.get(at)? {
            b'\\' => at += 2,
            b'\n' if !is_long => return None,
            b if *b == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
}

/// The end of a character literal; `None` for a lifetime or label.
fn char_end(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at + 1..)?;
    if rest.first() == Some(&b'\\') {
        let end = rest.iter().skip(2).take(12).position(|b| *b == b'\'')?;
        return Some(at + 1 + 2 + end + 1);
    }
    let width = match rest.first()? {
        0..=0x7f => 1,
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        _ => 4,
    };
    (rest.get(width) == Some(&b'\'')).then_some(at + 1 + width + 1)
}

/// The end of a special string that begins at `at`: `None` when none begins, `Some(None)` when it stays open.
#[expect(clippy::option_option, reason = "open and absent are different answers")]
fn special_string(
    bytes: &[u8],
    at: usize,
    special: Special,
    syntax: &Syntax,
    nesting: usize,
) -> Option<Option<usize>> {
    let rest = bytes.get(at..)?;
    let is_word =
        at > 0 && bytes.get(at - 1).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    let find = |from: usize, end: &[u8]| {
        memmem::find(rest.get(from..)?, end).map(|found| at + from + found + end.len())
    };
    match special {
        Special::RustRaw => {
            let prefix = rest.iter().take_while(|b| matches!(b, b'b' | b'c' | b'r')).count();
            if is_word || prefix == 0 || prefix > 2 || rest.get(prefix - 1) != Some(&b'r') {
                return None;
            }
            let hashes = rest.iter().skip(prefix).take_while(|b| **b == b'#').count();
            if rest.get(prefix + hashes) != Some(&b'"') {
                return None;
            }
            let mut end = vec![b'"'];
            end.resize(1 + hashes, b'#');
            Some(find(prefix + hashes + 1, &end))
        }
        Special::CppRaw => {
            if !rest.starts_with(b"R\"") {
                return None;
            }
            let len = rest.iter().skip(2).take(17).position(|b| *b == b'(')?;
            let mut end = vec![b')'];
            end.extend_from_slice(rest.get(2..2 + len)?);
            end.push(b'"');
            Some(find(2 + len + 1, &end))
        }
        Special::Triple => rest
            .starts_with(b"\"\"\"")
            .then(|| interpolated_end(bytes, at + 3, b"\"\"\"", syntax, nesting)),
        Special::Template => (rest.first() == Some(&b'`'))
            .then(|| interpolated_end(bytes, at + 1, b"`", syntax, nesting)),
        Special::GoRaw => (rest.first() == Some(&b'`')).then(|| find(1, b"`")),
        Special::Verbatim => {
            let prefix =
                [&b"@\""[..], b"$@\"", b"@$\""].into_iter().find(|p| rest.starts_with(p))?;
            let mut i = at + prefix.len();
            Some(loop {
                let Some(found) = memchr::memchr(b'"', bytes.get(i..).unwrap_or_default()) else {
                    break None;
                };
                i += found + 1;
                if bytes.get(i) != Some(&b'"') {
                    break Some(i);
                }
                i += 1;
            })
        }
        Special::PhpHeredoc => {
            let name = rest.strip_prefix(b"<<<")?;
            let lead = name.iter().take_while(|b| matches!(b, b' ' | b'"' | b'\'')).count();
            let len = name
                .iter()
                .skip(lead)
                .take_while(|b| b.is_ascii_alphanumeric() || **b == b'_')
                .count();
            if len == 0 {
                return None;
            }
            let id = name.get(lead..lead + len)?;
            let mut from = 0;
            Some(loop {
                let Some(found) = memchr::memchr(b'\n', rest.get(from..).unwrap_or_default())
                else {
                    break None;
                };
                from += found + 1;
                let line = rest.get(from..).unwrap_or_default();
                let blank = line.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
                if line.get(blank..).is_some_and(|l| l.starts_with(id)) {
                    break Some(at + from + blank + id.len());
                }
            })
        }
    }
}

/// The end of a string with code in `${…}`.
fn interpolated_end(
    bytes: &[u8],
    mut at: usize,
    end: &[u8],
    syntax: &Syntax,
    nesting: usize,
) -> Option<usize> {
    loop {
        let rest = bytes.get(at..)?;
        if rest.starts_with(end) {
            // `""""` ends with its last three quotes.
            let more = if end.len() == 3 {
                rest.iter().skip(3).take_while(|b| **b == b'"').count()
            } else {
                0
            };
            return Some(at + end.len() + more);
        }
        match rest.first()? {
            b'\\' => at += 2,
            b'$' if rest.starts_with(b"${") => at = code_end(bytes, at + 2, syntax, nesting + 1)?,
            _ => at += 1,
        }
    }
}

/// One past the `}` that closes the code that begins at `at`.
fn code_end(bytes: &[u8], mut at: usize, syntax: &Syntax, nesting: usize) -> Option<usize> {
    let mut depth = 1;
    let mut before = b'{';
    loop {
        if let Some(end) = skip(bytes, at, before, syntax, nesting)? {
            at = end;
            before = b'"';
            continue;
        }
        let byte = *bytes.get(at)?;
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
        if !byte.is_ascii_whitespace() {
            before = byte;
        }
    }
}

/// Whether `/` after `before` begins a regular expression: after an operator, an opening bracket, or a keyword.
fn may_begin_regex(bytes: &[u8], at: usize, before: u8) -> bool {
    if matches!(
        before,
        b'(' | b','
            | b'='
            | b':'
            | b'['
            | b'!'
            | b'&'
            | b'|'
            | b'?'
            | b'{'
            | b'}'
            | b';'
            | b'\n'
            | b'+'
            | b'-'
            | b'*'
            | b'%'
            | b'~'
            | b'^'
    ) {
        return true;
    }
    let head = bytes.get(..at).unwrap_or_default().trim_ascii_end();
    let len = head.iter().rev().take_while(|b| b.is_ascii_alphanumeric()).count();
    let word = head.get(head.len() - len..).unwrap_or_default();
    matches!(
        word,
        b"return"
            | b"typeof"
            | b"case"
            | b"in"
            | b"of"
            | b"do"
            | b"else"
            | b"void"
            | b"delete"
            | b"instanceof"
            | b"new"
            | b"yield"
            | b"await"
    )
}

/// The end of a regular expression on one line; `None` when it does not end there: then it was a division.
fn regex_end(bytes: &[u8], at: usize) -> Option<usize> {
    let mut is_class = false;
    let mut i = at + 1;
    loop {
        match bytes.get(i)? {
            b'\n' => return None,
            b'\\' => i += 1,
            b'[' => is_class = true,
            b']' => is_class = false,
            b'/' if !is_class => return Some(i + 1),
            _ => {}
        }
        i += 1;
    }
}
