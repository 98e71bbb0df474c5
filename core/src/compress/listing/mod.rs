//! File listings: `ls -l`, `ls -laR`, `find`, `tree`, `du`.
//!
//! ```text
//! -rw-r--r-- 1 root root  4224 May 20 fn.a.html      -rw-r--r-- 1 root root  4224 May 20 fn.a.html
//! -rw-r--r-- 1 root root  4310 May 20 fn.b.html  ->  [caveman: 498 entries elided: 2-499; name: 498 distinct, …; size: 3911..40211]
//! …
//! ```
//! Keeps: directory headings and totals, the first entry of each sort (type, mode, extension), extremes of size.
//! Declines: listings whose entries all differ in sort.

use super::{Compressor, Proposals, Units};
use crate::elide::{self, CellKind, Focus, Severity, Sheet, Style, mask};
use crate::kind::Kind;
use crate::prelude::*;
use crate::text::{Span, lines, offset, trim_eol};

/// The compressor of file listings.
#[derive(Debug)]
pub(super) struct Listing;

impl Compressor for Listing {
    fn kind(&self) -> Kind {
        Kind::Listing
    }

    fn compress(&self, text: &str, focus: &Focus) -> Proposals {
        let mut sheet = Sheet::new(text, "entries");
        sheet.keeps_extremes = true;
        let columns = Columns::new(&mut sheet);
        for line in lines(text) {
            columns.add(&mut sheet, line);
        }
        Proposals { lossless: None, elided: elide::draft(&sheet, focus, &Style::PLAIN) }
    }

    fn units(&self, text: &str) -> Option<Units> {
        let spans: Vec<Span> =
            lines(text).into_iter().filter(|line| !line.of(text).trim().is_empty()).collect();
        let heads = folders(text, &spans);
        Units::flat("entries", spans).map(|units| Units { heads, ..units })
    }
}

/// For each line the `folder:` line above it that opens its part of `ls -R`.
fn folders(text: &str, spans: &[Span]) -> Vec<u32> {
    let mut head = Units::NO_HEAD;
    let mut end = 0;
    let mut heads = Vec::with_capacity(spans.len());
    for (index, line) in (0_u32..).zip(spans) {
        let is_first = line.start == 0 || line.start > end;
        end = line.end;
        if is_first {
            head = Units::NO_HEAD;
        }
        heads.push(head);
        if is_first && trim_eol(line.of(text)).ends_with(':') {
            head = index;
        }
    }
    heads
}

struct Columns {
    name: u32,
    mode: u32,
    owner: u32,
    extension: u32,
    size: u32,
}

impl Columns {
    fn new(sheet: &mut Sheet<'_>) -> Columns {
        Columns {
            name: sheet.add_column("name"),
            mode: sheet.add_column("mode"),
            owner: sheet.add_column("owner"),
            extension: sheet.add_column("extension"),
            size: sheet.add_column("size"),
        }
    }

    fn add(&self, sheet: &mut Sheet<'_>, line: Span) {
        let text = sheet.text;
        let content = trim_eol(line.of(text));
        let at = |start: usize, end: usize| Span {
            start: line.start + offset(start),
            end: line.start + offset(end),
        };
        let entry = Entry::of(content);
        let name = content.get(entry.name.0..entry.name.1).unwrap_or_default();
        let extension = extension_of(name);
        let sort = match entry.mode {
            Some(mode) => mask::mix(6, u64::from(mode.bytes().next().unwrap_or(0))),
            None if name.is_empty() => mask::shape(content),
            None => mask::mix(7, entry.name.0 as u64),
        };
        sheet.add_unit(line, mask::mix(sort, mask::hash(extension)), Severity::None);
        if name.is_empty() {
            // A heading, a total, an empty line: told apart by its words, and always shown.
            return sheet.reshape(u64::from(line.start));
        }
        sheet.add_cell(self.name, CellKind::Text, at(entry.name.0, entry.name.1));
        if let Some(mode) = entry.mode {
            sheet.add_cell(self.mode, CellKind::Text, at(0, mode.len()));
        }
        if let Some((start, end)) = entry.owner {
            sheet.add_cell(self.owner, CellKind::Text, at(start, end));
        }
        if !extension.is_empty() {
            sheet.add_cell(
                self.extension,
                CellKind::Text,
                at(entry.name.1 - extension.len(), entry.name.1),
            );
        }
        if let Some((start, end)) = entry.size {
            let kind = CellKind::of(content.get(start..end).unwrap_or_default());
            sheet.add_cell(self.size, kind, at(start, end));
        }
    }
}

