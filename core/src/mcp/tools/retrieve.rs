//! `caveman_retrieve`: an original back, byte for byte; with a query the units that match; in pages when it is very long.

use super::{Context, Tool};
use crate::engine;
use crate::mcp::ledger::{Ask, PAY_OUT_MAX_TOKENS, Said};
use crate::mcp::render;
use crate::mcp::server::{Arguments, Block, Content, Failure, Size, ToolError};
use crate::prelude::*;
use crate::store::{Reference, StoreError, StoreErrorKind};
use crate::tokens;

pub(super) const TOOL: Tool = Tool {
    name: "caveman_retrieve",
    definition: r#"{"name":"caveman_retrieve","title":"Retrieve","description":"Get an original by its handle; query: only matching parts","inputSchema":{"type":"object","properties":{"recovery_handle":{"type":"string"},"query":{"type":"string"}},"required":["recovery_handle"]},"annotations":{"readOnlyHint":true},"_meta":{"anthropic/alwaysLoad":true,"anthropic/maxResultSizeChars":500000}}"#,
    call,
};

/// Longest text of one answer in bytes of JSON, unless the caller sets a limit. Clients drop the connection above 10 MiB.
const PAGE_WIRE_BYTES: usize = 8 * 1024 * 1024;

/// A page ends at a line end when there is one so near to its own end, in bytes.
const LINE_END_WITHIN: usize = 64 * 1024;

fn call<'a>(context: &mut Context<'_>, arguments: Arguments<'a>) -> Result<Content<'a>, Failure> {
    let [handle, query, offset, limit] =
        arguments.get(["recovery_handle", "query", "offset", "limit"]);
    let handle = Arguments::text("recovery_handle", handle)?
        .ok_or_else(|| ToolError::argument("recovery_handle", "is missing; it must be a string"))?;
    let query = Arguments::text("query", query)?;
    let query = query.as_deref().map(str::trim).filter(|q| !q.is_empty());
    let offset = Arguments::number("offset", offset)?;
    let limit = Arguments::number("limit", limit)?;
    let Some(reference) = Reference::parse(&handle) else {
        let shown = render::quoted(&handle, 64);
        let message = format!("{shown} holds no handle; a handle is ccr_ and 32 hex digits");
        return Err(ToolError::new("cave_unknown_handle", message).into());
    };
    if offset.is_some() || limit.is_some() {
        let mut content = page(context, &reference, offset.unwrap_or(0), limit)?;
        if query.is_some() {
            content.blocks.push(note(
                "the query was not applied: offset and limit read the original".to_owned(),
            ));
        }
        return Ok(content);
    }
    let ask = Ask::new(&reference, query);
    if context.ledger.as_deref().is_some_and(|ledger| ledger.is_answered(ask)) {
        return Ok(pointer(context, &reference, query, ask));
    }
    let retrieved = engine::retrieve(context.store, context.now_ms, &reference, query)
        .map_err(|error| failure(&reference, &error))?;
    let owed = context.ledger.as_deref().is_some_and(|ledger| ledger.owes_original(ask));
    let n_tokens = |original: &[u8]| match (retrieved.tokens_before, core::str::from_utf8(original))
    {
        (0, Ok(text)) => tokens::count(text),
        (recorded, _) => recorded,
    };
    let mut blocks = Vec::new();
    let n_retrieved = match retrieved.view {
        Some(view) if !owed => {
            let n_view = tokens::count(&view.text);
            blocks.push(Block::Text(Cow::Owned(view.text)));
            n_view
        }
        Some(view) if n_tokens(&retrieved.original) > PAY_OUT_MAX_TOKENS => {
            let n_view = tokens::count(&view.text);
            blocks.push(Block::Text(Cow::Owned(view.text)));
            blocks.push(note(format!(
                "the whole original is {} tokens; to read it page by page, call {}",
                n_tokens(&retrieved.original),
                next_call(&reference, 0, Some(65_536)),
            )));
            n_view
        }
        view => {
            let n_original = n_tokens(&retrieved.original);
            let whole = Page::fitting(&retrieved.original, 0);
            let next = whole.note(&reference, retrieved.original.len(), None);
            blocks.push(whole.block(retrieved.original));
            if view.is_some() {
                blocks.push(note(
                    "this is the whole original, not only what the query selects: it was searched \
                     often enough"
                        .to_owned(),
                ));
            }
            blocks.extend(next);
            n_original
        }
    };
    if let Some(ledger) = context.ledger.as_deref_mut() {
        ledger.record(ask, Said::Content);
        if owed {
            ledger.settle(ask);
        }
    }
    context.totals.retrieved(n_retrieved);
    Ok(Content { blocks, size: Size::Exempt })
}

/// The bytes that the caller names; a caller that pages is not a model going round in circles, so the ledger keeps out.
fn page<'a>(
    context: &mut Context<'_>,
    reference: &Reference,
    offset: u64,
    limit: Option<u64>,
) -> Result<Content<'a>, Failure> {
    if limit == Some(0) {
        return Err(ToolError::argument("limit", "must be at least 1 byte").into());
    }
    let original = engine::retrieve(context.store, context.now_ms, reference, None)
        .map_err(|error| failure(reference, &error))?
        .original;
    let n_bytes = original.len();
    let start = usize::try_from(offset).unwrap_or(usize::MAX);
    if start > n_bytes {
        let problem = format!("is past the end: the original has {n_bytes} bytes");
        return Err(ToolError::argument("offset", &problem).into());
    }
    let page = match limit {
        Some(limit) => {
            let end = start.saturating_add(usize::try_from(limit).unwrap_or(usize::MAX));
            Page::exactly(&original, start, end.min(n_bytes))
        }
        None => Page::fitting(&original, start),
    };
    let about = page.note(reference, n_bytes, limit);
    let block = page.block(original);
    let n_tokens = if let Block::Text(text) = &block { tokens::count(text) } else { 0 };
    context.totals.retrieved(n_tokens);
    let blocks = core::iter::once(block).chain(about).collect();
    Ok(Content { blocks, size: Size::Exempt })
}

