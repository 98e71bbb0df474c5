//! JSON Schemas as type expressions: `array<{from: integer minimum 0, to?: integer|null}>`.

use super::prose::Prose;
use crate::elide::mask::{self, HashedMap};
use crate::json::{self, JsonKind, Value};
use crate::prelude::*;

/// Schemas deeper than this are written as JSON. Our choice.
const MAX_DEPTH: usize = 12;
/// A schema or description that stood before is named, not repeated, from this length on. Our choice.
const MIN_REPEATED: usize = 32;

/// What was told before, by hash: the name of the tool that tells it.
type Told = HashedMap<String>;

/// A line for each parameter of a tool; what is said of all of them are remarks.
pub(super) fn parameters(
    input: Value<'_>,
    tool: &str,
    prose: &mut Prose<'_>,
    told: &mut Told,
    out: &mut String,
    remarks: &mut Vec<String>,
) -> Option<()> {
    let required = required(input);
    for (key, value) in input.get("properties").into_iter().flat_map(Value::members) {
        let name = key.as_str()?;
        let mark = if required.contains_key(&mask::hash(&name)) { "" } else { "?" };
        out.push_str(&format!(" {name}{mark} "));
        let mut line = String::new();
        expression(value, prose, 0, &mut line)?;
        if let Some(description) = value.get("description") {
            let said = prose.shorten(description)?;
            if !said.is_empty() {
                line.push_str(": ");
                let hash = mask::mix(mask::hash(&name), mask::hash(&said));
                if said.len() >= MIN_REPEATED && told.insert(hash, tool.to_owned()).is_some() {
                    line.push_str("(as above)");
                } else {
                    line.push_str(&said);
                }
            }
        }
        out.push_str(&line);
        out.push('\n');
    }
    for (key, value) in input.members() {
        let key = key.as_str()?;
        match key.as_ref() {
            "properties" | "required" | "$schema" | "type" => {}
            "additionalProperties" if value.text() == "false" => {
                remarks.push("no other properties".to_owned());
            }
            "title" => prose.title(value),
            "examples" | "example" => prose.examples(value),
            "description" => remarks.push(prose.shorten(value)?),
            "$defs" | "definitions" => {
                let hash = mask::mix(mask::hash(value.text()), 1);
                if let Some(before) = told.get(&hash) {
                    out.push_str(&format!(" {key} as of {before}\n"));
                    continue;
                }
                told.insert(hash, tool.to_owned());
                for (name, schema) in value.members() {
                    out.push_str(&format!(" where {} = ", name.as_str()?));
                    once(schema, tool, prose, told, out)?;
                    out.push('\n');
                }
            }
            _ => {
                let mut said = format!("{key} ");
                json::minify(value.text(), &mut said);
                remarks.push(said);
            }
        }
    }
    Some(())
}

/// A schema as an expression; where the same one was told before, of which tool.
pub(super) fn once(
    schema: Value<'_>,
    tool: &str,
    prose: &mut Prose<'_>,
    told: &mut Told,
    out: &mut String,
) -> Option<()> {
    let text = schema.text();
    if text.len() >= MIN_REPEATED {
        let hash = mask::mix(mask::hash(text), 1);
        if let Some(before) = told.get(&hash) {
            out.push_str(&format!("(as of {before})"));
            return Some(());
        }
        told.insert(hash, tool.to_owned());
    }
    expression(schema, prose, 0, out)?;
    if let Some(description) = schema.get("description") {
        let said = prose.shorten(description)?;
        out.push_str(&format!(": {said}"));
    }
    Some(())
}

/// The names in `required`.
fn required(schema: Value<'_>) -> HashedMap<()> {
    let names = schema.get("required").into_iter().flat_map(Value::elements);
    names.filter_map(Value::as_str).map(|name| (mask::hash(&name), ())).collect()
}

