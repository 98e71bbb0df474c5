//! Hook inputs as the hosts write them: read by member, answered by splicing, so that everything else stays byte for byte.

use super::shorten::{Shortener, Use};
use caveman_core::json::{JsonKind, Value, write_string};
use caveman_core::text::Span;

/// Replacements of values of one document, applied to the JSON text of one of its subtrees.
#[derive(Debug, Default)]
pub(super) struct Splice {
    edits: Vec<(Span, String)>,
}

impl Splice {
    /// A string in the place of `value`.
    pub(super) fn text(&mut self, value: Value<'_>, text: &str) {
        let mut json = String::new();
        write_string(text, &mut json);
        self.raw(value.span(), json);
    }

    /// JSON text in the place of a span.
    pub(super) fn raw(&mut self, span: Span, json: String) {
        self.edits.push((span, json));
    }

    /// Takes a member out of its object, with the comma before it: it is not the first one.
    pub(super) fn remove(&mut self, object: Value<'_>, name: &str) {
        let ends: Vec<(Value<'_>, u32)> =
            object.members().map(|(key, value)| (key, value.span().end)).collect();
        for pair in ends.windows(2) {
            if let [(_, start), (key, end)] = pair
                && key.is_str(name)
            {
                self.raw(Span { start: *start, end: *end }, String::new());
            }
        }
    }

    /// Whether nothing is replaced.
    pub(super) fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// The JSON text of `value` with the replacements in it.
    pub(super) fn apply(mut self, value: Value<'_>) -> Option<String> {
        self.edits.sort_by_key(|(span, _)| *span);
        let (text, mut at, mut out) = (value.tape().text, value.span().start, String::new());
        for (span, json) in &self.edits {
            out.push_str(text.get(at as usize..span.start as usize)?);
            out.push_str(json);
            at = span.end;
        }
        out.push_str(text.get(at as usize..value.span().end as usize)?);
        Some(out)
    }
}

/// What the string member `name` says; empty where there is none.
pub(super) fn text(object: Value<'_>, name: &str) -> String {
    object.get(name).and_then(Value::as_str).unwrap_or_default().into_owned()
}

/// Whether the member `name` is there and says something: not `null`, `false`, nor an empty string.
pub(super) fn says(object: Value<'_>, name: &str) -> bool {
    object.get(name).is_some_and(|value| {
        value.kind() != JsonKind::Null && !matches!(value.text(), "false" | "\"\"")
    })
}

/// Whether a tool is one of ours, by the name that any host gives it: `mcp__caveman__caveman_retrieve`,
/// `mcp_caveman_caveman_retrieve`, `caveman_caveman_retrieve`, `MCP:caveman_retrieve`.
pub(super) fn is_our_tool(name: &str) -> bool {
    name.contains("caveman_") || name.contains("cavemem_") || name.contains("__caveman__")
}

/// Whether a command line calls us: what it prints was shortened, or asked for.
pub(super) fn is_our_command(command: &str) -> bool {
    command.contains("caveman-mcp") || command.contains("cavemem")
}

/// Strings as a JSON array.
pub(super) fn strings<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let mut out = String::from("[");
    for text in texts {
        if out.len() > 1 {
            out.push(',');
        }
        write_string(text, &mut out);
    }
    out.push(']');
    out
}

/// Shortens the texts of an MCP result: content blocks, alone or as the member `content`, or a string. `None` where
/// nothing is shortened, and where the result is an error.
pub(super) fn shorten_blocks(
    result: Value<'_>,
    shortener: &mut Shortener<'_>,
    splice: &mut Splice,
) -> Option<()> {
    if says(result, "isError") {
        return None;
    }
    // Where there is a structured result too, the host shows that one.
    if says(result, "structuredContent") {
        return None;
    }
    let texts: Vec<Value<'_>> = match result.kind() {
        JsonKind::String => vec![result],
        JsonKind::Object => result.get("content")?.elements().filter_map(text_of_block).collect(),
        _ => result.elements().filter_map(text_of_block).collect(),
    };
    for value in texts {
        if let Some(shorter) = value.as_str().and_then(|text| shortener.shorten(&text, Use::Output))
        {
            splice.text(value, &shorter);
        }
    }
    (!splice.is_empty()).then_some(())
}

/// The text of a content block that is text.
pub(super) fn text_of_block(block: Value<'_>) -> Option<Value<'_>> {
    block.get("type").is_some_and(|kind| kind.is_str("text")).then(|| block.get("text"))?
}
