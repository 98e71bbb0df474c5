//! The very command that a host will run, run once: it has to shake hands, shorten a payload and give it back.

use crate::host::Deadline;
use caveman_core::json::{self, Value};
use caveman_core::mcp::Object;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Hosts give a server 5 to 30 seconds for its first answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// A line of a server is no longer.
const MAX_LINE_BYTES: u64 = 1024 * 1024;

/// What the server said of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Its version.
    pub version: String,
    /// How many tools it lists.
    pub n_tools: usize,
}

/// Runs `command` as a host does. The error says what did not work, without the command's name.
pub fn probe(command: &str, args: &[String]) -> Result<Probe, String> {
    let mut server = Server::start(command, args)?;
    let asked = Object::new()
        .text("protocolVersion", "2025-11-25")
        .raw("capabilities", "{}")
        .raw("clientInfo", "{\"name\":\"caveman-mcp doctor\",\"version\":\"1\"}");
    let (name, version) = server.ask("initialize", &asked.finish(), |result| {
        let info = result.get("serverInfo")?;
        Some((text(info, "name")?, text(info, "version")?))
    })?;
    if name != "caveman" {
        return Err(format!("is another server: it says that it is {name:?}"));
    }
    let n_tools = server.ask("tools/list", "{}", |result| Some(result.get("tools")?.len()))?;
    let payload = payload();
    let arguments = Object::new().text("input", &payload).finish();
    let figures = server.call("caveman_compress", &arguments, 1)?;
    let tape = json::read(&figures).map_err(|error| format!("compresses to nonsense: {error}"))?;
    let Some(handle) = text(tape.root(), "recovery_handle") else {
        let reason = text(tape.root(), "note").or_else(|| text(tape.root(), "reason"));
        return Err(format!("cannot keep originals: {}", reason.unwrap_or_default()));
    };
    let arguments = Object::new().text("recovery_handle", &handle).finish();
    if server.call("caveman_retrieve", &arguments, 0)? != payload {
        return Err("does not give an original back as it was".to_owned());
    }
    server.end();
    Ok(Probe { version, n_tools })
}

/// Lines that compress, the same each time, so that the store holds them once.
fn payload() -> String {
    (0..60)
        .map(|n| format!("2026-01-01T00:00:{n:02}Z INFO  caveman-mcp checks step {n} of 60\n"))
        .collect()
}

fn text(object: Value<'_>, name: &str) -> Option<String> {
    Some(object.get(name)?.as_str()?.into_owned())
}

struct Server {
    child: Child,
    lines: Receiver<String>,
    deadline: Deadline,
    n_asked: u64,
}

impl Server {
    #[expect(
        clippy::disallowed_methods,
        reason = "a host runs this command; the server itself starts nothing"
    )]
    fn start(command: &str, args: &[String]) -> Result<Server, String> {
        let mut child = Command::new(command)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("cannot be started: {error}"))?;
        let (sender, lines) = channel();
        if let Some(stdout) = child.stdout.take() {
            // It ends with the child's output, or when nobody listens any more.
            std::thread::spawn(move || {
                let mut stdout = BufReader::new(stdout);
                loop {
                    let mut line = String::new();
                    match stdout.by_ref().take(MAX_LINE_BYTES).read_line(&mut line) {
                        Ok(n_read) if n_read > 0 && sender.send(line).is_ok() => {}
                        _ => break,
                    }
                }
            });
        }
        Ok(Server { child, lines, deadline: Deadline::after(PATIENCE), n_asked: 0 })
    }

    /// Sends a request and reads what `of` finds in its result.
    fn ask<T>(
        &mut self,
        method: &str,
        params: &str,
        of: impl FnOnce(Value<'_>) -> Option<T>,
    ) -> Result<T, String> {
        self.n_asked += 1;
        let request = Object::new()
            .text("jsonrpc", "2.0")
            .number("id", self.n_asked)
            .text("method", method)
            .raw("params", params);
        let sent = self.child.stdin.as_mut().map(|stdin| {
            stdin
                .write_all(format!("{}\n", request.finish()).as_bytes())
                .and_then(|()| stdin.flush())
        });
        // One that has ended takes nothing; its end is what is reported.
        drop(sent);
        let line = self.lines.recv_timeout(self.deadline.left()).map_err(|error| match error {
            RecvTimeoutError::Timeout => {
                format!("does not answer {method} within {} seconds", PATIENCE.as_secs())
            }
            RecvTimeoutError::Disconnected => format!("ends instead of answering {method}"),
        })?;
        let tape =
            json::read(line.trim()).map_err(|error| format!("does not speak MCP: {error}"))?;
        if let Some(error) = tape.root().get("error") {
            let why = text(error, "message").unwrap_or_default();
            return Err(format!("refuses {method}: {why}"));
        }
        let found = tape.root().get("result").and_then(of);
        found.ok_or_else(|| format!("answers {method} with something else"))
    }

    /// Calls a tool and gives the text of one of its blocks.
    fn call(&mut self, tool: &str, arguments: &str, block: usize) -> Result<String, String> {
        let params = Object::new().text("name", tool).raw("arguments", arguments).finish();
        let (is_error, found) = self.ask("tools/call", &params, |result| {
            let is_error = result.get("isError").is_some_and(|value| value.text() == "true");
            let block = if is_error { 0 } else { block };
            Some((is_error, text(result.get("content")?.elements().nth(block)?, "text")?))
        })?;
        if is_error { Err(format!("fails in {tool}: {found}")) } else { Ok(found) }
    }

    /// Closes its input, at which a server ends.
    fn end(mut self) {
        drop(self.child.stdin.take());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // One that has ended cannot be killed; none is left behind.
        drop(self.child.stdin.take());
        let deadline = Deadline::after(Duration::from_secs(1));
        while deadline.left() > Duration::ZERO && matches!(self.child.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(5));
        }
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
