//! The planner: which units stay.

use super::Focus;
use super::facts;
use super::marker::{self, Numbering, Run, Style};
use super::mask::HashedMap;
use super::profile::{Profile, Role};
use super::sheet::{CellKind, Sheet, Unit};
use super::signal::Severity;
use crate::order;
use crate::prelude::*;
use crate::text::offset;
use core::ops::Range;

/// Sheets of fewer units stay whole. Our choice.
const MIN_UNITS: usize = 6;
/// Units of so many bytes and more are wide: fewer of them stay at the edges. Our choice.
const WIDE_BYTES: usize = 400;
/// Values of an enumeration that so few units hold are rare. Our choice, held by `tests/promises/rare.rs`.
const RARE: u32 = 2;
/// One unit in so many is a minority, whose first and last stay. Our choice.
const MINORITY: u32 = 20;
/// Robust z above which a number is an outlier: 3.5 is usual for normal data (Iglewicz and Hoaglin 1993); latencies and
/// sizes have longer tails. Our choice.
const OUTLIER_Z: f64 = 6.0;
/// So many outliers at each end of a measure stay; markers tell the range of the rest. Our choice.
const MAX_OUTLIERS: usize = 2;

/// What becomes of consecutive units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// They stay.
    Keep {
        /// Indices of the units.
        units: Range<usize>,
    },
    /// They go.
    Elide {
        /// Indices of the units.
        units: Range<usize>,
        /// What stands in their place, written in the style that was asked for.
        marker: String,
    },
}

/// For each unit, whether it stays.
pub(super) fn keep(sheet: &Sheet<'_>, profile: &Profile, focus: &Focus) -> Vec<bool> {
    let n = sheet.len();
    if n < MIN_UNITS {
        return vec![true; n];
    }
    let mut kept = vec![false; n];
    keep_edges(sheet, focus, &mut kept);
    keep_shapes(sheet, focus, &mut kept);
    if focus.pressure < 3 {
        keep_rare(sheet, profile, &mut kept);
    }
    if focus.pressure < 2 {
        keep_outliers(sheet, profile, &mut kept);
        if sheet.keeps_extremes {
            keep_extremes(sheet, profile, &mut kept);
        }
    }
    keep_asked(sheet, focus, &mut kept);
    kept
}

fn mark(kept: &mut [bool], unit: u32) {
    if let Some(slot) = kept.get_mut(unit as usize) {
        *slot = true;
    }
}

fn keep_edges(sheet: &Sheet<'_>, focus: &Focus, kept: &mut [bool]) {
    let n = kept.len();
    let n_bytes: usize = sheet.units().iter().map(|u| u.span.len()).sum();
    let (head, tail) = match (focus.pressure, n_bytes / n >= WIDE_BYTES) {
        (0, false) => (3, 2),
        (0, true) => (2, 1),
        _ => (1, 1),
    };
    kept.iter_mut().take(head).for_each(|k| *k = true);
    kept.iter_mut().rev().take(tail).for_each(|k| *k = true);
}

/// One class of units.
#[derive(Clone, Copy, Debug, Default)]
struct Class {
    n: u32,
    first: u32,
    last: u32,
    severity: Severity,
}

/// The units of a sheet by a key of theirs, in order of first appearance.
fn classes(sheet: &Sheet<'_>, key: impl Fn(&Unit) -> u64) -> Vec<Class> {
    let mut index: HashedMap<u32> = HashedMap::default();
    let mut classes: Vec<Class> = Vec::new();
    for (unit, at) in sheet.units().iter().zip(0_u32..) {
        let next = offset(classes.len());
        let id = *index.entry(key(unit)).or_insert(next);
        if id == next {
            classes.push(Class { n: 0, first: at, last: at, severity: Severity::None });
        }
        if let Some(class) = classes.get_mut(id as usize) {
            class.n += 1;
            class.last = at;
            class.severity = class.severity.max(unit.severity);
        }
    }
    classes
}

/// The first unit of each shape, and the last signal of each class.
fn keep_shapes(sheet: &Sheet<'_>, focus: &Focus, kept: &mut [bool]) {
    for shape in classes(sheet, |unit| unit.shape) {
        // A shape of one unit is new content, whatever the sheet says of firsts.
        let is_new = shape.n == 1 || sheet.keeps_first;
        if shape.severity > Severity::None || is_new && focus.pressure < 2 {
            mark(kept, shape.first);
        }
    }
    if focus.pressure < 4 {
        classes(sheet, |unit| unit.class)
            .iter()
            .filter(|class| class.severity > Severity::None)
            .for_each(|class| mark(kept, class.last));
    }
}

