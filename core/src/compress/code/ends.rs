//! Ruby, Lua and shell: bodies whose lines stand deeper than the line that opens and the line that closes them.

use super::comments::{self, Remark, Style};
use super::cut::{BLOCK, LONG, MAX_DEPTH, NESTED, Source, What};
use super::runs;
use crate::prelude::*;
use core::ops::Range;

/// A language that is read by its layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// `def x` … `end`
    Ruby,
    /// `function x()` … `end`
    Lua,
    /// `x() {` … `}`
    Shell,
}

/// What a line opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opens {
    Function,
    /// A block with a title: `it "adds" do`.
    Titled,
    Block,
}

/// Notes what may go of a source.
pub(super) fn read(source: &mut Source<'_>, layout: Layout) {
    let (inside, mut remarks) = match layout {
        Layout::Ruby => ruby_texts(source),
        Layout::Lua => lua_texts(source),
        Layout::Shell => (shell_texts(source), Vec::new()),
    };
    let mut at = 0;
    while at < inside.len() {
        let n = inside.iter().skip(at).take_while(|is_inside| **is_inside).count();
        let is_remark = remarks.iter().any(|remark| remark.lines.contains(&at));
        if n > BLOCK && !is_remark {
            source.cut(at + 2..at + n - 1, What::Text);
        }
        at += n.max(1);
    }
    let sign = if layout == Layout::Lua { "--" } else { "#" };
    let end = source.lines.len();
    let mut reader = Reader { source, layout, inside };
    reader.items(0..end, 0);
    let inside = reader.inside;
    remarks.extend(comments::by_sign(source, sign, |at| inside.get(at) == Some(&true)));
    comments::cut(source, &remarks);
    runs::cut(source, |_, lines| lines.clone().all(|at| inside.get(at) == Some(&false)));
}

struct Reader<'s, 't> {
    source: &'s mut Source<'t>,
    layout: Layout,
    /// Lines that begin inside a text.
    inside: Vec<bool>,
}

impl Reader<'_, '_> {
    fn is_inside(&self, at: usize) -> bool {
        self.inside.get(at) == Some(&true)
    }

    fn items(&mut self, lines: Range<usize>, depth: usize) {
        let mut at = lines.start;
        while at < lines.end {
            let opens = if self.is_inside(at) { None } else { self.layout.opens(self.source, at) };
            let Some((opens, head_end)) = opens else {
                at += 1;
                continue;
            };
            let Some(end) = self.body_end(at, head_end, lines.end) else {
                at += 1;
                continue;
            };
            if self.item(opens, head_end..end, depth) {
                at = end;
            } else {
                at += 1;
            }
        }
    }

    /// The line that closes what opened at `at`, if only deeper lines stand between.
    fn body_end(&self, at: usize, head_end: usize, limit: usize) -> Option<usize> {
        let indent = self.source.indent_of(at);
        let mut end = head_end;
        while end < limit {
            let line = self.source.line(end);
            if self.is_inside(end)
                || line.trim().is_empty()
                || self.source.indent_of(end) > indent
                || self.source.indent_of(end) == indent && self.layout.goes_on(line)
            {
                end += 1;
            } else {
                let closes = self.source.indent_of(end) == indent
                    && self.layout.closes(self.source.line(at), line);
                return closes.then_some(end);
            }
        }
        None
    }

    /// Notes what may go of an item; `false` when its lines are to be read on.
    fn item(&mut self, opens: Opens, body: Range<usize>, depth: usize) -> bool {
        let mut nested = Vec::new();
        let looks_inside = body.len() >= LONG || opens != Opens::Function;
        if looks_inside && depth < MAX_DEPTH {
            let mut line = body.start;
            while line < body.end {
                let found = if self.is_inside(line) {
                    None
                } else {
                    self.layout.opens(self.source, line).filter(|(opens, _)| *opens != Opens::Block)
                };
                let end = found.and_then(|(_, head_end)| self.body_end(line, head_end, body.end));
                match end {
                    Some(end) => {
                        nested.push(line..end + 1);
                        line = end + 1;
                    }
                    None => line += 1,
                }
            }
        }
        let n_nested: usize = nested.iter().map(|lines| lines.len()).sum();
        if opens != Opens::Function {
            if !nested.is_empty() {
                self.items(body, depth + 1);
                return true;
            }
            if opens == Opens::Block && body.len() < BLOCK {
                return false;
            }
        } else if nested.len() > 1 && n_nested * 2 >= body.len() {
            self.items(body, depth + 1);
            return true;
        }
        let mut at = body.start;
        for item in nested.into_iter().filter(|item| item.len() > NESTED) {
            // What stands between must be whole: the item lies at the first level of the body.
            if self.source.indent_of(item.start) > self.least_indent(&body) {
                continue;
            }
            self.source.cut(at..item.start, What::Body);
            self.items(item.clone(), depth + 1);
            at = item.end;
        }
        self.source.cut(at..body.end, What::Body);
        true
    }

