//! Records: structured values as units of a sheet, their leaves as fields named by path (`customer.region`,
//! `items[].sku`). Serves JSON, and the blocks of configuration.

use crate::elide::mask::{self, HashedMap};
use crate::elide::signal::{self, FieldRole};
use crate::elide::{CellKind, Severity, Sheet};
use crate::json::{JsonKind, Value};
use crate::prelude::*;
use crate::text::{Span, offset};

/// Leaves deeper than this are not told apart: they belong to the field at this depth. Our choice.
const MAX_DEPTH: usize = 12;
/// Longer strings are no enumeration and no message; their shape is not looked at. Our choice.
const MAX_MESSAGE_BYTES: usize = 4096;

/// Turns values into units: keeps the columns of a sheet by path.
#[derive(Debug, Default)]
pub(crate) struct Records {
    columns: HashedMap<u32>,
    /// For each column: what its name means, and the unit that held it last.
    known: Vec<Column>,
    structures: Vec<u64>,
    found: Found,
}

#[derive(Clone, Copy, Debug)]
struct Column {
    role: FieldRole,
    last_unit: u32,
}

/// Where a leaf stands in its record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Path<'p> {
    /// Tells it from other places.
    pub(crate) hash: u64,
    /// The names above it, outermost first.
    pub(crate) above: &'p [&'p str],
    /// Its own name; `[]` for the elements of a list.
    pub(crate) name: &'p str,
}

/// What is found out of the record that is open.
#[derive(Debug, Default)]
struct Found {
    structure: u64,
    message: u64,
    has_message: bool,
    /// What a level field states, if there is one.
    stated: Option<Severity>,
    /// What the words of states and messages say.
    spoken: Severity,
    /// What error fields say.
    error: Severity,
}

impl Records {
    /// Adds `value` as the next unit. `key`, for members of an object that serves as a map: the span between the quotes.
    pub(crate) fn add(
        &mut self,
        sheet: &mut Sheet<'_>,
        span: Span,
        key: Option<Span>,
        value: Value<'_>,
    ) {
        self.begin(sheet, span);
        if let Some(key) = key {
            self.key(sheet, key);
        }
        self.walk(sheet, value);
        self.end(sheet);
    }

    /// Opens the next unit; leaves that follow belong to it.
    pub(crate) fn begin(&mut self, sheet: &mut Sheet<'_>, span: Span) {
        sheet.add_unit(span, 0, Severity::None);
        self.found = Found::default();
    }

    /// Names the open unit: the key of a map.
    pub(crate) fn key(&mut self, sheet: &mut Sheet<'_>, key: Span) {
        let column = self.column(sheet, 1, || String::from("key"));
        sheet.add_cell(column, CellKind::Text, key);
    }

    /// Mixes what a text says into the shape of the open unit: a unit that says something new is new content.
    pub(crate) fn remark(&mut self, text: &str) {
        self.found.note(text);
    }

    /// Closes the open unit.
    pub(crate) fn end(&mut self, sheet: &mut Sheet<'_>) {
        let found = core::mem::take(&mut self.found);
        let severity = found.stated.unwrap_or(found.spoken).max(found.error);
        sheet.raise(severity);
        sheet.reshape(if found.has_message {
            mask::mix(found.structure, found.message)
        } else {
            found.structure
        });
        self.structures.push(found.structure);
    }

    /// Adds a line that is no JSON as the next unit.
    pub(crate) fn add_line(&mut self, sheet: &mut Sheet<'_>, span: Span) {
        let line = span.of(sheet.text);
        sheet.add_unit(span, mask::shape(line), signal::of_words(line));
        self.structures.push(1);
    }

    /// Settles the shapes: when messages tell most units apart they are prose, and only signals keep them in their shape;
    /// when even structures do, optional fields are at work, and rare fields speak for themselves.
    pub(crate) fn settle(&self, sheet: &mut Sheet<'_>) {
        let n = sheet.len();
        let shapes: Vec<u64> = sheet.units().iter().map(|unit| unit.shape).collect();
        if n_distinct(shapes.iter().copied()) <= 8.max(n / 3) {
            return;
        }
        let too_many = n_distinct(self.structures.iter().copied()) > 8.max(n / 6);
        let settled: Vec<(u64, u64)> = sheet
            .units()
            .iter()
            .zip(&self.structures)
            .map(|(unit, structure)| match (unit.severity > Severity::None, too_many) {
                (true, _) => unit.shape,
                (false, true) => 0,
                (false, false) => *structure,
            })
            .map(|shape| (shape, shape))
            .collect();
        sheet.set_shapes(&settled);
    }

    fn column(&mut self, sheet: &mut Sheet<'_>, path: u64, name: impl FnOnce() -> String) -> u32 {
        let known = &mut self.known;
        *self.columns.entry(path).or_insert_with(|| {
            let name = name();
            known.push(Column { role: FieldRole::of(&name), last_unit: u32::MAX });
            sheet.add_column(&name)
        })
    }

