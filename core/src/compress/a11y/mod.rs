//! Accessibility snapshots, as browser tools give them to agents: Playwright's outline, Chrome's tree.
//!
//! ```text
//! - list [ref=e9]:                               - list [ref=e9]:
//!   - listitem [ref=e10]:                          - listitem [ref=e10]:
//!     - link "Row 1" [ref=e11] [cursor=pointer]      - link "Row 1" [ref=e11]
//!     - text: one of many                    ->      - text: one of many
//!   …                                              [caveman: 57 rows elided: lines 5-175; …]
//!                                                  link "Row 2" [ref=e14], link "Row 3" [ref=e17], …
//! ```
//! Keeps: roles, names, states and references of nodes that can be used, those of elided rows in one line; headings, text.
//! Recodes without loss: `[cursor=pointer]`, which every link has, is left out.
//! Elides: rows of one form among many; nodes without a name that only hold others.
//! Declines: text that is no snapshot.

use super::{Compressor, Proposals, Units};
use crate::draft::{Draft, Piece};
use crate::elide::mask;
use crate::elide::{self, CellKind, Focus, MARKER_OPEN, Segment, Sheet, Style, signal};
use crate::kind::Kind;
use crate::prelude::*;
use crate::text::{Span, lines, offset, trim_eol};

/// The compressor of accessibility snapshots.
#[derive(Debug)]
pub(super) struct A11y;

/// Fewer siblings of one form stay. Our choice.
const MIN_ROWS: usize = 6;
/// Rows in kept rows …: no deeper than this, so that the work stays linear in the payload.
const MAX_NESTING: usize = 4;
/// So many nodes make a snapshot. Our choice.
const MIN_NODES: usize = 8;

/// Roles of nodes that can be used.
const USABLE: &[&str] = &[
    "button",
    "checkbox",
    "combobox",
    "gridcell",
    "link",
    "listbox",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "option",
    "radio",
    "searchbox",
    "slider",
    "spinbutton",
    "switch",
    "tab",
    "textbox",
    "treeitem",
    "textarea",
    "input",
    "select",
    "iframe",
];
/// Roles of nodes that only hold others.
const HOLDERS: &[&str] = &[
    "generic",
    "none",
    "presentation",
    "group",
    "ignored",
    "GenericContainer",
    "paragraph",
    "Section",
];

impl Compressor for A11y {
    fn kind(&self) -> Kind {
        Kind::A11y
    }

    fn compress(&self, text: &str, focus: &Focus) -> Proposals {
        // A tree as JSON is a document like any other.
        if text.trim_start().starts_with(['{', '[']) {
            return super::of(Kind::Json).map(|c| c.compress(text, focus)).unwrap_or_default();
        }
        proposals(text, focus).unwrap_or_default()
    }

    fn units(&self, _text: &str) -> Option<Units> {
        None
    }
}

/// The proposals for a text that shows by its references that it is a snapshot; `None` when it is none.
pub(super) fn snapshot(text: &str, focus: &Focus) -> Option<Proposals> {
    is_snapshot(text).then(|| proposals(text, focus)).flatten()
}

/// Whether references of a snapshot stand in the first lines of a text.
pub(super) fn is_snapshot(text: &str) -> bool {
    let head = text.as_bytes().get(..text.len().min(2048)).unwrap_or_default();
    memchr::memmem::find(head, b" [ref=").is_some() || head.starts_with(b"uid=")
}

fn proposals(text: &str, focus: &Focus) -> Option<Proposals> {
    let nodes = read(text)?;
    let mut writer = Writer {
        text,
        nodes: &nodes,
        focus,
        draft: Draft::new("elide", "nodes", nodes.len()),
        n_holders: 0,
        first_holder: None,
    };
    writer.copy(0, nodes.len(), Span::new(0, text.len()), 0);
    writer.tell_holders();
    let draft = writer.draft;
    Some(if draft.is_lossless() {
        Proposals { lossless: Some(draft), elided: None }
    } else {
        Proposals { lossless: None, elided: Some(draft) }
    })
}

/// One node: a line of the snapshot.
#[derive(Clone, Copy, Debug)]
struct Node<'t> {
    line: Span,
    /// What stands behind `- `, without colon and line end.
    body: &'t str,
    role: &'t str,
    indent: usize,
    /// The index of the first node that it does not hold.
    next: usize,
}

