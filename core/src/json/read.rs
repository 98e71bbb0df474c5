//! The scanner: one pass over the bytes, no recursion; an open container holds its parent's ordinal until it closes.

use super::{Container, ESCAPED, JsonError, JsonKind, Slot, Tape};
use crate::prelude::*;
use crate::text::offset;

/// Longest text that is read: a node has 28 bits for a length. Four times the largest payload that the engine takes.
pub const MAX_TEXT_BYTES: usize = (1 << 28) - 1;

/// Reads one strict RFC 8259 document, whitespace around it allowed.
///
/// Lone surrogate escapes pass (`Value::as_str` answers `None` for them); a BOM does not.
pub fn read(text: &str) -> Result<Tape<'_>, JsonError> {
    let mut scanner = Scanner::<Strict>::new(text, 0);
    scanner.document()?;
    scanner.end()
}

/// Reads one document that may have `//` and `/* */` comments and a comma before a closing bracket (JSONC).
pub fn read_relaxed(text: &str) -> Result<Tape<'_>, JsonError> {
    let mut scanner = Scanner::<Relaxed>::new(text, 0);
    scanner.document()?;
    scanner.end()
}

/// Reads the strict value that begins at byte `at`, whitespace before it allowed; also where it ends.
///
/// For values that stand one after another: begin the next one at the returned offset.
pub fn read_prefix(text: &str, at: usize) -> Result<(Tape<'_>, usize), JsonError> {
    let mut scanner = Scanner::<Strict>::new(text, at);
    scanner.document()?;
    let end = scanner.at;
    Ok((Tape { text, slots: scanner.slots, containers: scanner.containers }, end))
}

/// What may stand between tokens.
trait Grammar {
    const RELAXED: bool;
}

struct Strict;
struct Relaxed;

impl Grammar for Strict {
    const RELAXED: bool = false;
}

impl Grammar for Relaxed {
    const RELAXED: bool = true;
}

const NO_PARENT: u32 = u32::MAX;

/// Stand in an open container's `end` for what it is.
const OBJECT: u32 = u32::MAX;
const ARRAY: u32 = u32::MAX - 1;

struct Scanner<'t, G> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    from: usize,
    slots: Vec<Slot>,
    containers: Vec<Container>,
    /// Ordinal of the innermost open container.
    open: u32,
    grammar: core::marker::PhantomData<G>,
}

impl<'t, G: Grammar> Scanner<'t, G> {
    fn new(text: &'t str, at: usize) -> Self {
        Scanner {
            text,
            bytes: text.as_bytes(),
            at,
            from: at,
            slots: Vec::new(),
            containers: Vec::new(),
            open: NO_PARENT,
            grammar: core::marker::PhantomData,
        }
    }

    fn error(&self, at: usize, what: &'static str) -> JsonError {
        JsonError { at: offset(at), what }
    }

    fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(0)
    }

    fn end(mut self) -> Result<Tape<'t>, JsonError> {
        self.space()?;
        if self.at < self.bytes.len() {
            return Err(self.error(self.at, "something after the document"));
        }
        Ok(Tape { text: self.text, slots: self.slots, containers: self.containers })
    }

    /// Skips whitespace, and comments where the grammar has them.
    #[inline(always)]
    fn space(&mut self) -> Result<(), JsonError> {
        loop {
            match self.bytes.get(self.at) {
                Some(b' ' | b'\n' | b'\t' | b'\r') => self.at = skip_space(self.bytes, self.at + 1),
                Some(b'/') if G::RELAXED => self.comment()?,
                _ => return Ok(()),
            }
        }
    }

    fn comment(&mut self) -> Result<(), JsonError> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        if rest.starts_with(b"//") {
            self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            return Ok(());
        }
        let body =
            rest.strip_prefix(b"/*").ok_or(self.error(self.at, "neither a value nor a comment"))?;
        let end = memchr::memmem::find(body, b"*/")
            .ok_or(self.error(self.at, "an unterminated comment"))?;
        self.at += end + 4;
        Ok(())
    }

    /// One value with everything in it.
    fn document(&mut self) -> Result<(), JsonError> {
        if self.bytes.len() > MAX_TEXT_BYTES {
            return Err(self.error(MAX_TEXT_BYTES, "a text longer than 256 MiB"));
        }
        loop {
            // A value begins here.
            self.space()?;
            match self.peek() {
                b'"' => self.string()?,
                b'{' => {
                    self.begin(JsonKind::Object);
                    self.at += 1;
                    self.space()?;
                    if self.peek() != b'}' {
                        self.key()?;
                        continue;
                    }
                    self.at += 1;
                    self.close();
                }
                b'[' => {
                    self.begin(JsonKind::Array);
                    self.at += 1;
                    self.space()?;
                    if self.peek() != b']' {
                        continue;
                    }
                    self.at += 1;
                    self.close();
                }
                b'-' | b'0'..=b'9' => self.number()?,
                b't' => self.word(b"true", JsonKind::Bool)?,
                b'f' => self.word(b"false", JsonKind::Bool)?,
                b'n' => self.word(b"null", JsonKind::Null)?,
                _ if self.at >= self.bytes.len() => {
                    return Err(self.error(self.at, "the text ends where a value should be"));
                }
                _ => return Err(self.error(self.at, "not a value")),
            }
            // A value has ended here: go on in the container around it, or out of as many as close.
            loop {
                let Some(parent) = self.containers.get_mut(self.open as usize) else {
                    return Ok(());
                };
                parent.len += 1;
                let in_object = parent.end == OBJECT;
                self.space()?;
                let byte = self.peek();
                let closer = if in_object { b'}' } else { b']' };
                if byte == b',' {
                    self.at += 1;
                    if G::RELAXED {
                        self.space()?;
                        if self.peek() == closer {
                            self.at += 1;
                            self.close();
                            continue;
                        }
                    }
                    if in_object {
                        self.space()?;
                        self.key()?;
                    }
                    break;
                }
                if byte != closer {
                    let what = if in_object {
                        "neither a comma nor the closing brace"
                    } else {
                        "neither a comma nor the closing bracket"
                    };
                    return Err(self.error(self.at, what));
                }
                self.at += 1;
                self.close();
            }
        }
    }

    /// A key and its colon.
    #[inline(always)]
    fn key(&mut self) -> Result<(), JsonError> {
        if self.peek() != b'"' {
            return Err(self.error(self.at, "not a key"));
        }
        self.string()?;
        self.space()?;
        if self.peek() != b':' {
            return Err(self.error(self.at, "no colon after a key"));
        }
        self.at += 1;
        Ok(())
    }

    fn begin(&mut self, kind: JsonKind) {
        let ordinal = offset(self.containers.len());
        self.push(Slot { start: offset(self.at), packed: ordinal << 4 | kind as u32 });
        if self.containers.len() == self.containers.capacity() {
            let n_more = self.foresee(self.containers.len());
            self.containers.reserve_exact(n_more);
        }
        let end = if kind == JsonKind::Object { OBJECT } else { ARRAY };
        self.containers.push(Container { end, next: self.open, len: 0 });
        self.open = ordinal;
    }

    fn close(&mut self) {
        let next = offset(self.slots.len());
        let end = offset(self.at);
        if let Some(container) = self.containers.get_mut(self.open as usize) {
            self.open = container.next;
            container.next = next;
            container.end = end;
        }
    }

    #[inline(always)]
    fn push(&mut self, slot: Slot) {
        if self.slots.len() == self.slots.capacity() {
            let n_more = self.foresee(self.slots.len());
            self.slots.reserve_exact(n_more);
        }
        self.slots.push(slot);
    }

    /// How many more there will be of what there are `n` so far, if the rest of the text is like its beginning: at
    /// least a sixteenth, so that time stays linear, and little more than needed, as the tape is most of the memory.
    #[cold]
    fn foresee(&self, n: usize) -> usize {
        let done = (self.at - self.from).max(1) as u64;
        let left = (self.bytes.len() - self.at.min(self.bytes.len())) as u64;
        let foreseen = (n as u64).saturating_mul(left) / done;
        usize::try_from(foreseen.saturating_add(foreseen / 32))
            .unwrap_or(n)
            .min(n.saturating_mul(16))
            .max(n / 16 + 16)
    }

    #[inline(always)]
    fn scalar(&mut self, end: usize, flags: u32) {
        let packed = offset(end - self.at) << 4 | flags;
        self.push(Slot { start: offset(self.at), packed });
        self.at = end;
    }

    #[inline(always)]
    fn string(&mut self) -> Result<(), JsonError> {
        let (end, escaped) = scan_string(self.bytes, self.at)?;
        self.scalar(end, JsonKind::String as u32 | if escaped { ESCAPED } else { 0 });
        Ok(())
    }

    #[inline(always)]
    fn number(&mut self) -> Result<(), JsonError> {
        let end = scan_number(self.bytes, self.at).ok_or(self.error(self.at, "not a number"))?;
        self.scalar(end, JsonKind::Number as u32);
        Ok(())
    }

    fn word(&mut self, word: &[u8], kind: JsonKind) -> Result<(), JsonError> {
        let end = self.at + word.len();
        if self.bytes.get(self.at..end) != Some(word) {
            return Err(self.error(self.at, "not a value"));
        }
        self.scalar(end, kind as u32);
        Ok(())
    }
}

