//! One hunk of a unified diff, and how it reads with less context.

use crate::compress::fates::{self, Fate};
use crate::elide::Focus;
use crate::prelude::*;
use crate::text::{Span, trim_eol};

/// What a line is to a hunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Unchanged.
    Context,
    /// Added or removed.
    Change,
    /// A note on the line above: `\\ No newline at end of file`.
    Note,
}

/// A hunk: its header, and the lines that belong to it.
#[derive(Clone, Debug)]
pub(super) struct Hunk {
    /// Index of the header.
    pub(super) head: usize,
    /// One past its last line.
    pub(super) end: usize,
    /// What each line below the header is.
    pub(super) roles: Vec<Role>,
    /// Whether it holds exactly the lines that its header says, a change among them.
    pub(super) is_whole: bool,
    /// Whether a program writes the file.
    pub(super) is_generated: bool,
}

/// What a header says: where the lines are in both files, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Header<'t> {
    old: (u32, u32),
    new: (u32, u32),
    /// Behind the second `@@`.
    section: &'t str,
}

impl Hunk {
    /// The hunk whose header is the line `head`.
    pub(super) fn at(text: &str, lines: &[Span], head: usize, is_generated: bool) -> Option<Hunk> {
        let header = header(trim_eol(lines.get(head)?.of(text)))?;
        let (mut old_left, mut new_left) = (header.old.1, header.new.1);
        let mut roles = Vec::new();
        let mut is_by_words = false;
        for line in lines.iter().skip(head + 1) {
            let content = trim_eol(line.of(text));
            let is_done = old_left == 0 && new_left == 0;
            let (role, old, new) = match content.bytes().next() {
                Some(b'\\') => (Role::Note, 0, 0),
                _ if is_done => break,
                Some(b'+') => (Role::Change, 0, 1),
                Some(b'-') => (Role::Change, 1, 0),
                // Some programs strip the space of an empty context line.
                Some(b' ') | None => (Role::Context, 1, 1),
                // Not a line of a hunk: the counts were wrong, or the diff was cut.
                Some(_) => break,
            };
            if old > old_left || new > new_left {
                break;
            }
            (old_left, new_left) = (old_left - old, new_left - new);
            // `git diff --word-diff` marks changes within what looks like context.
            is_by_words |= role == Role::Context
                && (content.contains("{+") && content.contains("+}")
                    || content.contains("[-") && content.contains("-]"));
            roles.push(role);
        }
        let is_whole =
            old_left == 0 && new_left == 0 && roles.contains(&Role::Change) && !is_by_words;
        Some(Hunk { head, end: head + 1 + roles.len(), roles, is_whole, is_generated })
    }

