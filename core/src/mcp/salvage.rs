//! Finds the id of a request in a line that cannot be parsed, because it is damaged or too long to hold, so that the
//! caller gets an answer to its own request instead of waiting for a time-out.
//!
//! Clients write the id first or last, so the whole line is scanned, in memory that does not depend on its length.

use crate::prelude::*;
use serde_json::value::RawValue;

/// Longest id that is salvaged, in bytes of JSON text. Our choice: far above every id that a client counts or draws.
const MAX_ID_BYTES: usize = 1024;

/// Reads a line byte by byte and remembers the first complete `id` of its outermost object.
#[derive(Clone, Debug, Default)]
pub struct IdScanner {
    state: State,
    depth: u32,
    /// What a string at depth 1 would be: a key or a value.
    at_key: bool,
    /// The last key at depth 1 was `id` and its value is still to come.
    wanted: bool,
    /// The key being read, as far as it may still be `id`, or the id being read.
    held: Vec<u8>,
    id: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Start,
    Between,
    /// In a string; whether its bytes are held.
    Text(Hold),
    /// After a backslash in a string.
    Escape(Hold),
    /// In the number that is the id.
    Number,
    /// The id is known, or can no longer be found.
    Done,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hold {
    No,
    Key,
    Id,
}

impl IdScanner {
    /// The id of a whole line, as JSON text; `None` when there is none, when it is null, or when it may be cut off.
    pub fn scan(line: &[u8]) -> Option<String> {
        let mut scanner = IdScanner::default();
        scanner.feed(line);
        scanner.finish()
    }

    /// Reads on.
    pub fn feed(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let Some((&byte, after)) = rest.split_first() {
            match self.state {
                State::Done => return,
                // Long strings are what makes a line long: skip to their next quote or escape.
                State::Text(Hold::No) => match memchr::memchr2(b'"', b'\\', rest) {
                    None => return,
                    Some(at) => {
                        let hit = rest.get(at).copied();
                        rest = rest.get(at + 1..).unwrap_or_default();
                        self.step(hit.unwrap_or_default());
                        continue;
                    }
                },
                _ => self.step(byte),
            }
            rest = after;
        }
    }

    /// What was found once the line has ended.
    pub fn finish(self) -> Option<String> {
        self.id
    }

    fn step(&mut self, byte: u8) {
        match self.state {
            State::Start => match byte {
                b' ' | b'\t' | b'\r' | 0xEF | 0xBB | 0xBF => {}
                b'{' => {
                    (self.state, self.depth, self.at_key) = (State::Between, 1, true);
                }
                _ => self.state = State::Done,
            },
            State::Between => self.between(byte),
            State::Text(hold) => {
                if byte != b'"' {
                    self.hold(hold, byte);
                }
                match byte {
                    b'"' => self.end_of_string(hold),
                    b'\\' => self.state = State::Escape(hold),
                    _ => {}
                }
            }
            State::Escape(hold) => {
                self.hold(hold, byte);
                self.state = State::Text(hold);
            }
            State::Number => match byte {
                b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E' => self.hold(Hold::Id, byte),
                // Only a delimiter proves that the number was not cut off.
                b',' | b'}' | b' ' | b'\t' | b'\r' => self.found(),
                _ => self.state = State::Done,
            },
            State::Done => {}
        }
    }

    fn between(&mut self, byte: u8) {
        match byte {
            b'"' => {
                let hold = match (self.depth, self.at_key, self.wanted) {
                    (1, true, _) => Hold::Key,
                    (1, false, true) => Hold::Id,
                    _ => Hold::No,
                };
                self.held.clear();
                if hold == Hold::Id {
                    self.held.push(byte);
                }
                self.state = State::Text(hold);
            }
            b'{' | b'[' => {
                self.wanted = false;
                self.depth = self.depth.saturating_add(1);
            }
            b'}' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 {
                    self.state = State::Done;
                }
            }
            b',' if self.depth == 1 => (self.at_key, self.wanted) = (true, false),
            b':' if self.depth == 1 => self.at_key = false,
            b'-' | b'0'..=b'9' if self.depth == 1 && self.wanted && !self.at_key => {
                self.held.clear();
                self.held.push(byte);
                self.state = State::Number;
            }
            _ => {}
        }
    }

