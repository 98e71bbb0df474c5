//! Source code and its language. Every line votes: its first word and what follows ([`first`]), its operators and words
//! ([`marks`]). Comments and texts of several lines do not vote. The language with most votes is then asked how many of
//! the lines read as its code.

mod first;
mod language;
mod marks;

use super::sample::{Line, Sample};
use super::shape::holds;
use super::{Scores, share};
use crate::kind::Kind;
use crate::prelude::*;
pub(super) use language::Language;
use language::Votes;

pub(super) fn probe(sample: &Sample<'_>, scores: &mut Scores) {
    let mut reading = Reading::of(sample, None);
    // An odd number of quotes: the snippet begins or ends inside a text. What reads more like code is it.
    let n_quotes = memchr::memmem::find_iter(sample.head.as_bytes(), "\"\"\"").count();
    if n_quotes % 2 == 1 {
        let other = Reading::of(sample, Some("\"\"\""));
        if other.votes.best().1 > reading.votes.best().1 {
            reading = other;
        }
    }
    let Reading { mut votes, lines, comments } = reading;
    // An interpreter, a first statement: that outweighs any number of lines.
    let opening = lines.first().and_then(|(line, _)| opening(sample, line.body));
    let named = shebang(sample.first()).or(opening.filter(|language| *language != Language::Go));
    if let Some(language) = named {
        votes.add(language, 10_000);
    }
    comments.weigh(&mut votes);
    // Rust writes names in small letters.
    if lines.iter().filter(|(line, _)| is_camel(line.body)).count() > 4 {
        votes.halve(Language::Rust);
    }
    let (language, n_votes) = votes.best();
    // Tables of data say nothing; then a few lines must leave no doubt, one where a table is all that there is.
    let n_sure = lines.iter().filter(|(_, own)| own.family(language) >= 4).count();
    let n_data = lines.iter().filter(|(line, _)| is_data(line)).count();
    let n_telling = if n_sure > 0 { lines.len() - n_data } else { lines.len() };
    let is_dense = (n_votes as usize).saturating_mul(5) >= n_telling;
    if n_votes < 3 || !(is_dense || n_sure >= 5 || opening == Some(language)) {
        return;
    }
    let mut block = Block::default();
    let n_code = lines
        .iter()
        .filter(|(line, own)| block.take(line) || own.has(language) || is_statement(line.body))
        .count();
    let score = share(n_code + comments.n_lines, sample.n_full);
    // Code between fences is a document's, unless the document is a module's.
    let has_fence =
        comments.n_module < 3 && lines.iter().any(|(line, _)| line.body.starts_with("```"));
    let is_document = has_fence || is_restructured(&lines);
    scores.claim(Kind::Code, if is_document { score / 2 } else { score });
    scores.language = Some(language.name());
}

/// Whether a line is values and nothing else, in a literal: `('a', 'z'),`, `0x1f, 0x8b,`.
fn is_data(line: &Line<'_>) -> bool {
    line.indent() > 0
        && line.body.ends_with(',')
        && line.body.starts_with(|c: char| c.is_ascii_digit() || "\"'([{-&".contains(c))
}

