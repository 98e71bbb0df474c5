//! TOON both ways.

use crate::envelope::{BAD_ARGUMENTS, enveloped, failed, failure, parsed};
use caveman_core::mcp::Object;
use caveman_core::toon::{self, DecodeOptions, Delimiter, EncodeOptions, Strictness, ToonError};
use serde::Deserialize;
use std::num::NonZeroU8;
use wasm_bindgen::prelude::wasm_bindgen;

/// JSON text as TOON. `options`: `{"delimiter":","|"\t"|"|","indent_size":2}`, or empty.
#[wasm_bindgen(js_name = toonEncode)]
pub fn toon_encode(json_text: &str, options: &str) -> Vec<u8> {
    #[derive(Default, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    struct Asked {
        delimiter: Option<String>,
        indent_size: Option<NonZeroU8>,
    }
    let asked: Asked = match parsed(options) {
        Ok(asked) => asked,
        Err(failure) => return failure,
    };
    let mut options = EncodeOptions::default();
    options.delimiter = match asked.delimiter.as_deref() {
        None | Some(",") => Delimiter::Comma,
        Some("\t") => Delimiter::Tab,
        Some("|") => Delimiter::Pipe,
        Some(other) => return failed(BAD_ARGUMENTS, &format!("no such delimiter: {other:?}")),
    };
    options.indent_size = asked.indent_size.unwrap_or(options.indent_size);
    recoded(toon::encode(json_text, &options))
}

/// TOON text as JSON. `options`: `{"indent_size":2,"strict":true}`, or empty.
#[wasm_bindgen(js_name = toonDecode)]
pub fn toon_decode(toon_text: &str, options: &str) -> Vec<u8> {
    #[derive(Default, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    struct Asked {
        indent_size: Option<NonZeroU8>,
        strict: Option<bool>,
    }
    let asked: Asked = match parsed(options) {
        Ok(asked) => asked,
        Err(failure) => return failure,
    };
    let mut options = DecodeOptions::default();
    options.indent_size = asked.indent_size.unwrap_or(options.indent_size);
    if asked.strict == Some(false) {
        options.strictness = Strictness::Lenient;
    }
    recoded(toon::decode(toon_text, &options))
}

fn recoded(outcome: Result<String, ToonError>) -> Vec<u8> {
    match outcome {
        Ok(text) => {
            let figures = Object::new().number("output_bytes", text.len() as u64);
            enveloped(&figures.finish(), text.as_bytes())
        }
        Err(error) => {
            let figures = failure(error.code(), &error.to_string())
                .number("line", error.line().into())
                .number("column", error.column().into());
            enveloped(&figures.finish(), b"")
        }
    }
}
