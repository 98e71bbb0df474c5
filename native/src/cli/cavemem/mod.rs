//! The command line of `cavemem`: the tools of its server as verbs, and what a person does with memories beside them.
//!
//! stdout carries JSON, one line, made for programs; at a terminal, without `--json`, the same for people.

mod input;
mod show;
mod verbs;

use super::{Failure, describe, output};
use crate::host::SystemHost;
use crate::log;
use crate::memory::SqliteMemories;
use crate::settings::Settings;
use crate::signals::Signals;
use crate::stdio::{self, Service, Stdin};
use crate::store::{self, Lifetime};
use caveman_core::host::Host;
use caveman_core::mcp::{self, Frame, MEMORY_INFO, MemoryServer, Reply, ServerInfo};
use caveman_core::memory::{CopyStore, MemoryError, MemoryErrorKind};
use clap::{CommandFactory, Parser, Subcommand};
use std::io::{self, IsTerminal};
use std::process::ExitCode;

/// Remembers what an AI agent should know in later sessions, on this machine.
#[derive(Debug, Parser)]
#[command(
    name = "cavemem",
    disable_version_flag = true,
    args_conflicts_with_subcommands = true,
    after_help = "Without a command: serves MCP on stdin and stdout when stdin is not a terminal, else prints this.\n\n\
        Examples:\n  \
        cavemem remember 'Deploys go through staging; production needs two approvals'\n  \
        cavemem recall 'how do we deploy'             what is known about it, within 2000 tokens\n  \
        cavemem supersede mem_0123… 'Production needs one approval'\n  \
        cavemem export > memories.jsonl               everything, for another machine\n\n\
        Exit status: 0 done (nothing recalled too), 1 failed or not found, 2 wrong usage, 65 bad data (a text above 262144 \
        bytes), 74 the store failed.\n\
        Environment: CAVEMAN_HOME (default ~/.caveman; memories are in mem/mem.db), CAVEMAN_CCR_DB, CAVEMAN_MCP_EPHEMERAL, \
        CAVEMAN_LOG."
)]
struct Cli {
    /// Print the version.
    #[arg(short = 'V', long)]
    version: bool,
    /// JSON, at a terminal too; elsewhere it is always JSON.
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Serve MCP on stdin and stdout.
    Serve,
    /// Keep a text; the same text again gives the same memory.
    Remember(verbs::Remember),
    /// Print the memories that answer a query, best first, within a budget.
    Recall(verbs::Recall),
    /// Put a text in the place of a memory, which stays in its history.
    Supersede(verbs::Supersede),
    /// Print every version of a memory, oldest first.
    History(verbs::Named),
    /// Erase one version from every file.
    Forget(verbs::Named),
    /// Print the whole text behind a recovery handle, byte for byte.
    Recover(verbs::Recover),
    /// Print current memories, newest first.
    List(verbs::List),
    /// Print every version as JSON Lines.
    Export,
    /// Take in what an export printed, all or nothing.
    Import(verbs::Import),
    /// Print how much is remembered, and where.
    Stats,
    #[command(after_help = describe::where_completions_go!("cavemem"))]
    Completions(describe::CompletionsArgs),
    #[command(after_help = describe::where_the_page_goes!("cavemem"))]
    Man(describe::ManArgs),
}

/// What a verb works with.
struct Tools<'s> {
    settings: &'s Settings,
    memories: SqliteMemories,
    copies: Box<dyn CopyStore>,
    is_json: bool,
}

impl From<MemoryError> for Failure {
    fn from(error: MemoryError) -> Failure {
        let text = format!("{}: {error}", error.code());
        match error.kind() {
            MemoryErrorKind::Store(error) => error.clone().into(),
            MemoryErrorKind::TooLarge | MemoryErrorKind::Empty | MemoryErrorKind::BadImport => {
                Failure::bad_data(text)
            }
            _ => Failure::failed(text),
        }
    }
}

