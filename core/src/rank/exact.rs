//! Exact identifiers: words of a query that are looked for as they stand.
//!
//! An order number, a path, a version or a camel-case name names one thing. Where it stands in a document, with no letter,
//! digit or `_` touching it, no statistics are needed to know that the document is meant.

use crate::prelude::*;
use memchr::memmem;

/// The identifiers of `query`, as written, without the quotes and punctuation around them; each once, at most `limit`.
///
/// A word is one when it holds a digit, one of `_-./:#@` between or before other characters, or a capital after a small letter.
pub fn identifiers(query: &str, limit: usize) -> Vec<&str> {
    let mut out: Vec<&str> = Vec::new();
    for word in query.split_whitespace() {
        if out.len() >= limit {
            break;
        }
        let word = trim(word);
        if is_identifier(word) && !out.contains(&word) {
            out.push(word);
        }
    }
    out
}

/// A word of a query without the quotes, brackets and sentence punctuation around it.
pub fn trim(word: &str) -> &str {
    let is_wrapping = |c: char| "\"'`()[]{}<>,;!?“”‘’«»…".contains(c);
    word.trim_matches(is_wrapping).trim_end_matches(['.', ':']).trim_end_matches(is_wrapping)
}

/// See [`identifiers`].
pub fn is_identifier(word: &str) -> bool {
    let mut before = ' ';
    let mut found = false;
    let mut has_word = false;
    for c in word.chars() {
        found |= c.is_ascii_digit()
            || "_-./:#@".contains(c)
            || c.is_uppercase() && before.is_lowercase();
        has_word |= c.is_alphanumeric();
        before = c;
    }
    found && has_word
}

/// Where `identifier` stands in `text` with no word character touching its own first and last word characters.
pub fn bounded<'a>(text: &'a str, identifier: &'a str) -> impl Iterator<Item = usize> + 'a {
    let starts_in_word = identifier.chars().next().is_some_and(is_word);
    let ends_in_word = identifier.chars().next_back().is_some_and(is_word);
    anywhere(text, identifier).filter(move |&at| {
        let touches_before = starts_in_word
            && text.get(..at).and_then(|head| head.chars().next_back()).is_some_and(is_word);
        let touches_after = ends_in_word
            && text
                .get(at + identifier.len()..)
                .and_then(|tail| tail.chars().next())
                .is_some_and(is_word);
        !touches_before && !touches_after
    })
}

/// Where `identifier` stands in `text`, in a longer word too (the head of a hash, say).
pub fn anywhere<'a>(text: &'a str, identifier: &'a str) -> impl Iterator<Item = usize> + 'a {
    memmem::find_iter(text.as_bytes(), identifier.as_bytes())
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_told_from_words() {
        let all = |query| identifiers(query, 16).join(" ");
        assert_eq!(all("find `ord-1017`, please."), "ord-1017");
        assert_eq!(all("\"src/a.rs:7\": why? Because"), "src/a.rs:7");
        assert_eq!(
            all("Salem HTTP readTimeout x_y #12 me@x.org foo() -- ..."),
            "readTimeout x_y #12 me@x.org"
        );
        assert_eq!(all("8 8 8. v1/cart"), "8 v1/cart");
        assert_eq!(all(""), "");
    }

    #[test]
    fn word_characters_must_not_touch() {
        let at = |text, id| bounded(text, id).collect::<Vec<_>>();
        assert_eq!(at("ord-10 ord-101 ord-10.", "ord-10"), [0, 15]);
        assert_eq!(at("x#12 #12 #123", "#12"), [1, 5]);
        assert_eq!(at("éa1 a1é a1", "a1"), [10]);
        assert!(at("", "a1").is_empty());
    }
}
