//! The splitting pattern of o200k_base, by hand: merges never cross the pieces that it cuts.
//!
//! ```text
//! [^\r\n\p{L}\p{N}]? [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]* [\p{Ll}\p{Lm}\p{Lo}\p{M}]+ (?i:'s|'t|'re|'ve|'m|'ll|'d)?
//! [^\r\n\p{L}\p{N}]? [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+ [\p{Ll}\p{Lm}\p{Lo}\p{M}]* (?i:'s|'t|'re|'ve|'m|'ll|'d)?
//! \p{N}{1,3}
//!  ?[^\s\p{L}\p{N}]+ [\r\n/]*
//! \s*[\r\n]+
//! \s+(?!\S)
//! \s+
//! ```
//! The first that matches wins, each with the backtracking of a regular expression.

use super::class::{BREAK, LOWER, MARK, NUMBER, OTHER, SPACE, UNCASED, UPPER};
use super::view::View;

/// A place in a text, moving forwards character by character.
#[derive(Clone, Copy)]
struct Cursor<'a> {
    view: &'a View,
    bytes: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    /// The class and length of the character here.
    #[inline]
    fn peek(&self) -> Option<(u8, usize)> {
        let bits = |byte: u8| u32::from(byte & 0x3F);
        let (character, n_bytes) = match *self.bytes.get(self.at..)? {
            [a @ ..=0x7F, ..] => (u32::from(a), 1),
            [a @ ..=0xDF, b, ..] => (u32::from(a & 0x1F) << 6 | bits(b), 2),
            [a @ ..=0xEF, b, c, ..] => (u32::from(a & 0x0F) << 12 | bits(b) << 6 | bits(c), 3),
            [a, b, c, d, ..] => {
                (u32::from(a & 0x07) << 18 | bits(b) << 12 | bits(c) << 6 | bits(d), 4)
            }
            _ => return None,
        };
        Some((self.view.class(character), n_bytes))
    }

    fn class(&self) -> Option<u8> {
        self.peek().map(|(class, _)| class)
    }

    /// Steps over characters as long as they are of these classes; whether there were any.
    #[inline]
    fn eat(&mut self, classes: &[u8]) -> bool {
        let start = self.at;
        while let Some((class, n_bytes)) = self.peek()
            && classes.contains(&class)
        {
            self.at += n_bytes;
        }
        self.at > start
    }
}

/// Where the piece ends that starts at `at`: after it, unless the text ends there.
pub(super) fn piece_end(view: &View, text: &str, at: usize) -> usize {
    let start = Cursor { view, bytes: text.as_bytes(), at };
    let Some((class, n_bytes)) = start.peek() else { return text.len() };
    let mut after = start;
    after.at += n_bytes;
    match class {
        UPPER | LOWER | UNCASED => word(start),
        NUMBER => {
            for _ in 0..2 {
                if let Some((NUMBER, n_bytes)) = after.peek() {
                    after.at += n_bytes;
                }
            }
            after.at
        }
        BREAK => spaces(start),
        MARK => marked(start, after),
        SPACE => match after.class() {
            Some(UPPER | LOWER | UNCASED | MARK) => word(after),
            Some(OTHER) if text.as_bytes().get(at) == Some(&b' ') => punctuation(after),
            _ => spaces(start),
        },
        _ => match after.class() {
            Some(UPPER | LOWER | UNCASED | MARK) => word(after),
            _ => punctuation(start),
        },
    }
}

/// Where the word ends that starts here, at a letter or mark.
fn word(mut cursor: Cursor) -> usize {
    // Upper-case characters as many as can be; the last uncased one among them may end the word.
    let mut after_uncased = None;
    while let Some((class, n_bytes)) = cursor.peek() {
        if !matches!(class, UPPER | UNCASED | MARK) {
            break;
        }
        cursor.at += n_bytes;
        if class != UPPER {
            after_uncased = Some(cursor.at);
        }
    }
    let lower = cursor.eat(&[LOWER, UNCASED, MARK]);
    let end = if lower { cursor.at } else { after_uncased.unwrap_or(cursor.at) };
    end + contraction(cursor.bytes.get(end..).unwrap_or_default())
}

/// A piece that starts with a mark, which may be the prefix of a word or part of it.
fn marked(start: Cursor, after: Cursor) -> usize {
    let mut upper = after;
    if upper.eat(&[UPPER]) && !matches!(upper.class(), Some(LOWER | UNCASED | MARK)) {
        // As a prefix it would leave no lower-case character, so the first alternative takes it alone.
        return after.at;
    }
    word(start)
}

/// Length of the contraction that may follow a word. `ſ` is an `s` to the pattern.
fn contraction(after: &[u8]) -> usize {
    match after {
        [b'\'', b's' | b'S' | b't' | b'T' | b'm' | b'M' | b'd' | b'D', ..] => 2,
        [b'\'', b'r' | b'R' | b'v' | b'V', b'e' | b'E', ..]
        | [b'\'', b'l' | b'L', b'l' | b'L', ..]
        | [b'\'', 0xC5, 0xBF, ..] => 3,
        _ => 0,
    }
}

fn punctuation(mut cursor: Cursor) -> usize {
    cursor.eat(&[OTHER, MARK]);
    while let Some(b'\r' | b'\n' | b'/') = cursor.bytes.get(cursor.at) {
        cursor.at += 1;
    }
    cursor.at
}

/// Where a run of white space ends: at its last line break; else without its last character if something follows.
fn spaces(mut cursor: Cursor) -> usize {
    let start = cursor.at;
    let mut after_break = None;
    let mut before_last = start;
    while let Some((class @ (SPACE | BREAK), n_bytes)) = cursor.peek() {
        before_last = cursor.at;
        cursor.at += n_bytes;
        if class == BREAK {
            after_break = Some(cursor.at);
        }
    }
    match after_break {
        Some(end) => end,
        None if cursor.at < cursor.bytes.len() && before_last > start => before_last,
        None => cursor.at,
    }
}
