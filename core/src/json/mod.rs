//! The ordered JSON reader: a flat tape of spans over the text. Numbers keep their text, keys their order and duplicates.
//!
//! A tape is a list of nodes in document order, 8 bytes for a scalar or key and 20 for a container; a container says
//! where the node after it stands, so that a walk needs neither recursion nor a tree. Nothing is unescaped or converted
//! before somebody asks.

mod read;
mod write;

use crate::prelude::*;
use crate::text::{Span, offset};

pub use read::{MAX_TEXT_BYTES, read, read_prefix, read_relaxed};
pub use write::{minify, write_string};
pub(crate) use {
    read::Places, read::plain_end, read::scan_number, read::specials, write::write_escaped,
};

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonKind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number; its text is kept.
    Number,
    /// A string, quotes included in its span.
    String,
    /// `[…]`
    Array,
    /// `{…}`
    Object,
}

/// Why a text is not one JSON document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// Byte offset of the offence.
    pub at: u32,
    /// What is wrong there, lower case, no full stop.
    pub what: &'static str,
}

impl core::fmt::Display for JsonError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} at byte {}", self.what, self.at)
    }
}

impl core::error::Error for JsonError {}

/// One node of the tape. Object members are two nodes: the key (a string), then the value.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    kind: JsonKind,
    is_escaped: bool,
    span: Span,
    next: u32,
    len: u32,
}

impl Node {
    pub(crate) const NULL: Node = Node {
        kind: JsonKind::Null,
        is_escaped: false,
        span: Span { start: 0, end: 0 },
        next: u32::MAX,
        len: 0,
    };

    /// What it is.
    pub fn kind(self) -> JsonKind {
        self.kind
    }

    /// Its bytes, brackets or quotes included.
    pub fn span(self) -> Span {
        self.span
    }

    /// Index of the node after this one and everything in it.
    pub fn next(self) -> u32 {
        self.next
    }

    /// Elements of an array, members of an object; else 0.
    pub fn len(self) -> u32 {
        self.len
    }

    /// Whether it has no elements or members.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// Whether it is a string that holds a backslash.
    pub fn is_escaped(self) -> bool {
        self.is_escaped
    }
}

/// A node as the tape keeps it.
#[derive(Clone, Copy, Debug)]
struct Slot {
    start: u32,
    /// The kind in three bits, whether a string has escapes in one; above them a scalar's length in bytes, or a
    /// container's ordinal in `Tape::containers`.
    packed: u32,
}

const ESCAPED: u32 = 8;

impl Slot {
    fn kind(self) -> JsonKind {
        match self.packed & 7 {
            1 => JsonKind::Bool,
            2 => JsonKind::Number,
            3 => JsonKind::String,
            4 => JsonKind::Array,
            5 => JsonKind::Object,
            _ => JsonKind::Null,
        }
    }
}

/// What a container has beyond a scalar.
#[derive(Clone, Copy, Debug, Default)]
struct Container {
    /// One past its closing bracket.
    end: u32,
    next: u32,
    len: u32,
}

/// A parsed document.
#[derive(Clone, Debug)]
pub struct Tape<'t> {
    /// The text that the spans speak of.
    pub text: &'t str,
    slots: Vec<Slot>,
    containers: Vec<Container>,
}

impl Tape<'_> {
    /// The document's value.
    pub fn root(&self) -> Value<'_> {
        Value { tape: self, at: 0 }
    }

    /// How many nodes there are: every value and every key is one.
    pub fn n_nodes(&self) -> usize {
        self.slots.len()
    }

    /// The node at an index; `None` past the end.
    #[inline(always)]
    pub fn node(&self, index: u32) -> Option<Node> {
        let slot = self.slots.get(index as usize)?;
        let kind = slot.kind();
        let above = slot.packed >> 4;
        Some(match kind {
            JsonKind::Array | JsonKind::Object => {
                let Container { end, next, len } = self.containers.get(above as usize)?;
                let span = Span { start: slot.start, end: *end };
                Node { kind, is_escaped: false, span, next: *next, len: *len }
            }
            _ => {
                let span = Span { start: slot.start, end: slot.start.saturating_add(above) };
                let is_escaped = slot.packed & ESCAPED != 0;
                Node { kind, is_escaped, span, next: index.saturating_add(1), len: 0 }
            }
        })
    }

    /// Every node in document order, for walks that need no nesting.
    pub fn nodes(&self) -> impl Iterator<Item = Node> {
        (0..offset(self.slots.len())).filter_map(|index| self.node(index))
    }

    /// The value whose node has this index; `None` past the end.
    pub fn value(&self, index: u32) -> Option<Value<'_>> {
        ((index as usize) < self.slots.len()).then_some(Value { tape: self, at: index })
    }
}

