//! The marker: what stands in the place of an elided run.
//!
//! ```text
//! [caveman: 24 records elided: 25-48; order_id: 24 distinct, ord-1024..ord-1047, all present; status: fulfilled×20, pending×4]
//! ```

use crate::prelude::*;

/// How every marker of ours begins, whatever syntax surrounds it.
pub const MARKER_OPEN: &str = "[caveman: ";

/// A marker's size in bytes that facts may not make it pass. Our choice.
const MAX_MARKER: usize = 360;

/// The syntax of the payload around a marker.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Before the bracket: `# `, `"`, nothing.
    pub prefix: &'static str,
    /// After the bracket, line end included.
    pub suffix: &'static str,
    /// What the numbers of a run count.
    pub numbering: Numbering,
}

/// What the numbers of a run count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbering {
    /// Units, from the sheet's first number.
    Units,
    /// Lines of the payload, from 1.
    Lines,
}

impl Style {
    /// A line of its own.
    pub const PLAIN: Style = Style { prefix: "", suffix: "\n", numbering: Numbering::Lines };
    /// A line of its own, numbered by units.
    pub const ROWS: Style = Style { prefix: "", suffix: "\n", numbering: Numbering::Units };
    /// A string among the elements of a JSON array; the comma is the caller's.
    pub const JSON: Style = Style { prefix: "\"", suffix: "\"", numbering: Numbering::Units };
    /// A JSON string on a line of its own, for NDJSON.
    pub const NDJSON: Style = Style { prefix: "\"", suffix: "\"\n", numbering: Numbering::Lines };
    /// An XML comment on a line of its own.
    pub const XML: Style = Style { prefix: "<!-- ", suffix: " -->\n", numbering: Numbering::Units };
    /// A `#` comment.
    pub const HASH: Style = Style { prefix: "# ", suffix: "\n", numbering: Numbering::Lines };
}

/// A run as the marker names it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) n_units: usize,
    pub(super) from: u32,
    pub(super) to: u32,
    /// Whether `from` and `to` are lines although units are not.
    pub(super) says_lines: bool,
}

/// Writes a marker; facts are taken in order while they keep it below half of `replaced_bytes`.
pub(super) fn write(
    run: Run,
    noun: &str,
    facts: &[String],
    style: &Style,
    replaced_bytes: usize,
) -> String {
    let (from, to) = (run.from, run.to);
    let noun = if run.n_units == 1 { singular(noun) } else { noun };
    let lines = if run.says_lines { "lines " } else { "" };
    let range = if from == to {
        format!("{}{from}", lines.replace("lines", "line"))
    } else {
        format!("{lines}{from}-{to}")
    };
    let mut out = format!("{}{MARKER_OPEN}{} {noun} elided: {range}", style.prefix, run.n_units);
    let limit = (replaced_bytes / 2).min(MAX_MARKER);
    for fact in facts {
        if out.len() + fact.len() + style.suffix.len() + 3 <= limit {
            out.push_str("; ");
            out.push_str(fact);
        }
    }
    out.push(']');
    out.push_str(style.suffix);
    out
}

fn singular(noun: &str) -> &str {
    match noun {
        "entries" => "entry",
        "matches" => "match",
        _ => noun.strip_suffix('s').unwrap_or(noun),
    }
}
