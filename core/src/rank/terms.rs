//! Terms: what a text is cut into before it is ranked.
//!
//! A *compound* is a run of letters and digits, joined by `_` or a single `-`. It gives its parts, cut at `_`, `-`, where
//! the case changes and between letters and digits, and, when there are several parts, the joined form without the
//! connectors: `readTimeout_ms` gives `read`, `timeout`, `ms` and `readtimeoutms`. So `read-timeout-ms` finds it as a whole
//! and `timeout` finds it by part. Parts of one letter or digit say nothing and are left out beside others.
//! Scripts written without spaces give every character and every two neighbours. Everything is lower-cased, English words
//! are stemmed.

use super::stem::stem;
use crate::prelude::*;

/// Longest term in bytes: longer words are cut there, at a character. Our choice: past it a word is data, not language.
pub const MAX_TERM_BYTES: usize = 64;

/// A term as it stands in the text, before [`Raw::write`] normalises it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Raw<'t> {
    /// A word or a part of a compound.
    Part(&'t str),
    /// A whole compound of several parts, connectors included.
    Joined(&'t str),
    /// One character of a script without spaces, in a longer run of such.
    Single(&'t str),
}

impl<'t> Raw<'t> {
    /// The text that it stands for.
    pub fn text(self) -> &'t str {
        match self {
            Raw::Part(text) | Raw::Joined(text) | Raw::Single(text) => text,
        }
    }

    /// Replaces `out` by the normal form.
    pub fn write(self, out: &mut String) {
        out.clear();
        let text = self.text();
        let mut is_english = matches!(self, Raw::Part(_));
        for c in text.chars() {
            if c.is_ascii() {
                is_english &= c.is_ascii_alphabetic();
                if c != '_' && c != '-' {
                    out.push(c.to_ascii_lowercase());
                }
            } else {
                is_english = false;
                out.extend(c.to_lowercase());
            }
            if out.len() > MAX_TERM_BYTES {
                out.pop();
                return;
            }
        }
        if is_english {
            let mut letters = [0; MAX_TERM_BYTES];
            let Some(word) = letters.get_mut(..out.len()) else { return };
            word.copy_from_slice(out.as_bytes());
            let len = stem(word);
            out.clear();
            out.extend(word.iter().take(len).map(|b| char::from(*b)));
        }
    }
}

/// The normal forms of the terms of a document, in order, repeats included.
pub fn of(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    each(text, |raw| {
        let mut term = String::new();
        raw.write(&mut term);
        if !term.is_empty() {
            out.push(term);
        }
    });
    out
}

/// Calls `visit` for every term of a document, in order. Linear, no allocation.
pub fn each<'t>(text: &'t str, mut visit: impl FnMut(Raw<'t>)) {
    let mut at = 0;
    while at < text.len() {
        let (class, len) = class_at(text, at);
        match class {
            Class::Lower | Class::Upper | Class::Digit => at = compound(text, at, &mut visit),
            Class::Dense => at = dense(text, at, &mut visit),
            Class::Break | Class::Underscore | Class::Hyphen | Class::Mark => at += len,
        }
    }
}

/// Visits the compound that begins at `start`; answers where it ends.
fn compound<'t>(text: &'t str, start: usize, visit: &mut impl FnMut(Raw<'t>)) -> usize {
    let mut end = start;
    let mut at = start;
    let mut n_parts = 0_u32;
    let mut part = start;
    let mut n_upper = 0_u32;
    let mut before = Class::Break;
    let mut last_len = 0;
    loop {
        let (class, len) = class_at(text, at);
        let cuts = match (before, class) {
            (_, Class::Lower) if before == Class::Upper && n_upper > 1 => {
                // `HTTPServer`: the last capital begins the next word.
                emit(text, part, at - last_len, &mut n_parts, visit);
                part = at - last_len;
                false
            }
            (Class::Lower, Class::Upper | Class::Digit)
            | (Class::Upper, Class::Digit)
            | (Class::Digit, Class::Lower | Class::Upper) => true,
            _ => false,
        };
        if cuts {
            emit(text, part, at, &mut n_parts, visit);
            part = at;
        }
        match class {
            Class::Lower | Class::Upper | Class::Digit | Class::Mark => {
                if before == Class::Underscore || before == Class::Hyphen {
                    part = at;
                }
                n_upper = if class == Class::Upper { n_upper + 1 } else { 0 };
                last_len = len;
                at += len;
                end = at;
                if class != Class::Mark {
                    before = class;
                }
            }
            Class::Underscore | Class::Hyphen => {
                let joins =
                    class == Class::Underscore || end == at && is_word(class_at(text, at + 1).0);
                if end == at {
                    emit(text, part, end, &mut n_parts, visit);
                    part = end;
                }
                if !joins {
                    break;
                }
                n_upper = 0;
                before = class;
                at += len;
            }
            Class::Break | Class::Dense => break,
        }
    }
    if part < end {
        emit(text, part, end, &mut n_parts, visit);
    }
    if n_parts > 1
        && let Some(whole) = text.get(start..end)
    {
        visit(Raw::Joined(whole));
    }
    // Connectors at the end are consumed with the compound.
    at.max(end)
}

/// Visits one part, unless it is a lone letter or digit of a longer compound.
fn emit<'t>(
    text: &'t str,
    start: usize,
    end: usize,
    n_parts: &mut u32,
    visit: &mut impl FnMut(Raw<'t>),
) {
    if start >= end {
        return;
    }
    *n_parts += 1;
    let stands_alone = || *n_parts == 1 && !is_joined(text, end);
    if (end - start > 1 || stands_alone())
        && let Some(part) = text.get(start..end)
    {
        visit(Raw::Part(part));
    }
}

/// Whether the compound goes on after `end`.
fn is_joined(text: &str, end: usize) -> bool {
    let mut at = end;
    loop {
        match class_at(text, at).0 {
            Class::Underscore => at += 1,
            Class::Hyphen => return at == end && is_word(class_at(text, at + 1).0),
            class => return is_word(class),
        }
    }
}

/// Visits the run of a script without spaces that begins at `start`; answers where it ends.
fn dense<'t>(text: &'t str, start: usize, visit: &mut impl FnMut(Raw<'t>)) -> usize {
    let mut at = start;
    let mut before: Option<usize> = None;
    loop {
        let (class, len) = class_at(text, at);
        if class != Class::Dense && class != Class::Mark {
            return at;
        }
        let next = class_at(text, at + len).0;
        let stands_alone = before.is_none() && next != Class::Dense && next != Class::Mark;
        if let Some(one) = text.get(at..at + len) {
            visit(if stands_alone { Raw::Part(one) } else { Raw::Single(one) });
        }
        if let Some(two) = before.and_then(|before| text.get(before..at + len)) {
            visit(Raw::Part(two));
        }
        before = Some(at);
        at += len;
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Break,
    Lower,
    Upper,
    Digit,
    Underscore,
    Hyphen,
    /// A combining mark: goes with the character before it.
    Mark,
    /// A character of a script that is written without spaces.
    Dense,
}

fn is_word(class: Class) -> bool {
    matches!(class, Class::Lower | Class::Upper | Class::Digit)
}

const ASCII: [Class; 128] = {
    let mut table = [Class::Break; 128];
    let mut at = 0;
    while at < 128 {
        #[expect(
            clippy::indexing_slicing,
            reason = "at < 128, and a constant's panic is a compile error"
        )]
        #[expect(clippy::cast_possible_truncation, reason = "at < 128")]
        {
            table[at] = match at as u8 {
                b'a'..=b'z' => Class::Lower,
                b'A'..=b'Z' => Class::Upper,
                b'0'..=b'9' => Class::Digit,
                b'_' => Class::Underscore,
                b'-' => Class::Hyphen,
                _ => Class::Break,
            };
        }
        at += 1;
    }
    table
};

