//! The prose of a tool: which sentences of a description stay.

use crate::elide::Focus;
use crate::json::Value;
use crate::prelude::*;

/// Rests of a description shorter than this stay. Our choice: a marker costs as much.
const MIN_REST: usize = 24;

/// Words that make a sentence a constraint.
const WORDS: &[&str] = &[
    "must",
    "should",
    "shall",
    "required",
    "requires",
    "require",
    "only",
    "never",
    "not",
    "cannot",
    "always",
    "default",
    "defaults",
    "maximum",
    "minimum",
    "max",
    "min",
    "least",
    "most",
    "between",
    "limit",
    "limited",
    "exactly",
    "unless",
    "either",
    "ignored",
    "deprecated",
    "allowed",
    "valid",
    "invalid",
    "optional",
    "mutually",
    "exclusive",
    "warning",
    "important",
    "avoid",
    "instead",
    "before",
    "requiring",
    "format",
    "may",
    "no",
];

/// What went.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gone {
    n_sentences: u32,
    n_titles: u32,
    n_examples: u32,
    /// Where the first of it stands in the document.
    pub(super) first: Option<u32>,
}

impl Gone {
    pub(super) fn add(&mut self, other: &Gone) {
        self.n_sentences += other.n_sentences;
        self.n_titles += other.n_titles;
        self.n_examples += other.n_examples;
        self.first = self.first.into_iter().chain(other.first).min();
    }

    pub(super) fn n(&self) -> u32 {
        self.n_sentences + self.n_titles + self.n_examples
    }

    /// `3 sentences, 1 title`; `None` when nothing went.
    pub(super) fn counted(&self) -> Option<String> {
        let counts = [
            (self.n_sentences, "sentence", "sentences"),
            (self.n_titles, "title", "titles"),
            (self.n_examples, "list of examples", "lists of examples"),
        ];
        let said: Vec<String> = counts
            .iter()
            .filter(|(n, _, _)| *n > 0)
            .map(|(n, one, many)| format!("{n} {}", if *n == 1 { one } else { many }))
            .collect();
        (!said.is_empty()).then(|| said.join(", "))
    }
}

/// The prose of one tool.
pub(super) struct Prose<'f> {
    focus: &'f Focus,
    /// Sentences, titles and lists of examples.
    pub(super) n_units: u32,
    pub(super) gone: Gone,
}

impl<'f> Prose<'f> {
    pub(super) fn new(focus: &'f Focus) -> Prose<'f> {
        Prose { focus, n_units: 0, gone: Gone::default() }
    }

    /// The sentences of a description that stay, with `…` where others went. `None` when it is no text.
    pub(super) fn shorten(&mut self, description: Value<'_>) -> Option<String> {
        let said = description.as_str()?;
        let sentences = sentences(&said);
        self.n_units += crate::text::offset(sentences.len());
        let kept: Vec<bool> = sentences
            .iter()
            .enumerate()
            .map(|(at, sentence)| at == 0 || self.stays(sentence))
            .collect();
        let n_rest: usize =
            sentences.iter().zip(&kept).filter(|(_, kept)| !**kept).map(|(s, _)| s.len()).sum();
        let mut out = String::new();
        let mut is_gap = false;
        for (sentence, kept) in sentences.iter().zip(kept) {
            if kept || n_rest < MIN_REST {
                if !out.is_empty() {
                    out.push(' ');
                }
                out.push_str(sentence);
                is_gap = false;
            } else {
                self.gone.n_sentences += 1;
                self.note(description);
                if !is_gap {
                    out.push_str(" …");
                }
                is_gap = true;
            }
        }
        Some(out)
    }

    /// A title goes: it says what the name says.
    pub(super) fn title(&mut self, value: Value<'_>) {
        self.gone.n_titles += 1;
        self.n_units += 1;
        self.note(value);
    }

    /// Examples go.
    pub(super) fn examples(&mut self, value: Value<'_>) {
        self.gone.n_examples += 1;
        self.n_units += 1;
        self.note(value);
    }

    fn note(&mut self, value: Value<'_>) {
        self.gone.first = self.gone.first.into_iter().chain([value.span().start]).min();
    }

    /// Whether a sentence behind the first stays: it states a constraint, or it was asked for.
    fn stays(&self, sentence: &str) -> bool {
        let lower = sentence.to_lowercase();
        if self.focus.words.iter().any(|word| lower.contains(word.as_str())) {
            return true;
        }
        if lower.starts_with("e.g")
            || lower.starts_with("example")
            || lower.starts_with("for example")
        {
            return false;
        }
        lower
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| WORDS.contains(&word) || word == "t" && lower.contains("n't"))
    }
}

/// The sentences and list items of a text, without the white space between them.
fn sentences(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    for line in text.lines() {
        let bytes = line.as_bytes();
        let mut start = 0;
        for at in memchr::memchr3_iter(b'.', b'!', b'?', bytes) {
            let ends = bytes.get(at + 1) == Some(&b' ');
            let next = line.get(at + 2..).unwrap_or_default().chars().next();
            let is_new = next.is_some_and(|c| c.is_uppercase() || !c.is_alphanumeric());
            let before = line.get(start..at).unwrap_or_default();
            let is_abbreviation =
                ["e.g", "i.e", "etc", "vs", "E.g"].iter().any(|a| before.ends_with(a));
            if ends && is_new && !is_abbreviation {
                out.push(line.get(start..=at).unwrap_or_default().trim());
                start = at + 1;
            }
        }
        out.push(line.get(start..).unwrap_or_default().trim());
    }
    out.retain(|sentence| !sentence.is_empty());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_told_apart() {
        assert_eq!(
            sentences("Read a file, e.g. A.txt. It is v1.2 here! Ünder?\n- one\n\n- two. Three"),
            ["Read a file, e.g. A.txt.", "It is v1.2 here!", "Ünder?", "- one", "- two.", "Three"]
        );
        assert!(sentences("").is_empty());
    }
}
