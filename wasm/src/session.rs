//! The MCP session for JavaScript hosts, one per instance.
//!
//! ```text
//! framerPush(chunk) -> framerTake() -> sessionHandle(frame) -> 'r' reply | 'n' nothing | 'p' reference
//!                                        |                         |
//!                                        |    sessionSupply / sessionSupplyError, and the frame again
//!                                        +-> sessionPuts: kept by the host, or sessionRefuse and the frame again
//!                                                                  -> the reply goes out -> sessionDone
//! ```

use crate::mailbox::{Mailbox, Put, store_error};
use caveman_core::host::Host;
use caveman_core::mcp::{self, Frame, Framer, Reply, Session};
use caveman_core::store::{StoreInfo, Stored};
use serde::Deserialize;
use std::cell::RefCell;
use wasm_bindgen::prelude::wasm_bindgen;

/// First byte of what [`session_handle`] gives.
const REPLY: u8 = b'r';
const NOTHING: u8 = b'n';
const PENDING: u8 = b'p';

/// First byte of a frame as it goes through JavaScript.
const LINE: u8 = b'l';
const OVERSIZED: u8 = b'o';

struct Door {
    session: Session,
    /// The session as it was before the frame that is being handled.
    before: Option<Session>,
    mailbox: Mailbox,
    framer: Framer,
}

thread_local! {
    static DOOR: RefCell<Door> = RefCell::new(Door {
        session: Session::default(),
        before: None,
        mailbox: Mailbox::new(),
        framer: Framer::default(),
    });
}

/// The time of one frame.
struct Now(u64);

impl Host for Now {
    fn now_ms(&self) -> u64 {
        self.0
    }
}

/// Begins a session that serves the tools in `list` (comma-separated; empty for all). Gives what is wrong with the list;
/// empty when nothing is.
#[wasm_bindgen(js_name = sessionOpen)]
pub fn session_open(list: &str) -> String {
    match mcp::subset(list) {
        Ok(tools) => {
            DOOR.with_borrow_mut(|door| {
                *door = Door {
                    session: Session::new(&tools),
                    before: None,
                    mailbox: Mailbox::new(),
                    framer: Framer::default(),
                };
            });
            String::new()
        }
        Err(unknown) => unknown.to_string(),
    }
}

/// Tells the session what its store is: `{"kind":…,"entries":…,"bytes":…,"limit_bytes":…,"state":…}`. What is not such an object
/// changes nothing.
#[wasm_bindgen(js_name = sessionStore)]
pub fn session_store(info: &str) {
    #[derive(Deserialize)]
    struct Info {
        kind: String,
        entries: u64,
        bytes: u64,
        limit_bytes: u64,
        state: String,
    }
    let Ok(Info { kind, entries, bytes, limit_bytes, state }) = serde_json::from_str(info) else {
        return;
    };
    let kind = match kind.as_str() {
        "sqlite" => "sqlite",
        "files" => "files",
        "memory" => "memory",
        _ => "none",
    };
    let info = StoreInfo { kind, entries, bytes, limit_bytes, state };
    DOOR.with_borrow_mut(|door| door.mailbox.info = info);
}

/// Takes bytes of the input stream, in chunks of any size.
#[wasm_bindgen(js_name = framerPush)]
pub fn framer_push(chunk: &[u8]) {
    DOOR.with_borrow_mut(|door| door.framer.push(chunk));
}

/// The input stream has ended.
#[wasm_bindgen(js_name = framerFinish)]
pub fn framer_finish() {
    DOOR.with_borrow_mut(|door| door.framer.finish());
}

/// The next whole line of the input as a frame for [`session_handle`]; empty until there is one.
#[wasm_bindgen(js_name = framerTake)]
pub fn framer_take() -> Vec<u8> {
    let tagged = |tag: u8, bytes: &[u8]| {
        let mut out = Vec::with_capacity(bytes.len() + 1);
        out.push(tag);
        out.extend_from_slice(bytes);
        out
    };
    match DOOR.with_borrow_mut(|door| door.framer.take()) {
        None => Vec::new(),
        Some(Frame::Line(line)) => tagged(LINE, &line),
        Some(Frame::Oversized(id)) => tagged(OVERSIZED, id.unwrap_or_default().as_bytes()),
    }
}

