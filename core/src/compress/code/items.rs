//! Items of languages with brackets: which braces are bodies of functions.

use super::lex::{Lexed, Mark};
use super::{Family, Language};
use crate::prelude::*;

/// The brace pairs that are bodies of functions, in source order, none inside another.
pub(super) fn bodies(text: &str, lexed: &Lexed, language: &Language) -> Vec<(Mark, Mark)> {
    let mut out = Vec::new();
    // Ranges of marks that hold items: the file, and the containers found on the way.
    let mut ranges = vec![(0, lexed.marks.len(), Place::File, 0)];
    while let Some((from, to, place, start)) = ranges.pop() {
        let mut head_start = start;
        let mut i = from;
        while i < to {
            let Some(mark) = lexed.marks.get(i).copied() else { break };
            let Some(pair) = lexed.marks.get(mark.pair).copied() else { break };
            match mark.byte {
                b';' => head_start = mark.at + 1,
                b'(' if language.family == Family::Script && pair.at - mark.at > WRAPPER_BYTES => {
                    // A module wrapped in a call: what the call holds is at item level.
                    ranges.push((i + 1, mark.pair, Place::File, mark.at + 1));
                    i = mark.pair;
                }
                b'(' | b'[' => i = mark.pair,
                b'{' => {
                    let head = head_of(text, lexed, head_start, mark.at);
                    match language.family.judge(&head, place) {
                        Sort::Function => out.push((mark, pair)),
                        Sort::Container(inside) => {
                            ranges.push((i + 1, mark.pair, inside, mark.at + 1))
                        }
                        Sort::Other => {}
                    }
                    i = mark.pair;
                    head_start = pair.at + 1;
                }
                _ => {}
            }
            i += 1;
        }
    }
    out.sort_unstable_by_key(|(open, _)| open.at);
    out
}

/// A call that holds so much is a wrapper around a module. Our choice.
const WRAPPER_BYTES: usize = 2000;

/// Where an item stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    File,
    /// A class, an object literal: `name() {` is a method.
    Class,
}

/// What a pair of braces is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Function,
    Container(Place),
    Other,
}

/// The text before a brace without comments, strings and what stands in brackets (`()`, `[]` remain).
fn head_of(text: &str, lexed: &Lexed, start: usize, end: usize) -> String {
    let mut out = String::new();
    let first = lexed.opaque.partition_point(|(_, to)| *to <= start);
    let mut opaque = lexed.opaque.iter().skip(first).peekable();
    let mark = lexed.marks.partition_point(|mark| mark.at < start);
    let mut marks = lexed.marks.iter().skip(mark).take_while(|m| m.at < end).peekable();
    let mut at = start;
    while at < end {
        if let Some((_, to)) = opaque.next_if(|(from, _)| *from <= at) {
            out.push(' ');
            at = at.max(*to);
            continue;
        }
        while marks.next_if(|m| m.at < at).is_some() {}
        if let Some(m) = marks.next_if(|m| m.at == at)
            && matches!(m.byte, b'(' | b'[')
        {
            out.push(char::from(m.byte));
            at = lexed.marks.get(m.pair).map_or(end, |pair| pair.at);
            while opaque.next_if(|(from, _)| *from < at).is_some() {}
            continue;
        }
        let next = opaque
            .peek()
            .map_or(end, |(from, _)| *from)
            .min(marks.peek().map_or(end, |m| m.at.max(at + 1)))
            .min(end);
        let next = if next <= at { at + 1 } else { next };
        out.push_str(text.get(at..next).unwrap_or_default());
        at = next;
    }
    out
}

fn words(head: &str) -> impl Iterator<Item = &str> {
    head.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$')))
        .filter(|word| !word.is_empty())
}

fn has(head: &str, names: &[&str]) -> bool {
    words(head).any(|word| names.contains(&word))
}

/// The head behind its annotations and attributes: `@Name`, `@Name()`, `[]`.
fn without_annotations(head: &str) -> &str {
    let mut rest = head.trim_start();
    loop {
        let after = if let Some(name) = rest.strip_prefix('@') {
            let name = name
                .trim_start_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':'));
            name.strip_prefix("()").unwrap_or(name)
        } else if let Some(after) = rest.strip_prefix("[]").or_else(|| rest.strip_prefix("#[]")) {
            after
        } else {
            return rest;
        };
        rest = after.trim_start();
    }
}

