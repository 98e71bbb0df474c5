//! Elision: the one mechanism by which every lossy compressor leaves units out.
//!
//! ```text
//! compressor: payload -> Sheet (units, their shapes, severities and fields)
//! profile:    what each field holds over the whole sheet (constant, enumeration, identifier, measure, time)
//! plan:       which units stay, and why
//! facts:      what is true of the units of one run that goes
//! marker:     the statement that stands in its place
//! ```
//! A compressor fills a [`Sheet`] and gets [`Segment`]s back; what it does to kept units is its own affair.

mod facts;
mod marker;
pub mod mask;
#[cfg(test)]
mod oracle;
mod plan;
mod profile;
mod sheet;
pub mod signal;

pub use marker::{MARKER_OPEN, Style};
pub use plan::Segment;
pub use sheet::{CellKind, Sheet, Unit, is_number};
pub use signal::Severity;

use crate::draft::{Draft, Piece};
use crate::prelude::*;
use crate::text::Span;

/// What the caller wants to see: words that protect units, and how hard to press.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Focus {
    /// Words of the caller's query, lower-cased; a unit that holds one of them stays. Default: none.
    pub words: Vec<String>,
    /// 0 keeps what the rules ask for; each step keeps fewer units, signals last. At most [`Focus::MAX_PRESSURE`]. Default: 0.
    pub pressure: u8,
    /// How many lines of the file stand before the payload's first, as a gutter says: markers count on from there. Default: 0.
    pub lines_before: u32,
    /// How many payloads this one stands in, as a string or a segment. Default: 0.
    pub depth: u8,
}

impl Focus {
    /// The hardest pressure.
    pub const MAX_PRESSURE: u8 = 4;

    /// The focus of a caller's query.
    pub fn of_query(query: Option<&str>) -> Focus {
        let words = query.unwrap_or_default().split_whitespace().map(str::to_lowercase).collect();
        Focus { words, ..Focus::default() }
    }

    /// Whether `text` holds a word that was asked for.
    pub fn is_in(&self, text: &str) -> bool {
        if self.words.is_empty() {
            return false;
        }
        let lower = text.to_lowercase();
        self.words.iter().any(|word| lower.contains(word.as_str()))
    }
}

/// Decides which units of `sheet` stay. Segments come in order and cover every unit exactly once.
pub fn segments(sheet: &Sheet<'_>, focus: &Focus, style: &Style) -> Vec<Segment> {
    let profile = profile::Profile::of(sheet);
    let keep = plan::keep(sheet, &profile, focus);
    plan::segments(sheet, &profile, &keep, focus, style)
}

/// A marker that a compressor writes without a sheet: `n_units` units elided, from one number to another.
pub fn marker(
    n_units: usize,
    noun: &str,
    (from, to): (u32, u32),
    facts: &[String],
    style: &Style,
) -> String {
    let says_lines = style.numbering == marker::Numbering::Lines && noun != "lines";
    marker::write(marker::Run { n_units, from, to, says_lines }, noun, facts, style, usize::MAX)
}

/// What is said beside the handle: how often each signal class occurred, where that is more often than it is shown.
pub fn notes(sheet: &Sheet<'_>, focus: &Focus) -> Vec<String> {
    plan::notes(sheet, focus)
}

/// The draft of a payload whose units are whole lines: what lies outside the units (headers, separators) is kept, each
/// elided run becomes a marker line. `None` when nothing is elided.
pub fn draft(sheet: &Sheet<'_>, focus: &Focus, style: &Style) -> Option<Draft> {
    draft_with(sheet, focus, style, |kept, draft| draft.keep(kept))
}

/// As [`draft`], where `keep` adds each stretch that stays.
pub fn draft_with(
    sheet: &Sheet<'_>,
    focus: &Focus,
    style: &Style,
    keep: impl Fn(Span, &mut Draft),
) -> Option<Draft> {
    let mut draft = Draft::new("elide", sheet.noun, sheet.len());
    let mut at = 0;
    for segment in segments(sheet, focus, style) {
        let Segment::Elide { units, marker: text } = segment else { continue };
        let of = Span { start: sheet.start_of(units.start), end: sheet.end_of(units.end) };
        keep(Span { start: at, end: of.start }, &mut draft);
        draft.pieces.push(Piece::Marker { of, n_units: crate::text::offset(units.len()), text });
        at = of.end;
    }
    keep(Span { start: at, end: crate::text::offset(sheet.text.len()) }, &mut draft);
    draft.notes = notes(sheet, focus);
    (!draft.is_lossless()).then_some(draft)
}