    /// Visits the leaves of `value` in document order, without recursion.
    fn walk(&mut self, sheet: &mut Sheet<'_>, value: Value<'_>) {
        let tape = value.tape();
        // Open containers: the node after each, the hash of its path, whether it is an object.
        let mut open: Vec<(u32, u64, bool)> = Vec::new();
        let mut path: Vec<&str> = Vec::new();
        let mut at = value.index();
        let end = value.node().next();
        while at < end {
            while open.last().is_some_and(|(next, _, _)| at >= *next) {
                open.pop();
                path.truncate(open.len());
            }
            let (mut hash, mut name) = (0, "");
            if let Some((_, parent, is_object)) = open.last().copied() {
                if is_object {
                    name = tape.value(at).map(|key| inside(key.text())).unwrap_or_default();
                    at += 1;
                    hash = mask::mix(parent, mask::hash(name));
                } else {
                    name = "[]";
                    hash = mask::mix(parent, 2);
                }
            }
            let Some(node) = tape.node(at) else { break };
            let is_container = matches!(node.kind(), JsonKind::Array | JsonKind::Object);
            if is_container && !node.is_empty() && open.len() < MAX_DEPTH {
                path.truncate(open.len().saturating_sub(1));
                if !open.is_empty() {
                    path.push(name);
                }
                open.push((node.next(), hash, node.kind() == JsonKind::Object));
                at += 1;
                continue;
            }
            path.truncate(open.len().saturating_sub(1));
            let span = node.span();
            let (kind, span) = match node.kind() {
                JsonKind::Null => (CellKind::Null, span),
                JsonKind::Bool => (CellKind::Bool, span),
                JsonKind::Number => (CellKind::Number, span),
                JsonKind::String => {
                    (CellKind::Text, Span { start: span.start + 1, end: span.end - 1 })
                }
                JsonKind::Array | JsonKind::Object => (CellKind::Text, span),
            };
            self.leaf(sheet, Path { hash, above: &path, name }, kind, span);
            at = node.next();
        }
    }

    /// Adds a value to the open unit.
    pub(crate) fn leaf(
        &mut self,
        sheet: &mut Sheet<'_>,
        path: Path<'_>,
        cell: CellKind,
        span: Span,
    ) {
        let column = self.column(sheet, path.hash, || joined(path.above, path.name));
        let Some(known) = self.known.get_mut(column as usize) else { return };
        let found = &mut self.found;
        // The open unit is the last one: its number is the number of units.
        let unit = offset(sheet.len());
        if known.last_unit != unit {
            known.last_unit = unit;
            // A sum: the order of keys and the number of elements are no matter of shape.
            found.structure = found.structure.wrapping_add(mask::mix(path.hash, 3));
        }
        let role = known.role;
        let text = sheet.text;
        let value = span.of(text);
        sheet.add_cell(column, cell, span);
        if role == FieldRole::Plain && !(cell == CellKind::Text && self.known.len() == 1) {
            return;
        }
        match role {
            FieldRole::Error if signal::says_something(cell, value) => {
                found.error = Severity::Error;
                found.note(value);
            }
            FieldRole::Level => {
                found.stated = found.stated.or(signal::level(value));
                found.message = mask::mix(found.message, mask::hash(value));
            }
            FieldRole::State if cell == CellKind::Text && value.len() <= 80 => {
                found.spoken = found.spoken.max(signal::of_words(value))
            }
            FieldRole::Message if cell == CellKind::Text => {
                if value.len() <= MAX_MESSAGE_BYTES {
                    found.spoken = found.spoken.max(signal::of_words(value));
                }
                found.note(value);
            }
            // A list of bare strings: each is its own message.
            FieldRole::Plain => found.note(value),
            _ => {}
        }
    }
}

impl Found {
    fn note(&mut self, value: &str) {
        self.has_message = true;
        let shape = if value.len() <= MAX_MESSAGE_BYTES { mask::shape(value) } else { 4 };
        self.message = mask::mix(self.message, shape);
    }
}

fn n_distinct(hashes: impl Iterator<Item = u64>) -> usize {
    let mut seen: HashedMap<()> = HashedMap::default();
    hashes.for_each(|hash| {
        seen.insert(hash, ());
    });
    seen.len()
}

/// The text between the quotes of a key.
fn inside(quoted: &str) -> &str {
    quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default()
}

/// A path as it is shown: `items[].sku`.
fn joined(path: &[&str], name: &str) -> String {
    let mut out = String::new();
    for part in path.iter().copied().chain(core::iter::once(name)).filter(|part| !part.is_empty()) {
        if part != "[]" && !out.is_empty() {
            out.push('.');
        }
        out.push_str(part);
    }
    if out.is_empty() { String::from("value") } else { out }
}
