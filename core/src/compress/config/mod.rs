//! Configuration: YAML, TOML, INI, dotenv, and lockfiles.
//!
//! ```text
//! jobs:                       jobs:
//!   build-a:                    build-a:
//!     runs-on: linux              runs-on: linux
//!   build-b:               -> # [caveman: 38 entries elided: lines 4-79; runs-on: linux; names: build-b, …]
//!     runs-on: linux            build-z:
//!   …                             runs-on: linux
//! ```
//! Keeps: top-level keys by name, blocks of another structure than their siblings, rare values, outliers; every name and
//! version of a lockfile.
//! Declines: files without six sibling blocks alike.

mod lock;
mod outline;

use super::json::records::{Path, Records};
use super::{Compressor, Proposals, Units};
use crate::draft::{Draft, Piece};
use crate::elide::{self, CellKind, Focus, Segment, Sheet, Style, mask};
use crate::kind::Kind;
use crate::prelude::*;
use crate::text::{Span, offset};
pub(super) use lock::npm;
use outline::{Outline, Sort};

/// The compressor of configuration.
#[derive(Debug)]
pub(super) struct Config;

/// Fewer siblings stay as they are. Our choice.
const MIN_BLOCKS: usize = 6;
/// Bare items are cheap: a list of fewer stays. Our choice.
const MIN_SCALARS: usize = 20;
/// Siblings further in than this are not looked at, so that the work stays linear in the payload.
const MAX_DEPTH: u32 = 12;
/// Kept blocks in kept blocks …: no deeper than this.
const MAX_NESTING: usize = 4;
/// Names are listed where they are at most one part in so many of what goes. Our choice.
const NAMES_SHARE: usize = 8;

impl Compressor for Config {
    fn kind(&self) -> Kind {
        Kind::Config
    }

    fn compress(&self, text: &str, focus: &Focus) -> Proposals {
        if let Some(draft) = lock::list(text) {
            return Proposals { lossless: None, elided: Some(draft) };
        }
        let outline = outline::read(text);
        let mut writer =
            Writer { text, outline: &outline, focus, draft: Draft::new("elide", "blocks", 0) };
        writer.copy(0, offset(outline.nodes.len()), Span::new(0, text.len()), 0);
        Proposals { lossless: None, elided: (!writer.draft.is_lossless()).then_some(writer.draft) }
    }

    fn units(&self, _text: &str) -> Option<Units> {
        None
    }
}

/// Writes a text, siblings elided where that pays.
struct Writer<'a> {
    text: &'a str,
    outline: &'a Outline,
    focus: &'a Focus,
    draft: Draft,
}

