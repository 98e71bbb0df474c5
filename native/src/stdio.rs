//! The MCP server on stdin and stdout: bytes in, one line per answer out, until the input ends.
//!
//! One thread, so answers keep the order of the requests. A panic is answered and survived; what it says goes nowhere,
//! because the text of a panic may hold a piece of a payload, but where it happened does.

use crate::log;
use crate::signals::Signals;
use caveman_core::host::Host;
use caveman_core::mcp::{Frame, Framer, Reply, ServerInfo, Session, panicked};
use caveman_core::store::RecoveryStore;
use std::cell::RefCell;
use std::io::{self, BufRead, ErrorKind, StdinLock, Write};
use std::panic::{self, AssertUnwindSafe};

/// So much is read ahead at most, in bytes: a pipe's worth, in which a request's cancellation may stand behind it.
const AHEAD_BYTES: usize = 64 * 1024;

/// Where requests come from.
pub trait Input {
    /// The next bytes, waiting for them; none at the end.
    fn chunk(&mut self) -> io::Result<Vec<u8>>;
    /// Whether there are more bytes, or the end, without waiting.
    fn is_ready(&self) -> bool;
}

/// The stdin of this process.
#[derive(Debug)]
pub struct Stdin(StdinLock<'static>);

impl Default for Stdin {
    fn default() -> Stdin {
        Stdin(io::stdin().lock())
    }
}

impl Input for Stdin {
    fn chunk(&mut self) -> io::Result<Vec<u8>> {
        loop {
            match self.0.fill_buf() {
                Ok(bytes) => {
                    let bytes = bytes.to_vec();
                    self.0.consume(bytes.len());
                    return Ok(bytes);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    #[cfg(unix)]
    fn is_ready(&self) -> bool {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let mut stdin = [PollFd::new(&self.0, PollFlags::IN)];
        poll(&mut stdin, Some(&Timespec::default())).is_ok_and(|n_ready| n_ready > 0)
    }

    #[cfg(not(unix))]
    fn is_ready(&self) -> bool {
        false
    }
}

thread_local! {
    /// Where the last panic was: `file:line`.
    static PANICKED_AT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// What answers.
pub trait Service {
    /// Who serves.
    fn info(&self) -> &'static ServerInfo;
    /// The answer to what came in. After a panic the next call must work.
    fn answer(&mut self, frame: &Frame) -> Reply;
}

/// The server `caveman`: a session, its store and its host.
pub struct Compression<'s> {
    /// The conversation.
    pub session: &'s mut Session,
    /// Where originals are.
    pub store: &'s mut dyn RecoveryStore,
    /// The clock.
    pub host: &'s dyn Host,
}

impl Service for Compression<'_> {
    fn info(&self) -> &'static ServerInfo {
        &caveman_core::mcp::INFO
    }

    /// Totals and ledger change only with a complete answer, and the store's transactions roll back: a panic leaves nothing
    /// half done.
    fn answer(&mut self, frame: &Frame) -> Reply {
        self.session.handle_frame(self.store, self.host, frame)
    }
}

/// Serves until the input ends, the output is closed, or a signal asks to end. An error is one of reading.
pub fn serve(
    service: &mut dyn Service,
    signals: &Signals,
    mut input: impl Input,
    mut output: impl Write,
) -> io::Result<()> {
    note_panics();
    let mut framer = Framer::default();
    let mut has_ended = false;
    while !has_ended {
        has_ended = read(&mut framer, &mut input, signals)?;
        while let Some(frame) = framer.take() {
            let reply = answer(service, &frame);
            drop(frame);
            // A client that closed its end wants no more answers: an ordinary end.
            if let Reply::Line(line) = reply
                && output.write_all(&line).and_then(|()| output.flush()).is_err()
            {
                return Ok(());
            }
            if signals.is_end_asked() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Reads what there is, waiting for the first bytes, and says whether the input has ended.
fn read(framer: &mut Framer, input: &mut impl Input, signals: &Signals) -> io::Result<bool> {
    signals.idle();
    let mut chunk = input.chunk()?;
    signals.busy();
    let mut n_ahead = 0;
    loop {
        if chunk.is_empty() {
            framer.finish();
            return Ok(true);
        }
        framer.push(&chunk);
        n_ahead += chunk.len();
        if n_ahead >= AHEAD_BYTES || !input.is_ready() {
            return Ok(false);
        }
        chunk = input.chunk()?;
    }
}

fn answer(service: &mut dyn Service, frame: &Frame) -> Reply {
    let line = match frame {
        Frame::Line(line) => line.as_slice(),
        Frame::Oversized(_) => &[],
    };
    let info = service.info();
    // A service is safe to call again after a panic: see `Service::answer`.
    let handled = panic::catch_unwind(AssertUnwindSafe(|| service.answer(frame)));
    let reply =
        handled.unwrap_or_else(|_| PANICKED_AT.with_borrow(|place| panicked(info, line, place)));
    let n_bytes = if let Reply::Line(line) = &reply { line.len() } else { 0 };
    log::debug(format_args!("{} bytes answered with {n_bytes}", line.len()));
    reply
}

/// One line on stderr for each panic, with its place and without its text.
fn note_panics() {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map(|at| format!("{}:{}", at.file(), at.line()));
        let place = place.unwrap_or_default();
        log::error(format_args!("internal error at {place}; please report it"));
        PANICKED_AT.with_borrow_mut(|last| *last = place);
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::SystemHost;
    use caveman_core::store::{Entry, MemoryStore, Reference, StoreError, StoreInfo, Stored};

    /// Chunks that are all there at once, or come one by one.
    struct Chunks(std::vec::IntoIter<Vec<u8>>, bool);

    impl Input for Chunks {
        fn chunk(&mut self) -> io::Result<Vec<u8>> {
            Ok(self.0.next().unwrap_or_default())
        }

        fn is_ready(&self) -> bool {
            self.1
        }
    }

    struct Panicking;

    impl RecoveryStore for Panicking {
        fn put(&mut self, _: &Entry<'_>, _: u64) -> Result<(), StoreError> {
            panic!("secret")
        }
        fn get(&mut self, _: &Reference, _: u64) -> Result<Stored, StoreError> {
            panic!("secret")
        }
        fn info(&mut self) -> StoreInfo {
            panic!("secret")
        }
    }

    fn served(store: &mut dyn RecoveryStore, chunks: &[&[u8]], is_ready: bool) -> String {
        let chunks: Vec<Vec<u8>> = chunks.iter().map(|chunk| chunk.to_vec()).collect();
        let input = Chunks(chunks.into_iter(), is_ready);
        let mut output = Vec::new();
        let (mut session, signals) = (Session::default(), Signals::default());
        let mut service = Compression { session: &mut session, store, host: &SystemHost };
        serve(&mut service, &signals, input, &mut output).unwrap();
        String::from_utf8(output).unwrap()
    }

    const PING: &[u8] = b"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n";
    const PONG: &str = "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n";

    #[test]
    fn a_panic_is_answered_without_its_text_and_the_next_request_works() {
        let stats = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"caveman_stats\"}}\n";
        let output = served(&mut Panicking, &[stats, PING], false);
        let lines: Vec<&str> = output.split_inclusive('\n').collect();
        assert!(
            lines[0].contains("cave_tool_panicked") && lines[0].contains("stdio.rs"),
            "{output}"
        );
        assert!(!output.contains("secret"), "{output}");
        assert_eq!(lines[1..], [PONG]);
    }

    #[test]
    fn what_was_cancelled_before_its_turn_is_not_answered() {
        let cancel = b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":2}}\n";
        let mut store = MemoryStore::default();
        assert_eq!(served(&mut store, &[PING, cancel], true), "");
        assert_eq!(served(&mut store, &[PING, cancel], false), PONG);
        assert_eq!(served(&mut store, &[PING, PING, PING], true), PONG.repeat(3));
    }
}
