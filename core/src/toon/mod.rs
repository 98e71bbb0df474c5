//! TOON, specification 4.4, both ways: JSON text to TOON text and back, on spans, without a value tree.
//!
//! ```text
//! {"items":[{"sku":"A1","qty":2},{"sku":"B2","qty":1}]}   <->   items[2]{sku,qty}:
//!                                                                A1,2
//!                                                                B2,1
//! ```
//!
//! Policies where the specification leaves a choice:
//! - Numbers are decimal texts, never floats: any JSON number keeps its value. The encoder writes exponents outside
//!   1e-6 .. 1e21 only; the decoder copies number tokens as they stand (`-0` becomes `0`).
//! - Duplicate keys and lone surrogates in JSON input are errors on encode; key order is kept, save that rows follow
//!   their header.
//! - Containers nest at most [`MAX_DEPTH`] deep, both ways. Declared counts are checked and never reserve memory.

mod decode;
mod encode;
mod error;
mod header;
mod keys;
mod number;
mod shape;
mod token;

use core::num::NonZeroU8;

use crate::json::{self, Value};
use crate::prelude::*;

pub use decode::Decoder;
pub use error::{ToonError, ToonErrorKind};

/// How deep arrays and objects may nest, in the JSON view. Our choice: above what the other implementations take
/// (128 and 256), below what recursion in a 1 MiB wasm stack can do.
pub const MAX_DEPTH: usize = 512;

/// What stands between the cells of a row and the values of an inline array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Delimiter {
    /// `,`, which headers leave out.
    #[default]
    Comma,
    /// A tab.
    Tab,
    /// `|`
    Pipe,
}

impl Delimiter {
    /// Its byte.
    pub fn byte(self) -> u8 {
        match self {
            Delimiter::Comma => b',',
            Delimiter::Tab => b'\t',
            Delimiter::Pipe => b'|',
        }
    }

    /// As it is declared inside a header's brackets.
    fn declared(self) -> &'static str {
        match self {
            Delimiter::Comma => "",
            Delimiter::Tab => "\t",
            Delimiter::Pipe => "|",
        }
    }
}

/// Two spaces a level.
const TWO: NonZeroU8 = NonZeroU8::MIN.saturating_add(1);

/// How [`encode`] writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EncodeOptions {
    /// The delimiter of every header. Default: comma.
    pub delimiter: Delimiter,
    /// Spaces for one level of nesting. Default: 2.
    pub indent_size: NonZeroU8,
    /// Longest output in bytes; a longer one is an error, and is not built. Default: no limit.
    pub max_bytes: usize,
}

impl Default for EncodeOptions {
    fn default() -> Self {
        EncodeOptions { delimiter: Delimiter::Comma, indent_size: TWO, max_bytes: usize::MAX }
    }
}

/// What [`decode`] takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strictness {
    /// Every rule of the specification holds.
    #[default]
    Strict,
    /// The five recoveries of the specification's section 14.4: counts are advisory, the last of duplicate keys wins
    /// in the first one's place, indentation is rounded and may have tabs, blank lines are ignored, and a depth jump
    /// is adopted.
    Lenient,
}

/// How [`decode`] reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeOptions {
    /// Spaces for one level of nesting. Default: 2.
    pub indent_size: NonZeroU8,
    /// Default: strict.
    pub strictness: Strictness,
}

impl Default for DecodeOptions {
    fn default() -> Self {
        DecodeOptions { indent_size: TWO, strictness: Strictness::Strict }
    }
}

/// Writes a JSON document as TOON, without a line end after the last line.
///
/// Fails on text that is not JSON, on duplicate keys, on lone surrogates, beyond [`MAX_DEPTH`] and beyond the limit of the
/// options; the error's position is in `json_text`.
pub fn encode(json_text: &str, options: &EncodeOptions) -> Result<String, ToonError> {
    let tape = json::read(json_text).map_err(|e| ToonError::of_json(json_text, e))?;
    encode_value(tape.root(), options)
}

/// Writes one value of a tape as a TOON document of its own. Fails as [`encode`] does.
pub fn encode_value(value: Value<'_>, options: &EncodeOptions) -> Result<String, ToonError> {
    encode::document(value, options)
}

/// Writes a TOON document as JSON without whitespace between tokens.
///
/// Fails on what the specification calls an error, beyond [`MAX_DEPTH`], and on nothing else.
pub fn decode(toon_text: &str, options: &DecodeOptions) -> Result<String, ToonError> {
    let mut decoder = Decoder::new(options);
    let mut out = String::with_capacity(toon_text.len());
    let mut rest = toon_text;
    while let Some(at) = memchr::memchr(b'\n', rest.as_bytes()) {
        let (line, after) = rest.split_at(at + 1);
        decoder.line(line, &mut out)?;
        rest = after;
    }
    if !rest.is_empty() {
        decoder.line(rest, &mut out)?;
    }
    decoder.finish(&mut out)?;
    Ok(out)
}