    fn hold(&mut self, hold: Hold, byte: u8) {
        let limit = match hold {
            Hold::No => return,
            // One byte more than `id` is enough to know that it is another key.
            Hold::Key => 3,
            Hold::Id => MAX_ID_BYTES + 1,
        };
        if self.held.len() < limit {
            self.held.push(byte);
        }
    }

    fn end_of_string(&mut self, hold: Hold) {
        self.state = State::Between;
        match hold {
            Hold::No => {}
            Hold::Key => self.wanted = self.held == b"id",
            Hold::Id => {
                self.held.push(b'"');
                self.found();
            }
        }
    }

    fn found(&mut self) {
        self.state = State::Done;
        if self.held.len() > MAX_ID_BYTES {
            return;
        }
        // A damaged line may hold anything: only what is a JSON string or number goes out again.
        let held = core::mem::take(&mut self.held);
        self.id =
            String::from_utf8(held).ok().filter(|id| serde_json::from_str::<&RawValue>(id).is_ok());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &[u8], id: Option<&str>) {
        let text = String::from_utf8_lossy(line);
        assert_eq!(IdScanner::scan(line).as_deref(), id, "{text}");
        // However the line is cut into chunks, the answer is the same.
        for size in [1, 2, 3, 7] {
            let mut scanner = IdScanner::default();
            line.chunks(size).for_each(|chunk| scanner.feed(chunk));
            assert_eq!(scanner.finish().as_deref(), id, "{text} in chunks of {size}");
        }
    }

    #[test]
    fn the_id_is_found_first_last_and_in_damaged_lines() {
        check(br#"{"jsonrpc":"2.0","id":5,"method":"pi"#, Some("5"));
        check(br#"{"params":{"id":1,"a":["id",{"id":2}]},"id":"s-1"}"#, Some(r#""s-1""#));
        check(br#"{"id" : -1.5e3 ,"method"#, Some("-1.5e3"));
        check(br#" {"id":"a\"b\\","x"#, Some(r#""a\"b\\""#));
        check("\u{feff}{\"id\":\"é\",".as_bytes(), Some("\"é\""));
        check(br#"{"a":"x\"}{\"id\":3","id":4}"#, Some("4"));
    }

    #[test]
    fn what_may_be_cut_off_or_is_no_id_is_not_given_out() {
        for line in [
            &br#"{"id":12"#[..],
            br#"{"id":"abc"#,
            br#"{"id":null,"method":"x"}"#,
            br#"{"id":{"id":7}}"#,
            br#"{"id":[7]}"#,
            br#"{"id":true,"x":1}"#,
            br#"{"id":1-2,"#,
            br#"{"id":1x,"#,
            br#"{"idx":1,"xid":2,"params":{"id":3}}"#,
            br#"["id",1]"#,
            br#"[{"id":1}]"#,
            br#"id:1,"#,
            b"",
            b"{\"id\":\"\xff\",",
            b"{\"id\":\"a\tb\",",
            br#"{"x":"id",5}"#,
        ] {
            check(line, None);
        }
        check(format!("{{\"id\":\"{}\",", "x".repeat(2000)).as_bytes(), None);
    }

    #[test]
    fn memory_does_not_grow_with_the_line() {
        let mut scanner = IdScanner::default();
        scanner.feed(br#"{"id":""#);
        for _ in 0..1000 {
            scanner.feed(&[b'x'; 4096]);
        }
        assert!(scanner.held.capacity() <= 4 * MAX_ID_BYTES);
        let mut scanner = IdScanner::default();
        scanner.feed("[".repeat(100).as_bytes());
        scanner.feed(br#"{"params":"#);
        for _ in 0..1000 {
            scanner.feed(&[b'['; 4096]);
        }
        assert!(scanner.finish().is_none());
    }
}
