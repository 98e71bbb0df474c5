//! Python: bodies by indentation.

use super::comments::{self, Remark, Style};
use super::cut::{BLOCK, LONG, MAX_DEPTH, MEMBERS, NESTED, Source, What};
use super::runs;
use crate::prelude::*;
use core::ops::Range;

/// What a line continues, if it does.
#[derive(Clone, Copy, Debug, Default)]
struct Inside {
    /// How many brackets are open where it begins.
    depth: u32,
    /// Whether it begins inside a string.
    is_text: bool,
    /// Whether a backslash joins it to the line before.
    is_joined: bool,
}

impl Inside {
    fn is_any(self) -> bool {
        self.depth > 0 || self.is_text || self.is_joined
    }
}

/// Notes what may go of a source in Python. `None` when a string stays open on its line: then nothing is sure.
pub(super) fn read(source: &mut Source<'_>) -> Option<()> {
    let inside = continuations(source)?;
    let mut reader = Reader { source, inside, remarks: Vec::new() };
    let end = reader.inside.len();
    reader.items(0..end, 0);
    let Reader { inside, mut remarks, .. } = reader;
    remarks.extend(comments::by_sign(source, "#", |at| {
        inside.get(at).is_none_or(|inside| inside.is_text || inside.is_joined)
    }));
    comments::cut(source, &remarks);
    runs::cut(source, |_, lines| {
        lines
            .clone()
            .chain([lines.end])
            .all(|at| inside.get(at).is_some_and(|inside| !inside.is_any()))
    });
    Some(())
}

struct Reader<'s, 't> {
    source: &'s mut Source<'t>,
    inside: Vec<Inside>,
    remarks: Vec<Remark>,
}

impl Reader<'_, '_> {
    fn is_inside(&self, at: usize) -> bool {
        self.inside.get(at).is_some_and(|inside| inside.is_any())
    }

    /// The line after the logical line that begins at `at`.
    fn logical_end(&self, at: usize) -> usize {
        let rest = self.inside.get(at + 1..).unwrap_or_default();
        at + 1 + rest.iter().take_while(|inside| inside.is_any()).count()
    }

    /// Whether a definition begins at `at`.
    fn begins(&self, at: usize, words: &[&str]) -> bool {
        let line = self.source.line(at).trim_start();
        !self.is_inside(at) && words.iter().any(|word| line.starts_with(word))
    }

    /// The end of the suite below the logical line that begins at `at`, without what is blank at its end.
    fn suite_end(&self, at: usize, limit: usize) -> usize {
        let indent = self.source.indent_of(at);
        let mut end = self.logical_end(at);
        let mut last = end;
        // Comments left of the suite belong to it when code of it follows.
        while end < limit {
            let is_blank = self.source.is_blank(end) && !self.is_inside(end);
            let line = self.source.line(end).trim_start();
            let is_comment = line.starts_with('#') && !self.is_inside(end);
            if !is_blank {
                if self.is_inside(end) || self.source.indent_of(end) > indent {
                    last = end + 1;
                } else if !is_comment {
                    break;
                }
            }
            end += 1;
        }
        last.min(limit)
    }

    /// The lines of a suite's docstring.
    fn docstring(&self, suite: Range<usize>) -> Option<Range<usize>> {
        let first = suite.clone().find(|at| !self.source.is_blank(*at))?;
        let begins = self.source.line(first).trim_start();
        let begins = begins.trim_start_matches(['r', 'R', 'u', 'b', 'f']);
        (begins.starts_with(['"', '\'']) && !self.is_inside(first))
            .then(|| first..self.logical_end(first).min(suite.end))
    }

    /// Reads the lines at the level of a file, a class, or a function that is mostly items.
    fn items(&mut self, lines: Range<usize>, depth: usize) {
        if let Some(docs) = self.docstring(lines.clone())
            && depth == 0
        {
            self.remarks.push(Remark { lines: docs, style: Style::Docstring });
        }
        let mut at = lines.start;
        while at < lines.end {
            if self.begins(at, &["def ", "async def "]) {
                let end = self.suite_end(at, lines.end);
                self.function(at, end, depth);
                at = end.max(at + 1);
                continue;
            }
            if self.begins(at, &["class "]) {
                let body = self.logical_end(at);
                let end = self.suite_end(at, lines.end);
                if let Some(docs) = self.docstring(body..end) {
                    self.remarks.push(Remark { lines: docs, style: Style::Docstring });
                }
                at += 1;
                continue;
            }
            const BLOCKS: [&str; 9] =
                ["if ", "for ", "while ", "with ", "try:", "else:", "elif ", "except", "finally:"];
            if self.begins(at, &BLOCKS) {
                let (body, end) = (self.logical_end(at), self.suite_end(at, lines.end));
                let has_items = (body..end).any(|at| {
                    self.begins(at, &["def ", "async def ", "class ", "import ", "from "])
                });
                if end.saturating_sub(body) >= BLOCK && !has_items {
                    self.source.cut(body..end, What::Body);
                    at = end;
                    continue;
                }
            }
            let end = self.logical_end(at).min(lines.end);
            if end - at > BLOCK {
                self.values(at, end);
            }
            at = end.max(at + 1);
        }
    }

