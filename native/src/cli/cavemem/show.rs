//! Memories as people read them.

use caveman_core::memory::{Form, Memory, Recall};

/// Hits, best first.
pub(super) fn recall(recall: &Recall) -> String {
    if recall.hits.is_empty() {
        return "nothing is remembered about that".to_owned();
    }
    let mut out = String::new();
    for hit in &recall.hits {
        let more = match (&hit.recovery_handle, hit.form) {
            (_, Form::Raw) => String::new(),
            (Some(handle), form) => format!("  {}, the whole is {handle}", form.name()),
            (None, form) => format!("  {}", form.name()),
        };
        let date = hit.created_at.as_deref().unwrap_or_default();
        out.push_str(&format!("{}  {date}{more}\n{}\n\n", hit.id, indented(&hit.text)));
    }
    let (n_shown, n_matching) = (recall.hits.len(), recall.n_matching);
    out.push_str(&format!("{n_shown} of {n_matching}, {} tokens\n", recall.tokens_added));
    out
}

/// Versions, in their order.
pub(super) fn memories(memories: &[Memory]) -> String {
    let mut out = String::new();
    for memory in memories {
        let date = memory.created_at.as_deref().unwrap_or_default();
        let until = match &memory.valid_until {
            Some(until) => format!(" to {until}"),
            None => String::new(),
        };
        out.push_str(&format!("{}  {date}{until}\n{}\n\n", memory.id, indented(&memory.text)));
    }
    out
}

/// Control characters could move the cursor and colour the rest: they do not come from a memory.
fn indented(text: &str) -> String {
    let clean: String =
        text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect();
    format!("    {}", clean.trim_end().replace('\n', "\n    "))
}
