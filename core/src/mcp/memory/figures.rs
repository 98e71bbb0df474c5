//! What is said of memories, as JSON: the same on the wire and on the command line.

use crate::mcp::render::{self, Object};
use crate::memory::{Form, Hit, Memory, Recall, Remembered};
use crate::prelude::*;

/// What became of a text.
pub fn remembered(done: &Remembered) -> Object {
    let object = optional(Object::new().text("id", &done.id), "created_at", &done.created_at);
    let object = object.text("status", done.status.name());
    match &done.supersedes {
        Some(id) => object.text("supersedes", id),
        None => object,
    }
}

/// What a query recalled.
pub fn recalled(recall: &Recall) -> Object {
    let hits: Vec<String> = recall.hits.iter().map(|found| hit(found).finish()).collect();
    Object::new()
        .raw("hits", &format!("[{}]", hits.join(",")))
        .number("matching", recall.n_matching)
        .number("tokens_added", recall.tokens_added)
        .text("basis", "inferred")
}

fn hit(hit: &Hit) -> Object {
    let object = Object::new()
        .text("id", &hit.id)
        .text("text", &hit.text)
        .raw("score", &format!("{:.4}", hit.score))
        .number("tokens_added", hit.tokens_added)
        .text("basis", "inferred");
    let object = optional(object, "created_at", &hit.created_at);
    let object = match hit.form {
        Form::Raw => object,
        form => object.text("form", form.name()),
    };
    match &hit.recovery_handle {
        Some(handle) => object.text("recovery_handle", &handle.to_string()),
        None => object,
    }
}

/// A lineage, oldest version first.
pub fn history(versions: &[Memory]) -> Object {
    let listed: Vec<String> = versions.iter().map(|version| memory(version).finish()).collect();
    let object = Object::new().raw("versions", &format!("[{}]", listed.join(",")));
    let current = versions.last().filter(|version| version.is_current());
    optional(object, "current", &current.map(|version| version.id.clone()))
}

/// One version with everything that is kept of it.
pub fn memory(memory: &Memory) -> Object {
    let object = Object::new().text("id", &memory.id).text("text", &memory.text);
    let object = optional(object, "created_at", &memory.created_at);
    let object = optional(object, "valid_from", &memory.valid_from);
    let object = optional(object, "valid_until", &memory.valid_until);
    let object = optional(object, "supersedes", &memory.supersedes);
    optional(object, "superseded_by", &memory.superseded_by)
}

/// That a version is gone.
pub fn forgotten(id: &str) -> Object {
    Object::new().text("id", id).raw("forgotten", "true")
}

/// A member that is null when there is nothing.
fn optional(object: Object, name: &str, value: &Option<String>) -> Object {
    let mut json = String::new();
    match value {
        Some(text) => render::string(&mut json, text),
        None => json.push_str("null"),
    }
    object.raw(name, &json)
}
