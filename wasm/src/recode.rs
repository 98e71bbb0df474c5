//! TOON both ways, each from text to an envelope of text and from bytes to one of bytes: a program that has the one need
//! not make the other.

use crate::envelope::{BAD_ARGUMENTS, failure, parsed};
use caveman_core::mcp::Object;
use caveman_core::toon::{self, DecodeOptions, Delimiter, EncodeOptions, Strictness, ToonError};
use serde::Deserialize;
use std::num::NonZeroU8;
use std::str::Utf8Error;
use wasm_bindgen::prelude::wasm_bindgen;

/// JSON text as TOON. `options`: `{"delimiter":","|"\t"|"|","indent_size":2}`, or empty.
#[wasm_bindgen(js_name = toonEncode)]
pub fn toon_encode(json_text: &str, options: &str) -> String {
    encode(Ok(json_text), options)
}

/// The same from and to UTF-8.
#[wasm_bindgen(js_name = toonEncodeBytes)]
pub fn toon_encode_bytes(json_text: &[u8], options: &str) -> Vec<u8> {
    encode(std::str::from_utf8(json_text), options).into_bytes()
}

/// TOON text as JSON. `options`: `{"indent_size":2,"strict":true}`, or empty.
#[wasm_bindgen(js_name = toonDecode)]
pub fn toon_decode(toon_text: &str, options: &str) -> String {
    decode(Ok(toon_text), options)
}

/// The same from and to UTF-8.
#[wasm_bindgen(js_name = toonDecodeBytes)]
pub fn toon_decode_bytes(toon_text: &[u8], options: &str) -> Vec<u8> {
    decode(std::str::from_utf8(toon_text), options).into_bytes()
}

fn encode(json_text: Result<&str, Utf8Error>, options: &str) -> String {
    #[derive(Default, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    struct Asked {
        delimiter: Option<String>,
        indent_size: Option<NonZeroU8>,
    }
    enveloped_text(parsed(options).and_then(|asked: Asked| {
        let mut options = EncodeOptions::default();
        options.delimiter = match asked.delimiter.as_deref() {
            None | Some(",") => Delimiter::Comma,
            Some("\t") => Delimiter::Tab,
            Some("|") => Delimiter::Pipe,
            Some(other) => {
                return Err(failure(BAD_ARGUMENTS, &format!("no such delimiter: {other:?}")));
            }
        };
        options.indent_size = asked.indent_size.unwrap_or(options.indent_size);
        let json_text = json_text.map_err(|e| no_text("cave_not_encodable", e))?;
        toon::encode(json_text, &options).map_err(refused)
    }))
}

fn decode(toon_text: Result<&str, Utf8Error>, options: &str) -> String {
    #[derive(Default, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    struct Asked {
        indent_size: Option<NonZeroU8>,
        strict: Option<bool>,
    }
    enveloped_text(parsed(options).and_then(|asked: Asked| {
        let mut options = DecodeOptions::default();
        options.indent_size = asked.indent_size.unwrap_or(options.indent_size);
        if asked.strict == Some(false) {
            options.strictness = Strictness::Lenient;
        }
        let toon_text = toon_text.map_err(|e| no_text("cave_invalid_toon", e))?;
        toon::decode(toon_text, &options).map_err(refused)
    }))
}

fn enveloped_text(outcome: Result<String, Object>) -> String {
    let (figures, text) = match outcome {
        Ok(text) => (Object::new().number("output_bytes", text.len() as u64), text),
        Err(failure) => (failure, String::new()),
    };
    [&figures.finish(), "\n", &text].concat()
}

fn refused(error: ToonError) -> Object {
    failure(error.code(), &error.to_string())
        .number("line", error.line().into())
        .number("column", error.column().into())
        .text("caret", &error.caret())
}

fn no_text(code: &str, error: Utf8Error) -> Object {
    failure(code, &format!("the payload is not UTF-8 at byte {}", error.valid_up_to()))
}
