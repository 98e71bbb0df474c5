//! The sheet: a payload cut into units, with the named fields that each holds.

use super::signal::Severity;
use crate::prelude::*;
use crate::text::{Span, offset};

/// What kind of value a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    /// `null`, an empty cell.
    Null,
    /// `true`, `false`.
    Bool,
    /// A number.
    Number,
    /// Anything else.
    Text,
}

impl CellKind {
    /// What a bare value of a table or a log line is.
    pub fn of(value: &str) -> CellKind {
        match value {
            "true" | "false" | "True" | "False" => CellKind::Bool,
            "" | "null" | "NULL" | "none" | "None" | "nil" | "-" | "<none>" => CellKind::Null,
            _ if is_number(value) => CellKind::Number,
            _ => CellKind::Text,
        }
    }
}

/// A plain decimal number without leading zeros: `0171` is a code, `1.2.3` a version.
pub fn is_number(value: &str) -> bool {
    let digits = value.strip_prefix('-').unwrap_or(value);
    let is_code = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.");
    digits.bytes().next().is_some_and(|b| b.is_ascii_digit())
        && !is_code
        && digits
            .bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'-' | b'+'))
        && value.parse::<f64>().is_ok()
}

/// One value of one unit, in twelve bytes: large sheets hold millions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    /// The column, with the kind in the two highest bits.
    column_and_kind: u32,
    pub(super) span: Span,
}

/// The bits of a cell that hold its column.
const COLUMN: u32 = u32::MAX >> 2;

impl Cell {
    pub(super) fn column(self) -> u32 {
        self.column_and_kind & COLUMN
    }

    pub(super) fn kind(self) -> CellKind {
        match self.column_and_kind >> 30 {
            0 => CellKind::Null,
            1 => CellKind::Bool,
            2 => CellKind::Number,
            _ => CellKind::Text,
        }
    }
}

/// A whole piece of a payload that is kept or dropped as one.
#[derive(Clone, Copy, Debug)]
pub struct Unit {
    /// Its bytes.
    pub span: Span,
    /// Hash of its shape: what remains when identifiers are masked. The first unit of each shape stays.
    pub shape: u64,
    /// Hash of the class that it is counted in: the shape, or several shapes that differ in a word.
    pub class: u64,
    /// Whether it is a signal; the last signal of each class stays too.
    pub severity: Severity,
    /// Where its cells begin.
    cells: u32,
}

/// A payload cut into units.
#[derive(Clone, Debug)]
pub struct Sheet<'t> {
    /// The text that the spans speak of.
    pub text: &'t str,
    /// What one unit is called, in the plural.
    pub noun: &'static str,
    /// Number of the first unit as a reader counts: 1.
    pub first_number: u32,
    /// Whether the lowest and highest of each told measure stay, outliers or not: tables do. Default: no.
    pub keeps_extremes: bool,
    /// Whether the first unit of each shape stays. Default: yes.
    pub keeps_first: bool,
    /// Columns that markers tell of even where they are constant over the whole sheet.
    pub(super) always_told: Vec<u32>,
    columns: Vec<String>,
    units: Vec<Unit>,
    cells: Vec<Cell>,
}

impl<'t> Sheet<'t> {
    /// An empty sheet over `text`.
    pub fn new(text: &'t str, noun: &'static str) -> Sheet<'t> {
        Sheet {
            text,
            noun,
            first_number: 1,
            keeps_extremes: false,
            keeps_first: true,
            always_told: Vec::new(),
            columns: Vec::new(),
            units: Vec::new(),
            cells: Vec::new(),
        }
    }

    /// Adds a column and returns its id. Names are not compared: the caller keeps ids.
    pub fn add_column(&mut self, name: &str) -> u32 {
        self.columns.push(name.to_owned());
        offset(self.columns.len() - 1)
    }

    /// Makes room for so many units and cells at once: growing step by step would copy large sheets again and again.
    pub fn reserve(&mut self, n_units: usize, n_cells: usize) {
        self.units.reserve(n_units);
        self.cells.reserve(n_cells);
    }

    /// Has every marker tell what the units hold of this column.
    pub fn always_tell(&mut self, column: u32) {
        self.always_told.push(column);
    }

    /// Adds a unit; cells that follow belong to it.
    pub fn add_unit(&mut self, span: Span, shape: u64, severity: Severity) {
        self.units.push(Unit {
            span,
            shape,
            class: shape,
            severity,
            cells: offset(self.cells.len()),
        });
    }

    /// Adds a value to the unit that was added last.
    pub fn add_cell(&mut self, column: u32, kind: CellKind, span: Span) {
        let kind = match kind {
            CellKind::Null => 0,
            CellKind::Bool => 1,
            CellKind::Number => 2,
            CellKind::Text => 3_u32,
        };
        self.cells.push(Cell { column_and_kind: column & COLUMN | kind << 30, span });
    }

    /// Has the unit that was added last reach up to `end`.
    pub fn extend_last(&mut self, end: u32) {
        if let Some(unit) = self.units.last_mut() {
            unit.span.end = unit.span.end.max(end);
        }
    }

    /// Lifts the severity of the unit that was added last.
    pub fn raise(&mut self, severity: Severity) {
        if let Some(unit) = self.units.last_mut() {
            unit.severity = unit.severity.max(severity);
        }
    }

    /// Mixes more shape into the unit that was added last.
    pub fn reshape(&mut self, hash: u64) {
        if let Some(unit) = self.units.last_mut() {
            unit.shape = super::mask::mix(unit.shape, hash);
            unit.class = unit.shape;
        }
    }

    /// Replaces shapes and classes: a pair for each unit, in order.
    pub fn set_shapes(&mut self, shapes: &[(u64, u64)]) {
        for (unit, (shape, class)) in self.units.iter_mut().zip(shapes) {
            unit.shape = *shape;
            unit.class = *class;
        }
    }

    /// How many units there are.
    pub fn len(&self) -> usize {
        self.units.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.units.is_empty()
    }

    /// The units, in order.
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// The names of the columns, by id.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    pub(super) fn cells(&self) -> &[Cell] {
        &self.cells
    }

    pub(super) fn cells_of(&self, unit: usize) -> &[Cell] {
        let from = self.units.get(unit).map_or(self.cells.len(), |u| u.cells as usize);
        let to = self.units.get(unit + 1).map_or(self.cells.len(), |u| u.cells as usize);
        self.cells.get(from..to).unwrap_or_default()
    }

    /// First byte of the unit of this index; the end of the text past the last.
    pub(super) fn start_of(&self, unit: usize) -> u32 {
        self.units.get(unit).map_or(offset(self.text.len()), |u| u.span.start)
    }

    /// End of the unit before this index; 0 for the first.
    pub(super) fn end_of(&self, unit: usize) -> u32 {
        unit.checked_sub(1).and_then(|at| self.units.get(at)).map_or(0, |u| u.span.end)
    }
}
