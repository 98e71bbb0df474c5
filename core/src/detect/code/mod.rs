//! Source code and its language. Every line votes: its first word and what follows ([`first`]), its operators and words
//! ([`marks`]). Comments and texts of several lines do not vote. The language with most votes is then asked how many of
//! the lines read as its code.

mod first;
mod language;
mod marks;

use super::sample::{Line, Sample};
use super::{Scores, share};
use crate::kind::Kind;
use crate::prelude::*;
pub(super) use language::Language;
use language::Votes;

pub(super) fn probe(sample: &Sample<'_>, scores: &mut Scores) {
    let mut votes = Votes::default();
    if let Some(language) = shebang(sample.first()) {
        votes.add(language, 40);
    }
    let mut lines: Vec<(&Line<'_>, Votes)> = Vec::new();
    let mut comments = Comments::default();
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
    comments.weigh(&mut votes);
    let (language, n_votes) = votes.best();
    if n_votes < 4 || (n_votes as usize).saturating_mul(10) < lines.len() {
        return;
    }
    let n_code =
        lines.iter().filter(|(line, own)| own.has(language) || is_statement(line.body)).count();
    scores.claim(Kind::Code, share(n_code + comments.n_lines, sample.n_full));
    scores.language = Some(language.name());
}

/// `#!/usr/bin/env python3`
fn shebang(first: &str) -> Option<Language> {
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
        || body.contains(" = ")
        || body.contains("()")
        || body == "end"
        || body == "else"
        || body == "do"
}

/// Comments and texts of several lines.
#[derive(Default)]
struct Comments {
    n_lines: usize,
    n_slash: u32,
    n_hash: u32,
    n_dash: u32,
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
            self.in_block = !body.contains("*/");
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
                true
            }
            [b'*'] | [b'*', b' ' | b'/' | b'\t', ..] => true,
            [b'#'] | [b'#', b' ' | b'#' | b'-' | b'=', ..] => {
                self.n_hash += 1;
                true
            }
            [b'-', b'-', b'[', b'[', ..] => {
                self.n_dash += 1;
                self.in_text = (!body.contains("]]")).then_some("]]");
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

    /// A language whose comments look otherwise is not this one's.
    fn weigh(&self, votes: &mut Votes) {
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
