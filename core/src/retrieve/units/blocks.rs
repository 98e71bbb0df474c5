//! Blocks by indentation: code items, YAML entries, markup elements, trees.
//!
//! A block begins at a line of the least indentation and holds what is indented deeper, the closing line, and the comments and
//! attributes right above it. A block that is too large becomes its opening lines, which head the blocks within.

use super::{Cut, NONE, indent, is_blank, is_prefix, names};
use crate::detect;
use crate::text::{self, Span};

/// Nesting below which blocks are cut by line: keeps the work linear in the text.
const MAX_DEPTH: u32 = 12;

/// `[section]`s, or else blocks.
pub(super) fn config(text: &str, large: usize) -> Cut {
    let lines = text::lines(text);
    let opens = |line: &Span| {
        let line = line.of(text).trim_ascii();
        line.starts_with('[') && line.ends_with(']')
    };
    if lines.iter().filter(|line| opens(line)).count() < 2 {
        return blocks(text, large);
    }
    let mut cut = Cut::new("sections");
    let mut cutter = Cutter { text, grain: Grain::Bytes(large), cut: &mut cut };
    let mut start = 0;
    for (at, line) in lines.iter().enumerate() {
        if opens(line) {
            let begin = start + cutter.n_before_prefix(lines.get(start..at).unwrap_or_default(), 0);
            cutter.section(lines.get(start..begin).unwrap_or_default());
            start = begin;
        }
    }
    cutter.section(lines.get(start..).unwrap_or_default());
    cut
}

/// See the module. Blocks above `large` bytes are cut further.
pub(super) fn blocks(text: &str, large: usize) -> Cut {
    let mut cut = Cut::new("blocks");
    let lines = text::lines(text);
    Cutter { text, grain: Grain::Bytes(large), cut: &mut cut }.level(&lines, NONE, 0);
    cut
}

/// Items of code: functions whole, and what holds functions cut into them.
pub(super) fn items(text: &str) -> Cut {
    let mut cut = Cut::new("items");
    let lines = text::lines(text);
    Cutter { text, grain: Grain::Items, cut: &mut cut }.level(&lines, NONE, 0);
    cut
}

/// Which blocks are cut further.
#[derive(Clone, Copy)]
enum Grain {
    /// Those of more bytes.
    Bytes(usize),
    /// Those that hold functions; functions stay whole as long as a view can hold them.
    Items,
}

/// Above this size in bytes an item is cut as a block is: no view holds it. Our choice, at 4 bytes a token.
const ITEM: usize = 28 << 10;

struct Cutter<'a> {
    text: &'a str,
    grain: Grain,
    cut: &'a mut Cut,
}

