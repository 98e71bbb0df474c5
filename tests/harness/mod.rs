//! The binary as its users run it: a fresh home, a scrubbed environment, and failures that print everything.

#![allow(dead_code, reason = "each suite uses its own part")]

mod process;

pub(crate) use process::Process;

use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Longer than any answer takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// So many of a server's last lines a failure shows.
const SHOWN: usize = 50;

/// The size of a suite: what the variable `name` says, else `default`.
#[expect(
    clippy::disallowed_methods,
    reason = "the sizes of load suites are chosen by whoever runs them"
)]
pub(crate) fn size(name: &str, default: usize) -> usize {
    std::env::var(name).map_or(default, |value| value.parse().expect(name))
}

/// A home folder of its own, removed when the test ends.
pub(crate) struct Home {
    folder: PathBuf,
}

impl Home {
    pub(crate) fn new() -> Home {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&folder).unwrap();
        Home { folder }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Where the store lies unless a test says otherwise.
    pub(crate) fn db(&self) -> PathBuf {
        self.path(".caveman/ccr.db")
    }

    /// A program with nothing in its environment but this home.
    #[expect(clippy::disallowed_methods, reason = "tests run the binary")]
    pub(crate) fn program(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env_clear().env("HOME", &self.folder).current_dir(&self.folder);
        command
    }

    pub(crate) fn caveman(&self, arguments: &[&str]) -> Command {
        let mut command = self.program(env!("CARGO_BIN_EXE_caveman-mcp"));
        command.args(arguments);
        command
    }

    pub(crate) fn cavemem(&self, arguments: &[&str]) -> Command {
        let mut command = self.program(env!("CARGO_BIN_EXE_cavemem"));
        command.args(arguments);
        command
    }

    /// Runs the binary to its end.
    pub(crate) fn run(&self, arguments: &[&str], stdin: &[u8]) -> Run {
        run(self.caveman(arguments), stdin)
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            std::fs::remove_dir_all(&self.folder).unwrap();
        }
    }
}

/// What a program did.
pub(crate) struct Run {
    what: String,
    output: Output,
}

/// Gives `stdin` to `command` and waits for it.
pub(crate) fn run(mut command: Command, stdin: &[u8]) -> Run {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let what = format!("{command:?}");
    let mut process = Process::start(command);
    let mut to_process = process.stdin.take().unwrap();
    let stdin = stdin.to_vec();
    // On a thread: a program may write before it has read everything. It may also not read at all.
    std::thread::spawn(move || drop(to_process.write_all(&stdin)));
    Run { what, output: process.output() }
}

impl Run {
    /// What it printed, when it ended with status 0.
    #[track_caller]
    pub(crate) fn done(&self) -> &[u8] {
        self.status(0)
    }

    /// The same as text.
    #[track_caller]
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(self.done()).unwrap_or_else(|_| panic!("{self}"))
    }

    /// The same as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(self.text()).unwrap_or_else(|error| panic!("{error}\n{self}"))
    }

    /// What it printed, when it ended with this status.
    #[track_caller]
    pub(crate) fn status(&self, status: i32) -> &[u8] {
        assert_eq!(self.output.status.code(), Some(status), "{self}");
        &self.output.stdout
    }

    /// What it said on stderr.
    pub(crate) fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.output.stderr).into_owned()
    }

    /// Whether it ended with this status, said this on stderr and printed nothing.
    #[track_caller]
    pub(crate) fn fails(&self, status: i32, says: &str) {
        assert_eq!(self.status(status), b"", "{self}");
        assert!(self.stderr().contains(says), "no {says:?} in\n{self}");
    }
}

impl std::fmt::Display for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Output { status, stdout, stderr } = &self.output;
        let shown =
            |bytes: &[u8]| String::from_utf8_lossy(&bytes[..bytes.len().min(4000)]).into_owned();
        write!(f, "{}\n{status}\nstdout: {}\nstderr: {}", self.what, shown(stdout), shown(stderr))
    }
}

/// A running server.
pub(crate) struct Server {
    process: Process,
    lines: Receiver<String>,
    /// The last lines that it printed.
    said: VecDeque<String>,
    next_id: u64,
}

impl Server {
    pub(crate) fn start(home: &Home) -> Server {
        Server::of(home.caveman(&["serve"]))
    }

