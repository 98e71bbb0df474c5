//! Logs: timestamped or levelled lines.
//!
//! ```text
//! 08:00:01 INFO GET /api/users/8643 -> 200 in 31 ms      08:00:01 INFO GET /api/users/8643 -> 200 in 31 ms
//! 08:00:02 INFO GET /api/users/12 -> 200 in 9 ms         [caveman: 340 lines elided: 2-341; time: 08:00:02..08:07:55]
//! …                                                  ->  08:07:56 ERROR pool exhausted
//! 08:07:56 ERROR pool exhausted
//! ```
//! Keeps: the first line of each template, first and last of each class of WARN and above with its count, rare values of
//! `key=value` fields, outliers of measures, stack traces with the application's own frames.
//! Declines: when every line says something new.
//! Source: template mining in the manner of Drain (He et al., ICWS 2017), with exact shapes instead of a similarity.

use super::stack_trace;
use super::{Compressor, Proposals, Units};
use crate::elide::mask::{self, HashedMap};
use crate::elide::{self, CellKind, Focus, Severity, Sheet, Style, is_number, signal};
use crate::kind::Kind;
use crate::prelude::*;
use crate::text::{Span, lines, offset, trim_eol};

/// The compressor of logs.
#[derive(Debug)]
pub(super) struct Log;

/// An entry of more continuation lines than this is cut: what follows stands for itself.
const MAX_CONTINUATION: usize = 256;

impl Compressor for Log {
    fn kind(&self) -> Kind {
        Kind::Log
    }

    fn compress(&self, text: &str, focus: &Focus) -> Proposals {
        compress_entries(text, focus)
    }

    fn units(&self, text: &str) -> Option<Units> {
        Units::flat("lines", entries(text))
    }
}

/// The elided draft of a payload of entries; kept entries have their framework frames folded.
pub(super) fn compress_entries(text: &str, focus: &Focus) -> Proposals {
    Proposals { lossless: None, elided: stack_trace::draft(&cut(text), focus, &Style::PLAIN) }
}

/// Cuts a log into entries with their shapes, severities and fields.
fn cut(text: &str) -> Sheet<'_> {
    let spans = entries(text);
    let is_by_line = spans
        .iter()
        .all(|span| memchr::memchr(b'\n', trim_eol(span.of(text)).as_bytes()).is_none());
    let mut sheet = Sheet::new(text, if is_by_line { "lines" } else { "entries" });
    let mut fields = Fields::new(&mut sheet);
    let mut severities: HashedMap<Severity> = HashedMap::default();
    let mut examples: Vec<(u64, &str)> = Vec::new();
    for span in spans {
        let entry = span.of(text);
        let head = trim_eol(entry.split_inclusive('\n').next().unwrap_or_default());
        let mut shape = mask::shape(head);
        if head.len() + 2 < entry.len() {
            shape =
                mask::mix(shape, stack_trace::shape(entry.get(head.len()..).unwrap_or_default()));
        }
        let severity = *severities.entry(shape).or_insert_with(|| {
            examples.push((shape, head));
            severity_of(entry, head)
        });
        sheet.add_unit(span, shape, severity);
        fields.add(&mut sheet, span.start, head, shape);
    }
    let merged = mask::merge(&examples);
    let by_shape: HashedMap<u64> = examples.iter().map(|(shape, _)| *shape).zip(merged).collect();
    let settled = |unit: &elide::Unit| {
        let class = by_shape.get(&unit.shape).copied().unwrap_or(unit.shape);
        // Words vary only where nothing is the matter: a signal with a new word is a new signal.
        (if unit.severity == Severity::None { class } else { unit.shape }, class)
    };
    let shapes: Vec<(u64, u64)> = sheet.units().iter().map(settled).collect();
    sheet.set_shapes(&shapes);
    sheet
}

