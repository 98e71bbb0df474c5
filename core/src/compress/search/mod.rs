//! Search results: `path:line:text` from grep, ripgrep, git grep.
//!
//! ```text
//! src/a.rs:10:unsafe impl Send for A {}        src/a.rs (12 matches)
//! src/a.rs:11:unsafe impl Sync for A {}        10:unsafe impl Send for A {}
//! src/a.rs:40:    unsafe { read(p) }       ->  [caveman: 9 matches elided: 2-10]
//! …                                            40:    unsafe { read(p) }
//! ```
//! Keeps: every file with its number of matches, the first of each, matches unlike the others.
//! Recodes without loss: the path stands once for each file, the folder of all files once.
//! Declines: text without hits.

use super::{Compressor, Proposals, Units};
use crate::draft::{Draft, Piece};
use crate::elide::mask::{self, HashedMap};
use crate::elide::{self, CellKind, Focus, Segment, Severity, Sheet, Style};
use crate::kind::Kind;
use crate::prelude::*;
use crate::text::{Span, lines, offset, trim_eol};

/// The compressor of search results.
#[derive(Debug)]
pub(super) struct Search;

impl Compressor for Search {
    fn kind(&self) -> Kind {
        Kind::Search
    }

    fn compress(&self, text: &str, focus: &Focus) -> Proposals {
        let hits = hits(text);
        let n_hits = hits.iter().filter(|hit| hit.path_len > 0).count();
        if n_hits * 2 < hits.len() || n_hits < 2 {
            return Proposals::default();
        }
        let lossless = Some(write(
            &hits,
            &[Segment::Keep { units: 0..hits.len() }],
            Draft::new("fold", "matches", hits.len()),
        ));
        let sheet = sheet(text, &hits);
        let segments = elide::segments(&sheet, focus, &Style::ROWS);
        let elided = write(&hits, &segments, Draft::new("elide", "matches", hits.len()));
        Proposals { lossless, elided: (!elided.is_lossless()).then_some(elided) }
    }

    fn units(&self, text: &str) -> Option<Units> {
        Units::flat("matches", lines(text))
    }
}

/// A shorter folder is repeated. Our choice.
const MIN_FOLDER: usize = 12;
/// The folder of fewer hits is repeated. Our choice.
const MIN_IN_FOLDER: usize = 8;

/// One line of search output.
#[derive(Clone, Copy, Debug)]
struct Hit<'t> {
    line: Span,
    /// The path; empty for a line that is no hit (a separator, a message).
    path: &'t str,
    /// Length of the path and its colon; 0 for a line that is no hit.
    path_len: u32,
    /// Number of hits in its file.
    n_in_file: u32,
    /// Whether it is the first of its file.
    is_first: bool,
}

fn hits(text: &str) -> Vec<Hit<'_>> {
    let mut out: Vec<Hit<'_>> = lines(text)
        .into_iter()
        .map(|line| {
            let path = path_of(trim_eol(line.of(text))).unwrap_or_default();
            let path_len = if path.is_empty() { 0 } else { offset(path.len() + 1) };
            Hit { line, path, path_len, n_in_file: 0, is_first: false }
        })
        .collect();
    let mut n_by_path: HashedMap<u32> = HashedMap::default();
    for hit in &mut out {
        let n = n_by_path.entry(mask::hash(hit.path)).or_insert(0);
        hit.is_first = *n == 0;
        *n += 1;
    }
    for hit in &mut out {
        hit.n_in_file = n_by_path.get(&mask::hash(hit.path)).copied().unwrap_or(0);
    }
    out
}

/// The path of a hit: up to the first `:` that a line number and another `:` follow; without line numbers, up to the
/// first `:` when it looks like a path. Context lines (`path-12-text`) are read alike.
fn path_of(line: &str) -> Option<&str> {
    let bytes = line.as_bytes();
    for mark in memchr::memchr2_iter(b':', b'-', bytes).take(32) {
        let digits = bytes.get(mark + 1..)?.iter().take_while(|b| b.is_ascii_digit()).count();
        if mark > 0 && digits > 0 && bytes.get(mark) == bytes.get(mark + 1 + digits) {
            return line.get(..mark);
        }
    }
    let (path, _) = line.split_once(':')?;
    let is_path = (path.contains('/') || path.contains('.')) && !path.contains([' ', '(', '"']);
    is_path.then_some(path)
}

/// The folder that all hits stand in, with its slash, where to name it once is shorter.
fn folder<'t>(hits: &[Hit<'t>]) -> &'t str {
    let mut paths = hits.iter().filter(|hit| hit.path_len > 0).map(|hit| hit.path);
    let Some(mut shared) = paths.next() else { return "" };
    let mut n_paths = 1;
    for path in paths {
        let n = shared.bytes().zip(path.bytes()).take_while(|(a, b)| a == b).count();
        shared = shared.get(..shared.floor_char_boundary(n)).unwrap_or_default();
        n_paths += 1;
    }
    let folder = shared.rfind('/').and_then(|slash| shared.get(..=slash)).unwrap_or_default();
    if folder.len() >= MIN_FOLDER && n_paths >= MIN_IN_FOLDER { folder } else { "" }
}