/// The nodes of a text, in order. `None` when most of its lines are none, or none has a reference.
fn read(text: &str) -> Option<Vec<Node<'_>>> {
    let (mut nodes, mut n_lines, mut n_references) = (Vec::new(), 0, 0);
    for line in lines(text) {
        let content = trim_eol(line.of(text));
        if content.trim().is_empty() {
            continue;
        }
        n_lines += 1;
        let body = content.trim_start_matches(' ');
        let indent = content.len() - body.len();
        let Some((body, role)) = node(body) else { continue };
        n_references += usize::from(reference(body).is_some());
        nodes.push(Node { line, body, role, indent, next: usize::MAX });
    }
    if nodes.len() < MIN_NODES || nodes.len() * 10 < n_lines * 9 || n_references * 4 < nodes.len() {
        return None;
    }
    // Who holds whom is told by indentation.
    let mut open: Vec<usize> = Vec::new();
    for at in 0..nodes.len() {
        let indent = nodes.get(at).map_or(0, |node| node.indent);
        while let Some(last) = open.last().copied()
            && nodes.get(last).is_some_and(|node| node.indent >= indent)
        {
            open.pop();
            if let Some(node) = nodes.get_mut(last) {
                node.next = at;
            }
        }
        open.push(at);
    }
    let n = nodes.len();
    nodes.iter_mut().for_each(|node| node.next = node.next.min(n));
    Some(nodes)
}

/// A line's node as body and role: `- button "Save" [ref=e12]`, `uid=1_3 link "Home" url="/"`, `[12] button "Save"`.
fn node(body: &str) -> Option<(&str, &str)> {
    let is_word =
        |role: &str| !role.is_empty() && role.bytes().all(|b| b.is_ascii_alphabetic() || b == b'-');
    if let Some(item) = body.strip_prefix("- ") {
        let item = item.strip_suffix(':').unwrap_or(item).trim_matches('\'');
        let role = item.split([' ', ':']).next()?;
        return (is_word(role) || item.starts_with('/')).then_some((item, role));
    }
    let rest = match body.strip_prefix("uid=") {
        Some(rest) => rest.split_once(' ')?.1,
        None => body.strip_prefix('[')?.split_once("] ")?.1,
    };
    let role = rest.split(' ').next()?;
    is_word(role).then_some((body, role))
}

/// What an agent calls the node by: `[ref=e12]`, `uid=1_3`, `[12]`.
fn reference(body: &str) -> Option<&str> {
    if let Some((_, rest)) = body.split_once("[ref=") {
        return rest.split_once(']').map(|(id, _)| id);
    }
    let first = body.split(' ').next()?;
    let is_number = |id: &str| !id.is_empty() && id.bytes().all(|b| b.is_ascii_digit());
    first
        .strip_prefix("uid=")
        .or_else(|| first.strip_prefix('[')?.strip_suffix(']').filter(|id| is_number(id)))
}

impl Node<'_> {
    fn is_usable(&self) -> bool {
        USABLE.contains(&self.role)
    }

    /// Holds others, has no name, no text and no state.
    fn is_holder(&self) -> bool {
        let rest = self.body.strip_prefix(self.role).unwrap_or(self.body).trim();
        let rest = rest.strip_suffix(" [cursor=pointer]").unwrap_or(rest);
        HOLDERS.contains(&self.role)
            && (rest.is_empty()
                || rest.starts_with("[ref=") && rest.ends_with(']') && !rest.contains(' '))
    }
}

struct Writer<'a> {
    text: &'a str,
    nodes: &'a [Node<'a>],
    focus: &'a Focus,
    draft: Draft,
    n_holders: u32,
    /// Where the first line of a holder was left out: its piece, and the line.
    first_holder: Option<(usize, Span)>,
}

