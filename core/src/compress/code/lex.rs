//! Lexing for languages with brackets: where strings and comments stand, and how brackets pair.

use crate::prelude::*;
use memchr::memmem;

/// What a lexer must know of a language.
#[derive(Clone, Copy, Debug)]
pub(super) struct Syntax {
    /// What begins a comment up to the end of its line.
    pub(super) line_comments: &'static [&'static str],
    /// Whether `/* */` comments nest.
    pub(super) nests_comments: bool,
    /// Quotes of strings on one line with backslash escapes.
    pub(super) quotes: &'static [u8],
    /// Whether those strings may reach over line ends.
    pub(super) has_long_strings: bool,
    /// Whether `'` may be a lifetime, label or symbol instead of a character.
    pub(super) has_lifetimes: bool,
    /// How code stands in strings.
    pub(super) interpolation: Interpolation,
    /// Strings with special ends.
    pub(super) special: &'static [Special],
    /// Whether `/` may begin a regular expression.
    pub(super) has_regex: bool,
    /// Whether a line that begins with `#` is the preprocessor's.
    pub(super) has_preprocessor: bool,
    /// Whether code stands between `<?php` and `?>` in text of another kind.
    pub(super) is_template: bool,
}

/// How code stands in strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Interpolation {
    None,
    /// `${…}` in templates only.
    Template,
    /// `${…}`
    Dollar,
    /// `${…}` in strings that a name stands before.
    Prefixed,
    /// `{$…}`
    Brace,
    /// `\(…)`
    Backslash,
}

/// A string that is not one line with backslash escapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Special {
    /// `r"…"`, `r#"…"#` of Rust, with `b` and `c` before.
    RustRaw,
    /// `R"x(…)x"` of C++.
    CppRaw,
    /// `"""…"""`
    Triple,
    /// `` `…` `` with code in it.
    Template,
    /// `` `…` `` of Go: no escapes.
    GoRaw,
    /// `@"…""…"` of C#.
    Verbatim,
    /// `<<<ID … ID` of PHP.
    PhpHeredoc,
}

/// One bracket, semicolon or conditional of the preprocessor (`#`) of the code.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub(super) at: usize,
    pub(super) byte: u8,
    /// Index of the mark that it pairs with; its own when it stands alone: `;`, and brackets of the branches of
    /// conditionals that are not read; [`LOOSE`] when the source was cut between the two.
    pub(super) pair: usize,
}

/// In [`Mark::pair`]: the other one lies outside of the source.
pub(super) const LOOSE: usize = usize::MAX;

/// What is no code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Comment,
    Text,
    Directive,
}

/// A comment, string or directive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opaque {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) what: What,
}

/// The brackets of a source, and what is no code, in order.
#[derive(Debug, Default)]
pub(super) struct Lexed {
    pub(super) marks: Vec<Mark>,
    pub(super) opaque: Vec<Opaque>,
}

/// Code in strings in code, conditionals in conditionals: deeper than this and the source is left alone. Our choice.
const MAX_NESTING: usize = 40;

/// Reads a source. `None` when brackets of different kinds meet or a string or comment stays open: then nothing is sure.
/// A source that begins or ends in the middle of blocks has loose brackets.
pub(super) fn lex(text: &str, syntax: &Syntax) -> Option<Lexed> {
    Lexer {
        bytes: text.as_bytes(),
        syntax,
        stops: stops(syntax),
        out: Lexed::default(),
        open: Vec::new(),
        branches: Vec::new(),
        no_quote: [0; 2],
    }
    .run()
}

struct Lexer<'t> {
    bytes: &'t [u8],
    syntax: &'t Syntax,
    stops: [bool; 256],
    out: Lexed,
    /// Indices of the marks that are open.
    open: Vec<usize>,
    branches: Vec<Branch>,
    /// Up to where each of `"` and `'` is no quote: on a line where one stays open.
    no_quote: [usize; 2],
}

/// A conditional of the preprocessor. Its first branch is read; of the others only what pairs within them.
struct Branch {
    mark: usize,
    /// How many brackets were open before it.
    n_open: usize,
    /// What the first branch left open.
    left: Vec<usize>,
    /// How many it closed that had been open before.
    n_closed: usize,
    /// How many of these the branch being read may close again.
    n_may_close: usize,
    is_first: bool,
}

