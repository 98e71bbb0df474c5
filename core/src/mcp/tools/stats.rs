//! `caveman_stats`: what this process has done, and the state of its store.

use super::{Context, Tool};
use crate::mcp::render::{self, Object};
use crate::mcp::server::{Arguments, Block, Content, Failure};
use crate::prelude::*;
use crate::store::StoreInfo;
use crate::tokens;

pub(super) const TOOL: Tool = Tool {
    name: "caveman_stats",
    definition: r#"{"name":"caveman_stats","title":"Stats","description":"Tokens saved","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}"#,
    call,
};

/// Sums over one process. A process may serve several conversations, so these are not a conversation's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// o200k tokens of the payloads given to compress.
    pub tokens_before: u64,
    /// o200k tokens of what it gave back.
    pub tokens_after: u64,
    /// Calls of compress.
    pub requests: u64,
    /// Those that gave the payload back as it came.
    pub passed_through: u64,
    /// Answered calls of retrieve.
    pub retrieves: u64,
    /// o200k tokens of their answers.
    pub retrieved_tokens: u64,
}

impl Totals {
    /// Counts one call of compress.
    pub(super) fn compressed(&mut self, before: u64, after: u64, passed_through: bool) {
        self.requests += 1;
        self.passed_through += u64::from(passed_through);
        self.tokens_before = self.tokens_before.saturating_add(before);
        self.tokens_after = self.tokens_after.saturating_add(after);
    }

    /// Counts one answer of retrieve.
    pub(super) fn retrieved(&mut self, n_tokens: u64) {
        self.retrieves += 1;
        self.retrieved_tokens = self.retrieved_tokens.saturating_add(n_tokens);
    }
}

fn call<'a>(context: &mut Context<'_>, _: Arguments<'a>) -> Result<Content<'a>, Failure> {
    let totals = *context.totals;
    let info = context.store.info();
    let store = store_figures(&info);
    let line = Object::new()
        .number("tokens_before", totals.tokens_before)
        .number("tokens_after", totals.tokens_after)
        .raw("ratio", &render::ratio(totals.tokens_before, totals.tokens_after))
        .number("requests", totals.requests)
        .number("passed_through", totals.passed_through)
        .number("retrieves", totals.retrieves)
        .number("retrieved_tokens", totals.retrieved_tokens)
        .text("basis", "inferred")
        .text("token_count_basis", tokens::BASIS)
        .text("scope", "session")
        .raw("store", &store.finish());
    Ok(Content { blocks: vec![Block::Text(Cow::Owned(line.finish()))], ..Content::default() })
}

/// What is said of a store: the member `store` of the wire.
pub fn store_figures(info: &StoreInfo) -> Object {
    Object::new()
        .text("kind", info.kind)
        .number("entries", info.entries)
        .number("bytes", info.bytes)
        .number("limit_bytes", info.limit_bytes)
        .text("state", &info.state)
}
