//! Lines that speak for one another: how a compressor says what becomes of each line that its plan keeps in sight.

use crate::draft::{Draft, Piece};
use crate::elide::Segment;
use crate::prelude::*;
use crate::text::{Span, offset};

/// What becomes of a line that stays in sight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is kept.
    Stays,
    /// It reads so, without loss; perhaps it speaks for others.
    Reads(String),
    /// Another line says what it says.
    IsSaid,
    /// It goes; this stands in its place, or nothing: then a note of the draft speaks for it.
    Goes(String),
}

/// Sets the fate of the lines `from..to`.
pub(super) fn set(fates: &mut [Fate], from: usize, to: usize, fate: &Fate) {
    fates.iter_mut().take(to).skip(from).for_each(|slot| *slot = fate.clone());
}

/// The draft of whole lines: segments say which runs have a marker of their own, fates what the other lines become.
/// Answers how many lines went without one, too.
pub(super) fn write(
    lines: &[Span],
    fates: &[Fate],
    segments: &[Segment],
    method: &'static str,
) -> (Draft, usize) {
    let mut draft = Draft::new(method, "lines", lines.len());
    let mut n_gone = 0;
    for segment in segments {
        match segment {
            Segment::Keep { units } => {
                for (line, fate) in lines.iter().zip(fates).take(units.end).skip(units.start) {
                    n_gone += usize::from(matches!(fate, Fate::Goes(_)));
                    write_line(*line, fate, &mut draft);
                }
            }
            Segment::Elide { units, marker } => {
                let gone = lines.get(units.clone()).unwrap_or_default();
                draft.pieces.push(Piece::Marker {
                    of: gone.iter().copied().reduce(Span::join).unwrap_or_default(),
                    n_units: offset(gone.len()),
                    text: marker.clone(),
                });
            }
        }
    }
    (draft, n_gone)
}

/// Begins a draft with a line that says how it is to be read. An output that says so is not compressed again.
pub(super) fn explain(draft: &mut Draft, how: &'static str) {
    draft.pieces.insert(0, Piece::Glue(how));
}

fn write_line(line: Span, fate: &Fate, draft: &mut Draft) {
    match fate {
        Fate::Stays => draft.keep(line),
        Fate::Reads(text) => draft.pieces.push(Piece::Recoded { of: line, text: text.clone() }),
        Fate::IsSaid => draft.pieces.push(Piece::Recoded { of: line, text: String::new() }),
        Fate::Goes(instead) => match draft.pieces.last_mut() {
            Some(Piece::Marker { of, n_units, text })
                if text.is_empty() && of.end == line.start =>
            {
                of.end = line.end;
                *n_units += 1;
                text.push_str(instead);
            }
            _ => draft.pieces.push(Piece::Marker { of: line, n_units: 1, text: instead.clone() }),
        },
    }
}
