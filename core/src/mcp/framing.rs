//! Bytes to lines: the stdio transport without the IO, shared by the native loop, the JavaScript host and the fuzz targets.

use super::jsonrpc;
use super::salvage::IdScanner;
use crate::prelude::*;
use alloc::collections::VecDeque;

/// Longest line that is read, in bytes without its newline. Longer ones are discarded and answered with an error.
pub const MAX_LINE_BYTES: usize = 16 * 1024 * 1024;

/// One line of input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame {
    /// A line without its newline.
    Line(Vec<u8>),
    /// A line longer than [`MAX_LINE_BYTES`], of which only the id was kept, as JSON text.
    Oversized(Option<String>),
}

/// Cuts a byte stream into lines. Holds at most one unfinished line, never more than [`MAX_LINE_BYTES`] of it, and the
/// lines that were complete in the last chunks and have not been taken.
#[derive(Clone, Debug, Default)]
pub struct Framer {
    unfinished: Vec<u8>,
    /// Set while the rest of an oversized line is discarded.
    discarding: Option<Box<IdScanner>>,
    ready: VecDeque<Frame>,
}

impl Framer {
    /// Takes the next bytes of the stream, in chunks of any size.
    ///
    /// A request that stands in front of its own cancellation and has not been taken yet is dropped, so a host that reads
    /// as much as there is before it takes the next line answers no request that was cancelled before its turn.
    pub fn push(&mut self, chunk: &[u8]) {
        let mut rest = chunk;
        while let Some(at) = memchr::memchr(b'\n', rest) {
            self.extend(rest.get(..at).unwrap_or_default());
            rest = rest.get(at + 1..).unwrap_or_default();
            self.end_of_line();
        }
        self.extend(rest);
    }

    /// The stream has ended: a last line without newline is a line too.
    pub fn finish(&mut self) {
        if !self.unfinished.is_empty() || self.discarding.is_some() {
            self.end_of_line();
        }
    }

    /// The next line, in the order of input; `None` until there are more bytes.
    pub fn take(&mut self) -> Option<Frame> {
        self.ready.pop_front()
    }

    fn extend(&mut self, bytes: &[u8]) {
        if let Some(scanner) = &mut self.discarding {
            scanner.feed(bytes);
            return;
        }
        let n_bytes = self.unfinished.len() + bytes.len();
        if n_bytes > MAX_LINE_BYTES {
            let mut scanner = Box::new(IdScanner::default());
            scanner.feed(&core::mem::take(&mut self.unfinished));
            scanner.feed(bytes);
            self.discarding = Some(scanner);
            return;
        }
        if n_bytes > self.unfinished.capacity() {
            let wanted = (self.unfinished.capacity() * 2).clamp(n_bytes, MAX_LINE_BYTES);
            self.unfinished.reserve_exact(wanted - self.unfinished.len());
        }
        self.unfinished.extend_from_slice(bytes);
    }

    fn end_of_line(&mut self) {
        if let Some(scanner) = self.discarding.take() {
            self.ready.push_back(Frame::Oversized(scanner.finish()));
            return;
        }
        // The buffer goes out with its line, so a big line leaves no big buffer behind.
        let line = core::mem::take(&mut self.unfinished);
        if line.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        if !self.ready.is_empty()
            && let Some(cancelled) = jsonrpc::cancelled_id(&line)
        {
            self.ready.retain(|frame| match frame {
                Frame::Line(line) => jsonrpc::request_id(line).as_deref() != Some(&cancelled),
                Frame::Oversized(_) => true,
            });
        }
        self.ready.push_back(Frame::Line(line));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(stream: &[u8], chunk_bytes: usize) -> Vec<Frame> {
        let mut framer = Framer::default();
        let mut out = Vec::new();
        for chunk in stream.chunks(chunk_bytes) {
            framer.push(chunk);
            out.extend(core::iter::from_fn(|| framer.take()));
        }
        framer.finish();
        out.extend(core::iter::from_fn(|| framer.take()));
        out
    }

    fn check(stream: &[u8], lines: &[&str]) {
        for chunk_bytes in [1, 2, 5, 4096] {
            let expected: Vec<Frame> =
                lines.iter().map(|l| Frame::Line(l.as_bytes().to_vec())).collect();
            assert_eq!(frames(stream, chunk_bytes), expected, "chunks of {chunk_bytes}");
        }
    }

    #[test]
    fn lines_come_out_in_order_however_the_stream_is_cut() {
        check(b"", &[]);
        check(b"\n\r\n   \n", &[]);
        check(b"a\nbb\n", &["a", "bb"]);
        check(b"a\r\n\nbb", &["a\r", "bb"]);
    }

    #[test]
    fn a_line_at_the_limit_is_a_line_and_one_byte_more_is_not() {
        let mut stream = vec![b'x'; MAX_LINE_BYTES];
        stream.push(b'\n');
        assert!(
            matches!(&frames(&stream, 65_536)[..], [Frame::Line(l)] if l.len() == MAX_LINE_BYTES)
        );
        stream.insert(0, b'x');
        stream.extend_from_slice(b"next");
        assert_eq!(
            frames(&stream, 65_536),
            [Frame::Oversized(None), Frame::Line(b"next".to_vec())]
        );
    }

    #[test]
    fn an_oversized_line_keeps_its_id_and_no_memory() {
        let mut framer = Framer::default();
        framer.push(br#"{"jsonrpc":"2.0","params":{"x":""#);
        for _ in 0..40 {
            framer.push(&vec![b'y'; 1 << 20]);
            assert!(framer.unfinished.capacity() <= MAX_LINE_BYTES);
        }
        assert_eq!(framer.unfinished.capacity(), 0);
        framer.push(b"\"},\"id\":77}\nping");
        framer.finish();
        assert_eq!(framer.take(), Some(Frame::Oversized(Some("77".into()))));
        assert_eq!(framer.take(), Some(Frame::Line(b"ping".to_vec())));
        assert_eq!(framer.take(), None);
    }

    #[test]
    fn a_request_cancelled_before_its_turn_is_dropped() {
        let request = |id: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        let cancel = |id: &str| {
            format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#
            )
        };
        let stream = [request("1"), request("\"a\""), cancel("\"a\""), request("2"), cancel("9")];
        let mut framer = Framer::default();
        framer.push((stream.join("\n") + "\n").as_bytes());
        let left: Vec<_> = core::iter::from_fn(|| framer.take()).collect();
        let expected = [&stream[0], &stream[2], &stream[3], &stream[4]];
        assert_eq!(left, expected.map(|l| Frame::Line(l.as_bytes().to_vec())));
        // A later request may use the id again.
        framer.push((request("\"a\"") + "\n").as_bytes());
        assert!(framer.take().is_some());
    }
}
