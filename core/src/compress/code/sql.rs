//! SQL: routines, long queries, rows of data, statements of one shape.

use super::comments::{self, Remark, Style};
use super::cut::{Source, What};
use crate::prelude::*;
use core::ops::Range;

/// Queries of so many lines lose their middle. Our choice.
const QUERY: usize = 10;

/// Of statements of one shape so many in a row are a run. Our choice.
const RUN: usize = 5;

/// A statement: its lines, from its first word to its semicolon.
struct Statement {
    lines: Range<usize>,
    /// Its words in capitals, names and numbers left out: `INSERT INTO VALUES`.
    shape: Vec<String>,
    /// The lines that begin inside a text between `$` signs or quotes.
    text: Range<usize>,
}

/// Notes what may go of a source.
pub(super) fn read(source: &mut Source<'_>) {
    let Scan { statements, remarks, is_comment } = scan(source);
    let mut at = 0;
    while let Some(statement) = statements.get(at) {
        let n = statements
            .iter()
            .skip(at)
            .take_while(|other| other.shape == statement.shape && !other.shape.is_empty())
            .count();
        let is_type =
            ["TABLE", "TYPE"].iter().any(|word| statement.shape.get(1).is_some_and(|w| w == word));
        if n >= RUN && !is_type {
            let from = statements.get(at + 2).map(|s| s.lines.start);
            let to = statements.get(at + n - 1).map(|s| s.lines.start);
            if let (Some(from), Some(to)) = (from, to) {
                source.cut(from..to, What::Data);
            }
            at += n;
            continue;
        }
        one(source, statement);
        at += 1;
    }
    comments::cut(source, &remarks);
    let lines = comments::by_sign(source, "--", |at| is_comment.get(at) != Some(&true));
    comments::cut(source, &lines);
}

/// Notes what may go of one statement.
fn one(source: &mut Source<'_>, statement: &Statement) {
    let lines = statement.lines.clone();
    let first = statement.shape.first().map_or("", String::as_str);
    if first == "COPY" && lines.len() > QUERY {
        source.cut(lines.start + 3..lines.end - 1, What::Data);
        return;
    }
    if !statement.text.is_empty() {
        source.cut(statement.text.clone(), What::Body);
        return;
    }
    let says = |word: &str| statement.shape.iter().any(|w| w == word);
    let is_routine =
        first == "CREATE" && (says("PROCEDURE") || says("FUNCTION") || says("TRIGGER"));
    if is_routine && let Some(begin) = lines.clone().find(|at| is_word(source.line(*at), "BEGIN")) {
        source.cut(begin + 1..lines.end - 1, What::Body);
        return;
    }
    let is_query =
        matches!(first, "SELECT" | "WITH" | "INSERT" | "UPDATE" | "DELETE" | "MERGE" | "DO")
            || first == "CREATE" && says("VIEW");
    if is_query && lines.len() >= QUERY {
        let what = if says("VALUES") { What::Data } else { What::Body };
        source.cut(lines.start + 3..lines.end - 1, what);
    }
}

fn is_word(line: &str, word: &str) -> bool {
    let first = line.trim().split([' ', ';', '\t']).next().unwrap_or_default();
    first.eq_ignore_ascii_case(word)
}

/// A source cut into statements.
struct Scan {
    statements: Vec<Statement>,
    /// Comments between `/*` and `*/`.
    remarks: Vec<Remark>,
    /// Lines that are a comment up to their end.
    is_comment: Vec<bool>,
}