/// Handles a frame: `r` and the reply with its line feed, `n` when there is none to send, `p` and the reference of an
/// original that must be supplied before the frame is handled again.
///
/// A reply may go out when everything in [`session_puts`] is kept; then comes [`session_done`].
#[wasm_bindgen(js_name = sessionHandle)]
pub fn session_handle(frame: &[u8], now_ms: f64) -> Vec<u8> {
    let now = Now(milliseconds(now_ms));
    let reply = DOOR.with_borrow_mut(|door| {
        let Door { session, before, mailbox, .. } = door;
        mailbox.forget_puts();
        match frame.split_first() {
            Some((&LINE, line)) => {
                *before = Some(session.clone());
                session.handle_line(mailbox, &now, line)
            }
            Some((&OVERSIZED, id)) => {
                let id = std::str::from_utf8(id).ok().filter(|id| !id.is_empty());
                mcp::oversized(id)
            }
            _ => Reply::Nothing,
        }
    });
    match reply {
        Reply::Line(line) => {
            let mut out = line;
            out.insert(0, REPLY);
            out
        }
        Reply::Nothing => vec![NOTHING],
        Reply::Pending(reference) => [&[PENDING], reference.to_string().as_bytes()].concat(),
    }
}

/// What the host must keep before the reply goes out, as a JSON array:
/// `[{"handle":…,"content_type":…,"compressor":…,"tokens_before":…,"tokens_after":…},…]`.
#[wasm_bindgen(js_name = sessionPuts)]
pub fn session_puts() -> String {
    DOOR.with_borrow(|door| {
        let puts: Vec<String> = door.mailbox.puts().iter().map(Put::figures).collect();
        format!("[{}]", puts.join(","))
    })
}

/// The bytes of the put at this index.
#[wasm_bindgen(js_name = sessionOriginal)]
pub fn session_original(index: u32) -> Vec<u8> {
    let put = |door: &Door| door.mailbox.puts().get(index as usize).map(|put| put.original.clone());
    DOOR.with_borrow(put).unwrap_or_default()
}

/// The host cannot keep what was put: the session is as it was before the frame, which is to be handled again, and nothing
/// is taken until it is done. `code` is a `cave_store_…` code.
#[wasm_bindgen(js_name = sessionRefuse)]
pub fn session_refuse(code: &str, message: &str) {
    DOOR.with_borrow_mut(|door| {
        if let Some(before) = door.before.take() {
            door.session = before;
        }
        door.mailbox.refuse(store_error(code, message));
    });
}

/// Brings an original that was asked for, with the content kind and the token count that were recorded (empty and 0 when
/// unknown). Bytes that do not have the hash of their handle become `cave_store_corrupt`.
#[wasm_bindgen(js_name = sessionSupply)]
pub fn session_supply(reference: &str, original: &[u8], content_type: &str, tokens_before: f64) {
    let stored = Stored {
        original: original.to_vec(),
        content_type: content_type.to_owned(),
        tokens_before: milliseconds(tokens_before),
    };
    DOOR.with_borrow_mut(|door| door.mailbox.bring(reference, Ok(stored)));
}

/// Says why an original that was asked for cannot be brought.
#[wasm_bindgen(js_name = sessionSupplyError)]
pub fn session_supply_error(reference: &str, code: &str, message: &str) {
    DOOR.with_borrow_mut(|door| door.mailbox.bring(reference, Err(store_error(code, message))));
}

/// The reply is out; nothing of the frame is needed any more.
#[wasm_bindgen(js_name = sessionDone)]
pub fn session_done() {
    DOOR.with_borrow_mut(|door| {
        door.before = None;
        door.mailbox.clear();
    });
}

/// The reply to a frame whose handling ended another instance, with its line feed; `place` is what that instance's
/// `lastPanic` said. Empty when none is to be sent.
#[wasm_bindgen(js_name = sessionPanicked)]
pub fn session_panicked(frame: &[u8], place: &str) -> Vec<u8> {
    let line = frame.get(1..).unwrap_or_default();
    match Session::panic_reply(line, place) {
        Reply::Line(line) => line,
        Reply::Nothing | Reply::Pending(_) => Vec::new(),
    }
}

/// A JavaScript number as a count; what is none is 0.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast saturates and turns NaN into 0, which is what is wanted of a clock"
)]
fn milliseconds(number: f64) -> u64 {
    number as u64
}
