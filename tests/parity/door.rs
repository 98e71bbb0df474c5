//! The exports of the artifact by name, callable natively as well.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// One argument of an export.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Argument<'a> {
    Bytes(&'a [u8]),
    Text(&'a str),
    Number(f64),
    Index(u32),
    /// A slice outside the memory, which no glue passes: a way to trap.
    Wild,
}

/// Something that answers to the names of the exports. Results are bytes: texts as UTF-8, numbers as their bits.
pub(crate) trait Door {
    /// Calls an export; the error is where it panicked.
    fn call(&mut self, name: &str, arguments: &[Argument<'_>]) -> Result<Vec<u8>, String>;
}

/// The same code compiled natively.
pub(crate) struct Native;

impl Door for Native {
    fn call(&mut self, name: &str, arguments: &[Argument<'_>]) -> Result<Vec<u8>, String> {
        catch_unwind(AssertUnwindSafe(|| native(name, arguments))).map_err(|cause| {
            let said = cause.downcast_ref::<String>().map(String::as_str);
            said.or(cause.downcast_ref::<&str>().copied()).unwrap_or("a panic").to_owned()
        })
    }
}

/// What an export gives, as bytes.
trait Answer {
    fn bytes(self) -> Vec<u8>;
}

impl Answer for Vec<u8> {
    fn bytes(self) -> Vec<u8> {
        self
    }
}

impl Answer for String {
    fn bytes(self) -> Vec<u8> {
        self.into_bytes()
    }
}

impl Answer for f64 {
    fn bytes(self) -> Vec<u8> {
        self.to_le_bytes().to_vec()
    }
}

fn native(name: &str, arguments: &[Argument<'_>]) -> Vec<u8> {
    use Argument::{Bytes, Index, Number, Text};
    use caveman_wasm as door;
    match (name, arguments) {
        ("compress", [Bytes(payload), Text(options)]) => door::compress(payload, options).bytes(),
        ("countTokens", [Text(text)]) => door::count_tokens(text).bytes(),
        ("detect", [Bytes(payload)]) => door::detect(payload).bytes(),
        ("framerTake", []) => door::framer_take().bytes(),
        ("handleOf", [Bytes(original)]) => door::handle_of(original).bytes(),
        ("parseHandle", [Text(text)]) => door::parse_handle(text).bytes(),
        ("retrieveView", [Bytes(original), Text(kind), Text(query)]) => {
            door::retrieve_view(original, kind, query).bytes()
        }
        ("sessionHandle", [Bytes(frame), Number(now)]) => door::session_handle(frame, *now).bytes(),
        ("sessionOpen", [Text(list)]) => door::session_open(list).bytes(),
        ("sessionOriginal", [Index(index)]) => door::session_original(*index).bytes(),
        ("sessionPanicked", [Bytes(frame), Text(at)]) => door::session_panicked(frame, at).bytes(),
        ("sessionPuts", []) => door::session_puts().bytes(),
        ("toonDecode", [Text(toon), Text(options)]) => door::toon_decode(toon, options).bytes(),
        ("toonEncode", [Text(json), Text(options)]) => door::toon_encode(json, options).bytes(),
        ("toonDecodeBytes", [Bytes(toon), Text(options)]) => {
            door::toon_decode_bytes(toon, options).bytes()
        }
        ("toonEncodeBytes", [Bytes(json), Text(options)]) => {
            door::toon_encode_bytes(json, options).bytes()
        }
        ("version", []) => door::version().bytes(),
        _ => {
            told(name, arguments);
            Vec::new()
        }
    }
}

/// The exports that give nothing.
fn told(name: &str, arguments: &[Argument<'_>]) {
    use Argument::{Bytes, Number, Text};
    use caveman_wasm as door;
    match (name, arguments) {
        ("framerFinish", []) => door::framer_finish(),
        ("framerPush", [Bytes(chunk)]) => door::framer_push(chunk),
        ("sessionDone", []) => door::session_done(),
        ("sessionRefuse", [Text(code), Text(why)]) => door::session_refuse(code, why),
        ("sessionStore", [Text(info)]) => door::session_store(info),
        ("sessionSupply", [Text(reference), Bytes(original), Text(kind), Number(n)]) => {
            door::session_supply(reference, original, kind, *n)
        }
        ("sessionSupplyError", [Text(reference), Text(code), Text(why)]) => {
            door::session_supply_error(reference, code, why)
        }
        _ => panic!("{name} does not take {arguments:?}"),
    }
}
