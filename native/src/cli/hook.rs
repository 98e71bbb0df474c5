//! `hook`: what a host runs after each tool call, to have a large result replaced before the model reads it.
//!
//! Whatever goes wrong, it prints nothing and ends with status 0: to a host another status may mean that the call is to be
//! blocked.

use super::{Failure, output};
use crate::hook::{self, Protocol, Shortener};
use crate::host::SystemHost;
use crate::log;
use crate::settings::Settings;
use crate::store::{self, Lifetime};
use caveman_core::host::Host;
use std::io::{self, IsTerminal, Read};
use std::panic::{self, AssertUnwindSafe};

/// Answer a host's post-tool hook: shorten a large tool result before the model reads it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The host writes its hook input to stdin and reads what replaces the result from stdout. Nothing on stdout leaves the result \
as it was: results below 400 tokens, failed calls, results of caveman-mcp, and whatever is not understood. The status is \
always 0.\n\n\
Set up by: caveman-mcp install HOST --hook")]
pub(super) struct Args {
    /// Whose hook: claude-code, codex, cursor, gemini, opencode.
    host: String,
}

pub(super) fn run(args: &Args, settings: &Settings) -> Result<(), Failure> {
    let Some(protocol) = Protocol::of(&args.host) else {
        let names: Vec<&str> = hook::ALL.iter().map(|protocol| protocol.name).collect();
        let text = format!("no such hook: {:?}; the hooks are {}", args.host, names.join(", "));
        return if io::stdin().is_terminal() { Err(Failure::usage(text)) } else { quiet(&text) };
    };
    // What a panic says may hold a piece of the result.
    panic::set_hook(Box::new(|_| {}));
    let answered = panic::catch_unwind(AssertUnwindSafe(|| answer(protocol, settings)));
    match answered {
        Ok(Some(answer)) => output::text(&answer).or_else(|failure| quiet(&failure.text)),
        Ok(None) => Ok(()),
        Err(_) => quiet("a panic; the result stays as it was"),
    }
}

fn answer(protocol: &Protocol, settings: &Settings) -> Option<String> {
    let mut input = Vec::new();
    io::stdin().lock().take(hook::MAX_INPUT_BYTES + 1).read_to_end(&mut input).ok()?;
    if input.len() as u64 > hook::MAX_INPUT_BYTES {
        return None;
    }
    let mut store = store::of(settings, Lifetime::Command);
    let mut shortener = Shortener::new(&mut *store, SystemHost.now_ms());
    protocol.answer(std::str::from_utf8(&input).ok()?, &mut shortener)
}

/// Nothing happened, for the host; who sets `CAVEMAN_LOG=debug` is told.
fn quiet(why: &str) -> Result<(), Failure> {
    log::debug(format_args!("hook: {why}"));
    Ok(())
}
