//! Terminal sessions: prompts, progress, installs, whatever a shell showed.
//!
//! ```text
//! $ npm ci                                        $ npm ci
//! reify: 1/90\rreify: 2/90\r…\rreify: 90/90  ->   reify: 90/90
//! npm http fetch GET 200 https://… 39ms           npm http fetch GET 200 https://… 39ms
//! npm http fetch GET 200 https://… 12ms           [caveman: 88 lines elided: 4-91; ms: 4..342]
//! …
//! ```
//! Keeps: prompts, the final state of each progress line, first lines of each shape, errors and what stands below them.
//! Recodes without loss: a line that was drawn over, as its last state.
//! Elides: lines that repeat a shape; tests that passed. What a command showed that is JSON, a diff, a table … goes to the
//! compressor of its kind, as [`mixed`] has it.

use super::test_report::outcome;
use super::{Compressor, Proposals, Units, mixed};
use crate::detect;
use crate::draft::{Draft, Piece};
use crate::elide::mask::{self, HashedMap};
use crate::elide::{self, CellKind, Focus, Segment, Severity, Sheet, Style, signal};
use crate::kind::Kind;
use crate::prelude::*;
use crate::text::{Span, lines, offset, trim_eol};

/// The compressor of terminal sessions.
#[derive(Debug)]
pub(super) struct Terminal;

/// So many lines below an error stay, whatever their shape: they say what went wrong. Our choice.
const N_BELOW_ERROR: usize = 16;
/// A shape seen less often stays whole. Our choice.
const MIN_REPEATS: u32 = 4;
/// A line of fewer words is what varies, not a template of it. Our choice.
const MIN_WORDS: usize = 3;

impl Compressor for Terminal {
    fn kind(&self) -> Kind {
        Kind::Terminal
    }

    fn compress(&self, text: &str, focus: &Focus) -> Proposals {
        let segments = detect::segments(text);
        if segments.iter().any(|segment| segment.kind.is_some_and(detect::needs_cutting)) {
            return mixed::segmented(text, &segments, Kind::Terminal, focus);
        }
        let lines = lines(text);
        let is_drawn_over = lines.iter().any(|line| final_state(line.of(text)).is_some());
        let lossless = is_drawn_over.then(|| {
            let mut draft = Draft::new("redraw", "lines", lines.len());
            lines.iter().for_each(|line| keep(text, *line, &mut draft));
            draft
        });
        let sheet = sheet(text, &lines);
        let mut draft = Draft::new("elide", "lines", lines.len());
        for segment in elide::segments(&sheet, focus, &Style::PLAIN) {
            match segment {
                Segment::Keep { units } => lines
                    .get(units)
                    .unwrap_or_default()
                    .iter()
                    .for_each(|line| keep(text, *line, &mut draft)),
                Segment::Elide { units, marker } => {
                    let n_units = offset(units.len());
                    let of = lines
                        .get(units)
                        .unwrap_or_default()
                        .iter()
                        .copied()
                        .reduce(Span::join)
                        .unwrap_or_default();
                    draft.pieces.push(Piece::Marker { of, n_units, text: marker });
                }
            }
        }
        draft.notes = elide::notes(&sheet, focus);
        Proposals { lossless, elided: (!draft.is_lossless()).then_some(draft) }
    }

    fn units(&self, text: &str) -> Option<Units> {
        Units::flat("lines", lines(text))
    }
}

/// Adds a line in its final state.
fn keep(text: &str, line: Span, draft: &mut Draft) {
    match final_state(line.of(text)) {
        None => draft.keep(line),
        Some((start, end)) => {
            let at = |at: usize| line.start + offset(at);
            draft.pieces.push(Piece::Recoded {
                of: Span { start: line.start, end: at(start) },
                text: String::new(),
            });
            draft.keep(Span { start: at(start), end: at(end) });
            let rest = Span { start: at(end), end: line.end };
            draft.pieces.push(Piece::Recoded {
                of: rest,
                text: if line.of(text).ends_with('\n') { "\n".to_owned() } else { String::new() },
            });
        }
    }
}

/// Where the last state of a line that was drawn over stands; `None` for a line that was not.
fn final_state(line: &str) -> Option<(usize, usize)> {
    let content = trim_eol(line);
    memchr::memchr(b'\r', content.as_bytes())?;
    let content = content.trim_end_matches('\r');
    let mut end = content.len();
    loop {
        let start = memchr::memrchr(b'\r', content.get(..end)?.as_bytes()).map_or(0, |at| at + 1);
        let state = content.get(start..end)?;
        if !state.trim().is_empty() || start == 0 {
            return Some((start, end));
        }
        end = start - 1;
    }
}

