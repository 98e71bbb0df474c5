//! What every tool server of ours does with a line, whatever its tools are: read it, route each message, write the answers.

use super::framing::{Frame, MAX_LINE_BYTES};
use super::jsonrpc::{self, INVALID_PARAMS, INVALID_REQUEST, Line, Message, PARSE_ERROR};
use super::lifecycle::{self, Era, Refusal};
use super::render::{self, Address};
use crate::prelude::*;
use crate::store::Reference;
use serde_json::value::RawValue;

/// Longest answer in bytes, but for tools that are exempt and for single errors.
pub const MAX_REPLY_BYTES: usize = MAX_LINE_BYTES;

/// Who serves, as the protocol names it.
#[derive(Clone, Copy, Debug)]
pub struct ServerInfo {
    /// For programs.
    pub name: &'static str,
    /// For people.
    pub title: &'static str,
    /// Of the build.
    pub version: &'static str,
    /// For the model, at most 240 characters: with deferred tools it is all that a model sees of a server.
    pub instructions: &'static str,
}

/// The tools behind a session.
pub trait ToolServer {
    /// Who serves.
    fn info(&self) -> &'static ServerInfo;
    /// The definitions of the tools that are served, each as JSON text, always in the same order.
    fn definitions(&self) -> Vec<&'static str>;
    /// Calls a tool. An unknown name is [`ToolError::unknown_tool`].
    fn call<'a>(&mut self, name: &str, arguments: Arguments<'a>) -> Result<Content<'a>, Failure>;
}

/// What came of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// One line for the client, its newline included.
    Line(Vec<u8>),
    /// Nothing is to be sent.
    Nothing,
    /// The store must be given this original first; then the same line is to be handled again. Nothing has changed.
    Pending(Reference),
}

/// The answer of a tool: text blocks.
#[derive(Clone, Debug, Default)]
pub struct Content<'a> {
    /// In order; the first is the payload.
    pub blocks: Vec<Block<'a>>,
    /// What happens above [`MAX_REPLY_BYTES`].
    pub size: Size,
}

/// One text block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block<'a> {
    /// Text.
    Text(Cow<'a, str>),
    /// A JSON string as it came, for text that has no other form (a surrogate without its pair).
    Json(&'a str),
}

/// Whether an answer may be longer than [`MAX_REPLY_BYTES`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Size {
    /// It may not: it is answered as `cave_payload_too_large`.
    #[default]
    Capped,
    /// It may: the tool sees to its size itself.
    Exempt,
}

/// Why a tool gave no content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The call failed; the model is told.
    Tool(ToolError),
    /// See [`Reply::Pending`].
    Pending(Reference),
}

/// A failed call, as the model is told of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolError {
    /// `cave_…`
    pub code: &'static str,
    /// What happened to which thing, then what to do about it.
    pub message: String,
    /// Numbers that say where, such as `line` and `column`.
    pub places: Vec<(&'static str, u64)>,
}

impl ToolError {
    /// An error without places.
    pub fn new(code: &'static str, message: impl Into<String>) -> ToolError {
        ToolError { code, message: message.into(), places: Vec::new() }
    }

    /// The answer to a name that is not served.
    pub fn unknown_tool(name: &str) -> ToolError {
        let shown = render::quoted(name, 64);
        ToolError::new("cave_unknown_tool", format!("no such tool: {shown}; tools/list names them"))
    }

    /// An argument that is missing or is not what the tool takes.
    pub fn argument(name: &str, problem: &str) -> ToolError {
        ToolError::new("cave_invalid_arguments", format!("{name} {problem}"))
    }
}

impl From<ToolError> for Failure {
    fn from(error: ToolError) -> Failure {
        Failure::Tool(error)
    }
}

/// The arguments of a call, unread: no copy of a payload is made before a tool wants it.
#[derive(Clone, Copy, Debug)]
pub struct Arguments<'a>(Option<&'a RawValue>);

