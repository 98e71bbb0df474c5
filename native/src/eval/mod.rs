//! Fact files: does what a reader needs stand in the output, or come back with one query?
//!
//! ```text
//! app.log               a payload
//! app.log.facts.json    {"type": "log",
//!                        "critical": [["a", "b"], …],                    every text of a group stands together in the output
//!                        "needles": [{"query": "q", "all": ["a", "b"]}]}  so does this, or one retrieve with the query brings it
//! ```
//! Texts stand together when one line holds them all, or one bracketed record of at most 6,000 characters. What is measured
//! goes through the server's own session, as an agent's calls do.

mod facts;
mod report;
mod together;

pub use facts::{Facts, FactsError, Needle};
pub use report::{html, table};

use caveman_core::host::Host;
use caveman_core::json::{self, Value};
use caveman_core::mcp::{self, Object, Reply, Session};
use caveman_core::store::MemoryStore;
use together::Text;

/// Tokens of one more tool call and its arguments, charged for every retrieve.
const OVERHEAD_TOKENS: u64 = 60;

/// What was found of one payload.
#[derive(Clone, Debug)]
pub struct Row {
    /// The payload's file name.
    pub name: String,
    /// The detected kind.
    pub content_type: String,
    /// o200k tokens of the payload.
    pub before: u64,
    /// o200k tokens of the output.
    pub after: u64,
    /// Critical groups that stand in the output, of all.
    pub critical: (usize, usize),
    /// Needles that stand in the output.
    pub n_visible: usize,
    /// Needles that one retrieve brought.
    pub n_recovered: usize,
    /// Needles that neither had.
    pub n_lost: usize,
    /// What an agent saves that answers one needle, retrieve included, as the mean over the needles.
    pub net: f64,
    /// Whether the original came back byte for byte, and a second run gave the same output.
    pub is_exact: bool,
    /// Milliseconds in the compressing call.
    pub ms: u64,
    /// The output.
    pub output: String,
    /// The facts that were not met, in words.
    pub missed: Vec<String>,
}

impl Row {
    /// Share of the tokens that the output saves.
    pub fn saved(&self) -> f64 {
        1.0 - self.after as f64 / self.before as f64
    }

    /// Whether every fact was met and the original came back.
    pub fn is_good(&self) -> bool {
        self.n_lost == 0 && self.is_exact && self.critical.0 == self.critical.1
    }
}

/// One agent and its server.
struct Agent {
    session: Session,
    store: MemoryStore,
}

impl Agent {
    fn new() -> Agent {
        Agent { session: Session::new(mcp::ALL), store: MemoryStore::default() }
    }

    /// Calls a tool: the texts of its blocks; none where it fails.
    fn call(&mut self, host: &dyn Host, tool: &str, arguments: Object) -> Vec<String> {
        let params = Object::new().text("name", tool).raw("arguments", &arguments.finish());
        let request = Object::new()
            .text("jsonrpc", "2.0")
            .number("id", 1)
            .text("method", "tools/call")
            .raw("params", &params.finish())
            .finish();
        let reply = self.session.handle_line(&mut self.store, host, request.as_bytes());
        let Reply::Line(line) = reply else { return Vec::new() };
        let Ok(line) = String::from_utf8(line) else { return Vec::new() };
        let Ok(tape) = json::read(line.trim()) else { return Vec::new() };
        let Some(result) = tape.root().get("result") else { return Vec::new() };
        let blocks = result.get("content").into_iter().flat_map(Value::elements);
        blocks.filter_map(|block| Some(block.get("text")?.as_str()?.into_owned())).collect()
    }

    /// The output and the figures.
    fn compress(&mut self, host: &dyn Host, payload: &str) -> (String, Figures) {
        let blocks = self.call(host, "caveman_compress", Object::new().text("input", payload));
        let figures = blocks.last().map(|json| Figures::of(json)).unwrap_or_default();
        (blocks.into_iter().next().unwrap_or_default(), figures)
    }

    fn retrieve(&mut self, host: &dyn Host, handle: &str, query: Option<&str>) -> Vec<String> {
        let arguments = Object::new().text("recovery_handle", handle);
        let arguments = match query {
            Some(query) => arguments.text("query", query),
            None => arguments,
        };
        self.call(host, "caveman_retrieve", arguments)
    }
}

#[derive(Clone, Debug, Default)]
struct Figures {
    content_type: String,
    before: u64,
    after: u64,
    handle: Option<String>,
}

impl Figures {
    fn of(line: &str) -> Figures {
        let Ok(tape) = json::read(line) else { return Figures::default() };
        let number = |name: &str| tape.root().get(name).and_then(|value| value.text().parse().ok());
        let text = |name: &str| Some(tape.root().get(name)?.as_str()?.into_owned());
        Figures {
            content_type: text("content_type").unwrap_or_default(),
            before: number("tokens_before").unwrap_or(0),
            after: number("tokens_after").unwrap_or(0),
            handle: text("recovery_handle"),
        }
    }
}

/// Measures one payload.
pub fn measure(name: &str, payload: &str, facts: &Facts, host: &dyn Host) -> Row {
    let mut agent = Agent::new();
    let started = host.now_ms();
    let (output, figures) = agent.compress(host, payload);
    let ms = host.now_ms().saturating_sub(started);
    let (before, after) = (figures.before.max(1), figures.after.max(1));
    let shown = Text::of(&output);
    let mut missed = Vec::new();
    let mut n_critical = 0;
    for group in &facts.critical {
        if shown.has_together(group) {
            n_critical += 1;
        } else {
            missed.push(format!("critical, not in the output: {}", group.join(" · ")));
        }
    }
    let (mut n_visible, mut n_recovered, mut n_lost, mut costs) = (0, 0, 0, Vec::new());
    let n_chars = payload.chars().count().max(1) as f64;
    for needle in &facts.needles {
        if shown.has_together(&needle.all) {
            n_visible += 1;
            costs.push(after as f64);
            continue;
        }
        let view = figures
            .handle
            .as_deref()
            .map(|handle| agent.retrieve(host, handle, Some(&needle.query)).join("\n"));
        match view.filter(|view| Text::of(view).has_together(&needle.all)) {
            Some(view) => {
                n_recovered += 1;
                let share = before as f64 * view.chars().count() as f64 / n_chars;
                costs.push((after + OVERHEAD_TOKENS) as f64 + share.round_ties_even());
            }
            None => {
                n_lost += 1;
                costs.push((before + after) as f64);
                missed.push(format!(
                    "lost: {} (asked for {})",
                    needle.all.join(" · "),
                    needle.query
                ));
            }
        }
    }
    let mean = if costs.is_empty() {
        after as f64
    } else {
        costs.iter().sum::<f64>() / costs.len() as f64
    };
    Row {
        name: name.to_owned(),
        content_type: figures.content_type.clone(),
        before,
        after,
        critical: (n_critical, facts.critical.len()),
        n_visible,
        n_recovered,
        n_lost,
        net: 1.0 - mean / before as f64,
        is_exact: is_exact(payload, &output, &figures, host),
        ms,
        output,
        missed,
    }
}

/// Whether another server gives the same output, and the original back byte for byte.
fn is_exact(payload: &str, output: &str, figures: &Figures, host: &dyn Host) -> bool {
    let Some(handle) = &figures.handle else { return true };
    let mut another = Agent::new();
    let (again, same) = another.compress(host, payload);
    again == output
        && same.handle.as_ref() == Some(handle)
        && another.retrieve(host, handle, None).first().is_some_and(|original| original == payload)
}