fn sheet<'t>(text: &'t str, lines: &[Span]) -> Sheet<'t> {
    let mut sheet = Sheet::new(text, "lines");
    let word = sheet.add_column("begins");
    sheet.always_tell(word);
    let shapes = templates(text, lines);
    let mut counts: HashedMap<u32> = HashedMap::default();
    shapes.iter().for_each(|shape| *counts.entry(*shape).or_insert(0) += 1);
    let are_asked = titles_of_errors(text, lines);
    let mut n_below = 0;
    let mut n_before: HashedMap<u32> = HashedMap::default();
    for ((line, shape), is_title) in lines.iter().zip(shapes).zip(are_asked) {
        let content = trim_eol(line.of(text));
        let state = state(content);
        let has_passed = outcome::of(state).is_some();
        let severity = if has_passed { Severity::None } else { signal::of_words(state) };
        let is_rare = counts.get(&shape).is_none_or(|n| *n < MIN_REPEATS);
        let n_before = n_before.entry(shape).or_insert(0);
        // What went on before the error goes on below it, and explains nothing.
        let is_known = *n_before >= MIN_REPEATS && !state.starts_with([' ', '\t']);
        *n_before += 1;
        let explains = n_below > 0 && !is_known;
        let stays = !has_passed && (explains || is_title || is_prompt(state)) || is_rare;
        sheet.add_unit(
            *line,
            if stays { mask::mix(9, u64::from(line.start)) } else { shape },
            severity,
        );
        if stays && severity == Severity::None && !is_rare {
            sheet.raise(Severity::Warn);
        }
        let first = content.trim_start();
        let len = first.split([' ', '\t', ':']).next().unwrap_or_default().len();
        let start = line.start + offset(content.len() - first.len());
        sheet.add_cell(word, CellKind::Text, Span { start, end: start + offset(len) });
        n_below =
            if severity == Severity::Error { N_BELOW_ERROR } else { n_below.saturating_sub(1) };
    }
    sheet
}

/// The shape of each line. A word that varies in lines that are alike otherwise is masked like an identifier, unless
/// something is the matter: `Unpacking curl ...`.
fn templates(text: &str, lines: &[Span]) -> Vec<u64> {
    let mut examples: Vec<(u64, &str)> = Vec::new();
    let mut seen: HashedMap<()> = HashedMap::default();
    let mut shapes: Vec<u64> = Vec::with_capacity(lines.len());
    for line in lines {
        let state = state(trim_eol(line.of(text)));
        let shape = shape(state);
        if seen.insert(shape, ()).is_none()
            && state.split_ascii_whitespace().nth(MIN_WORDS - 1).is_some()
            && outcome::of(state).is_none()
            && !is_prompt(state)
            && signal::of_words(state) == Severity::None
        {
            examples.push((shape, state));
        }
        shapes.push(shape);
    }
    let merged = mask::merge(&examples);
    let by_shape: HashedMap<u64> = examples.iter().map(|(shape, _)| *shape).zip(merged).collect();
    shapes.iter_mut().for_each(|shape| *shape = by_shape.get(shape).copied().unwrap_or(*shape));
    shapes
}

/// What a line shows in the end.
fn state(line: &str) -> &str {
    final_state(line).and_then(|(start, end)| line.get(start..end)).unwrap_or(line)
}

/// The shape of a line's final state; tests that passed are alike by form.
fn shape(state: &str) -> u64 {
    match outcome::of(state) {
        Some(found) => mask::mix(10, found.form as u64),
        None => mask::shape(state),
    }
}

/// Which lines are titles that an error stands below: `TASK [db : create] ***`.
fn titles_of_errors(text: &str, lines: &[Span]) -> Vec<bool> {
    let mut stays = vec![false; lines.len()];
    let mut title = None;
    for (at, line) in lines.iter().enumerate() {
        let state = state(trim_eol(line.of(text)));
        if is_title(state) {
            title = Some(at);
        } else if title.is_some() && signal::of_words(state) == Severity::Error {
            title.take().and_then(|at| stays.get_mut(at)).into_iter().for_each(|slot| *slot = true);
        }
    }
    stays
}

/// A line that says what the lines below it belong to, in the manner of Ansible, Homebrew, Heroku, Gradle and CI runners.
fn is_title(line: &str) -> bool {
    line.ends_with("***")
        || ["==> ", "-----> ", "> Task ", "##[group]", "::group::", "Step "]
            .iter()
            .any(|mark| line.starts_with(mark))
}

/// A prompt with a command behind it: `$ ls`, `# ls`, `user@host:~$ ls`, `PS C:\> ls`, `>>> x`.
fn is_prompt(line: &str) -> bool {
    let head = line.trim_start();
    if ["$ ", "# ", "> ", ">>> ", "... ", "❯ ", "➜ ", "PS "]
        .iter()
        .any(|mark| head.starts_with(mark))
    {
        return true;
    }
    let first = head.split(' ').next().unwrap_or_default();
    first.contains('@') && first.ends_with(['$', '#', '%'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_state_of_a_line_is_what_stands_on_the_screen() {
        for (line, want) in [
            ("1%\r50%\r100% done\n", Some("100% done")),
            ("1%\r50%\r   \r\n", Some("50%")),
            ("plain\r\n", None),
            ("plain\n", None),
            ("\r\r\r\n", Some("")),
            ("größe 1\rgröße 2", Some("größe 2")),
        ] {
            assert_eq!(
                final_state(line).and_then(|(start, end)| line.get(start..end)),
                want,
                "{line:?}"
            );
        }
    }
}