/// Writes hits with their path once for each file, and the folder of all of them once.
fn write(hits: &[Hit<'_>], segments: &[Segment], mut draft: Draft) -> Draft {
    let mut open = "";
    let folder = folder(hits);
    let n_folder = offset(folder.len());
    if !folder.is_empty() {
        let of = Span { start: 0, end: 0 };
        draft.pieces.push(Piece::Recoded { of, text: format!("all in {folder}\n") });
    }
    for segment in segments {
        match segment {
            Segment::Keep { units } => {
                for hit in hits.get(units.clone()).unwrap_or_default() {
                    if hit.n_in_file == 1 {
                        // A heading for one hit would be longer than its path.
                        let n_gone = if hit.path_len > 0 { n_folder } else { 0 };
                        let start = hit.line.start;
                        if n_gone > 0 {
                            let of = Span { start, end: start + n_gone };
                            draft.pieces.push(Piece::Recoded { of, text: String::new() });
                        }
                        draft.keep(Span { start: start + n_gone, end: hit.line.end });
                        open = "";
                        continue;
                    }
                    if hit.path_len > 0 {
                        let text =
                            if hit.path == open { String::new() } else { heading(hit, folder) };
                        draft.pieces.push(Piece::Recoded {
                            of: Span { start: hit.line.start, end: hit.line.start + hit.path_len },
                            text,
                        });
                        open = hit.path;
                    }
                    draft.keep(Span { start: hit.line.start + hit.path_len, end: hit.line.end });
                }
            }
            Segment::Elide { units, marker } => {
                let gone = hits.get(units.clone()).unwrap_or_default();
                if let (Some(first), Some(last)) = (gone.first(), gone.last()) {
                    let n_units = offset(gone.len());
                    draft.pieces.push(Piece::Marker {
                        of: first.line.join(last.line),
                        n_units,
                        text: marker.clone(),
                    });
                    if last.path != open {
                        open = "";
                    }
                }
            }
        }
    }
    draft
}

/// The line above the hits of a file.
fn heading(hit: &Hit<'_>, folder: &str) -> String {
    let matches = if hit.n_in_file == 1 {
        "1 match".to_owned()
    } else {
        format!("{} matches", hit.n_in_file)
    };
    format!("{} ({matches})\n", hit.path.strip_prefix(folder).unwrap_or(hit.path))
}

fn sheet<'t>(text: &'t str, hits: &[Hit<'t>]) -> Sheet<'t> {
    let mut sheet = Sheet::new(text, "matches");
    let file = sheet.add_column("file");
    let common = common_word(text, hits);
    for hit in hits {
        let content = trim_eol(hit.line.of(text)).get(hit.path_len as usize..).unwrap_or_default();
        let shape = if hit.path_len == 0 { mask::shape(content) } else { around(content, common) };
        // The first hit of each file has a shape of its own.
        let shape = if hit.is_first { mask::mix(shape, mask::hash(hit.path)) } else { shape };
        sheet.add_unit(hit.line, shape, Severity::None);
        if hit.path_len > 0 {
            sheet.add_cell(
                file,
                CellKind::Text,
                Span { start: hit.line.start, end: hit.line.start + hit.path_len - 1 },
            );
        }
    }
    sheet
}

/// The words of a line, lower-cased only in hashing: text between non-alphanumeric characters.
fn words(content: &str) -> impl Iterator<Item = &str> {
    content.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

/// The hash of the word that nine in ten hits share: what was searched for. The longest such, none when there is none.
fn common_word(text: &str, hits: &[Hit<'_>]) -> Option<u64> {
    let mut counts: HashedMap<(u32, u32, u32)> = HashedMap::default();
    let mut n = 0;
    for (hit, at) in hits.iter().filter(|hit| hit.path_len > 0).take(512).zip(1_u32..) {
        n = at;
        let content = hit.line.of(text).get(hit.path_len as usize..).unwrap_or_default();
        for word in words(content).filter(|word| !word.starts_with(|c: char| c.is_ascii_digit())) {
            let entry = counts.entry(mask::hash(word)).or_insert((0, 0, offset(word.len())));
            if entry.1 != at {
                *entry = (entry.0 + 1, at, entry.2);
            }
        }
    }
    let mut best: Option<(u32, u64)> = None;
    for hit in hits.iter().filter(|hit| hit.path_len > 0).take(8) {
        for word in words(hit.line.of(text).get(hit.path_len as usize..).unwrap_or_default()) {
            let hash = mask::hash(word);
            if let Some((count, _, len)) = counts.get(&hash)
                && count * 10 >= n * 9
                && best.is_none_or(|(best_len, _)| *len > best_len)
            {
                best = Some((*len, hash));
            }
        }
    }
    best.map(|(_, hash)| hash)
}

/// The shape of a hit: the searched word with what stands around it; the masked line when nothing is shared.
fn around(content: &str, common: Option<u64>) -> u64 {
    let Some(common) = common else { return mask::shape(content) };
    let mut at = 0;
    for word in words(content) {
        let start =
            content.get(at..).and_then(|rest| rest.find(word)).map_or(at, |found| at + found);
        at = start + word.len();
        if mask::hash(word) == common {
            let before = content.get(..start).unwrap_or_default().trim_end().chars().next_back();
            let after = content.get(at..).unwrap_or_default().trim_start();
            let next =
                words(after).next().filter(|next| after.starts_with(*next)).unwrap_or_else(|| {
                    after.get(..after.chars().next().map_or(0, char::len_utf8)).unwrap_or_default()
                });
            let before = before.filter(|c| !c.is_alphanumeric() && !c.is_ascii_digit());
            return mask::mix(mask::hash(next), before.map_or(8, |c| u64::from(u32::from(c))));
        }
    }
    mask::shape(content)
}