impl Writer<'_> {
    /// Copies `span`, which is that of the nodes `from..to`, and elides among them.
    fn copy(&mut self, from: u32, to: u32, span: Span, nesting: usize) {
        let outline = self.outline;
        let mut copied = span.start;
        let mut at = from;
        while at < to && nesting < MAX_NESTING {
            let Some(node) = outline.nodes.get(at as usize) else { break };
            let mut families = Vec::new();
            if at == 0 && nesting == 0 {
                // Documents are siblings too, and have no parent.
                families = self.families(self.documents());
            }
            if node.depth < MAX_DEPTH {
                families.extend(self.families(outline.children(at).map(|child| child.0).collect()));
            }
            let mut next = at + 1;
            for family in families {
                let segments = self.segments(&family);
                let goes = segments.iter().any(|s| matches!(s, Segment::Elide { .. }));
                let (Some(first), Some(last)) = (family.first(), family.last()) else { continue };
                if *first < next && *first != at || !goes {
                    continue;
                }
                // What stands before the siblings may hold siblings of its own.
                let start = self.outline.span(*first, self.text).start;
                self.copy(next.min(*first), *first, Span { start: copied, end: start }, nesting);
                self.write(&family, &segments, nesting);
                copied = self.outline.span(*last, self.text).end;
                next = self.outline.nodes.get(*last as usize).map_or(to, |n| n.next);
            }
            at = next;
        }
        self.draft.keep(Span { start: copied, end: span.end });
    }

    fn documents(&self) -> Vec<u32> {
        let mut out = Vec::new();
        let mut at = 0;
        while let Some(node) = self.outline.nodes.get(at as usize) {
            out.push(at);
            at = node.next.max(at + 1);
        }
        out
    }

    /// Runs of siblings of one family that may go. A key with a bare value ends a run.
    fn families(&self, siblings: Vec<u32>) -> Vec<Vec<u32>> {
        let mut out: Vec<Vec<u32>> = Vec::new();
        let mut before = None;
        for index in siblings {
            let Some(node) = self.outline.nodes.get(index as usize) else { continue };
            let is_bare = node.next == index + 1;
            let family = match node.sort {
                Sort::Entry if is_bare => None,
                Sort::Item => Some(mask::mix(node.family, u64::from(is_bare))),
                _ => Some(node.family),
            };
            match (family, out.last_mut()) {
                (Some(_), Some(run)) if family == before => run.push(index),
                (Some(_), _) => out.push(vec![index]),
                (None, _) => {}
            }
            before = family;
        }
        out.retain(|run| {
            let is_bare = run
                .iter()
                .all(|i| self.outline.nodes.get(*i as usize).is_some_and(|n| n.next == i + 1));
            run.len() >= if is_bare { MIN_SCALARS } else { MIN_BLOCKS }
        });
        out
    }

    fn segments(&self, family: &[u32]) -> Vec<Segment> {
        let Some(first) = family.first().and_then(|i| self.outline.nodes.get(*i as usize)) else {
            return Vec::new();
        };
        let noun = match first.sort {
            Sort::Document => "documents",
            Sort::Record => "records",
            Sort::Section => "sections",
            Sort::Entry => "entries",
            Sort::Item => "items",
        };
        let n_bytes: usize = family.iter().map(|i| self.outline.span(*i, self.text).len()).sum();
        let names: Vec<Option<&str>> = family.iter().map(|i| self.name(*i)).collect();
        let n_names: usize = names.iter().flatten().map(|name| name.len() + 2).sum();
        // Top-level keys stay visible whatever that costs.
        let must_list =
            first.sort == Sort::Section || first.sort == Sort::Entry && first.depth == 1;
        let lists = n_names > 0 && (must_list || n_names * NAMES_SHARE <= n_bytes);
        let mut sheet = Sheet::new(self.text, noun);
        let mut records = Records::default();
        for index in family {
            self.add(&mut sheet, &mut records, *index, lists);
        }
        records.settle(&mut sheet);
        let mut segments = elide::segments(&sheet, self.focus, &Style::HASH);
        if lists {
            for segment in &mut segments {
                let Segment::Elide { units, marker } = segment else { continue };
                let gone: Vec<&str> = names
                    .get(units.clone())
                    .unwrap_or_default()
                    .iter()
                    .flatten()
                    .copied()
                    .collect();
                let bare = marker.trim_end().trim_end_matches(']');
                *marker = format!("{bare}; names: {}]\n", gone.join(", "));
                let replaced: usize = family
                    .get(units.clone())
                    .unwrap_or_default()
                    .iter()
                    .map(|i| self.outline.span(*i, self.text).len())
                    .sum();
                if marker.len() * 2 > replaced {
                    *segment = Segment::Keep { units: units.clone() };
                }
            }
        }
        segments
    }

    /// What a sibling is called: its key; for a document `metadata.name`.
    fn name(&self, index: u32) -> Option<&str> {
        let node = self.outline.nodes.get(index as usize)?;
        match node.sort {
            Sort::Item | Sort::Record => None,
            Sort::Document => {
                let named = |index: u32, name: &str| {
                    self.outline.children(index).find(|(_, n)| n.name.of(self.text) == name)
                };
                let (metadata, _) = named(index, "metadata")?;
                let (_, name) = named(metadata, "name")?;
                Some(name.value.of(self.text))
            }
            // The elements of an array of tables share their name.
            Sort::Section if node.is_element => None,
            Sort::Section | Sort::Entry => Some(node.name.of(self.text)),
        }
    }

    /// Adds a sibling as a unit.
    fn add(&self, sheet: &mut Sheet<'_>, records: &mut Records, index: u32, lists_names: bool) {
        let Some(unit) = self.outline.nodes.get(index as usize) else { return };
        records.begin(sheet, self.outline.span(index, self.text));
        if !lists_names && self.name(index).is_some() && unit.sort != Sort::Document {
            records.key(sheet, unit.name);
        }
        let mut path: Vec<&str> = Vec::new();
        let mut hashes: Vec<u64> = vec![0];
        for at in index..unit.next {
            let Some(node) = self.outline.nodes.get(at as usize) else { break };
            let comment = Span { start: node.start, end: node.line }.of(self.text).trim();
            if !comment.is_empty() {
                records.remark(comment);
            }
            let depth = (node.depth.saturating_sub(unit.depth) as usize).min(MAX_DEPTH as usize);
            let mut name = "";
            if depth > 0 {
                name = if node.sort == Sort::Item { "[]" } else { node.name.of(self.text) };
                path.truncate(depth - 1);
                hashes.truncate(depth);
                let above = hashes.last().copied().unwrap_or(0);
                hashes.push(mask::mix(above, mask::hash(name)));
            }
            let hash = hashes.last().copied().unwrap_or(0);
            if !node.value.is_empty() {
                let value = node.value.of(self.text);
                records.leaf(
                    sheet,
                    Path { hash, above: &path, name },
                    CellKind::of(value),
                    node.value,
                );
                if unit.sort == Sort::Document && depth == 1 && name == "kind" {
                    records.remark(value);
                }
            }
            // Lines that no node names (block scalars, lists in brackets) are new content where they differ.
            let own = Span { start: node.value.end.max(node.line), end: self.end_of_own(at) };
            if let Some((_, more)) = own.of(self.text).split_once('\n')
                && !more.trim().is_empty()
            {
                records.remark(more);
            }
            if depth > 0 {
                path.push(name);
            }
        }
        records.end(sheet);
    }

    /// Where the first node after this one begins.
    fn end_of_own(&self, index: u32) -> u32 {
        self.outline.nodes.get(index as usize + 1).map_or(offset(self.text.len()), |n| n.start)
    }

    fn write(&mut self, family: &[u32], segments: &[Segment], nesting: usize) {
        self.draft.n_units += offset(family.len());
        for segment in segments {
            match segment {
                Segment::Keep { units } => {
                    for index in family.get(units.clone()).unwrap_or_default() {
                        let next = self.outline.nodes.get(*index as usize).map_or(0, |n| n.next);
                        self.copy(*index, next, self.outline.span(*index, self.text), nesting + 1);
                    }
                }
                Segment::Elide { units, marker } => {
                    let of = family
                        .get(units.clone())
                        .unwrap_or_default()
                        .iter()
                        .map(|i| self.outline.span(*i, self.text))
                        .reduce(Span::join)
                        .unwrap_or_default();
                    let first =
                        family.get(units.start).and_then(|i| self.outline.nodes.get(*i as usize));
                    let line =
                        first.and_then(|n| self.text.get(n.line as usize..)).unwrap_or_default();
                    let body = line.trim_start_matches([' ', '\t']);
                    let indentation = line.get(..line.len() - body.len()).unwrap_or_default();
                    self.draft.pieces.push(Piece::Marker {
                        of,
                        n_units: offset(units.len()),
                        text: format!("{indentation}{marker}"),
                    });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compresses, and asks that pieces ascend within the text.
    fn check(text: &str) -> Option<Draft> {
        let draft = Config.compress(text, &Focus::default()).elided;
        let mut at = 0;
        for piece in draft.iter().flat_map(|draft| &draft.pieces) {
            if let Piece::Kept(of) | Piece::Recoded { of, .. } | Piece::Marker { of, .. } = piece {
                assert!(of.start >= at && of.end >= of.start && of.end as usize <= text.len());
                at = of.end;
            }
        }
        draft
    }

    #[test]
    fn hostile_payloads_come_back_without_a_crash() {
        for text in [
            String::new(),
            "a".repeat(1 << 20),
            format!("a: {}", "b: ".repeat(1 << 18)),
            format!("a: {}", "[".repeat(1 << 20)),
            (0..10_000).map(|n| format!("{}a:\n", " ".repeat(n % 5000))).collect(),
            (0..4_000).map(|n| format!("{}- a: 1\n", "  ".repeat(n))).collect(),
            "- ".repeat(100_000),
            (0..10_000).map(|n| format!("[{}]\n", "a.".repeat(n % 300) + "a")).collect(),
            "[[package]]\nname = \"\n".repeat(1000),
            "{\"lockfileVersion\": 1, \"dependencies\": ".to_owned() + &"{\"a\":".repeat(10_000),
        ] {
            check(&text);
        }
    }

    #[test]
    fn an_odd_block_and_every_top_level_key_stay_visible() {
        let block = |n: usize| {
            let odd = if n == 33 { "  privileged: true\n" } else { "" };
            format!(
                "web-{n}:\n  image: web\n  port: 80{n:02}\n  restart: always\n  user: web\n{odd}"
            )
        };
        let text: String = (0..60).map(block).collect();
        let shown = check(&text).map(|draft| draft.render(&text)).unwrap_or_default();
        assert!(shown.len() * 2 < text.len(), "{shown}");
        assert!(shown.contains("web-33:\n  image: web\n"), "{shown}");
        for n in 0..60 {
            assert!(shown.contains(&format!("web-{n}")), "web-{n} in {shown}");
        }
    }
}