/// The entries: a line that begins one, with the lines that continue it.
pub(super) fn entries(text: &str) -> Vec<Span> {
    let lines = lines(text);
    let n_stamped = lines.iter().filter(|line| time_of(line.of(text)).is_some()).count();
    let is_stamped = n_stamped * 2 >= lines.len();
    let mut out: Vec<Span> = Vec::with_capacity(lines.len());
    let mut n_continued = 0;
    let mut before = "";
    for line in lines {
        let content = trim_eol(line.of(text));
        let continues = stack_trace::is_continuation(content, before)
            || is_stamped && time_of(content).is_none();
        before = content;
        match out.last_mut() {
            Some(entry) if continues && n_continued < MAX_CONTINUATION => {
                entry.end = line.end;
                n_continued += 1;
            }
            _ => {
                out.push(line);
                n_continued = 0;
            }
        }
    }
    out
}

/// The severity of an entry: its level word where it states one near its start, else its words.
fn severity_of(entry: &str, head: &str) -> Severity {
    let stated = head
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .take(24)
        .find_map(|word| {
            (word.bytes().all(|b| b.is_ascii_uppercase()) || word.len() > 3)
                .then(|| signal::level(word))
                .flatten()
        });
    let has_trace = head.len() + 2 < entry.len() && stack_trace::holds_exception(entry);
    let spoken = stated.unwrap_or_else(|| signal::of_words(head));
    if has_trace { spoken.max(Severity::Error) } else { spoken }
}

/// Where the time stamp of a line stands: the first `dd:dd` within its first 80 bytes, with the date before it and the
/// fraction and zone after it.
fn time_of(line: &str) -> Option<(usize, usize)> {
    let bytes = line.as_bytes();
    let head = bytes.get(..bytes.len().min(80))?;
    let digit = |i: usize| head.get(i).is_some_and(u8::is_ascii_digit);
    let colon = memchr::memchr_iter(b':', head).find(|&i| {
        i >= 2
            && digit(i - 1)
            && digit(i - 2)
            && digit(i + 1)
            && digit(i + 2)
            && head.get(i + 3) == Some(&b':')
            && digit(i + 4)
            && digit(i + 5)
    })?;
    let mut start = colon - 2;
    // The date: `2026-09-14 `, `2026/09/14T`, `10/Oct/2026:`, `Dec 10 `.
    let is_date = |b: u8| b.is_ascii_digit() || matches!(b, b'-' | b'/' | b'T' | b'.' | b'_');
    let joint = start.checked_sub(1).and_then(|i| head.get(i)).copied();
    if joint.is_some_and(|b| matches!(b, b' ' | b'T' | b'_' | b':')) {
        let mut from = start - 1;
        while from > 0 && head.get(from - 1).is_some_and(|b| is_date(*b) && *b != b'_') {
            from -= 1;
        }
        if start - from >= 8 {
            start = from;
        } else if from >= 4 && joint == Some(b' ') {
            let month = head
                .get(..from)
                .and_then(|h| core::str::from_utf8(h).ok())
                .map(str::trim_end)
                .unwrap_or_default();
            let name = month.get(month.len().saturating_sub(3)..).unwrap_or_default();
            if name.len() == 3 && name.bytes().all(|b| b.is_ascii_alphabetic()) {
                start = month.len() - 3;
            }
        }
    }
    let mut end = colon + 6;
    let fraction = |i: usize| matches!(head.get(i), Some(b'.' | b',')) && digit(i + 1);
    if fraction(end) {
        end += 1;
        while digit(end) {
            end += 1;
        }
    }
    if head.get(end) == Some(&b'Z') {
        end += 1;
    }
    Some((start, end))
}

/// Named values of log lines: the time, the level, `key=value` pairs, `name: number` pairs, numbers with a unit.
struct Fields {
    time: u32,
    level: u32,
    named: HashedMap<u32>,
}

impl Fields {
    fn new(sheet: &mut Sheet<'_>) -> Fields {
        let time = sheet.add_column("time");
        Fields { time, level: sheet.add_column("level"), named: HashedMap::default() }
    }

    fn column(&mut self, sheet: &mut Sheet<'_>, name: &str, salt: u64) -> u32 {
        *self
            .named
            .entry(mask::mix(mask::hash(name), salt))
            .or_insert_with(|| sheet.add_column(name))
    }

