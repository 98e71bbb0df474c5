//! The outline of a configuration: documents, sections, keys and items in source order, each with the lines that it spans.
//!
//! Read by lines and indentation. What needs a grammar (block scalars, flow values, texts of several lines) is an opaque
//! value of its key, so that a line that is not understood belongs to the block above it.

use crate::elide::mask;
use crate::prelude::*;
use crate::text::{Span, lines, offset, trim_eol};

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// A YAML document, or the whole of any other file.
    Document,
    /// `Package: curl` and the keys below it, up to the next `Package:`.
    Record,
    /// `[name]`, `[[name]]`.
    Section,
    /// `key: value`, `key = value`.
    Entry,
    /// `- value`.
    Item,
}

/// One node; those that it holds follow it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) sort: Sort,
    /// From the comments above it up to the next node.
    pub(super) start: u32,
    /// Where its own line begins, behind the comments.
    pub(super) line: u32,
    /// Whether it is a `[[section]]`: one of several of this name.
    pub(super) is_element: bool,
    /// Its name without quotes and brackets; empty for items and documents.
    pub(super) name: Span,
    /// Its value without quotes and comment; empty when it has none.
    pub(super) value: Span,
    /// Tells siblings apart that are not of one family.
    pub(super) family: u64,
    /// How many nodes are above it.
    pub(super) depth: u32,
    /// The index of the first node behind what it holds.
    pub(super) next: u32,
}

/// The nodes of a text, in order.
#[derive(Debug, Default)]
pub(super) struct Outline {
    pub(super) nodes: Vec<Node>,
}

impl Outline {
    /// The nodes that `index` holds directly.
    pub(super) fn children(&self, index: u32) -> impl Iterator<Item = (u32, &Node)> + '_ {
        let end = self.nodes.get(index as usize).map_or(0, |node| node.next);
        let mut at = index + 1;
        core::iter::from_fn(move || {
            let node = self.nodes.get(at as usize).filter(|_| at < end)?;
            let child = at;
            at = node.next.max(at + 1);
            Some((child, node))
        })
    }

    /// From the comments above a node to the end of what it holds.
    pub(super) fn span(&self, index: u32, text: &str) -> Span {
        let Some(node) = self.nodes.get(index as usize) else { return Span::default() };
        let end = self.nodes.get(node.next as usize).map_or(offset(text.len()), |n| n.start);
        Span { start: node.start, end }
    }
}

/// How deep an open node stands, as lines tell it.
#[derive(Clone, Copy)]
struct Open {
    index: u32,
    level: u32,
}

/// What the lines that follow belong to.
#[derive(Clone, Copy, Default)]
enum Inside {
    #[default]
    Nothing,
    /// A block scalar, whose lines stand further in than its key.
    Block { indent: usize },
    /// A text that ends with this mark.
    Text { end: &'static str },
    /// So many open brackets.
    Brackets { depth: usize },
}

struct Reader<'t> {
    text: &'t str,
    is_yaml: bool,
    nodes: Vec<Node>,
    open: Vec<Open>,
    inside: Inside,
    /// Where the comments and blank lines above the next node begin.
    pending: Option<u32>,
    /// The open document, and the key that it begins with.
    document: u32,
    first_key: Option<Span>,
}

/// Reads the outline of `text`.
pub(super) fn read(text: &str) -> Outline {
    let mut reader = Reader {
        text,
        is_yaml: is_yaml(text),
        nodes: Vec::new(),
        open: Vec::new(),
        inside: Inside::Nothing,
        pending: None,
        document: 0,
        first_key: None,
    };
    let nothing = Span::default();
    reader.push(Sort::Document, 0, 0, nothing, nothing, 0);
    for line in lines(text) {
        reader.line(line);
    }
    reader.close_to(0);
    Outline { nodes: reader.nodes }
}

/// Whether more lines have a colon behind their key than an equals sign.
fn is_yaml(text: &str) -> bool {
    let (mut n_colons, mut n_equals) = (0_usize, 0_usize);
    for line in text.lines().take(2000).map(str::trim_start) {
        let body = line.trim_start_matches("- ");
        let at = body.bytes().position(|b| matches!(b, b':' | b'=')).unwrap_or(0);
        match body.as_bytes().get(at) {
            Some(b':') if matches!(body.as_bytes().get(at + 1), None | Some(b' ')) => n_colons += 1,
            Some(b'=') => n_equals += 1,
            _ if line.starts_with("- ") => n_colons += 1,
            _ if line.starts_with('[') => n_equals += 1,
            _ => {}
        }
    }
    n_colons > n_equals
}

