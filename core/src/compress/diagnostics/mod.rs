//! Diagnostics: what compilers and linters report.
//!
//! ```text
//! src/a.py:12:5: warning: unused import [F401]      src/a.py:12:5, src/b.py:3:1, src/c.py:9:1: warning: unused import [F401]
//! src/b.py:3:1: warning: unused import [F401]   ->  src/b.py:7:2: error: undefined name 'x'
//! src/b.py:7:2: error: undefined name 'x'
//! src/c.py:9:1: warning: unused import [F401]
//! ```
//! Keeps: every error whole; the first warning of each class whole; of the others what they say and where; totals.
//! Recodes without loss: what is said at several places stands once, behind all of them.
//! Elides: excerpts and help of warnings whose class was shown; the steps of a build.
//! Declines: reports in which nothing repeats.
//! Source: the tools' own output, one form each in [`head`].

mod head;

use super::fates::{self, Fate};
use super::{Compressor, Proposals, Units};
use crate::draft::{Draft, Piece};
use crate::elide::mask::{self, HashedMap};
use crate::elide::{self, CellKind, Focus, MARKER_OPEN, Segment, Severity, Sheet, Style};
use crate::kind::Kind;
use crate::prelude::*;
use crate::text::{Span, lines, offset, trim_eol};
use head::{Head, Level};

/// The compressor of diagnostics.
#[derive(Debug)]
pub(super) struct Diagnostics;

/// A statement of more bytes of places begins a new one, so that a place and its message stay near each other. Our choice.
const MAX_PLACES: usize = 1500;
/// How a draft is read in which diagnostics are joined.
const HOW: &str = "[caveman: what is said at several places stands once, behind all of them]\n";
/// What is said in fewer bytes is not worth joining. Our choice.
const MIN_SAID: usize = 12;

impl Compressor for Diagnostics {
    fn kind(&self) -> Kind {
        Kind::Diagnostics
    }

    fn compress(&self, text: &str, focus: &Focus) -> Proposals {
        let report = Report::of(text);
        let whole = [Segment::Keep { units: 0..report.lines.len() }];
        let lossless = report.write(&report.fates(None), &whole, "fold");
        let segments = elide::segments(&report.sheet(), focus, &Style::PLAIN);
        let elided = report.write(&report.fates(Some(focus)), &segments, "elide");
        let is_folded =
            |draft: &Draft| draft.pieces.iter().any(|p| matches!(p, Piece::Recoded { .. }));
        Proposals {
            lossless: is_folded(&lossless).then_some(lossless),
            elided: (!elided.is_lossless()).then_some(elided),
        }
    }

    /// Retrieval's own cut shows a line with what stands below it.
    fn units(&self, _text: &str) -> Option<Units> {
        None
    }
}

/// One diagnostic.
struct Item {
    head: Head,
    /// The line that states its place: its first, or the one below.
    place: Span,
    /// Its first line, the place's own line after it, and one past its last, as indices of lines.
    first: usize,
    below: usize,
    end: usize,
    /// The name of a file or of a package of Go's that it stands below, as a number; 0 without.
    group: u32,
}

/// A text cut into diagnostics and what stands between them.
struct Report<'t> {
    text: &'t str,
    lines: Vec<Span>,
    items: Vec<Item>,
}

/// What a diagnostic says.
struct Said<'t> {
    /// Equal where the same is said, of whatever name.
    key: u64,
    /// The one quoted part of a warning; empty when there is no such.
    name: &'t str,
    n_bytes: usize,
}

/// What is said at several places.
struct Statement<'t> {
    /// The line that it is written in.
    line: usize,
    n_bytes: usize,
    /// Each place, what is quoted there, and how often it was said.
    places: Vec<(&'t str, &'t str, u32)>,
}

impl<'t> Statement<'t> {
    fn add(&mut self, place: &'t str, name: &'t str) {
        match self.places.last_mut().filter(|last| (last.0, last.1) == (place, name)) {
            Some(last) => last.2 += 1,
            None => self.places.push((place, name, 1)),
        }
    }

    /// The line for all places; `None` when there is but one. Where the names differ, each stands behind its place.
    fn write(&self, line: &str) -> Option<String> {
        let (place, name, n) = self.places.first()?;
        if self.places.len() == 1 && *n == 1 {
            return None;
        }
        let differ = self.places.iter().any(|(_, other, _)| other != name);
        let told: Vec<String> = self
            .places
            .iter()
            .map(|(place, name, n)| {
                let count = if *n > 1 { format!(" ×{n}") } else { String::new() };
                if differ { format!("{place} {name}{count}") } else { format!("{place}{count}") }
            })
            .collect();
        let (before, after) = line.split_once(place)?;
        let after = if differ { after.replacen(name, "…", 1) } else { after.to_owned() };
        Some(format!("{before}{}{after}", told.join(", ")))
    }
}

