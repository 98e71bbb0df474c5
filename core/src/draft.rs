//! A draft: the output as pieces, each of which says where it comes from.
//!
//! Kept pieces are spans of the payload, so that they are slices by construction, that a gutter can be put back, and
//! that a reader of the draft can always tell what a marker stands for.

use crate::prelude::*;
use crate::text::Span;

/// One stretch of output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A slice of the payload, unchanged.
    Kept(Span),
    /// The same content without loss, written another way (minified, TOON, a folded prefix).
    Recoded {
        /// What it stands for.
        of: Span,
        /// How it reads now.
        text: String,
    },
    /// A statement in the place of elided units, on its own line, its own line end included.
    Marker {
        /// What was elided.
        of: Span,
        /// How many units.
        n_units: u32,
        /// The text, in the payload's own syntax; empty where a note of the draft speaks for it.
        text: String,
    },
    /// Punctuation or line ends between pieces: stands for nothing in the payload.
    Glue(&'static str),
}

/// What a compressor proposes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// The output, in order.
    pub pieces: Vec<Piece>,
    /// How it was made, for `method` on the wire: `elide`, `minify`, `toon`, `fold`, …
    pub method: &'static str,
    /// What one unit is called, in the plural: `records`, `lines`, `rows`, `entries`.
    pub noun: &'static str,
    /// How many units the whole payload has.
    pub n_units: u32,
    /// Statements about the whole output that stand beside the handle line, such as class counts; each a full line without its end.
    pub notes: Vec<String>,
}

impl Draft {
    /// An empty draft of a payload of `n_units` units.
    pub fn new(method: &'static str, noun: &'static str, n_units: usize) -> Draft {
        Draft { method, noun, n_units: crate::text::offset(n_units), ..Draft::default() }
    }

    /// Adds a slice, joined to the piece before it when they touch.
    pub fn keep(&mut self, span: Span) {
        if span.is_empty() {
            return;
        }
        if let Some(Piece::Kept(last)) = self.pieces.last_mut()
            && last.end == span.start
        {
            last.end = span.end;
            return;
        }
        self.pieces.push(Piece::Kept(span));
    }

    /// Adds the draft of a part of the payload, the first byte of which stands at `shift`. Units of several sorts are
    /// called `units`.
    pub fn append(&mut self, part: Draft, shift: u32) {
        if self.noun.is_empty() {
            self.noun = part.noun;
        } else if self.noun != part.noun && part.n_units > 0 {
            self.noun = "units";
        }
        self.n_units += part.n_units;
        for piece in part.pieces {
            match piece {
                Piece::Kept(span) => self.keep(span.shifted(shift)),
                Piece::Recoded { of, text } => {
                    self.pieces.push(Piece::Recoded { of: of.shifted(shift), text });
                }
                Piece::Marker { of, n_units, text } => {
                    self.pieces.push(Piece::Marker { of: of.shifted(shift), n_units, text });
                }
                Piece::Glue(text) => self.pieces.push(Piece::Glue(text)),
            }
        }
        self.notes.extend(part.notes);
    }

    /// Sees that what comes next begins on a line of its own. `text` is the payload.
    pub fn end_line(&mut self, text: &str) {
        let said = |piece: &Piece| match piece {
            Piece::Kept(span) => (!span.is_empty()).then(|| span.of(text).ends_with('\n')),
            Piece::Recoded { text, .. } | Piece::Marker { text, .. } => {
                (!text.is_empty()).then(|| text.ends_with('\n'))
            }
            Piece::Glue(text) => Some(text.ends_with('\n')),
        };
        if self.pieces.iter().rev().find_map(said) == Some(false) {
            self.pieces.push(Piece::Glue("\n"));
        }
    }

    /// How many units the markers stand for.
    pub fn n_elided(&self) -> u32 {
        self.pieces
            .iter()
            .map(|p| if let Piece::Marker { n_units, .. } = p { *n_units } else { 0 })
            .sum()
    }

    /// Whether the output holds everything that the payload says.
    pub fn is_lossless(&self) -> bool {
        !self.pieces.iter().any(|p| matches!(p, Piece::Marker { .. }))
    }

    /// Length of the rendered output in bytes, notes left out.
    pub fn len_bytes(&self) -> usize {
        self.pieces
            .iter()
            .map(|p| match p {
                Piece::Kept(span) => span.len(),
                Piece::Recoded { text, .. } | Piece::Marker { text, .. } => text.len(),
                Piece::Glue(text) => text.len(),
            })
            .sum()
    }

    /// The pieces as text; `text` is the payload that the spans speak of.
    pub fn render(&self, text: &str) -> String {
        let mut out = String::with_capacity(self.len_bytes());
        for piece in &self.pieces {
            match piece {
                Piece::Kept(span) => out.push_str(span.of(text)),
                Piece::Recoded { text, .. } | Piece::Marker { text, .. } => out.push_str(text),
                Piece::Glue(text) => out.push_str(text),
            }
        }
        out
    }
}
