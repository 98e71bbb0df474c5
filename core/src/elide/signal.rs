//! Signals: what a reader must never miss. A severity is read from a level word, else from words of failure.

use super::sheet::CellKind;
use crate::prelude::*;

/// How much a unit matters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing said.
    #[default]
    None,
    /// A warning.
    Warn,
    /// An error, failure or worse.
    Error,
}

/// Level words as loggers write them, upper case or lower; matched as whole words.
const LEVELS: &[(&str, Severity)] = &[
    ("trace", Severity::None),
    ("debug", Severity::None),
    ("info", Severity::None),
    ("notice", Severity::None),
    ("warn", Severity::Warn),
    ("warning", Severity::Warn),
    ("error", Severity::Error),
    ("err", Severity::Error),
    ("severe", Severity::Error),
    ("fatal", Severity::Error),
    ("crit", Severity::Error),
    ("critical", Severity::Error),
    ("alert", Severity::Error),
    ("emerg", Severity::Error),
    ("emergency", Severity::Error),
    ("panic", Severity::Error),
];

/// Stems of failure; a word that starts with one is a signal, whatever its ending (`fail`, `failed`, `failure`).
const STEMS: &[&str] = &[
    "abort",
    "assert",
    "attack",
    "break-in",
    "cannot",
    "corrupt",
    "crash",
    "critical",
    "deadlock",
    "declin",
    "denied",
    "died",
    "emerg",
    "error",
    "exceed",
    "exception",
    "exhaust",
    "fail",
    "fatal",
    "forbidden",
    "illegal",
    "invalid",
    "kill",
    "leak",
    "malform",
    "mismatch",
    "missing",
    "oom",
    "overflow",
    "panic",
    "refuse",
    "reject",
    "segfault",
    "severe",
    "stack",
    "timed",
    "timeout",
    "traceback",
    "unable",
    "unauthor",
    "unavailab",
    "unexpected",
    "unhandled",
    "unknown",
    "unreachable",
    "violat",
    "warn",
];

/// The severity that a level word states; `None` when `word` is not a level word.
pub fn level(word: &str) -> Option<Severity> {
    if word.len() < 3 || word.len() > 9 {
        return None;
    }
    LEVELS.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)).map(|(_, severity)| *severity)
}

/// Whether a word speaks of failure.
pub fn speaks_of_failure(word: &str) -> bool {
    let Some(first) = word.bytes().next() else { return false };
    let first = first.to_ascii_lowercase();
    STEMS.iter().any(|stem| {
        stem.as_bytes().first() == Some(&first)
            && word.get(..stem.len()).is_some_and(|head| head.eq_ignore_ascii_case(stem))
    }) || ends_with_failure(word)
}

/// `NullPointerException`, `ValueError`, `onFailure`: class names that end in a word of failure.
fn ends_with_failure(word: &str) -> bool {
    ["Exception", "Error", "Failure", "Timeout"]
        .iter()
        .any(|end| word.len() > end.len() && word.ends_with(end))
}

/// Status glyphs of failure: they stand for a word.
pub fn is_failure_glyph(c: char) -> bool {
    matches!(c, '✗' | '✘' | '✖' | '❌' | '⨯' | '×' | '⚠' | '🔴' | '❗')
}

/// The severity of a free line without a level word: words and glyphs of failure make it an error.
pub fn of_words(line: &str) -> Severity {
    let spoken = line.split(|c: char| !(c.is_alphanumeric() || c == '-')).any(speaks_of_failure);
    if spoken || line.chars().any(is_failure_glyph) { Severity::Error } else { Severity::None }
}

/// What the name of a field says of its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldRole {
    /// Nothing.
    Plain,
    /// A level word.
    Level,
    /// A state word: `status`, `phase`, `result`.
    State,
    /// A text that says what happened.
    Message,
    /// An error, when it holds anything.
    Error,
}

