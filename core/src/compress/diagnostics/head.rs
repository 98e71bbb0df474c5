//! The line that opens a diagnostic: where it is, how bad, what class; and the lines that a build writes on its way.

use crate::elide::mask;
use crate::prelude::*;
use core::ops::Range;

/// How bad a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    /// Something is broken: it is shown whole.
    Error,
    /// A warning, a remark, or what a linter reports by code alone.
    Warning,
    /// Belongs to what stands above it, at a place of its own.
    Note,
}

/// A line that opens a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) level: Level,
    /// Where the place stands in the line: `src/a.py:12:5`, `a.ts(12,5)`, `12:5`; `None` when the next line names it.
    pub(super) place: Option<Range<usize>>,
    /// Whether the place names its file; without, it stands below the name of one.
    pub(super) names_file: bool,
    /// Hash of what is reported, whatever the names in it: the rule, or the message with its quoted parts masked.
    pub(super) class: u64,
}

/// The head that `line` is; `next` is the line below it.
pub(super) fn of(line: &str, next: &str) -> Option<Head> {
    let lead = line.len() - line.trim_start().len();
    let body = line.trim();
    if lead == 0 && is_arrow(next) && (word_of_severity(body).is_some() || begins_with_code(body)) {
        // rustc, ruff: the place is on the next line.
        let level = word_of_severity(body).unwrap_or(Level::Warning);
        return Some(Head { level, place: None, names_file: true, class: class(body) });
    }
    // Maven, Kotlin, `go vet`: a level before the place.
    let (stated, skipped) = stated(body);
    let from = lead + skipped;
    let place = place(line.get(from..)?)?;
    let names_file = !line.get(from..)?.starts_with(|c: char| c.is_ascii_digit());
    if names_file == (lead > 0 && stated.is_none()) && !(names_file && is_indented(line, lead)) {
        return None;
    }
    let rest = line.get(from + place..)?;
    let message = rest.trim_start_matches([':', '-', ' ', '\t']);
    if message.is_empty() || rest == message {
        return None;
    }
    let level = stated.or_else(|| word_of_severity(message)).or_else(|| {
        // A place without a file needs a word of severity: `12:30 lunch`.
        let is_lint = begins_with_code(message) || message.starts_with('[');
        names_file.then_some(if is_lint { Level::Warning } else { Level::Error })
    })?;
    Some(Head { level, place: Some(from..from + place), names_file, class: class(message) })
}

/// MSBuild indents what it says of a project.
fn is_indented(line: &str, lead: usize) -> bool {
    lead <= 2 && line.trim_end().ends_with("proj]")
}

/// ` --> src/a.rs:1:2`
pub(super) fn is_arrow(line: &str) -> bool {
    line.trim_start().starts_with("--> ")
}

/// A level that stands before the place, with its length.
fn stated(body: &str) -> (Option<Level>, usize) {
    for (prefix, level) in [
        ("[ERROR] ", Level::Error),
        ("[WARNING] ", Level::Warning),
        ("e: ", Level::Error),
        ("w: ", Level::Warning),
        ("vet: ", Level::Error),
    ] {
        if body.starts_with(prefix) {
            return (Some(level), prefix.len());
        }
    }
    (None, 0)
}

/// The level that the first word of a message states.
fn word_of_severity(message: &str) -> Option<Level> {
    let end = message.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(message.len());
    let (word, rest) = message.split_at_checked(end)?;
    if !(rest.is_empty() || rest.starts_with([':', ' ', '\t', '[', '('])) {
        return None;
    }
    Some(match word.to_ascii_lowercase().as_str() {
        "error" | "fatal" => Level::Error,
        "warning" | "warn" | "style" | "convention" | "refactor" | "performance"
        | "portability" => Level::Warning,
        "note" | "info" | "hint" | "remark" | "help" | "information" | "suggestion" => Level::Note,
        _ => return None,
    })
}

