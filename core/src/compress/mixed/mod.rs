//! Mixed: prose, prompts and headlines around segments of other kinds.
//!
//! ```text
//! $ kubectl get pods                              $ kubectl get pods
//! NAME     READY  STATUS   RESTARTS  AGE          NAME     READY  STATUS   RESTARTS  AGE
//! web-1    1/1    Running  0         5d           web-1    1/1    Running  0         5d
//! …                                          ->   [caveman: 57 rows elided: 2-58; STATUS: Running; …]
//! $ cat orders.json                               …
//! [{"id": 1, …}, …]                               $ cat orders.json
//! …                                               [{"id":1,…},"[caveman: 147 records elided: …]",…]
//! ```
//! Keeps: what stands between the segments, as [`super::text`] does; of each segment what its own compressor keeps.
//! Declines: when no segment has a compressor that shortens it.

use super::{Compressor, Proposals, Units, a11y, of, part};
use crate::detect::{self, Segment};
use crate::draft::Draft;
use crate::elide::Focus;
use crate::kind::Kind;
use crate::prelude::*;
use crate::text::{Span, lines, offset};

/// The compressor of mixed payloads.
#[derive(Debug)]
pub(super) struct Mixed;

impl Compressor for Mixed {
    fn kind(&self) -> Kind {
        Kind::Mixed
    }

    fn compress(&self, text: &str, focus: &Focus) -> Proposals {
        segmented(text, &detect::segments(text), Kind::Text, focus)
    }

    fn units(&self, text: &str) -> Option<Units> {
        let mut all = Units { noun: "units", ..Units::default() };
        for segment in detect::segments(text) {
            add_units(text, segment, &mut all);
        }
        (all.spans.len() >= 2).then_some(all)
    }
}

/// Each segment by its own compressor, and what stands between them as `between`.
pub(super) fn segmented(
    text: &str,
    segments: &[Segment],
    between: Kind,
    focus: &Focus,
) -> Proposals {
    let mut draft = Draft::new("segments", "", 0);
    let (mut at, mut line) = (0, focus.lines_before);
    for segment in segments {
        let part_of = segment.span.of(text);
        let n_lines = memchr::memchr_iter(b'\n', part_of.as_bytes()).count();
        let within = Focus { lines_before: line, ..focus.clone() };
        line += offset(n_lines);
        let kind = segment.kind.unwrap_or(between);
        // Code between fences is what the text is about.
        let is_shown = !segment.is_fenced || is_data(kind, part_of);
        if is_shown && let Some(part) = part::compress(part_of, Some(kind), &within) {
            draft.keep(Span { start: at, end: segment.span.start });
            draft.append(part, segment.span.start);
            at = segment.span.end;
            if part_of.ends_with('\n') {
                draft.end_line(text);
            }
        }
    }
    if draft.pieces.is_empty() {
        return Proposals::default();
    }
    draft.keep(Span { start: at, end: offset(text.len()) });
    if draft.is_lossless() {
        Proposals { lossless: Some(draft), elided: None }
    } else {
        Proposals { lossless: None, elided: Some(draft) }
    }
}

/// Whether a block between fences, of this kind, shows what some program gave; code and prose are the document's own.
pub(super) fn is_data(kind: Kind, body: &str) -> bool {
    let is_own = matches!(
        kind,
        Kind::Code | Kind::Text | Kind::Markdown | Kind::Mixed | Kind::Config | Kind::Html
    );
    !is_own || a11y::is_snapshot(body)
}

/// The units of one segment: those that its compressor cuts, else its lines; prose by paragraph.
fn add_units(text: &str, segment: Segment, all: &mut Units) {
    let (part, shift) = (segment.span.of(text), segment.span.start);
    let Some(kind) = segment.kind else {
        for paragraph in paragraphs(part) {
            all.spans.push(paragraph.shifted(shift));
            all.heads.push(Units::NO_HEAD);
        }
        return;
    };
    let own = of(kind).and_then(|compressor| compressor.units(part));
    let own = own.unwrap_or_else(|| Units { spans: lines(part), ..Units::default() });
    // A header is shown above each of its rows, so it heads them.
    let base = offset(all.spans.len());
    let header = (!own.header.is_empty()).then_some(base);
    if header.is_some() {
        all.spans.push(own.header.shifted(shift));
        all.heads.push(Units::NO_HEAD);
    }
    let first = offset(all.spans.len());
    let heads = own.heads.iter().copied().chain(core::iter::repeat(Units::NO_HEAD));
    for (span, head) in own.spans.iter().zip(heads) {
        all.spans.push(span.shifted(shift));
        all.heads.push(match head {
            Units::NO_HEAD => header.unwrap_or(Units::NO_HEAD),
            head => head.saturating_add(first),
        });
    }
}

/// Lines with no blank line between them.
fn paragraphs(text: &str) -> Vec<Span> {
    let mut out: Vec<Span> = Vec::new();
    let mut is_open = false;
    for line in lines(text) {
        let is_blank = line.of(text).trim().is_empty();
        match out.last_mut().filter(|_| is_open) {
            Some(last) if !is_blank => last.end = line.end,
            _ if !is_blank => out.push(line),
            _ => {}
        }
        is_open = !is_blank;
    }
    out
}