/// Where the whitespace from `at` on ends.
#[inline(always)]
fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    // Indentation comes in long runs of spaces: eight at a time.
    while let Some(word) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let differs = u64::from_le_bytes(*word) ^ (ONES * 0x20);
        if differs != 0 {
            at += (differs.trailing_zeros() / 8) as usize;
            break;
        }
        at += 8;
    }
    while let Some(b' ' | b'\n' | b'\t' | b'\r') = bytes.get(at) {
        at += 1;
    }
    at
}

const ONES: u64 = u64::MAX / 255;

/// High bit of every byte that is a quote, a backslash or a control; bytes above the first hit may be wrong.
#[inline(always)]
pub(crate) fn specials(word: u64) -> u64 {
    let quote = word ^ (ONES * 0x22);
    let backslash = word ^ (ONES * 0x5c);
    let hits = (quote.wrapping_sub(ONES) & !quote)
        | (backslash.wrapping_sub(ONES) & !backslash)
        | (word.wrapping_sub(ONES * 0x20) & !word);
    hits & (ONES * 0x80)
}

/// The end of the string whose opening quote stands at `at`, one past its closing quote, and whether it has escapes.
#[inline(always)]
fn scan_string(bytes: &[u8], at: usize) -> Result<(usize, bool), JsonError> {
    let mut end = at + 1;
    let mut escaped = false;
    loop {
        end = plain_end(bytes, end);
        match bytes.get(end) {
            Some(b'"') => return Ok((end + 1, escaped)),
            Some(b'\\') => {
                escaped = true;
                end = scan_escape(bytes, end)?;
            }
            Some(_) => {
                return Err(JsonError { at: offset(end), what: "a control character in a string" });
            }
            None => {
                return Err(JsonError { at: offset(bytes.len()), what: "an unterminated string" });
            }
        }
    }
}

/// Where the first quote, backslash or control from `at` on stands; the length when there is none.
#[inline(always)]
pub(crate) fn plain_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(word) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let hits = specials(u64::from_le_bytes(*word));
        if hits != 0 {
            return at + (hits.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while let Some(byte) = bytes.get(at) {
        if matches!(byte, b'"' | b'\\' | 0..=0x1f) {
            break;
        }
        at += 1;
    }
    at
}

/// The end of the escape whose backslash stands at `at`.
fn scan_escape(bytes: &[u8], at: usize) -> Result<usize, JsonError> {
    match bytes.get(at + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 2),
        Some(b'u')
            if bytes.get(at + 2..at + 6).is_some_and(|h| h.iter().all(u8::is_ascii_hexdigit)) =>
        {
            Ok(at + 6)
        }
        Some(_) => Err(JsonError { at: offset(at), what: "not an escape" }),
        None => Err(JsonError { at: offset(bytes.len()), what: "an unterminated string" }),
    }
}

