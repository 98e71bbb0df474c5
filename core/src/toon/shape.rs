//! Which arrays and objects are tables: rows of one key set, columns of primitives or of objects that are tables again.

use crate::json::{JsonKind, Node, Tape};
use crate::order;
use crate::prelude::*;

/// The fields of a table at one level, in the order of its first row.
#[derive(Debug)]
pub(super) struct Fields {
    /// Their keys: node indices in the first row.
    pub(super) keys: Vec<u32>,
    /// The nested groups among them: position in `keys`, and the group's own fields.
    pub(super) groups: Vec<(u32, Fields)>,
    /// Positions in `keys` sorted by key, for rows that have another order; empty when no row has.
    sorted: Vec<u32>,
}

impl Fields {
    /// Whether every row, at every level, has its keys in the header's order.
    pub(super) fn is_ordered(&self) -> bool {
        self.sorted.is_empty() && self.groups.iter().all(|(_, fields)| fields.is_ordered())
    }

    /// The group at a position in `keys`; `None` for a leaf.
    pub(super) fn group(&self, column: u32) -> Option<&Fields> {
        let at = self.groups.binary_search_by_key(&column, |(c, _)| *c).ok()?;
        self.groups.get(at).map(|(_, fields)| fields)
    }

    /// The values of `row` in the order of these fields, as node indices.
    pub(super) fn in_order(&self, tape: &Tape<'_>, row: u32, values: &mut Vec<u32>) {
        let from = values.len();
        let mut members = Members::of(tape, row);
        for key in &self.keys {
            match members.next() {
                Some((k, value)) if same_key(tape, k, *key) => values.push(value),
                _ => break,
            }
        }
        if values.len() - from == self.keys.len() {
            return;
        }
        values.truncate(from);
        values.resize(from + self.keys.len(), 0);
        for (key, value) in Members::of(tape, row) {
            let slot =
                self.column(tape, key).and_then(|column| values.get_mut(from + column as usize));
            if let Some(slot) = slot {
                *slot = value;
            }
        }
    }

    /// The position of the field that says what the node `key` says.
    fn column(&self, tape: &Tape<'_>, key: u32) -> Option<u32> {
        let said = says(tape, key);
        let key_of = |column: &u32| self.keys.get(*column as usize).copied().unwrap_or_default();
        let at =
            self.sorted.binary_search_by(|column| says(tape, key_of(column)).cmp(&said)).ok()?;
        self.sorted.get(at).copied()
    }