/// Whether the lines around examples of code are reStructuredText: directives, or paragraphs that end with `::`.
fn is_restructured(lines: &[(&Line<'_>, Votes)]) -> bool {
    let is_directive = |body: &str| {
        body.strip_prefix(".. ")
            .and_then(|rest| rest.split_once("::"))
            .is_some_and(|(name, _)| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-'))
    };
    let is_paragraph = |line: &Line<'_>| {
        line.indent() == 0
            && line.body.ends_with("::")
            && line.body.starts_with(|c: char| c.is_ascii_uppercase())
    };
    lines.iter().any(|(line, _)| is_directive(line.body))
        || lines.iter().filter(|(line, _)| is_paragraph(line)).count() >= 2
}

/// Whether a line begins with a name like `isOpen`.
fn is_camel(body: &str) -> bool {
    let (first, _) = super::shape::word(body);
    first.starts_with(|c: char| c.is_ascii_lowercase())
        && first.bytes().any(|b| b.is_ascii_uppercase())
        && !first.contains('_')
}

/// The votes of the lines that are neither comment nor text.
struct Reading<'s> {
    votes: Votes,
    lines: Vec<(&'s Line<'s>, Votes)>,
    comments: Comments,
}

impl<'s> Reading<'s> {
    fn of(sample: &'s Sample<'_>, in_text: Option<&'static str>) -> Reading<'s> {
        let mut votes = Votes::default();
        let mut lines = Vec::new();
        let mut comments = Comments { in_text, ..Comments::default() };
        for (at, line) in sample.lines.iter().enumerate() {
            if at == sample.n_head {
                comments.reset();
            }
            if line.is_blank() || comments.take(line) {
                continue;
            }
            let mut own = Votes::default();
            first::vote(line, &mut own);
            marks::vote(line.body, &mut own);
            votes.join(&own);
            lines.push((line, own));
        }
        Reading { votes, lines, comments }
    }
}

/// What the first statement of a source says for sure, or a comment for tools above it.
fn opening(sample: &Sample<'_>, body: &str) -> Option<Language> {
    let is_magic = |line: &Line<'_>| {
        let said = line.body.trim_start_matches(['#', ' ']);
        line.body.starts_with('#')
            && (said.starts_with("frozen_string_literal")
                || said.starts_with("frozen-string-literal"))
    };
    if sample.lines.iter().take(4).any(is_magic) {
        return Some(Language::Ruby);
    }
    let (first, rest) = super::shape::word(body);
    let rest = rest.trim();
    let is_name = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let is_path = |text: &str| {
        text.contains('.') && text.split('.').all(|part| !part.is_empty() && is_name(part))
    };
    match first {
        "package" if rest.strip_suffix(';').is_some_and(|name| is_path(name) || is_name(name)) => {
            Some(Language::Java)
        }
        // One word: Scala's packages and Kotlin's may be that short too.
        "package" if is_name(rest) && !rest.is_empty() => Some(Language::Go),
        "from" if rest.starts_with("__future__ import") => Some(Language::Python),
        "import" if rest.starts_with("scala.") => Some(Language::Scala),
        "import" if matches!(rest, "Foundation" | "UIKit" | "SwiftUI" | "XCTest") => {
            Some(Language::Swift)
        }
        "using" | "namespace" if rest.strip_suffix(';').is_some_and(is_path) || is_path(rest) => {
            Some(Language::CSharp)
        }
        "using" if rest == "System;" => Some(Language::CSharp),
        _ => None,
    }
}

/// `#!/usr/bin/env python3`, `<?php`
fn shebang(first: &str) -> Option<Language> {
    if first.starts_with("<?php") {
        return Some(Language::Php);
    }
    let line = first.strip_prefix("#!")?;
    let name = line
        .split_whitespace()
        .map(|part| part.rsplit('/').next().unwrap_or(part))
        .find(|part| *part != "env" && !part.starts_with('-'))?;
    Some(match name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') {
        "sh" | "bash" | "zsh" | "dash" | "ksh" | "ash" => Language::Shell,
        "python" | "pypy" => Language::Python,
        "node" | "nodejs" => Language::JavaScript,
        "deno" | "bun" | "ts-node" | "tsx" => Language::TypeScript,
        "ruby" => Language::Ruby,
        "php" => Language::Php,
        "lua" | "luajit" => Language::Lua,
        "swift" => Language::Swift,
        "kotlin" => Language::Kotlin,
        "scala" => Language::Scala,
        _ => return None,
    })
}

/// A line that statements end or continue on; prose has few of them.
fn is_statement(body: &str) -> bool {
    let bytes = body.as_bytes();
    let ends = matches!(
        bytes.last(),
        Some(
            b'{' | b'}'
                | b';'
                | b'('
                | b')'
                | b','
                | b'['
                | b']'
                | b'='
                | b'|'
                | b'&'
                | b'+'
                | b'\\'
                | b'>'
                | b'"'
                | b'\''
        )
    );
    let starts = matches!(
        bytes.first(),
        Some(
            b'}' | b')'
                | b']'
                | b'.'
                | b'&'
                | b'|'
                | b'?'
                | b'"'
                | b'\''
                | b'+'
                | b'@'
                | b'$'
                | b'{'
                | b'<'
        )
    );
    ends || starts
        || holds(body, " = ")
        || holds(body, "()")
        || body == "end"
        || body == "else"
        || body == "do"
}

/// What an opening bracket or a colon at a line's end opened: the deeper lines below it are its members (fields, cases,
/// arguments), as far as they are no prose.
#[derive(Default)]
struct Block {
    /// Indentation of the line that opened it.
    indent: Option<usize>,
}

