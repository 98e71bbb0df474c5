//! Packing hits into a budget: as they are while they fit, compressed where they do not, the best at least by its head.

use super::Memory;
use crate::engine;
use crate::prelude::*;
use crate::store::{Entry, Handle, RecoveryStore, Reference, StoreError, StoreInfo, Stored};
use crate::tokens;

/// What the recovery store is told of a copy that only a recall caused (`Entry::compressor`): forgetting the memory
/// removes it. Whoever else puts the same original takes it over.
pub const COPY: &str = "cavemem";

/// A head ends with a word when one ends so near to its own end, in bytes.
const WORD_END_WITHIN: usize = 48;

/// One recalled memory, as it goes out.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// The memory's id.
    pub id: String,
    /// Its text, as [`Hit::form`] says.
    pub text: String,
    /// BM25.
    pub score: f64,
    /// o200k tokens of `text`.
    pub tokens_added: u64,
    /// When it was written.
    pub created_at: Option<String>,
    /// What `text` is.
    pub form: Form,
    /// Under which the whole text is to be had, when `text` is not all of it and the recovery store took it.
    pub recovery_handle: Option<Handle>,
}

/// How much of a memory a hit shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// All of it, as it was remembered.
    Raw,
    /// An output of compression.
    Compressed,
    /// The beginning.
    Head,
}

impl Form {
    /// The wire name.
    pub fn name(self) -> &'static str {
        match self {
            Form::Raw => "raw",
            Form::Compressed => "compressed",
            Form::Head => "head",
        }
    }
}

/// Makes hits that fit.
pub(super) struct Packer<'p> {
    pub(super) store: &'p mut dyn RecoveryStore,
    pub(super) now_ms: u64,
    pub(super) query: &'p str,
}

impl Packer<'_> {
    /// The hit, when one form of it costs at most `n_left` tokens; the head of a memory only where it is the first hit.
    pub(super) fn pack(
        &mut self,
        memory: Memory,
        score: f64,
        n_left: u64,
        is_first: bool,
    ) -> Option<Hit> {
        let hit = |text: String, tokens_added, form, recovery_handle| Hit {
            id: memory.id.clone(),
            text,
            score,
            tokens_added,
            created_at: memory.created_at.clone(),
            form,
            recovery_handle,
        };
        if let Some(n_tokens) = tokens::count_up_to(&memory.text, n_left) {
            Some(hit(memory.text.clone(), n_tokens, Form::Raw, None))
        } else if let Some((text, n_tokens, handle)) = self.compressed(&memory.text, n_left) {
            Some(hit(text, n_tokens, Form::Compressed, Some(handle)))
        } else if is_first {
            let (head, n_tokens) = head(&memory.text, n_left);
            Some(hit(head.to_owned(), n_tokens, Form::Head, self.copied(&memory.text, n_tokens)))
        } else {
            None
        }
    }

    /// An output that fits. What the query asks for is kept where that leaves room; where every line speaks of it, it is no
    /// guide.
    fn compressed(&mut self, text: &str, n_left: u64) -> Option<(String, u64, Handle)> {
        [Some(self.query), None].into_iter().find_map(|query| {
            let options =
                engine::Options { query, token_budget: Some(n_left), ..engine::Options::default() };
            let mut copies = Copies { store: self.store, limit: n_left };
            let answer = engine::compress(&mut copies, self.now_ms, text.as_bytes(), &options);
            let handle = answer.recovery_handle.filter(|_| answer.tokens_after <= n_left)?;
            let output = String::from_utf8(answer.output.into_owned()).ok()?;
            Some((output, answer.tokens_after, handle))
        })
    }

    /// The handle of a copy in the recovery store; `None` when that did not take it: the memory itself is safe all the same.
    fn copied(&mut self, text: &str, tokens_after: u64) -> Option<Handle> {
        let handle = Handle::of(text.as_bytes());
        let entry = Entry {
            handle,
            content_type: "text",
            compressor: COPY,
            tokens_before: tokens::count(text),
            tokens_after,
            original: text.as_bytes(),
        };
        self.store.put(&entry, self.now_ms).ok().map(|()| handle)
    }
}

/// The recovery store as recall sees it: what goes in is marked as a copy, and only for outputs that fit.
struct Copies<'s> {
    store: &'s mut dyn RecoveryStore,
    limit: u64,
}

impl RecoveryStore for Copies<'_> {
    fn put(&mut self, entry: &Entry<'_>, now_ms: u64) -> Result<(), StoreError> {
        if entry.tokens_after > self.limit {
            // The output is thrown away: nothing discloses the handle.
            return Ok(());
        }
        self.store.put(&Entry { compressor: COPY, ..*entry }, now_ms)
    }

    fn get(&mut self, reference: &Reference, now_ms: u64) -> Result<Stored, StoreError> {
        self.store.get(reference, now_ms)
    }

    fn info(&mut self) -> StoreInfo {
        self.store.info()
    }
}

/// The longest beginning of `text` that costs at most `limit` tokens, to the end of a word where one is near; and its cost.
fn head(text: &str, limit: u64) -> (&str, u64) {
    let fits = |len: usize| {
        let head = text.get(..text.floor_char_boundary(len)).unwrap_or_default();
        tokens::count_up_to(head, limit).map(|n_tokens| (head, n_tokens))
    };
    let (mut low, mut high) = (0, text.len());
    let mut best = ("", 0);
    while low < high {
        let middle = (low + high).div_ceil(2);
        match fits(middle) {
            Some(found) => (low, best) = (middle, found),
            None => high = middle - 1,
        }
    }
    let tail =
        best.0.get(best.0.ceil_char_boundary(best.0.len().saturating_sub(WORD_END_WITHIN))..);
    let word_end = tail
        .and_then(|tail| tail.rfind(char::is_whitespace).map(|at| best.0.len() - tail.len() + at))
        .filter(|end| *end > 0);
    let is_in_word = |at: usize| {
        text.get(at..).and_then(|rest| rest.chars().next()).is_some_and(|c| !c.is_whitespace())
    };
    let word_end = word_end.filter(|_| is_in_word(best.0.len()));
    match word_end.and_then(fits) {
        Some((head, _)) => {
            let head = head.trim_end();
            tokens::count_up_to(head, limit).map_or(best, |n_tokens| (head, n_tokens))
        }
        None => best,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_never_costs_more_than_its_limit_and_cuts_no_character() {
        let texts = [
            "plain words in a row, some of them longer than others ".repeat(40),
            "日本語の長い文章がここに続きます。".repeat(40),
            "👩‍👩‍👧‍👦é\u{301}ßЖ".repeat(60),
            "x".repeat(5_000),
            "a1b2c3d4-".repeat(300),
            "\n\n  \t ".repeat(300),
        ];
        for text in &texts {
            for limit in (0..60).chain([200, 1_000]) {
                let (head, n_tokens) = head(text, limit);
                assert!(text.starts_with(head), "{limit}");
                assert_eq!(n_tokens, tokens::count(head));
                assert!(n_tokens <= limit, "{n_tokens} > {limit}: {head:?}");
            }
        }
        assert_eq!(head(&texts[0], 4).0, "plain words in a");
        assert_eq!(head("abc", 100), ("abc", 1));
        assert_eq!(head("👩‍👩‍👧‍👦", 1).0, "");
    }
}
