//! The server `cavemem`: five tools over durable memories, on the same framing and lifecycle as `caveman`.

mod figures;
mod transfer;

pub use figures::{forgotten, history, memory, recalled, remembered};
pub use transfer::imported;

use super::server::{Arguments, Block, Content, Failure, ServerInfo, ToolError, ToolServer};
use crate::memory::{CopyStore, Memories, MemoryError, Options};
use crate::prelude::*;

/// How the server `cavemem` presents itself.
pub const MEMORY_INFO: ServerInfo = ServerInfo {
    name: "cavemem",
    title: "Cavemem",
    version: env!("CARGO_PKG_VERSION"),
    instructions: "Before a task, call cavemem_recall with its key words; when something worth \
                   knowing later is settled, call cavemem_remember with it. When a memory is no \
                   longer true, cavemem_supersede it.",
};

/// The tools of `cavemem`, in the order in which they are listed.
pub const MEMORY_TOOLS: [MemoryTool; 5] = [REMEMBER, RECALL, SUPERSEDE, HISTORY, FORGET];

/// A tool of `cavemem`.
#[derive(Clone, Copy, Debug)]
pub struct MemoryTool {
    /// Its name on the wire.
    pub name: &'static str,
    /// Its definition as listed, JSON text.
    pub definition: &'static str,
    call: fn(&mut MemoryServer<'_>, Arguments<'_>) -> Result<String, Stop>,
}

/// The server for one line: where memories and their recovery copies are, and what time it is.
pub struct MemoryServer<'s> {
    /// Memories.
    pub memories: &'s mut dyn Memories,
    /// The recovery store, for hits that do not go out whole.
    pub copies: &'s mut dyn CopyStore,
    /// Milliseconds since the Unix epoch.
    pub now_ms: u64,
}

impl ToolServer for MemoryServer<'_> {
    fn info(&self) -> &'static ServerInfo {
        &MEMORY_INFO
    }

    fn definitions(&self) -> Vec<&'static str> {
        MEMORY_TOOLS.iter().map(|tool| tool.definition).collect()
    }

    fn call<'a>(&mut self, name: &str, arguments: Arguments<'a>) -> Result<Content<'a>, Failure> {
        let Some(tool) = MEMORY_TOOLS.iter().find(|tool| tool.name == name) else {
            return Err(ToolError::unknown_tool(name).into());
        };
        let text = (tool.call)(self, arguments).map_err(|Stop(error)| error)?;
        Ok(Content { blocks: vec![Block::Text(Cow::Owned(text))], ..Content::default() })
    }
}

/// Why a tool stopped.
struct Stop(ToolError);

impl From<ToolError> for Stop {
    fn from(error: ToolError) -> Stop {
        Stop(error)
    }
}

impl From<MemoryError> for Stop {
    fn from(error: MemoryError) -> Stop {
        Stop(ToolError::new(error.code(), error.to_string()))
    }
}

const REMEMBER: MemoryTool = MemoryTool {
    name: "cavemem_remember",
    definition: r#"{"name":"cavemem_remember","description":"Keep for later sessions","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]},"annotations":{"destructiveHint":false}}"#,
    call: |server, arguments| {
        let [text] = arguments.get(["text"]);
        let text = wanted("text", text)?;
        let done = server.memories.remember(crate::memory::text(&text)?, server.now_ms)?;
        Ok(remembered(&done).finish())
    },
};

const RECALL: MemoryTool = MemoryTool {
    name: "cavemem_recall",
    definition: r#"{"name":"cavemem_recall","description":"Memories about something","inputSchema":{"type":"object","properties":{"query":{"type":"string"},"limit":{"type":"integer"},"token_budget":{"type":"integer"}},"required":["query"]},"annotations":{"readOnlyHint":true}}"#,
    call: |server, arguments| {
        let [query, limit, budget] = arguments.get(["query", "limit", "token_budget"]);
        let query = wanted("query", query)?;
        let default = Options::default();
        let options = Options {
            limit: Arguments::number("limit", limit)?.unwrap_or(default.limit),
            token_budget: Arguments::number("token_budget", budget)?
                .unwrap_or(default.token_budget),
        };
        if options.limit == 0 {
            return Err(ToolError::argument("limit", "must be at least 1").into());
        }
        let MemoryServer { memories, copies, now_ms } = server;
        let found = crate::memory::recall(*memories, *copies, *now_ms, &query, &options)?;
        Ok(recalled(&found).finish())
    },
};

const SUPERSEDE: MemoryTool = MemoryTool {
    name: "cavemem_supersede",
    definition: r#"{"name":"cavemem_supersede","description":"Replace what changed","inputSchema":{"type":"object","properties":{"id":{"type":"string"},"text":{"type":"string"}},"required":["id","text"]},"annotations":{"destructiveHint":false}}"#,
    call: |server, arguments| {
        let [id, text] = arguments.get(["id", "text"]);
        let (id, text) = (wanted("id", id)?, wanted("text", text)?);
        let done =
            server.memories.supersede(id.trim(), crate::memory::text(&text)?, server.now_ms)?;
        Ok(remembered(&done).finish())
    },
};

const HISTORY: MemoryTool = MemoryTool {
    name: "cavemem_history",
    definition: r#"{"name":"cavemem_history","description":"All versions","inputSchema":{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]},"annotations":{"readOnlyHint":true}}"#,
    call: |server, arguments| {
        let [id] = arguments.get(["id"]);
        let versions = server.memories.history(wanted("id", id)?.trim())?;
        Ok(history(&versions).finish())
    },
};

const FORGET: MemoryTool = MemoryTool {
    name: "cavemem_forget",
    definition: r#"{"name":"cavemem_forget","description":"Erase one version","inputSchema":{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}}"#,
    call: |server, arguments| {
        let [id] = arguments.get(["id"]);
        let id = wanted("id", id)?;
        let MemoryServer { memories, copies, .. } = server;
        memories.forget(id.trim(), &mut |text| copies.purge(text))?;
        Ok(forgotten(id.trim()).finish())
    },
};

/// A string argument that must be there.
fn wanted<'a>(
    name: &str,
    raw: Option<&'a serde_json::value::RawValue>,
) -> Result<Cow<'a, str>, ToolError> {
    Arguments::text(name, raw)?
        .ok_or_else(|| ToolError::argument(name, "is missing; it must be a string"))
}