    /// The function whose head begins at `at`: all of its body goes but the heads of long items in a long one.
    fn function(&mut self, at: usize, end: usize, depth: usize) {
        let mut body = self.logical_end(at)..end;
        if let Some(docs) = self.docstring(body.clone()) {
            body.start = docs.end;
            self.remarks.push(Remark { lines: docs, style: Style::Docstring });
        }
        let mut nested = Vec::new();
        if body.len() >= LONG && depth < MAX_DEPTH {
            let mut line = body.start;
            while line < body.end {
                if self.begins(line, &["def ", "async def ", "class "]) {
                    let end = self.suite_end(line, body.end);
                    nested.push(line..end);
                    line = end.max(line + 1);
                } else {
                    line += 1;
                }
            }
        }
        let n_nested: usize = nested.iter().map(|lines| lines.len()).sum();
        if nested.len() > 1 && n_nested * 2 >= body.len() {
            self.items(body, depth + 1);
            return;
        }
        let mut at = body.start;
        for item in nested.into_iter().filter(|item| item.len() > NESTED) {
            let mut head = item.start;
            while head > at && self.source.line(head - 1).trim_start().starts_with('@') {
                head -= 1;
            }
            self.source.cut(at..head, What::Body);
            self.items(item.clone(), depth + 1);
            at = item.end;
        }
        self.source.cut(at..body.end, What::Body);
    }

    /// A long literal keeps its first and last members; a long text its first and last lines.
    fn values(&mut self, at: usize, end: usize) {
        let inside = |line: usize| self.inside.get(line).copied().unwrap_or_default();
        if self.source.line(at).trim_start().starts_with('@') {
            return;
        }
        if (at + 1..end).all(|line| inside(line).is_text) {
            let is_docs = self.source.line(at).trim_start().starts_with(['"', '\'']);
            if !is_docs {
                self.source.cut(at + 3..end - 1, What::Text);
            }
            return;
        }
        let head = self.source.line(at).trim_end();
        let is_values = head.ends_with(['[', '{', '(', ',']) && head.contains('=');
        if !is_values {
            return;
        }
        let mut work = vec![(at + 1..end, 1)];
        while let Some((lines, depth)) = work.pop() {
            let is_member = |line: &usize| {
                let inside = inside(*line);
                inside.depth == depth && !inside.is_text && !self.source.is_blank(*line)
            };
            let members: Vec<usize> = lines.clone().filter(is_member).collect();
            // The line that closes the literal begins at its level too.
            let (from, to) =
                (members.get(2), members.len().checked_sub(2).and_then(|at| members.get(at)));
            if let (Some(from), Some(to)) = (from, to)
                && members.len() > MEMBERS / 2 + 1
            {
                self.source.cut(*from..*to, What::Data);
                continue;
            }
            for pair in members.windows(2) {
                if let [from, to] = pair
                    && to - from > BLOCK
                    && depth < 8
                {
                    work.push((from + 1..*to + 1, depth + 1));
                }
            }
        }
    }
}

/// Where the text ends in which a snippet begins: behind the first quotes, when nothing above them is code.
fn begins_in_text(source: &Source<'_>) -> Option<usize> {
    let at = ["\"\"\"", "'''"]
        .iter()
        .filter_map(|quotes| memchr::memmem::find(source.text.as_bytes(), quotes.as_bytes()))
        .min()?;
    let line = source.line_of(at);
    const STARTS: [&str; 20] = [
        "#", "@", "def ", "class ", "import ", "from ", "if ", "else", "elif ", "for ", "while ",
        "return", "try:", "except", "with ", "raise ", "async ", "self.", "yield", "assert ",
    ];
    let is_code = |line: &str| {
        let line = line.trim();
        STARTS.iter().any(|start| line.starts_with(start))
            || line.contains(" = ")
            || line.ends_with(['(', '[', '{', ')', ']', '}', ','])
    };
    let is_prose =
        (0..line).any(|at| !source.is_blank(at)) && !(0..line).any(|at| is_code(source.line(at)));
    let ends = source.line(line).trim_end().len() == at + 3 - source.start_of(line);
    (is_prose && ends).then_some(at + 3)
}