impl FieldRole {
    /// The role of a field by the last part of its path.
    pub fn of(name: &str) -> FieldRole {
        let last = last_part(name).to_ascii_lowercase();
        match last.as_str() {
            "level" | "lvl" | "severity" | "loglevel" | "log_level" | "levelname"
            | "severity_text" | "severitytext" => FieldRole::Level,
            "msg" | "message" | "event" | "log" | "text" if !name.contains("[]") => {
                FieldRole::Message
            }
            "status" | "state" | "result" | "outcome" | "conclusion" | "reason" | "phase"
            | "health" => FieldRole::State,
            _ if is_error_field(name) => FieldRole::Error,
            _ => FieldRole::Plain,
        }
    }
}

/// Whether an error field holds an error: not null, false, zero or empty.
pub fn says_something(kind: CellKind, value: &str) -> bool {
    match kind {
        CellKind::Null => false,
        CellKind::Bool => value == "true",
        CellKind::Number => value.bytes().any(|b| matches!(b, b'1'..=b'9')),
        CellKind::Text => !matches!(
            value,
            "" | "[]" | "{}" | "none" | "None" | "null" | "false" | "ok" | "OK" | "-" | "<none>"
        ),
    }
}

/// The last part of a path of names.
pub(super) fn last_part(name: &str) -> &str {
    name.rsplit(['.', '[', ']']).find(|part| !part.is_empty()).unwrap_or(name)
}

/// Whether a field of this name holds an error when it holds anything: `error`, `exception`, `failure_reason`, `stderr`.
pub fn is_error_field(name: &str) -> bool {
    let lower = last_part(name).to_ascii_lowercase();
    [
        "error",
        "exception",
        "fail",
        "fatal",
        "panic",
        "traceback",
        "stack_trace",
        "stacktrace",
        "stderr",
    ]
    .iter()
    .any(|stem| {
        // `error_count: 0` and `failures: 0` are counters: their outliers and rare values speak for them.
        lower.contains(stem)
    }) && !["count", "rate", "total", "num", "ratio", "url"].iter().any(|stem| lower.contains(stem))
}

/// Field names that hold credentials: their values never enter a fact.
pub fn is_credential(name: &str) -> bool {
    let lower: String =
        name.to_ascii_lowercase().chars().map(|c| if c == '-' { '_' } else { c }).collect();
    let last = last_part(&lower);
    let compact: String = last.chars().filter(|c| *c != '_').collect();
    let named = [
        "password",
        "passwd",
        "passphrase",
        "secret",
        "apikey",
        "authorization",
        "cookie",
        "privatekey",
        "credential",
        "accesskey",
        "bearer",
    ];
    if named.iter().any(|word| compact.contains(word)) {
        return true;
    }
    // `token` alone or as the last word is a credential; `token_count`, `tokens`, `tokens_used` are counts.
    last == "pwd" || last == "auth" || last.ends_with("token") || last == "pin"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_failure_are_signals_and_plain_words_are_not() {
        for line in [
            "Failed password for root",
            "java.lang.IllegalStateException: x",
            "connection refused",
            "✗ case 7",
            "request timed out",
        ] {
            assert_eq!(of_words(line), Severity::Error, "{line}");
        }
        for line in
            ["session opened for user root", "✓ case 7", "GET /api/users/1 200", "terror", ""]
        {
            assert_eq!(of_words(line), Severity::None, "{line}");
        }
    }

    #[test]
    fn credentials_are_told_from_counts_and_ids() {
        for name in [
            "password",
            "user.api_key",
            "X-Api-Key",
            "access_token",
            "Set-Cookie",
            "private_key",
            "client_secret",
            "headers.authorization",
        ] {
            assert!(is_credential(name), "{name}");
        }
        for name in ["token_count", "session_id", "tokens", "author", "name", "pinned"] {
            assert!(!is_credential(name), "{name}");
        }
    }
}
