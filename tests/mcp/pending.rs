//! A store that must fetch an original first: the line is handled again, and nothing has happened twice.

use super::Epoch;
use caveman_core::mcp::{Reply, Session};
use caveman_core::store::{
    Entry, Handle, MemoryStore, RecoveryStore, Reference, StoreError, StoreErrorKind, StoreInfo,
    Stored,
};

/// Knows originals only after the host has fetched them, as a JavaScript host does.
#[derive(Default)]
struct Fetching {
    there: MemoryStore,
    far: MemoryStore,
}

impl RecoveryStore for Fetching {
    fn put(&mut self, entry: &Entry<'_>, now_ms: u64) -> Result<(), StoreError> {
        self.there.put(entry, now_ms)
    }

    fn get(&mut self, reference: &Reference, now_ms: u64) -> Result<Stored, StoreError> {
        self.there
            .get(reference, now_ms)
            .or(Err(StoreError::new(StoreErrorKind::Pending, "fetch it first")))
    }

    fn info(&mut self) -> StoreInfo {
        self.there.info()
    }
}

impl Fetching {
    fn keep(&mut self, original: &[u8]) -> Handle {
        let handle = Handle::of(original);
        let entry = Entry {
            handle,
            content_type: "text",
            compressor: "test",
            tokens_before: 3,
            tokens_after: 1,
            original,
        };
        self.far.put(&entry, 0).unwrap();
        handle
    }

    fn fetch(&mut self, reference: &Reference) {
        let stored = self.far.get(reference, 0).unwrap();
        let entry = Entry {
            handle: Handle::of(&stored.original),
            content_type: "text",
            compressor: "test",
            tokens_before: 3,
            tokens_after: 1,
            original: &stored.original,
        };
        self.there.put(&entry, 0).unwrap();
    }
}

#[test]
fn a_line_that_waits_changes_nothing_and_is_answered_when_handled_again() {
    let mut store = Fetching::default();
    let (one, two) = (store.keep(b"the first"), store.keep(b"the second"));
    let call = |id: u32, handle: Handle| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"caveman_retrieve","arguments":{{"recovery_handle":"{handle}"}}}}}}"#
        )
    };
    let compress = r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"caveman_compress","arguments":{"input":"x"}}}"#;
    let batch = format!("[{compress},{},{}]", call(1, one), call(2, two));
    let mut session = Session::default();
    let before = *session.totals();

    let mut waits = Vec::new();
    let line = loop {
        match session.handle_line(&mut store, &Epoch, batch.as_bytes()) {
            Reply::Pending(reference) => {
                assert_eq!(*session.totals(), before);
                store.fetch(&reference);
                waits.push(reference);
            }
            Reply::Line(line) => break String::from_utf8(line).unwrap(),
            Reply::Nothing => panic!("a batch with requests has an answer"),
        }
    };
    assert_eq!(waits, [Reference::Handle(one), Reference::Handle(two)]);
    // Content, not pointers: the attempts that waited left nothing in the ledger.
    assert!(line.contains("the first") && line.contains("the second"), "{line}");
    assert_eq!((session.totals().requests, session.totals().retrieves), (1, 2));
}