impl Block {
    /// Whether `line` is a member.
    fn take(&mut self, line: &Line<'_>) -> bool {
        let is_inside = self.indent.is_some_and(|indent| line.indent() > indent);
        if !is_inside {
            self.indent = line.body.ends_with(['{', '(', '[', ':']).then(|| line.indent());
        }
        is_inside && line.body.split(' ').filter(|word| !word.is_empty()).count() <= 4
    }
}

/// Comments and texts of several lines.
#[derive(Default)]
struct Comments {
    n_lines: usize,
    n_slash: u32,
    n_hash: u32,
    n_dash: u32,
    /// Lines that begin with `//!`: a module's documentation in Rust.
    n_module: u32,
    /// Tags that documentation of Java has, and of PHP.
    n_java: u32,
    n_php: u32,
    in_block: bool,
    /// The quotes that end the text being read.
    in_text: Option<&'static str>,
}

impl Comments {
    fn reset(&mut self) {
        self.in_block = false;
        self.in_text = None;
    }

    /// Whether `line` is (part of) a comment or text.
    fn take(&mut self, line: &Line<'_>) -> bool {
        let is_one = self.is_comment(line.body);
        self.n_lines += usize::from(is_one);
        is_one
    }

    fn is_comment(&mut self, body: &str) -> bool {
        if self.in_block {
            self.tags(body);
            self.in_block = !holds(body, "*/");
            return true;
        }
        if let Some(quotes) = self.in_text {
            if body.contains(quotes) {
                self.in_text = None;
            }
            return true;
        }
        let bytes = body.as_bytes();
        match bytes {
            [b'/', b'*', ..] => {
                self.n_slash += 1;
                let end = memchr::memmem::rfind(bytes, b"*/");
                self.in_block = end.is_none();
                end.is_none_or(|at| at + 2 == bytes.len())
            }
            [b'/', b'/', ..] => {
                self.n_slash += 1;
                self.n_module += u32::from(bytes.get(2) == Some(&b'!'));
                true
            }
            [b'*'] | [b'*', b' ' | b'/' | b'\t', ..] => {
                self.tags(body);
                true
            }
            [b'#'] | [b'#', b' ' | b'#' | b'-' | b'=', ..] => {
                self.n_hash += 1;
                true
            }
            [b'-', b'-', b'[', b'[', ..] => {
                self.n_dash += 1;
                self.in_text = (!holds(body, "]]")).then_some("]]");
                true
            }
            [b'-', b'-'] | [b'-', b'-', b' ' | b'-', ..] => {
                self.n_dash += 1;
                true
            }
            _ => {
                for quotes in ["\"\"\"", "'''"] {
                    let start = memchr::memmem::find(bytes, quotes.as_bytes());
                    let Some(start) = start else { continue };
                    if memchr::memmem::find(
                        bytes.get(start + 3..).unwrap_or_default(),
                        quotes.as_bytes(),
                    )
                    .is_none()
                    {
                        self.in_text = Some(quotes);
                    }
                    // A line that is nothing but the text's opening.
                    return start <= 1;
                }
                false
            }
        }
    }

    /// Counts the tags of one language's documentation.
    fn tags(&mut self, body: &str) {
        let said = body.trim_start_matches(['*', ' ']);
        self.n_java += u32::from(holds(body, "{@code ") || holds(body, "{@link "));
        let is_php = ["@var ", "@access ", "@package "].iter().any(|tag| said.starts_with(tag))
            || said.starts_with('@') && holds(said, " $");
        self.n_php += u32::from(is_php);
    }

    /// A language whose comments look otherwise is not this one's.
    fn weigh(&self, votes: &mut Votes) {
        if self.n_module >= 3 {
            votes.add(Language::Rust, self.n_module * 3);
        }
        votes.add(Language::Java, self.n_java * 2);
        votes.add(Language::Php, self.n_php * 4);
        let (slash, hash, dash) = (self.n_slash, self.n_hash, self.n_dash);
        for language in Language::ALL {
            let (own, others) = match language.comment() {
                "//" => (slash, hash.max(dash)),
                "#" => (hash, slash.max(dash)),
                "--" => (dash, slash.max(hash)),
                _ => continue,
            };
            if others >= 2 && own * 3 < others {
                votes.halve(*language);
            }
        }
    }
}