/// The end of the number that begins at `at`; `None` when none does.
#[inline(always)]
pub(crate) fn scan_number(bytes: &[u8], at: usize) -> Option<usize> {
    let mut end = at;
    if bytes.get(end) == Some(&b'-') {
        end += 1;
    }
    end = match bytes.get(end)? {
        b'0' => end + 1,
        b'1'..=b'9' => skip_digits(bytes, end + 1),
        _ => return None,
    };
    if bytes.get(end) == Some(&b'.') {
        end = some_digits(bytes, end + 1)?;
    }
    if let Some(b'e' | b'E') = bytes.get(end) {
        end += 1;
        if let Some(b'+' | b'-') = bytes.get(end) {
            end += 1;
        }
        end = some_digits(bytes, end)?;
    }
    Some(end)
}

fn skip_digits(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    at
}

fn some_digits(bytes: &[u8], at: usize) -> Option<usize> {
    let end = skip_digits(bytes, at);
    (end > at).then_some(end)
}

/// Appends what the validated inside of a string says; false when it has a lone surrogate.
pub(super) fn unescape(inner: &str, out: &mut String) -> bool {
    let mut rest = inner;
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        let Some((plain, escape)) = rest.split_at_checked(at) else { return false };
        out.push_str(plain);
        let Some((said, len)) = unescape_one(escape) else { return false };
        out.push(said);
        rest = escape.get(len..).unwrap_or_default();
    }
    out.push_str(rest);
    true
}

/// Where the inside of a validated string writes what it says: maps ascending offsets of the unescaped text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places<'t> {
    inner: &'t str,
    written: usize,
    said: usize,
}

impl<'t> Places<'t> {
    /// Of the text between the quotes.
    pub(crate) fn new(inner: &'t str) -> Places<'t> {
        Places { inner, written: 0, said: 0 }
    }

    /// The offset in the text between the quotes at which stands what the unescaped text has at `said`.
    pub(crate) fn of(&mut self, said: usize) -> usize {
        while self.said < said {
            let rest = self.inner.get(self.written..).unwrap_or_default();
            let n_plain = memchr::memchr(b'\\', rest.as_bytes()).unwrap_or(rest.len());
            let (n_said, n_written) = match unescape_one(rest) {
                Some((c, len)) if n_plain == 0 => (c.len_utf8(), len),
                _ => (n_plain.min(said - self.said), n_plain.min(said - self.said)),
            };
            if n_written == 0 {
                break;
            }
            self.said += n_said;
            self.written += n_written;
        }
        self.written
    }
}

/// The character that the escape at the start of `text` stands for, and the escape's length in bytes.
fn unescape_one(text: &str) -> Option<(char, usize)> {
    Some(match text.as_bytes().get(1)? {
        b'b' => ('\u{8}', 2),
        b'f' => ('\u{c}', 2),
        b'n' => ('\n', 2),
        b'r' => ('\r', 2),
        b't' => ('\t', 2),
        b'u' => {
            let unit = |at: usize| u32::from_str_radix(text.get(at..at + 4)?, 16).ok();
            let first = unit(2)?;
            if !(0xd800..0xdc00).contains(&first) {
                return Some((char::from_u32(first)?, 6));
            }
            if text.get(6..8)? != "\\u" {
                return None;
            }
            let second = unit(8).filter(|u| (0xdc00..0xe000).contains(u))?;
            (char::from_u32(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00))?, 12)
        }
        other => (*other as char, 2),
    })
}