/// Writes a schema, its own description left out.
fn expression(
    schema: Value<'_>,
    prose: &mut Prose<'_>,
    depth: usize,
    out: &mut String,
) -> Option<()> {
    if schema.kind() != JsonKind::Object || depth >= MAX_DEPTH {
        json::minify(schema.text(), out);
        return Some(());
    }
    let start = out.len();
    let word = |out: &mut String| {
        if out.len() > start {
            out.push(' ');
        }
    };
    let kind = schema.get("type");
    let has_enum = schema.get("enum").is_some_and(|v| v.kind() == JsonKind::Array);
    let has_shape = schema.get("properties").is_some_and(|v| !v.is_empty());
    let has_items = schema.get("items").is_some();
    if let Some(kind) = kind {
        let is_told = has_enum && kind.is_str("string")
            || has_shape && kind.is_str("object")
            || has_items && kind.is_str("array");
        if !is_told {
            alternatives(kind, is_type_name, out)?;
        }
    }
    for (key, value) in schema.members() {
        let key = key.as_str()?;
        match key.as_ref() {
            "type" | "description" | "required" | "$schema" => {}
            "title" if value.kind() == JsonKind::String => prose.title(value),
            "examples" | "example" => prose.examples(value),
            "enum" if has_enum => {
                word(out);
                alternatives(value, is_word, out)?;
            }
            "const" => {
                word(out);
                out.push('=');
                json::minify(value.text(), out);
            }
            "$ref" => {
                word(out);
                let said = value.as_str()?;
                let name =
                    said.strip_prefix("#/$defs/").or_else(|| said.strip_prefix("#/definitions/"));
                out.push_str(name.unwrap_or(&said));
            }
            "anyOf" | "oneOf" | "allOf" if value.kind() == JsonKind::Array => {
                word(out);
                out.push_str(&key);
                out.push('(');
                for (at, schema) in value.elements().enumerate() {
                    if at > 0 {
                        out.push_str(" | ");
                    }
                    described(schema, prose, depth + 1, out)?;
                }
                out.push(')');
            }
            "items" => {
                word(out);
                out.push_str("array<");
                described(value, prose, depth + 1, out)?;
                out.push('>');
            }
            "properties" if has_shape => {
                word(out);
                properties(schema, value, prose, depth, out)?;
            }
            "properties" => {}
            "additionalProperties" if value.text() == "false" => {
                word(out);
                out.push_str("closed");
            }
            "additionalProperties" if value.text() == "true" => {
                word(out);
                out.push_str("open");
            }
            "additionalProperties" if value.kind() == JsonKind::Object => {
                word(out);
                out.push_str("others: ");
                described(value, prose, depth + 1, out)?;
            }
            _ => {
                word(out);
                out.push_str(&key);
                out.push(' ');
                json::minify(value.text(), out);
            }
        }
    }
    if out.len() == start {
        out.push_str("any");
    }
    Some(())
}

/// `{a: string, b?: integer}`
fn properties(
    schema: Value<'_>,
    value: Value<'_>,
    prose: &mut Prose<'_>,
    depth: usize,
    out: &mut String,
) -> Option<()> {
    let required = required(schema);
    out.push('{');
    for (at, (name, value)) in value.members().enumerate() {
        let name = name.as_str()?;
        if at > 0 {
            out.push_str(", ");
        }
        out.push_str(&name);
        out.push_str(if required.contains_key(&mask::hash(&name)) { ": " } else { "?: " });
        described(value, prose, depth + 1, out)?;
    }
    out.push('}');
    Some(())
}

/// An expression with its description in brackets.
fn described(
    schema: Value<'_>,
    prose: &mut Prose<'_>,
    depth: usize,
    out: &mut String,
) -> Option<()> {
    expression(schema, prose, depth, out)?;
    if depth < MAX_DEPTH
        && let Some(description) =
            schema.get("description").filter(|d| d.kind() == JsonKind::String)
    {
        let said = prose.shorten(description)?;
        if !said.is_empty() {
            out.push_str(&format!(" ({said})"));
        }
    }
    Some(())
}

/// The values of a list with bars between; those that need none without their quotes.
fn alternatives(
    value: Value<'_>,
    needs_none: impl Fn(&str) -> bool,
    out: &mut String,
) -> Option<()> {
    let one = |value: Value<'_>, out: &mut String| match value.as_str() {
        Some(said) if needs_none(&said) => out.push_str(&said),
        _ => json::minify(value.text(), out),
    };
    if value.kind() != JsonKind::Array {
        one(value, out);
        return Some(());
    }
    for (at, element) in value.elements().enumerate() {
        if at > 0 {
            out.push('|');
        }
        one(element, out);
    }
    Some(())
}

/// Types are words, `null` among them.
fn is_type_name(text: &str) -> bool {
    text == "null" || is_word(text)
}

/// Whether a string needs no quotes among alternatives.
fn is_word(text: &str) -> bool {
    let is_plain =
        |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'/' | b':' | b'+');
    !text.is_empty()
        && text.bytes().all(is_plain)
        && !matches!(text, "true" | "false" | "null")
        && !text.bytes().all(|b| b.is_ascii_digit() || b == b'.' || b == b'-')
}