/// `F401 …`, `C0114: …`, `SC2086 …`
fn begins_with_code(message: &str) -> bool {
    let word = message.split([' ', ':']).next().unwrap_or_default();
    let letters = word.bytes().take_while(u8::is_ascii_uppercase).count();
    let digits = word.as_bytes().get(letters..).unwrap_or_default();
    (1..=6).contains(&letters)
        && (2..=5).contains(&digits.len())
        && digits.iter().all(u8::is_ascii_digit)
        && word.len() < message.len()
}

/// The length of the place that `text` begins with: `path:12:5`, `path:12`, `path(12,5)`, `path:[12,5]`, `12:5`.
fn place(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let digits = |at: usize| bytes.iter().skip(at).take_while(|b| b.is_ascii_digit()).count();
    let is = |at: usize, b: u8| bytes.get(at) == Some(&b);
    let bare = digits(0);
    if bare > 0 && is(bare, b':') {
        let column = digits(bare + 1);
        return (column > 0).then_some(bare + 1 + column);
    }
    let drive = if is(1, b':') && is(2, b'\\') { 3 } else { 0 };
    let scheme = if text.starts_with("file://") { 7 } else { 0 };
    let from = drive.max(scheme);
    let len = bytes
        .iter()
        .skip(from)
        .take_while(|b| !matches!(b, b':' | b'(' | b' ' | b'\t' | b'"' | b'\''))
        .count();
    let end = from + len;
    let path = text.get(..end)?;
    if len < 2 || !path.contains(['.', '/', '\\']) && !path.ends_with("Makefile") {
        return None;
    }
    let bracketed = |open: usize, close: u8| {
        let line = digits(open);
        let column = if is(open + line, b',') { 1 + digits(open + line + 1) } else { 0 };
        (line > 0 && is(open + line + column, close)).then_some(open + line + column + 1)
    };
    if is(end, b'(') {
        return bracketed(end + 1, b')');
    }
    if is(end, b':') && is(end + 1, b'[') {
        return bracketed(end + 2, b']');
    }
    let line = digits(end + 1);
    if !is(end, b':') || line == 0 {
        return None;
    }
    let column = if is(end + 1 + line, b':') { digits(end + 2 + line) } else { 0 };
    Some(end + 1 + line + if column > 0 { 1 + column } else { 0 })
}

/// The rule that the message names at its end (`[-Wunused]`, `(unused-import)`, `  no-var`) or at its start, else its words
/// without what is quoted and without numbers.
fn class(message: &str) -> u64 {
    let message = message.trim_end();
    if let Some(open) = message.rfind(['[', '('])
        && message.ends_with([']', ')'])
        && let Some(rule) = message.get(open + 1..message.len() - 1)
        && rule.len() > 1
        && !rule.contains([' ', '/', '\\'])
        && rule.contains(|c: char| c.is_ascii_alphabetic())
    {
        return mask::hash(rule);
    }
    if begins_with_code(message) {
        return mask::hash(message.split([' ', ':']).next().unwrap_or_default());
    }
    plain(message)
        .into_iter()
        .fold(0, |hash, range| mask::mix(hash, mask::shape(message.get(range).unwrap_or_default())))
}

/// The stretches outside quotes; a quote that is not closed opens nothing.
fn plain(message: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut from = 0;
    let rest = |from: usize| message.get(from..).unwrap_or_default();
    while let Some((at, open)) = rest(from).char_indices().find(|(at, c)| {
        // An apostrophe within a word opens nothing.
        matches!(c, '`' | '"' | '‘' | '“')
            || *c == '\''
                && !message
                    .get(..from + at)
                    .is_some_and(|head| head.ends_with(char::is_alphanumeric))
    }) {
        let close = match open {
            '‘' => '’',
            '“' => '”',
            same => same,
        };
        let inside = from + at + open.len_utf8();
        let Some(len) = rest(inside).find(close) else { break };
        out.push(from..from + at);
        from = inside + len + close.len_utf8();
    }
    out.push(from..message.len());
    out
}

