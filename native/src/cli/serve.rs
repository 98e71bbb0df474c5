//! `serve`: the MCP server on stdin and stdout.

use super::Failure;
use crate::host::SystemHost;
use crate::log;
use crate::settings::Settings;
use crate::signals::Signals;
use crate::stdio::{self, Compression, Stdin};
use crate::store::{self, Lifetime};
use caveman_core::mcp::{self, Session, Tool};
use std::io;

/// Serve MCP on stdin and stdout.
#[derive(Debug, Default, clap::Args)]
#[command(after_help = "\
What a host runs; `caveman-mcp install HOST` tells it to. Newline-delimited JSON-RPC on stdin and stdout; logs go to stderr.\n\
It ends with its input, at SIGTERM and at SIGINT. It opens no connection and starts no process.\n\n\
Examples:\n  \
caveman-mcp serve\n  \
caveman-mcp serve --tools retrieve     only what markers need: fewer tokens in each prompt")]
pub(super) struct Args {
    /// List only these tools, comma separated, e.g. `retrieve`. Default: CAVEMAN_MCP_TOOLS, else all five.
    #[arg(long, value_name = "LIST")]
    pub(super) tools: Option<String>,
}

pub(super) fn run(args: &Args, settings: &Settings) -> Result<(), Failure> {
    let tools = tools(args, settings)?;
    let signals = Signals::install()
        .map_err(|error| Failure::failed(format!("cannot watch for signals: {error}")))?;
    let mut session = Session::new(&tools);
    let mut store = store::of(settings, Lifetime::Session);
    log::info(format_args!("serving {} tools on stdin and stdout", tools.len()));
    let input = Stdin::default();
    let mut service = Compression { session: &mut session, store: &mut *store, host: &SystemHost };
    stdio::serve(&mut service, &signals, input, io::stdout().lock())
        .map_err(|error| Failure::failed(format!("cannot read stdin: {error}")))?;
    log::info(format_args!("the input has ended"));
    Ok(())
}

/// A wrong flag is a wrong usage; a wrong variable must not keep the server from starting.
fn tools(args: &Args, settings: &Settings) -> Result<Vec<Tool>, Failure> {
    if let Some(list) = &args.tools {
        return mcp::subset(list).map_err(|error| Failure::usage(format!("--tools: {error}")));
    }
    let Some(list) = &settings.tools else { return Ok(mcp::ALL.to_vec()) };
    Ok(mcp::subset(list).unwrap_or_else(|error| {
        log::warn(format_args!("CAVEMAN_MCP_TOOLS: {error}; all are served"));
        mcp::ALL.to_vec()
    }))
}
