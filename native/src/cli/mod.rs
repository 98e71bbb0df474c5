//! The command line: what the user may say, and which file does it.
//!
//! stdout carries the payload and nothing else; what is said about it goes to stderr, or to stdout as JSON where `--json`
//! asks for that instead.

pub mod cavemem;
mod compress;
mod describe;
mod detect;
mod eval;
mod explain;
mod hook;
mod input;
mod install;
mod output;
mod pieces;
mod progress;
mod retrieve;
mod serve;
mod stats;
mod store;
mod toon;
mod version;

pub(crate) use output::grouped;

use crate::log;
use crate::settings::Settings;
use caveman_core::store::{StoreError, StoreErrorKind};
use clap::{CommandFactory, Parser, Subcommand};
use std::io::{self, IsTerminal};
use std::process::ExitCode;

/// Shrinks what an AI agent reads, and keeps every original recoverable on this machine.
#[derive(Debug, Parser)]
#[command(
    name = "caveman-mcp",
    disable_version_flag = true,
    args_conflicts_with_subcommands = true,
    after_help = "Without a command: serves MCP on stdin and stdout when stdin is not a terminal, else prints this.\n\n\
        Examples:\n  \
        cargo test 2>&1 | caveman-mcp compress        shrink a tool's output\n  \
        caveman-mcp compress --json app.log           what it is and what it saves\n  \
        caveman-mcp retrieve ccr_0123… > app.log      the original, byte for byte\n  \
        caveman-mcp retrieve ccr_0123… -q 'timeout'   the parts of it that match\n  \
        caveman-mcp install claude-code --hook        into a host, so that it happens by itself\n  \
        caveman-mcp doctor                            what is wrong\n\n\
        `caveman-mcp help VERB` says more of each.\n\n\
        Exit status: 0 done (a payload that cannot be shrunk is passed through), 1 failed, 2 wrong usage, 65 bad data, \
        74 the recovery store failed.\n\
        Environment: CAVEMAN_HOME (default ~/.caveman), CAVEMAN_CCR_DB, CAVEMAN_CCR_MAX_BYTES, \
        CAVEMAN_CCR_RETENTION_DAYS, CAVEMAN_MCP_EPHEMERAL, CAVEMAN_MCP_TOOLS, CAVEMAN_LOG."
)]
struct Cli {
    /// Print the version.
    #[arg(short = 'V', long)]
    version: bool,
    /// With --version: as JSON, with what this build is made of.
    #[arg(long, requires = "version")]
    json: bool,
    /// Without a command: list only these tools, comma separated, e.g. `retrieve`.
    #[arg(long, value_name = "LIST")]
    tools: Option<String>,
    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(Debug, Subcommand)]
enum Verb {
    Serve(serve::Args),
    Compress(compress::Args),
    Retrieve(retrieve::Args),
    Detect(detect::Args),
    Install(install::Args),
    Uninstall(install::UninstallArgs),
    Doctor(install::DoctorArgs),
    Hook(hook::Args),
    Stats(stats::Args),
    Eval(eval::Args),
    /// JSON to TOON and back.
    #[command(subcommand)]
    Toon(toon::Verb),
    /// Look after the recovery store.
    #[command(subcommand)]
    Store(store::Verb),
    #[command(after_help = describe::where_completions_go!("caveman-mcp"))]
    Completions(describe::CompletionsArgs),
    #[command(after_help = describe::where_the_page_goes!("caveman-mcp"))]
    Man(describe::ManArgs),
}

/// Why a command did not do what was asked, and the status that says so.
#[derive(Debug)]
struct Failure {
    status: u8,
    text: String,
}

/// What the user asked for cannot be meant.
const USAGE: u8 = 2;
/// The data given is not what the command takes (`EX_DATAERR` of sysexits).
const BAD_DATA: u8 = 65;
/// The recovery store failed (`EX_IOERR` of sysexits).
const STORE: u8 = 74;