    pub(crate) fn of(mut command: Command) -> Server {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut process = Process::start(command);
        let stdout = BufReader::new(process.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Server { process, lines, said: VecDeque::new(), next_id: 1 }
    }

    /// Sends bytes as they are; a server that is gone takes none.
    pub(crate) fn send(&mut self, bytes: &[u8]) {
        let stdin = self.process.stdin.as_mut().unwrap();
        drop(stdin.write_all(bytes).and_then(|()| stdin.flush()));
    }

    /// The next line that it prints; `None` when its output ends.
    pub(crate) fn line(&mut self) -> Option<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => {
                self.process.is_alive();
                self.said.push_back(line.chars().take(400).collect());
                if self.said.len() > SHOWN {
                    self.said.pop_front();
                }
                Some(line)
            }
            Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => None,
            Err(timeout) => panic!("no line: {timeout}; it said {:#?}", self.said),
        }
    }

    /// The next line as JSON.
    #[track_caller]
    pub(crate) fn reply(&mut self) -> Value {
        let line = self.line().unwrap_or_else(|| panic!("it ended; it said {:#?}", self.said));
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// Sends a request and gives its result.
    #[track_caller]
    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Value {
        let id = self.next_id;
        self.next_id += 1;
        let line = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.send(format!("{line}\n").as_bytes());
        let mut reply = self.reply();
        assert_eq!(reply["id"], id, "{reply}");
        reply["result"].take()
    }

    /// Calls a tool and gives the texts of its blocks and whether it is an error.
    #[track_caller]
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> (Vec<String>, bool) {
        let params = json!({"name": tool, "arguments": arguments});
        let result = self.request("tools/call", &params);
        let blocks = result["content"].as_array().unwrap_or_else(|| panic!("{result}"));
        let texts = blocks.iter().map(|block| block["text"].as_str().unwrap().to_owned());
        (texts.collect(), result["isError"] == true)
    }

    /// Compresses: the output and the figures.
    #[track_caller]
    pub(crate) fn compress(&mut self, input: &str) -> (String, Value) {
        let (texts, is_error) = self.call("caveman_compress", &json!({"input": input}));
        assert!(!is_error && texts.len() == 2, "{texts:?}");
        (texts[0].clone(), serde_json::from_str(&texts[1]).unwrap())
    }

    /// Retrieves without a query: the original, or the error's code.
    #[track_caller]
    pub(crate) fn retrieve(&mut self, handle: &str) -> Result<String, String> {
        let (texts, is_error) = self.call("caveman_retrieve", &json!({"recovery_handle": handle}));
        if !is_error {
            return Ok(texts[0].clone());
        }
        let error: Value = serde_json::from_str(&texts[0]).unwrap();
        Err(error["error"].as_str().unwrap().to_owned())
    }

    /// The figures of `caveman_stats`.
    #[track_caller]
    pub(crate) fn stats(&mut self) -> Value {
        let (texts, _) = self.call("caveman_stats", &json!({}));
        serde_json::from_str(&texts[0]).unwrap()
    }

    /// Peak resident memory in KiB; 0 where the system does not tell.
    pub(crate) fn peak_kib(&self) -> u64 {
        peak_kib(self.id())
    }

    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    /// SIGKILL.
    pub(crate) fn kill(&mut self) {
        self.process.kill();
        self.process.wait();
    }

    /// Closes its input.
    pub(crate) fn close(&mut self) {
        drop(self.process.stdin.take());
    }

    /// Closes its input and gives its exit status.
    pub(crate) fn end(mut self) -> Option<i32> {
        self.close();
        self.wait()
    }

    /// Its exit status, once it ends by itself.
    pub(crate) fn wait(&mut self) -> Option<i32> {
        while self.line().is_some() {}
        self.process.wait().code()
    }
}

/// Peak resident memory of a process in KiB; 0 where the system does not tell.
pub(crate) fn peak_kib(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// 400 log lines that compress, different for each seed.
pub(crate) fn log(seed: u64) -> String {
    let line = |at: u64| {
        format!(
            "2026-03-01T10:{:02}:{:02}Z INFO worker-{seed} finished job {at} in {} ms\n",
            at / 60,
            at % 60,
            at % 7
        )
    };
    (0..400).map(line).collect()
}
