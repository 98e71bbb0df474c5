//! What can be wrong with a text, and where: position, offending header, and a caret line for terminals.

use crate::json::JsonError;
use crate::prelude::*;
use crate::text::offset;

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToonErrorKind {
    /// Encode: the input is not one JSON document.
    InvalidJson,
    /// A key occurs twice in one object, or a field twice in one header.
    DuplicateKey,
    /// Encode: a string holds half of a surrogate pair.
    LoneSurrogate,
    /// Containers nest deeper than [`super::MAX_DEPTH`].
    TooDeep,
    /// Encode: the output would be longer than the options allow.
    TooLong,
    /// A header declares another number of elements than follow it.
    Count,
    /// A row has another number of cells than its header has fields.
    Width,
    /// A line begins with an unquoted `[` before its colon, but is no header.
    Header,
    /// A header stands where its form is not allowed.
    Position,
    /// A quoted token is not closed, has a wrong escape, or is followed by something.
    Quoting,
    /// Indentation has a tab or is no multiple of the indent size.
    Indentation,
    /// A line is deeper than anything that is open.
    OverIndented,
    /// A blank line inside the span of a header.
    BlankLine,
    /// A line without the colon that its place needs.
    MissingColon,
    /// A line among list items or rows that is none.
    Stray,
    /// Something follows a document that has ended.
    Trailing,
}

/// Why a text was not encoded or decoded. `Display` shows nothing of the payload but the offending header.
#[derive(Clone, PartialEq, Eq)]
pub struct ToonError(Box<Inner>);

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    /// Whether the text is JSON that was to be encoded.
    of_json: bool,
    kind: ToonErrorKind,
    what: &'static str,
    at: usize,
    line: u32,
    column: u32,
    header: Option<String>,
    counts: Option<(Option<u64>, u64)>,
    /// The part of the line around the column, and the caret's place in it in characters.
    excerpt: (String, usize),
}

/// Longest stretch of a line that an excerpt or a header shows, in characters: one terminal line.
const SHOWN: usize = 76;

impl ToonError {
    /// `what` at byte `at` of `line`, which is line number `number` (from 1) and begins at byte `line_at` of the text.
    pub(super) fn new(
        kind: ToonErrorKind,
        what: &'static str,
        line: &str,
        at: usize,
        number: u32,
        line_at: usize,
    ) -> Self {
        let line = line.trim_end_matches(['\n', '\r']);
        let before = line.get(..at).unwrap_or(line).chars().count();
        let skipped = before.saturating_sub(SHOWN / 2);
        let excerpt = line.chars().skip(skipped).take(SHOWN).collect();
        ToonError(Box::new(Inner {
            of_json: false,
            kind,
            what,
            at: line_at.saturating_add(at),
            line: number,
            column: offset(before.saturating_add(1)),
            header: None,
            counts: None,
            excerpt: (excerpt, before - skipped),
        }))
    }

    /// `what` at byte `at` of a JSON text.
    pub(super) fn in_json(kind: ToonErrorKind, what: &'static str, text: &str, at: usize) -> Self {
        let before = text.get(..at).unwrap_or(text);
        let line_at = before.rfind('\n').map_or(0, |i| i + 1);
        let number =
            offset(memchr::memchr_iter(b'\n', before.as_bytes()).count().saturating_add(1));
        let line = text.get(line_at..).unwrap_or_default();
        let line = line.split('\n').next().unwrap_or_default();
        let mut error =
            ToonError::new(kind, what, line, at.saturating_sub(line_at), number, line_at);
        error.0.of_json = true;
        error
    }

    pub(super) fn of_json(text: &str, error: JsonError) -> Self {
        ToonError::in_json(ToonErrorKind::InvalidJson, error.what, text, error.at as usize)
    }

    /// The same with the header that it offends, and what the header declares and what was found.
    pub(super) fn against(mut self, header: &str, declared: Option<u64>, found: u64) -> Self {
        self = self.under(header);
        self.0.counts = Some((declared, found));
        self
    }

    /// The same with the header that it offends.
    pub(super) fn under(mut self, header: &str) -> Self {
        self.0.header = Some(shorten(header));
        self
    }

    /// What is wrong.
    pub fn kind(&self) -> ToonErrorKind {
        self.0.kind
    }

    /// The stable code: `cave_not_encodable` for JSON input, `cave_invalid_toon` for TOON input.
    pub fn code(&self) -> &'static str {
        if self.0.of_json { "cave_not_encodable" } else { "cave_invalid_toon" }
    }

    /// What is wrong, in words that hold nothing of the payload.
    pub fn what(&self) -> &'static str {
        self.0.what
    }

    /// Line of the offence, from 1.
    pub fn line(&self) -> u32 {
        self.0.line
    }

    /// Column of the offence in characters, from 1.
    pub fn column(&self) -> u32 {
        self.0.column
    }

    /// Byte offset of the offence in the text.
    pub fn at(&self) -> usize {
        self.0.at
    }

    /// The header that is offended, cut to one terminal line.
    pub fn header(&self) -> Option<&str> {
        self.0.header.as_deref()
    }

    /// What the header declares: elements, or cells a row. `None` without a header, or beyond 64 bits.
    pub fn declared(&self) -> Option<u64> {
        self.0.counts.and_then(|(declared, _)| declared)
    }

    /// What was found instead.
    pub fn found(&self) -> Option<u64> {
        self.0.counts.map(|(_, found)| found)
    }

    /// The offending line (the part around the column) with a caret under the offence: two lines of text for a
    /// terminal, which do show payload.
    pub fn caret(&self) -> String {
        let (excerpt, column) = &self.0.excerpt;
        let shown: String = excerpt.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        format!("{shown}\n{}^", " ".repeat(*column))
    }
}
/// The header, cut to what one terminal line shows.
fn shorten(header: &str) -> String {
    match header.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", header.get(..at).unwrap_or_default()),
        None => header.to_string(),
    }
}

impl core::fmt::Display for ToonError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Inner { what, line, column, header, counts, .. } = &*self.0;
        write!(f, "line {line}, column {column}: {what}")?;
        if let Some((declared, found)) = counts {
            match declared {
                Some(declared) => write!(f, " (declared {declared}, found {found})")?,
                None => write!(f, " (found {found})")?,
            }
        }
        if let Some(header) = header {
            write!(f, " under `{header}`")?;
        }
        Ok(())
    }
}

impl core::fmt::Debug for ToonError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{:?}: {self}", self.0.kind)
    }
}

impl core::error::Error for ToonError {}
