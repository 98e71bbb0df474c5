//! `retrieve`: an original back, whole or by query.

use super::{Failure, output};
use crate::host::SystemHost;
use crate::settings::Settings;
use crate::store::{self, Lifetime};
use caveman_core::engine;
use caveman_core::host::Host;
use caveman_core::mcp::Object;
use caveman_core::store::Reference;
use output::grouped;

/// Print an original, byte for byte, or the parts of it that match.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Any form that a model may copy is taken: ccr_…, with quotes, backticks, or the call around it.\n\
Status 1: no such original, or it has expired; 74: the store cannot be read.\n\n\
Examples:\n  \
caveman-mcp retrieve ccr_0123… > app.log           byte for byte\n  \
caveman-mcp retrieve ccr_0123… --query 'ord-1017'   the lines, rows or records that match, whole\n  \
caveman-mcp retrieve ccr_0123… --json               how large it is")]
pub(super) struct Args {
    /// The handle, as the output names it: ccr_ and 32 hexadecimal digits.
    handle: String,
    /// Print only the units that match these words.
    #[arg(short, long, value_name = "WORDS")]
    query: Option<String>,
    /// Print what is known of the original as JSON instead.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, settings: &Settings) -> Result<(), Failure> {
    let reference = Reference::parse(&args.handle).ok_or_else(|| {
        let shown = &args.handle;
        Failure::usage(format!("{shown:?} is no handle: give ccr_ and 32 hexadecimal digits"))
    })?;
    let mut store = store::of(settings, Lifetime::Command);
    let query = args.query.as_deref();
    let found = engine::retrieve(&mut *store, SystemHost.now_ms(), &reference, query)?;
    if args.json {
        let figures = Object::new()
            .text("recovery_handle", &reference.to_string())
            .number("bytes", found.original.len() as u64)
            .number("tokens_before", found.tokens_before);
        let figures = match &found.view {
            Some(view) => figures
                .number("units_shown", view.n_shown.into())
                .number("units_matching", view.n_matching.into())
                .number("view_bytes", view.text.len() as u64),
            None => figures,
        };
        return output::text(&figures.finish());
    }
    match &found.view {
        Some(view) => output::text(&view.text)?,
        None => output::payload(&found.original)?,
    }
    if output::is_terminal() {
        let n_bytes = grouped(found.original.len() as u64);
        output::summary(&match &found.view {
            Some(view) => {
                format!(
                    "{} of {} matching units, of {n_bytes} bytes",
                    view.n_shown, view.n_matching
                )
            }
            None => format!("the original, {n_bytes} bytes"),
        });
    }
    Ok(())
}
