//! Units: the records of the outermost arrays that hold at least two objects, each whole.
//!
//! What stands outside of such arrays is a unit by member; a document without such an array is cut into members or elements
//! throughout. A container that is large is cut one level further down, its key being the head of what it holds; so is a
//! long string of several lines, such as the output of a command.

use crate::compress::Units;
use crate::json::{self, JsonKind, Tape, Value};
use crate::prelude::*;
use crate::text::{Span, offset};

/// Above this size in bytes a record is cut further: it would not fit into a view, at 3 bytes a token.
const MAX_RECORD: usize = 24 << 10;
/// The same for what is no record: a map of records is better cut than shown whole. Our choice.
const MAX_PLAIN: usize = 1 << 10;

/// A value that is still to be cut.
struct Todo {
    index: u32,
    /// Where its unit begins: at the key, for a member.
    start: u32,
    head: u32,
    is_record: bool,
}

/// See the module. `None` when the text is not JSON, with or without comments, or has fewer than two units.
pub(super) fn cut(text: &str) -> Option<Units> {
    let tape = json::read(text).or_else(|_| json::read_relaxed(text)).ok()?;
    let shapes = shapes(&tape);
    let mut units = Units { noun: "records", ..Units::default() };
    // The next one is the last.
    let mut todo = vec![Todo {
        index: 0,
        start: tape.root().span().start,
        head: Units::NO_HEAD,
        is_record: false,
    }];
    while let Some(Todo { index, start, mut head, is_record }) = todo.pop() {
        let Some(value) = tape.value(index) else { continue };
        let shape = shapes.get(index as usize).copied().unwrap_or_default();
        let span = Span { start, end: value.span().end };
        if value.kind() == JsonKind::String && value.span().len() > MAX_PLAIN {
            let cuts = line_ends(value);
            if cuts.len() > 1 {
                add_lines(text, start, value, head, &cuts, &mut units);
                continue;
            }
        }
        let max = if is_record { MAX_RECORD } else { MAX_PLAIN };
        let may_stay = index > 0 && (is_record || shape == Shape::Plain) && span.len() <= max;
        if value.is_empty() || may_stay {
            if !is_record {
                units.noun = "entries";
            }
            units.heads.push(head);
            units.spans.push(with_indentation(text, span));
            continue;
        }
        let open = value.span().start;
        if start < open {
            let above = core::mem::replace(&mut head, offset(units.spans.len()));
            units.heads.push(above);
            units.spans.push(with_indentation(text, Span { start, end: open.saturating_add(1) }));
        }
        let first = todo.len();
        let is_record = shape == Shape::Records;
        todo.extend(value.elements().map(|element| Todo {
            index: element.index(),
            start: element.span().start,
            head,
            is_record,
        }));
        todo.extend(value.members().map(|(key, value)| Todo {
            index: value.index(),
            start: key.span().start,
            head,
            is_record: false,
        }));
        if let Some(added) = todo.get_mut(first..) {
            added.reverse();
        }
    }
    (units.spans.len() >= 2).then_some(units)
}

/// Where the lines end that a string holds: behind each `\n` as it is written.
fn line_ends(value: Value<'_>) -> Vec<u32> {
    let span = value.span();
    let bytes = span.of(value.tape().text).as_bytes();
    let mut ends = Vec::new();
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\\', bytes.get(at..).unwrap_or_default()) {
        at += found + 2;
        if bytes.get(at - 1) == Some(&b'n') {
            ends.push(span.start + offset(at));
        }
    }
    ends
}

/// The lines of a string as units under its key, and its opening quote.
fn add_lines(text: &str, start: u32, value: Value<'_>, head: u32, cuts: &[u32], units: &mut Units) {
    units.noun = "lines";
    let inside = Span { start: value.span().start + 1, end: value.span().end };
    units.heads.push(head);
    units.spans.push(with_indentation(text, Span { start, end: inside.start }));
    let under = offset(units.spans.len() - 1);
    let mut from = inside.start;
    for end in cuts.iter().copied().chain([inside.end]) {
        if end > from {
            units.heads.push(under);
            units.spans.push(Span { start: from, end });
        }
        from = end;
    }
}

/// Where a value stands with respect to the arrays of records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Shape {
    /// No array of records in it.
    #[default]
    Plain,
    /// Holds an array of records further down.
    Above,
    /// Is one.
    Records,
}

/// The shape of every node, in one pass without recursion.
fn shapes(tape: &Tape<'_>) -> Vec<Shape> {
    struct Open {
        index: usize,
        next: u32,
        is_array: bool,
        n_objects: u32,
    }
    let mut shapes = vec![Shape::Plain; tape.n_nodes()];
    let mut open: Vec<Open> = Vec::new();
    let mut close = |open: &mut Vec<Open>| {
        let Some(done) = open.pop() else { return };
        let Some(shape) = shapes.get_mut(done.index) else { return };
        if done.is_array && done.n_objects >= 2 {
            *shape = Shape::Records;
        }
        if *shape != Shape::Plain
            && let Some(shape) = open.last().and_then(|above| shapes.get_mut(above.index))
        {
            *shape = Shape::Above;
        }
    };
    for (at, node) in (0_u32..).zip(tape.nodes()) {
        while open.last().is_some_and(|container| container.next <= at) {
            close(&mut open);
        }
        if node.kind() == JsonKind::Object
            && let Some(above) = open.last_mut()
        {
            above.n_objects += 1;
        }
        if matches!(node.kind(), JsonKind::Array | JsonKind::Object) {
            let is_array = node.kind() == JsonKind::Array;
            open.push(Open { index: at as usize, next: node.next(), is_array, n_objects: 0 });
        }
    }
    while !open.is_empty() {
        close(&mut open);
    }
    shapes
}

/// With the spaces before it where nothing else stands before it on its line.
fn with_indentation(text: &str, span: Span) -> Span {
    let head = text.as_bytes().get(..span.start as usize).unwrap_or_default();
    let spaces = head.iter().rev().take_while(|b| matches!(b, b' ' | b'\t')).count();
    let start = head.len() - spaces;
    let begins_line = start == 0 || head.get(start - 1) == Some(&b'\n');
    if begins_line { Span::new(start, span.end as usize) } else { span }
}
