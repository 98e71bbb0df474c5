//! `stats`: what the recovery store has seen, from its running totals.

use super::{Failure, output};
use crate::settings::Settings;
use crate::store::{Access, SqliteStore};
use caveman_core::mcp::{self, Object};
use caveman_core::store::RecoveryStore;
use caveman_core::tokens;
use output::grouped;

/// Print how many tokens were saved, over all originals ever stored here.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// As JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, settings: &Settings) -> Result<(), Failure> {
    let mut store = SqliteStore::of(settings, Access::ReadOnly)?;
    // Before the first original there is no store: nothing saved, and nothing wrong.
    let (before, after) = if store.exists() { store.tokens_ever()? } else { (0, 0) };
    let info = store.info();
    if args.json {
        let line = Object::new()
            .number("tokens_before", before)
            .number("tokens_after", after)
            .raw("ratio", &mcp::ratio(before, after))
            .text("basis", "inferred")
            .text("token_count_basis", tokens::BASIS)
            .text("scope", "store")
            .raw("store", &mcp::store_figures(&info).finish());
        return output::text(&line.finish());
    }
    let saved = before.saturating_sub(after);
    output::text(&format!(
        "tokens before   {}\ntokens after    {}\ntokens saved    {} ({} %, inferred)\noriginals kept  {} ({} bytes)\nstore           {}\n",
        grouped(before),
        grouped(after),
        grouped(saved),
        saved.saturating_mul(100) / before.max(1),
        grouped(info.entries),
        grouped(info.bytes),
        info.state,
    ))
}