    fn sort(&mut self, tape: &Tape<'_>) {
        if self.sorted.is_empty() {
            let mut sorted: Vec<(Cow<'_, str>, u32)> =
                self.keys.iter().map(|&k| says(tape, k)).zip(0..).collect();
            order::sort_by(&mut sorted, Ord::cmp);
            self.sorted = sorted.into_iter().map(|(_, column)| column).collect();
        }
    }
}

/// The fields of the table that the objects `rows` make; `None` when they make none, or one with groups more than
/// `depth` deep. Rows are compared level by level, so that what is walked in vain is no larger than what fails.
pub(super) fn fields(tape: &Tape<'_>, rows: &[u32], depth: usize) -> Option<Fields> {
    let (first, others) = rows.split_first()?;
    let n_columns = node(tape, *first).len();
    if n_columns == 0 || depth == 0 {
        return None;
    }
    let mut fields = Fields {
        keys: Vec::with_capacity(n_columns as usize),
        groups: Vec::new(),
        sorted: Vec::new(),
    };
    let mut inner: Vec<(u32, Vec<u32>)> = Vec::new();
    for (column, (key, value)) in (0..).zip(Members::of(tape, *first)) {
        fields.keys.push(key);
        match shape(tape, value) {
            Shape::Leaf => {}
            Shape::Group => inner.push((column, vec![value])),
            Shape::Other => return None,
        }
    }
    let mut seen: Vec<u32> = Vec::new();
    for (ordinal, &row) in (1..).zip(others) {
        if node(tape, row).len() != n_columns {
            return None;
        }
        let mut groups = inner.iter_mut();
        let mut group = groups.next();
        let mut members = (0..).zip(Members::of(tape, row));
        let mut odd = None;
        for (column, (key, value)) in members.by_ref() {
            if !same_key(tape, key, fields.keys.get(column as usize).copied().unwrap_or_default()) {
                odd = Some((column, (key, value)));
                break;
            }
            match (shape(tape, value), &mut group) {
                (Shape::Group, Some((c, values))) if *c == column => {
                    values.push(value);
                    group = groups.next();
                }
                (Shape::Leaf, g) if g.as_ref().is_none_or(|(c, _)| *c != column) => {}
                _ => return None,
            }
        }
        let Some((n_same, odd)) = odd else { continue };
        // From here on the row has another order: each further key must be one that has not been seen.
        fields.sort(tape);
        seen.resize(n_columns as usize, 0);
        seen.iter_mut().take(n_same as usize).for_each(|s| *s = ordinal);
        for (key, value) in core::iter::once(odd).chain(members.map(|(_, member)| member)) {
            let column = fields.column(tape, key)?;
            let slot = seen.get_mut(column as usize)?;
            if *slot == ordinal {
                return None;
            }
            *slot = ordinal;
            match (shape(tape, value), inner.binary_search_by_key(&column, |(c, _)| *c)) {
                (Shape::Group, Ok(at)) => inner.get_mut(at)?.1.push(value),
                (Shape::Leaf, Err(_)) => {}
                _ => return None,
            }
        }
    }
    for (column, values) in inner {
        fields.groups.push((column, self::fields(tape, &values, depth - 1)?));
    }
    Some(fields)
}

enum Shape {
    Leaf,
    Group,
    Other,
}

/// What a value can be in a column.
#[inline(always)]
fn shape(tape: &Tape<'_>, value: u32) -> Shape {
    let node = node(tape, value);
    match node.kind() {
        JsonKind::Object if node.is_empty() => Shape::Other,
        JsonKind::Object => Shape::Group,
        JsonKind::Array => Shape::Other,
        _ => Shape::Leaf,
    }
}

#[inline(always)]
fn node(tape: &Tape<'_>, at: u32) -> Node {
    tape.node(at).unwrap_or(Node::NULL)
}

/// Whether two key nodes say the same.
#[inline(always)]
fn same_key(tape: &Tape<'_>, a: u32, b: u32) -> bool {
    let (node_a, node_b) = (node(tape, a), node(tape, b));
    let bytes = tape.text.as_bytes();
    let same = bytes.get(node_a.span().range()) == bytes.get(node_b.span().range());
    same || ((node_a.is_escaped() || node_b.is_escaped()) && says(tape, a) == says(tape, b))
}

/// What a key node says; its text when it says nothing that can be written.
fn says<'t>(tape: &'t Tape<'_>, at: u32) -> Cow<'t, str> {
    let Some(value) = tape.value(at) else { return Cow::Borrowed("") };
    value.as_str().unwrap_or(Cow::Borrowed(value.text()))
}

/// The (key, value) node indices of an object.
struct Members<'t> {
    tape: &'t Tape<'t>,
    at: u32,
    end: u32,
}

impl<'t> Members<'t> {
    #[inline(always)]
    fn of(tape: &'t Tape<'_>, object: u32) -> Self {
        Members { tape, at: object + 1, end: node(tape, object).next() }
    }
}

impl Iterator for Members<'_> {
    type Item = (u32, u32);

    #[inline(always)]
    fn next(&mut self) -> Option<(u32, u32)> {
        if self.at >= self.end {
            return None;
        }
        let key = self.at;
        self.at = self.tape.node(key + 1)?.next();
        Some((key, key + 1))
    }
}
