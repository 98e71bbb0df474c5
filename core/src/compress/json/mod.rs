//! JSON documents.
//!
//! ```text
//! [                                                  [
//!   { "order_id": "ord-1000", "status": "paid" },    {"order_id":"ord-1000","status":"paid"},
//!   { "order_id": "ord-1001", "status": "paid" },    "[caveman: 147 records elided: 2-148; order_id: 147 distinct, …]",
//!   …                                             -> {"order_id":"ord-1149","status":"paid"}
//! ]                                                  ]
//! ```
//! Keeps: structure, every key outside elided records, records with errors, rare values, outliers; a kept record is its
//! slice, or the same without the whitespace between its tokens; a string that is a payload itself (`stdout`, `content`,
//! the `text` of a content block) as its own compressor leaves it, still a string ([`leaf`]).
//! Recodes without loss, where that is shorter: without whitespace, or as TOON.
//! Declines: text that is not JSON, short documents.

mod leaf;
pub(crate) mod records;
mod units;

use super::{Compressor, Proposals, Units};
use crate::draft::{Draft, Piece};
use crate::elide::{self, Focus, Segment, Sheet, Style};
use crate::json::{self, JsonKind, Tape, Value};
use crate::kind::Kind;
use crate::prelude::*;
use crate::text::{Span, offset};
use crate::{tokens, toon};
use records::Records;

/// The compressor of JSON documents.
#[derive(Debug)]
pub(super) struct Json;

/// Shorter documents stay as they are: there is nothing to win. Our choice.
const MIN_BYTES: usize = 512;
/// Shorter documents stay JSON, which every reader knows. Our choice.
const MIN_TOON_BYTES: usize = 1024;
/// A re-encoding so many times longer than the elided draft is never chosen; see the engine's weighing.
const HOPELESS: usize = 4;
/// Arrays of fewer elements stay as they are. Our choice.
const MIN_RECORDS: usize = 6;
/// Objects of fewer members, all containers, are no maps. Our choice.
const MIN_ENTRIES: usize = 8;
/// Bare numbers and strings are cheap: an array of fewer stays. Our choice.
const MIN_SCALARS: usize = 20;
/// Arrays in kept records of arrays …: no deeper than this, so that the work stays linear in the payload.
const MAX_NESTING: usize = 4;

impl Compressor for Json {
    fn kind(&self) -> Kind {
        Kind::Json
    }

    fn compress(&self, text: &str, focus: &Focus) -> Proposals {
        if text.len() < MIN_BYTES {
            return Proposals::default();
        }
        if let Some(draft) = super::config::npm(text) {
            return Proposals { lossless: None, elided: Some(draft) };
        }
        let Ok(tape) = json::read(text) else { return Proposals::default() };
        let root = tape.root();
        if let Some(proposals) = super::tool_schema::of_json(text, root, focus) {
            return proposals;
        }
        let draft = Draft::new("elide", "records", 0);
        let mut writer = Writer { tape: &tape, focus, draft, has_leaf: false };
        writer.copy_subtree(root.index(), root.node().next(), root.span(), 0);
        if !writer.draft.is_lossless() {
            let lossless = recoded(text, root, Some(&writer.draft));
            return Proposals { lossless, elided: Some(writer.draft) };
        }
        // Nothing was elided, but strings that are payloads may be shorter without loss.
        let lossless = recoded(text, root, None);
        let is_shorter = |draft: &Draft| writer.draft.len_bytes() < draft.len_bytes();
        let takes_own = writer.has_leaf && lossless.as_ref().is_none_or(is_shorter);
        Proposals { lossless: if takes_own { Some(writer.draft) } else { lossless }, elided: None }
    }

    fn units(&self, text: &str) -> Option<Units> {
        units::cut(text)
    }
}

/// The document without loss in the fewest tokens: without whitespace between its tokens, or as TOON. `None` when neither
/// is shorter, or when the elided draft is so much shorter that it will be taken anyway.
fn recoded(text: &str, root: Value<'_>, elided: Option<&Draft>) -> Option<Draft> {
    let draft = |method, text| Draft {
        pieces: vec![Piece::Recoded { of: root.span(), text }],
        ..Draft::new(method, "records", 0)
    };
    let mut minified = String::new();
    json::minify(text, &mut minified);
    if elided.is_some_and(|elided| minified.len() > elided.len_bytes().saturating_mul(HOPELESS)) {
        return None;
    }
    let options =
        toon::EncodeOptions { max_bytes: minified.len(), ..toon::EncodeOptions::default() };
    if text.len() >= MIN_TOON_BYTES
        && let Ok(toon) = toon::encode_value(root, &options)
        && tokens::count(&toon) < tokens::count(&minified)
    {
        return Some(draft("toon", toon));
    }
    (minified.len() < root.span().len()).then(|| draft("minify", minified))
}

/// The draft of one value in which strings that are payloads are shorter; `None` when none is. For lines of JSON.
pub(super) fn leaves(value: Value<'_>, focus: &Focus) -> Option<Draft> {
    let draft = Draft::new("elide", "lines", 0);
    let mut writer = Writer { tape: value.tape(), focus, draft, has_leaf: false };
    let next = value.node().next();
    writer.copy_subtree(value.index(), next, value.span(), MAX_NESTING);
    writer.has_leaf.then_some(writer.draft)
}

/// Writes a document, lists of units elided where that pays.
struct Writer<'a> {
    tape: &'a Tape<'a>,
    focus: &'a Focus,
    draft: Draft,
    /// Whether a string that is a payload was written shorter.
    has_leaf: bool,
}