/// The bytes at which something may begin.
fn stops(syntax: &Syntax) -> [bool; 256] {
    let mut out = [false; 256];
    let mut stop = |bytes: &[u8]| {
        for byte in bytes {
            if let Some(stop) = out.get_mut(usize::from(*byte)) {
                *stop = true;
            }
        }
    };
    stop(b"{}()[];/\"'");
    if syntax.has_preprocessor || syntax.line_comments.contains(&"#") {
        stop(b"#");
    }
    if syntax.is_template {
        stop(b"<?");
    }
    if syntax.special.contains(&Special::Template) || syntax.special.contains(&Special::GoRaw) {
        stop(b"`");
    }
    out
}

impl Lexer<'_> {
    fn run(mut self) -> Option<Lexed> {
        let mut at = comment_end(self.bytes).unwrap_or(0);
        if at > 0 {
            self.out.opaque.push(Opaque { start: 0, end: at, what: What::Comment });
        } else if self.syntax.is_template {
            at = template_start(self.bytes);
            if at > 0 {
                self.out.opaque.push(Opaque { start: 0, end: at, what: What::Text });
            }
        }
        loop {
            let rest = self.bytes.get(at..).unwrap_or_default();
            let is_stop = |byte: &u8| self.stops.get(usize::from(*byte)) == Some(&true);
            let Some(skipped) = rest.iter().position(is_stop) else { break };
            at += skipped;
            let byte = *self.bytes.get(at)?;
            match byte {
                b'{' | b'(' | b'[' => self.opens(at, byte),
                b'}' | b')' | b']' => self.closes(at, byte)?,
                b';' => self.alone(at, byte),
                b'"' | b'\'' if self.is_no_quote(at, byte) => {}
                _ => {
                    if let Some((end, what)) = skip(self.bytes, at, self.syntax, 0)? {
                        if what == What::Directive {
                            self.directive(at)?;
                        }
                        self.out.opaque.push(Opaque { start: at, end, what });
                        at = end;
                        continue;
                    }
                    self.stays_open(at, byte);
                }
            }
            at += 1;
        }
        for index in self.open {
            if let Some(mark) = self.out.marks.get_mut(index) {
                mark.pair = LOOSE;
            }
        }
        Some(self.out)
    }

    fn is_no_quote(&self, at: usize, byte: u8) -> bool {
        self.no_quote.get(usize::from(byte == b'"')).is_some_and(|end| at < *end)
    }

    /// A quote without its like on the line: nor is the next one.
    fn stays_open(&mut self, at: usize, byte: u8) {
        if !matches!(byte, b'"' | b'\'') || byte == b'\'' && self.syntax.has_lifetimes {
            return;
        }
        let rest = self.bytes.get(at..).unwrap_or_default();
        let len = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        if let Some(end) = self.no_quote.get_mut(usize::from(byte == b'"')) {
            *end = if is_digit_separator(self.bytes, at) { at + 1 } else { at + len };
        }
    }

    fn alone(&mut self, at: usize, byte: u8) {
        let pair = self.out.marks.len();
        self.out.marks.push(Mark { at, byte, pair });
    }

    fn opens(&mut self, at: usize, byte: u8) {
        self.open.push(self.out.marks.len());
        self.out.marks.push(Mark { at, byte, pair: LOOSE });
    }

    fn closes(&mut self, at: usize, byte: u8) -> Option<()> {
        if let Some(branch) = self.branches.last_mut()
            && !branch.is_first
            && self.open.len() + branch.n_closed <= branch.n_open
        {
            branch.n_may_close = branch.n_may_close.checked_sub(1)?;
            self.alone(at, byte);
            return Some(());
        }
        let this = self.out.marks.len();
        let Some(opened) = self.open.pop() else {
            // The source begins inside of this one.
            self.out.marks.push(Mark { at, byte, pair: LOOSE });
            return Some(());
        };
        let mark = self.out.marks.get_mut(opened)?;
        if !matches!((mark.byte, byte), (b'{', b'}') | (b'(', b')') | (b'[', b']')) {
            return None;
        }
        mark.pair = this;
        self.out.marks.push(Mark { at, byte, pair: opened });
        Some(())
    }

    /// What a line of the preprocessor does to the brackets.
    fn directive(&mut self, at: usize) -> Option<()> {
        let line = self.bytes.get(at + 1..)?.trim_ascii_start();
        if line.starts_with(b"if") {
            let mark = self.out.marks.len();
            self.out.marks.push(Mark { at, byte: b'#', pair: LOOSE });
            self.branches.push(Branch {
                mark,
                n_open: self.open.len(),
                left: Vec::new(),
                n_closed: 0,
                n_may_close: 0,
                is_first: true,
            });
            return (self.branches.len() <= MAX_NESTING).then_some(());
        }
        let is_end = line.starts_with(b"endif");
        if !is_end && !line.starts_with(b"el") {
            return Some(());
        }
        let Some(mut branch) = self.branches.pop() else {
            self.out.marks.push(Mark { at, byte: b'#', pair: LOOSE });
            return Some(());
        };
        if branch.is_first {
            branch.left = self.open.split_off(branch.n_open.min(self.open.len()));
            branch.n_closed = branch.n_open - self.open.len();
            branch.is_first = false;
        } else {
            for index in self.open.split_off((branch.n_open - branch.n_closed).min(self.open.len()))
            {
                self.out.marks.get_mut(index)?.pair = index;
            }
        }
        if is_end {
            self.open.append(&mut branch.left);
            let this = self.out.marks.len();
            self.out.marks.get_mut(branch.mark)?.pair = this;
            self.out.marks.push(Mark { at, byte: b'#', pair: branch.mark });
        } else {
            branch.n_may_close = branch.n_closed;
            self.branches.push(branch);
        }
        Some(())
    }
}