/// Runs the command line of this process.
pub fn run() -> ExitCode {
    log::set_program("cavemem");
    super::ended(Cli::try_parse().map_err(|error| super::misused(&error)).and_then(dispatch))
}

fn dispatch(cli: Cli) -> Result<(), Failure> {
    if cli.version {
        return output::text(&format!("cavemem {}", env!("CARGO_PKG_VERSION")));
    }
    let verb = match cli.verb {
        Some(verb) => verb,
        None if io::stdin().is_terminal() => {
            return output::text(&Cli::command().render_help().to_string());
        }
        None => Verb::Serve,
    };
    // What describes the command needs no memories, nor settings that hold.
    if let Verb::Completions(args) = &verb {
        return describe::completions(args, Cli::command());
    }
    if let Verb::Man(args) = &verb {
        return describe::man(args, Cli::command());
    }
    let (settings, bad) = Settings::from_env();
    log::set_level(settings.log);
    if let Verb::Serve = verb {
        // A server that does not start helps nobody: it says what is wrong and goes on with the defaults.
        for problem in bad {
            log::warn(format_args!("{problem}; the default holds"));
        }
        return serve(&settings);
    }
    if let Some(problem) = bad.first() {
        return Err(Failure::usage(problem.to_string()));
    }
    let mut tools = Tools {
        settings: &settings,
        memories: memories(&settings)?,
        copies: store::of(&settings, Lifetime::Command),
        is_json: cli.json || !output::is_terminal(),
    };
    match verb {
        Verb::Serve => serve(&settings),
        Verb::Remember(args) => args.run(&mut tools),
        Verb::Recall(args) => args.run(&mut tools),
        Verb::Supersede(args) => args.run(&mut tools),
        Verb::History(args) => args.history(&mut tools),
        Verb::Forget(args) => args.forget(&mut tools),
        Verb::Recover(args) => args.run(&mut tools),
        Verb::List(args) => args.run(&mut tools),
        Verb::Export => verbs::export(&mut tools),
        Verb::Import(args) => args.run(&mut tools),
        Verb::Stats => verbs::stats(&mut tools),
        Verb::Completions(args) => describe::completions(&args, Cli::command()),
        Verb::Man(args) => describe::man(&args, Cli::command()),
    }
}

/// The store of one command: what would end with the process is no place to remember.
fn memories(settings: &Settings) -> Result<SqliteMemories, Failure> {
    if settings.ephemeral {
        return Err(Failure::failed(
            "cave_store_unavailable: CAVEMAN_MCP_EPHEMERAL keeps memories in a server's memory only; unset it to use this command",
        ));
    }
    Ok(SqliteMemories::of(settings))
}

/// The server, with its stores.
struct Serving {
    memories: SqliteMemories,
    copies: Box<dyn CopyStore>,
}

impl Service for Serving {
    fn info(&self) -> &'static ServerInfo {
        &MEMORY_INFO
    }

    /// Every change is one transaction: a panic leaves nothing half done.
    fn answer(&mut self, frame: &Frame) -> Reply {
        let Serving { memories, copies } = self;
        let now_ms = SystemHost.now_ms();
        let mut server = MemoryServer { memories, copies: &mut **copies, now_ms };
        mcp::handle_frame(&mut server, frame)
    }
}

fn serve(settings: &Settings) -> Result<(), Failure> {
    let signals = Signals::install()
        .map_err(|error| Failure::failed(format!("cannot watch for signals: {error}")))?;
    let (memories, copies) = (SqliteMemories::of(settings), store::of(settings, Lifetime::Session));
    let mut serving = Serving { memories, copies };
    log::info(format_args!("serving 5 tools on stdin and stdout"));
    stdio::serve(&mut serving, &signals, Stdin::default(), io::stdout().lock())
        .map_err(|error| Failure::failed(format!("cannot read stdin: {error}")))?;
    log::info(format_args!("the input has ended"));
    Ok(())
}
