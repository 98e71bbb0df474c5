//! The general cut of a payload into units, for kinds whose compressor does not cut them itself.

mod blocks;
mod diff;
mod lines;
pub(super) mod names;
mod sections;

use crate::compress::Units;
use crate::kind::Kind;
use crate::prelude::*;
use crate::text::Span;

/// No unit.
pub(super) const NONE: u32 = Units::NO_HEAD;

/// Above this size in bytes a unit that nests is cut at its next level. A quarter of a view at 4 bytes a token: our choice.
const LARGE: usize = 8 << 10;
/// The same for kinds whose levels are fine-grained.
const LARGE_FINE: usize = 2 << 10;

/// One unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    /// Its bytes in the bare text.
    pub span: Span,
    /// The unit that opens its level and is shown above it (a diff's file header, a heading, a class line); [`NONE`] without.
    pub head: u32,
    /// Whether it is such a head itself.
    pub is_head: bool,
}

/// A payload cut into units in source order, without overlap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cut {
    /// Shown once above the units; empty when there is none.
    pub header: Span,
    /// The units. A head stands before what it heads.
    pub units: Vec<Unit>,
    /// The units that declare what the query names, ascending: they rank before all others.
    pub named: Vec<u32>,
    /// Whether the query is nothing but names that these declare: then only they are shown.
    pub is_by_name: bool,
    /// What one unit is called, in the plural.
    pub noun: &'static str,
}

impl Cut {
    fn new(noun: &'static str) -> Cut {
        Cut { noun, ..Cut::default() }
    }

    /// The span of the unit with this index.
    pub(super) fn span(&self, unit: u32) -> Span {
        self.units.get(unit as usize).map_or(Span::default(), |unit| unit.span)
    }

    /// The heads above a unit, innermost first.
    pub(super) fn heads(&self, unit: u32) -> impl Iterator<Item = u32> + '_ {
        let head_of = |unit: u32| {
            let head = self.units.get(unit as usize)?.head;
            // A head stands before its units: so the walk ends.
            (head < unit).then_some(head)
        };
        core::iter::successors(head_of(unit), move |head| head_of(*head))
    }

    /// Adds a unit under `head`; answers its index.
    fn push(&mut self, span: Span, head: u32) -> u32 {
        let index = crate::text::offset(self.units.len());
        if !span.is_empty() {
            self.units.push(Unit { span, head, is_head: false });
        }
        index
    }

    /// Adds a unit that heads the next ones; answers its index.
    fn push_head(&mut self, span: Span, head: u32) -> u32 {
        let index = self.push(span, head);
        if let Some(unit) = self.units.get_mut(index as usize) {
            unit.is_head = true;
        }
        index
    }

    /// As it is, unless it has fewer than two units: then nothing decomposes.
    fn checked(self) -> Option<Cut> {
        (self.units.len() > 1).then_some(self)
    }
}

impl From<Units> for Cut {
    fn from(units: Units) -> Cut {
        let heads = units.heads.iter().copied().chain(core::iter::repeat(NONE));
        let to_unit = |(span, head)| Unit { span, head, is_head: false };
        let mut all: Vec<Unit> = units.spans.into_iter().zip(heads).map(to_unit).collect();
        for head in units.heads {
            if let Some(unit) = all.get_mut(head as usize) {
                unit.is_head = true;
            }
        }
        Cut { header: units.header, units: all, noun: units.noun, ..Cut::default() }
    }
}

/// Cuts `text` as its kind asks for; `None` when it does not decompose.
pub(super) fn cut(text: &str, kind: Kind) -> Option<Cut> {
    let cut = match kind {
        Kind::TestReport | Kind::Diagnostics | Kind::Terminal => lines::outline(text),
        Kind::Diff => diff::hunks(text),
        Kind::GitLog => diff::commits(text),
        Kind::Config => blocks::config(text, LARGE_FINE),
        Kind::Code => blocks::items(text),
        Kind::Json | Kind::ToolSchema | Kind::Html | Kind::Xml | Kind::Toon | Kind::A11y => {
            blocks::blocks(text, LARGE_FINE)
        }
        Kind::Markdown => sections::sections(text),
        Kind::Text | Kind::Mixed => sections::paragraphs(text),
        _ => lines::lines(text, "lines"),
    };
    cut.checked().or_else(|| lines::lines(text, "lines").checked())
}

/// Cuts a text whose units are too large for a view in smaller ones.
pub(super) fn finer(text: &str, kind: Kind) -> Option<Cut> {
    match kind {
        Kind::Code => blocks::blocks(text, LARGE).checked(),
        _ => cut(text, kind),
    }
}

/// Whether a line holds nothing but whitespace.
fn is_blank(line: &str) -> bool {
    line.trim_ascii().is_empty()
}

/// Whether a line belongs to the one below it: a comment or an attribute.
fn is_prefix(line: &str) -> bool {
    let line = line.trim_ascii_start();
    ["//", "/*", "*", "--", "@", "#[", "# ", "#:", "\"\"\"", "template<", "template <"]
        .iter()
        .any(|start| line.starts_with(start))
        || line.trim_ascii_end() == "#"
}

/// The width of a line's indentation: a tab goes to the next multiple of eight.
fn indent(line: &str) -> usize {
    let mut width = 0;
    for byte in line.bytes() {
        match byte {
            b' ' => width += 1,
            b'\t' => width = (width / 8 + 1) * 8,
            _ => break,
        }
    }
    width
}