/// Where the comment ends in which a snippet begins.
fn comment_end(bytes: &[u8]) -> Option<usize> {
    let end = memmem::find(bytes, b"*/")?;
    let head = bytes.get(..end)?;
    let start = memchr::memrchr(b'\n', head).map_or(0, |at| at + 1);
    let line = head.get(start..)?;
    // `"src/**/*.ts"` is no comment's end.
    let is_quoted =
        line.iter().any(|b| b"\"'`".contains(b)) && !line.trim_ascii_start().starts_with(b"*");
    (memmem::find(head, b"/*").is_none() && !is_quoted).then_some(end + 2)
}

/// Where the code begins in a template: behind the first `<?` when markup stands above it.
fn template_start(bytes: &[u8]) -> usize {
    let head = bytes.trim_ascii_start();
    if head.starts_with(b"<?") || !head.starts_with(b"<") && !head.starts_with(b"#!") {
        return 0;
    }
    memmem::find(bytes, b"<?").unwrap_or(0)
}

/// The end of what begins at `at` and is no code; `Some(None)` when nothing does; `None` when it stays open.
#[expect(clippy::option_option, reason = "open and absent are different answers")]
fn skip(bytes: &[u8], at: usize, syntax: &Syntax, nesting: usize) -> Option<Option<(usize, What)>> {
    if nesting > MAX_NESTING {
        return None;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    let byte = *rest.first()?;
    match byte {
        b'/' => {
            if rest.starts_with(b"/*") {
                let end = block_comment_end(bytes, at, syntax.nests_comments)?;
                return Some(Some((end, What::Comment)));
            }
            if rest.starts_with(b"//") {
                return Some(Some((line_comment_end(bytes, at, syntax), What::Comment)));
            }
            if syntax.has_regex && may_begin_regex(bytes, at) {
                return Some(regex_end(bytes, at).map(|end| (end, What::Text)));
            }
            return Some(None);
        }
        b'#' => {
            if syntax.has_preprocessor && is_line_start(bytes, at) {
                return Some(Some((directive_end(bytes, at), What::Directive)));
            }
            if syntax.line_comments.contains(&"#") && !rest.starts_with(b"#[") {
                return Some(Some((line_comment_end(bytes, at, syntax), What::Comment)));
            }
            return Some(None);
        }
        b'?' => {
            if !syntax.is_template || !rest.starts_with(b"?>") {
                return Some(None);
            }
            let end = memmem::find(rest, b"<?").map_or(bytes.len(), |found| at + found);
            return Some(Some((end, What::Text)));
        }
        _ => {}
    }
    for special in syntax.special {
        if let Some(end) = special_string(bytes, at, *special, syntax, nesting) {
            return end.map(|end| Some((end, What::Text)));
        }
    }
    let text = |end| Some((end, What::Text));
    if byte == b'\'' && syntax.has_lifetimes {
        return Some(char_end(bytes, at).and_then(text));
    }
    if syntax.quotes.contains(&byte) {
        if byte == b'\'' && is_digit_separator(bytes, at) {
            return Some(None);
        }
        return match string_end(bytes, at + 1, byte, syntax, nesting) {
            Ending::At(end) => Some(text(end)),
            // An apostrophe of a comment that is none for us: of markup, of a branch that is not read.
            Ending::Line => Some(None),
            Ending::None => None,
        };
    }
    Some(None)
}

fn is_line_start(bytes: &[u8], at: usize) -> bool {
    let before = bytes.get(..at).unwrap_or_default();
    before.iter().rev().take_while(|b| **b != b'\n').all(|b| matches!(b, b' ' | b'\t'))
}

/// `1'000'000`
fn is_digit_separator(bytes: &[u8], at: usize) -> bool {
    let is_digit =
        |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(|b| b.is_ascii_hexdigit());
    let word = bytes.get(..at).unwrap_or_default();
    let len = word
        .iter()
        .rev()
        .take(32)
        .take_while(|b| b.is_ascii_alphanumeric() || **b == b'\'')
        .count();
    let first = at.checked_sub(len).and_then(|at| bytes.get(at));
    is_digit(at.checked_sub(1)) && is_digit(Some(at + 1)) && first.is_some_and(u8::is_ascii_digit)
}

fn line_comment_end(bytes: &[u8], at: usize, syntax: &Syntax) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    let len = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    if syntax.is_template
        && let Some(end) = memmem::find(rest.get(..len).unwrap_or_default(), b"?>")
    {
        return at + end;
    }
    at + len
}

