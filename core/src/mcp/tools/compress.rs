//! `caveman_compress`: a payload in, its output and the figures out. It never fails on a payload.

use super::{Context, Tool};
use crate::engine::{self, Answer, Options};
use crate::kind::Kind;
use crate::mcp::render::{self, Object};
use crate::mcp::server::{Arguments, Block, Content, Failure, Input};
use crate::prelude::*;
use crate::store::{Handle, Reference, StoreErrorKind};

pub(super) const TOOL: Tool = Tool {
    name: "caveman_compress",
    definition: r#"{"name":"caveman_compress","title":"Compress","description":"Shrink text; the original stays retrievable","inputSchema":{"type":"object","properties":{"input":{"type":"string"},"content_type":{"type":"string"}},"required":["input"]},"annotations":{"destructiveHint":false,"openWorldHint":false}}"#,
    call,
};

fn call<'a>(context: &mut Context<'_>, arguments: Arguments<'a>) -> Result<Content<'a>, Failure> {
    let [input, content_type, alias] = arguments.get(["input", "content_type", "type"]);
    let (name, forced) = match content_type {
        Some(_) => ("content_type", content_type),
        None => ("type", alias),
    };
    let forced = Arguments::text(name, forced)?.filter(|name| !name.trim().is_empty());
    let input = match Arguments::payload("input", input)? {
        Input::Text(text) => text,
        Input::NotText(json) => return Ok(not_text(context, json)),
    };
    let kind = forced.as_deref().and_then(Kind::parse);
    let options = Options { content_type: kind, ..Options::default() };
    let answer = engine::compress(context.store, context.now_ms, input.as_bytes(), &options);
    let mut notes = Vec::new();
    if let (Some(name), None) = (&forced, kind) {
        let shown = render::quoted(name, 40);
        notes.push(format!("unknown content_type {shown}: detected instead"));
    }
    if let Some(error) = &answer.store_error {
        if error.kind() == StoreErrorKind::Pending {
            return Err(Failure::Pending(Reference::Handle(Handle::of(input.as_bytes()))));
        }
        notes.push(format!("{}: {error}", error.code()));
    }
    let figures = figures(&answer, &notes.join("; "));
    let passed_through = answer.reason.is_some();
    context.totals.compressed(answer.tokens_before, answer.tokens_after, passed_through);
    // A payload that was passed through goes out as the argument it came in as, without a copy.
    let output = match answer.output {
        Cow::Owned(bytes) => String::from_utf8(bytes).map(Cow::Owned).ok(),
        Cow::Borrowed(_) => None,
    };
    let output = output.unwrap_or(input);
    let blocks = vec![Block::Text(output), Block::Text(Cow::Owned(figures.finish()))];
    Ok(Content { blocks, ..Content::default() })
}

/// What is said of an answer beside its output: the one JSON line of the wire. An empty note is left out.
pub fn figures(answer: &Answer<'_>, note: &str) -> Object {
    let figures = Object::new()
        .raw("ratio", &render::ratio(answer.tokens_before, answer.tokens_after))
        .number("tokens_before", answer.tokens_before)
        .number("tokens_after", answer.tokens_after)
        .text("basis", "inferred")
        .text("content_type", answer.content_type.name());
    let figures = match answer.recovery_handle {
        Some(handle) => figures.text("recovery_handle", &handle.to_string()),
        None => figures.raw("recovery_handle", "null"),
    };
    let figures = figures
        .text("method", answer.method)
        .raw("lossless_to_model", if answer.lossless_to_model { "true" } else { "false" });
    let figures = match answer.reason {
        Some(reason) => figures.text("reason", reason.name()),
        None => figures,
    };
    let figures = match answer.within_budget {
        Some(is_within) => figures.raw("within_budget", if is_within { "true" } else { "false" }),
        None => figures,
    };
    if note.is_empty() { figures } else { figures.text("note", note) }
}

/// A string that is no Unicode text is given back as it came; the engine says of it what it says of all bytes that are no text.
fn not_text<'a>(context: &mut Context<'_>, json: &'a str) -> Content<'a> {
    /// Half of a surrogate pair, as it would be in UTF-8.
    const HALF: &[u8] = b"\xED\xA0\x80";
    let answer = engine::compress(context.store, context.now_ms, HALF, &Options::default());
    context.totals.compressed(answer.tokens_before, answer.tokens_after, true);
    let figures = figures(&answer, "").finish();
    let blocks = vec![Block::Json(json), Block::Text(Cow::Owned(figures))];
    Content { blocks, ..Content::default() }
}