impl Writer<'_> {
    /// Copies `span`, which is that of the nodes `from..to`, rows of one form elided.
    fn copy(&mut self, from: usize, to: usize, span: Span, nesting: usize) {
        let mut at = from;
        let mut copied = span.start;
        while at < to {
            let Some(node) = self.nodes.get(at) else { break };
            self.draft.keep(Span { start: copied, end: node.line.start });
            self.line(node);
            copied = node.line.end;
            let mut next = at + 1;
            if nesting < MAX_NESTING {
                for family in self.families(at, node.next) {
                    let segments = self.segments(&family);
                    let goes = segments.iter().any(|s| matches!(s, Segment::Elide { .. }));
                    let (Some(first), Some(last)) = (family.first(), family.last()) else {
                        continue;
                    };
                    if !goes || *first < next {
                        continue;
                    }
                    let start = self.span(*first).start;
                    self.copy(next, *first, Span { start: copied, end: start }, nesting);
                    self.write(&family, &segments, nesting);
                    copied = self.span(*last).end;
                    next = self.nodes.get(*last).map_or(to, |node| node.next);
                }
            }
            at = next;
        }
        self.draft.keep(Span { start: copied, end: span.end });
    }

    /// One line as it stands, what every link has left out; nothing of a holder, unless it was asked for.
    fn line(&mut self, node: &Node<'_>) {
        let line = node.line;
        let is_asked = self.focus.is_in(line.of(self.text));
        if node.is_holder() && !is_asked {
            self.n_holders += 1;
            self.first_holder.get_or_insert((self.draft.pieces.len(), line));
            self.draft.pieces.push(Piece::Recoded { of: line, text: String::new() });
            return;
        }
        const POINTER: &str = " [cursor=pointer]";
        match line.of(self.text).find(POINTER) {
            Some(at) if node.is_usable() => {
                let (from, to) = (line.start + offset(at), line.start + offset(at + POINTER.len()));
                self.draft.keep(Span { start: line.start, end: from });
                self.draft.pieces.push(Piece::Recoded {
                    of: Span { start: from, end: to },
                    text: String::new(),
                });
                self.draft.keep(Span { start: to, end: line.end });
            }
            _ => self.draft.keep(line),
        }
    }

    /// Says how many holders were left out, where the first of them stood.
    fn tell_holders(&mut self) {
        let Some((piece, of)) = self.first_holder else { return };
        let indentation = " ".repeat(of.of(self.text).len() - of.of(self.text).trim_start().len());
        let (n_units, what) = match self.n_holders {
            1 => (1, "node without a name elided: it holds what follows".to_owned()),
            n => (n, "nodes without a name elided here and below: they hold others".to_owned()),
        };
        let text = format!("{indentation}{MARKER_OPEN}{n_units} {what}]\n");
        if let Some(slot) = self.draft.pieces.get_mut(piece) {
            *slot = Piece::Marker { of, n_units, text };
        }
    }

    /// Runs of children with one role, long enough that some may go.
    fn families(&self, parent: usize, end: usize) -> Vec<Vec<usize>> {
        let mut out: Vec<Vec<usize>> = Vec::new();
        let mut at = parent + 1;
        let mut before = "";
        while at < end {
            let Some(node) = self.nodes.get(at) else { break };
            match out.last_mut() {
                Some(run) if before == node.role => run.push(at),
                _ => out.push(vec![at]),
            }
            before = node.role;
            at = node.next.max(at + 1);
        }
        out.retain(|run| run.len() >= MIN_ROWS);
        out
    }

    /// A node and all that it holds.
    fn span(&self, at: usize) -> Span {
        let Some(node) = self.nodes.get(at) else { return Span::default() };
        let end = self.nodes.get(node.next).map_or(offset(self.text.len()), |next| next.line.start);
        Span { start: node.line.start, end }
    }

    fn inside(&self, at: usize) -> &[Node<'_>] {
        let next = self.nodes.get(at).map_or(at, |node| node.next);
        self.nodes.get(at..next).unwrap_or_default()
    }

    fn segments(&self, family: &[usize]) -> Vec<Segment> {
        let mut sheet = Sheet::new(self.text, "rows");
        let roles = sheet.add_column("role");
        sheet.always_tell(roles);
        for at in family {
            let inside = self.inside(*at);
            let mut severity = elide::Severity::None;
            // States tell rows apart, names do not.
            let mut shape = 0;
            for node in inside {
                let states = node.body.split('[').skip(1).filter(|state| {
                    !["ref=", "cursor=", "level="].iter().any(|plain| state.starts_with(plain))
                });
                shape = mask::mix(shape, mask::hash(node.role));
                shape = states.fold(shape, |shape, state| mask::mix(shape, mask::hash(state)));
                severity = severity.max(signal::of_words(node.body));
            }
            sheet.add_unit(self.span(*at), shape, severity);
            if let Some(node) = self.nodes.get(*at) {
                let start = offset(node.line.of(self.text).find(node.role).unwrap_or(0));
                let start = node.line.start + start;
                let span = Span { start, end: start + offset(node.role.len()) };
                sheet.add_cell(roles, CellKind::Text, span);
            }
        }
        elide::segments(&sheet, self.focus, &Style::PLAIN)
    }

    fn write(&mut self, family: &[usize], segments: &[Segment], nesting: usize) {
        for segment in segments {
            let units = match segment {
                Segment::Keep { units } | Segment::Elide { units, .. } => units.clone(),
            };
            let rows = family.get(units).unwrap_or_default();
            let of = rows.iter().map(|at| self.span(*at)).reduce(Span::join).unwrap_or_default();
            let listed = match segment {
                Segment::Keep { .. } => None,
                Segment::Elide { marker, .. } => self.listed(rows, marker, of),
            };
            match listed {
                Some((n_units, text)) => {
                    self.draft.pieces.push(Piece::Marker { of, n_units, text });
                }
                None => {
                    for at in rows {
                        let next = self.nodes.get(*at).map_or(0, |node| node.next);
                        self.copy(*at, next, self.span(*at), nesting + 1);
                    }
                }
            }
        }
    }

    /// The marker of rows that go, with the nodes of theirs that can be used; `None` where that does not pay.
    fn listed(&self, rows: &[usize], marker: &str, of: Span) -> Option<(u32, String)> {
        let first = self.nodes.get(*rows.first()?)?;
        let n: usize = rows.iter().map(|at| self.inside(*at).len()).sum();
        let indentation = " ".repeat(first.indent);
        let usable: Vec<String> = rows
            .iter()
            .flat_map(|at| self.inside(*at))
            .filter(|node| node.is_usable())
            .map(|node| node.body.replace(" [cursor=pointer]", ""))
            .collect();
        let mut text = format!("{indentation}{marker}");
        if !usable.is_empty() {
            text.push_str(&format!("{indentation}{}\n", usable.join(", ")));
        }
        (text.len() * 4 <= of.len() * 3).then_some((offset(n), text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compressed(text: &str) -> String {
        let Proposals { lossless, elided } = A11y.compress(text, &Focus::default());
        elided.or(lossless).map(|draft| draft.render(text)).unwrap_or_default()
    }

    fn page(row: impl Fn(usize) -> String) -> String {
        let rows: String = (0..60).map(row).collect();
        format!(
            "- generic [ref=e1]:\n  - heading \"Orders, é\" [level=1] [ref=e2]\n  - list [ref=e3]:\n{rows}  - button \"Next\" [ref=e999] [cursor=pointer]\n"
        )
    }

    #[test]
    fn references_and_names_of_all_that_can_be_used_stay() {
        let row = |n: usize| {
            let state = if n == 33 { " [disabled]" } else { "" };
            format!(
                "    - listitem [ref=r{n}]:\n      - generic [ref=g{n}]:\n        - link \"Order {n}\"{state} [ref=l{n}] [cursor=pointer]:\n          - /url: /orders/{n}\n        - text: paid by card and sent on Monday\n"
            )
        };
        let text = page(row);
        let out = compressed(&text);
        assert!(out.len() * 2 < text.len(), "{out}");
        for n in 0..60 {
            assert!(
                out.contains(&format!("link \"Order {n}\""))
                    && out.contains(&format!("[ref=l{n}]")),
                "{n}: {out}"
            );
        }
        assert!(
            out.contains("[disabled]")
                && out.contains("heading \"Orders, é\"")
                && out.contains("button \"Next\" [ref=e999]\n"),
            "{out}"
        );
    }

    #[test]
    fn trees_of_chrome_are_read_too() {
        let row = |n: usize| {
            format!(
                "  uid=1_{n} row\n    uid=2_{n} StaticText \"one of many rows of this page\"\n    uid=3_{n} button \"Open {n}\"\n"
            )
        };
        let text: String = core::iter::once("uid=1_0 RootWebArea \"Page\"\n".to_owned())
            .chain((1..50).map(row))
            .collect();
        let out = compressed(&text);
        assert!(out.len() * 3 < text.len() * 2, "{out}");
        assert!((1..50).all(|n| out.contains(&format!("uid=3_{n} button \"Open {n}\""))), "{out}");
    }

    #[test]
    fn other_text_and_hostile_trees_come_back() {
        for text in ["", "- a\n- b\n", "{", "[", "- key: value\n- key: value\n"] {
            assert_eq!(compressed(text), "", "{text}");
        }
        let deep: String =
            (0..5_000).map(|n| format!("{}- generic [ref=e{n}]:\n", " ".repeat(n))).collect();
        compressed(&deep);
        let wide: String = (0..50_000).map(|n| format!("- link \"{n}\" [ref=e{n}]\n")).collect();
        compressed(&wide);
    }
}
