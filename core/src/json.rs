//! The ordered JSON reader: a flat tape of spans over the text. Numbers keep their text, keys their order and duplicates.

use crate::prelude::*;
use crate::text::Span;

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

/// One node of the tape. Object members are two nodes: the key (a string), then the value.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// What it is.
    pub kind: JsonKind,
    /// Its bytes, brackets or quotes included.
    pub span: Span,
    /// Index of the node after this one and everything in it.
    pub next: u32,
    /// Elements of an array, members of an object; else 0.
    pub len: u32,
}

/// A parsed document.
#[derive(Clone, Debug)]
pub struct Tape<'t> {
    /// The text that the spans speak of.
    pub text: &'t str,
    nodes: Vec<Node>,
}

/// A value of a tape.
#[derive(Clone, Copy, Debug)]
pub struct Value<'a> {
    tape: &'a Tape<'a>,
    at: u32,
}