    fn least_indent(&self, body: &Range<usize>) -> usize {
        body.clone()
            .filter(|at| !self.source.is_blank(*at) && !self.is_inside(*at))
            .map(|at| self.source.indent_of(at))
            .min()
            .unwrap_or(0)
    }
}

impl Layout {
    /// What line `at` opens, and the line after its head.
    fn opens(self, source: &Source<'_>, at: usize) -> Option<(Opens, usize)> {
        let line = source.line(at).trim();
        match self {
            Layout::Ruby => ruby_opens(source, at, line),
            Layout::Lua => {
                let is_function = line.starts_with("function ")
                    || line.starts_with("local function ")
                    || line.contains("= function(")
                    || line.contains("= function (");
                let is_callback = line.contains("(function(") || line.contains(", function(");
                let is_open = !line.starts_with("--")
                    && !line.ends_with(" end")
                    && !line.contains(" end ")
                    && !line.contains(" end)");
                if !is_open {
                    return None;
                }
                let titled = is_callback && line.contains(['"', '\'']);
                if is_function {
                    Some((Opens::Function, at + 1))
                } else if titled {
                    Some((Opens::Titled, at + 1))
                } else if is_callback {
                    Some((Opens::Function, at + 1))
                } else {
                    let is_block = line.ends_with(" do") || line.ends_with(" then") || line == "do";
                    is_block.then_some((Opens::Block, at + 1))
                }
            }
            Layout::Shell => {
                if line.starts_with('#') {
                    return None;
                }
                let is_head = line.contains("()") && !line.contains(['=', '"', '\'', '`', '$'])
                    || line.starts_with("function ");
                if is_head && (line.ends_with('{') || line.ends_with(") (")) {
                    return Some((Opens::Function, at + 1));
                }
                if is_head && line.ends_with(')') && source.line(at + 1).trim() == "{" {
                    return Some((Opens::Function, at + 2));
                }
                let is_block = line.starts_with("if ") && line.ends_with("then")
                    || (line.starts_with("for ") || line.starts_with("while "))
                        && line.ends_with("do")
                    || line.starts_with("case ") && line.ends_with(" in");
                if is_block {
                    return Some((Opens::Block, at + 1));
                }
                let next = source.line(at + 1).trim();
                let is_block = line.starts_with("if ") && next == "then"
                    || (line.starts_with("for ") || line.starts_with("while ")) && next == "do";
                is_block.then_some((Opens::Block, at + 2))
            }
        }
    }

    /// Whether a line at the level of the head belongs to the body.
    fn goes_on(self, line: &str) -> bool {
        let line = line.trim();
        let first = line.split([' ', ';', '(']).next().unwrap_or_default();
        match self {
            Layout::Ruby => {
                matches!(first, "rescue" | "ensure" | "else" | "elsif" | "when")
                    || line.starts_with('#')
            }
            Layout::Lua => matches!(first, "else" | "elseif") || line.starts_with("--"),
            Layout::Shell => {
                matches!(first, "else" | "elif" | "then" | "do" | "{")
                    || line.starts_with('#')
                    || line.ends_with(')') && !line.contains('(')
            }
        }
    }

    /// Whether `line` closes what `head` opens.
    fn closes(self, head: &str, line: &str) -> bool {
        let word = line.trim();
        let first = word.split([' ', ',', ';', ')', '.', '}']).next().unwrap_or_default();
        match self {
            Layout::Ruby | Layout::Lua => first == "end",
            Layout::Shell => match head.trim_start().split(' ').next().unwrap_or_default() {
                "if" => first == "fi",
                "for" | "while" => first == "done",
                "case" => first == "esac",
                _ if head.trim_end().ends_with('(') => word.starts_with(')'),
                _ => first.is_empty() && word.starts_with('}') || first == "}",
            },
        }
    }
}