impl Reader<'_> {
    fn line(&mut self, line: Span) {
        let content = trim_eol(line.of(self.text));
        let body = content.trim_start();
        let indent = content.len() - body.len();
        match self.inside {
            Inside::Block { indent: key } if body.is_empty() || indent > key => return,
            Inside::Text { end } => {
                if body.contains(end) {
                    self.inside = Inside::Nothing;
                }
                return;
            }
            Inside::Brackets { depth } => {
                self.inside = inside_brackets(depth, body);
                return;
            }
            _ => self.inside = Inside::Nothing,
        }
        if body.is_empty() || body.starts_with('#') || !self.is_yaml && body.starts_with(';') {
            self.pending.get_or_insert(line.start);
            return;
        }
        let body =
            Span { start: line.start + offset(indent), end: line.start + offset(content.len()) };
        if self.is_yaml {
            self.yaml(line.start, body, indent)
        } else {
            self.assignment(line.start, body)
        }
        // What made no node belongs to the block above, comments included.
        self.pending = None;
    }

    fn yaml(&mut self, line: u32, body: Span, indent: usize) {
        let text = body.of(self.text);
        if text.starts_with("---") && indent == 0 {
            // The first document begins with the text.
            let is_first = self.nodes.len() == 1;
            if !is_first {
                self.document(Sort::Document, line);
            }
            return;
        }
        let level = offset(indent).saturating_mul(2).saturating_add(1);
        let mut rest = body;
        let mut indent = indent;
        if let Some(after) = text.strip_prefix('-').filter(|a| a.is_empty() || a.starts_with(' ')) {
            let content = after.trim_start();
            let skipped = text.len() - content.len();
            rest = Span { start: body.start + offset(skipped), end: body.end };
            indent += skipped;
            let is_scalar = split_key(content).is_none() && !content.starts_with('#');
            let value =
                if is_scalar { self.value(rest, indent - skipped) } else { Span::default() };
            self.push(Sort::Item, line, level + 1, Span::default(), value, 1);
            if is_scalar || content.is_empty() {
                return;
            }
        }
        if let Some((name, after)) = split_key(rest.of(self.text)) {
            let level = offset(indent).saturating_mul(2).saturating_add(1);
            let name =
                unquoted(self.text, Span { start: rest.start, end: rest.start + offset(name) });
            let value =
                self.value(Span { start: rest.start + offset(after), end: rest.end }, indent);
            if level == 1 && rest.start == body.start {
                self.begin_record(line, name);
            }
            // The first key of an item stands on the item's line.
            let line = if rest.start == body.start { line } else { rest.start };
            self.push(Sort::Entry, line, level, name, value, 2);
        }
    }

    fn document(&mut self, sort: Sort, line: u32) {
        self.document = offset(self.nodes.len());
        self.first_key = None;
        self.push(sort, line, 0, Span::default(), Span::default(), 0);
    }

    /// No mapping has a key twice: where the first key of a document stands again, the next record begins.
    fn begin_record(&mut self, line: u32, key: Span) {
        let Some(first) = self.first_key else {
            // What a list holds is no record.
            let is_first = self.nodes.len() == self.document as usize + 1;
            self.first_key = is_first.then_some(key);
            return;
        };
        if first.of(self.text) != key.of(self.text) {
            return;
        }
        if let Some(node) = self.nodes.get_mut(self.document as usize) {
            node.sort = Sort::Record;
        }
        self.document(Sort::Record, line);
        self.first_key = Some(key);
    }

    fn assignment(&mut self, line: u32, body: Span) {
        let text = body.of(self.text);
        if let Some(name) = section_name(text) {
            let start = body.start + offset(text.find(name).unwrap_or(0));
            let name_span = Span { start, end: start + offset(name.len()) };
            let family = match name.rsplit_once(['.', ':']) {
                _ if text.starts_with("[[") => mask::mix(3, mask::hash(name)),
                Some((above, _)) => mask::mix(4, mask::hash(above)),
                None => 4,
            };
            // A section stands below the open one whose name its own begins with.
            while let Some(open) = self.open.last().filter(|open| open.index > 0) {
                let above = self.nodes.get(open.index as usize).map(|n| n.name.of(self.text));
                let is_below = above.is_some_and(|above| {
                    open.level < u32::MAX
                        && name.strip_prefix(above).is_some_and(|rest| rest.starts_with('.'))
                });
                if is_below {
                    break;
                }
                self.close_last();
            }
            let level = offset(self.open.len());
            self.push(Sort::Section, line, level, name_span, Span::default(), family);
        } else if let Some((key, value)) = text.split_once('=') {
            let name = Span { start: body.start, end: body.start + offset(key.trim_end().len()) };
            let from = body.end - offset(value.len());
            let value = self.value(Span { start: from, end: body.end }, 0);
            self.push(Sort::Entry, line, u32::MAX, name, value, 2);
        }
    }

    /// A value without quotes and comment; notes what it opens for the lines below.
    fn value(&mut self, span: Span, indent: usize) -> Span {
        let whole = span.of(self.text);
        let lead = whole.len() - whole.trim_start().len();
        let mut value = whole.trim();
        let first = value.as_bytes().first().copied().unwrap_or(0);
        if self.is_yaml {
            let last = value.split(' ').next_back().unwrap_or_default();
            if last.starts_with(['|', '>']) && last.len() <= 3 {
                self.inside = Inside::Block { indent };
            } else if matches!(first, b'"' | b'\'') {
                let end = if first == b'"' { "\"" } else { "'" };
                if !value.get(1..).is_some_and(|rest| rest.contains(end)) {
                    self.inside = Inside::Text { end };
                }
            } else if matches!(first, b'[' | b'{') {
                self.inside = inside_brackets(0, value);
            }
        } else if let Some(end) = ["\"\"\"", "'''"].into_iter().find(|q| value.starts_with(q)) {
            if !value.get(3..).is_some_and(|rest| rest.contains(end)) {
                self.inside = Inside::Text { end };
            }
        } else if matches!(first, b'[' | b'{') {
            self.inside = inside_brackets(0, value);
        }
        if matches!(first, b'#') {
            value = "";
        } else if !matches!(first, b'"' | b'\'')
            && let Some((before, _)) = value.split_once(" #")
        {
            value = before.trim_end();
        }
        let start = span.start + offset(lead);
        unquoted(self.text, Span { start, end: start + offset(value.len()) })
    }

    fn push(&mut self, sort: Sort, line: u32, level: u32, name: Span, value: Span, family: u64) {
        self.close_to(level);
        let start = self.pending.take().unwrap_or(line).min(line);
        let depth = offset(self.open.len());
        let is_element = sort == Sort::Section
            && self.text.get(line as usize..).is_some_and(|t| t.trim_start().starts_with("[["));
        let index = offset(self.nodes.len());
        self.nodes.push(Node {
            sort,
            start,
            line,
            is_element,
            name,
            value,
            family,
            depth,
            next: index + 1,
        });
        self.open.push(Open { index, level });
    }

    fn close_to(&mut self, level: u32) {
        while self.open.last().is_some_and(|open| open.level >= level) {
            self.close_last();
        }
    }

    fn close_last(&mut self) {
        let next = offset(self.nodes.len());
        if let Some(open) = self.open.pop()
            && let Some(node) = self.nodes.get_mut(open.index as usize)
        {
            node.next = next;
        }
    }
}

