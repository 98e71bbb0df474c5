//! Reading what an export wrote: one memory a line, as JSON.

use crate::memory::{Memory, MemoryError, MemoryErrorKind};
use crate::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
struct Line {
    id: Option<String>,
    text: String,
    created_at: Option<String>,
    valid_from: Option<String>,
    valid_until: Option<String>,
    supersedes: Option<String>,
    superseded_by: Option<String>,
}

/// The memory of one line; its id is empty when the line has only a text. Other members are not read.
pub fn imported(line: &str) -> Result<Memory, MemoryError> {
    let bad = |why: String| MemoryError::new(MemoryErrorKind::BadImport, why);
    let line: Line = serde_json::from_str(line).map_err(|error| bad(error.to_string()))?;
    crate::memory::text(&line.text)?;
    let has_id = line.id.as_ref().is_some_and(|id| !id.trim().is_empty());
    if !has_id && (line.supersedes.is_some() || line.superseded_by.is_some()) {
        return Err(bad("a version without an id cannot be linked to others".to_owned()));
    }
    Ok(Memory {
        id: line.id.unwrap_or_default(),
        text: line.text,
        created_at: line.created_at,
        valid_from: line.valid_from,
        valid_until: line.valid_until,
        supersedes: line.supersedes,
        superseded_by: line.superseded_by,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_it_was_written() {
        let memory = Memory {
            id: "mem_1".to_owned(),
            text: "a \"quoted\"\n\u{0}\u{1f600} line".to_owned(),
            created_at: Some("2026-01-01T00:00:00.000Z".to_owned()),
            supersedes: Some("mem_0".to_owned()),
            ..Memory::default()
        };
        let line = crate::mcp::memory(&memory).finish();
        assert_eq!(imported(&line), Ok(memory));
        assert_eq!(
            imported("{\"text\":\"x\",\"more\":1}").map(|memory| memory.text),
            Ok("x".into())
        );
    }

    #[test]
    fn what_is_no_memory_is_refused() {
        let check = |line: &str| imported(line).map_err(|error| error.code());
        for line in [
            "",
            "[]",
            "{}",
            "{\"text\":7}",
            "{\"text\":\"x\",\"supersedes\":\"a\"}",
            "{\"text\":\"x\"",
        ] {
            assert_eq!(check(line), Err("cave_bad_import"), "{line}");
        }
        assert_eq!(check("{\"text\":\" \"}"), Err("cave_memory_empty"));
    }
}