impl<'t> Report<'t> {
    fn of(text: &'t str) -> Report<'t> {
        let lines = lines(text);
        let content = |at: usize| lines.get(at).map_or("", |line| trim_eol(line.of(text)));
        let mut items: Vec<Item> = Vec::new();
        let (mut at, mut group, mut package) = (0, 0, 0);
        while at < lines.len() {
            let Some(head) = head::of(content(at), content(at + 1)) else {
                // The name of a file, a heading: what follows belongs to it.
                group += u32::from(!content(at).is_empty());
                if content(at).starts_with("# ") {
                    package = group;
                }
                at += 1;
                continue;
            };
            let start = |at: usize| lines.get(at).map_or(0, |line| line.start as usize);
            let (place, below) = match &head.place {
                Some(place) => (Span::new(start(at) + place.start, start(at) + place.end), at + 1),
                None => {
                    let arrow = content(at + 1);
                    let from = arrow.find("--> ").map_or(0, |at| at + 4);
                    (Span::new(start(at + 1) + from, start(at + 1) + arrow.len()), at + 2)
                }
            };
            let mut end = below;
            while end < lines.len()
                && is_detail(content(end), head.place.is_none())
                && head::of(content(end), content(end + 1)).is_none()
            {
                end += 1;
            }
            let group = if head.names_file { package } else { group };
            items.push(Item { head, place, first: at, below, end, group });
            at = end;
        }
        Report { text, lines, items }
    }

    fn content(&self, at: usize) -> &'t str {
        self.lines.get(at).map_or("", |line| trim_eol(line.of(self.text)))
    }