/// The quoted part of a message, quotes included; `None` when there are none or several.
pub(super) fn quoted(message: &str) -> Option<Range<usize>> {
    match plain(message).as_slice() {
        [before, after] => Some(before.end..after.start),
        _ => None,
    }
}

/// A line that says where the diagnostics below it are: gcc's `a.c: In function ‘f’:`, `In file included from a.h:3:`.
pub(super) fn is_context(line: &str) -> bool {
    let body = line.trim();
    body.starts_with("In file included from ")
        || line.starts_with(' ') && body.starts_with("from ") && body.ends_with([',', ':'])
        || body.ends_with(':')
            && [": In ", ": At global scope", ": At top level", ": In instantiation of "]
                .iter()
                .any(|mark| body.contains(mark))
}

/// The verb of a line that says how far a build is: `   Compiling x v1.0.0`, `make[1]: …`, `[ 50%] Building …`, a compile command.
pub(super) fn step(line: &str) -> Option<Range<usize>> {
    let lead = line.len() - line.trim_start().len();
    let body = line.trim();
    let first = body.split([' ', '\t']).next()?;
    let rest = body.get(first.len()..)?;
    let is_step = match first {
        "Compiling" | "Checking" | "Downloading" | "Downloaded" | "Fresh" | "Documenting"
        | "Locking" | "Updating" | "Adding" | "Installing" | "Building" | "Blocking"
        | "Packaging" | "Scanning" | "Unpacking" | "Dirty" => lead >= 1 && rest.starts_with(' '),
        "Running" => lead >= 1 && rest.starts_with(" `") && !rest.contains("target/debug/deps"),
        "gcc" | "cc" | "g++" | "c++" | "clang" | "clang++" | "ar" | "ranlib" | "ld"
        | "libtool:" | "rustc" | "/usr/bin/cc" | "/usr/bin/gcc" | "/usr/bin/c++" => {
            rest.contains(" -")
        }
        "CC" | "CXX" | "LD" | "AR" | "GEN" | "CCLD" => lead >= 1 && rest.len() > 1,
        "make" => rest.starts_with(": Entering") || rest.starts_with(": Leaving"),
        _ => {
            first.starts_with("make[")
                && (rest.starts_with(" Entering") || rest.starts_with(" Leaving"))
                || is_counted(body) && !body.contains("FAILED")
        }
    };
    is_step.then_some(lead..lead + first.len())
}