/// A string argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input<'a> {
    /// Unicode text.
    Text(Cow<'a, str>),
    /// A JSON string with a surrogate without its pair, as it came: JavaScript cuts text so.
    NotText(&'a str),
}

impl<'a> Arguments<'a> {
    /// The arguments of these names as raw JSON; absent and null are the same.
    pub fn get<const N: usize>(self, names: [&str; N]) -> [Option<&'a RawValue>; N] {
        self.0.and_then(|raw| jsonrpc::members(raw, names)).unwrap_or([None; N])
    }

    /// A string, where there is one.
    pub fn text(name: &str, raw: Option<&'a RawValue>) -> Result<Option<Cow<'a, str>>, ToolError> {
        match Arguments::input(name, raw)? {
            Some(Input::Text(text)) => Ok(Some(text)),
            Some(Input::NotText(_)) => {
                Err(ToolError::argument(name, "holds a surrogate without its pair"))
            }
            None => Ok(None),
        }
    }

    /// The payload of a call, which must be there.
    pub fn payload(name: &str, raw: Option<&'a RawValue>) -> Result<Input<'a>, ToolError> {
        Arguments::input(name, raw)?
            .ok_or_else(|| ToolError::argument(name, "is missing; it must be a string"))
    }

    fn input(name: &str, raw: Option<&'a RawValue>) -> Result<Option<Input<'a>>, ToolError> {
        let Some(raw) = raw else { return Ok(None) };
        match jsonrpc::text(raw) {
            Some(text) => Ok(Some(Input::Text(text))),
            None if raw.get().starts_with('"') => Ok(Some(Input::NotText(raw.get()))),
            None => Err(ToolError::argument(name, "must be a string")),
        }
    }

    /// A whole number of at least 0, where there is one.
    pub fn number(name: &str, raw: Option<&RawValue>) -> Result<Option<u64>, ToolError> {
        let Some(raw) = raw else { return Ok(None) };
        let number = serde_json::from_str::<u64>(raw.get()).ok();
        number.map(Some).ok_or_else(|| ToolError::argument(name, "must be a whole number >= 0"))
    }
}

/// Answers one line (without its newline).
pub fn handle_line(server: &mut dyn ToolServer, line: &[u8]) -> Reply {
    if line.len() > MAX_LINE_BYTES {
        return oversized(super::salvage::IdScanner::scan(line).as_deref());
    }
    let mut out = String::new();
    match jsonrpc::parse(line) {
        Line::Blank => {}
        Line::One(message) => {
            if let Err(pending) = answer(server, &message, &mut out) {
                return Reply::Pending(pending);
            }
        }
        Line::Batch(messages) => {
            for message in &messages {
                let start = out.len();
                out.push(if start == 0 { '[' } else { ',' });
                match message {
                    Message::Request { id, .. } if start > MAX_REPLY_BYTES => too_large(
                        &mut out,
                        Some(id),
                        "the batch's answers exceed 16 MiB; send this request by itself",
                    ),
                    message => {
                        if let Err(pending) = answer(server, message, &mut out) {
                            return Reply::Pending(pending);
                        }
                    }
                }
                if out.len() == start + 1 {
                    out.truncate(start);
                }
            }
            if !out.is_empty() {
                out.push(']');
            }
        }
        Line::BadBatch(why) => render::error(&mut out, None, INVALID_REQUEST, why, None),
        Line::Malformed(why, id) => render::error(&mut out, id.as_deref(), PARSE_ERROR, &why, None),
    }
    reply(out)
}

/// Answers what a [`Framer`](super::Framer) gave.
pub fn handle_frame(server: &mut dyn ToolServer, frame: &Frame) -> Reply {
    match frame {
        Frame::Line(line) => handle_line(server, line),
        Frame::Oversized(id) => oversized(id.as_deref()),
    }
}

/// Answers a line that was too long to be read; `id` is JSON text.
pub fn oversized(id: Option<&str>) -> Reply {
    let mut out = String::new();
    too_large(&mut out, id, "a line holds at most 16 MiB; compress it in parts");
    reply(out)
}

/// Answers a line whose handling panicked: with the error of the tool when it was a call, else an internal error, for each
/// request on it. `place` says where, and holds nothing of the payload.
pub fn panicked(info: &'static ServerInfo, line: &[u8], place: &str) -> Reply {
    let mut broken = Broken { info, place };
    let mut out = String::new();
    match jsonrpc::parse(line) {
        Line::One(message) => broken.answer(&message, &mut out),
        Line::Batch(messages) => {
            for message in &messages {
                let start = out.len();
                out.push(if start == 0 { '[' } else { ',' });
                broken.answer(message, &mut out);
                if out.len() == start + 1 {
                    out.truncate(start);
                }
            }
            if !out.is_empty() {
                out.push(']');
            }
        }
        Line::Blank => {}
        Line::BadBatch(_) => broken.internal(&mut out, None),
        Line::Malformed(_, id) => broken.internal(&mut out, id.as_deref()),
    }
    reply(out)
}

struct Broken<'p> {
    info: &'static ServerInfo,
    place: &'p str,
}

impl Broken<'_> {
    fn answer(&mut self, message: &Message<'_>, out: &mut String) {
        match message {
            Message::Silent => {}
            Message::Invalid(id, _) => self.internal(out, *id),
            Message::Request { id, method, params } if method == "tools/call" => {
                let era = lifecycle::era(*params).unwrap_or(Era::Legacy);
                let error = ToolError::new(
                    "cave_tool_panicked",
                    format!("the tool broke at {}; other calls still work", self.place),
                );
                render::result(out, Address { id, era, info: self.info }, |out| {
                    render::tool_error(out, &error);
                });
            }
            Message::Request { id, .. } => self.internal(out, Some(id)),
        }
    }

    fn internal(&self, out: &mut String, id: Option<&str>) {
        let message = format!("cave_internal_error: the server broke at {}", self.place);
        let data = Some("{\"error\":\"cave_internal_error\"}");
        render::error(out, id, jsonrpc::INTERNAL_ERROR, &message, data);
    }
}

fn too_large(out: &mut String, id: Option<&str>, message: &str) {
    let message = format!("cave_payload_too_large: {message}");
    let data = Some("{\"error\":\"cave_payload_too_large\"}");
    render::error(out, id, INVALID_REQUEST, &message, data);
}

fn reply(mut out: String) -> Reply {
    if out.is_empty() {
        return Reply::Nothing;
    }
    out.push('\n');
    Reply::Line(out.into_bytes())
}

/// Answers one message into `out`; writes nothing when none is wanted.
fn answer(
    server: &mut dyn ToolServer,
    message: &Message<'_>,
    out: &mut String,
) -> Result<(), Reference> {
    let (id, method, params) = match message {
        Message::Silent => return Ok(()),
        Message::Invalid(id, why) => {
            render::error(out, *id, INVALID_REQUEST, why, None);
            return Ok(());
        }
        Message::Request { id, method, params } => (*id, &**method, *params),
    };
    let start = out.len();
    match route(server, id, method, params, out) {
        Ok(()) => Ok(()),
        Err(Stop::Pending(reference)) => Err(reference),
        Err(Stop::Refused(refusal)) => {
            out.truncate(start);
            let Refusal { code, message, data } = refusal;
            render::error(out, Some(id), code, &message, data.as_deref());
            Ok(())
        }
    }
}

enum Stop {
    Refused(Refusal),
    Pending(Reference),
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Stop {
        Stop::Refused(refusal)
    }
}

fn route(
    server: &mut dyn ToolServer,
    id: &str,
    method: &str,
    params: Option<&RawValue>,
    out: &mut String,
) -> Result<(), Stop> {
    let info = server.info();
    // An initialize never fails, whatever it says of itself.
    if method == "initialize" {
        let to = Address { id, era: Era::Legacy, info };
        let version = lifecycle::negotiate(params);
        render::result(out, to, |out| lifecycle::initialize(out, info, version));
        return Ok(());
    }
    let era = lifecycle::era(params)?;
    let to = Address { id, era, info };
    match (method, era) {
        ("ping", Era::Legacy) => render::result(out, to, |_| {}),
        ("server/discover", Era::Modern) => {
            render::result(out, to, |out| lifecycle::discover(out, info));
        }
        ("server/discover", Era::Legacy) => {
            let message = "server/discover needs _meta with the protocol version 2026-07-28";
            return Err(Refusal::new(INVALID_PARAMS, message).into());
        }
        ("tools/list", _) => list(server, to, params, out)?,
        ("tools/call", _) => call(server, to, params, out)?,
        _ => return Err(Refusal::no_method(method).into()),
    }
    Ok(())
}

fn list(
    server: &mut dyn ToolServer,
    to: Address<'_>,
    params: Option<&RawValue>,
    out: &mut String,
) -> Result<(), Refusal> {
    if let Some([Some(_)]) = params.and_then(|p| jsonrpc::members(p, ["cursor"])) {
        return Err(Refusal::new(INVALID_PARAMS, "unknown cursor: the list has one page"));
    }
    render::result(out, to, |out| {
        out.push_str("\"tools\":[");
        out.push_str(&server.definitions().join(","));
        out.push(']');
        if to.era == Era::Modern {
            out.push_str(&lifecycle::cache_hints());
        }
    });
    Ok(())
}

fn call(
    server: &mut dyn ToolServer,
    to: Address<'_>,
    params: Option<&RawValue>,
    out: &mut String,
) -> Result<(), Stop> {
    let refuse = |message: &str| Stop::Refused(Refusal::new(INVALID_PARAMS, message));
    let Some([name, arguments]) = params.and_then(|p| jsonrpc::members(p, ["name", "arguments"]))
    else {
        return Err(refuse("params must be an object"));
    };
    let Some(name) = name.and_then(jsonrpc::text) else {
        return Err(refuse("params.name must be a string"));
    };
    if arguments.is_some_and(|a| !a.get().starts_with('{')) {
        return Err(refuse("params.arguments must be an object"));
    }
    let start = out.len();
    match server.call(&name, Arguments(arguments)) {
        Ok(content) => {
            render::result(out, to, |out| render::content(out, &content));
            if content.size == Size::Capped && out.len() - start > MAX_REPLY_BYTES {
                out.truncate(start);
                let error = ToolError::new(
                    "cave_payload_too_large",
                    "the result exceeds 16 MiB; send the payload in parts",
                );
                render::result(out, to, |out| render::tool_error(out, &error));
            }
        }
        Err(Failure::Tool(error)) => render::result(out, to, |out| render::tool_error(out, &error)),
        Err(Failure::Pending(reference)) => return Err(Stop::Pending(reference)),
    }
    Ok(())
}
