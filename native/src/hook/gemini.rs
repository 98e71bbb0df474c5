//! Gemini CLI, `AfterTool`: `decision: "deny"` hides the result, and `reason` stands in its place.
//!
//! That is the one way its reference gives. The call has been made and stays made; but the host hands the reason on as an
//! error, so the reason begins by saying that there was none.

use super::shape;
use super::shorten::{Shortener, Use};
use caveman_core::json::{JsonKind, Value};
use caveman_core::mcp::Object;

const HEAD: &str = "no error: the call succeeded; its result, shortened by caveman-mcp:\n";

/// Built-in tools whose results are texts to read.
const TOOLS: &[&str] = &[
    "run_shell_command",
    "read_file",
    "grep_search",
    "search_file_content",
    "glob",
    "list_directory",
    "web_fetch",
];

pub(super) fn answer(input: Value<'_>, shortener: &mut Shortener<'_>) -> Option<String> {
    let tool = shape::text(input, "tool_name");
    let is_known = TOOLS.contains(&tool.as_str()) || tool.starts_with("mcp_");
    let is_event = shape::text(input, "hook_event_name") == "AfterTool";
    if !is_event || !is_known || shape::is_our_tool(&tool) {
        return None;
    }
    let (arguments, response) = (input.get("tool_input")?, input.get("tool_response")?);
    let asks_for_part = ["start_line", "end_line", "offset", "limit"];
    if shape::says(response, "error")
        || shape::is_our_command(&shape::text(arguments, "command"))
        || (tool == "read_file" && asks_for_part.iter().any(|name| shape::says(arguments, name)))
    {
        return None;
    }
    let text = only_text(response.get("llmContent")?)?;
    let is_for = if tool == "read_file" { Use::File } else { Use::Output };
    let shorter = shorten(&text, is_for, shortener)?;
    let answer = Object::new().text("decision", "deny").text("reason", &format!("{HEAD}{shorter}"));
    Some(answer.finish())
}

/// What a command printed stands between `Output: ` and a line with the exit code; those stay as they are.
fn shorten(text: &str, is_for: Use, shortener: &mut Shortener<'_>) -> Option<String> {
    let (head, rest) = match text.split_once("Output: ") {
        Some((head, rest)) if head.is_empty() || head.ends_with('\n') => (head, rest),
        _ => return shortener.shorten(text, is_for),
    };
    let tail = [
        "\nError: ",
        "\nExit Code: ",
        "\nSignal: ",
        "\nBackground PIDs: ",
        "\nProcess Group PGID: ",
    ];
    let end = tail.iter().filter_map(|label| rest.rfind(label)).min().unwrap_or(rest.len());
    let (output, tail) = rest.split_at_checked(end)?;
    let shorter = shortener.shorten(output, is_for)?;
    Some(format!("{head}Output: {}{tail}", shorter.trim_end_matches('\n')))
}

/// A text, or the one part that is a text.
fn only_text(content: Value<'_>) -> Option<String> {
    let part = match content.kind() {
        JsonKind::Array => {
            let mut parts = content.elements();
            let (part, None) = (parts.next()?, parts.next()) else { return None };
            part
        }
        _ => content,
    };
    match part.kind() {
        JsonKind::Object if part.len() == 1 => Some(part.get("text")?.as_str()?.into_owned()),
        JsonKind::String => Some(part.as_str()?.into_owned()),
        _ => None,
    }
}
