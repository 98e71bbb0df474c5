//! Tags, text and comments of a markup document, told apart in one walk over its bytes. Serves HTML and XML.
//!
//! Broken markup never swallows text: what does not close is text, or ends at the first `>`. Only a script or style that
//! does not close reaches up to the end, as in every browser.

use crate::prelude::*;
use crate::text::Span;
use memchr::memmem;

/// Whose rules hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// `<script>` and its like hold no tags; there is no CDATA.
    Html,
    /// CDATA, instructions that end in `?>`, document types with a subset.
    Xml,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// Text with entities in it.
    Text,
    /// Text without entities: a CDATA section, its brackets included.
    Cdata,
    /// The content of a script or style.
    Raw,
    /// `<name …>`
    Open,
    /// `<name … />`
    Empty,
    /// `</name>`
    Close,
    /// `<!-- … -->`
    Comment,
    /// `<!DOCTYPE …>`, `<?xml … ?>`
    Declaration,
}

/// One stretch of the document; tokens touch and cover it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
    /// Length in bytes of a tag's name; 0 for other tokens.
    pub(crate) name_len: u32,
}

impl Token {
    /// The name of a tag.
    pub(crate) fn name<'t>(&self, text: &'t str) -> &'t str {
        let start = self.span.start + if self.kind == TokenKind::Close { 2 } else { 1 };
        Span { start, end: start + self.name_len }.of(text)
    }

    /// What a tag holds after its name.
    pub(crate) fn attributes<'t>(&self, text: &'t str) -> &'t str {
        let start = self.span.start + 1 + self.name_len;
        let n_close = if self.kind == TokenKind::Empty { 2 } else { 1 };
        Span { start, end: self.span.end.saturating_sub(n_close).max(start) }.of(text)
    }

    /// The value of the first attribute of this name (lower case), entities not decoded.
    pub(crate) fn attribute<'t>(&self, text: &'t str, name: &str) -> Option<&'t str> {
        let mut rest = self.attributes(text);
        loop {
            let (found, value, after) = next_attribute(rest)?;
            if found.eq_ignore_ascii_case(name) {
                return Some(value);
            }
            rest = after;
        }
    }

    /// All attributes, in order.
    pub(crate) fn each_attribute<'t>(&self, text: &'t str, mut each: impl FnMut(&'t str, &'t str)) {
        let mut rest = self.attributes(text);
        while let Some((name, value, after)) = next_attribute(rest) {
            each(name, value);
            rest = after;
        }
    }
}

/// Name and value of the next attribute, and what follows it.
fn next_attribute(text: &str) -> Option<(&str, &str, &str)> {
    let text = text.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
    let n = text
        .bytes()
        .position(|b| b.is_ascii_whitespace() || matches!(b, b'=' | b'/' | b'"' | b'\''))
        .unwrap_or(text.len());
    if n == 0 {
        // A stray quote or equals sign.
        let mut chars = text.chars();
        chars.next()?;
        return Some(("", "", chars.as_str()));
    }
    let (name, rest) = text.split_at_checked(n)?;
    let after = rest.trim_ascii_start();
    let Some(value) = after.strip_prefix('=') else { return Some((name, "", rest)) };
    let value = value.trim_ascii_start();
    for quote in ['"', '\''] {
        if let Some(inner) = value.strip_prefix(quote) {
            let (value, rest) = inner.split_once(quote).unwrap_or((inner, ""));
            return Some((name, value, rest));
        }
    }
    let n = value.bytes().position(|b| b.is_ascii_whitespace()).unwrap_or(value.len());
    let (value, rest) = value.split_at_checked(n)?;
    Some((name, value, rest))
}

/// The tokens of `text`, in order.
pub(crate) fn tokens(text: &str, dialect: Dialect) -> Vec<Token> {
    let bytes = text.as_bytes();
    let last_close = memchr::memrchr(b'>', bytes).unwrap_or(0);
    let mut scanner = Scanner { text, bytes, dialect, last_close, unclosed: 0, tokens: Vec::new() };
    let mut at = 0;
    while at < bytes.len() {
        at = scanner.step(at);
    }
    scanner.tokens
}

/// HTML elements that hold no tags, and whether their content is read.
const OPAQUE: &[(&str, TokenKind)] = &[
    ("script", TokenKind::Raw),
    ("style", TokenKind::Raw),
    ("title", TokenKind::Text),
    ("textarea", TokenKind::Text),
];

