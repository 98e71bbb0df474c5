//! Prose: Markdown sections and paragraphs. Fenced code is never cut.

use super::{Cut, LARGE, LARGE_FINE, NONE, is_blank};
use crate::text::{self, Span};

/// Sections, from one heading to the next of any level; a large one is its heading above its paragraphs. A text without
/// headings is cut into paragraphs.
pub(super) fn sections(text: &str) -> Cut {
    let lines = text::lines(text);
    let mut cut = Cut::new("sections");
    let mut fence = Fence::default();
    let mut start = 0;
    for (at, line) in lines.iter().enumerate() {
        let shown = line.of(text);
        let next = lines.get(at + 1).map_or("", |next| next.of(text));
        if !fence.holds(shown) && at > start && is_heading(shown, next) {
            section(text, &mut cut, lines.get(start..at).unwrap_or_default());
            start = at;
        }
    }
    section(text, &mut cut, lines.get(start..).unwrap_or_default());
    if cut.units.len() > 1 { cut } else { paragraphs(text) }
}

fn section(text: &str, cut: &mut Cut, lines: &[Span]) {
    let Some(whole) = trimmed(text, lines) else { return };
    if whole.len() <= LARGE {
        cut.push(whole, NONE);
        return;
    }
    cut.noun = "parts";
    let title = lines.first().map_or("", |line| line.of(text));
    let below = lines.get(1).map_or("", |line| line.of(text));
    let n_title = if title.starts_with('#') { 1 } else { usize::from(is_underline(below)) * 2 };
    let (title, body) = lines.split_at_checked(n_title).unwrap_or((&[], lines));
    let head = match trimmed(text, title) {
        Some(title) => cut.push_head(title, NONE),
        None => NONE,
    };
    split_at_blanks(text, cut, body, head);
}

/// Paragraphs, cut at blank lines; those too long for prose by line. A text of one paragraph is cut into lines.
pub(super) fn paragraphs(text: &str) -> Cut {
    let mut cut = Cut::new("paragraphs");
    split_at_blanks(text, &mut cut, &text::lines(text), NONE);
    if cut.units.len() > 1 { cut } else { super::lines::lines(text, "lines") }
}

fn split_at_blanks(text: &str, cut: &mut Cut, lines: &[Span], head: u32) {
    /// Prose of so many bytes and lines without a blank line is a list.
    const MIN_LIST_LINES: usize = 8;
    let mut fence = Fence::default();
    let mut has_fence = false;
    let mut start = 0;
    for (at, line) in lines.iter().enumerate() {
        let is_fenced = fence.holds(line.of(text));
        has_fence |= is_fenced;
        let is_last = at + 1 == lines.len();
        if !is_last && (is_fenced || !is_blank(line.of(text))) {
            continue;
        }
        let paragraph = lines.get(start..=at).unwrap_or_default();
        start = at + 1;
        let Some(whole) = trimmed(text, paragraph) else { continue };
        if whole.len() > LARGE_FINE && paragraph.len() >= MIN_LIST_LINES && !has_fence {
            for line in paragraph.iter().filter(|line| !is_blank(line.of(text))) {
                cut.push(*line, head);
            }
            cut.noun = "parts";
        } else {
            cut.push(whole, head);
        }
        has_fence = false;
    }
}

/// The lines without the blank ones around them; `None` when nothing stays.
fn trimmed(text: &str, lines: &[Span]) -> Option<Span> {
    let mut solid = lines.iter().filter(|line| !is_blank(line.of(text)));
    let first = *solid.next()?;
    Some(first.join(solid.next_back().copied().unwrap_or(first)))
}

/// `# …` or a line that the next one underlines.
fn is_heading(line: &str, next: &str) -> bool {
    let rest = line.trim_start_matches('#');
    let n_marks = line.len() - rest.len();
    (1..=6).contains(&n_marks) && rest.starts_with([' ', '\t', '\n', '\r'])
        || is_underline(next) && line.starts_with(|c: char| c.is_alphanumeric())
}

fn is_underline(line: &str) -> bool {
    let line = line.trim_ascii_end();
    line.len() >= 3 && (line.bytes().all(|b| b == b'=') || line.bytes().all(|b| b == b'-'))
}

/// Whether lines stand in a fence of three or more backticks or tildes.
#[derive(Default)]
struct Fence {
    mark: Option<char>,
}

impl Fence {
    /// Whether `line`, the next one, belongs to a fence: its first and last lines do.
    fn holds(&mut self, line: &str) -> bool {
        let line = line.trim_ascii();
        let mark =
            ['`', '~'].into_iter().find(|mark| line.chars().take_while(|c| c == mark).count() >= 3);
        match (self.mark, mark) {
            (None, Some(_)) => self.mark = mark,
            (Some(open), Some(mark)) if open == mark && line.chars().all(|c| c == mark) => {
                self.mark = None
            }
            (None, None) => return false,
            _ => {}
        }
        true
    }
}