/// The end of a preprocessor line with the lines that a backslash joins to it, and of a comment that it leaves open.
fn directive_end(bytes: &[u8], at: usize) -> usize {
    let mut end = at;
    loop {
        let rest = bytes.get(end..).unwrap_or_default();
        let len = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let line = rest.get(..len).unwrap_or_default();
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if let Some(open) = memmem::rfind(line, b"/*")
            && memmem::find(line.get(open..).unwrap_or_default(), b"*/").is_none()
        {
            return end + open;
        }
        end += len;
        if !line.ends_with(b"\\") || end >= bytes.len() {
            return end;
        }
        end += 1;
    }
}

fn block_comment_end(bytes: &[u8], at: usize, nests: bool) -> Option<usize> {
    if !nests {
        return memmem::find(bytes.get(at + 2..)?, b"*/").map(|found| at + 2 + found + 2);
    }
    let (mut depth, mut i) = (1, at + 2);
    loop {
        i += memchr::memchr2(b'/', b'*', bytes.get(i..)?)?;
        match bytes.get(i..i + 2) {
            Some(b"/*") => (depth, i) = (depth + 1, i + 2),
            Some(b"*/") => (depth, i) = (depth - 1, i + 2),
            Some(_) => i += 1,
            None => return None,
        }
        if depth == 0 {
            return Some(i);
        }
    }
}

/// How a string ends.
enum Ending {
    At(usize),
    /// Not on its line, which it may not leave.
    Line,
    None,
}

/// The end of a string whose inside begins at `at`.
fn string_end(bytes: &[u8], mut at: usize, quote: u8, syntax: &Syntax, nesting: usize) -> Ending {
    let is_long = syntax.has_long_strings;
    let holds_code = quote == b'"'
        && match syntax.interpolation {
            Interpolation::None | Interpolation::Template => false,
            Interpolation::Dollar | Interpolation::Brace | Interpolation::Backslash => true,
            Interpolation::Prefixed => {
                at.checked_sub(2).and_then(|at| bytes.get(at)).is_some_and(|b| is_word(*b))
            }
        };
    loop {
        let Some(byte) = bytes.get(at) else {
            return if is_long { Ending::None } else { Ending::Line };
        };
        match byte {
            b'\\' => {
                if holds_code && begins_code(bytes, at, syntax.interpolation) {
                    match code_end(bytes, at + 2, b'(', syntax, nesting + 1) {
                        Some(end) => at = end,
                        None => return Ending::None,
                    }
                } else {
                    at += if bytes.get(at + 1) == Some(&b'\r') { 3 } else { 2 };
                }
            }
            b'\n' if !is_long => return Ending::Line,
            b if *b == quote => return Ending::At(at + 1),
            b'$' | b'{' if holds_code && begins_code(bytes, at, syntax.interpolation) => {
                let inside = at + if *byte == b'$' { 2 } else { 1 };
                match code_end(bytes, inside, b'{', syntax, nesting + 1) {
                    Some(end) => at = end,
                    None => return Ending::None,
                }
            }
            _ => at += 1,
        }
    }
}

