//! The MCP server on stdin and stdout: bytes in, one line per answer out, until the input ends.
//!
//! One thread, so answers keep the order of the requests. A panic is answered and survived; what it says goes nowhere,
//! because the text of a panic may hold a piece of a payload, but where it happened does.

use crate::signals::Signals;
use caveman_core::host::Host;
use caveman_core::mcp::{Frame, Framer, Reply, Session};
use caveman_core::store::RecoveryStore;
use std::cell::RefCell;
use std::io::{self, BufRead, ErrorKind, Write};
use std::panic::{self, AssertUnwindSafe};

thread_local! {
    /// Where the last panic was: `file:line`.
    static PANICKED_AT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Serves until the input ends, the output is closed, or a signal asks to end. An error is one of reading.
pub fn serve(
    session: &mut Session,
    store: &mut dyn RecoveryStore,
    host: &dyn Host,
    signals: &Signals,
    mut input: impl BufRead,
    mut output: impl Write,
) -> io::Result<()> {
    note_panics();
    let mut framer = Framer::default();
    loop {
        signals.idle();
        let n_bytes = match input.fill_buf() {
            Ok(chunk) => {
                signals.busy();
                framer.push(chunk);
                chunk.len()
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        input.consume(n_bytes);
        if n_bytes == 0 {
            framer.finish();
        }
        while let Some(frame) = framer.take() {
            let reply = answer(session, store, host, &frame);
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
        if n_bytes == 0 {
            return Ok(());
        }
    }
}

fn answer(
    session: &mut Session,
    store: &mut dyn RecoveryStore,
    host: &dyn Host,
    frame: &Frame,
) -> Reply {
    // Totals and ledger change only with a complete answer, and the store's transactions roll back: nothing is left half done.
    let handled =
        panic::catch_unwind(AssertUnwindSafe(|| session.handle_frame(store, host, frame)));
    handled.unwrap_or_else(|_| {
        let line = match frame {
            Frame::Line(line) => line.as_slice(),
            Frame::Oversized(_) => &[],
        };
        PANICKED_AT.with_borrow(|place| Session::panic_reply(line, place))
    })
}

/// One line on stderr for each panic, with its place and without its text.
fn note_panics() {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map(|at| format!("{}:{}", at.file(), at.line()));
        let place = place.unwrap_or_default();
        crate::log::error(format_args!("internal error at {place}; please report it"));
        PANICKED_AT.with_borrow_mut(|last| *last = place);
    }));
}
