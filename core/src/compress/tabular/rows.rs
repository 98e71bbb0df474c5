//! Rows: lines of cells as units of a sheet. Serves CSV, Markdown tables and aligned tables alike.

use crate::elide::signal::{self, FieldRole};
use crate::elide::{CellKind, Severity, Sheet, mask};
use crate::prelude::*;
use crate::text::Span;

/// A table on its way into a sheet.
#[derive(Debug)]
pub(crate) struct Rows {
    /// Column ids and roles, by position.
    columns: Vec<(u32, FieldRole)>,
}

impl Rows {
    /// Columns of these names, in order.
    pub(crate) fn new<'n>(sheet: &mut Sheet<'_>, names: impl Iterator<Item = &'n str>) -> Rows {
        sheet.keeps_extremes = true;
        Rows { columns: names.map(|name| (sheet.add_column(name), FieldRole::of(name))).collect() }
    }

    /// Adds a row. Rows of another width than the header have another shape; so do rows whose state speaks of failure.
    pub(crate) fn add(&self, sheet: &mut Sheet<'_>, row: Span, cells: &[Span]) {
        let shape =
            if cells.len() == self.columns.len() { 0 } else { mask::mix(5, cells.len() as u64) };
        sheet.add_unit(row, shape, Severity::None);
        for (span, (column, role)) in cells.iter().zip(&self.columns) {
            let value = span.of(sheet.text);
            let kind = CellKind::of(value);
            sheet.add_cell(*column, kind, *span);
            let severity = match role {
                FieldRole::Error if signal::says_something(kind, value) => Severity::Error,
                FieldRole::Level => signal::level(value).unwrap_or_default(),
                FieldRole::State => signal::of_words(value),
                _ => Severity::None,
            };
            if severity > Severity::None {
                sheet.raise(severity);
                sheet.reshape(mask::shape(value));
            }
        }
    }
}
