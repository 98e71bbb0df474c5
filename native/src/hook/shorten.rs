//! The one decision that all hosts share: whether a text is replaced, and by what.

use caveman_core::detect;
use caveman_core::engine::{self, Options};
use caveman_core::kind::Kind;
use caveman_core::present;
use caveman_core::store::RecoveryStore;
use caveman_core::tokens;

/// A result below this is left alone: what could be saved is not worth a look-up later.
pub const MIN_TOKENS: u64 = 400;

/// What a text is to the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// What a program printed.
    Output,
    /// A file that was opened. The model may be about to edit it, so only data is shortened.
    File,
}

/// Kinds that a program writes and nobody edits by hand.
const DATA: &[Kind] = &[
    Kind::Json,
    Kind::Ndjson,
    Kind::Log,
    Kind::TestReport,
    Kind::Diagnostics,
    Kind::StackTrace,
    Kind::GitLog,
    Kind::Search,
    Kind::Listing,
    Kind::Table,
    Kind::Tabular,
    Kind::Terminal,
    Kind::A11y,
];

/// Shortens texts into one store.
pub struct Shortener<'s> {
    store: &'s mut dyn RecoveryStore,
    now_ms: u64,
}

impl std::fmt::Debug for Shortener<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shortener").field("now_ms", &self.now_ms).finish_non_exhaustive()
    }
}

impl<'s> Shortener<'s> {
    /// Originals go to `store`.
    pub fn new(store: &'s mut dyn RecoveryStore, now_ms: u64) -> Shortener<'s> {
        Shortener { store, now_ms }
    }

    /// The shorter form of `text`; `None` where it stays as it is.
    pub(super) fn shorten(&mut self, text: &str, is_for: Use) -> Option<String> {
        self.within(text, is_for, None)
    }

    /// The same, in at most `max_bytes`; `None` too where that cannot be had.
    pub(super) fn shorten_to(&mut self, text: &str, max_bytes: usize) -> Option<String> {
        // A byte is at most a token, four are a usual one: a budget that fits surely fits.
        let budget = max_bytes as u64 / 4;
        self.within(text, Use::Output, Some(budget)).filter(|output| output.len() <= max_bytes)
    }

    fn within(&mut self, text: &str, is_for: Use, budget: Option<u64>) -> Option<String> {
        // A token is at least a byte.
        if (text.len() as u64) < MIN_TOKENS || tokens::count(text) < MIN_TOKENS {
            return None;
        }
        if is_for == Use::File && !DATA.contains(&detect::detect(&present::unwrap(text).text).kind)
        {
            return None;
        }
        let options = Options { token_budget: budget, ..Options::default() };
        let answer = engine::compress(self.store, self.now_ms, text.as_bytes(), &options);
        answer.recovery_handle?;
        String::from_utf8(answer.output.into_owned()).ok()
    }
}
