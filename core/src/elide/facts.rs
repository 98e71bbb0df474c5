//! Facts: what is true of exactly the units of one run.
//!
//! A fact is all or nothing: every unit of the run is counted in it, those without the field as `absent×n`.

use super::mask::{self, HashedMap};
use super::profile::{Profile, Role, Told};
use super::sheet::{CellKind, Sheet};
use crate::order;
use crate::prelude::*;
use crate::text::Span;
use core::ops::Range;

/// More values than this and an enumeration is not told. Our choice.
const MAX_VALUES: usize = 5;
/// Longer values are not told. Our choice.
const MAX_VALUE_BYTES: usize = 40;

/// What was seen of one told column in a run.
struct Seen<'t> {
    told: Told,
    n_present: usize,
    values: Vec<(CellKind, &'t str, usize)>,
    overflow: bool,
    first: &'t str,
    last: &'t str,
    min: Option<(f64, &'t str)>,
    max: Option<(f64, &'t str)>,
    all: Vec<&'t str>,
}

/// The facts of the units `run`, the most useful first.
pub(super) fn of_run(sheet: &Sheet<'_>, profile: &Profile, run: Range<usize>) -> Vec<String> {
    let mut seen: Vec<Seen<'_>> = profile.told.iter().map(|told| Seen::new(*told)).collect();
    for unit in run.clone() {
        for cell in sheet.cells_of(unit) {
            if let Some(seen) = seen.iter_mut().find(|s| s.told.column == cell.column()) {
                seen.note(cell.kind(), cell.span, sheet.text);
            }
        }
    }
    seen.iter()
        .filter_map(|s| {
            let name = sheet.columns().get(s.told.column as usize)?;
            let told = s.tell(run.len())?;
            Some(if name.is_empty() { told } else { format!("{name}: {told}") })
        })
        .collect()
}

impl<'t> Seen<'t> {
    fn new(told: Told) -> Seen<'t> {
        Seen {
            told,
            n_present: 0,
            values: Vec::new(),
            overflow: false,
            first: "",
            last: "",
            min: None,
            max: None,
            all: Vec::new(),
        }
    }

    fn note(&mut self, kind: CellKind, span: Span, text: &'t str) {
        let value = span.of(text);
        if self.n_present == 0 {
            self.first = value;
        }
        self.n_present += 1;
        self.last = value;
        match self.told.role {
            Role::Enumeration => self.note_value(kind, value),
            Role::Identifier => self.all.push(value),
            Role::Time => self.note_time(value),
            Role::Measure => self.note_number(value),
        }
    }

    fn note_value(&mut self, kind: CellKind, value: &'t str) {
        if let Some(seen) = self.values.iter_mut().find(|(k, v, _)| *k == kind && *v == value) {
            seen.2 += 1;
        } else if self.values.len() < MAX_VALUES {
            self.values.push((kind, value, 1));
        } else {
            self.overflow = true;
        }
    }

    /// ISO stamps of one length order as text does; anything else is told by position.
    fn note_time(&mut self, value: &'t str) {
        let is_iso = value.len() == self.first.len()
            && value.bytes().take(4).filter(u8::is_ascii_digit).count() == 4;
        self.overflow |= !is_iso;
        if self.min.is_none_or(|(_, min)| value < min) {
            self.min = Some((0.0, value));
        }
        if self.max.is_none_or(|(_, max)| value > max) {
            self.max = Some((0.0, value));
        }
    }

    fn note_number(&mut self, value: &'t str) {
        match value.parse::<f64>() {
            Ok(number) if number.is_finite() => {
                if self.min.is_none_or(|(min, _)| number < min) {
                    self.min = Some((number, value));
                }
                if self.max.is_none_or(|(max, _)| number > max) {
                    self.max = Some((number, value));
                }
            }
            _ => self.overflow = true,
        }
    }

    fn tell(&self, n_units: usize) -> Option<String> {
        let n_absent = n_units.checked_sub(self.n_present)?;
        if self.n_present == 0 {
            return None;
        }
        let absent = if n_absent > 0 { format!(", absent×{n_absent}") } else { String::new() };
        match self.told.role {
            Role::Enumeration => {
                if self.overflow || !self.values.iter().all(|(_, v, _)| is_tellable(v)) {
                    return None;
                }
                if let ([(kind, value, _)], 0) = (self.values.as_slice(), n_absent) {
                    return Some(shown(*kind, value).to_owned());
                }
                let mut values: Vec<&(CellKind, &str, usize)> = self.values.iter().collect();
                order::sort_by_key(&mut values, |value| core::cmp::Reverse(value.2));
                let counted: Vec<String> =
                    values.iter().map(|(k, v, n)| format!("{}×{n}", shown(*k, v))).collect();
                Some(format!("{}{absent}", counted.join(", ")))
            }
            Role::Identifier => self.tell_identifiers(n_absent),
            Role::Time if self.overflow => self.tell_ends(absent),
            Role::Time | Role::Measure => {
                let ((_, min), (_, max)) = (self.min?, self.max?);
                if self.overflow || !is_tellable(min) || !is_tellable(max) {
                    return None;
                }
                Some(if min == max {
                    format!("{min}{absent}")
                } else {
                    format!("{min}..{max}{absent}")
                })
            }
        }
    }

    fn tell_ends(&self, absent: String) -> Option<String> {
        (is_tellable(self.first) && is_tellable(self.last)).then(|| {
            if self.first == self.last {
                format!("{}{absent}", self.first)
            } else {
                format!("{} … {}{absent}", self.first, self.last)
            }
        })
    }

    fn tell_identifiers(&self, n_absent: usize) -> Option<String> {
        if n_absent > 0 || !is_tellable(self.first) || !is_tellable(self.last) {
            return None;
        }
        // Two ids of one hash count as equal: the fact is then left out, never wrong.
        let mut seen: HashedMap<()> =
            HashedMap::with_capacity_and_hasher(self.all.len(), Default::default());
        if !self.all.iter().all(|id| seen.insert(mask::hash(id), ()).is_none()) {
            return None;
        }
        let n = self.all.len();
        if n == 1 {
            return Some(self.first.to_owned());
        }
        if let Some((low, high)) = dense(&self.all) {
            return Some(format!("{n} distinct, {low}..{high}, all present"));
        }
        Some(format!("{n} distinct, {} … {}", self.first, self.last))
    }
}

/// The lowest and highest of identifiers that share a prefix and count through without a gap.
fn dense<'t>(all: &[&'t str]) -> Option<(&'t str, &'t str)> {
    let mut prefix = None;
    type End<'t> = Option<(u64, &'t str)>;
    let (mut low, mut high): (End<'_>, End<'_>) = (None, None);
    for id in all {
        let digits = id.bytes().rev().take_while(u8::is_ascii_digit).count();
        let (head, tail) = id.split_at_checked(id.len() - digits)?;
        // A leading zero is part of the name: ids that differ in it would count as one number.
        if digits == 0
            || digits > 18
            || *prefix.get_or_insert(head) != head
            || (digits > 1 && tail.starts_with('0'))
        {
            return None;
        }
        let number: u64 = tail.parse().ok()?;
        if low.is_none_or(|(n, _)| number < n) {
            low = Some((number, id));
        }
        if high.is_none_or(|(n, _)| number > n) {
            high = Some((number, id));
        }
    }
    let (low, high) = (low?, high?);
    (high.0 - low.0 + 1 == all.len() as u64).then_some((low.1, high.1))
}

fn is_tellable(value: &str) -> bool {
    value.len() <= MAX_VALUE_BYTES && !value.chars().any(char::is_control)
}

/// Empty text would read as nothing said.
fn shown(kind: CellKind, value: &str) -> &str {
    match kind {
        CellKind::Text if value.is_empty() => "(empty)",
        CellKind::Null if value.is_empty() => "(empty)",
        _ => value,
    }
}
