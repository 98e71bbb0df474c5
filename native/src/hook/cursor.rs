//! Cursor, `postToolUse`: `updated_mcp_tool_output` for MCP tools; the results of its own tools cannot be replaced.

use super::shape::{self, Splice};
use super::shorten::Shortener;
use caveman_core::json::{self, Value};
use caveman_core::mcp::Object;

pub(super) fn answer(input: Value<'_>, shortener: &mut Shortener<'_>) -> Option<String> {
    let tool = shape::text(input, "tool_name");
    let is_event = shape::text(input, "hook_event_name") == "postToolUse";
    if !is_event || !tool.starts_with("MCP:") || shape::is_our_tool(&tool) {
        return None;
    }
    // The result is JSON within a string.
    let output = shape::text(input, "tool_output");
    let tape = json::read(&output).ok()?;
    let mut splice = Splice::default();
    shape::shorten_blocks(tape.root(), shortener, &mut splice)?;
    let replaced = splice.apply(tape.root())?;
    Some(Object::new().raw("updated_mcp_tool_output", &replaced).finish())
}