struct Scanner<'t> {
    text: &'t str,
    bytes: &'t [u8],
    dialect: Dialect,
    /// Where the last `>` stands: no tag begins after it.
    last_close: usize,
    /// A bit for each end that was sought in vain: it is sought once.
    unclosed: u8,
    tokens: Vec<Token>,
}

impl Scanner<'_> {
    /// Adds the token that begins at `at`; answers where the next one begins.
    fn step(&mut self, at: usize) -> usize {
        if self.bytes.get(at) == Some(&b'<')
            && at < self.last_close
            && let Some((kind, end, name_len)) = self.markup(at)
        {
            self.push(kind, at, end, name_len);
            return self.opaque(kind, at, end, name_len);
        }
        let rest = self.bytes.get(at + 1..).unwrap_or_default();
        let end = memchr::memchr(b'<', rest).map_or(self.bytes.len(), |n| at + 1 + n);
        self.push(TokenKind::Text, at, end, 0);
        end
    }

    fn push(&mut self, kind: TokenKind, start: usize, end: usize, name_len: usize) {
        let name_len = crate::text::offset(name_len);
        self.tokens.push(Token { kind, span: Span::new(start, end), name_len });
    }

    fn markup(&mut self, at: usize) -> Option<(TokenKind, usize, usize)> {
        let next = *self.bytes.get(at + 1)?;
        let rest = self.bytes.get(at..)?;
        let is_xml = self.dialect == Dialect::Xml;
        if rest.starts_with(b"<!--") {
            return Some((TokenKind::Comment, self.end_at(at + 2, b"-->", 1)?, 0));
        }
        if is_xml && rest.starts_with(b"<![CDATA[") {
            return Some((TokenKind::Cdata, self.end_at(at, b"]]>", 2)?, 0));
        }
        match next {
            b'?' if is_xml => Some((TokenKind::Declaration, self.end_at(at, b"?>", 4)?, 0)),
            b'!' | b'?' => {
                let end = self.end_at(at, b">", 0)?;
                let is_subset = is_xml && memchr::memchr(b'[', self.bytes.get(at..end)?).is_some();
                let end = if is_subset { self.end_at(at, b"]>", 8)? } else { end };
                Some((TokenKind::Declaration, end, 0))
            }
            b'/' => {
                let n = name_len(self.bytes.get(at + 2..)?);
                (n > 0).then_some(())?;
                Some((TokenKind::Close, self.end_at(at, b">", 0)?, n))
            }
            _ => {
                let n = name_len(self.bytes.get(at + 1..)?);
                (n > 0).then_some(())?;
                let end = self.tag_end(at + 1 + n)?;
                let is_empty = self.bytes.get(end.checked_sub(2)?) == Some(&b'/');
                Some((if is_empty { TokenKind::Empty } else { TokenKind::Open }, end, n))
            }
        }
    }

    /// The end of `pattern` from `at` on; where there is none, of the first `>`. `bit` remembers that there is none.
    fn end_at(&mut self, at: usize, pattern: &[u8], bit: u8) -> Option<usize> {
        if self.unclosed & bit == 0 {
            let rest = self.bytes.get(at..)?;
            if let Some(n) = memmem::find(rest, pattern) {
                return Some(at + n + pattern.len());
            }
            self.unclosed |= bit;
        }
        Some(at + memchr::memchr(b'>', self.bytes.get(at..)?)? + 1)
    }

    /// The end of a tag whose attributes begin at `from`; a `>` in quotes belongs to its value. A quote that does not close
    /// where a value may end opened nothing.
    fn tag_end(&self, from: usize) -> Option<usize> {
        let mut at = from;
        loop {
            at += memchr::memchr3(b'>', b'"', b'\'', self.bytes.get(at..)?)?;
            let byte = *self.bytes.get(at)?;
            at += 1;
            if byte == b'>' {
                return Some(at);
            }
            let before = self.bytes.get(from..at - 1)?.trim_ascii_end();
            if before.last() != Some(&b'=') {
                continue;
            }
            let value = self.bytes.get(at..)?;
            let len = memchr::memchr(byte, value);
            let closes = len.filter(|len| {
                let after = value.get(len + 1).copied().unwrap_or(b' ');
                after.is_ascii_whitespace()
                    || matches!(after, b'/' | b'>')
                    || memchr::memchr(b'>', value.get(..*len).unwrap_or_default()).is_none()
            });
            match closes {
                Some(len) => at += len + 1,
                None => return Some(at + memchr::memchr(b'>', value)? + 1),
            }
        }
    }

    /// After the tag of an element that holds no tags: its content as one token.
    fn opaque(&mut self, kind: TokenKind, at: usize, end: usize, name_len: usize) -> usize {
        if kind != TokenKind::Open || self.dialect != Dialect::Html {
            return end;
        }
        let name = self.text.get(at + 1..at + 1 + name_len).unwrap_or_default();
        let mut known = OPAQUE.iter().zip(4_u8..);
        let Some(((name, kind), bit)) = known.find(|((n, _), _)| n.eq_ignore_ascii_case(name))
        else {
            return end;
        };
        let bit = 1 << bit;
        let is_sought = self.unclosed & bit == 0;
        let close = if is_sought { self.closing_tag(end, name) } else { None };
        let close = match close {
            Some(close) => close,
            None if *kind == TokenKind::Raw => self.bytes.len(),
            None => {
                self.unclosed |= bit;
                return end;
            }
        };
        if close > end {
            self.push(*kind, end, close, 0);
        }
        close
    }

    /// Where `</name` stands from `from` on.
    fn closing_tag(&self, from: usize, name: &str) -> Option<usize> {
        let rest = self.bytes.get(from..)?;
        // A title holds no tags: what other tag ends first says that it does not close.
        let n_tries = if name == "title" { 1 } else { usize::MAX };
        memmem::find_iter(rest, b"</").take(n_tries).map(|n| from + n).find(|at| {
            let after = self.bytes.get(at + 2..).unwrap_or_default();
            let (found, behind) = after.split_at_checked(name.len()).unwrap_or_default();
            found.eq_ignore_ascii_case(name.as_bytes())
                && behind.first().is_some_and(|b| !b.is_ascii_alphanumeric())
        })
    }
}