    fn add(&mut self, sheet: &mut Sheet<'_>, base: u32, head: &str, shape: u64) {
        let at = |start: usize, end: usize| Span {
            start: base + offset(start),
            end: base + offset(end),
        };
        let mut from = 0;
        if let Some((start, end)) = time_of(head) {
            sheet.add_cell(self.time, CellKind::Text, at(start, end));
            from = end;
        }
        if let Some((start, end)) = level_of(head, from) {
            sheet.add_cell(self.level, CellKind::Text, at(start, end));
        }
        let bytes = head.as_bytes();
        for mark in memchr::memchr2_iter(b'=', b':', bytes) {
            if mark < from {
                continue;
            }
            let Some(name) = name_before(head, mark) else { continue };
            let is_pair = bytes.get(mark) == Some(&b'=');
            let start = if is_pair { mark + 1 } else { mark + 2 };
            if !is_pair
                && (bytes.get(mark + 1) != Some(&b' ')
                    || !bytes.get(mark + 2).is_some_and(u8::is_ascii_digit))
            {
                continue;
            }
            let Some((start, end)) = value_at(head, start) else { continue };
            let value = head.get(start..end).unwrap_or_default();
            let kind = CellKind::of(value);
            if is_pair || kind == CellKind::Number {
                let column = self.column(sheet, name, 0);
                sheet.add_cell(column, kind, at(start, end));
            }
        }
        each_measure(head, from, |start, end, unit| {
            let column = self.column(sheet, unit, shape);
            sheet.add_cell(column, CellKind::Number, at(start, end));
        });
    }
}

/// A level word among the next words.
fn level_of(head: &str, from: usize) -> Option<(usize, usize)> {
    let mut at = from;
    let rest = head.get(from..)?;
    for word in rest.split(|c: char| !c.is_ascii_alphanumeric()).take(16) {
        let end = at + word.len();
        if signal::level(word).is_some() && word.bytes().all(|b| b.is_ascii_uppercase()) {
            return Some((at, end));
        }
        at = end + 1;
    }
    None
}

fn name_before(head: &str, mark: usize) -> Option<&str> {
    let before = head.get(..mark)?;
    let len = before
        .bytes()
        .rev()
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-'))
        .count();
    let name = before.get(mark - len..)?;
    (len > 0
        && len <= 40
        && name.bytes().next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_'))
    .then_some(name)
}

/// The value that begins at `start`: quoted, or up to a space or closing mark.
fn value_at(head: &str, start: usize) -> Option<(usize, usize)> {
    let rest = head.get(start..)?;
    if let Some(quoted) = rest.strip_prefix('"') {
        let len = quoted.find('"')?;
        return Some((start + 1, start + 1 + len));
    }
    let len = rest
        .bytes()
        .take_while(|b| !matches!(b, b' ' | b'\t' | b',' | b';' | b')' | b']' | b'}' | b'"'))
        .count();
    (len > 0).then_some((start, start + len))
}

/// Units that make a number a measure.
const MEASURES: [&str; 16] = [
    "ms", "s", "MB", "KB", "GB", "kB", "MiB", "KiB", "GiB", "%", "bytes", "us", "ns", "sec",
    "seconds", "msec",
];

/// Calls `each` with every number that a unit follows (`31 ms`, `31ms`).
fn each_measure<'h>(head: &'h str, from: usize, mut each: impl FnMut(usize, usize, &'h str)) {
    let bytes = head.as_bytes();
    let at = |i: usize| bytes.get(i).copied().unwrap_or(0);
    let mut i = from;
    while i < bytes.len() {
        if !at(i).is_ascii_digit() {
            i += 1;
            continue;
        }
        let start = i;
        while at(i).is_ascii_digit() || at(i) == b'.' && at(i + 1).is_ascii_digit() {
            i += 1;
        }
        let is_part = start > 0
            && (at(start - 1).is_ascii_alphanumeric()
                || matches!(at(start - 1), b'_' | b'.' | b'-'));
        let word = if at(i) == b' ' { i + 1 } else { i };
        let mut end = word;
        while at(end).is_ascii_alphabetic() || end == word && at(end) == b'%' {
            end += 1;
        }
        if !is_part && end > word && end - word <= 7 && !at(end).is_ascii_digit() {
            let unit = head.get(word..end).unwrap_or_default();
            if MEASURES.contains(&unit) && is_number(head.get(start..i).unwrap_or_default()) {
                each(start, i, unit);
            }
        }
    }
}
