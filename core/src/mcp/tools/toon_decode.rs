//! `caveman_toon_decode`: TOON text to JSON text; invalid TOON is an error that says where and never repeats the input.

use super::{Context, Tool};
use crate::mcp::server::{Arguments, Block, Content, Failure, Input, MAX_REPLY_BYTES, ToolError};
use crate::prelude::*;
use crate::toon::{DecodeOptions, Decoder, ToonError};

pub(super) const TOOL: Tool = Tool {
    name: "caveman_toon_decode",
    definition: r#"{"name":"caveman_toon_decode","title":"TOON to JSON","description":"TOON to JSON","inputSchema":{"type":"object","properties":{"input":{"type":"string"}},"required":["input"]},"annotations":{"readOnlyHint":true}}"#,
    call,
};

fn call<'a>(_: &mut Context<'_>, arguments: Arguments<'a>) -> Result<Content<'a>, Failure> {
    let [input] = arguments.get(["input"]);
    let json = match Arguments::payload("input", input)? {
        Input::Text(text) => decode(&text)?,
        Input::NotText(_) => {
            let mut error = ToolError::new("cave_invalid_toon", "a surrogate without its pair");
            error.places = vec![("line", 1), ("column", 1)];
            return Err(error.into());
        }
    };
    Ok(Content { blocks: vec![Block::Text(Cow::Owned(json))], ..Content::default() })
}

/// Line by line, because a short text may stand for a very long one: a header's fields are written once for each row.
fn decode(toon: &str) -> Result<String, ToolError> {
    let mut decoder = Decoder::new(&DecodeOptions::default());
    let mut json = String::with_capacity(toon.len());
    for line in toon.split_inclusive('\n') {
        decoder.line(line, &mut json).map_err(|error| invalid(&error))?;
        if json.len() > MAX_REPLY_BYTES {
            let message = "the JSON exceeds 16 MiB; decode the text in parts";
            return Err(ToolError::new("cave_payload_too_large", message));
        }
    }
    decoder.finish(&mut json).map_err(|error| invalid(&error))?;
    Ok(json)
}

fn invalid(error: &ToonError) -> ToolError {
    let mut places = vec![("line", error.line().into()), ("column", error.column().into())];
    places.extend(error.declared().map(|n| ("declared", n)));
    places.extend(error.found().map(|n| ("found", n)));
    ToolError { code: "cave_invalid_toon", message: error.what().to_owned(), places }
}