/// Opened minus closed brackets outside of quotes, on top of `depth`.
fn inside_brackets(mut depth: usize, line: &str) -> Inside {
    let (mut quote, mut is_escaped) = (0, false);
    for b in line.bytes() {
        match b {
            _ if is_escaped => is_escaped = false,
            b'\\' if quote == b'"' => is_escaped = true,
            b'#' if quote == 0 => break,
            b'"' | b'\'' if quote == 0 => quote = b,
            _ if b == quote => quote = 0,
            b'[' | b'{' if quote == 0 => depth += 1,
            b']' | b'}' if quote == 0 => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    if depth > 0 { Inside::Brackets { depth } } else { Inside::Nothing }
}

/// `key: …`: the length of the key, and the offset behind its colon.
pub(super) fn split_key(text: &str) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let quote = *bytes.first()?;
    let from = match quote {
        b'"' | b'\'' => 2 + memchr::memchr(quote, bytes.get(1..)?)?,
        b'[' | b'{' | b'|' | b'>' | b'#' | b'?' | b':' => return None,
        _ => 0,
    };
    // Keys are short: a colon further on belongs to a text.
    let head = bytes.get(from..bytes.len().min(from + 200))?;
    let colon = memchr::memchr_iter(b':', head)
        .map(|at| from + at)
        .find(|at| matches!(bytes.get(at + 1), None | Some(b' ' | b'\t')))?;
    (from == 0 || colon == from).then_some((colon, colon + 1))
}

/// The name of `[name]` and `[[name]]`.
fn section_name(body: &str) -> Option<&str> {
    let inner = body.strip_prefix('[')?;
    let inner = inner.strip_prefix('[').unwrap_or(inner);
    let (name, after) = inner.split_once(']')?;
    let after = after.strip_prefix(']').unwrap_or(after).trim_start();
    let name = name.trim();
    (!name.is_empty() && (after.is_empty() || after.starts_with(['#', ';']))).then_some(name)
}

/// Without the quotes around it.
fn unquoted(text: &str, span: Span) -> Span {
    let bytes = span.of(text).as_bytes();
    match (bytes.first(), bytes.last()) {
        (Some(a @ (b'"' | b'\'')), Some(b)) if a == b && bytes.len() >= 2 => {
            Span { start: span.start + 1, end: span.end - 1 }
        }
        _ => span,
    }
}
