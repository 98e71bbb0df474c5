//! Writes answers as JSON text: the one place that knows their shape on the wire, and the same bytes for the same answer.

use super::lifecycle::Era;
use super::server::{Block, Content, ServerInfo, ToolError};
use crate::prelude::*;

/// Where an answer goes: the id of its request (raw JSON text) and the era whose rules it follows.
#[derive(Clone, Copy)]
pub(super) struct Address<'a> {
    pub(super) id: &'a str,
    pub(super) era: Era,
    pub(super) info: &'a ServerInfo,
}

/// A result; `members` writes its members, without the braces.
pub(super) fn result(out: &mut String, to: Address<'_>, members: impl FnOnce(&mut String)) {
    out.push_str("{\"jsonrpc\":\"2.0\",\"id\":");
    out.push_str(to.id);
    out.push_str(",\"result\":{");
    match to.era {
        Era::Legacy => members(out),
        Era::Modern => {
            out.push_str("\"resultType\":\"complete\",");
            members(out);
            out.push_str(",\"_meta\":{\"io.modelcontextprotocol/serverInfo\":");
            server_info(out, to.info);
            out.push('}');
        }
    }
    out.push_str("}}");
}

/// A protocol error. `id` is raw JSON text; without one it is null, as JSON-RPC wants. `data` is JSON text.
pub(super) fn error(
    out: &mut String,
    id: Option<&str>,
    code: i32,
    message: &str,
    data: Option<&str>,
) {
    out.push_str("{\"jsonrpc\":\"2.0\",\"id\":");
    out.push_str(id.unwrap_or("null"));
    out.push_str(",\"error\":{\"code\":");
    out.push_str(&code.to_string());
    out.push_str(",\"message\":");
    string(out, message);
    if let Some(data) = data {
        out.push_str(",\"data\":");
        out.push_str(data);
    }
    out.push_str("}}");
}

/// The members of a tool result.
pub(super) fn content(out: &mut String, content: &Content<'_>) {
    // Room for the whole at once: an answer may be as long as the longest line.
    let block_len = |block: &Block<'_>| match block {
        Block::Text(text) => string_len(text),
        Block::Json(json) => json.len(),
    };
    out.reserve(content.blocks.iter().map(|block| 64 + block_len(block)).sum());
    out.push_str("\"content\":[");
    for (at, block) in content.blocks.iter().enumerate() {
        out.push_str(if at == 0 { "" } else { "," });
        out.push_str("{\"type\":\"text\",\"text\":");
        match block {
            Block::Text(text) => string(out, text),
            Block::Json(json) => out.push_str(json),
        }
        out.push('}');
    }
    out.push_str("],\"isError\":false");
}

/// The members of a tool result that says what went wrong.
pub(super) fn tool_error(out: &mut String, error: &ToolError) {
    let mut said = String::from("{\"error\":");
    string(&mut said, error.code);
    said.push_str(",\"message\":");
    string(&mut said, &error.message);
    for (name, number) in &error.places {
        said.push_str(&format!(",\"{name}\":{number}"));
    }
    said.push('}');
    out.push_str("\"content\":[{\"type\":\"text\",\"text\":");
    string(out, &said);
    out.push_str("}],\"isError\":true");
}

/// Who serves.
pub(super) fn server_info(out: &mut String, info: &ServerInfo) {
    for (before, text) in
        [("{\"name\":", info.name), (",\"title\":", info.title), (",\"version\":", info.version)]
    {
        out.push_str(before);
        string(out, text);
    }
    out.push('}');
}

/// `text` as a JSON string. Only what JSON demands is escaped, so that text costs as few bytes as it can.
pub(super) fn string(out: &mut String, text: &str) {
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|b| escaped_len(b) > 1) {
        let (plain, tail) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(plain);
        let mut chars = tail.chars();
        match chars.next().unwrap_or_default() {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            control => out.push_str(&format!("\\u{:04x}", u32::from(control))),
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    out.push('"');
}

/// The beginning of a caller's text, in quotes, for a message: no control characters, no more than `max_chars`.
pub(super) fn quoted(text: &str, max_chars: usize) -> String {
    let mut shown: String =
        text.chars().take(max_chars).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    format!("\"{shown}\"")
}

/// How many bytes [`string`] writes.
pub(super) fn string_len(text: &str) -> usize {
    2 + text.bytes().map(escaped_len).sum::<usize>()
}

/// How many bytes `byte` takes within a JSON string.
pub(super) fn escaped_len(byte: u8) -> usize {
    match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 0x08 | 0x0c => 2,
        0..=0x1f => 6,
        _ => 1,
    }
}

/// (before - after) / before, rounded to four decimals, without a float on the way; 0 when nothing was saved.
pub fn ratio(before: u64, after: u64) -> String {
    let saved = u128::from(before.saturating_sub(after));
    let before = u128::from(before.max(1));
    let scaled = (saved * 20_000 + before) / (before * 2);
    let digits = format!("{}.{:04}", scaled / 10_000, scaled % 10_000);
    digits.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Writes one JSON object member by member.
#[derive(Debug)]
pub struct Object(String);

impl Default for Object {
    fn default() -> Object {
        Object::new()
    }
}

impl Object {
    /// An object without members.
    pub fn new() -> Object {
        Object("{".to_owned())
    }

    /// Adds a member whose value is JSON text.
    pub fn raw(mut self, name: &str, json: &str) -> Object {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        string(&mut self.0, name);
        self.0.push(':');
        self.0.push_str(json);
        self
    }

    /// Adds a string.
    pub fn text(self, name: &str, text: &str) -> Object {
        let mut json = String::new();
        string(&mut json, text);
        self.raw(name, &json)
    }

    /// Adds a whole number.
    pub fn number(self, name: &str, number: u64) -> Object {
        self.raw(name, &number.to_string())
    }

    /// The object as JSON text.
    pub fn finish(mut self) -> String {
        self.0.push('}');
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_what_a_json_reader_reads_back() {
        for text in ["", "plain", "a\"b\\c\n\r\t\u{8}\u{c}\u{0}\u{1f}\u{7f}é\u{2028}😀", "\n\n"]
        {
            let mut json = String::new();
            string(&mut json, text);
            assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
            assert_eq!(json.len(), string_len(text), "{json}");
            assert!(!json.contains('\n'));
        }
    }

    #[test]
    fn ratios_are_rounded_to_four_decimals() {
        for (before, after, expected) in [
            (0, 0, "0"),
            (100, 100, "0"),
            (100, 200, "0"),
            (100, 50, "0.5"),
            (3, 1, "0.6667"),
            (3, 2, "0.3333"),
            (1000, 0, "1"),
            (1_000_000, 1, "1"),
            (u64::MAX, 0, "1"),
        ] {
            assert_eq!(ratio(before, after), expected);
        }
    }
}