fn ruby_opens(source: &Source<'_>, at: usize, line: &str) -> Option<(Opens, usize)> {
    if line.starts_with('#') {
        return None;
    }
    const BEFORE: [&str; 5] =
        ["private ", "protected ", "public ", "module_function ", "private_class_method "];
    let rest = BEFORE.iter().find_map(|word| line.strip_prefix(word)).unwrap_or(line);
    if let Some(name) = rest.strip_prefix("def ") {
        let name = name.trim_start_matches("self.");
        let len = name
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '?' | '!' | '=' | '.')))
            .unwrap_or(name.len());
        let after = name.get(len..).unwrap_or_default();
        // `def a = 1`, `def a; end`, and operators, whose names have signs.
        let is_short = after.trim_start().starts_with("= ")
            || after.contains(") = ")
            || name.ends_with("end") && after.contains(';');
        if is_short {
            return None;
        }
        let mut end = at + 1;
        let depth = |line: &str| {
            let n = |c: char| i32::try_from(line.matches(c).count()).unwrap_or(0);
            n('(') - n(')')
        };
        let mut open = depth(line);
        while open > 0 && end < at + 40 && end < source.lines.len() {
            open += depth(source.line(end));
            end += 1;
        }
        return Some((Opens::Function, end));
    }
    let is_block = line.ends_with(" do")
        || line.ends_with('|') && (line.contains(" do |") || line.contains("do |"));
    if is_block {
        const TITLES: [&str; 7] =
            ["it", "describe", "context", "test", "should", "specify", "feature"];
        let first = line.split([' ', '(', '.']).next().unwrap_or_default();
        let is_titled =
            TITLES.contains(&first) || line.contains(['"', '\'']) && !line.contains(" = ");
        return Some((if is_titled { Opens::Titled } else { Opens::Block }, at + 1));
    }
    None
}

/// The lines of Ruby that begin inside a text, and the comments between `=begin` and `=end`.
fn ruby_texts(source: &Source<'_>) -> (Vec<bool>, Vec<Remark>) {
    let n = source.lines.len();
    let mut inside = vec![false; n];
    let mut remarks = Vec::new();
    let mut names = Names::default();
    let mut at = 0;
    while at < n {
        let line = source.line(at);
        if line.starts_with("=begin") {
            let len = (at..n).take_while(|at| !source.line(*at).starts_with("=end")).count();
            fill(&mut inside, at..(at + len + 1).min(n));
            remarks.push(Remark { lines: at..(at + len + 1).min(n), style: Style::Block });
            at += len + 1;
            continue;
        }
        if line == "__END__" {
            fill(&mut inside, at..n);
            break;
        }
        at = heredocs(source, at, &mut inside, &mut names, &["<<~", "<<-", "<<"]);
    }
    (inside, remarks)
}

fn fill(inside: &mut [bool], lines: Range<usize>) {
    for flag in inside.get_mut(lines).unwrap_or_default() {
        *flag = true;
    }
}

/// Lines that are one word, by that word: where a heredoc may end.
#[derive(Default)]
struct Names<'t> {
    lines: Option<BTreeMap<&'t str, Vec<usize>>>,
}

impl<'t> Names<'t> {
    /// The first line from `from` on that is `name`.
    fn next(&mut self, source: &Source<'t>, name: &str, from: usize) -> Option<usize> {
        let lines = self.lines.get_or_insert_with(|| {
            let mut lines: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
            for at in 0..source.lines.len() {
                let word = source.line(at).trim();
                if !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
                {
                    lines.entry(word).or_default().push(at);
                }
            }
            lines
        });
        let lines = lines.get(name)?;
        lines.get(lines.partition_point(|at| *at < from)).copied()
    }
}