/// What begins a statement, never an item with a body of its own.
const CONTROL: [&str; 18] = [
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "try",
    "catch",
    "finally",
    "with",
    "return",
    "synchronized",
    "lock",
    "using",
    "match",
    "loop",
    "foreach",
];

impl Family {
    fn judge(self, head: &str, place: Place) -> Sort {
        let head = without_annotations(head);
        let before_parens = head.split('(').next().unwrap_or_default();
        let has_parens = head.contains("()");
        let first = words(head).next().unwrap_or_default();
        match self {
            Family::Rust => match () {
                () if has(head, &["fn"]) => Sort::Function,
                () if has(before_parens, &["impl", "mod", "trait", "extern"]) => {
                    Sort::Container(Place::Class)
                }
                () => Sort::Other,
            },
            Family::Go if has(head, &["func"]) => Sort::Function,
            Family::Go => Sort::Other,
            Family::C if has_parens && !CONTROL.contains(&first) && !has_assignment(head) => {
                Sort::Function
            }
            Family::C
                if !has_parens
                    && has(head, &["namespace", "class", "struct", "union", "extern"])
                    && !has_assignment(head) =>
            {
                Sort::Container(Place::Class)
            }
            Family::C => Sort::Other,
            Family::Keyword => match () {
                () if has(before_parens, CONTAINERS) => Sort::Container(Place::Class),
                () if has(
                    head,
                    &[
                        "fun",
                        "func",
                        "function",
                        "def",
                        "init",
                        "deinit",
                        "subscript",
                        "constructor",
                        "fn",
                    ],
                ) =>
                {
                    Sort::Function
                }
                () => Sort::Other,
            },
            Family::Java => match () {
                () if has(before_parens, CONTAINERS) => Sort::Container(Place::Class),
                () if place == Place::Class
                    && has_parens
                    && !CONTROL.contains(&first)
                    && first != "new"
                    && !has_assignment(head) =>
                {
                    Sort::Function
                }
                () => Sort::Other,
            },
            Family::Script => judge_script(head, before_parens, has_parens, first, place),
        }
    }
}

const CONTAINERS: &[&str] = &[
    "class",
    "interface",
    "enum",
    "record",
    "struct",
    "object",
    "namespace",
    "trait",
    "extension",
    "protocol",
    "actor",
    "companion",
    "module",
];

fn judge_script(
    head: &str,
    before_parens: &str,
    has_parens: bool,
    first: &str,
    place: Place,
) -> Sort {
    let end = head.trim_end();
    if has(before_parens, &["class", "interface", "namespace"])
        || first == "declare"
        || first == "module" && !end.ends_with('=') && !end.contains('.')
    {
        return Sort::Container(Place::Class);
    }
    if has(head, &["function"]) {
        return Sort::Function;
    }
    if end.ends_with("=>") {
        return if has_assignment(end.trim_end_matches("=>"))
            || has(head, &["default"])
            || place == Place::Class
        {
            Sort::Function
        } else {
            Sort::Other
        };
    }
    if place == Place::Class && has_parens && !CONTROL.contains(&first) {
        return Sort::Function;
    }
    if end.ends_with('=') || end.ends_with("default") || place == Place::Class && end.ends_with(':')
    {
        return Sort::Container(Place::Class);
    }
    Sort::Other
}

/// Whether the head assigns: `=` that is no comparison, arrow or operator name.
fn has_assignment(head: &str) -> bool {
    if head.contains("operator") {
        return false;
    }
    let bytes = head.as_bytes();
    memchr::memchr_iter(b'=', bytes).any(|at| {
        let before = at.checked_sub(1).and_then(|i| bytes.get(i));
        let after = bytes.get(at + 1);
        !matches!(after, Some(b'=' | b'>')) && !matches!(before, Some(b'=' | b'!' | b'<' | b'>'))
    })
}
