//! `compress` on a stream that is too long to be read whole: piece by piece, each a payload of its own with a handle of its
//! own, in the memory that one piece takes.

use super::{Failure, output};
use crate::host::SystemHost;
use crate::log;
use caveman_core::engine::{self, Options};
use caveman_core::host::Host;
use caveman_core::kind::Kind;
use caveman_core::mcp::{self, Object};
use caveman_core::store::{Handle, RecoveryStore};
use caveman_core::{detect, present, tokens};
use output::grouped;
use std::io::{self, ErrorKind, Read, Write};

/// Bytes of a piece at most; `tests/cli/large.rs` holds what the process takes with it.
const PIECE_BYTES: usize = 8 * 1024 * 1024;

/// Kinds that can be cut between any two lines.
const BY_LINE: &[Kind] = &[
    Kind::Log,
    Kind::Ndjson,
    Kind::TestReport,
    Kind::Diagnostics,
    Kind::StackTrace,
    Kind::Search,
    Kind::Listing,
    Kind::Table,
    Kind::Terminal,
    Kind::Text,
    Kind::Mixed,
];

/// The kind of a stream that begins with `head`, when it is one that can be cut.
pub(super) fn kind_of(head: &[u8], forced: Option<Kind>) -> Option<Kind> {
    let piece = head.get(..cut(head)?)?;
    let text = std::str::from_utf8(piece).ok().filter(|text| !text.contains('\0'))?;
    let kind = forced.unwrap_or_else(|| detect::detect(&present::unwrap(text).text).kind);
    BY_LINE.contains(&kind).then_some(kind)
}

/// Where the first piece ends: behind the last line end within its size. `None` when there is none.
fn cut(bytes: &[u8]) -> Option<usize> {
    let window = bytes.get(..PIECE_BYTES).unwrap_or(bytes);
    window.iter().rposition(|byte| *byte == b'\n').map(|at| at + 1)
}

/// What became of a stream.
#[derive(Default)]
pub(super) struct Totals {
    n_bytes: u64,
    n_pieces: u64,
    n_passed: u64,
    before: u64,
    after: u64,
    handles: Vec<Handle>,
    /// Why a piece was not kept, the first time.
    refusal: Option<String>,
}

/// What is done with what comes out.
pub(super) trait Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()>;
}

/// To stdout, as the payload.
pub(super) struct Stdout(pub(super) io::StdoutLock<'static>);

impl Sink for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)
    }
}

/// Nowhere: only the figures are wanted.
pub(super) struct Nowhere;

impl Sink for Nowhere {
    fn write(&mut self, _: &[u8]) -> io::Result<()> {
        Ok(())
    }
}

/// Compresses `head` and `rest`. A reader of stdout that goes away is an ordinary end.
pub(super) fn run(
    head: Vec<u8>,
    rest: &mut dyn Read,
    options: &Options<'_>,
    store: &mut dyn RecoveryStore,
    sink: &mut dyn Sink,
) -> Result<Totals, Failure> {
    let mut totals = Totals::default();
    let mut n_lines = 0;
    let mut buffer = Vec::new();
    let mut piece = |bytes: &[u8], totals: &mut Totals| -> io::Result<()> {
        totals.n_pieces += 1;
        totals.n_bytes += bytes.len() as u64;
        if totals.refusal.is_some() {
            // A store that has refused one piece is not asked again.
            let n_tokens = std::str::from_utf8(bytes).map_or(0, tokens::count);
            totals.before += n_tokens;
            totals.after += n_tokens;
            totals.n_passed += 1;
            return sink.write(bytes);
        }
        let answer = engine::compress(&mut *store, SystemHost.now_ms(), bytes, options);
        totals.before += answer.tokens_before;
        totals.after += answer.tokens_after;
        match answer.recovery_handle {
            Some(handle) => totals.handles.push(handle),
            None => totals.n_passed += 1,
        }
        if let (None, Some(error)) = (&totals.refusal, &answer.store_error) {
            totals.refusal = Some(format!("{}: {error}", error.code()));
        }
        if totals.n_pieces > 1 && answer.recovery_handle.is_some() {
            let place = format!(
                "[caveman: part {} of the stream, from line {}; lines are counted from 1 in it]\n",
                totals.n_pieces,
                n_lines + 1
            );
            sink.write(place.as_bytes())?;
        }
        n_lines += bytes.iter().filter(|byte| **byte == b'\n').count();
        sink.write(&answer.output)
    };
    let mut left = head.as_slice();
    let written = loop {
        // What is at hand goes without being copied; what is left of it begins the next piece.
        if left.len() >= PIECE_BYTES {
            let (bytes, more) = left.split_at(cut(left).unwrap_or(PIECE_BYTES));
            left = more;
            if let Err(error) = piece(bytes, &mut totals) {
                break Err(error);
            }
            continue;
        }
        break Ok(());
    };
    buffer.extend_from_slice(left);
    drop(head);
    let outcome = written.and_then(|()| {
        loop {
            let wanted = (PIECE_BYTES - buffer.len()) as u64;
            let n_read = rest.take(wanted).read_to_end(&mut buffer);
            match n_read {
                Err(error) => return Err(error),
                Ok(0) if wanted > 0 => {
                    return if buffer.is_empty() { Ok(()) } else { piece(&buffer, &mut totals) };
                }
                Ok(_) if buffer.len() < PIECE_BYTES => {}
                Ok(_) => {
                    let end = cut(&buffer).unwrap_or(PIECE_BYTES);
                    piece(buffer.get(..end).unwrap_or_default(), &mut totals)?;
                    buffer.drain(..end);
                }
            }
        }
    });
    match outcome {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::failed(format!("cannot go on with the stream: {error}")))
        }
        _ => Ok(totals),
    }
}

impl Totals {
    /// Says on stderr what could not be kept.
    pub(super) fn warn(&self) {
        if let Some(why) = &self.refusal {
            let (n_passed, n_pieces) = (grouped(self.n_passed), grouped(self.n_pieces));
            log::warn(format_args!("{n_passed} of {n_pieces} pieces passed through: {why}"));
        }
    }

    /// One line for the person at the terminal.
    pub(super) fn summary(&self, kind: Kind) -> String {
        let saved = self.before.saturating_sub(self.after).saturating_mul(100) / self.before.max(1);
        format!(
            "{} in {} pieces: {} -> {} tokens, {saved} % saved (inferred)",
            kind.name(),
            grouped(self.n_pieces),
            grouped(self.before),
            grouped(self.after)
        )
    }

    /// The figures as JSON.
    pub(super) fn figures(&self, kind: Kind) -> String {
        let handles: Vec<String> =
            self.handles.iter().map(|handle| format!("\"{handle}\"")).collect();
        let figures = Object::new()
            .raw("ratio", &mcp::ratio(self.before, self.after))
            .number("tokens_before", self.before)
            .number("tokens_after", self.after)
            .text("basis", "inferred")
            .text("content_type", kind.name())
            .number("input_bytes", self.n_bytes)
            .number("pieces", self.n_pieces)
            .number("passed_through", self.n_passed)
            .raw("recovery_handle", "null")
            .raw("recovery_handles", &format!("[{}]", handles.join(",")));
        match &self.refusal {
            Some(why) => figures.text("note", why).finish(),
            None => figures.finish(),
        }
    }
}
