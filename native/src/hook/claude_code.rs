//! Claude Code, `PostToolUse`: `hookSpecificOutput.updatedToolOutput`, in the shape of the tool's own result.
//!
//! The shapes are those that version 2.1.332 hands to its hooks. A value of another shape is ignored by the host, so each
//! is the host's own object with only the long texts replaced.

use super::shape::{self, Splice};
use super::shorten::{Shortener, Use};
use caveman_core::json::{JsonKind, Value};
use caveman_core::mcp::Object;
use std::fs::File;
use std::io::Read;

/// Above a length of its own the host moves what a command printed to a file, and shows the model its beginning. The file
/// is read instead, up to this size.
const MAX_FILE_BYTES: u64 = super::MAX_INPUT_BYTES;

pub(super) fn answer(input: Value<'_>, shortener: &mut Shortener<'_>) -> Option<String> {
    // Cursor runs the hooks of Claude Code too, with other shapes; it has its own protocol.
    if shape::text(input, "hook_event_name") != "PostToolUse"
        || input.get("cursor_version").is_some()
    {
        return None;
    }
    let (tool, response) = (shape::text(input, "tool_name"), input.get("tool_response")?);
    let arguments = input.get("tool_input")?;
    let replaced = match tool.as_str() {
        "Bash" => bash(arguments, response, shortener),
        "Read" => read(arguments, response, shortener),
        "Grep" => grep(response, shortener),
        "Glob" => filenames(response, shortener),
        "WebFetch" => web_fetch(response, shortener),
        name if name.starts_with("mcp__") && !shape::is_our_tool(name) => {
            blocks(response, shortener)
        }
        _ => None,
    }?;
    let output =
        Object::new().text("hookEventName", "PostToolUse").raw("updatedToolOutput", &replaced);
    Some(Object::new().raw("hookSpecificOutput", &output.finish()).finish())
}

/// `{"stdout": …, "stderr": …, "interrupted": …, "isImage": …, "persistedOutputPath"?: …}`
fn bash(
    arguments: Value<'_>,
    response: Value<'_>,
    shortener: &mut Shortener<'_>,
) -> Option<String> {
    let unfit = ["interrupted", "isImage", "backgroundTaskId"];
    if unfit.iter().any(|name| shape::says(response, name))
        || shape::is_our_command(&shape::text(arguments, "command"))
    {
        return None;
    }
    let mut splice = Splice::default();
    for name in ["stdout", "stderr"] {
        let Some(value) = response.get(name) else { continue };
        let shown = value.as_str()?;
        let is_persisted = name == "stdout" && response.get("persistedOutputPath").is_some();
        let whole = if is_persisted { persisted(response, &shown)? } else { shown.into_owned() };
        if let Some(shorter) = shortener.shorten(&whole, Use::Output) {
            splice.text(value, &shorter);
            if is_persisted {
                // Else the host shows the file's beginning and not what stands here.
                splice.remove(response, "persistedOutputPath");
                splice.remove(response, "persistedOutputSize");
            }
        }
    }
    (!splice.is_empty()).then(|| splice.apply(response))?
}

/// The whole of what the host has moved to a file: of the size that it names, and beginning with what it still shows.
fn persisted(response: Value<'_>, shown: &str) -> Option<String> {
    let n_bytes: u64 = response.get("persistedOutputSize")?.text().parse().ok()?;
    let mut whole = String::new();
    let file = File::open(shape::text(response, "persistedOutputPath")).ok()?;
    if n_bytes > MAX_FILE_BYTES || !file.metadata().ok()?.is_file() {
        return None;
    }
    file.take(MAX_FILE_BYTES + 1).read_to_string(&mut whole).ok()?;
    (whole.len() as u64 == n_bytes && whole.starts_with(shown.trim_end())).then_some(whole)
}

/// `{"type": "text", "file": {"content": …, "numLines": …, …}}`
///
/// The host numbers the lines of what it shows, so a shortened file begins with a line that says what the numbers are.
fn read(
    arguments: Value<'_>,
    response: Value<'_>,
    shortener: &mut Shortener<'_>,
) -> Option<String> {
    // Who asks for a part asks for its lines.
    if shape::says(arguments, "offset") || shape::says(arguments, "limit") {
        return None;
    }
    if shape::text(response, "type") != "text" {
        return None;
    }
    let content = response.get("file")?.get("content")?;
    let shorter = shortener.shorten(&content.as_str()?, Use::File)?;
    let mut splice = Splice::default();
    splice.text(content, &format!("{NUMBERING}{shorter}"));
    splice.apply(response)
}

/// How a shortened file begins.
const NUMBERING: &str = "[caveman: shortened; the line numbers shown are not the file's]\n";

/// `{"mode": …, "filenames": […], "content"?: …}`
fn grep(response: Value<'_>, shortener: &mut Shortener<'_>) -> Option<String> {
    let Some(content) = response.get("content").filter(|c| c.kind() == JsonKind::String) else {
        return filenames(response, shortener);
    };
    let shorter = shortener.shorten(&content.as_str()?, Use::Output)?;
    let mut splice = Splice::default();
    splice.text(content, &shorter);
    splice.apply(response)
}

/// `{"filenames": […], …}`: the host shows one name a line.
fn filenames(response: Value<'_>, shortener: &mut Shortener<'_>) -> Option<String> {
    let names = response.get("filenames")?;
    let lines: Option<Vec<_>> = names.elements().map(Value::as_str).collect();
    let shorter = shortener.shorten(&(lines?.join("\n") + "\n"), Use::Output)?;
    let mut splice = Splice::default();
    splice.raw(names.span(), shape::strings(shorter.lines()));
    splice.apply(response)
}

/// `{"result": …, "url": …, "code": …, …}`
fn web_fetch(response: Value<'_>, shortener: &mut Shortener<'_>) -> Option<String> {
    let result = response.get("result")?;
    let shorter = shortener.shorten(&result.as_str()?, Use::Output)?;
    let mut splice = Splice::default();
    splice.text(result, &shorter);
    splice.apply(response)
}

/// The content blocks of an MCP result, alone, as a string, or as the `content` of an object.
fn blocks(response: Value<'_>, shortener: &mut Shortener<'_>) -> Option<String> {
    let mut splice = Splice::default();
    shape::shorten_blocks(response, shortener, &mut splice)?;
    splice.apply(response)
}