    /// The sheet of lines, of which only the steps of a build may go.
    fn sheet(&self) -> Sheet<'t> {
        let mut sheet = Sheet::new(self.text, "lines");
        sheet.keeps_first = false;
        let verb = sheet.add_column("steps");
        sheet.always_tell(verb);
        let mut items = self.items.iter().peekable();
        for (at, line) in self.lines.iter().enumerate() {
            while items.next_if(|item| item.end <= at).is_some() {}
            let is_inside = items.peek().is_some_and(|item| item.first <= at);
            match head::step(self.content(at)).filter(|_| !is_inside) {
                Some(word) => {
                    sheet.add_unit(*line, mask::mix(1, 0), Severity::None);
                    let span = Span {
                        start: line.start + offset(word.start),
                        end: line.start + offset(word.end),
                    };
                    sheet.add_cell(verb, CellKind::Text, span);
                }
                None => sheet.add_unit(*line, mask::mix(2, u64::from(line.start)), Severity::Error),
            }
        }
        sheet
    }

    /// What becomes of each line. Excerpts go only with a focus.
    fn fates(&self, focus: Option<&Focus>) -> Vec<Fate> {
        let mut fates = vec![Fate::Stays; self.lines.len()];
        let mut shown: HashedMap<()> = HashedMap::default();
        let mut blocks: HashedMap<()> = HashedMap::default();
        let mut is_bare = vec![false; self.items.len()];
        let mut level = Level::Note;
        for (item, is_bare) in self.items.iter().zip(&mut is_bare) {
            let is_new = shown.insert(item.head.class, ()).is_none();
            *is_bare = item.below == item.end;
            // A note is as much worth as what it belongs to.
            if item.head.level != Level::Note {
                level = item.head.level;
            }
            if *is_bare {
                continue;
            }
            // A tool that builds twice says everything twice.
            let block = (item.first..item.end)
                .fold(0, |block, at| mask::mix(block, mask::hash(self.content(at))));
            if blocks.insert(block, ()).is_some() {
                *is_bare = true;
                fates::set(&mut fates, item.below, item.end, &Fate::IsSaid);
                continue;
            }
            let Some(focus) = focus else { continue };
            let may_go = match (level, focus.pressure) {
                (Level::Error, pressure) => pressure >= 3 || pressure == 2 && !is_new,
                (_, pressure) => pressure >= 2 || !is_new,
            };
            if may_go && !self.holds_word(item, focus) {
                *is_bare = true;
                fates::set(&mut fates, item.below, item.end, &Fate::Goes(String::new()));
            }
        }
        self.fold(&is_bare, &mut fates);
        if focus.is_some() {
            self.clear(&mut fates);
        }
        fates
    }

    /// Takes out what only says where diagnostics are that another line speaks for.
    fn clear(&self, fates: &mut [Fate]) {
        let mut from = 0;
        for (nth, item) in self.items.iter().enumerate() {
            let n_context = (from..item.first)
                .rev()
                .take_while(|at| head::is_context(self.content(*at)))
                .count();
            from = item.end;
            if n_context == 0 {
                continue;
            }
            let rest = self.items.get(nth..).unwrap_or_default();
            let run = rest.iter().zip(rest.iter().skip(1)).take_while(|(a, b)| a.end == b.first);
            let n_run = 1 + run.count();
            let is_said = |item: &Item| fates.get(item.first) == Some(&Fate::IsSaid);
            if rest.iter().take(n_run).all(is_said) {
                fates::set(fates, item.first - n_context, item.first, &Fate::Goes(String::new()));
            }
        }
    }

    fn holds_word(&self, item: &Item, focus: &Focus) -> bool {
        (item.below..item.end).any(|at| focus.is_in(self.content(at)))
    }

    /// Joins diagnostics that say the same: the first of them gets the places of those after it that show nothing more.
    fn fold(&self, is_bare: &[bool], fates: &mut [Fate]) {
        let mut open: HashedMap<usize> = HashedMap::default();
        let mut statements: Vec<Statement<'_>> = Vec::new();
        for (item, is_bare) in self.items.iter().zip(is_bare) {
            let said = self.said(item);
            if said.n_bytes < MIN_SAID {
                continue;
            }
            let place = item.place.of(self.text);
            let n_bytes = place.len() + said.name.len() + 3;
            let statement = open.get(&said.key).and_then(|at| statements.get_mut(*at));
            match statement.filter(|s| *is_bare && s.n_bytes + n_bytes <= MAX_PLACES) {
                Some(statement) => {
                    statement.add(place, said.name);
                    statement.n_bytes += n_bytes;
                    fates::set(fates, item.first, item.below, &Fate::IsSaid);
                }
                None => {
                    open.insert(said.key, statements.len());
                    let line = self.line_of(item);
                    statements.push(Statement {
                        line,
                        n_bytes,
                        places: vec![(place, said.name, 1)],
                    });
                }
            }
        }
        for statement in &statements {
            if let (Some(line), Some(fate)) =
                (self.lines.get(statement.line), fates.get_mut(statement.line))
                && let Some(text) = statement.write(line.of(self.text))
            {
                *fate = Fate::Reads(text);
            }
        }
    }

    /// What an item says, whatever its place.
    fn said(&self, item: &Item) -> Said<'t> {
        let (before, after) = self.around(item);
        let mut key = mask::mix(u64::from(item.group), mask::hash(before.trim_start()));
        // Columns are padded to the width of the longest place.
        let message = after.trim_start();
        let name = match head::quoted(message) {
            Some(name) if item.head.level == Level::Warning && item.head.place.is_some() => {
                let parts = (message.get(..name.start), message.get(name.end..));
                key = mask::mix(key, mask::hash(parts.0.unwrap_or_default()));
                key = mask::mix(key, mask::hash(parts.1.unwrap_or_default().trim_start()));
                message.get(name).unwrap_or_default()
            }
            _ => {
                key = mask::mix(key, mask::hash(message));
                ""
            }
        };
        Said { key, name, n_bytes: before.len() + message.len() }
    }

    /// The line that states an item's place.
    fn line_of(&self, item: &Item) -> usize {
        item.below.saturating_sub(1).max(item.first)
    }

    /// What stands around the place in its line.
    fn around(&self, item: &Item) -> (&'t str, &'t str) {
        let line = self.lines.get(self.line_of(item)).copied().unwrap_or_default();
        let before = Span { start: line.start, end: item.place.start }.of(self.text);
        let after = Span { start: item.place.end, end: line.end }.of(self.text);
        if item.head.place.is_some() {
            return (before, trim_eol(after));
        }
        // Arrows are aligned with their excerpt: their indentation says nothing.
        (self.content(item.first), trim_eol(after))
    }

    fn write(&self, fates: &[Fate], segments: &[Segment], method: &'static str) -> Draft {
        let (mut draft, n_gone) = fates::write(&self.lines, fates, segments, method);
        if fates.iter().any(|fate| matches!(fate, Fate::Reads(_))) {
            fates::explain(&mut draft, HOW);
        }
        if n_gone > 0 {
            draft.notes.push(format!(
                "{MARKER_OPEN}warnings after the first of a kind stand without their excerpts: {n_gone} lines]"
            ));
        }
        draft
    }
}

