//! Lists of changed files, as `--stat`, `--name-status`, `--numstat` and `--summary` write them: those of one folder stand
//! together.
//!
//! ```text
//!  src/cart/rate.py       |  2 +-           src/cart/{rate.py | 2 +-, rule.py | 22 ++--, total.py | 4 ++}
//!  src/cart/rule.py       | 22 ++--   ->
//!  src/cart/total.py      |  4 ++
//! ```

use super::Role;
use crate::compress::fates::{self, Fate};
use crate::elide::Segment;
use crate::prelude::*;
use crate::text::{Span, trim_eol};

/// Folds the lists that stay in sight; whether there was one to fold.
pub(super) fn fold(
    text: &str,
    lines: &[Span],
    roles: &[Role],
    segments: &[Segment],
    fates: &mut [Fate],
) -> bool {
    let mut is_folded = false;
    for segment in segments {
        let Segment::Keep { units } = segment else { continue };
        let mut at = units.start;
        while at < units.end {
            let file = |at: usize| match (roles.get(at), lines.get(at)) {
                (Some(Role::File), Some(line)) => File::of(trim_eol(line.of(text))),
                _ => None,
            };
            let Some(first) = file(at) else {
                at += 1;
                continue;
            };
            let folder = (at..units.end).map_while(file).take_while(|file| file.is_beside(&first));
            let run: Vec<File<'_>> = folder.collect();
            if run.len() > 1 {
                let end = lines.get(at).map_or("", |line| line.of(text));
                let end = end.get(trim_eol(end).len()..).unwrap_or_default();
                let reads = Fate::Reads(together(&run) + end);
                fates::set(fates, at, at + 1, &reads);
                fates::set(fates, at + 1, at + run.len(), &Fate::IsSaid);
                is_folded = true;
            }
            at += run.len();
        }
    }
    is_folded
}

/// Files of one folder in one line; what is before all of them stands once.
fn together(run: &[File<'_>]) -> String {
    let Some(first) = run.first() else { return String::new() };
    let is_shared = run.iter().all(|file| file.before == first.before);
    let shared = if is_shared { first.before } else { "" };
    let names: Vec<String> = run
        .iter()
        .map(|file| match (is_shared, file.after) {
            (true, "") => file.name.to_owned(),
            (true, after) => format!("{} | {after}", file.name),
            (false, _) => format!("{}{}", file.before, file.name).replace('\t', " "),
        })
        .collect();
    format!("{}{shared}{}{{{}}}", first.drawn, first.folder, names.join(", "))
}

/// A line of such a list.
struct File<'t> {
    /// The branches that `--graph` draws, and the indentation.
    drawn: &'t str,
    /// What is said of the file before its path: `M\t`, `3\t4\t`, `create mode 100644 `.
    before: &'t str,
    /// With the slash at its end.
    folder: &'t str,
    name: &'t str,
    /// What is said behind it: `22 ++--`, `Bin 0 -> 9 bytes`.
    after: &'t str,
}

impl<'t> File<'t> {
    /// `None` for files of the root, and for names that braces would make unclear.
    fn of(line: &'t str) -> Option<File<'t>> {
        let row = line.trim_start_matches(['|', ' ', '*']);
        let drawn = line.get(..line.len() - row.len())?;
        let (row, after) = match row.rsplit_once(" | ") {
            Some((path, change)) => (path.trim_end(), change.trim()),
            None => (row, ""),
        };
        let is_summary =
            |row: &str| row.starts_with("create mode ") || row.starts_with("delete mode ");
        let from = match row.rfind('\t') {
            Some(tab) => tab + 1,
            None if is_summary(row) => row.match_indices(' ').nth(2)?.0 + 1,
            None => 0,
        };
        let (before, path) = row.split_at_checked(from)?;
        // A rename names two paths.
        let is_renamed =
            path.contains(" => ") || matches!(before.as_bytes(), [b'R' | b'C', b'0'..=b'9', ..]);
        if path.contains(['{', '}', ',', '"']) || is_renamed {
            return None;
        }
        let (folder, name) = path.split_at_checked(path.rfind('/')? + 1)?;
        Some(File { drawn, before, folder, name, after })
    }

    fn is_beside(&self, other: &File<'_>) -> bool {
        (self.drawn, self.folder) == (other.drawn, other.folder)
            && self.after.is_empty() == other.after.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(text: &str) -> String {
        let lines = crate::text::lines(text);
        let roles = vec![Role::File; lines.len()];
        let whole = [Segment::Keep { units: 0..lines.len() }];
        let mut fates = vec![Fate::Stays; lines.len()];
        fold(text, &lines, &roles, &whole, &mut fates);
        fates::write(&lines, &fates, &whole, "fold").0.render(text)
    }

    #[test]
    fn files_of_one_folder_stand_together() {
        for (list, want) in [
            (
                " a/größe/b.rs | 3 +-\r\n a/größe/c.png | Bin 0 -> 9 bytes\r\n a/d.rs   |  1 +\r\n",
                " a/größe/{b.rs | 3 +-, c.png | Bin 0 -> 9 bytes}\r\n a/d.rs   |  1 +\r\n",
            ),
            ("| *  a/b.rs | 3 +-\n| *  a/c.rs | 4 ++", "| *  a/{b.rs | 3 +-, c.rs | 4 ++}\n"),
            ("M\ta/b.rs\nM\ta/c.rs\nD\ta/d.rs\n", "a/{M b.rs, M c.rs, D d.rs}\n"),
            ("M\ta/b.rs\nM\ta/c.rs\n", "M\ta/{b.rs, c.rs}\n"),
            ("3\t4\ta/b.rs\n-\t-\ta/c.rs\n", "a/{3 4 b.rs, - - c.rs}\n"),
            (
                " create mode 100644 a/b.rs\n create mode 100644 a/c.rs\n",
                " create mode 100644 a/{b.rs, c.rs}\n",
            ),
        ] {
            assert_eq!(folded(list), want);
        }
    }

    #[test]
    fn names_that_braces_would_make_unclear_stay() {
        for list in [
            " a/{b => c}/d.rs | 3 +-\n a/{b => c}/e.rs | 3 +-\n",
            "R100\ta/b.rs\ta/c.rs\nR100\ta/d.rs\ta/e.rs\n",
            " a/b,c.rs | 3 +-\n a/d.rs | 3 +-\n",
            "M\tb.rs\nM\tc.rs\n",
            " rename a/{b.rs => c.rs} (98%)\n rename a/{d.rs => e.rs} (97%)\n",
        ] {
            assert_eq!(folded(list), list);
        }
    }
}
