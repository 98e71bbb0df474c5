//! Rows: lines of cells as units of a sheet. Serves CSV, Markdown tables and aligned tables alike.

use crate::elide::signal::{self, FieldRole};
use crate::elide::{CellKind, Severity, Sheet, mask};
use crate::prelude::*;
use crate::text::Span;

/// A table on its way into a sheet.
#[derive(Debug)]
pub(crate) struct Rows {
    /// Column ids and roles, by position, of the columns that are looked at.
    columns: Vec<(u32, FieldRole)>,
    /// How many columns there are.
    width: usize,
}

/// So many cells are looked at; of wider tables with many rows only the first columns are. It bounds the memory at four
/// times the largest payload. Our choice.
const MAX_CELLS: usize = 4_000_000;

/// No more columns than these are looked at, whatever the number of rows. Our choice.
const MAX_COLUMNS: usize = 4096;

impl Rows {
    /// Columns of these names, in order, for so many rows.
    pub(crate) fn new<'n>(
        sheet: &mut Sheet<'_>,
        names: impl ExactSizeIterator<Item = &'n str>,
        n_rows: usize,
    ) -> Rows {
        sheet.keeps_extremes = true;
        let width = names.len();
        let n_looked_at = (MAX_CELLS / n_rows.max(1)).min(MAX_COLUMNS);
        let columns = names
            .take(n_looked_at)
            .map(|name| (sheet.add_column(name), FieldRole::of(name)))
            .collect();
        Rows { columns, width }
    }

    /// How many cells of a row are looked at.
    pub(crate) fn n_looked_at(&self) -> usize {
        self.columns.len()
    }

    /// Adds a row. Rows of another width than the header have another shape; so do rows whose state speaks of failure.
    pub(crate) fn add(&self, sheet: &mut Sheet<'_>, row: Span, cells: &[Span]) {
        let shape = if cells.len() == self.width { 0 } else { mask::mix(5, cells.len() as u64) };
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