/// A range of an original, and how it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Page {
    start: usize,
    end: usize,
    form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Text,
    Base64,
}

impl Page {
    /// These bytes, however long they are.
    fn exactly(original: &[u8], start: usize, end: usize) -> Page {
        let bytes = original.get(start..end).unwrap_or_default();
        let form = match core::str::from_utf8(bytes) {
            Ok(_) => Form::Text,
            Err(_) => Form::Base64,
        };
        Page { start, end, form }
    }

    /// What follows `start`, as much as fits into one answer.
    fn fitting(original: &[u8], start: usize) -> Page {
        let rest = original.get(start..).unwrap_or_default();
        let Ok(text) = core::str::from_utf8(rest) else {
            let end = original.len().min(start.saturating_add(PAGE_WIRE_BYTES / 4 * 3));
            return Page { start, end, form: Form::Base64 };
        };
        let mut n_wire = 2;
        let too_long = text.bytes().position(|byte| {
            n_wire += render::escaped_len(byte);
            n_wire > PAGE_WIRE_BYTES
        });
        let len = too_long.map_or(text.len(), |at| {
            let at = text.floor_char_boundary(at);
            let tail = rest.get(at.saturating_sub(LINE_END_WITHIN)..at).unwrap_or_default();
            memchr::memrchr(b'\n', tail).map_or(at, |line_end| at - tail.len() + line_end + 1)
        });
        Page { start, end: start + len, form: Form::Text }
    }

    fn block<'a>(self, mut original: Vec<u8>) -> Block<'a> {
        let bytes = original.get(self.start..self.end).unwrap_or_default();
        let text = match self.form {
            Form::Base64 => base64(bytes),
            Form::Text => {
                original.truncate(self.end);
                original.drain(..self.start);
                // Checked when the form was chosen; were it ever wrong, the bytes would still not be altered.
                String::from_utf8(original).unwrap_or_else(|error| base64(error.as_bytes()))
            }
        };
        Block::Text(Cow::Owned(text))
    }

    /// What a reader must know of the page: its form, which bytes it holds, and the exact call for the next one.
    fn note<'a>(
        self,
        reference: &Reference,
        n_bytes: usize,
        limit: Option<u64>,
    ) -> Option<Block<'a>> {
        let Page { start, end, form } = self;
        let mut parts = Vec::new();
        if form == Form::Base64 {
            parts.push("base64, because the bytes are not UTF-8 text".to_owned());
        }
        if (start, end) != (0, n_bytes) {
            parts.push(format!("bytes {start} to {end} of {n_bytes}"));
            parts.push(if end < n_bytes {
                format!("the next are {}", next_call(reference, end, limit))
            } else {
                "these are the last".to_owned()
            });
        }
        (!parts.is_empty()).then(|| note(parts.join("; ")))
    }
}

/// The call that reads on at `offset`.
fn next_call(reference: &Reference, offset: usize, limit: Option<u64>) -> String {
    let limit = limit.map(|limit| format!(",\"limit\":{limit}")).unwrap_or_default();
    format!("caveman_retrieve {{\"recovery_handle\":\"{reference}\",\"offset\":{offset}{limit}}}")
}

fn note<'a>(text: String) -> Block<'a> {
    Block::Text(Cow::Owned(format!("[caveman: {text}]")))
}

/// One line in the place of content that this process has sent before.
fn pointer<'a>(
    context: &mut Context<'_>,
    reference: &Reference,
    query: Option<&str>,
    ask: Ask,
) -> Content<'a> {
    let asked = match query {
        Some(query) => format!("query {} on {reference}", render::quoted(query, 60)),
        None => reference.to_string(),
    };
    let line = format!(
        "[caveman: {asked} was already answered above; ask once more to have it sent again]"
    );
    if let Some(ledger) = context.ledger.as_deref_mut() {
        ledger.record(ask, Said::Pointer);
    }
    context.totals.retrieved(tokens::count(&line));
    Content { blocks: vec![Block::Text(Cow::Owned(line))], size: Size::Exempt }
}

fn failure(reference: &Reference, error: &StoreError) -> Failure {
    match error.kind() {
        StoreErrorKind::Pending => Failure::Pending(reference.clone()),
        _ => Failure::Tool(ToolError::new(error.code(), error.to_string())),
    }
}

/// Base64 with padding (RFC 4648, section 4).
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let three = [0, 1, 2].map(|at| u32::from(group.get(at).copied().unwrap_or(0)));
        let bits = three.into_iter().fold(0, |bits, byte| bits << 8 | byte);
        for at in 0..4_usize {
            let digit = usize::try_from(bits >> (18 - 6 * at) & 63).unwrap_or_default();
            let digit = DIGITS.get(digit).copied().unwrap_or_default();
            out.push(if at <= group.len() { char::from(digit) } else { '=' });
        }
    }
    out
}
