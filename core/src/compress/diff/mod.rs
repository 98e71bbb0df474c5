//! Unified diffs: `git diff`, `diff -u`, patches, `git show`.
//!
//! ```text
//! @@ -1,9 +1,9 @@ fn place()            @@ -1,9 +1,9 @@ fn place()
//!  let a = 1;                            [caveman: 2 lines elided: 5-6]
//!  let b = 2;                             let c = 3;
//!  let c = 3;                            -let d = 4;
//! -let d = 4;                       ->   +let d = 5;
//! +let d = 5;                             let e = 6;
//!  let e = 6;
//! ```
//! Keeps: every changed line, headers, modes, renames, binary notes, `\ No newline`, one line of context around each change.
//! Elides: context further away; the changes of lockfiles and generated files, with their counts.
//! Declines: text without a hunk.

use super::{Compressor, Proposals, Units};
use crate::elide::{self, CellKind, Focus, Severity, Sheet, Style, mask};
use crate::kind::Kind;
use crate::prelude::*;
use crate::text::{Span, lines, trim_eol};

/// The compressor of diffs.
#[derive(Debug)]
pub(super) struct Diff;

/// So many lines of context stay on each side of a change. Our choice.
const N_CONTEXT: usize = 1;

impl Compressor for Diff {
    fn kind(&self) -> Kind {
        Kind::Diff
    }

    fn compress(&self, text: &str, focus: &Focus) -> Proposals {
        let lines = lines(text);
        let roles = roles(text, &lines);
        if !roles.contains(&Role::Change) && !roles.contains(&Role::Generated) {
            return Proposals::default();
        }
        let mut sheet = Sheet::new(text, "lines");
        let change = sheet.add_column("changes");
        sheet.always_tell(change);
        for (at, (line, role)) in lines.iter().zip(&roles).enumerate() {
            let shape = match role {
                Role::Context if !is_near_change(&roles, at) => mask::mix(1, 0),
                Role::Generated => mask::mix(2, 0),
                Role::Context | Role::Change | Role::Other => mask::mix(3, u64::from(line.start)),
            };
            let is_far = matches!(role, Role::Context | Role::Generated);
            sheet.add_unit(*line, shape, if is_far { Severity::None } else { Severity::Error });
            if *role == Role::Generated {
                sheet.add_cell(
                    change,
                    CellKind::Text,
                    Span { start: line.start, end: line.start + 1 },
                );
            }
        }
        // Nothing is kept for being first: a hunk's far context is as little worth at its start.
        sheet.keeps_first = false;
        Proposals { lossless: None, elided: elide::draft(&sheet, focus, &Style::PLAIN) }
    }

    /// Retrieval's own cut shows a hunk under its file's header.
    fn units(&self, _text: &str) -> Option<Units> {
        None
    }
}

/// What a line is to a diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Unchanged, within a hunk.
    Context,
    /// Added or removed.
    Change,
    /// Added or removed in a file that a program writes.
    Generated,
    /// Everything else.
    Other,
}

/// The role of each line. Hunk headers say how many lines follow, so that a removed line `-- x` is no file header.
fn roles(text: &str, lines: &[Span]) -> Vec<Role> {
    let (mut old_left, mut new_left) = (0_u32, 0_u32);
    let mut is_generated = false;
    lines
        .iter()
        .map(|line| {
            let content = trim_eol(line.of(text));
            if old_left == 0 && new_left == 0 {
                if let Some((old, new)) = hunk_sizes(content) {
                    (old_left, new_left) = (old, new);
                } else if let Some(path) =
                    content.strip_prefix("+++ ").or_else(|| content.strip_prefix("diff --git "))
                {
                    is_generated = is_generated_file(path);
                }
                return Role::Other;
            }
            let change = if is_generated { Role::Generated } else { Role::Change };
            match content.bytes().next() {
                Some(b'+') => {
                    new_left = new_left.saturating_sub(1);
                    change
                }
                Some(b'-') => {
                    old_left = old_left.saturating_sub(1);
                    change
                }
                // Some programs strip the space of an empty context line.
                Some(b' ') | None => {
                    (old_left, new_left) = (old_left.saturating_sub(1), new_left.saturating_sub(1));
                    Role::Context
                }
                Some(b'\\') => Role::Other,
                // Not a line of a hunk: the counts were wrong, or the diff was cut.
                Some(_) => {
                    (old_left, new_left) = (0, 0);
                    Role::Other
                }
            }
        })
        .collect()
}

/// The sizes of a hunk by its header `@@ -a,b +c,d @@`; a size left out is 1.
fn hunk_sizes(line: &str) -> Option<(u32, u32)> {
    let inner = line.strip_prefix("@@ -")?;
    let (old, rest) = inner.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let size = |range: &str| range.split_once(',').map_or(Some(1), |(_, n)| n.parse::<u32>().ok());
    Some((size(old)?, size(new)?))
}

fn is_near_change(roles: &[Role], at: usize) -> bool {
    let from = at.saturating_sub(N_CONTEXT);
    roles.get(from..roles.len().min(at + N_CONTEXT + 1)).unwrap_or_default().contains(&Role::Change)
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
mod tests {
    use super::*;

    #[test]
    fn every_changed_line_of_generated_diffs_stays() {
        let mut state = 5_u64;
        let mut next = |below: u64| {
            state = mask::mix(state, 7);
            state % below
        };
        for _ in 0..300 {
            let mut diff = String::from(
                "diff --git a/src/a.rs b/src/a.rs\nindex 1..2 100644\n--- a/src/a.rs\n+++ b/src/a.rs\n",
            );
            for hunk in 0..1 + next(4) {
                let body: Vec<String> = (0..4 + next(40))
                    .map(|i| match next(8) {
                        0 => format!("-old {hunk} {i}\n"),
                        1 => format!("+new {hunk} {i}\n"),
                        2 => "--- a dashed text\n".to_owned(),
                        3 => "+++ a crossed text\n".to_owned(),
                        4 => " \n".to_owned(),
                        _ => format!(
                            " same line of context number {i} in hunk {hunk} with some length\n"
                        ),
                    })
                    .collect();
                let n = |sign: char| body.iter().filter(|line| !line.starts_with(sign)).count();
                diff.push_str(&format!("@@ -1,{} +1,{} @@ fn x()\n", n('+'), n('-')));
                body.iter().for_each(|line| diff.push_str(line));
            }
            let Some(draft) = Diff.compress(&diff, &Focus::default()).elided else { continue };
            let output = draft.render(&diff);
            let changed = |text: &str| -> Vec<String> {
                text.lines().filter(|l| l.starts_with(['+', '-'])).map(str::to_owned).collect()
            };
            assert_eq!(changed(&output), changed(&diff), "{diff}\n=>\n{output}");
        }
    }
}