/// Whether three quotes at `at` may open a text: prose stands before them where a snippet began inside of one.
fn may_open(bytes: &[u8], at: usize) -> bool {
    let before = bytes.get(..at).unwrap_or_default();
    let n_letters = before.iter().rev().take(3).take_while(|b| b.is_ascii_alphabetic()).count();
    let prefix = before.get(before.len() - n_letters..).unwrap_or_default();
    let is_prefix = n_letters < 3 && prefix.iter().all(|b| b"rRuUbBfFtT".contains(b));
    let before = if is_prefix { before.get(..before.len() - n_letters) } else { Some(before) };
    match before.unwrap_or_default().last() {
        None | Some(b'\n' | b' ' | b'\t') => true,
        Some(byte) => b"=([{,:+%\\;\"'".contains(byte),
    }
}

/// What each line continues, up to where that is known. `None` when a string stays open on its line.
fn continuations(source: &Source<'_>) -> Option<Vec<Inside>> {
    let bytes = source.text.as_bytes();
    let mut out = vec![Inside::default(); source.lines.len()];
    let (mut depth, mut at, mut line) = (0_u32, 0, 0);
    if let Some(end) = begins_in_text(source) {
        at = end;
        line = source.line_of(at);
        for inside in out.iter_mut().take(line + 1) {
            inside.is_text = true;
        }
    }
    fn set(out: &mut [Inside], line: usize, inside: Inside) {
        if let Some(slot) = out.get_mut(line) {
            *slot = inside;
        }
    }
    while at < bytes.len() {
        let rest = bytes.get(at..)?;
        let is_stop = |b: &u8| {
            matches!(b, b'#' | b'"' | b'\'' | b'(' | b'[' | b'{' | b')' | b']' | b'}' | b'\n')
        };
        at += rest.iter().position(is_stop).unwrap_or(rest.len());
        let Some(byte) = bytes.get(at) else { break };
        match byte {
            b'#' => {
                let rest = bytes.get(at..)?;
                at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                continue;
            }
            quote @ (b'"' | b'\'') => {
                let triple = [*quote; 3];
                let is_triple = bytes.get(at..)?.starts_with(&triple);
                if is_triple && !may_open(bytes, at) {
                    return None;
                }
                let mut i = at + if is_triple { 3 } else { 1 };
                let begins = line;
                loop {
                    let Some(byte) = bytes.get(i) else {
                        // The source ends in a text, or begins in one: from there on nothing is sure.
                        let mut end = begins;
                        while end > 0 && out.get(end).is_some_and(|inside| inside.is_any()) {
                            end -= 1;
                        }
                        out.truncate(end);
                        return Some(out);
                    };
                    match byte {
                        b'\\' => {
                            if bytes.get(i + 1) == Some(&b'\r') && bytes.get(i + 2) == Some(&b'\n')
                            {
                                i += 1;
                            }
                            if bytes.get(i + 1) == Some(&b'\n') {
                                line += 1;
                                set(
                                    &mut out,
                                    line,
                                    Inside { depth, is_text: true, is_joined: false },
                                );
                            }
                            i += 2;
                        }
                        b'\n' if !is_triple => return None,
                        b'\n' => {
                            line += 1;
                            set(&mut out, line, Inside { depth, is_text: true, is_joined: false });
                            i += 1;
                        }
                        b if b == quote && (!is_triple || bytes.get(i..)?.starts_with(&triple)) => {
                            i += if is_triple { 3 } else { 1 };
                            break;
                        }
                        _ => i += 1,
                    }
                }
                at = i;
                continue;
            }
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
            _ => {
                line += 1;
                let before = bytes.get(..at).unwrap_or_default();
                let before = before.strip_suffix(b"\r").unwrap_or(before);
                let is_joined = before.ends_with(b"\\");
                set(&mut out, line, Inside { depth, is_text: false, is_joined });
            }
        }
        at += 1;
    }
    Some(out)
}