fn scan(source: &Source<'_>) -> Scan {
    let bytes = source.text.as_bytes();
    let mut out = Scan {
        statements: Vec::new(),
        remarks: Vec::new(),
        is_comment: vec![false; source.lines.len()],
    };
    let mut at = 0;
    let mut start: Option<usize> = None;
    let mut text = 0..0;
    // Inside a routine between BEGIN and END semicolons end nothing.
    let mut until: Option<(usize, usize)> = None;
    let mut missing_tags: Vec<&[u8]> = Vec::new();
    while let Some(byte) = bytes.get(at) {
        let rest = bytes.get(at..).unwrap_or_default();
        match byte {
            b'-' if rest.starts_with(b"--") => {
                let line = source.line_of(at);
                let before = source.text.get(source.start_of(line)..at).unwrap_or_default();
                if before.trim().is_empty()
                    && let Some(flag) = out.is_comment.get_mut(line)
                {
                    *flag = true;
                }
                at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                continue;
            }
            b'/' if rest.starts_with(b"/*") => {
                let len = memchr::memmem::find(rest, b"*/").map_or(rest.len(), |len| len + 2);
                let (first, last) = (source.line_of(at), source.line_of(at + len - 1));
                if last > first
                    && source.line(first).trim_start().starts_with("/*")
                    && source.line(last).trim_end().ends_with("*/")
                {
                    out.remarks.push(Remark { lines: first..last + 1, style: Style::Block });
                }
                at += len;
                continue;
            }
            b'\'' | b'"' | b'`' => {
                start.get_or_insert(at);
                let inside = rest.get(1..).unwrap_or_default();
                at += memchr::memchr(*byte, inside).map_or(1, |len| len + 2);
                continue;
            }
            b'$' => {
                let len = rest
                    .iter()
                    .skip(1)
                    .take(64)
                    .take_while(|b| b.is_ascii_alphanumeric() || **b == b'_')
                    .count();
                let tag = rest.get(..len + 2).unwrap_or_default();
                if tag.last() == Some(&b'$') && tag.len() > 1 && !missing_tags.contains(&tag) {
                    let inside = rest.get(tag.len()..).unwrap_or_default();
                    if let Some(found) = memchr::memmem::find(inside, tag) {
                        let end = at + tag.len() + found + tag.len();
                        let lines = source.line_of(at) + 1..source.line_of(end - 1);
                        if lines.len() > text.len() {
                            text = lines;
                        }
                        at = end;
                        continue;
                    }
                    if missing_tags.len() < 16 {
                        missing_tags.push(tag);
                    }
                }
                at += 1;
            }
            b';' => {
                at += 1;
                let Some(from) = start else { continue };
                let lines = source.line_of(from)..source.line_of(at - 1) + 1;
                if let Some((begin, indent)) = until {
                    let line = lines.end - 1;
                    let ends =
                        is_word(source.line(line), "END") && source.indent_of(line) <= indent;
                    if !ends && lines.end - begin < 5_000 {
                        continue;
                    }
                    until = None;
                } else if text.is_empty()
                    && let Some(begin) = routine(source, &lines)
                {
                    until = Some((begin, source.indent_of(begin)));
                    continue;
                }
                let mut statement = Statement {
                    shape: shape(source, &lines),
                    lines,
                    text: core::mem::take(&mut text),
                };
                if statement.shape.first().is_some_and(|w| w == "COPY")
                    && statement.shape.iter().any(|w| w == "STDIN")
                {
                    let rest = bytes.get(at..).unwrap_or_default();
                    let len =
                        memchr::memmem::find(rest, b"\n\\.").map_or(rest.len(), |len| len + 3);
                    statement.lines.end = source.line_of((at + len).saturating_sub(1)) + 1;
                    at += len;
                }
                out.statements.push(statement);
                start = None;
            }
            _ => {
                if !byte.is_ascii_whitespace() {
                    start.get_or_insert(at);
                }
                at += 1;
            }
        }
    }
    out
}

/// The line of a routine's first BEGIN, when its first semicolon has been met.
fn routine(source: &Source<'_>, lines: &Range<usize>) -> Option<usize> {
    let head = source.line(lines.start).trim_start();
    if !is_word(head, "CREATE") {
        return None;
    }
    let head = head.to_ascii_uppercase();
    ["PROCEDURE", "FUNCTION", "TRIGGER"].iter().any(|word| head.contains(word)).then_some(())?;
    lines.clone().take(60).find(|at| is_word(source.line(*at), "BEGIN"))
}

/// The key words of a statement's first line.
fn shape(source: &Source<'_>, lines: &Range<usize>) -> Vec<String> {
    let mut out = Vec::new();
    for at in lines.clone().take(4) {
        for word in source.line(at).split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')) {
            const KEYS: [&str; 34] = [
                "SELECT",
                "WITH",
                "INSERT",
                "INTO",
                "VALUES",
                "UPDATE",
                "DELETE",
                "MERGE",
                "CREATE",
                "ALTER",
                "DROP",
                "TABLE",
                "VIEW",
                "INDEX",
                "FUNCTION",
                "PROCEDURE",
                "TRIGGER",
                "TYPE",
                "OPERATOR",
                "CAST",
                "AGGREGATE",
                "CLASS",
                "COMMENT",
                "GRANT",
                "REVOKE",
                "COPY",
                "STDIN",
                "DO",
                "SET",
                "OWNER",
                "SEQUENCE",
                "DOMAIN",
                "SCHEMA",
                "FROM",
            ];
            if let Some(key) = KEYS.iter().find(|key| key.eq_ignore_ascii_case(word))
                && out.len() < 4
            {
                out.push((*key).to_owned());
            }
        }
    }
    out
}
