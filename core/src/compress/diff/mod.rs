//! Unified diffs: `git diff`, `diff -u`, patches, `git show`.
//!
//! ```text
//! @@ -1,9 +1,9 @@ fn place()            @@ -3,3 +3,3 @@ fn place()
//!  let a = 1;                            [caveman: 40 lines of context elided here and below; headers count what is shown]
//!  let b = 2;                             let c = 3;
//!  let c = 3;                            -let d = 4;
//! -let d = 4;                       ->   +let d = 5;
//! +let d = 5;                             let e = 6;
//!  let e = 6;
//! ```
//! Keeps: every changed line, headers, modes, renames, binary notes, `\ No newline`, one line of context around each change.
//! Elides: context at the ends of hunks, whose headers then say what is shown, as `git diff -U1` would write them; context
//! between changes; the changes of lockfiles and generated files, with their counts.
//! Declines: text without a hunk.

use super::{Compressor, Proposals, Units};
use crate::draft::{Draft, Piece};
use crate::elide::{self, CellKind, Focus, MARKER_OPEN, Segment, Severity, Sheet, Style, mask};
use crate::kind::Kind;
use crate::prelude::*;
use crate::text::{Span, lines, offset, trim_eol};

/// The compressor of diffs.
#[derive(Debug)]
pub(super) struct Diff;

/// So many lines of context stay on each side of a change. Our choice.
const N_CONTEXT: usize = 1;
/// Fewer lines at the ends of hunks stay: to say that they went costs as much. Our choice.
const MIN_TRIMMED: usize = 6;

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
        let trimmed = Trimmed::of(text, &lines, &roles, focus);
        let mut sheet = Sheet::new(text, "lines");
        let change = sheet.add_column("changes");
        sheet.always_tell(change);
        let mut at_of = Vec::with_capacity(lines.len());
        for (at, (line, role)) in lines.iter().zip(&roles).enumerate() {
            if trimmed.is_gone(at) {
                continue;
            }
            let shape = match role {
                Role::Context if !is_near_change(&roles, at) => mask::mix(1, 0),
                Role::Generated => mask::mix(2, 0),
                Role::Context | Role::Change | Role::Other => mask::mix(3, u64::from(line.start)),
            };
            let is_far = matches!(role, Role::Context | Role::Generated);
            sheet.add_unit(*line, shape, if is_far { Severity::None } else { Severity::Error });
            at_of.push(at);
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
        let segments = elide::segments(&sheet, focus, &Style::PLAIN);
        let draft = write(&lines, &segments, &at_of, &trimmed);
        Proposals { lossless: None, elided: (!draft.is_lossless()).then_some(draft) }
    }

    /// Retrieval's own cut shows a hunk under its file's header.
    fn units(&self, _text: &str) -> Option<Units> {
        None
    }
}

/// The draft: kept lines with what was trimmed between them taken out, markers in the place of runs.
fn write(lines: &[Span], segments: &[Segment], at_of: &[usize], trimmed: &Trimmed) -> Draft {
    let mut draft = Draft::new("elide", "lines", lines.len());
    let mut at = 0;
    for segment in segments {
        let (units, marker) = match segment {
            Segment::Keep { units } => (units, None),
            Segment::Elide { units, marker } => (units, Some(marker)),
        };
        let Some(end) = units.end.checked_sub(1).and_then(|last| at_of.get(last)) else { continue };
        let first = at_of.get(units.start).copied().unwrap_or(at);
        if let Some(marker) = marker {
            (at..first).for_each(|at| trimmed.line(lines, at, &mut draft));
            let gone = lines.get(first..=*end).unwrap_or_default();
            let of = gone.iter().copied().reduce(Span::join).unwrap_or_default();
            let n_units = offset(units.len());
            draft.pieces.push(Piece::Marker { of, n_units, text: marker.clone() });
        } else {
            (at..=*end).for_each(|at| trimmed.line(lines, at, &mut draft));
        }
        at = end + 1;
    }
    (at..lines.len()).for_each(|at| trimmed.line(lines, at, &mut draft));
    draft
}

/// Context at the ends of hunks that goes, and the headers that say so.
#[derive(Debug, Default)]
struct Trimmed {
    /// The lines that go, ascending.
    gone: Vec<usize>,
    /// New headers by their lines, ascending.
    headers: Vec<(usize, String)>,
}

