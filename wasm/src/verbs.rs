//! The verbs that need no session: each a pure function of its arguments.

use crate::envelope::{BAD_ARGUMENTS, failed, json, parsed, sealed};
use caveman_core::engine::{self, Options};
use caveman_core::kind::Kind;
use caveman_core::store::{
    Entry, Handle, MemoryStore, RecoveryStore, Reference, StoreError, StoreErrorKind, StoreInfo,
    Stored,
};
use caveman_core::{present, tokens};
use serde::{Deserialize, Serialize};
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

/// What a payload is: `{"content_type":…,"language":…,"scores":[{"content_type":…,"score":…},…]}`. Bytes that are not UTF-8
/// text are `text` without scores.
#[wasm_bindgen]
pub fn detect(payload: &[u8]) -> String {
    #[derive(Serialize)]
    struct Answer {
        content_type: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        language: Option<&'static str>,
        scores: Vec<Score>,
    }
    #[derive(Serialize)]
    struct Score {
        content_type: &'static str,
        score: u32,
    }
    let Ok(text) = std::str::from_utf8(payload) else {
        let content_type = Kind::Text.name();
        return json(&Answer { content_type, language: None, scores: Vec::new() });
    };
    let found = caveman_core::detect::detect(&present::unwrap(text).text);
    let score = |(kind, score): (Kind, u32)| Score { content_type: kind.name(), score };
    json(&Answer {
        content_type: found.kind.name(),
        language: found.language,
        scores: found.scores.into_iter().map(score).collect(),
    })
}

/// Compresses a payload. `options` is a JSON object (`content_type`, `query`, `token_budget`, `cannot_store`), or empty.
///
/// The envelope's figures are those of the MCP tool, its payload is the output. The caller keeps the original under
/// `recovery_handle` before it shows the output to anyone; where it cannot, it calls again with `cannot_store` saying why.
#[wasm_bindgen]
pub fn compress(payload: &[u8], options: &str) -> Vec<u8> {
    #[derive(Default, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    struct Asked {
        content_type: Option<String>,
        query: Option<String>,
        token_budget: Option<u64>,
        cannot_store: Option<String>,
    }
    #[derive(Serialize)]
    struct Figures {
        ratio: f64,
        tokens_before: u64,
        tokens_after: u64,
        basis: &'static str,
        token_count_basis: &'static str,
        content_type: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        language: Option<&'static str>,
        recovery_handle: Option<String>,
        method: &'static str,
        lossless_to_model: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<&'static str>,
    }
    let asked: Asked = match parsed(options) {
        Ok(asked) => asked,
        Err(failure) => return failure,
    };
    let content_type = match asked.content_type.as_deref().map(|name| (name, Kind::parse(name))) {
        Some((name, None)) => {
            return failed(BAD_ARGUMENTS, format!("no such content_type: {name:?}"));
        }
        forced => forced.and_then(|(_, kind)| kind),
    };
    let options =
        Options { content_type, query: asked.query.as_deref(), token_budget: asked.token_budget };
    let mut store: Box<dyn RecoveryStore> = match asked.cannot_store {
        Some(why) => Box::new(Lent(Err(StoreError::new(StoreErrorKind::Unavailable, why)))),
        None => Box::new(MemoryStore::default()),
    };
    let answer = engine::compress(store.as_mut(), 0, payload, &options);
    let figures = Figures {
        ratio: answer.ratio(),
        tokens_before: answer.tokens_before,
        tokens_after: answer.tokens_after,
        basis: "inferred",
        token_count_basis: tokens::BASIS,
        content_type: answer.content_type.name(),
        language: answer.language,
        recovery_handle: answer.recovery_handle.map(|handle| handle.to_string()),
        method: answer.method,
        lossless_to_model: answer.lossless_to_model,
        reason: answer.reason.map(engine::Reason::name),
    };
    sealed(&figures, &answer.output)
}

/// The view of an original that a query selects: `{"view":true,"shown":…,"matching":…}` and its text, or `{"view":false}` and
/// nothing when the whole original is the answer. `content_type` is what `compress` said of it, or empty.
#[wasm_bindgen(js_name = retrieveView)]
pub fn retrieve_view(original: &[u8], content_type: &str, query: &str) -> Vec<u8> {
    #[derive(Serialize)]
    struct Figures {
        view: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        shown: Option<u32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        matching: Option<u32>,
    }
    let mut store = Lent(Ok(Stored {
        original: original.to_vec(),
        content_type: content_type.to_owned(),
        tokens_before: 0,
    }));
    let reference = Reference::Handle(Handle::of(original));
    match engine::retrieve(&mut store, 0, &reference, Some(query)) {
        Ok(retrieved) => match retrieved.view {
            Some(view) => {
                let (shown, matching) = (Some(view.n_shown), Some(view.n_matching));
                sealed(&Figures { view: true, shown, matching }, view.text.as_bytes())
            }
            None => sealed(&Figures { view: false, shown: None, matching: None }, b""),
        },
        Err(error) => failed(error.code(), error.to_string()),
    }
}

/// A store that holds one original under any name, or a reason to hold none.
struct Lent(Result<Stored, StoreError>);

impl RecoveryStore for Lent {
    fn put(&mut self, _entry: &Entry<'_>, _now_ms: u64) -> Result<(), StoreError> {
        self.0.as_ref().map(drop).map_err(StoreError::clone)
    }

    fn get(&mut self, _reference: &Reference, _now_ms: u64) -> Result<Stored, StoreError> {
        self.0.clone()
    }

    fn info(&mut self) -> StoreInfo {
        StoreInfo { kind: "memory", entries: 1, bytes: 0, limit_bytes: 0, state: "ok".to_owned() }
    }
}
