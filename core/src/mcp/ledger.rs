//! The anti-storm ledger: a model that asks for the same thing over and over is pointed to what it has, and one that keeps
//! digging in one original is given the whole of it.
//!
//! The ledger belongs to a process, not to a conversation: transcripts are compacted, and several agents may share one
//! server. So it withholds nothing for good: whoever asks once more is sent the content again.

use crate::prelude::*;
use crate::store::{Handle, Reference};

/// So many distinct retrieves of one handle, and the next narrowed one gives the whole original.
pub(super) const PAY_OUT_AFTER: u32 = 5;

/// Originals above this are not paid out, in tokens.
pub(super) const PAY_OUT_MAX_TOKENS: u64 = 25_000;

/// Most entries in each table. Our choice: bounds the ledger to about a megabyte; what is forgotten is sent again.
const MAX_ENTRIES: usize = 16_384;

/// What was asked and answered in this process.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    asks: BTreeMap<Handle, Said>,
    accounts: BTreeMap<Handle, Account>,
}

/// The last answer to one ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said {
    Content,
    Pointer,
}

#[derive(Clone, Copy, Debug, Default)]
struct Account {
    n_distinct: u32,
    paid: bool,
}

/// One (handle, query), as short as a hash, since a query may be as long as a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ask {
    ask: Handle,
    account: Handle,
}

impl Ask {
    /// The ask of `query` on `reference`; white space around the query does not count.
    pub(super) fn new(reference: &Reference, query: Option<&str>) -> Ask {
        let account = reference.to_string();
        let ask = format!("{account}\n{}", query.unwrap_or_default().trim());
        Ask { ask: Handle::of(ask.as_bytes()), account: Handle::of(account.as_bytes()) }
    }
}

impl Ledger {
    /// Whether this ask has just been answered with content: then a pointer to it is enough.
    pub(super) fn is_answered(&self, ask: Ask) -> bool {
        self.asks.get(&ask.ask) == Some(&Said::Content)
    }

    /// Whether a narrowed view is to be replaced by the whole original.
    pub(super) fn owes_original(&self, ask: Ask) -> bool {
        self.accounts
            .get(&ask.account)
            .is_some_and(|account| !account.paid && account.n_distinct >= PAY_OUT_AFTER)
    }

    /// Notes an answer.
    pub(super) fn record(&mut self, ask: Ask, said: Said) {
        if self.asks.len() >= MAX_ENTRIES && !self.asks.contains_key(&ask.ask) {
            self.asks.clear();
        }
        if self.asks.insert(ask.ask, said).is_none() {
            let account = self.account(ask);
            account.n_distinct = account.n_distinct.saturating_add(1);
        }
    }

    /// Notes that the whole original was sent, or that it never will be.
    pub(super) fn settle(&mut self, ask: Ask) {
        self.account(ask).paid = true;
    }

    fn account(&mut self, ask: Ask) -> &mut Account {
        if self.accounts.len() >= MAX_ENTRIES && !self.accounts.contains_key(&ask.account) {
            self.accounts.clear();
        }
        self.accounts.entry(ask.account).or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(handle: u8, query: &str) -> Ask {
        Ask::new(&Reference::Handle(Handle([handle; 16])), Some(query))
    }

    #[test]
    fn content_then_pointer_then_content_again() {
        let mut ledger = Ledger::default();
        assert!(!ledger.is_answered(ask(1, "a")));
        ledger.record(ask(1, "a"), Said::Content);
        assert!(ledger.is_answered(ask(1, "  a\n")));
        assert!(!ledger.is_answered(ask(1, "b")));
        assert!(!ledger.is_answered(ask(2, "a")));
        ledger.record(ask(1, "a"), Said::Pointer);
        assert!(!ledger.is_answered(ask(1, "a")));
    }

    #[test]
    fn five_distinct_asks_of_one_handle_and_the_original_is_owed_once() {
        let mut ledger = Ledger::default();
        for query in ["a", "b", "c", "d", "a", "b"] {
            assert!(!ledger.owes_original(ask(1, query)));
            ledger.record(ask(1, query), Said::Content);
        }
        assert!(!ledger.owes_original(ask(1, "e")));
        ledger.record(ask(1, "e"), Said::Content);
        assert!(ledger.owes_original(ask(1, "f")));
        assert!(!ledger.owes_original(ask(2, "f")));
        ledger.settle(ask(1, "f"));
        assert!(!ledger.owes_original(ask(1, "g")));
    }

    #[test]
    fn the_ledger_is_bounded() {
        let mut ledger = Ledger::default();
        for n in 0..2 * MAX_ENTRIES {
            let reference = Reference::Object(format!("ccr_obj_{n}"));
            ledger.record(Ask::new(&reference, None), Said::Content);
        }
        assert!(ledger.asks.len() <= MAX_ENTRIES && ledger.accounts.len() <= MAX_ENTRIES);
    }
}
