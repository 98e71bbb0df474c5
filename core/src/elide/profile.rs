//! What each field holds over the whole sheet: one pass over the cells.

use super::sheet::{Cell, CellKind, Sheet};
use crate::order;
use crate::prelude::*;
use crate::text::{Span, offset};

/// More distinct values than this and a field is no enumeration. Our choice.
const MAX_ENUM: usize = 16;

/// Longer values make a field no enumeration. Our choice.
const MAX_VALUE_BYTES: usize = 4096;

/// One value of an enumeration.
#[derive(Clone, Copy, Debug)]
pub(super) struct EnumValue {
    pub(super) kind: CellKind,
    pub(super) span: Span,
    pub(super) n: u32,
    pub(super) first: u32,
    pub(super) last: u32,
}

/// What one field holds.
#[derive(Clone, Debug, Default)]
pub(super) struct FieldProfile {
    /// Units that hold it.
    pub(super) n: u32,
    /// Its distinct values, at most [`MAX_ENUM`]; empty when there are more.
    pub(super) values: Vec<EnumValue>,
    /// Whether there were more.
    pub(super) is_open: bool,
    /// Whether some unit holds it more than once.
    pub(super) is_repeated: bool,
    /// Whether every value is a finite number.
    pub(super) is_numeric: bool,
    /// Whether every value reads as a time stamp.
    pub(super) is_time: bool,
    /// Whether the first values all differ.
    pub(super) is_distinct: bool,
    /// The unit that held it last.
    last_unit: u32,
}

impl FieldProfile {
    /// A small set of values, each held often.
    pub(super) fn is_enum(&self) -> bool {
        !self.is_open && self.values.len() >= 2 && self.n as usize >= self.values.len() * 4
    }

    /// One value everywhere.
    pub(super) fn is_constant(&self) -> bool {
        !self.is_open && self.values.len() == 1
    }
}

/// The fields of a sheet, and which of them facts are told of.
#[derive(Clone, Debug)]
pub(super) struct Profile {
    pub(super) fields: Vec<FieldProfile>,
    /// Columns that facts are told of, in the order in which they are told.
    pub(super) told: Vec<Told>,
}

/// How a column is told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Identifier,
    Time,
    Enumeration,
    Measure,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Told {
    pub(super) column: u32,
    pub(super) role: Role,
}

impl Profile {
    pub(super) fn of(sheet: &Sheet<'_>) -> Profile {
        let blank = FieldProfile {
            is_numeric: true,
            is_time: true,
            is_distinct: true,
            last_unit: u32::MAX,
            ..FieldProfile::default()
        };
        let mut fields = vec![blank; sheet.columns().len()];
        for unit in 0..sheet.len() {
            for cell in sheet.cells_of(unit) {
                if let Some(field) = fields.get_mut(cell.column() as usize) {
                    note(field, sheet.text, cell, offset(unit));
                }
            }
        }
        let told = told(sheet, &fields);
        Profile { fields, told }
    }
}

fn note(field: &mut FieldProfile, text: &str, cell: &Cell, unit: u32) {
    if field.last_unit == unit {
        field.is_repeated = true;
    } else {
        field.n += 1;
        field.last_unit = unit;
    }
    let value = cell.span.of(text);
    field.is_numeric &= cell.kind() == CellKind::Number;
    field.is_time = field.is_time && is_time(value);
    if value.len() > MAX_VALUE_BYTES {
        // Whole documents in a field are no enumeration, and comparing them costs a pass each.
        field.is_open = true;
        field.values = Vec::new();
    }
    if field.is_open {
        return;
    }
    for seen in &mut field.values {
        if seen.kind == cell.kind() && seen.span.of(text) == value {
            seen.n += 1;
            seen.last = unit;
            field.is_distinct = false;
            return;
        }
    }
    if field.values.len() == MAX_ENUM {
        field.is_open = true;
        field.values = Vec::new();
        return;
    }
    field.values.push(EnumValue {
        kind: cell.kind(),
        span: cell.span,
        n: 1,
        first: unit,
        last: unit,
    });
}

/// A time stamp: digits with `:` or `-` between, as in `2026-09-14T08:00:00Z`, `08:00:01.5`, `2026-09-14`.
pub(super) fn is_time(value: &str) -> bool {
    let bytes = value.as_bytes();
    if !(8..=40).contains(&bytes.len()) || !bytes.first().is_some_and(u8::is_ascii_digit) {
        return false;
    }
    let n_digits = bytes.iter().filter(|b| b.is_ascii_digit()).count();
    if n_digits < 6 {
        return false;
    }
    let n_marks = bytes.iter().filter(|b| matches!(b, b':' | b'-')).count();
    n_marks >= 2
        && bytes.iter().all(|b| {
            b.is_ascii_digit()
                || matches!(b, b':' | b'-' | b'.' | b',' | b'T' | b'Z' | b' ' | b'+' | b'/')
        })
}

/// Chooses the columns that facts are told of: one identifier, one time, four enumerations, two measures.
fn told(sheet: &Sheet<'_>, fields: &[FieldProfile]) -> Vec<Told> {
    let n_units = sheet.len();
    let mut chosen: Vec<Told> = sheet
        .always_told
        .iter()
        .map(|column| Told { column: *column, role: Role::Enumeration })
        .collect();
    let mut left =
        [(Role::Identifier, 1), (Role::Time, 1), (Role::Enumeration, 4), (Role::Measure, 2)];
    for (column, (field, name)) in fields.iter().zip(sheet.columns()).enumerate() {
        let common = field.n as usize * 2 > n_units && !field.is_repeated;
        let is_chosen = chosen.iter().any(|told| told.column as usize == column);
        if !common || is_chosen || super::signal::is_credential(name) {
            continue;
        }
        let role = if field.is_time && (field.is_open || field.values.len() > 1) {
            Role::Time
        } else if field.is_enum() {
            Role::Enumeration
        } else if field.is_constant() {
            continue;
        } else if field.is_distinct
            && field.n as usize == n_units
            && (!field.is_numeric || column == 0 || is_id_name(name))
        {
            Role::Identifier
        } else if field.is_numeric {
            Role::Measure
        } else {
            continue;
        };
        if let Some(slot) = left.iter_mut().find(|(r, n)| *r == role && *n > 0) {
            slot.1 -= 1;
            chosen.push(Told { column: offset(column), role });
        }
    }
    order::sort_by_key(&mut chosen, |told| match told.role {
        Role::Identifier => 0,
        Role::Time => 1,
        Role::Enumeration => 2,
        Role::Measure => 3,
    });
    chosen
}

fn is_id_name(name: &str) -> bool {
    let last = name
        .rsplit(['.', '[', ']'])
        .find(|part| !part.is_empty())
        .unwrap_or(name)
        .to_ascii_lowercase();
    last == "id"
        || last.ends_with("_id")
        || last.ends_with("number")
        || last == "#"
        || last == "key"
}