impl Failure {
    /// It did not work.
    fn failed(text: impl Into<String>) -> Failure {
        Failure { status: 1, text: text.into() }
    }

    /// See [`USAGE`].
    fn usage(text: impl Into<String>) -> Failure {
        Failure { status: USAGE, text: text.into() }
    }

    /// See [`BAD_DATA`].
    fn bad_data(text: impl Into<String>) -> Failure {
        Failure { status: BAD_DATA, text: text.into() }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        // That there is no such original is an answer; that the store cannot tell is a failure of the store.
        let status = match error.kind() {
            StoreErrorKind::Unknown | StoreErrorKind::Expired => 1,
            _ => STORE,
        };
        Failure { status, text: format!("{}: {error}", error.code()) }
    }
}

/// Runs the command line of this process.
pub fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Err(error) if is_hook() && error.exit_code() != 0 => {
            log::debug(format_args!("hook: {error}"));
            return ExitCode::SUCCESS;
        }
        outcome => outcome.map_err(|error| misused(&error)),
    };
    ended(cli.and_then(dispatch))
}

/// Help is an answer (0), anything else a wrong usage (2); a closed stdout changes neither.
fn misused(error: &clap::Error) -> Failure {
    drop(error.print());
    let status = u8::try_from(error.exit_code()).unwrap_or(USAGE);
    Failure { status, text: String::new() }
}

/// The status that a command ends with, and a line on stderr where it failed.
fn ended(outcome: Result<(), Failure>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if !failure.text.is_empty() {
                log::error(format_args!("{}", failure.text));
            }
            ExitCode::from(failure.status)
        }
    }
}

/// Whether a host runs its hook: to a host the status of a wrong usage may mean that the tool call is to be blocked.
fn is_hook() -> bool {
    std::env::args_os().nth(1).is_some_and(|verb| verb == "hook") && !io::stdin().is_terminal()
}

fn dispatch(cli: Cli) -> Result<(), Failure> {
    if cli.version {
        return version::print(cli.json);
    }
    let verb = match cli.verb {
        Some(verb) => verb,
        None if cli.tools.is_none() && io::stdin().is_terminal() => {
            return output::text(&Cli::command().render_help().to_string());
        }
        None => Verb::Serve(serve::Args { tools: cli.tools }),
    };
    let (settings, bad) = Settings::from_env();
    log::set_level(settings.log);
    if let Verb::Hook(args) = verb {
        return hook::run(&args, &settings);
    }
    if let Verb::Serve(args) = verb {
        // A server that does not start helps nobody: it says what is wrong and goes on with the defaults.
        for problem in bad {
            log::warn(format_args!("{problem}; the default holds"));
        }
        return serve::run(&args, &settings);
    }
    if let Verb::Doctor(args) = verb {
        let bad: Vec<String> = bad.iter().map(ToString::to_string).collect();
        return install::doctor(&args, &settings, &bad);
    }
    if let Some(problem) = bad.first() {
        return Err(Failure::usage(problem.to_string()));
    }
    match verb {
        Verb::Serve(args) => serve::run(&args, &settings),
        Verb::Compress(args) => compress::run(&args, &settings),
        Verb::Retrieve(args) => retrieve::run(&args, &settings),
        Verb::Detect(args) => detect::run(&args),
        Verb::Install(args) => install::run(&args, &settings),
        Verb::Uninstall(args) => install::uninstall(&args, &settings),
        Verb::Doctor(args) => install::doctor(&args, &settings, &[]),
        Verb::Hook(args) => hook::run(&args, &settings),
        Verb::Stats(args) => stats::run(&args, &settings),
        Verb::Eval(args) => eval::run(&args),
        Verb::Completions(args) => describe::completions(&args, Cli::command()),
        Verb::Man(args) => describe::man(&args, Cli::command()),
        Verb::Toon(verb) => toon::run(&verb),
        Verb::Store(verb) => store::run(&verb, &settings),
    }
}
