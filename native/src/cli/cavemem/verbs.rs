//! What each verb does: read the arguments, ask the store, print.

use super::input::Text;
use super::{Tools, show};
use crate::cli::Failure;
use crate::cli::input::Source;
use crate::cli::output::{self, grouped};
use crate::host::SystemHost;
use crate::memory::Which;
use caveman_core::host::Host;
use caveman_core::mcp::{self, Object};
use caveman_core::memory::{self, Memories, MemoryError, MemoryErrorKind, Options};
use caveman_core::store::{Reference, StoreErrorKind};
use std::io::{BufWriter, Write};

#[derive(Debug, clap::Args)]
pub(super) struct Remember {
    #[command(flatten)]
    text: Text,
}

impl Remember {
    pub(super) fn run(&self, tools: &mut Tools<'_>) -> Result<(), Failure> {
        let text = self.text.read_memory()?;
        let done = tools.memories.remember(&text, SystemHost.now_ms())?;
        output::text(&mcp::remembered(&done).finish())
    }
}

#[derive(Debug, clap::Args)]
pub(super) struct Recall {
    #[command(flatten)]
    query: Text,
    /// Print so many memories at most.
    #[arg(long, value_name = "N", default_value_t = Options::default().limit, value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,
    /// Let their texts cost so many o200k tokens at most; 0 for no limit.
    #[arg(long, value_name = "N", default_value_t = Options::default().token_budget)]
    token_budget: u64,
}

impl Recall {
    pub(super) fn run(&self, tools: &mut Tools<'_>) -> Result<(), Failure> {
        let query = self.query.read()?;
        let options = Options { limit: self.limit, token_budget: self.token_budget };
        let now_ms = SystemHost.now_ms();
        let Tools { memories, copies, .. } = tools;
        let found = memory::recall(memories, &mut **copies, now_ms, &query, &options)?;
        output::text(&if tools.is_json {
            mcp::recalled(&found).finish()
        } else {
            show::recall(&found)
        })
    }
}

#[derive(Debug, clap::Args)]
pub(super) struct Supersede {
    /// The current memory.
    id: String,
    #[command(flatten)]
    text: Text,
}

impl Supersede {
    pub(super) fn run(&self, tools: &mut Tools<'_>) -> Result<(), Failure> {
        let text = self.text.read_memory()?;
        let done = tools.memories.supersede(self.id.trim(), &text, SystemHost.now_ms())?;
        output::text(&mcp::remembered(&done).finish())
    }
}

#[derive(Debug, clap::Args)]
pub(super) struct Named {
    /// The memory, by any of its versions.
    id: String,
}

impl Named {
    pub(super) fn history(&self, tools: &mut Tools<'_>) -> Result<(), Failure> {
        let versions = tools.memories.history(self.id.trim())?;
        output::text(&if tools.is_json {
            mcp::history(&versions).finish()
        } else {
            show::memories(&versions)
        })
    }

    pub(super) fn forget(&self, tools: &mut Tools<'_>) -> Result<(), Failure> {
        let Tools { memories, copies, .. } = tools;
        memories.forget(self.id.trim(), &mut |text| copies.purge(text))?;
        output::text(&mcp::forgotten(self.id.trim()).finish())
    }
}

#[derive(Debug, clap::Args)]
pub(super) struct Recover {
    /// The handle, as a recall gives it: ccr_ and 32 hexadecimal digits.
    handle: String,
}

impl Recover {
    pub(super) fn run(&self, tools: &mut Tools<'_>) -> Result<(), Failure> {
        let reference = Reference::parse(&self.handle).ok_or_else(|| {
            let shown = &self.handle;
            Failure::usage(format!("{shown:?} is no handle: give ccr_ and 32 hexadecimal digits"))
        })?;
        match tools.copies.get(&reference, SystemHost.now_ms()) {
            Ok(stored) => output::payload(&stored.original),
            // A copy may have been pruned, or never have been taken; the memory itself is the source of truth.
            Err(error) => {
                let Reference::Handle(handle) = reference else { return Err(error.into()) };
                match tools.memories.text_of(handle)? {
                    Some(text) => output::payload(text.as_bytes()),
                    None if error.kind() == StoreErrorKind::Unavailable => Err(Failure::failed(
                        format!("cave_unknown_handle: no memory has the handle {handle}"),
                    )),
                    None => Err(error.into()),
                }
            }
        }
    }
}

#[derive(Debug, clap::Args)]
pub(super) struct List {
    /// Print so many at most.
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: u64,
    /// Old versions too.
    #[arg(long)]
    all: bool,
}

impl List {
    pub(super) fn run(&self, tools: &mut Tools<'_>) -> Result<(), Failure> {
        let which = if self.all { Which::All } else { Which::Current };
        let memories = tools.memories.list(which, self.limit)?;
        if !tools.is_json {
            return output::text(&show::memories(&memories));
        }
        let listed: Vec<String> =
            memories.iter().map(|memory| mcp::memory(memory).finish()).collect();
        output::text(&Object::new().raw("memories", &format!("[{}]", listed.join(","))).finish())
    }
}

pub(super) fn export(tools: &mut Tools<'_>) -> Result<(), Failure> {
    let mut stdout = BufWriter::new(std::io::stdout().lock());
    let mut outcome = Ok(());
    tools.memories.export(&mut |memory| {
        if outcome.is_ok() {
            outcome = writeln!(stdout, "{}", mcp::memory(&memory).finish());
        }
    })?;
    output::settle(outcome.and_then(|()| stdout.flush()))
}

#[derive(Debug, clap::Args)]
pub(super) struct Import {
    #[command(flatten)]
    source: Source,
}

impl Import {
    pub(super) fn run(&self, tools: &mut Tools<'_>) -> Result<(), Failure> {
        let text = self.source.read_all_text()?;
        let mut memories = Vec::new();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            memories.push(mcp::imported(line).map_err(|error| at_line(at + 1, &error))?);
        }
        let done = tools.memories.import(&memories, SystemHost.now_ms())?;
        let line = Object::new().number("stored", done.n_stored).number("known", done.n_known);
        output::text(&line.finish())
    }
}

fn at_line(line: usize, error: &MemoryError) -> MemoryError {
    let kind = match error.kind() {
        MemoryErrorKind::TooLarge => MemoryErrorKind::TooLarge,
        MemoryErrorKind::Empty => MemoryErrorKind::Empty,
        _ => MemoryErrorKind::BadImport,
    };
    MemoryError::new(kind, format!("line {line}: {error}"))
}

pub(super) fn stats(tools: &mut Tools<'_>) -> Result<(), Failure> {
    let info = tools.memories.info()?;
    let path =
        tools.settings.memory_db().map(|path| path.display().to_string()).unwrap_or_default();
    if tools.is_json {
        let line = Object::new()
            .number("memories", info.n_memories)
            .number("versions", info.n_versions)
            .number("bytes", info.n_bytes)
            .number("terms", info.n_terms)
            .text("path", &path);
        return output::text(&line.finish());
    }
    output::text(&format!(
        "memories  {}\nversions  {}\nsize      {} bytes\npath      {path}\n",
        grouped(info.n_memories),
        grouped(info.n_versions),
        grouped(info.n_bytes),
    ))
}
