//! Fitting: what becomes of a payload whose compressor cannot press it into the caller's budget.
//!
//! Lines stay in the order of what they are worth: those that were asked for, the first signal of each class, the ends of
//! the payload, further signals, the first line of each shape, all others. Markers count the signals that had to go.

use crate::draft::{Draft, Piece};
use crate::elide::mask::{self, HashedMap};
use crate::elide::{self, Focus, Severity, Style, signal};
use crate::order;
use crate::prelude::*;
use crate::text::{Span, lines, offset};

/// A longer line is cut into parts. Our choice.
const MAX_LINE: usize = 512;
/// The size of a part. Our choice: some sixty tokens.
const PART: usize = 256;

/// A line, or a part of a long one.
#[derive(Clone, Copy, Debug)]
struct Unit {
    span: Span,
    line: u32,
    is_signal: bool,
}

/// The draft that holds as much as `fits` allows; `None` when nothing does. At most `max_units` lines or parts stay.
pub fn fit(
    text: &str,
    focus: &Focus,
    max_units: usize,
    fits: impl Fn(&Draft) -> bool,
) -> Option<Draft> {
    let units = units(text, focus);
    let by_worth = by_worth(text, &units, focus);
    // The most that fits lies between what does and what does not.
    let (mut most, mut too_many) = (None, by_worth.len().min(max_units) + 1);
    let mut n = 0;
    while n < too_many {
        let draft = draft(text, &units, by_worth.get(..n).unwrap_or_default());
        if fits(&draft) {
            most = Some((n, draft));
        } else {
            too_many = n;
        }
        let known = most.as_ref().map_or(0, |(n, _)| *n);
        n = known + (too_many - known).div_ceil(2).max(1);
        if too_many <= known + 1 {
            break;
        }
    }
    most.map(|(_, draft)| draft).filter(|draft| !draft.is_lossless())
}

fn units(text: &str, focus: &Focus) -> Vec<Unit> {
    let mut units = Vec::new();
    for (line, number) in lines(text).into_iter().zip(1 + focus.lines_before..) {
        let size = if line.len() > MAX_LINE { PART } else { MAX_LINE };
        let mut start = line.start as usize;
        while start < line.end as usize {
            let end = text.floor_char_boundary((start + size).min(line.end as usize));
            let span = Span::new(start, end);
            let is_signal = signal::of_words(span.of(text)) > Severity::None;
            units.push(Unit { span, line: number, is_signal });
            start = end;
        }
    }
    units
}

/// The units by their indices, those that are worth most first.
fn by_worth(text: &str, units: &[Unit], focus: &Focus) -> Vec<u32> {
    let mut seen: HashedMap<u32> = HashedMap::default();
    let mut ranked: Vec<(u8, u32)> = Vec::with_capacity(units.len());
    let last = units.len().saturating_sub(1);
    for (at, unit) in units.iter().enumerate() {
        let said = unit.span.of(text);
        let is_asked = focus.is_in(said);
        let is_first = seen.insert(mask::shape(said), offset(at)).is_none();
        let rank = match (unit.is_signal, is_first) {
            _ if is_asked => 0,
            (true, true) => 1,
            _ if at == 0 || at == last => 2,
            (true, false) => 4,
            (false, true) => 5,
            (false, false) => 6,
        };
        ranked.push((rank, offset(at)));
    }
    // What is left of a class in the map is its last.
    for at in seen.into_values() {
        if let Some((rank @ 4, _)) = ranked.get_mut(at as usize) {
            *rank = 3;
        }
    }
    order::sort_by(&mut ranked, Ord::cmp);
    ranked.into_iter().map(|(_, at)| at).collect()
}

/// The draft in which the units of these indices stay.
fn draft(text: &str, units: &[Unit], kept: &[u32]) -> Draft {
    let mut stays = vec![false; units.len()];
    for at in kept {
        if let Some(slot) = stays.get_mut(*at as usize) {
            *slot = true;
        }
    }
    let mut pairs = units.iter().zip(units.iter().skip(1));
    let has_parts = pairs.any(|(one, next)| one.line == next.line);
    let noun = if has_parts { "parts" } else { "lines" };
    let mut draft = Draft::new("fit", noun, units.len());
    let mut rest = units.iter().zip(stays).peekable();
    while let Some((unit, is_kept)) = rest.next() {
        if is_kept {
            draft.keep(unit.span);
            continue;
        }
        let (mut n, mut last, mut n_signals) = (1, unit, usize::from(unit.is_signal));
        while let Some((next, _)) = rest.next_if(|(_, is_kept)| !is_kept) {
            (n, last, n_signals) = (n + 1, next, n_signals + usize::from(next.is_signal));
        }
        let facts = match n_signals {
            0 => Vec::new(),
            1 => vec!["1 signal among them".to_owned()],
            n => vec![format!("{n} signals among them")],
        };
        let marker = elide::marker(n, noun, (unit.line, last.line), &facts, &Style::PLAIN);
        draft.end_line(text);
        let of = unit.span.join(last.span);
        draft.pieces.push(Piece::Marker { of, n_units: offset(n), text: marker });
    }
    draft
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fitted(text: &str, query: Option<&str>, max_bytes: usize) -> Option<String> {
        fit(text, &Focus::of_query(query), usize::MAX, |draft| draft.len_bytes() <= max_bytes)
            .map(|draft| draft.render(text))
    }

    #[test]
    fn signals_and_what_was_asked_for_go_last() {
        let text: String = (0..500)
            .map(|n| match n {
                250 => "the request failed, é\n".to_owned(),
                300 => "order 4711 was sent\n".to_owned(),
                n => format!("plain line {n}\n"),
            })
            .collect();
        let out = fitted(&text, Some("4711"), 240).unwrap_or_default();
        assert!(out.contains("the request failed, é\n") && out.contains("order 4711"), "{out}");
        let least = fitted(&text, None, 80).unwrap_or_default();
        assert_eq!(least, "[caveman: 500 lines elided: 1-500; 1 signal among them]\n");
        assert_eq!(fitted(&text, None, 20), None);
    }

    #[test]
    fn a_long_line_is_cut_at_characters() {
        let out = fitted(&"é".repeat(100_000), None, 1_000).unwrap_or_default();
        assert!(out.starts_with('é') && out.contains("parts elided") && out.ends_with('é'));
        assert_eq!(fitted("", None, 100), None);
        assert_eq!(fitted("a\n", None, 100), None);
    }
}
