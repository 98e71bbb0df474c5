//! The MCP session: one line in, at most one line out. No IO: the host reads, writes, stores and tells the time.
//!
//! ```text
//! bytes -> framing -> jsonrpc -> server (lifecycle: which era) -> tools -> engine
//!             |          |                                           ledger
//!             +-- salvage (ids of lines that cannot be read)      render -> line
//! ```
//!
//! Totals and ledger change only with a complete answer, so a host may handle a line again after [`Reply::Pending`].

mod framing;
mod jsonrpc;
mod ledger;
mod lifecycle;
mod memory;
mod render;
mod salvage;
mod server;
mod tools;

pub use framing::{Frame, Framer, MAX_LINE_BYTES};
pub use ledger::Ledger;
pub use lifecycle::{HANDSHAKES, MODERN};
pub use memory::{
    MEMORY_INFO, MEMORY_TOOLS, MemoryServer, MemoryTool, forgotten, history, imported, memory,
    recalled, remembered,
};
pub use render::{Object, ratio};
pub use salvage::IdScanner;
pub use server::{
    Arguments, Block, Content, Failure, Input, MAX_REPLY_BYTES, Reply, ServerInfo, Size, ToolError,
    ToolServer, handle_frame, handle_line, oversized, panicked,
};
pub use tools::{ALL, Context, Handler, Tool, Totals, UnknownTool, figures, store_figures, subset};

use crate::host::Host;
use crate::prelude::*;
use crate::store::RecoveryStore;

/// How the server `caveman` presents itself. Its instructions are at most 240 characters (hosts cut them at 247), and the
/// first sentence says what to do with a marker.
pub const INFO: ServerInfo = ServerInfo {
    name: "caveman",
    title: "Caveman",
    version: env!("CARGO_PKG_VERSION"),
    instructions: "At a marker [caveman: … elided; caveman_retrieve(\"ccr_…\")], call \
                   caveman_retrieve with that handle to read what was left out; add a query to get \
                   only matching parts. caveman_compress shrinks long text; its original is kept.",
};

/// One conversation of the server `caveman` with its host: tools, totals and ledger. Originals are in the store.
#[derive(Clone, Debug)]
pub struct Session {
    tools: Vec<Tool>,
    state: State,
}

/// What changes from call to call.
#[derive(Clone, Debug, Default)]
struct State {
    totals: Totals,
    ledger: Option<Ledger>,
}

impl Default for Session {
    fn default() -> Session {
        Session::new(ALL)
    }
}

impl Session {
    /// A session that serves these tools (see [`subset`]), with a ledger.
    pub fn new(tools: &[Tool]) -> Session {
        let state = State { ledger: Some(Ledger::default()), ..State::default() };
        Session { tools: tools.to_vec(), state }
    }

    /// The same session without a ledger: every retrieve is answered with content.
    #[must_use]
    pub fn without_ledger(mut self) -> Session {
        self.state.ledger = None;
        self
    }

    /// What was done since the session began.
    pub fn totals(&self) -> &Totals {
        &self.state.totals
    }

    /// Answers one line (without its newline) of any content and length.
    pub fn handle_line(
        &mut self,
        store: &mut dyn RecoveryStore,
        host: &dyn Host,
        line: &[u8],
    ) -> Reply {
        // Only a batch can get stuck after some of its calls are done.
        let is_batch = line.iter().find(|b| !b.is_ascii_whitespace()) == Some(&b'[');
        let before = is_batch.then(|| self.state.clone());
        let mut serving = Serving { session: self, store, now_ms: host.now_ms() };
        let reply = handle_line(&mut serving, line);
        if let (Reply::Pending(_), Some(before)) = (&reply, before) {
            self.state = before;
        }
        reply
    }

    /// Answers what a [`Framer`] gave.
    pub fn handle_frame(
        &mut self,
        store: &mut dyn RecoveryStore,
        host: &dyn Host,
        frame: &Frame,
    ) -> Reply {
        match frame {
            Frame::Line(line) => self.handle_line(store, host, line),
            Frame::Oversized(id) => oversized(id.as_deref()),
        }
    }

    /// The answer to a line whose handling panicked: `cave_tool_panicked` for a call, else `cave_internal_error`. `place` is
    /// where (file and line); it is sent to the client, so it must hold nothing of the payload.
    pub fn panic_reply(line: &[u8], place: &str) -> Reply {
        panicked(&INFO, line, place)
    }
}

/// A session with what the host lends it for one line.
struct Serving<'s> {
    session: &'s mut Session,
    store: &'s mut dyn RecoveryStore,
    now_ms: u64,
}

impl ToolServer for Serving<'_> {
    fn info(&self) -> &'static ServerInfo {
        &INFO
    }

    fn definitions(&self) -> Vec<&'static str> {
        self.session.tools.iter().map(|tool| tool.definition).collect()
    }

    fn call<'a>(&mut self, name: &str, arguments: Arguments<'a>) -> Result<Content<'a>, Failure> {
        let Some(tool) = self.session.tools.iter().find(|tool| tool.name == name) else {
            return Err(ToolError::unknown_tool(name).into());
        };
        let State { totals, ledger } = &mut self.session.state;
        let mut context =
            Context { store: self.store, now_ms: self.now_ms, totals, ledger: ledger.as_mut() };
        (tool.call)(&mut context, arguments)
    }
}
