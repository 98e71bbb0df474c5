//! The verbs that need no session: each a pure function of its arguments.

use crate::envelope::{BAD_ARGUMENTS, enveloped, failed, parsed};
use crate::mailbox::store_error;
use caveman_core::engine::{self, Answer, Elided, Options, Reason};
use caveman_core::kind::Kind;
use caveman_core::mcp::{self, Object};
use caveman_core::store::{
    Entry, Handle, RecoveryStore, Reference, StoreError, StoreErrorKind, StoreInfo, Stored,
};
use caveman_core::{present, tokens};
use serde::Deserialize;
use wasm_bindgen::prelude::wasm_bindgen;

/// The version of the build.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// How many o200k_base tokens `text` has.
#[wasm_bindgen(js_name = countTokens)]
pub fn count_tokens(text: &str) -> f64 {
    tokens::count(text) as f64
}

/// The handle of an original.
#[wasm_bindgen(js_name = handleOf)]
pub fn handle_of(original: &[u8]) -> String {
    Handle::of(original).to_string()
}

/// The handle or object id in a text that a model wrote, in its one spelling; empty when there is none.
#[wasm_bindgen(js_name = parseHandle)]
pub fn parse_handle(text: &str) -> String {
    Reference::parse(text).map(|reference| reference.to_string()).unwrap_or_default()
}

/// What a payload is, as the command line says it: `{"content_type":…,"language":…,"scores":{kind:score,…}}`, best score first.
#[wasm_bindgen]
pub fn detect(payload: &[u8]) -> String {
    let Ok(text) = std::str::from_utf8(payload) else {
        let figures = Object::new().text("content_type", Kind::Text.name());
        return figures.text("reason", Reason::NotText.name()).finish();
    };
    let found = caveman_core::detect::detect(&present::unwrap(text).text);
    let mut scores = Object::new();
    for (kind, score) in &found.scores {
        scores = scores.number(kind.name(), (*score).into());
    }
    let figures = Object::new().text("content_type", found.kind.name());
    let figures = match found.language {
        Some(language) => figures.text("language", language),
        None => figures,
    };
    figures.raw("scores", &scores.finish()).finish()
}

/// Compresses a payload. `options` is a JSON object (`content_type`, `query`, `token_budget`, `elided`, `cannot_store`,
/// `cannot_store_code`), or empty.
///
/// The envelope's figures are those of the MCP tool, its payload is the output. With `"elided":true` the figures hold
/// `elided` too: for each marker `[start, end, start, end, units]`, where it stands in the output and what it stands for in
/// the payload, in bytes. The caller keeps the original under
/// `recovery_handle` before it shows the output to anyone; where it cannot, it calls again with `cannot_store` saying why.
#[wasm_bindgen]
pub fn compress(payload: &[u8], options: &str) -> Vec<u8> {
    #[derive(Default, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    struct Asked {
        content_type: Option<String>,
        query: Option<String>,
        token_budget: Option<u64>,
        elided: bool,
        cannot_store: Option<String>,
        cannot_store_code: Option<String>,
    }
    let asked: Asked = match parsed(options) {
        Ok(asked) => asked,
        Err(failure) => return enveloped(&failure.finish(), b""),
    };
    let content_type = match asked.content_type.as_deref().map(|name| (name, Kind::parse(name))) {
        Some((name, None)) => {
            let names: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
            let message =
                format!("no such content type: {name:?}; the types are {}", names.join(", "));
            return failed(BAD_ARGUMENTS, &message);
        }
        forced => forced.and_then(|(_, kind)| kind),
    };
    let options =
        Options { content_type, query: asked.query.as_deref(), token_budget: asked.token_budget };
    let refusal = asked
        .cannot_store
        .map(|why| store_error(asked.cannot_store_code.as_deref().unwrap_or_default(), &why));
    let mut store = OneCall { refusal, lent: None };
    let answer = engine::compress(&mut store, 0, payload, &options);
    let note = answer.store_error.as_ref().map(|error| format!("{}: {error}", error.code()));
    let figures = mcp::figures(&answer, &note.unwrap_or_default());
    let figures = if asked.elided { figures.raw("elided", &places(&answer)) } else { figures };
    enveloped(&figures.finish(), &answer.output)
}

/// What each marker stands for, as a JSON array of arrays of numbers.
fn places(answer: &Answer<'_>) -> String {
    let place = |Elided { marker, of, n_units }: &Elided| {
        format!("[{},{},{},{},{n_units}]", marker.start, marker.end, of.start, of.end)
    };
    format!("[{}]", answer.elided.iter().map(place).collect::<Vec<_>>().join(","))
}

/// The view of an original that a query selects: `{"view":true,"shown":…,"matching":…}` and its text, or `{"view":false}` and
/// nothing when the whole original is the answer. `content_type` is what `compress` said of it, or empty.
#[wasm_bindgen(js_name = retrieveView)]
pub fn retrieve_view(original: &[u8], content_type: &str, query: &str) -> Vec<u8> {
    let lent = Stored {
        original: original.to_vec(),
        content_type: content_type.to_owned(),
        tokens_before: 0,
    };
    let mut store = OneCall { refusal: None, lent: Some(lent) };
    let reference = Reference::Handle(Handle::of(original));
    match engine::retrieve(&mut store, 0, &reference, Some(query)) {
        Ok(retrieved) => match retrieved.view {
            Some(view) => {
                let figures = Object::new()
                    .raw("view", "true")
                    .number("shown", view.n_shown.into())
                    .number("matching", view.n_matching.into());
                enveloped(&figures.finish(), view.text.as_bytes())
            }
            None => enveloped(r#"{"view":false}"#, b""),
        },
        Err(error) => failed(error.code(), &error.to_string()),
    }
}

/// The store of one call: takes originals and forgets them, or refuses; lends one under any name.
struct OneCall {
    refusal: Option<StoreError>,
    lent: Option<Stored>,
}

impl RecoveryStore for OneCall {
    fn put(&mut self, _entry: &Entry<'_>, _now_ms: u64) -> Result<(), StoreError> {
        self.refusal.clone().map_or(Ok(()), Err)
    }

    fn get(&mut self, reference: &Reference, _now_ms: u64) -> Result<Stored, StoreError> {
        let unknown = || {
            let detail = format!("no original is stored under {reference}");
            StoreError::new(StoreErrorKind::Unknown, detail)
        };
        self.lent.clone().ok_or_else(unknown)
    }

    fn info(&mut self) -> StoreInfo {
        StoreInfo { kind: "memory", entries: 0, bytes: 0, limit_bytes: 0, state: "ok".to_owned() }
    }
}
