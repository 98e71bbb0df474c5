//! A part: a stretch of a payload that is a payload itself, such as a segment of a session, a block between fences, or a
//! string that holds a log. It goes the road of a payload: unwrapped, detected, compressed, weighed.

use super::propose;
use crate::detect;
use crate::draft::Draft;
use crate::elide::{Focus, MARKER_OPEN};
use crate::kind::Kind;
use crate::present;
use crate::tokens;

/// Parts of parts of parts: no deeper than this, so that the work stays linear in the payload.
const MAX_DEPTH: u8 = 3;
/// A part stays as it is unless so many bytes go. Our choice.
const MIN_SAVED: usize = 64;

/// The best draft of `text`, whose pieces speak of `text` itself; `None` when it stays as it is. `kind` is what it
/// certainly is, else that is detected.
pub(super) fn compress(text: &str, kind: Option<Kind>, focus: &Focus) -> Option<Draft> {
    if focus.depth >= MAX_DEPTH
        || text.len() < MIN_SAVED
        || memchr::memmem::find(text.as_bytes(), MARKER_OPEN.as_bytes()).is_some()
    {
        return None;
    }
    let presented = present::unwrap(text);
    let kind = kind.unwrap_or_else(|| detect::detect(&presented.text).kind);
    let lines_before = match presented.lines_before() {
        0 => focus.lines_before,
        in_its_file => in_its_file,
    };
    let focus = Focus { depth: focus.depth + 1, lines_before, ..focus.clone() };
    let draft = propose(kind, &presented, &focus)
        .weigh(|draft| draft, |draft| tokens::count(&draft.render(&presented.text)))?;
    let is_smaller = draft.len_bytes() + MIN_SAVED <= presented.text.len()
        && draft.len_bytes().saturating_mul(20) <= presented.text.len().saturating_mul(19);
    let is_unwrapped = presented.text.len() + MIN_SAVED <= text.len();
    if is_smaller || is_unwrapped && draft.is_lossless() {
        presented.over_original(draft)
    } else {
        None
    }
}