fn begins_code(bytes: &[u8], at: usize, interpolation: Interpolation) -> bool {
    let rest = bytes.get(at..).unwrap_or_default();
    match interpolation {
        Interpolation::Template | Interpolation::Dollar | Interpolation::Prefixed => {
            rest.starts_with(b"${")
        }
        Interpolation::Brace => rest.starts_with(b"{$"),
        Interpolation::Backslash => rest.starts_with(b"\\("),
        Interpolation::None => false,
    }
}

/// The end of a character literal; `None` for a lifetime, label or symbol.
fn char_end(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at + 1..)?;
    if rest.first() == Some(&b'\\') {
        let end = rest.iter().skip(2).take(12).position(|b| *b == b'\'')?;
        return Some(at + 1 + 2 + end + 1);
    }
    let width = match rest.first()? {
        0..=0x7f => 1,
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        _ => 4,
    };
    (rest.get(width) == Some(&b'\'')).then_some(at + 1 + width + 1)
}

/// The end of a special string at whose first quote or sign `at` stands: `None` when none does, `Some(None)` when it stays open.
#[expect(clippy::option_option, reason = "open and absent are different answers")]
fn special_string(
    bytes: &[u8],
    at: usize,
    special: Special,
    syntax: &Syntax,
    nesting: usize,
) -> Option<Option<usize>> {
    let rest = bytes.get(at..)?;
    let before = bytes.get(..at).unwrap_or_default();
    let find = |from: usize, end: &[u8]| {
        memmem::find(rest.get(from..)?, end).map(|found| at + from + found + end.len())
    };
    match special {
        Special::RustRaw => {
            if rest.first() != Some(&b'"') {
                return None;
            }
            let hashes = before.iter().rev().take(256).take_while(|b| **b == b'#').count();
            let prefix = before.get(..before.len() - hashes)?;
            let word = prefix.iter().rev().take(3).take_while(|b| is_word(**b)).count();
            let word = prefix.get(prefix.len() - word..)?;
            if !matches!(word, b"r" | b"br" | b"cr") {
                return None;
            }
            let mut end = vec![b'"'];
            end.resize(1 + hashes, b'#');
            Some(find(1, &end))
        }
        Special::CppRaw => {
            if rest.first() != Some(&b'"') || before.last() != Some(&b'R') {
                return None;
            }
            let len = rest.iter().skip(1).take(17).position(|b| *b == b'(')?;
            let mut end = vec![b')'];
            end.extend_from_slice(rest.get(1..1 + len)?);
            end.push(b'"');
            Some(find(1 + len + 1, &end))
        }
        Special::Triple => rest
            .starts_with(b"\"\"\"")
            .then(|| interpolated_end(bytes, at + 3, b"\"\"\"", syntax, nesting)),
        Special::Template => (rest.first() == Some(&b'`'))
            .then(|| interpolated_end(bytes, at + 1, b"`", syntax, nesting)),
        Special::GoRaw => (rest.first() == Some(&b'`')).then(|| find(1, b"`")),
        Special::Verbatim => {
            if rest.first() != Some(&b'"') || !(before.ends_with(b"@") || before.ends_with(b"@$")) {
                return None;
            }
            let mut i = at + 1;
            Some(loop {
                let Some(found) = memchr::memchr(b'"', bytes.get(i..).unwrap_or_default()) else {
                    break None;
                };
                i += found + 1;
                if bytes.get(i) != Some(&b'"') {
                    break Some(i);
                }
                i += 1;
            })
        }
        Special::PhpHeredoc => {
            let name = rest.strip_prefix(b"<<<")?;
            let lead = name.iter().take_while(|b| matches!(b, b' ' | b'"' | b'\'')).count();
            let len = name.iter().skip(lead).take_while(|b| is_word(**b)).count();
            if len == 0 {
                return None;
            }
            let id = name.get(lead..lead + len)?;
            let mut from = 0;
            Some(loop {
                let Some(found) = memchr::memchr(b'\n', rest.get(from..).unwrap_or_default())
                else {
                    break None;
                };
                from += found + 1;
                let line = rest.get(from..).unwrap_or_default();
                let blank = line.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
                if line.get(blank..).is_some_and(|l| l.starts_with(id)) {
                    break Some(at + from + blank + id.len());
                }
            })
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The end of a string of several lines with code in it.
fn interpolated_end(
    bytes: &[u8],
    mut at: usize,
    end: &[u8],
    syntax: &Syntax,
    nesting: usize,
) -> Option<usize> {
    loop {
        let rest = bytes.get(at..)?;
        if rest.starts_with(end) {
            // `""""` ends with its last three quotes.
            let more = if end.len() == 3 {
                rest.iter().skip(3).take_while(|b| **b == b'"').count()
            } else {
                0
            };
            return Some(at + end.len() + more);
        }
        match rest.first()? {
            b'\\' if begins_code(bytes, at, syntax.interpolation) => {
                at = code_end(bytes, at + 2, b'(', syntax, nesting + 1)?;
            }
            b'\\' => at += 2,
            b'$' if begins_code(bytes, at, syntax.interpolation) => {
                at = code_end(bytes, at + 2, b'{', syntax, nesting + 1)?;
            }
            _ => at += 1,
        }
    }
}

/// One past the bracket that closes the code that begins at `at`, behind a bracket `open`.
fn code_end(
    bytes: &[u8],
    mut at: usize,
    open: u8,
    syntax: &Syntax,
    nesting: usize,
) -> Option<usize> {
    let close = if open == b'(' { b')' } else { b'}' };
    let mut depth = 1;
    loop {
        let byte = *bytes.get(at)?;
        if matches!(byte, b'/' | b'"' | b'\'' | b'`' | b'#' | b'<' | b'?') {
            if let Some((end, _)) = skip(bytes, at, syntax, nesting)? {
                at = end;
                continue;
            }
            if byte == b'"' || byte == b'\'' && !syntax.has_lifetimes {
                return None;
            }
        }
        if byte == open {
            depth += 1;
        } else if byte == close {
            depth -= 1;
        } else if byte == b'\n' && open == b'(' {
            return None;
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
}

/// Whether `/` begins a regular expression: after an operator, an opening bracket, or a keyword.
fn may_begin_regex(bytes: &[u8], at: usize) -> bool {
    let head = bytes.get(..at).unwrap_or_default().trim_ascii_end();
    let Some(before) = head.last() else { return true };
    if b"(,=:[!&|?{};+-*%~^".contains(before) {
        return true;
    }
    let len = head.iter().rev().take(12).take_while(|b| b.is_ascii_alphanumeric()).count();
    let word = head.get(head.len() - len..).unwrap_or_default();
    matches!(
        word,
        b"return"
            | b"typeof"
            | b"case"
            | b"in"
            | b"of"
            | b"do"
            | b"else"
            | b"void"
            | b"delete"
            | b"instanceof"
            | b"new"
            | b"yield"
            | b"await"
    )
}

/// The end of a regular expression on one line; `None` when it does not end there: then it was a division.
fn regex_end(bytes: &[u8], at: usize) -> Option<usize> {
    /// No expression is longer. Our choice: it bounds what is read in vain.
    const MAX_BYTES: usize = 1024;
    let bytes = bytes.get(..bytes.len().min(at + MAX_BYTES))?;
    let mut is_class = false;
    let mut i = at + 1;
    loop {
        match bytes.get(i)? {
            b'\n' => return None,
            b'\\' => i += 1,
            b'[' => is_class = true,
            b']' => is_class = false,
            b'/' if !is_class => return Some(i + 1),
            _ => {}
        }
        i += 1;
    }
}