/// `[ 50%] Building C object …`, `[12/100] Compiling …`
fn is_counted(body: &str) -> bool {
    let Some(inside) = body.strip_prefix('[').and_then(|rest| rest.split(']').next()) else {
        return false;
    };
    let inside = inside.trim();
    let digits = inside.bytes().take_while(u8::is_ascii_digit).count();
    let rest = inside.get(digits..).unwrap_or_default();
    digits > 0
        && (rest == "%"
            || rest.strip_prefix('/').is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_of_every_tool_are_read() {
        use Level::{Error, Note, Warning};
        for (line, next, want) in [
            ("error[E0308]: mismatched types", "  --> src/a.rs:1:2", Some((Error, ""))),
            ("warning: unused variable: `x`", " --> src/a.rs:1:2", Some((Warning, ""))),
            ("F401 [*] `os` imported but unused", " --> a.py:1:8", Some((Warning, ""))),
            ("src/a.c:12:5: error: expected ';'", "", Some((Error, "src/a.c:12:5"))),
            ("src/a.c:12:5: warning: unused [-Wunused]", "", Some((Warning, "src/a.c:12:5"))),
            ("src/a.c:3:1: note: declared here", "", Some((Note, "src/a.c:3:1"))),
            ("a.py:14: error: Incompatible  [return-value]", "", Some((Error, "a.py:14"))),
            ("a.py:1:8: F401 [*] `os` imported but unused", "", Some((Warning, "a.py:1:8"))),
            ("a.py:1:0: C0114: Missing docstring (missing)", "", Some((Warning, "a.py:1:0"))),
            ("app.ts(2,26): error TS2322: Type", "", Some((Error, "app.ts(2,26)"))),
            ("app.ts:2:26 - error TS2322: Type", "", Some((Error, "app.ts:2:26"))),
            ("  2:7   warning  Expected '==='  eqeqeq", "", Some((Warning, "2:7"))),
            ("./p/a.go:12:5: undefined: total", "", Some((Error, "./p/a.go:12:5"))),
            ("vet: ./a.go:3:1: missing return", "", Some((Error, "./a.go:3:1"))),
            ("[ERROR] /w/A.java:[12,5] cannot find symbol", "", Some((Error, "/w/A.java:[12,5]"))),
            ("w: file:///w/A.kt:3:1 unused", "", Some((Warning, "file:///w/A.kt:3:1"))),
            (
                "C:\\w\\A.cs(12,20): error CS1002: ; expected [C:\\w\\A.csproj]",
                "",
                Some((Error, "C:\\w\\A.cs(12,20)")),
            ),
            (
                "  C:\\w\\A.cs(12,20): error CS1002: ; expected [C:\\w\\A.csproj]",
                "",
                Some((Error, "C:\\w\\A.cs(12,20)")),
            ),
            ("src/Cart.java:12: error: cannot find symbol", "", Some((Error, "src/Cart.java:12"))),
            ("Makefile:12: *** missing separator.  Stop.", "", Some((Error, "Makefile:12"))),
            ("error: could not compile `x`", "", None),
            ("12:30 lunch", "", None),
            ("  12 |     items.len()", "", None),
            ("http://a.b/c", "", None),
            ("Found 3 errors in 1 file", "", None),
            ("src/a.c:", "", None),
            ("", "", None),
            ("é:1:2: error: x", "", None),
        ] {
            let got = of(line, next).map(|head| {
                (head.level, head.place.and_then(|place| line.get(place)).unwrap_or_default())
            });
            assert_eq!(got, want, "{line}");
        }
    }

    #[test]
    fn a_class_is_the_rule_or_the_message_without_names() {
        for (one, other) in [
            ("unused variable: `x`", "unused variable: `count`"),
            ("warning: unused ‘x’ [-Wunused]", "warning: set but unused ‘y’ [-Wunused]"),
            ("F401 [*] `os` imported", "F401 `sys` imported"),
            ("'a' isn't used", "'b' isn't used"),
        ] {
            assert_eq!(class(one), class(other), "{one}");
        }
        assert_ne!(class("unused variable: `x`"), class("unused import: `x`"));
    }

    #[test]
    fn one_quoted_part_is_found_and_several_are_not() {
        for (message, want) in [
            ("F401 [*] `os` imported but unused", Some("`os`")),
            ("Unused argument 'filename' (unused-argument)", Some("'filename'")),
            ("unused variable ‘größe’ [-W]", Some("‘größe’")),
            ("it isn't so", None),
            ("`a` and `b`", None),
            ("`open", None),
            ("", None),
        ] {
            assert_eq!(quoted(message).and_then(|range| message.get(range)), want, "{message}");
        }
    }

    #[test]
    fn steps_of_builds_are_told_from_their_ends() {
        for line in [
            "   Compiling serde v1.0.0",
            "make[1]: Entering directory '/w'",
            "[ 50%] Building C object a.o",
            "gcc -Wall -c a.c -o a.o",
            "  CC      kernel/fork.o",
        ] {
            assert!(step(line).is_some(), "{line}");
        }
        for line in [
            "    Finished `dev` profile",
            "make: *** [Makefile:12: cart.o] Error 1",
            "[ERROR] COMPILATION ERROR",
            "gcc: error: no input files",
            "Compiling is hard",
            "",
        ] {
            assert!(step(line).is_none(), "{line}");
        }
    }
}