    /// Takes out context further than `n_context` lines from a change, and sets headers right. What the focus asks for stays.
    pub(super) fn narrow(
        &self,
        text: &str,
        lines: &[Span],
        n_context: usize,
        focus: &Focus,
        fates: &mut [Fate],
    ) {
        let head_line = lines.get(self.head).copied().unwrap_or_default().of(text);
        let Some(header) = header(trim_eol(head_line)) else { return };
        let end = head_line.get(trim_eol(head_line).len()..).unwrap_or("\n");
        let content = |at: usize| lines.get(self.head + 1 + at).map_or("", |line| line.of(text));
        let stays = self.stays(n_context, |at| focus.is_in(content(at)));
        let (mut old, mut new) = (header.old.0, header.new.0);
        // Where nothing is there, the number is that of the line before.
        old += u32::from(header.old.1 == 0);
        new += u32::from(header.new.1 == 0);
        let mut parts: Vec<Part> = Vec::new();
        let mut at = 0;
        while at < self.roles.len() {
            let is_kept = stays.get(at).copied().unwrap_or(true);
            let n = stays.iter().skip(at).take_while(|stay| **stay == is_kept).count().max(1);
            let mut part = Part { from: at, to: at + n, is_kept, old: (old, 0), new: (new, 0) };
            for nth in at..at + n {
                let (in_old, in_new) = match self.roles.get(nth) {
                    Some(Role::Context) => (1, 1),
                    Some(Role::Change) if content(nth).starts_with('-') => (1, 0),
                    Some(Role::Change) => (0, 1),
                    _ => (0, 0),
                };
                part.old.1 += in_old;
                part.new.1 += in_new;
            }
            (old, new) = (old + part.old.1, new + part.new.1);
            at += n;
            parts.push(part);
        }
        // A gap between two changes needs a header in its place, and must be worth it.
        let mut merged: Vec<Part> = Vec::new();
        let n_parts = parts.len();
        for (nth, part) in parts.into_iter().enumerate() {
            let is_edge = nth == 0 || nth + 1 == n_parts;
            let n_bytes: usize = (part.from..part.to).map(|at| content(at).len()).sum();
            let pays = is_edge || n_bytes >= 2 * part.header("", end).len();
            let is_kept = part.is_kept || !pays;
            match merged.last_mut().filter(|before| before.is_kept && is_kept) {
                Some(before) => {
                    before.to = part.to;
                    before.old.1 += part.old.1;
                    before.new.1 += part.new.1;
                }
                None => merged.push(Part { is_kept, ..part }),
            }
        }
        let first = merged.iter().find(|part| part.is_kept).copied();
        if merged.iter().all(|part| part.is_kept) {
            return;
        }
        if let Some(first) = first {
            let said = Fate::Reads(first.header(header.section, end));
            fates::set(fates, self.head, self.head + 1, &said);
        }
        for (nth, part) in merged.iter().enumerate().filter(|(_, part)| !part.is_kept) {
            let (from, to) = (self.head + 1 + part.from, self.head + 1 + part.to);
            fates::set(fates, from, to, &Fate::Goes(String::new()));
            let next = merged.get(nth + 1).filter(|_| nth > 0);
            if let Some(next) = next {
                fates::set(fates, to - 1, to, &Fate::Goes(next.header("", end)));
            }
        }
    }

    /// For each line whether it stays.
    fn stays(&self, n_context: usize, is_asked: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut stays = vec![false; self.roles.len()];
        for (at, role) in self.roles.iter().enumerate() {
            match role {
                Role::Change => {
                    let from = at.saturating_sub(n_context);
                    stays.iter_mut().take(at + n_context + 1).skip(from).for_each(|s| *s = true);
                }
                // A note stands on the line above it.
                Role::Note => {
                    stays.iter_mut().take(at + 1).skip(at.saturating_sub(1)).for_each(|s| *s = true)
                }
                Role::Context => {
                    if let Some(slot) = stays.get_mut(at).filter(|_| is_asked(at)) {
                        *slot = true;
                    }
                }
            }
        }
        stays
    }
}

/// Lines of a hunk that stay or go together, and where they are in both files.
#[derive(Clone, Copy, Debug)]
struct Part {
    from: usize,
    to: usize,
    is_kept: bool,
    old: (u32, u32),
    new: (u32, u32),
}

impl Part {
    fn header(&self, section: &str, end: &str) -> String {
        let range = |(start, n): (u32, u32)| match n {
            0 => format!("{},0", start.saturating_sub(1)),
            1 => start.to_string(),
            _ => format!("{start},{n}"),
        };
        format!("@@ -{} +{} @@{section}{end}", range(self.old), range(self.new))
    }
}

/// The header `@@ -a,b +c,d @@ section`; a size left out is 1.
fn header(line: &str) -> Option<Header<'_>> {
    let inner = line.strip_prefix("@@ -")?;
    let (old, rest) = inner.split_once(" +")?;
    let (new, section) = rest.split_once(" @@")?;
    let range = |range: &str| {
        let (start, n) = range.split_once(',').unwrap_or((range, "1"));
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        (is_number(start) && is_number(n))
            .then(|| Some((start.parse::<u32>().ok()?, n.parse::<u32>().ok()?)))
            .flatten()
            .filter(|(start, n)| start.checked_add(*n).is_some_and(|end| end < u32::MAX))
    };
    Some(Header { old: range(old)?, new: range(new)?, section })
}
