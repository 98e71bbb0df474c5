//! JSON-RPC 2.0: one line to messages. Ids stay raw JSON text, so that they are echoed as they were written.

use super::salvage::IdScanner;
use crate::prelude::*;
use core::fmt;
use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// Most messages in one batch. Our choice: bounds the memory of a batch's answers.
pub(super) const MAX_BATCH: usize = 10_000;

/// The line is not JSON.
pub(super) const PARSE_ERROR: i32 = -32700;
/// The line is JSON, but no request.
pub(super) const INVALID_REQUEST: i32 = -32600;
/// No such method.
pub(super) const METHOD_NOT_FOUND: i32 = -32601;
/// The parameters are not what the method takes.
pub(super) const INVALID_PARAMS: i32 = -32602;
/// The server broke.
pub(super) const INTERNAL_ERROR: i32 = -32603;
/// MCP: the protocol version of a request is not supported.
pub(super) const UNSUPPORTED_VERSION: i32 = -32022;

/// What a line holds.
pub(super) enum Line<'a> {
    /// Nothing but white space.
    Blank,
    /// One message.
    One(Message<'a>),
    /// A batch of at least one and at most [`MAX_BATCH`] messages.
    Batch(Vec<Message<'a>>),
    /// A batch of none, or of too many; why it is refused.
    BadBatch(&'static str),
    /// Not JSON: why, and the id if the line shows one.
    Malformed(String, Option<String>),
}

/// One message.
pub(super) enum Message<'a> {
    /// Wants an answer.
    Request {
        /// Raw JSON text: a string or a number.
        id: &'a str,
        /// The method's name.
        method: Cow<'a, str>,
        /// Its parameters.
        params: Option<&'a RawValue>,
    },
    /// Wants none: a notification, or the client's answer to a request.
    Silent,
    /// Is neither; the id when there is a proper one, and why.
    Invalid(Option<&'a str>, &'static str),
}

/// Reads a line.
pub(super) fn parse(line: &[u8]) -> Line<'_> {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    let Some(first) = line.iter().copied().find(|b| !b.is_ascii_whitespace()) else {
        return Line::Blank;
    };
    let malformed = |why: String| Line::Malformed(why, IdScanner::scan(line));
    let Ok(text) = core::str::from_utf8(line) else {
        return malformed("the line is not UTF-8".to_owned());
    };
    let parsed = match first {
        b'{' => serde_json::from_str::<Envelope<'_>>(text).map(|e| Line::One(e.message())),
        b'[' => serde_json::from_str::<Batch<'_>>(text).map(Batch::line),
        _ => serde_json::from_str::<IgnoredAny>(text)
            .map(|_| Line::One(Message::Invalid(None, "the line is not a JSON object"))),
    };
    parsed.unwrap_or_else(|error| malformed(format!("the line is not JSON: {error}")))
}

/// The id of the request that a line cancels.
pub(super) fn cancelled_id(line: &[u8]) -> Option<String> {
    // Cheap test first: nearly every line is something else.
    if line.len() > 65_536 || memchr::memmem::find(line, b"notifications/cancelled").is_none() {
        return None;
    }
    let envelope: Envelope<'_> = serde_json::from_slice(line).ok()?;
    if text(envelope.method?)? != "notifications/cancelled" {
        return None;
    }
    let [id] = members(envelope.params?, ["requestId"])?;
    Some(id?.get().to_owned())
}

/// The id of the one request on a line.
pub(super) fn request_id(line: &[u8]) -> Option<String> {
    match parse(line) {
        Line::One(Message::Request { id, .. }) => Some(id.to_owned()),
        _ => None,
    }
}

/// The members of an object that have these names, each as raw JSON (the last of equal names, as everywhere); `None` when
/// `raw` is no object. A member that is null counts as absent.
pub(super) fn members<'a, const N: usize>(
    raw: &'a RawValue,
    names: [&str; N],
) -> Option<[Option<&'a RawValue>; N]> {
    struct Members<'n, const N: usize>([&'n str; N]);
    impl<'de, const N: usize> Visitor<'de> for Members<'_, N> {
        type Value = [Option<&'de RawValue>; N];

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut found = [None; N];
            while let Some(Text(key)) = map.next_key()? {
                let value: &RawValue = map.next_value()?;
                let slots = self.0.iter().zip(found.iter_mut());
                for (_, slot) in slots.filter(|(name, _)| **name == key) {
                    *slot = (value.get() != "null").then_some(value);
                }
            }
            Ok(found)
        }
    }
    serde_json::Deserializer::from_str(raw.get()).deserialize_map(Members(names)).ok()
}