/// Rare values and minorities of enumerations, and fields that few units hold. Where rarity is common (keys that are
/// names, a dozen optional fields) it says nothing: the columns with the fewest rare units go first, up to a third of all
/// units, and scarce fields count only while an eighth of the units hold some.
fn keep_rare(sheet: &Sheet<'_>, profile: &Profile, kept: &mut [bool]) {
    let n = kept.len();
    let mut of_values: Vec<Vec<u32>> = Vec::new();
    let mut of_fields: Vec<Vec<u32>> = Vec::new();
    for (field, name) in profile.fields.iter().zip(sheet.columns()) {
        if field.n == 0 || super::signal::is_credential(name) && field.is_open {
            continue;
        }
        if !field.is_open && is_scarce(field.n, n) && (field.n as usize) < n / 2 {
            of_fields
                .push(field.values.iter().flat_map(|value| [value.first, value.last]).collect());
        } else if field.is_enum() {
            let top = field.values.iter().map(|v| v.n).max().unwrap_or(0);
            let rare = field.values.iter().filter(|v| v.n < top && is_scarce(v.n, n));
            of_values.push(rare.flat_map(|value| [value.first, value.last]).collect());
        }
    }
    mark_up_to(of_values, 8.max(n / 3), kept);
    let n_scarce: usize = of_fields.iter().map(Vec::len).sum();
    if n_scarce <= 12.max(n / 4) {
        mark_up_to(of_fields, 8.max(n / 8), kept);
    }
}

fn is_scarce(n_holders: u32, n_units: usize) -> bool {
    n_holders <= RARE || n_holders.saturating_mul(MINORITY) <= offset(n_units)
}

/// Marks the units of the shortest lists first, until `limit` of them are marked.
fn mark_up_to(mut lists: Vec<Vec<u32>>, limit: usize, kept: &mut [bool]) {
    order::sort_by_key(&mut lists, Vec::len);
    let mut n_marked = 0;
    for list in lists {
        if n_marked + list.len() > limit {
            return;
        }
        n_marked += list.len();
        list.into_iter().for_each(|unit| mark(kept, unit));
    }
}

/// Numbers far from the median of their field, measured in median absolute deviations.
fn keep_outliers(sheet: &Sheet<'_>, profile: &Profile, kept: &mut [bool]) {
    let measured: Vec<bool> =
        profile.fields.iter().map(|f| f.is_numeric && f.n >= 12 && !f.is_constant()).collect();
    if !measured.contains(&true) {
        return;
    }
    // Median and deviation come from an evenly spaced sample: exact up to this many values, and bounded for any width.
    let max_sample = if measured.len() <= 64 { 1024 } else { 64 };
    let mut samples: Vec<Vec<f64>> = vec![Vec::new(); measured.len()];
    let mut n_seen = vec![0_u32; measured.len()];
    let number = |cell: &super::sheet::Cell| {
        let is_measured =
            measured.get(cell.column() as usize) == Some(&true) && cell.kind() == CellKind::Number;
        is_measured
            .then(|| cell.span.of(sheet.text).parse::<f64>().ok())
            .flatten()
            .filter(|v| v.is_finite())
    };
    for cell in sheet.cells() {
        let column = cell.column() as usize;
        let (Some(seen), Some(field), Some(sample)) =
            (n_seen.get_mut(column), profile.fields.get(column), samples.get_mut(column))
        else {
            continue;
        };
        if measured.get(column) != Some(&true) {
            continue;
        }
        let stride = field.n.div_ceil(max_sample).max(1);
        *seen += 1;
        if (*seen - 1) % stride == 0
            && let Some(value) = number(cell)
        {
            sample.push(value);
        }
    }
    let centres: Vec<Option<(f64, f64)>> =
        samples.iter_mut().map(|sample| centre(sample)).collect();
    let mut extremes: Vec<Extremes> = vec![Extremes::default(); measured.len()];
    for unit in 0..sheet.len() {
        for cell in sheet.cells_of(unit) {
            let column = cell.column() as usize;
            let Some(Some((median, spread))) = centres.get(column).copied() else { continue };
            if let (Some(value), Some(extremes)) = (number(cell), extremes.get_mut(column)) {
                extremes.note((value - median) / spread, offset(unit));
            }
        }
    }
    for extremes in extremes {
        extremes
            .low
            .iter()
            .chain(&extremes.high)
            .filter(|(z, _)| *z > OUTLIER_Z)
            .for_each(|(_, unit)| mark(kept, *unit));
    }
}

/// The lowest and the highest of each told measure.
fn keep_extremes(sheet: &Sheet<'_>, profile: &Profile, kept: &mut [bool]) {
    type End = Option<(f64, u32)>;
    let mut ends: Vec<(u32, End, End)> = profile
        .told
        .iter()
        .filter(|told| told.role == Role::Measure)
        .map(|told| (told.column, None, None))
        .collect();
    for unit in 0..sheet.len() {
        for cell in sheet.cells_of(unit) {
            let Some((_, low, high)) =
                ends.iter_mut().find(|(column, _, _)| *column == cell.column())
            else {
                continue;
            };
            let Some(value) =
                cell.span.of(sheet.text).parse::<f64>().ok().filter(|v| v.is_finite())
            else {
                continue;
            };
            if low.is_none_or(|(v, _)| value < v) {
                *low = Some((value, offset(unit)));
            }
            if high.is_none_or(|(v, _)| value > v) {
                *high = Some((value, offset(unit)));
            }
        }
    }
    ends.iter()
        .flat_map(|(_, low, high)| [low, high])
        .flatten()
        .for_each(|(_, unit)| mark(kept, *unit));
}