/// A value of a tape.
#[derive(Clone, Copy, Debug)]
pub struct Value<'a> {
    tape: &'a Tape<'a>,
    at: u32,
}

impl<'a> Value<'a> {
    /// Its node.
    pub fn node(self) -> Node {
        self.tape.node(self.at).unwrap_or(Node::NULL)
    }

    /// The tape that it stands on.
    pub fn tape(self) -> &'a Tape<'a> {
        self.tape
    }

    /// The index of its node; children have higher ones.
    pub fn index(self) -> u32 {
        self.at
    }

    /// What it is.
    pub fn kind(self) -> JsonKind {
        self.node().kind()
    }

    /// Its bytes, brackets or quotes included.
    pub fn span(self) -> Span {
        self.node().span()
    }

    /// Its text as it stands, brackets or quotes included.
    pub fn text(self) -> &'a str {
        self.span().of(self.tape.text)
    }

    /// Elements of an array, members of an object; else 0.
    pub fn len(self) -> usize {
        self.node().len as usize
    }

    /// Whether it has no elements or members (so every scalar).
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Whether it is an array or an object.
    pub fn is_container(self) -> bool {
        matches!(self.kind(), JsonKind::Array | JsonKind::Object)
    }

    /// The elements of an array; nothing for any other kind.
    pub fn elements(self) -> Elements<'a> {
        let node = self.node();
        let end = if node.kind() == JsonKind::Array { node.next } else { 0 };
        Elements { tape: self.tape, at: self.at.saturating_add(1), end }
    }

    /// The members of an object as (key, value), in order, duplicates included; nothing for any other kind.
    pub fn members(self) -> Members<'a> {
        let node = self.node();
        let end = if node.kind() == JsonKind::Object { node.next } else { 0 };
        Members { tape: self.tape, at: self.at.saturating_add(1), end }
    }

    /// The value of the first member whose key reads `key` once unescaped.
    pub fn get(self, key: &str) -> Option<Value<'a>> {
        self.members().find(|(k, _)| k.is_str(key)).map(|(_, value)| value)
    }

    /// What a string says, unescaped. `None` for other kinds, and for a string with a lone surrogate escape, which
    /// the reader accepts but which says nothing that a `str` can hold.
    pub fn as_str(self) -> Option<Cow<'a, str>> {
        let inner = self.inner()?;
        if !self.node().is_escaped() {
            return Some(Cow::Borrowed(inner));
        }
        let mut out = String::with_capacity(inner.len());
        read::unescape(inner, &mut out).then_some(Cow::Owned(out))
    }

    /// Appends what [`Value::as_str`] gives; false where that is `None`, with perhaps a part of it appended.
    pub fn append_str_to(self, out: &mut String) -> bool {
        self.inner().is_some_and(|inner| read::unescape(inner, out))
    }

    /// Whether it is a string that says `text`.
    pub fn is_str(self, text: &str) -> bool {
        if self.node().is_escaped() {
            self.as_str().is_some_and(|s| s == text)
        } else {
            self.inner() == Some(text)
        }
    }

    /// Appends it as strict JSON without whitespace outside strings (comments and trailing commas of relaxed input
    /// left out, everything else as it stands).
    pub fn write_minified(self, out: &mut String) {
        write::write_minified(self, out);
    }

    /// The text between the quotes of a string.
    fn inner(self) -> Option<&'a str> {
        let node = self.node();
        if node.kind() != JsonKind::String {
            return None;
        }
        let span = node.span();
        self.tape.text.get(span.start as usize + 1..(span.end as usize).saturating_sub(1))
    }
}

/// See [`Value::elements`].
#[derive(Clone, Debug)]
pub struct Elements<'a> {
    tape: &'a Tape<'a>,
    at: u32,
    end: u32,
}

impl<'a> Iterator for Elements<'a> {
    type Item = Value<'a>;

