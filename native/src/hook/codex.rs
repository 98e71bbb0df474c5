//! Codex, `PostToolUse`: `reason` with `continue: false` stands in the place of the result, and the turn goes on.
//!
//! `updatedToolOutput` is not read by version 0.171.0, `updatedMCPToolOutput` is refused. A result is handed over as text,
//! without the exit code that the model would have seen, so the replacement says that it is not known here.

use super::shape;
use super::shorten::Shortener;
use caveman_core::json::{JsonKind, Value};
use caveman_core::mcp::Object;

/// Above this the host cuts a `reason` in the middle: 2,500 tokens, at four bytes each.
const MAX_BYTES: usize = 10_000;

/// What the model is told beside the text.
const HEAD: &str = "Output of the command, shortened by caveman-mcp (exit code not known here):\n";

pub(super) fn answer(input: Value<'_>, shortener: &mut Shortener<'_>) -> Option<String> {
    if shape::text(input, "hook_event_name") != "PostToolUse" {
        return None;
    }
    let (tool, response) = (shape::text(input, "tool_name"), input.get("tool_response")?);
    let reason = match tool.as_str() {
        "Bash" => {
            if shape::is_our_command(&shape::text(input.get("tool_input")?, "command")) {
                return None;
            }
            let shorter = shortener.shorten_to(&response.as_str()?, MAX_BYTES - HEAD.len())?;
            format!("{HEAD}{shorter}")
        }
        name if name.starts_with("mcp__") && !shape::is_our_tool(name) => {
            shortener.shorten_to(&only_text(response)?, MAX_BYTES)?
        }
        _ => return None,
    };
    let answer = Object::new()
        .raw("continue", "false")
        .text("stopReason", "caveman-mcp shortened this result")
        .text("reason", &reason);
    Some(answer.finish())
}

/// The text of an MCP result that is one text and nothing else: what stands beside it would be lost.
fn only_text(result: Value<'_>) -> Option<String> {
    if result.kind() == JsonKind::String {
        return Some(result.as_str()?.into_owned());
    }
    if shape::says(result, "isError") || shape::says(result, "structuredContent") {
        return None;
    }
    let blocks = if result.kind() == JsonKind::Object { result.get("content")? } else { result };
    let mut blocks = blocks.elements();
    let (block, None) = (blocks.next()?, blocks.next()) else { return None };
    Some(shape::text_of_block(block)?.as_str()?.into_owned())
}
