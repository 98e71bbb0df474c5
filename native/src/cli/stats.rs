//! `stats`: what the recovery store has seen, from its running totals.

use super::{Failure, output};
use crate::settings::Settings;
use crate::store::{Access, SqliteStore, TokensOfKind};
use caveman_core::mcp::{self, Object};
use caveman_core::store::RecoveryStore;
use caveman_core::tokens;
use output::grouped;

/// Print how many tokens were saved on this machine: ever, and by kind of what is kept.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Counted over all originals ever stored here, by servers, hooks and commands; what a server has saved in its own session, \
its tool caveman_stats tells. Figures are inferred: tokens of originals less tokens of outputs, retrieves not taken off.")]
pub(super) struct Args {
    /// As JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, settings: &Settings) -> Result<(), Failure> {
    let mut store = SqliteStore::of(settings, Access::ReadOnly)?;
    // Before the first original there is no store: nothing saved, and nothing wrong.
    let ((before, after), kinds) = if store.exists() {
        (store.tokens_ever()?, store.tokens_by_kind()?)
    } else {
        ((0, 0), Vec::new())
    };
    let info = store.info();
    if args.json {
        let line = Object::new()
            .number("tokens_before", before)
            .number("tokens_after", after)
            .raw("ratio", &mcp::ratio(before, after))
            .text("basis", "inferred")
            .text("token_count_basis", tokens::BASIS)
            .text("scope", "store")
            .raw("kinds", &format!("[{}]", kinds.iter().map(kind).collect::<Vec<_>>().join(",")))
            .raw("store", &mcp::store_figures(&info).finish());
        return output::text(&line.finish());
    }
    let saved = before.saturating_sub(after);
    let kinds: String = kinds
        .iter()
        .map(|kind| {
            let saved = kind.before.saturating_sub(kind.after);
            let share = saved.saturating_mul(100) / kind.before.max(1);
            let (n_originals, saved) = (grouped(kind.n_originals), grouped(saved));
            format!("  {:<14}{n_originals:>8}  {saved:>14} ({share} %)\n", kind.name)
        })
        .collect();
    let kinds = match kinds.as_str() {
        "" => String::new(),
        kinds => format!("\n  {:<14}{:>8}  {:>14}\n{kinds}", "kind", "kept", "tokens saved"),
    };
    output::text(&format!(
        "tokens before   {}\ntokens after    {}\ntokens saved    {} ({} %, inferred)\noriginals kept  {} ({} bytes)\nstore           {}\n{kinds}",
        grouped(before),
        grouped(after),
        grouped(saved),
        saved.saturating_mul(100) / before.max(1),
        grouped(info.entries),
        grouped(info.bytes),
        info.state,
    ))
}

fn kind(kind: &TokensOfKind) -> String {
    Object::new()
        .text("content_type", &kind.name)
        .number("originals", kind.n_originals)
        .number("tokens_before", kind.before)
        .number("tokens_after", kind.after)
        .finish()
}