impl Cutter<'_> {
    /// Cuts `lines`, which stand under `head`, at their least indentation.
    fn level(&mut self, lines: &[Span], head: u32, depth: u32) {
        let solid = lines
            .iter()
            .map(|line| line.of(self.text))
            .filter(|line| !is_blank(line) && !self.is_label(line));
        let Some(least) = solid.map(indent).min() else { return };
        let mut start = 0;
        for at in 0..lines.len() {
            let begin = at.max(start);
            if begin == at && at > start && self.begins(lines, at, least) {
                let prefix = self.n_before_prefix(lines.get(start..at).unwrap_or_default(), least);
                self.block(
                    lines.get(start..start + prefix).unwrap_or_default(),
                    least,
                    head,
                    depth,
                );
                start += prefix;
            }
        }
        self.block(lines.get(start..).unwrap_or_default(), least, head, depth);
    }

    /// Whether a block begins at line `at`.
    fn begins(&self, lines: &[Span], at: usize, least: usize) -> bool {
        let line = lines.get(at).map_or("", |line| line.of(self.text));
        !is_blank(line)
            && indent(line) <= least
            && !is_closing(line)
            && !is_prefix(line)
            && !self.is_label(line)
            && !self.is_below_type(lines, at, line)
    }

    /// Whether a line parts the members of a class of C++; it stands less deep than they do.
    fn is_label(&self, line: &str) -> bool {
        matches!(self.grain, Grain::Items)
            && matches!(
                line.trim_ascii(),
                "public:" | "private:" | "protected:" | "signals:" | "public slots:"
            )
    }

    /// Whether the type of the function that line `at` names stands on the line above.
    fn is_below_type(&self, lines: &[Span], at: usize, line: &str) -> bool {
        let above = at.checked_sub(1).and_then(|at| lines.get(at)).map(|above| above.of(self.text));
        let name = line.split('(').next().unwrap_or_default();
        matches!(self.grain, Grain::Items)
            && name.len() < line.len()
            && names::is_type(name)
            && !name.trim().contains(' ')
            && above.is_some_and(|above| names::is_type(above) && !is_closing(above))
    }

    /// Whether a block of these lines is to be cut.
    fn is_large(&self, lines: &[Span], whole: Span, least: usize) -> bool {
        match self.grain {
            Grain::Bytes(most) => whole.len() > most,
            Grain::Items => whole.len() > ITEM || self.holds_items(lines, least),
        }
    }

    /// Whether lines are a class or the like with members of several lines.
    fn holds_items(&self, lines: &[Span], least: usize) -> bool {
        const HOLDERS: [&str; 12] = [
            "impl",
            "class",
            "trait",
            "mod",
            "module",
            "interface",
            "object",
            "namespace",
            "struct",
            "extension",
            "protocol",
            "actor",
        ];
        let mut solid = lines
            .iter()
            .map(|line| line.of(self.text))
            .filter(|line| !is_blank(line) && (indent(line) > least || !is_prefix(line)));
        let Some(opening) = solid.next() else { return false };
        let head = opening.split(['(', '=', '{']).next().unwrap_or_default();
        let holds = head
            .split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .take(6)
            .any(|word| HOLDERS.contains(&word));
        let mut widths = solid.map(indent).filter(|width| *width > least);
        let Some(first) = widths.next() else { return false };
        holds && widths.any(|width| width > first)
    }

    /// How many of `lines` stand before the comments and attributes at their end, which belong to what follows.
    fn n_before_prefix(&self, lines: &[Span], least: usize) -> usize {
        let belongs = |line: &&Span| {
            let line = line.of(self.text);
            !is_blank(line) && indent(line) <= least && is_prefix(line)
        };
        lines.len() - lines.iter().rev().take_while(belongs).count()
    }

    /// Adds one block.
    fn block(&mut self, lines: &[Span], least: usize, head: u32, depth: u32) {
        let Some(whole) = self.trimmed(lines) else { return };
        if !self.is_large(lines, whole, least) {
            self.cut.push(whole, head);
            return;
        }
        let is_deeper = |line: &Span| {
            let line = line.of(self.text);
            !is_blank(line) && indent(line) > least
        };
        let n_opening = lines.iter().take_while(|line| !is_deeper(line)).count();
        let (opening, inner) = lines.split_at_checked(n_opening).unwrap_or((lines, &[]));
        let n_inner = inner.iter().rposition(is_deeper).map_or(0, |at| at + 1);
        let (inner, closing) = inner.split_at_checked(n_inner).unwrap_or((inner, &[]));
        if inner.is_empty() || depth >= MAX_DEPTH {
            self.by_line(lines, head);
            return;
        }
        let under = match self.trimmed(opening) {
            Some(opening) => self.cut.push_head(opening, head),
            None => head,
        };
        self.level(inner, under, depth + 1);
        if let Some(closing) = self.trimmed(closing) {
            self.cut.push(closing, under);
        }
    }

    /// A section of a flat file: whole, or its first line above the others.
    fn section(&mut self, lines: &[Span]) {
        let Some(whole) = self.trimmed(lines) else { return };
        match lines.split_first() {
            Some((first, rest)) if self.is_large(lines, whole, 0) && !rest.is_empty() => {
                let head = self.cut.push_head(*first, NONE);
                self.by_line(rest, head);
            }
            _ => {
                self.cut.push(whole, NONE);
            }
        }
    }

    /// Lines as units; a line that is itself too large is cut before its tags, if it has any.
    fn by_line(&mut self, lines: &[Span], head: u32) {
        for line in lines.iter().filter(|line| !is_blank(line.of(self.text))) {
            if !self.is_large(&[], *line, 0) {
                self.cut.push(*line, head);
                continue;
            }
            let mut start = line.start;
            for at in memchr::memchr_iter(b'<', line.of(self.text).as_bytes()) {
                let at = line.start.saturating_add(text::offset(at));
                let tag = Span { start: at, end: line.end }.of(self.text);
                if at > start && opens_paragraph(tag) {
                    self.cut.push(Span { start, end: at }, head);
                    start = at;
                }
            }
            self.cut.push(Span { start, end: line.end }, head);
        }
    }

    /// The lines without the blank ones around them.
    fn trimmed(&self, lines: &[Span]) -> Option<Span> {
        let mut solid = lines.iter().filter(|line| !is_blank(line.of(self.text)));
        let first = *solid.next()?;
        Some(first.join(solid.next_back().copied().unwrap_or(first)))
    }
}

/// Whether a line ends the block above it or goes on with it.
fn is_closing(line: &str) -> bool {
    let line = line.trim_ascii();
    const WORDS: &[&str] = &[
        "end", "else", "elif", "elsif", "except", "finally", "catch", "fi", "done", "esac", "then",
        "do",
    ];
    line.starts_with(['}', ')', ']', '{']) || line.starts_with("</") || {
        let word = line.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
        WORDS.contains(&word)
    }
}

/// Whether markup begins with a tag that browsers set on its own line.
fn opens_paragraph(markup: &str) -> bool {
    let name = markup.get(1..).unwrap_or_default();
    let name = name.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    detect::is_html_block(name)
}