/// Marks the lines of the texts that line `at` opens (`<<~SQL`); the line to read next.
fn heredocs<'t>(
    source: &Source<'t>,
    at: usize,
    inside: &mut [bool],
    names: &mut Names<'t>,
    signs: &[&str],
) -> usize {
    let line = source.line(at);
    let mut next = at + 1;
    if !line.contains("<<") || line.trim_start().starts_with('#') {
        return next;
    }
    let mut rest = line;
    while let Some(found) = rest.find("<<") {
        let here = rest.get(found..).unwrap_or_default();
        let sign = signs.iter().find(|sign| here.starts_with(**sign)).map_or(2, |sign| sign.len());
        rest = here.get(sign..).unwrap_or_default();
        let before = line.get(..line.len() - here.len()).unwrap_or_default();
        let quoted = rest.trim_start_matches([' ', '"', '\'', '`', '\\']);
        let len = quoted.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(quoted.len());
        let name = quoted.get(..len).unwrap_or_default();
        let is_space = rest.starts_with(' ') && signs.contains(&"<<~");
        let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_') && !is_space
            && !before.ends_with('<')
            // `list <<Name`, `class << self`
            && (sign > 2 || name.chars().all(|c| c.is_uppercase() || c == '_' || c.is_ascii_digit()) || signs.len() == 2);
        if !is_name {
            continue;
        }
        let Some(end) = names.next(source, name, next) else { continue };
        fill(inside, next..end + 1);
        next = end + 1;
    }
    next
}

/// The lines of Lua that begin inside `[[ ]]`, and the comments between such brackets.
fn lua_texts(source: &Source<'_>) -> (Vec<bool>, Vec<Remark>) {
    let mut inside = vec![false; source.lines.len()];
    let mut remarks = Vec::new();
    let bytes = source.text.as_bytes();
    // Levels of brackets of which no closing one follows.
    let mut missing = [false; 17];
    let mut from = 0;
    while let Some(found) = memchr::memchr(b'[', bytes.get(from..).unwrap_or_default()) {
        let at = from + found;
        let rest = bytes.get(at + 1..).unwrap_or_default();
        let level = rest.iter().take(16).take_while(|b| **b == b'=').count();
        from = at + 1;
        if rest.get(level) != Some(&b'[') || missing.get(level) == Some(&true) {
            continue;
        }
        let first = source.line_of(at);
        let before = source.text.get(source.start_of(first)..at).unwrap_or_default();
        // In a comment or string of one line, or an index of an index.
        let is_comment = before.trim() == "--";
        if !is_comment && (before.contains("--") || before.ends_with(|c: char| c.is_alphanumeric()))
        {
            continue;
        }
        let mut close = vec![b']'];
        close.resize(1 + level, b'=');
        close.push(b']');
        let Some(len) = memchr::memmem::find(rest, &close) else {
            if let Some(missing) = missing.get_mut(level) {
                *missing = true;
            }
            continue;
        };
        let end = at + 1 + len + close.len();
        let last = source.line_of(end - 1);
        fill(&mut inside, first + 1..last + 1);
        if is_comment && last > first {
            fill(&mut inside, first..first + 1);
            remarks.push(Remark { lines: first..last + 1, style: Style::Block });
        }
        from = end;
    }
    (inside, remarks)
}

/// The lines of shell that begin inside a heredoc or a quoted text.
fn shell_texts(source: &Source<'_>) -> Vec<bool> {
    let n = source.lines.len();
    let mut inside = vec![false; n];
    let mut names = Names::default();
    let mut quote = None;
    let mut at = 0;
    while at < n {
        if quote.is_some() {
            fill(&mut inside, at..at + 1);
        }
        let was_open = quote.is_some();
        let line = source.line(at);
        quote = shell_quote(line, quote);
        let is_end = !was_open
            && (quote.is_some() && line.trim_start().starts_with(['"', '\''])
                || line.len() >= 3 && line.bytes().all(|b| b.is_ascii_uppercase() || b == b'_'));
        if is_end {
            // The end of a text: the snippet began inside of it.
            fill(&mut inside, 0..at + 1);
            quote = None;
            at += 1;
            continue;
        }
        at = if was_open || quote.is_some() {
            at + 1
        } else {
            heredocs(source, at, &mut inside, &mut names, &["<<-", "<<"])
        };
    }
    inside
}

/// The quote that a line of shell leaves open.
fn shell_quote(line: &str, mut quote: Option<u8>) -> Option<u8> {
    let bytes = line.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match (quote, byte) {
            (Some(b'"') | None, b'\\') => at += 1,
            (Some(open), b) if *b == open => quote = None,
            (None, b'"' | b'\'') => quote = Some(*byte),
            (None, b'#')
                if at
                    .checked_sub(1)
                    .is_none_or(|i| bytes.get(i).is_some_and(|b| b" \t;".contains(b))) =>
            {
                return quote;
            }
            _ => {}
        }
        at += 1;
    }
    quote
}
