//! The compressors: one folder per kind, one registration line each.

mod a11y;
mod asked;
mod code;
mod config;
mod diagnostics;
mod diff;
mod fates;
mod fit;
mod git_log;
mod html;
mod json;
mod listing;
mod log;
mod markdown;
mod mixed;
mod ndjson;
mod part;
mod repetition;
mod search;
mod stack_trace;
mod table;
mod tabular;
mod terminal;
mod test_report;
mod text;
mod tool_schema;
mod toon;
mod xml;

use crate::draft::Draft;
use crate::elide::Focus;
use crate::kind::Kind;
use crate::prelude::*;
use crate::present::Presented;
use crate::text::Span;
pub use asked::notes as asked_notes;
pub use fit::fit;

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

impl Proposals {
    /// The better of the two: `finish` renders a draft, `price` says what the model pays for it.
    pub fn weigh<T>(self, finish: impl Fn(Draft) -> T, price: impl Fn(&T) -> u64) -> Option<T> {
        match (self.lossless, self.elided) {
            (None, None) => None,
            (Some(draft), None) | (None, Some(draft)) => Some(finish(draft)),
            (Some(lossless), Some(elided)) => {
                if lossless.len_bytes() > elided.len_bytes().saturating_mul(3) {
                    return Some(finish(elided));
                }
                let (lossless, elided) = (finish(lossless), finish(elided));
                // A reader of the elided output may have to retrieve: that call and its view are part of its price.
                let of_elided = price(&elided);
                let of_elided = of_elided + of_elided / 4 + 60;
                Some(if price(&lossless) <= of_elided { lossless } else { elided })
            }
        }
    }
}

/// What the compressor of `kind` proposes for a payload; the draft speaks of its bare text.
pub fn propose(kind: Kind, presented: &Presented<'_>, focus: &Focus) -> Proposals {
    // No probe knows snapshots: their lines read as configuration, lists or text.
    let text: &str = &presented.text;
    let snapshot = may_be_snapshot(kind).then(|| a11y::snapshot(text, focus)).flatten();
    let own = || of(kind).map(|c| c.compress(text, focus)).unwrap_or_default();
    let mut proposals = snapshot.unwrap_or_else(own);
    if proposals.lossless.is_none() && matches!(presented.text, Cow::Owned(_)) {
        // Escape sequences came off: the bare text says the same in fewer tokens.
        let mut bare = Draft::new("unwrap", "lines", 0);
        bare.keep(Span::new(0, presented.text.len()));
        proposals.lossless = Some(bare);
    }
    proposals
}

/// Whether a text of this kind may be an accessibility snapshot.
fn may_be_snapshot(kind: Kind) -> bool {
    matches!(kind, Kind::Config | Kind::Text | Kind::Markdown | Kind::Listing | Kind::Code)
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
    &diagnostics::Diagnostics,
    &diff::Diff,
    &git_log::GitLog,
    &config::Config,
    &terminal::Terminal,
    &code::Code,
    &mixed::Mixed,
    &tool_schema::ToolSchema,
    &a11y::A11y,
    &repetition::Repetition,
    &toon::Toon,
];

/// The compressor of `kind`; `None` when there is none yet.
pub fn of(kind: Kind) -> Option<&'static dyn Compressor> {
    ALL.iter().copied().find(|c| c.kind() == kind)
}
