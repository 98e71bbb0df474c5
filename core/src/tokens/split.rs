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
#[derive(Clone)]
struct Cursor<'a> {
    view: &'static View,
    rest: core::str::Chars<'a>,
}

impl Cursor<'_> {
    fn peek(&self) -> Option<(char, u8)> {
        let character = self.rest.clone().next()?;
        Some((character, self.view.class(character)))
    }

    fn step(&mut self) {
        self.rest.next();
    }

    fn left(&self) -> usize {
        self.rest.as_str().len()
    }

    fn eat(&mut self, wanted: impl Fn(char, u8) -> bool) -> bool {
        let mut any = false;
        while let Some((character, class)) = self.peek() {
            if !wanted(character, class) {
                break;
            }
            self.step();
            any = true;
        }
        any
    }
}

/// Length in bytes of the first piece of `text`; 0 only when it is empty.
pub(super) fn first_piece(view: &'static View, text: &str) -> usize {
    let start = Cursor { view, rest: text.chars() };
    let Some((first, class)) = start.peek() else { return 0 };
    let end = match class {
        UPPER | LOWER | UNCASED => word(start),
        NUMBER => {
            let mut cursor = start;
            for _ in 0..3 {
                if cursor.peek().is_some_and(|(_, class)| class == NUMBER) {
                    cursor.step();
                }
            }
            cursor.left()
        }
        BREAK => spaces(start),
        MARK => marked(start),
        SPACE => {
            let mut after = start.clone();
            after.step();
            match after.peek() {
                Some((_, UPPER | LOWER | UNCASED | MARK)) => word(after),
                Some((_, OTHER)) if first == ' ' => punctuation(after),
                _ => spaces(start),
            }
        }
        _ => {
            let mut after = start.clone();
            after.step();
            match after.peek() {
                Some((_, UPPER | LOWER | UNCASED | MARK)) => word(after),
                _ => punctuation(start),
            }
        }
    };
    text.len() - end
}

/// A word that starts here, at a letter or mark; what is left after it.
fn word(mut cursor: Cursor) -> usize {
    // Upper-case characters as many as can be; the last uncased one among them may end the word.
    let mut after_uncased = None;
    while let Some((_, class)) = cursor.peek() {
        match class {
            UPPER => cursor.step(),
            UNCASED | MARK => {
                cursor.step();
                after_uncased = Some(cursor.clone());
            }
            _ => break,
        }
    }
    let lower = cursor.eat(|_, class| matches!(class, LOWER | UNCASED | MARK));
    if !lower && let Some(uncased) = after_uncased {
        cursor = uncased;
    }
    contraction(&mut cursor);
    cursor.left()
}

/// A piece that starts with a mark, which may be the prefix of a word or part of it.
fn marked(start: Cursor) -> usize {
    let mut after = start.clone();
    after.step();
    let mut upper = after.clone();
    let any = upper.eat(|_, class| class == UPPER);
    let then = upper.peek().map(|(_, class)| class);
    if any && !matches!(then, Some(LOWER | UNCASED | MARK)) {
        // As a prefix it would leave no lower-case character, so the first alternative takes it alone.
        return after.left();
    }
    word(start)
}

fn contraction(cursor: &mut Cursor) {
    let mut rest = cursor.rest.clone();
    if rest.next() != Some('\'') {
        return;
    }
    let ends = match rest.next() {
        Some('s' | 'S' | 'ſ' | 't' | 'T' | 'm' | 'M' | 'd' | 'D') => true,
        Some('r' | 'R' | 'v' | 'V') => matches!(rest.next(), Some('e' | 'E')),
        Some('l' | 'L') => matches!(rest.next(), Some('l' | 'L')),
        _ => false,
    };
    if ends {
        cursor.rest = rest;
    }
}

fn punctuation(mut cursor: Cursor) -> usize {
    cursor.eat(|_, class| matches!(class, OTHER | MARK));
    cursor.eat(|character, _| matches!(character, '\r' | '\n' | '/'));
    cursor.left()
}

/// A run of white space: up to its last line break; else without its last character if something follows.
fn spaces(mut cursor: Cursor) -> usize {
    let whole = cursor.left();
    let mut after_break = None;
    let mut before_last = None;
    while let Some((_, class @ (SPACE | BREAK))) = cursor.peek() {
        before_last = Some(cursor.clone());
        cursor.step();
        if class == BREAK {
            after_break = Some(cursor.clone());
        }
    }
    match (after_break, before_last) {
        (Some(end), _) => end.left(),
        (None, Some(end)) if cursor.left() > 0 && end.left() < whole => end.left(),
        _ => cursor.left(),
    }
}