    fn next(&mut self) -> Option<Value<'a>> {
        if self.at >= self.end {
            return None;
        }
        let value = Value { tape: self.tape, at: self.at };
        self.at = value.node().next;
        Some(value)
    }
}

/// See [`Value::members`].
#[derive(Clone, Debug)]
pub struct Members<'a> {
    tape: &'a Tape<'a>,
    at: u32,
    end: u32,
}

impl<'a> Iterator for Members<'a> {
    type Item = (Value<'a>, Value<'a>);

    fn next(&mut self) -> Option<(Value<'a>, Value<'a>)> {
        if self.at >= self.end {
            return None;
        }
        let key = Value { tape: self.tape, at: self.at };
        let value = Value { tape: self.tape, at: self.at.saturating_add(1) };
        self.at = value.node().next;
        Some((key, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The document's nodes as `kind text` lines.
    fn check(text: &str, want: &[&str]) {
        let tape = read(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        let got: Vec<String> = (0..tape.n_nodes())
            .map(|i| tape.value(offset(i)).unwrap())
            .map(|v| format!("{:?} {}", v.kind(), if v.is_container() { "" } else { v.text() }))
            .map(|line| line.trim_end().to_string())
            .collect();
        assert_eq!(got, want, "{text}");
    }

    fn fails(text: &str, at: u32, what: &str) {
        let error = read(text).map(|_| ()).expect_err(text);
        assert_eq!((error.at, error.what), (at, what), "{text}");
    }

    #[test]
    fn nodes_are_compact() {
        assert_eq!((size_of::<Slot>(), size_of::<Container>()), (8, 12));
    }

    #[test]
    fn numbers_keep_their_text() {
        for text in ["1e400", "1.0e2", "9007199254740993", "-0", "0.10", "1E+5", "-12.5e-7", "0"] {
            check(text, &[&format!("Number {text}")]);
            let list = format!("[ {text} , {text}]");
            check(&list, &["Array", &format!("Number {text}"), &format!("Number {text}")]);
        }
    }

    #[test]
    fn keys_keep_their_order_and_duplicates() {
        check(
            r#" {"b":1, "a" : [ ] ,"b":{},"":null} "#,
            &[
                "Object",
                "String \"b\"",
                "Number 1",
                "String \"a\"",
                "Array",
                "String \"b\"",
                "Object",
                "String \"\"",
                "Null null",
            ],
        );
    }

    #[test]
    fn values_are_found_and_walked() {
        let text = r#"{"a\u0062":{"x":[1,[2,3],{"y":true}],"x":9},"z":"\"q\""}"#;
        let tape = read(text).unwrap();
        let root = tape.root();
        assert_eq!((root.len(), root.kind()), (2, JsonKind::Object));
        let ab = root.get("ab").unwrap();
        assert_eq!(ab.text(), r#"{"x":[1,[2,3],{"y":true}],"x":9}"#);
        let x = ab.get("x").unwrap();
        let parts: Vec<&str> = x.elements().map(Value::text).collect();
        assert_eq!(parts, ["1", "[2,3]", "{\"y\":true}"]);
        assert_eq!(x.len(), 3);
        assert_eq!(root.get("z").unwrap().as_str().unwrap(), "\"q\"");
        assert!(root.get("zz").is_none() && x.get("x").is_none());
        assert_eq!(ab.elements().count() + x.members().count(), 0);
        assert_eq!(root.node().next() as usize, tape.n_nodes());
    }

    #[test]
    fn places_of_what_a_string_says() {
        let inner = r#"aé\n\u00e9\ud83d\uDE00\\b"#;
        let mut said = String::new();
        assert!(read::unescape(inner, &mut said));
        let mut places = Places::new(inner);
        let got: Vec<&str> = said
            .char_indices()
            .map(|(at, c)| {
                let start = places.of(at);
                let end = Places::new(inner).of(at + c.len_utf8());
                inner.get(start..end).unwrap()
            })
            .collect();
        assert_eq!(got, ["a", "é", r"\n", r"\u00e9", r"\ud83d\uDE00", r"\\", "b"]);
        assert_eq!(places.of(1000), inner.len());
    }

    #[test]
    fn escapes_are_read_when_asked() {
        let says = |text: &str| read(text).unwrap().root().as_str().map(|s| s.into_owned());
        assert_eq!(says(r#""\u00e9\n\/\b\f\t\r\\""#).unwrap(), "é\n/\u{8}\u{c}\t\r\\");
        assert_eq!(says(r#""\ud83d\uDE00é""#).unwrap(), "😀é");
        for lone in
            [r#""\ud83d""#, r#""\ude00""#, r#""\ud83d\u0041""#, r#""\ud83dx""#, r#""\ud83d\ud83d""#]
        {
            assert_eq!(says(lone), None, "{lone}");
        }
        assert_eq!(says("1"), None);
    }

    #[test]
    fn what_is_not_json_is_refused_where_it_is_wrong() {
        fails("", 0, "the text ends where a value should be");
        fails("  ", 2, "the text ends where a value should be");
        fails("[1,]", 3, "not a value");
        fails("[1 2]", 3, "neither a comma nor the closing bracket");
        fails("{\"a\":1,}", 7, "not a key");
        fails("{\"a\" 1}", 5, "no colon after a key");
        fails("{a:1}", 1, "not a key");
        fails("{\"a\":1]", 6, "neither a comma nor the closing brace");
        fails("[1", 2, "neither a comma nor the closing bracket");
        fails("{", 1, "not a key");
        fails("1 x", 2, "something after the document");
        fails("\u{feff}1", 0, "not a value");
        fails("\"a\u{1}b\"", 2, "a control character in a string");
        fails("\"a\nb\"", 2, "a control character in a string");
        fails("\"abc", 4, "an unterminated string");
        fails("\"ab\\x\"", 3, "not an escape");
        fails("\"\\u12g4\"", 1, "not an escape");
        fails("\"\\", 2, "an unterminated string");
        for bad in
            ["01", "+1", "1.", ".5", "1e", "1e+", "-", "--1", "0x1", "1.e3", "NaN", "Infinity"]
        {
            assert!(read(bad).is_err(), "{bad}");
        }
        for bad in ["tru", "nul", "falsey", "True", "'a'", "[1]//x", "[1,/*x*/2]", "\u{a0}1"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn nesting_is_not_bounded_by_the_stack() {
        let text = "[".repeat(100_000) + &"]".repeat(100_000);
        let tape = read(&text).unwrap();
        assert_eq!(tape.n_nodes(), 100_000);
        let mut out = String::new();
        tape.root().write_minified(&mut out);
        assert_eq!(out, text);
        let objects = "{\"a\":".repeat(100_000) + "1" + &"}".repeat(100_000);
        assert_eq!(read(&objects).unwrap().n_nodes(), 200_001);
        fails(&"[".repeat(100_000), 100_000, "the text ends where a value should be");
    }

    #[test]
    fn concatenated_values_are_read_one_by_one() {
        let text = " {\"a\":1}{\"b\":2}\n[3] 4 \"x\"true";
        let (mut at, mut got) = (0, Vec::new());
        while let Ok((tape, end)) = read_prefix(text, at) {
            got.push(tape.root().text().to_string());
            at = end;
        }
        assert_eq!(got, ["{\"a\":1}", "{\"b\":2}", "[3]", "4", "\"x\"", "true"]);
        assert_eq!(at, text.len());
    }

    #[test]
    fn relaxed_reading_takes_comments_and_trailing_commas() {
        let text = "// head\n{ /* a */ \"k\" /**/ : [1, 2, /* , */ ], // end\n \"s\": \"// no\", }\n// tail";
        let tape = read_relaxed(text).unwrap();
        let mut out = String::new();
        tape.root().write_minified(&mut out);
        assert_eq!(out, "{\"k\":[1,2],\"s\":\"// no\"}");
        for bad in ["[,]", "{,}", "[1,,]", "/* open", "[1]/", "{\"a\":,}"] {
            assert!(read_relaxed(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn every_prefix_of_a_document_is_refused_without_a_panic() {
        let text = r#"{"é\u00e9":[1.5e-3,true,null,"\ud83d\ude00"],"b":{"c":[]}}"#;
        for (end, _) in text.char_indices() {
            assert!(read(text.split_at(end).0).is_err(), "{end}");
            assert!(read_relaxed(text.split_at(end).0).is_err(), "{end}");
        }
        assert!(read(text).is_ok());
    }
}