impl Writer<'_> {
    /// Copies the text of the nodes `from..to`, which is `span`, and elides in the lists among them.
    fn copy_subtree(&mut self, from: u32, to: u32, span: Span, nesting: usize) {
        let mut copied = span.start;
        let mut at = from;
        while at < to {
            let Some(value) = self.tape.value(at) else { break };
            if let Some(part) = leaf::compress(value, self.focus) {
                let Span { start, end } = value.span();
                self.copy(Span { start: copied, end: start });
                // The quotes stay.
                self.draft.keep(Span { start, end: start + 1 });
                self.draft.append(part, 0);
                self.draft.keep(Span { start: end - 1, end });
                self.has_leaf = true;
                copied = end;
                at += 1;
                continue;
            }
            if nesting >= MAX_NESTING || !value.is_container() || value.len() < MIN_RECORDS {
                at += 1;
                continue;
            }
            let list = List::of(value);
            let segments =
                list.map(|list| (list, list.segments(self.tape.text, value, self.focus)));
            if let Some((list, (segments, units))) = segments {
                self.draft.n_units += offset(units.len());
                if segments.iter().any(|segment| matches!(segment, Segment::Elide { .. })) {
                    self.copy(Span { start: copied, end: value.span().start });
                    self.write_list(list, value, &segments, &units, nesting);
                    copied = value.span().end;
                    at = value.node().next();
                    continue;
                }
            }
            at += 1;
        }
        self.copy(Span { start: copied, end: span.end });
    }

    fn write_list(
        &mut self,
        list: List,
        value: Value<'_>,
        segments: &[Segment],
        units: &[Entry],
        nesting: usize,
    ) {
        let (open, line, close) = match list {
            List::Records => ("[\n", ",\n", "\n]"),
            List::Scalars => ("[", ",", "]"),
            List::Entries => ("{\n", ",\n", "\n}"),
        };
        self.draft.pieces.push(Piece::Glue(open));
        let mut is_first = true;
        for segment in segments {
            match segment {
                Segment::Keep { units: kept } => {
                    for unit in units.get(kept.clone()).unwrap_or_default() {
                        if !is_first {
                            self.draft.pieces.push(Piece::Glue(line));
                        }
                        is_first = false;
                        self.copy_subtree(unit.from, unit.to, unit.span, nesting + 1);
                    }
                }
                Segment::Elide { units: gone, marker } => {
                    if !is_first {
                        self.draft.pieces.push(Piece::Glue(line));
                    }
                    is_first = false;
                    let entries = units.get(gone.clone()).unwrap_or_default();
                    if let (Some(first), Some(last)) = (entries.first(), entries.last()) {
                        let text = if list == List::Entries {
                            format!("{marker}:0")
                        } else {
                            marker.clone()
                        };
                        let n_units = offset(gone.len());
                        self.draft.pieces.push(Piece::Marker {
                            of: first.span.join(last.span),
                            n_units,
                            text,
                        });
                    }
                }
            }
        }
        self.draft.pieces.push(Piece::Glue(close));
        debug_assert!(value.is_container(), "only lists are written");
    }

    /// Copies JSON text, whitespace between tokens left out.
    fn copy(&mut self, span: Span) {
        let original = span.of(self.tape.text);
        let mut text = String::new();
        json::minify(original, &mut text);
        if text.len() == original.len() {
            self.draft.keep(span);
        } else {
            self.draft.pieces.push(Piece::Recoded { of: span, text });
        }
    }
}

/// What a container is to the planner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum List {
    /// An array of objects or arrays.
    Records,
    /// An array of numbers and strings.
    Scalars,
    /// An object whose members are all containers: a map.
    Entries,
}

/// One unit of a list: its text, and its nodes (for a map with the key).
#[derive(Clone, Copy, Debug)]
struct Entry {
    span: Span,
    from: u32,
    to: u32,
}

impl List {
    fn of(value: Value<'_>) -> Option<List> {
        match value.kind() {
            JsonKind::Array => {
                let first = value.elements().next()?;
                if first.is_container() {
                    Some(List::Records)
                } else {
                    (value.len() >= MIN_SCALARS).then_some(List::Scalars)
                }
            }
            JsonKind::Object if value.len() >= MIN_ENTRIES => {
                value.members().all(|(_, v)| v.is_container()).then_some(List::Entries)
            }
            _ => None,
        }
    }

    fn segments(self, text: &str, value: Value<'_>, focus: &Focus) -> (Vec<Segment>, Vec<Entry>) {
        let noun = match self {
            List::Records => "records",
            List::Scalars => "values",
            List::Entries => "entries",
        };
        let mut sheet = Sheet::new(text, noun);
        // Every second node of an object is a key.
        let n_nodes = value.node().next().saturating_sub(value.index()) as usize;
        sheet.reserve(value.len(), n_nodes / 2 + 1);
        let mut records = Records::default();
        let mut units = Vec::with_capacity(value.len());
        if self == List::Entries {
            for (key, value) in value.members() {
                let span = key.span().join(value.span());
                let inside = Span { start: key.span().start + 1, end: key.span().end - 1 };
                records.add(&mut sheet, span, Some(inside), value);
                units.push(Entry { span, from: key.index(), to: value.node().next() });
            }
        } else {
            for element in value.elements() {
                records.add(&mut sheet, element.span(), None, element);
                units.push(Entry {
                    span: element.span(),
                    from: element.index(),
                    to: element.node().next(),
                });
            }
        }
        records.settle(&mut sheet);
        (elide::segments(&sheet, focus, &Style::JSON), units)
    }
}