/// What a line of a listing says; `name` is empty for headings and totals.
#[derive(Default)]
struct Entry<'t> {
    mode: Option<&'t str>,
    owner: Option<(usize, usize)>,
    size: Option<(usize, usize)>,
    name: (usize, usize),
}

impl<'t> Entry<'t> {
    fn of(line: &'t str) -> Entry<'t> {
        let words = words(line);
        let word = |i: usize| {
            words.get(i).and_then(|(start, end)| line.get(*start..*end)).unwrap_or_default()
        };
        if is_mode(word(0)) {
            // mode links owner group size month day time name, or without the group; the size stands before the date.
            let size = (3..6).find(|&i| {
                elide::is_number(word(i)) && !elide::is_number(word(i + 1))
                    || word(i).ends_with(['K', 'M', 'G'])
            });
            let after = size
                .map_or(8, |size| if word(size + 1).contains('-') { size + 3 } else { size + 4 });
            let start = words.get(after).map_or(line.len(), |w| w.0);
            let end = line.find(" -> ").filter(|at| *at > start).unwrap_or(line.len());
            return Entry {
                mode: Some(word(0)),
                owner: words.get(2).copied(),
                size: size.and_then(|i| words.get(i).copied()),
                name: (start, end),
            };
        }
        if line.is_empty() || line.ends_with(':') || word(0) == "total" && words.len() == 2 {
            return Entry::default();
        }
        // `tree`: the name follows the branches; `du`: size, tab, path; `find`: the path alone.
        let branches = line
            .find(|c: char| {
                !matches!(c, '│' | '├' | '└' | '─' | '|' | '`' | '-' | '+' | ' ' | '\u{a0}')
            })
            .unwrap_or(0);
        if branches > 0 {
            return Entry { name: (branches, line.len()), ..Entry::default() };
        }
        if let (Some((start, end)), Some((name, _)), true) =
            (words.first(), words.get(1), line.contains('\t'))
        {
            return Entry {
                size: Some((*start, *end)),
                name: (*name, line.len()),
                ..Entry::default()
            };
        }
        Entry { name: (0, line.len()), ..Entry::default() }
    }
}

fn words(line: &str) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let mut at = 0;
    for word in line.split([' ', '\t']).take(64) {
        if !word.is_empty() {
            out.push((at, at + word.len()));
        }
        at += word.len() + 1;
    }
    out
}

/// `drwxr-xr-x`, `-rw-r--r--@`.
fn is_mode(word: &str) -> bool {
    let bytes = word.as_bytes();
    bytes.len() >= 10
        && bytes.len() <= 11
        && bytes.first().is_some_and(|b| b"-dlbcpsD".contains(b))
        && bytes.iter().skip(1).take(9).all(|b| b"rwxsStT-".contains(b))
}

/// The extension of a file name, without the point; empty when there is none that looks like one.
fn extension_of(name: &str) -> &str {
    let last = name.rsplit('/').next().unwrap_or(name);
    match last.rsplit_once('.') {
        Some((stem, extension))
            if !stem.is_empty()
                && !extension.is_empty()
                && extension.len() <= 8
                && extension.bytes().all(|b| b.is_ascii_alphanumeric()) =>
        {
            extension
        }
        _ => "",
    }
}
