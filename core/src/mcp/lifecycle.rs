//! Protocol revisions: which one an `initialize` gets, and by which era's rules a single request is answered.
//!
//! Four revisions begin with a handshake (the legacy era); in the fifth every request states its version and the
//! client's capabilities in `_meta` (the modern era). One process serves both, so the era belongs to the request.
//! Source: the Model Context Protocol specification, *Lifecycle* of each revision and *Versioning* of 2026-07-28.

use super::jsonrpc::{self, INVALID_PARAMS, METHOD_NOT_FOUND, UNSUPPORTED_VERSION};
use super::render::{self, Object};
use super::server::ServerInfo;
use crate::prelude::*;
use serde_json::value::RawValue;

/// The revision without a handshake.
pub const MODERN: &str = "2026-07-28";

/// The revisions with a handshake, newest first.
pub const HANDSHAKES: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// For how long a host may keep the list of tools, in milliseconds: it changes with a new build only.
const TTL_MS: u64 = 3_600_000;

/// By which rules a request is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Era {
    /// After an `initialize`, as up to 2025-11-25.
    Legacy,
    /// Each request by itself, as from 2026-07-28.
    Modern,
}

/// A request that cannot be served: a protocol error.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) code: i32,
    pub(super) message: String,
    /// JSON text.
    pub(super) data: Option<String>,
}

impl Refusal {
    /// An error without data.
    pub(super) fn new(code: i32, message: impl Into<String>) -> Refusal {
        Refusal { code, message: message.into(), data: None }
    }

    /// The answer to a method that does not exist in this era.
    pub(super) fn no_method(method: &str) -> Refusal {
        Refusal::new(METHOD_NOT_FOUND, format!("no such method: {}", render::quoted(method, 64)))
    }
}

/// The era of a request, from its `_meta`; the refusal of a modern one that is not well formed.
pub(super) fn era(params: Option<&RawValue>) -> Result<Era, Refusal> {
    let keys = ["protocolVersion", "clientCapabilities"]
        .map(|key| format!("io.modelcontextprotocol/{key}"));
    let [version_key, capabilities_key] = &keys;
    let meta = params
        .and_then(|params| jsonrpc::members(params, ["_meta"]))
        .and_then(|[meta]| jsonrpc::members(meta?, [version_key, capabilities_key]));
    let Some([Some(version), capabilities]) = meta else { return Ok(Era::Legacy) };
    let Some(version) = jsonrpc::text(version) else {
        return Err(Refusal::new(INVALID_PARAMS, format!("_meta {version_key} is not a string")));
    };
    if HANDSHAKES.contains(&&*version) {
        return Ok(Era::Legacy);
    }
    if version != MODERN {
        let requested: String = version.chars().take(64).collect();
        let data = Object::new().raw("supported", &supported()).text("requested", &requested);
        return Err(Refusal {
            code: UNSUPPORTED_VERSION,
            message: "unsupported protocol version".to_owned(),
            data: Some(data.finish()),
        });
    }
    match capabilities {
        Some(capabilities) if capabilities.get().starts_with('{') => Ok(Era::Modern),
        Some(_) => {
            Err(Refusal::new(INVALID_PARAMS, format!("_meta {capabilities_key} is not an object")))
        }
        None => Err(Refusal::new(INVALID_PARAMS, format!("_meta lacks {capabilities_key}"))),
    }
}

/// The revision that answers an `initialize`: the one that was asked for when it has a handshake; the oldest for what is
/// older still; else the newest with a handshake, never one that the client did not know when it asked.
pub(super) fn negotiate(params: Option<&RawValue>) -> &'static str {
    let [newest, .., oldest] = HANDSHAKES;
    let asked = params
        .and_then(|params| jsonrpc::members(params, ["protocolVersion"]))
        .and_then(|[version]| jsonrpc::text(version?));
    let Some(asked) = asked else { return newest };
    if let Some(known) = HANDSHAKES.into_iter().find(|known| *known == asked) {
        return known;
    }
    // Dates of this form compare as text.
    let is_date = asked.len() == oldest.len()
        && asked.bytes().zip(oldest.bytes()).all(|(a, b)| match b {
            b'-' => a == b'-',
            _ => a.is_ascii_digit(),
        });
    if is_date && *asked < *oldest { oldest } else { newest }
}

/// The members of an `initialize` result.
pub(super) fn initialize(out: &mut String, info: &ServerInfo, version: &str) {
    out.push_str("\"protocolVersion\":");
    render::string(out, version);
    out.push_str(",\"capabilities\":{\"tools\":{}},\"serverInfo\":");
    render::server_info(out, info);
    out.push_str(",\"instructions\":");
    render::string(out, info.instructions);
}

/// The members of a `server/discover` result.
pub(super) fn discover(out: &mut String, info: &ServerInfo) {
    out.push_str("\"supportedVersions\":");
    out.push_str(&supported());
    out.push_str(",\"capabilities\":{\"tools\":{}},\"instructions\":");
    render::string(out, info.instructions);
    out.push_str(&cache_hints());
}

/// What a list of the modern era says about how long it holds; begins with a comma.
pub(super) fn cache_hints() -> String {
    format!(",\"ttlMs\":{TTL_MS},\"cacheScope\":\"public\"")
}

/// Every supported revision, newest first, as a JSON array.
fn supported() -> String {
    let mut out = format!("[\"{MODERN}\"");
    for version in HANDSHAKES {
        out.push_str(&format!(",\"{version}\""));
    }
    out.push(']');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(version_json: &str, expected: &str) {
        let params = format!("{{\"protocolVersion\":{version_json}}}");
        let params: &RawValue = serde_json::from_str(&params).unwrap();
        assert_eq!(negotiate(Some(params)), expected, "{version_json}");
    }

    #[test]
    fn every_known_handshake_is_echoed() {
        for version in HANDSHAKES {
            check(&format!("\"{version}\""), version);
        }
    }

    #[test]
    fn negotiation_never_fails_and_never_answers_a_newer_known_version() {
        for (version, expected) in [
            ("\"2026-07-28\"", "2025-11-25"),
            ("\"2027-01-01\"", "2025-11-25"),
            ("\"2025-07-01\"", "2025-11-25"),
            ("\"2024-10-07\"", "2024-11-05"),
            ("\"1999-01-01\"", "2024-11-05"),
            ("\"\"", "2025-11-25"),
            ("\"1\"", "2025-11-25"),
            ("\"0.1-alpha-\"", "2025-11-25"),
            ("\"\\ud800\"", "2025-11-25"),
            ("null", "2025-11-25"),
            ("7", "2025-11-25"),
            ("{}", "2025-11-25"),
        ] {
            check(version, expected);
        }
        assert_eq!(negotiate(None), "2025-11-25");
        let array: &RawValue = serde_json::from_str("[1]").unwrap();
        assert_eq!(negotiate(Some(array)), "2025-11-25");
    }
}
