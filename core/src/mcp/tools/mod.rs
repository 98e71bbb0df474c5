//! The five tools: one file each, one line each in [`ALL`].

mod compress;
mod retrieve;
mod stats;
mod toon_decode;
mod toon_encode;

pub use compress::figures;
pub use stats::{Totals, store_figures};

use super::ledger::Ledger;
use super::render::quoted;
use super::server::{Arguments, Content, Failure};
use crate::prelude::*;
use crate::store::RecoveryStore;
use core::fmt;

/// Every tool, in the order in which they are listed.
pub const ALL: &[Tool] =
    &[compress::TOOL, retrieve::TOOL, stats::TOOL, toon_encode::TOOL, toon_decode::TOOL];

/// A tool: what hosts are told of it, and what it does.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// Its name on the wire.
    pub name: &'static str,
    /// Its definition as listed, JSON text. Of the hints, those are given whose defaults would have a host ask for consent:
    /// a read-only tool needs no more than that. `openWorldHint` on all five would make the list 322 tokens, of 300.
    pub definition: &'static str,
    /// Answers one call. Totals and ledger change only when it gives content.
    pub call: Handler,
}

/// What answers a call.
pub type Handler =
    for<'a> fn(&mut Context<'_>, arguments: Arguments<'a>) -> Result<Content<'a>, Failure>;

/// What a tool may use.
pub struct Context<'c> {
    /// Where originals are.
    pub store: &'c mut dyn RecoveryStore,
    /// Milliseconds since the Unix epoch.
    pub now_ms: u64,
    /// The session's totals.
    pub totals: &'c mut Totals,
    /// The session's ledger; `None` when it has none.
    pub ledger: Option<&'c mut Ledger>,
}

/// A name in a list of tools that no tool has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownTool(String);

impl fmt::Display for UnknownTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = ALL.iter().map(short).collect();
        write!(f, "no such tool: {}; the tools are {}", quoted(&self.0, 64), names.join(", "))
    }
}

impl core::error::Error for UnknownTool {}

/// The tools that a comma-separated list names, with or without `caveman_`, in the order of [`ALL`]; an empty list names all.
pub fn subset(list: &str) -> Result<Vec<Tool>, UnknownTool> {
    let names: Vec<&str> = list.split(',').map(str::trim).filter(|n| !n.is_empty()).collect();
    let is = |tool: &Tool, name: &str| name == tool.name || name == short(tool);
    if let Some(unknown) = names.iter().find(|name| !ALL.iter().any(|tool| is(tool, name))) {
        return Err(UnknownTool((*unknown).to_owned()));
    }
    let is_named = |tool: &&Tool| names.is_empty() || names.iter().any(|name| is(tool, name));
    Ok(ALL.iter().filter(is_named).copied().collect())
}

fn short(tool: &Tool) -> &'static str {
    tool.name.strip_prefix("caveman_").unwrap_or(tool.name)
}