impl Trimmed {
    fn of(text: &str, lines: &[Span], roles: &[Role], focus: &Focus) -> Trimmed {
        let mut trimmed = Trimmed::default();
        let line = |at: usize| lines.get(at).map_or("", |line| line.of(text));
        let is_asked = |at: usize| {
            let lower = line(at).to_lowercase();
            focus.words.iter().any(|word| lower.contains(word.as_str()))
        };
        let is_far = |at: &usize| roles.get(*at) == Some(&Role::Context) && !is_asked(*at);
        let mut at = 0;
        while at < lines.len() {
            let header = at;
            at += 1;
            let Some(hunk) = Hunk::of(trim_eol(line(header))) else { continue };
            let in_hunk = |at: usize| {
                matches!(roles.get(at), Some(Role::Context | Role::Change))
                    || line(at).starts_with('\\')
            };
            let end = at + (at..lines.len()).take_while(|at| in_hunk(*at)).count();
            let body = at..end;
            at = end;
            if !body.clone().any(|at| roles.get(at) == Some(&Role::Change)) {
                continue;
            }
            let n_head = body.clone().take_while(is_far).count().saturating_sub(N_CONTEXT);
            let n_tail = body.clone().rev().take_while(is_far).count().saturating_sub(N_CONTEXT);
            if n_head + n_tail == 0 {
                continue;
            }
            trimmed.headers.push((header, hunk.trimmed(n_head, n_tail, line(header))));
            trimmed.gone.extend(body.start..body.start + n_head);
            trimmed.gone.extend(body.end - n_tail..body.end);
        }
        if trimmed.gone.len() < MIN_TRIMMED { Trimmed::default() } else { trimmed }
    }

    fn is_gone(&self, at: usize) -> bool {
        self.gone.binary_search(&at).is_ok()
    }

    /// Adds one line: as it stands, with a new header, or not at all; where the first went, how many do.
    fn line(&self, lines: &[Span], at: usize, draft: &mut Draft) {
        let of = lines.get(at).copied().unwrap_or_default();
        let header = self.headers.binary_search_by_key(&at, |(at, _)| *at);
        if let Some((_, text)) = header.ok().and_then(|found| self.headers.get(found)) {
            draft.pieces.push(Piece::Recoded { of, text: text.clone() });
        } else if self.gone.first() == Some(&at) {
            let n = self.gone.len();
            let text = format!(
                "{MARKER_OPEN}{n} lines of context elided here and below; headers count what is shown]\n"
            );
            draft.pieces.push(Piece::Marker { of, n_units: offset(n), text });
        } else if self.is_gone(at) {
            draft.pieces.push(Piece::Recoded { of, text: String::new() });
        } else {
            draft.keep(of);
        }
    }
}

/// A hunk header in numbers: where it begins and how many lines it has, in the old file and in the new.
#[derive(Clone, Copy, Debug)]
struct Hunk {
    old: (usize, usize),
    new: (usize, usize),
}

impl Hunk {
    fn of(line: &str) -> Option<Hunk> {
        let (old, rest) = line.strip_prefix("@@ -")?.split_once(" +")?;
        let (new, _) = rest.split_once(" @@")?;
        let range = |range: &str| -> Option<(usize, usize)> {
            match range.split_once(',') {
                Some((start, n)) => Some((start.parse().ok()?, n.parse().ok()?)),
                None => Some((range.parse().ok()?, 1)),
            }
        };
        Some(Hunk { old: range(old)?, new: range(new)? })
    }

    /// The header without so many lines at the head and the tail of the hunk; what stands behind its numbers stays.
    fn trimmed(self, n_head: usize, n_tail: usize, header: &str) -> String {
        let range = |(start, n): (usize, usize)| {
            let n = n.saturating_sub(n_head + n_tail);
            // Without lines of its own a range names the line before it.
            let start = if n == 0 { (start + n_head).saturating_sub(1) } else { start + n_head };
            if n == 1 { format!("{start}") } else { format!("{start},{n}") }
        };
        let rest =
            header.get(2..).and_then(|rest| rest.split_once("@@")).map_or("\n", |(_, rest)| rest);
        format!("@@ -{} +{} @@{rest}", range(self.old), range(self.new))
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
    let (mut old_left, mut new_left) = (0_usize, 0_usize);
    let mut is_generated = false;
    lines
        .iter()
        .map(|line| {
            let content = trim_eol(line.of(text));
            if old_left == 0 && new_left == 0 {
                if let Some(hunk) = Hunk::of(content) {
                    (old_left, new_left) = (hunk.old.1, hunk.new.1);
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