/// The text of a JSON string; `None` when it is something else, or no Unicode (a lone surrogate).
pub(super) fn text(raw: &RawValue) -> Option<Cow<'_, str>> {
    serde_json::from_str::<Text<'_>>(raw.get()).ok().map(|t| t.0)
}

/// A string that is borrowed where it has no escapes.
struct Text<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Text<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Borrowing;
        impl<'de> Visitor<'de> for Borrowing {
            type Value = Text<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Borrowing)
    }
}

/// The members of a message that matter, unread. Of equal names the last counts.
#[derive(Default)]
struct Envelope<'a> {
    jsonrpc: Option<&'a RawValue>,
    id: Option<&'a RawValue>,
    method: Option<&'a RawValue>,
    params: Option<&'a RawValue>,
    /// `result` or `error`.
    outcome: Option<&'a RawValue>,
}

impl<'a> Envelope<'a> {
    fn message(self) -> Message<'a> {
        let id = self.id.map(RawValue::get).filter(|id| *id != "null");
        let Some(method) = self.method else {
            return match self.outcome {
                Some(_) => Message::Silent,
                None => Message::Invalid(id.filter(|id| is_id(id)), "the message has no method"),
            };
        };
        let Some(id) = id else { return Message::Silent };
        if !is_id(id) {
            return Message::Invalid(None, "the id is neither a string nor a number");
        }
        if self.jsonrpc.and_then(text).as_deref() != Some("2.0") {
            return Message::Invalid(Some(id), "the member jsonrpc is not \"2.0\"");
        }
        match text(method) {
            Some(method) => Message::Request { id, method, params: self.params },
            None => Message::Invalid(Some(id), "the method is not a string"),
        }
    }
}

fn is_id(raw: &str) -> bool {
    raw.starts_with(|c: char| c == '"' || c == '-' || c.is_ascii_digit())
}

impl<'de> Deserialize<'de> for Envelope<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Envelope<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Envelope<'de>, A::Error> {
                let mut envelope = Envelope::default();
                while let Some(Text(key)) = map.next_key()? {
                    let value: &RawValue = map.next_value()?;
                    match &*key {
                        "jsonrpc" => envelope.jsonrpc = Some(value),
                        "id" => envelope.id = Some(value),
                        "method" => envelope.method = Some(value),
                        "params" => envelope.params = Some(value),
                        "result" | "error" => envelope.outcome = Some(value),
                        _ => {}
                    }
                }
                Ok(envelope)
            }
        }
        deserializer.deserialize_map(Members)
    }
}

/// The members of a batch, unread; counted past [`MAX_BATCH`], not kept.
struct Batch<'a> {
    kept: Vec<&'a RawValue>,
    n_members: usize,
}

impl<'a> Batch<'a> {
    fn line(self) -> Line<'a> {
        match self.n_members {
            0 => Line::BadBatch("the batch is empty"),
            n if n > MAX_BATCH => Line::BadBatch("the batch has more than 10000 messages"),
            _ => Line::Batch(self.kept.into_iter().map(member).collect()),
        }
    }
}

fn member(raw: &RawValue) -> Message<'_> {
    match serde_json::from_str::<Envelope<'_>>(raw.get()) {
        Ok(envelope) => envelope.message(),
        Err(_) => Message::Invalid(None, "the member of the batch is not a JSON object"),
    }
}

impl<'de> Deserialize<'de> for Batch<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Elements;
        impl<'de> Visitor<'de> for Elements {
            type Value = Batch<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Batch<'de>, A::Error> {
                let (mut kept, mut n_members) = (Vec::new(), 0_usize);
                while let Some(raw) = seq.next_element::<&RawValue>()? {
                    n_members += 1;
                    if n_members <= MAX_BATCH {
                        kept.push(raw);
                    }
                }
                Ok(Batch { kept, n_members })
            }
        }
        deserializer.deserialize_seq(Elements)
    }
}
