//! A host's post-tool hook: a large tool result is replaced by its shorter form before the model reads it.
//!
//! This is what saves: a tool that wants the payload as an argument makes the model write out what it has already read.
//!
//! ```text
//! host -> stdin:  {"tool_name":"Bash","tool_response":{"stdout":"320 lines …","stderr":"", …}, …}
//! stdout -> host: {"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":{"stdout":"8 lines", …}}}
//! ```
//! An answer says nothing but the replacement: no decision about a call, no context, nothing that could widen a permission.
//! No answer leaves the result as it was, and that is the answer to every doubt: a shape that is not the documented one, a
//! failed call, a result of ours, a short one, one that cannot be stored.

mod claude_code;
mod codex;
mod cursor;
mod gemini;
mod opencode;
mod shape;
mod shorten;

pub use shorten::{MIN_TOKENS, Shortener};

use caveman_core::json;

/// Largest hook input that is looked at, in bytes: the hosts cut their results far below it.
pub const MAX_INPUT_BYTES: u64 = 16 * 1024 * 1024;

/// A host whose hook protocol is spoken here.
#[derive(Clone, Copy, Debug)]
pub struct Protocol {
    /// As `caveman-mcp hook NAME` takes it.
    pub name: &'static str,
    /// The event that it answers.
    pub event: &'static str,
    answer: fn(json::Value<'_>, &mut Shortener<'_>) -> Option<String>,
}

/// Every protocol.
pub const ALL: &[Protocol] = &[
    Protocol { name: "claude-code", event: "PostToolUse", answer: claude_code::answer },
    Protocol { name: "codex", event: "PostToolUse", answer: codex::answer },
    Protocol { name: "cursor", event: "postToolUse", answer: cursor::answer },
    Protocol { name: "gemini", event: "AfterTool", answer: gemini::answer },
    Protocol { name: "opencode", event: "tool.execute.after", answer: opencode::answer },
];

impl Protocol {
    /// By its name.
    pub fn of(name: &str) -> Option<&'static Protocol> {
        ALL.iter().find(|protocol| protocol.name == name)
    }

    /// What to print for one hook input; `None` to print nothing.
    pub fn answer(&self, input: &str, shortener: &mut Shortener<'_>) -> Option<String> {
        let tape = json::read(input.trim_start_matches('\u{feff}')).ok()?;
        (self.answer)(tape.root(), shortener)
    }
}
