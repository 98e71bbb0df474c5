//! `git status`, long and short: files of one state and one folder stand together.
//!
//! ```text
//!         modified:   src/cart/rate.py           modified:   src/cart/{rate.py, rule.py, total.py}
//!         modified:   src/cart/rule.py      ->
//!         modified:   src/cart/total.py
//! ```

use crate::compress::fates;
use crate::draft::{Draft, Piece};
use crate::prelude::*;
use crate::text::{Span, trim_eol};

/// How the draft is read.
const HOW: &str = "[caveman: files of one state and folder stand together]\n";

/// The draft in which each folder stands once for a state; `None` when the text is no status or nothing repeats.
pub(super) fn fold(text: &str, lines: &[Span]) -> Option<Draft> {
    let is_long = lines.iter().take(3).any(|line| {
        let line = line.of(text);
        line.starts_with("On branch ") || line.starts_with("HEAD detached at ")
    });
    let files: Vec<Option<File<'_>>> =
        lines.iter().map(|line| File::of(trim_eol(line.of(text)), is_long)).collect();
    let n_files = files.iter().flatten().count();
    if n_files < 2 || !is_long && n_files < lines.len() {
        return None;
    }
    let mut draft = Draft::new("fold", "lines", lines.len());
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let rest = files.get(at..).unwrap_or_default();
        let first = rest.first().copied().flatten().filter(|file| !file.folder.is_empty());
        let is_like = |other: &&Option<File<'_>>| {
            other.zip(first).is_some_and(|(a, b)| (a.state, a.folder) == (b.state, b.folder))
        };
        let n = rest.iter().take_while(is_like).count();
        let Some(File { state, folder, .. }) = first.filter(|_| n > 1) else {
            draft.keep(*line);
            at += 1;
            continue;
        };
        let run = lines.get(at..at + n).unwrap_or_default();
        let of = run.iter().copied().reduce(Span::join).unwrap_or(*line);
        let names: Vec<&str> = rest.iter().take(n).flatten().map(|file| file.name).collect();
        let whole = of.of(text);
        let end = whole.get(trim_eol(whole).len()..).unwrap_or_default();
        let text = format!("{state}{folder}{{{}}}{end}", names.join(", "));
        draft.pieces.push(Piece::Recoded { of, text });
        at += n;
    }
    let is_folded = draft.pieces.iter().any(|piece| matches!(piece, Piece::Recoded { .. }));
    fates::explain(&mut draft, HOW);
    is_folded.then_some(draft)
}

/// A file and its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct File<'t> {
    /// Everything before the path.
    state: &'t str,
    /// With the slash at its end; empty for a file of the root.
    folder: &'t str,
    name: &'t str,
}

impl<'t> File<'t> {
    /// `\tmodified:   path`, `\tpath`; in the short form ` M path`, `?? path`.
    fn of(line: &'t str, is_long: bool) -> Option<File<'t>> {
        let n_state = if is_long {
            let words = line.strip_prefix('\t')?;
            let verb = words.split_once(":  ").map_or(0, |(verb, rest)| {
                let padding = rest.len() - rest.trim_start().len();
                verb.len() + 3 + padding
            });
            1 + verb
        } else {
            let code = line.get(..2)?;
            let is_code = code.bytes().all(|b| b" MADRCUT?!".contains(&b)) && code != "  ";
            (is_code && line.get(2..3)? == " ").then_some(3)?
        };
        let (state, path) = line.split_at_checked(n_state)?;
        // Names that the braces would make unclear stay as they are.
        if path.is_empty() || path.contains(['{', '}', ',', '"']) || path.contains(" -> ") {
            return Some(File { state, folder: "", name: path });
        }
        let from = path.trim_end_matches('/').rfind('/').map_or(0, |at| at + 1);
        let (folder, name) = path.split_at_checked(from)?;
        Some(File { state, folder, name })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::lines;

    fn folded(text: &str) -> Option<String> {
        let draft = fold(text, &lines(text))?;
        Some(draft.render(text).strip_prefix(HOW).unwrap().to_owned())
    }

    #[test]
    fn files_of_one_state_and_folder_stand_together() {
        let long = "On branch main\r\nChanges not staged for commit:\r\n\tmodified:   src/größe/a.py\r\n\tmodified:   src/größe/b.py\r\n\tdeleted:    src/größe/c.py\r\n\tmodified:   d.py\r\n\r\nUntracked files:\r\n\tdocs/a.md\r\n\tdocs/b.md\r\n\tdocs/c,d.md\r\n";
        let want = "On branch main\r\nChanges not staged for commit:\r\n\tmodified:   src/größe/{a.py, b.py}\r\n\tdeleted:    src/größe/c.py\r\n\tmodified:   d.py\r\n\r\nUntracked files:\r\n\tdocs/{a.md, b.md}\r\n\tdocs/c,d.md\r\n";
        assert_eq!(folded(long).as_deref(), Some(want));
        let short = " M src/a.py\n M src/b.py\nM  src/c.py\nRM src/d.py -> src/e.py\n?? docs/a.md\n?? docs/b.md";
        let want =
            " M src/{a.py, b.py}\nM  src/c.py\nRM src/d.py -> src/e.py\n?? docs/{a.md, b.md}";
        assert_eq!(folded(short).as_deref(), Some(want));
    }

    #[test]
    fn what_is_no_status_and_what_does_not_repeat_declines() {
        for text in [
            "On branch main\nnothing to commit, working tree clean\n",
            "On branch main\n\tmodified:   a/b.py\n\tmodified:   c/d.py\n",
            " M src/a.py\n M src/b.py\nAnd a sentence.\n",
            "é\n",
            "",
        ] {
            assert_eq!(folded(text), None, "{text}");
        }
        folded(&" M a/b\n".repeat(100_000));
    }
}
