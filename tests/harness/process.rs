//! A program that ends: one that its test has to wait too long for is killed, so every wait for it has an end.
//!
//! Pipes are the reason. Reading from one, and writing to one, waits for the other end, and an end may be held by a process
//! that another test is just starting. Nothing here trusts that the other end does what it should.

use std::io::Read;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Output};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// So long a program may say nothing to its test. Longer than any takes on a busy machine, shorter than a run of all suites may.
const LIMIT: Duration = Duration::from_secs(300);

/// How often it is looked whether a program has ended.
const PAUSE: Duration = Duration::from_millis(1);

/// A program that was started, and is killed when this goes.
pub(crate) struct Process {
    what: String,
    child: Arc<Mutex<Child>>,
    pub(crate) stdin: Option<ChildStdin>,
    pub(crate) stdout: Option<ChildStdout>,
    pub(crate) stderr: Option<ChildStderr>,
    signs: Sender<()>,
    is_overdue: Arc<AtomicBool>,
}

impl Process {
    /// Starts `command` with its streams as they were set.
    pub(crate) fn start(command: Command) -> Process {
        Process::within(LIMIT, command)
    }

    /// The same, for a program that may be silent for `limit` only.
    pub(crate) fn within(limit: Duration, mut command: Command) -> Process {
        let what = format!("{command:?}");
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{what}: {error}"));
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (child, is_overdue) = (Arc::new(Mutex::new(child)), Arc::new(AtomicBool::new(false)));
        let (signs, seen) = channel();
        watch(limit, seen, Arc::clone(&child), Arc::clone(&is_overdue));
        Process { what, child, stdin, stdout, stderr, signs, is_overdue }
    }

    pub(crate) fn id(&self) -> u32 {
        held(&self.child).id()
    }

    /// It does what it should: its time begins anew.
    #[track_caller]
    pub(crate) fn is_alive(&self) {
        let watched = self.signs.send(());
        assert!(watched.is_ok(), "{} had to be killed", self.what);
    }

    pub(crate) fn has_ended(&self) -> bool {
        held(&self.child).try_wait().unwrap().is_some()
    }

    /// SIGKILL.
    pub(crate) fn kill(&self) {
        held(&self.child).kill().unwrap();
    }

    /// Its status, once it ends by itself.
    #[track_caller]
    pub(crate) fn wait(&self) -> ExitStatus {
        let status = self.ended();
        assert!(!self.is_overdue.load(Ordering::SeqCst), "{} had to be killed", self.what);
        status
    }

    /// What it prints until it ends by itself.
    #[track_caller]
    pub(crate) fn output(mut self) -> Output {
        let (stdout, stderr) = (self.stdout.take().map(read), self.stderr.take().map(read));
        let status = self.ended();
        let all = |pipe: Option<Receiver<Vec<u8>>>| match pipe.map(|pipe| pipe.recv_timeout(LIMIT))
        {
            Some(Ok(bytes)) => bytes,
            Some(Err(error)) => panic!("{} has ended, its output has not: {error}", self.what),
            None => Vec::new(),
        };
        let (stdout, stderr) = (all(stdout), all(stderr));
        assert!(
            !self.is_overdue.load(Ordering::SeqCst),
            "{} had to be killed; it said {:?} and {:?}",
            self.what,
            String::from_utf8_lossy(&stdout),
            String::from_utf8_lossy(&stderr)
        );
        Output { status, stdout, stderr }
    }

    fn ended(&self) -> ExitStatus {
        loop {
            if let Some(status) = held(&self.child).try_wait().unwrap() {
                return status;
            }
            thread::sleep(PAUSE);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Also when a test has failed: no program outlives it. One that has ended already cannot be killed.
        let mut child = held(&self.child);
        drop(child.kill());
        drop(child.wait());
    }
}

/// The child, also after a test that held it has failed.
fn held(child: &Mutex<Child>) -> MutexGuard<'_, Child> {
    child.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills the child when there is no sign for too long; ends with the [`Process`].
fn watch(
    limit: Duration,
    seen: Receiver<()>,
    child: Arc<Mutex<Child>>,
    is_overdue: Arc<AtomicBool>,
) {
    thread::spawn(move || {
        loop {
            match seen.recv_timeout(limit) {
                Ok(()) => {}
                Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => break,
            }
        }
        is_overdue.store(true, Ordering::SeqCst);
        drop(held(&child).kill());
    });
}

/// Reads a pipe to its end, on a thread: the one end must not wait for the other.
fn read(mut pipe: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, all) = channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        drop(pipe.read_to_end(&mut bytes));
        drop(sender.send(bytes));
    });
    all
}