/// The class of the character at `at` and its length in bytes; a break of one byte past the end.
#[inline]
fn class_at(text: &str, at: usize) -> (Class, usize) {
    match text.as_bytes().get(at) {
        Some(&byte) => match ASCII.get(usize::from(byte)) {
            Some(class) => (*class, 1),
            None => text
                .get(at..)
                .and_then(|rest| rest.chars().next())
                .map_or((Class::Break, 1), class_of),
        },
        None => (Class::Break, 1),
    }
}

fn class_of(c: char) -> (Class, usize) {
    let class = match c {
        '\u{300}'..='\u{36f}' => Class::Mark,
        // Thai, Lao, Myanmar, Khmer; kana, bopomofo, Han and its extensions; Hangul keeps its spaces but inflects.
        '\u{e00}'..='\u{eff}'
        | '\u{1000}'..='\u{109f}'
        | '\u{1780}'..='\u{17ff}'
        | '\u{3005}'..='\u{3007}'
        | '\u{3040}'..='\u{312f}'
        | '\u{31f0}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{ff66}'..='\u{ff9f}'
        | '\u{20000}'..='\u{323af}' => Class::Dense,
        _ if c.is_uppercase() => Class::Upper,
        _ if c.is_numeric() => Class::Digit,
        _ if c.is_alphabetic() => Class::Lower,
        _ => Class::Break,
    };
    (class, c.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, terms: &str) {
        assert_eq!(of(text).join(" "), terms, "{text:?}");
    }

    #[test]
    fn compounds_give_parts_and_the_joined_form() {
        check("readTimeout_ms", "read timeout ms readtimeoutms");
        check("read-timeout-ms", "read timeout ms readtimeoutms");
        check("HTTPServer2 parseXML", "http server httpserver2 pars xml parsexml");
        check("ord-1017", "ord 1017 ord1017");
        check("src/gitignore.rs:766", "src gitignor rs 766");
        check("0.9.0", "0 9 0");
        check("__exit__ _x_ --flag a--b", "exit x flag a b");
        check("x86_64 v8", "86 64 x8664 v8");
        check("e2e test", "e2e test");
    }

    #[test]
    fn words_are_lower_cased_and_stemmed() {
        check("The Connections FAILED, retrying…", "the connect fail retri");
        check("Sønder ÉCOLE İ Straße", "sønder école i\u{307} straße");
        check("cafe\u{301}s", "cafe\u{301}s");
        check("don't", "don t");
        check("", "");
        check("--- ___ !!!", "");
    }

    #[test]
    fn scripts_without_spaces_give_pairs() {
        check("数据库", "数 据 数据 库 据库");
        check("猫 x", "猫 x");
        check("用grpc缓存", "用 grpc 缓 存 缓存");
    }

    #[test]
    fn long_words_are_cut() {
        let text = "é".repeat(100_000);
        assert_eq!(of(&text), ["é".repeat(32)]);
        let hex = "a1".repeat(500_000);
        assert!(of(&hex).iter().all(|term| term.len() <= MAX_TERM_BYTES));
        assert!(of(&"_".repeat(1_000_000)).is_empty());
        assert_eq!(of(&format!("a{}", "_".repeat(1_000_000))), ["a"]);
    }
}
