//! The compressors: one folder per kind, one registration line each.

mod code;
mod config;
mod diff;
mod html;
mod json;
mod listing;
mod log;
mod markdown;
mod ndjson;
mod search;
mod stack_trace;
mod table;
mod tabular;
mod terminal;
mod test_report;
mod text;
mod xml;

use crate::draft::Draft;
use crate::elide::Focus;
use crate::kind::Kind;
use crate::prelude::*;
use crate::text::Span;

/// Code for one kind. Stateless: everything it knows of a payload is in its arguments.
pub trait Compressor: Sync {
    /// The kind that it serves.
    fn kind(&self) -> Kind;

    /// Proposals for `text`; none of them when the compressor declines.
    fn compress(&self, text: &str, focus: &Focus) -> Proposals;

    /// The whole units that a retrieve by query may show; `None` when the payload does not decompose.
    fn units(&self, text: &str) -> Option<Units>;
}

/// What a compressor proposes; the engine weighs the two by tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proposals {
    /// Best re-encoding without loss.
    pub lossless: Option<Draft>,
    /// Best elision.
    pub elided: Option<Draft>,
}

/// A payload cut for retrieval.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Units {
    /// Shown once above the units (a CSV or table header); empty when there is none.
    pub header: Span,
    /// The units in source order, without overlap; each is shown as it stands.
    pub spans: Vec<Span>,
    /// For each unit the index of the one that opens its level and is shown above it (a folder's line, a file header, a
    /// heading), or [`Units::NO_HEAD`]. A head stands before what it heads and is not counted. Empty when there are no levels.
    pub heads: Vec<u32>,
    /// What one unit is called, in the plural.
    pub noun: &'static str,
}

impl Units {
    /// In [`Units::heads`]: this unit stands under no other.
    pub const NO_HEAD: u32 = u32::MAX;

    /// Units without levels and header; `None` when there are fewer than two: then nothing decomposes.
    pub fn flat(noun: &'static str, spans: Vec<Span>) -> Option<Units> {
        (spans.len() >= 2).then_some(Units { spans, noun, ..Units::default() })
    }
}

/// Every compressor, found by kind.
pub const ALL: &[&dyn Compressor] = &[
    &html::Html,
    &xml::Xml,
    &markdown::Markdown,
    &json::Json,
    &ndjson::Ndjson,
    &log::Log,
    &stack_trace::StackTrace,
    &tabular::Tabular,
    &table::Table,
    &listing::Listing,
    &search::Search,
    &test_report::TestReport,
    &text::Text,
    &diff::Diff,
    &config::Config,
    &terminal::Terminal,
    &code::Code,
];

/// The compressor of `kind`; `None` when there is none yet.
pub fn of(kind: Kind) -> Option<&'static dyn Compressor> {
    ALL.iter().copied().find(|c| c.kind() == kind)
}