/// Length of the name at the start of `bytes`; 0 when none begins there.
fn name_len(bytes: &[u8]) -> usize {
    let starts = bytes.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_' || *b >= 0x80);
    if !starts {
        return 0;
    }
    let is_end = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'>' | b'/' | b'<' | b'"' | b'=');
    bytes.iter().position(is_end).unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use TokenKind::*;

    fn check(text: &str, dialect: Dialect, want: &[(TokenKind, &str)]) {
        let found: Vec<_> =
            tokens(text, dialect).iter().map(|token| (token.kind, token.span.of(text))).collect();
        assert_eq!(found, want, "{text}");
    }

    #[test]
    fn markup_is_told_from_text() {
        check(
            "a<b x='>'>c</b>",
            Dialect::Html,
            &[(Text, "a"), (Open, "<b x='>'>"), (Text, "c"), (Close, "</b>")],
        );
        check(
            "1 < 2<br/>é",
            Dialect::Html,
            &[(Text, "1 "), (Text, "< 2"), (Empty, "<br/>"), (Text, "é")],
        );
        check(
            "<script>a<b></SCRIPT >c",
            Dialect::Html,
            &[(Open, "<script>"), (Raw, "a<b>"), (Close, "</SCRIPT >"), (Text, "c")],
        );
        check(
            "<?a b>c?><![CDATA[<x>]]>",
            Dialect::Xml,
            &[(Declaration, "<?a b>c?>"), (Cdata, "<![CDATA[<x>]]>")],
        );
    }

    #[test]
    fn what_does_not_close_swallows_nothing() {
        check("<!-- a> b", Dialect::Html, &[(Comment, "<!-- a>"), (Text, " b")]);
        check(
            "<a href=\"x>t</a> <a href=\"y\">u",
            Dialect::Html,
            &[
                (Open, "<a href=\"x>"),
                (Text, "t"),
                (Close, "</a>"),
                (Text, " "),
                (Open, "<a href=\"y\">"),
                (Text, "u"),
            ],
        );
        check("a <div class=", Dialect::Html, &[(Text, "a "), (Text, "<div class=")]);
        check("<title>a<b>", Dialect::Html, &[(Open, "<title>"), (Text, "a"), (Open, "<b>")]);
        check("<style>a<b>", Dialect::Html, &[(Open, "<style>"), (Raw, "a<b>")]);
    }

    #[test]
    fn attributes_are_found() {
        let text = "<a title = 'it is' HREF=/x?a=b  disabled \" c=\"d\">";
        let tokens = tokens(text, Dialect::Html);
        let find = |name| tokens.first().and_then(|tag| tag.attribute(text, name));
        assert_eq!(find("title"), Some("it is"));
        assert_eq!(find("href"), Some("/x?a=b"));
        assert_eq!(find("disabled"), Some(""));
        assert_eq!(find("c"), Some("d"));
        assert_eq!(find("alt"), None);
    }
}
