//! `caveman_toon_encode`: JSON text to TOON text; what cannot be encoded comes back as it is, with a note.

use super::{Context, Tool};
use crate::mcp::render::Object;
use crate::mcp::server::{Arguments, Block, Content, Failure, Input, MAX_REPLY_BYTES};
use crate::prelude::*;
use crate::tokens;
use crate::toon::{self, EncodeOptions};

pub(super) const TOOL: Tool = Tool {
    name: "caveman_toon_encode",
    definition: r#"{"name":"caveman_toon_encode","title":"JSON to TOON","description":"JSON to compact TOON","inputSchema":{"type":"object","properties":{"input":{"type":"string"}},"required":["input"]},"annotations":{"readOnlyHint":true}}"#,
    call,
};

fn call<'a>(_: &mut Context<'_>, arguments: Arguments<'a>) -> Result<Content<'a>, Failure> {
    let [input] = arguments.get(["input"]);
    let input = match Arguments::payload("input", input)? {
        Input::Text(text) => text,
        Input::NotText(json) => {
            let note = "the input holds a surrogate without its pair";
            let figures = Object::new().raw("encoded", "false").text("note", note).finish();
            let blocks = vec![Block::Json(json), Block::Text(Cow::Owned(figures))];
            return Ok(Content { blocks, ..Content::default() });
        }
    };
    let options = EncodeOptions { max_bytes: MAX_REPLY_BYTES, ..EncodeOptions::default() };
    let encoded = toon::encode(&input, &options);
    let n_bytes = |text: &str| text.len() as u64;
    let output = encoded.as_deref().unwrap_or(&input);
    let tokens_before = tokens::count(&input);
    let tokens_after = encoded.as_deref().map_or(tokens_before, tokens::count);
    let figures = Object::new()
        .raw("encoded", if encoded.is_ok() { "true" } else { "false" })
        .number("input_bytes", n_bytes(&input))
        .number("output_bytes", n_bytes(output))
        .number("tokens_before", tokens_before)
        .number("tokens_after", tokens_after);
    let (output, figures) = match encoded {
        Ok(toon) => (Cow::Owned(toon), figures),
        Err(error) => {
            let (line, column, what) = (error.line(), error.column(), error.what());
            (input, figures.text("note", &format!("line {line}, column {column}: {what}")))
        }
    };
    let blocks = vec![Block::Text(output), Block::Text(Cow::Owned(figures.finish()))];
    Ok(Content { blocks, ..Content::default() })
}