/// Whether a line continues the diagnostic above it. `is_boxed`: one of rustc's form, which ends at a blank line.
fn is_detail(line: &str, is_boxed: bool) -> bool {
    if line.trim().is_empty() {
        return is_boxed;
    }
    if line.starts_with([' ', '\t']) {
        return head::step(line).is_none();
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let is_gutter = line.get(digits..).is_some_and(|rest| rest.trim_start().starts_with('|'));
    is_gutter
        || line.starts_with("...")
        || line.starts_with('^')
        || is_boxed && (line.starts_with("help: ") || line.starts_with("note: "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proposals(text: &str) -> (Option<String>, Option<String>) {
        let Proposals { lossless, elided } = Diagnostics.compress(text, &Focus::default());
        let render = |draft: Draft| {
            let out = draft.render(text);
            out.strip_prefix(HOW).unwrap_or(&out).to_owned()
        };
        (lossless.map(render), elided.map(render))
    }

    #[test]
    fn what_is_said_twice_stands_once_behind_both_places() {
        for (text, want) in [
            (
                "a.py:1:2: error: unknown name  [name]\nb.py:3:4: error: unknown name  [name]\n",
                "a.py:1:2, b.py:3:4: error: unknown name  [name]\n",
            ),
            (
                "a.py:1:2: F401 `os` imported but unused\r\na.py:2:2: F401 `größe` imported but unused\r\n",
                "a.py:1:2 `os`, a.py:2:2 `größe`: F401 … imported but unused\r\n",
            ),
            (
                "/w/a.js\n  1:1   error  No semicolon  semi\n  10:1  error  No semicolon  semi\n\n/w/b.js\n  1:1  error  No semicolon  semi\n",
                "/w/a.js\n  1:1, 10:1   error  No semicolon  semi\n\n/w/b.js\n  1:1  error  No semicolon  semi\n",
            ),
            (
                "a.c:1:2: warning: odd thing here\na.c:1:2: warning: odd thing here\n",
                "a.c:1:2 ×2: warning: odd thing here\n",
            ),
        ] {
            assert_eq!(proposals(text).0.as_deref(), Some(want), "{text}");
        }
    }

    #[test]
    fn errors_of_names_that_differ_stay_apart() {
        let text =
            "a.py:1: error: Name \"x\" is not defined\na.py:2: error: Name \"y\" is not defined\n";
        assert_eq!(proposals(text), (None, None));
    }

    #[test]
    fn an_error_keeps_its_excerpt_and_a_warning_of_a_known_class_does_not() {
        let block = |level: &str, n: usize, name: &str| {
            format!(
                "{level}: unused thing `{name}`\n  --> src/a.rs:{n}:5\n   |\n{n} | let {name} = 1; // some long line of code\n   |     ^\n\n"
            )
        };
        let mut text = block("warning", 1, "a");
        (2..9).for_each(|n| text.push_str(&block("warning", n, "b")));
        text.push_str(&block("error", 11, "c"));
        text.push_str(&block("error", 12, "c"));
        let out = proposals(&text).1.unwrap();
        for kept in [block("warning", 1, "a"), block("error", 11, "c"), block("error", 12, "c")] {
            assert!(out.contains(&kept), "{out}");
        }
        let places: Vec<String> = (2..9).map(|n| format!("src/a.rs:{n}:5")).collect();
        assert!(out.contains(&places.join(", ")) && !out.contains("3 | let"), "{out}");
    }

    #[test]
    fn a_note_on_an_error_keeps_its_excerpt_and_what_is_said_again_stands_once() {
        let block = |n: usize, name: &str| {
            format!(
                "a.c:{n}:5: error: conflicting types for ‘{name}’\n  {n} | int {name}(int a, int b, int c);\n    |     ^\n\
                 a.h:{n}:5: note: previous declaration of ‘{name}’\n  {n} | int {name}(void); // how it was declared before\n    |     ^\n"
            )
        };
        let text = [block(1, "f"), block(2, "g"), block(3, "h")].concat();
        assert_eq!(proposals(&text), (None, None));
        let twice = [block(1, "f"), block(2, "g"), block(1, "f")].concat();
        let want = [block(1, "f").replace(":5:", ":5 ×2:"), block(2, "g")].concat();
        assert_eq!(proposals(&twice), (Some(want), None));
    }

    #[test]
    fn steps_go_and_what_a_build_ends_with_stays() {
        let mut text: String =
            (0..100).map(|n| format!("   Compiling crate{n} v1.0.{n}\n")).collect();
        text.push_str("error: could not compile `x` (lib) due to 1 previous error\n");
        let out = proposals(&text).1.unwrap();
        assert!(out.contains("steps: Compiling") && out.ends_with("1 previous error\n"), "{out}");
    }

    #[test]
    fn hostile_reports_take_linear_time_and_no_panic() {
        for unit in [
            "a.c:1:2: ",
            "a.c:1:2: warning: ‘",
            "a.c:1:2: warning: x\n",
            "a.c:1:2: warning: ‘x’\n  |\n",
            "warning: x\n --> a.rs:1:2\n",
            "In file included from a.h:1:\n",
            "  --> ",
            "1:1",
            "\n\n",
            "[",
            "''",
            "é`",
        ] {
            let text = unit.repeat(60_000);
            Diagnostics.compress(&text, &Focus::default());
        }
    }
}
