//! The view as text.

use super::View;
use super::select::Hits;
use super::units::Cut;
use crate::prelude::*;
use crate::present::Presented;
use crate::text::{Span, offset};

/// Writes the header, the units that are shown with the heads above them, and what stands between them.
pub(super) fn write(original: &str, presented: &Presented<'_>, cut: &Cut, hits: &Hits) -> View {
    let text: &str = &presented.text;
    let mut slices = Slices { original, presented, end: 0 };
    let mut out = slices.take(cut.header).to_owned();
    let mut next = 0_u32;
    let mut last: Option<Span> = None;
    for index in with_heads(cut, hits) {
        let span = cut.span(index);
        if index > next {
            between(&mut out, cut, next..index);
            last = None;
        }
        // Neighbours stay as they stand, with the blank line or comma between them.
        let filler = last.map(|before| Span { start: before.end, end: span.start });
        match filler.filter(|filler| is_filler(filler.of(text))) {
            Some(filler) => out.push_str(slices.take(filler.join(span))),
            None => {
                end_line(&mut out);
                out.push_str(slices.take(span));
            }
        }
        last = Some(span);
        next = index.saturating_add(1);
    }
    between(&mut out, cut, next..offset(cut.units.len()));
    let (n_shown, n_matching) = (offset(hits.shown.len()), hits.n_matching);
    end_line(&mut out);
    out.push_str(&format!("{n_shown} of {n_matching} matching units shown\n"));
    View { text: out, n_shown, n_matching }
}

/// The units to print, ascending.
fn with_heads(cut: &Cut, hits: &Hits) -> Vec<u32> {
    let mut all = hits.shown.clone();
    all.extend(hits.shown.iter().flat_map(|unit| cut.heads(*unit)));
    all.sort_unstable();
    all.dedup();
    all
}

/// Says how many units are not shown; heads are not counted, what they head is.
fn between(out: &mut String, cut: &Cut, skipped: core::ops::Range<u32>) {
    let range = skipped.start as usize..skipped.end as usize;
    let n_units =
        cut.units.get(range).unwrap_or_default().iter().filter(|unit| !unit.is_head).count();
    if n_units > 0 {
        end_line(out);
        let noun = if n_units == 1 { singular(cut.noun) } else { Cow::Borrowed(cut.noun) };
        out.push_str(&format!("… [caveman: {n_units} {noun} between] …\n"));
    }
}

fn singular(noun: &str) -> Cow<'_, str> {
    match noun.strip_suffix("ies") {
        Some(stem) => Cow::Owned(format!("{stem}y")),
        None => Cow::Borrowed(noun.strip_suffix('s').unwrap_or(noun)),
    }
}

fn end_line(out: &mut String) {
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
}

fn is_filler(between: &str) -> bool {
    between.chars().all(|c| c.is_whitespace() || c == ',')
}

/// Slices of the original, in order and without overlap.
struct Slices<'a> {
    original: &'a str,
    presented: &'a Presented<'a>,
    /// Where the last slice ended in the original.
    end: u32,
}

impl<'a> Slices<'a> {
    /// What the original holds where the bare text has `span`.
    fn take(&mut self, span: Span) -> &'a str {
        if span.is_empty() {
            return "";
        }
        let mut place = self.presented.to_original(span);
        place.start = place.start.max(self.end);
        self.end = place.end.max(self.end);
        place.of(self.original)
    }
}
