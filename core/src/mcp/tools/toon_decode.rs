//! `caveman_toon_decode`: TOON text to JSON text; invalid TOON is an error that says where and never repeats the input.

use super::{Context, Tool};
use crate::mcp::server::{Arguments, Block, Content, Failure, Input, ToolError};
use crate::prelude::*;

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
            return Err(invalid("the input holds a surrogate without its pair", 1, 1).into());
        }
    };
    Ok(Content { blocks: vec![Block::Text(Cow::Owned(json))], ..Content::default() })
}

fn decode(toon: &str) -> Result<String, ToolError> {
    Err(invalid(&format!("TOON cannot be read yet ({} bytes)", toon.len()), 1, 1))
}

fn invalid(why: &str, line: u64, column: u64) -> ToolError {
    let mut error = ToolError::new("cave_invalid_toon", why);
    error.places = vec![("line", line), ("column", column)];
    error
}