/// The farthest values of one field at each end, as distance and unit.
#[derive(Clone, Debug, Default)]
struct Extremes {
    low: [(f64, u32); MAX_OUTLIERS],
    high: [(f64, u32); MAX_OUTLIERS],
}

impl Extremes {
    fn note(&mut self, z: f64, unit: u32) {
        let (side, z) = if z < 0.0 { (&mut self.low, -z) } else { (&mut self.high, z) };
        let mut new = (z, unit);
        for slot in side {
            if new.0 > slot.0 {
                core::mem::swap(slot, &mut new);
            }
        }
    }
}

/// Median, and the spread that one unit of z is: 1.4826 MAD (consistent for normal data), else the mean deviation.
fn centre(sample: &mut [f64]) -> Option<(f64, f64)> {
    if sample.len() < 12 {
        return None;
    }
    let middle = sample.len() / 2;
    let median = *sample.select_nth_unstable_by(middle, f64::total_cmp).1;
    let mut deviations: Vec<f64> = sample.iter().map(|v| libm::fabs(v - median)).collect();
    let mad = *deviations.select_nth_unstable_by(middle, f64::total_cmp).1;
    let mean = deviations.iter().sum::<f64>() / deviations.len() as f64;
    let spread = if mad > 0.0 { 1.4826 * mad } else { 1.2533 * mean };
    (spread > 0.0).then_some((median, spread))
}

fn keep_asked(sheet: &Sheet<'_>, focus: &Focus, kept: &mut [bool]) {
    if focus.words.is_empty() {
        return;
    }
    for (unit, slot) in sheet.units().iter().zip(kept) {
        *slot = *slot || focus.is_in(unit.span.of(sheet.text));
    }
}

/// Turns decisions into segments: runs whose marker pays become markers, the others stay.
pub(super) fn segments(
    sheet: &Sheet<'_>,
    profile: &Profile,
    kept: &[bool],
    focus: &Focus,
    style: &Style,
) -> Vec<Segment> {
    let mut out: Vec<Segment> = Vec::new();
    let mut lines = LineCounter { text: sheet.text, at: 0, line: 1 + focus.lines_before };
    let mut at = 0;
    while at < kept.len() {
        let stays = kept.get(at).copied().unwrap_or(true);
        let len = kept.iter().skip(at).take_while(|k| **k == stays).count();
        let units = at..at + len;
        at += len;
        let marker =
            if stays { None } else { marker_of(sheet, profile, units.clone(), style, &mut lines) };
        match (marker, out.last_mut()) {
            (Some(marker), _) => out.push(Segment::Elide { units, marker }),
            (None, Some(Segment::Keep { units: before })) => before.end = units.end,
            (None, _) => out.push(Segment::Keep { units }),
        }
    }
    out
}

fn marker_of(
    sheet: &Sheet<'_>,
    profile: &Profile,
    units: Range<usize>,
    style: &Style,
    lines: &mut LineCounter<'_>,
) -> Option<String> {
    let (start, end) = (sheet.start_of(units.start), sheet.end_of(units.end));
    let replaced_bytes = (end - start) as usize;
    // The shortest marker has some forty bytes; do not gather facts for runs that cannot pay.
    if replaced_bytes < 80 {
        return None;
    }
    let n_units = units.len();
    let run = match style.numbering {
        Numbering::Units => {
            let from = sheet.first_number + offset(units.start);
            Run { n_units, from, to: from + offset(n_units) - 1, says_lines: false }
        }
        Numbering::Lines => {
            let (from, to) = (lines.of(start), lines.of(end.saturating_sub(1)));
            Run { n_units, from, to, says_lines: sheet.noun != "lines" }
        }
    };
    let facts = facts::of_run(sheet, profile, units);
    let marker = marker::write(run, sheet.noun, &facts, style, replaced_bytes);
    (marker.len() * 2 <= replaced_bytes).then_some(marker)
}

/// Line numbers of ascending offsets, counted once.
struct LineCounter<'t> {
    text: &'t str,
    at: usize,
    line: u32,
}

impl LineCounter<'_> {
    fn of(&mut self, at: u32) -> u32 {
        let at = at as usize;
        let between = self.text.as_bytes().get(self.at..at).unwrap_or_default();
        self.line += offset(memchr::memchr_iter(b'\n', between).count());
        self.at = self.at.max(at);
        self.line
    }
}

/// What is said beside the handle: how often each signal that is shown twice or once occurred.
pub(super) fn notes(sheet: &Sheet<'_>, focus: &Focus) -> Vec<String> {
    let mut lines = LineCounter { text: sheet.text, at: 0, line: 1 + focus.lines_before };
    let repeated: Vec<String> = classes(sheet, |unit| unit.class)
        .iter()
        .filter(|class| class.severity > Severity::None && class.n > 2)
        .map(|class| format!("{} ×{}", lines.of(sheet.start_of(class.first as usize)), class.n))
        .collect();
    if repeated.is_empty() {
        return Vec::new();
    }
    vec![format!(
        "{}repeated signals, each by the line of its first: {}]",
        marker::MARKER_OPEN,
        repeated.join(", ")
    )]
}
