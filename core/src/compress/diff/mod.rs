//! Unified diffs: `git diff`, `diff -u`, patches, `git show`.
//!
//! ```text
//! @@ -1,9 +1,9 @@ fn place()            @@ -3,3 +3,3 @@ fn place()
//!  let a = 1;                             let c = 3;
//!  let b = 2;                            -let d = 4;
//!  let c = 3;                            +let d = 5;
//! -let d = 4;                       ->    let e = 6;
//! +let d = 5;
//!  let e = 6;
//!  let f = 7;
//! ```
//! Keeps: every changed line, headers, modes, renames, binary notes, `\ No newline`, one line of context around each change.
//! Elides: context further away, so that hunks read as they would with less of it; the changes of lockfiles and
//! generated files, with their counts.
//! Declines: text without a hunk; hunks that do not hold what their header says, and those of other forms (combined,
//! by words, context and normal diffs), stay whole.
//! Source: the unified format as POSIX and git's documentation of `diff` describe it.

mod hunk;

use super::fates::{self, Fate};
use super::{Compressor, Proposals, Units};
use crate::elide::{self, CellKind, Focus, MARKER_OPEN, Severity, Sheet, Style, mask};
use crate::kind::Kind;
use crate::prelude::*;
use crate::text::{Span, lines, trim_eol};
use hunk::{Hunk, Role};

/// The compressor of diffs.
#[derive(Debug)]
pub(super) struct Diff;

impl Compressor for Diff {
    fn kind(&self) -> Kind {
        Kind::Diff
    }

    fn compress(&self, text: &str, focus: &Focus) -> Proposals {
        let lines = lines(text);
        let hunks = hunks(text, &lines);
        if hunks.is_empty() {
            return Proposals::default();
        }
        let mut fates = vec![Fate::Stays; lines.len()];
        // So many lines of context stay on each side of a change. Our choice.
        let n_context = usize::from(focus.pressure < 2);
        for hunk in hunks.iter().filter(|hunk| !hunk.is_generated && hunk.is_whole) {
            hunk.narrow(text, &lines, n_context, focus, &mut fates);
        }
        let segments = elide::segments(&sheet(text, &lines, &hunks), focus, &Style::PLAIN);
        let (mut draft, n_gone) = fates::write(&lines, &fates, &segments, "elide");
        if n_gone > 0 {
            let shown = if n_context == 0 { "no context" } else { "one line of context" };
            let note = format!("{MARKER_OPEN}hunks are shown with {shown}: {n_gone} more elided]");
            draft.notes.push(note);
        }
        Proposals { lossless: None, elided: (!draft.is_lossless()).then_some(draft) }
    }

    /// Retrieval's own cut shows a hunk under its file's header.
    fn units(&self, _text: &str) -> Option<Units> {
        None
    }
}

/// The sheet of lines, of which those of generated files may go.
fn sheet<'t>(text: &'t str, lines: &[Span], hunks: &[Hunk]) -> Sheet<'t> {
    let mut sheet = Sheet::new(text, "lines");
    let change = sheet.add_column("changes");
    sheet.always_tell(change);
    // Nothing is kept for being first: a generated hunk is as little worth at its start.
    sheet.keeps_first = false;
    let mut hunks = hunks.iter().filter(|hunk| hunk.is_generated).peekable();
    for (at, line) in lines.iter().enumerate() {
        while hunks.next_if(|hunk| hunk.end <= at).is_some() {}
        let Some(hunk) = hunks.peek().filter(|hunk| hunk.head <= at) else {
            sheet.add_unit(*line, mask::mix(2, u64::from(line.start)), Severity::Error);
            continue;
        };
        sheet.add_unit(*line, mask::mix(1, 0), Severity::None);
        // What is told of: added and removed lines, and headers.
        let nth = at.checked_sub(hunk.head + 1);
        let len = match nth.map(|nth| hunk.roles.get(nth)) {
            None => 2,
            Some(Some(Role::Change)) => 1,
            Some(_) => continue,
        };
        sheet.add_cell(change, CellKind::Text, Span { start: line.start, end: line.start + len });
    }
    sheet
}

/// The hunks of a text. Their headers say how many lines follow, so that a removed line `-- x` is no file header.
fn hunks(text: &str, lines: &[Span]) -> Vec<Hunk> {
    let mut hunks = Vec::new();
    let mut is_generated = false;
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let content = trim_eol(line.of(text));
        if let Some(hunk) = Hunk::at(text, lines, at, is_generated) {
            at = hunk.end;
            hunks.push(hunk);
            continue;
        }
        let path =
            ["diff --git ", "--- ", "+++ "].iter().find_map(|open| content.strip_prefix(open));
        if let Some(path) = path.filter(|path| !path.starts_with("/dev/null")) {
            is_generated = is_generated_file(path);
        }
        at += 1;
    }
    hunks
}

/// Whether a program writes the file: lockfiles, minified and vendored output.
fn is_generated_file(path: &str) -> bool {
    const LOCKFILES: [&str; 13] = [
        "Cargo.lock",
        "package-lock.json",
        "npm-shrinkwrap.json",
        "yarn.lock",
        "pnpm-lock.yaml",
        "bun.lock",
        "poetry.lock",
        "uv.lock",
        "Pipfile.lock",
        "composer.lock",
        "Gemfile.lock",
        "go.sum",
        "flake.lock",
    ];
    let path = path.split('\t').next().unwrap_or(path).trim_end().trim_end_matches('"');
    let name = path.rsplit('/').next().unwrap_or(path);
    LOCKFILES.contains(&name)
        || [".min.js", ".min.css", ".js.map", ".css.map", ".snap"]
            .iter()
            .any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests;
