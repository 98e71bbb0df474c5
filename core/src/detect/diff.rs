//! Diffs (unified, combined, context, normal) and `git log`.

use super::sample::Sample;
use super::shape::{begins, holds, is_hex, n_digits};
use super::{Scores, share};
use crate::kind::Kind;

pub(super) fn probe(sample: &Sample<'_>, scores: &mut Scores) {
    diff(sample, scores);
    classic(sample, scores);
    log(sample, scores);
    blame(sample, scores);
    status(sample, scores);
    statistics(sample, scores);
    one_line(sample, scores);
}

const HEADERS: &[&str] = &[
    "diff ",
    "index ",
    "--- ",
    "+++ ",
    "new file mode ",
    "deleted file mode ",
    "old mode ",
    "new mode ",
    "similarity index ",
    "dissimilarity index ",
    "rename from ",
    "rename to ",
    "copy from ",
    "copy to ",
    "Binary files ",
    "GIT binary patch",
    "Only in ",
    "Index: ",
    "==========",
    "\\ No newline",
];

fn diff(sample: &Sample<'_>, scores: &mut Scores) {
    let (mut n_explained, mut n_hunks, mut n_files, mut is_in_hunk, mut n_removed_files) =
        (0, 0, 0, false, 0);
    for (at, line) in sample.lines.iter().enumerate() {
        let text = line.text;
        // The middle and the tail start inside a hunk when the head was a diff.
        is_in_hunk |= at == sample.n_head && n_hunks > 0;
        if line.is_blank() {
            continue;
        }
        if is_hunk_header(text) {
            n_hunks += 1;
            is_in_hunk = true;
        } else if text.starts_with("diff --git ")
            || text.starts_with("diff -")
            || text.starts_with("diff --cc ")
        {
            n_files += 1;
            is_in_hunk = false;
        } else if is_in_hunk
            && matches!(text.as_bytes().first(), Some(b' ' | b'+' | b'-' | b'\\' | b'\t'))
        {
            n_files += usize::from(n_removed_files > 0 && text.starts_with("+++ "));
            n_removed_files = usize::from(text.starts_with("--- "));
        } else if begins(text, HEADERS) {
            is_in_hunk = false;
            n_files += usize::from(n_removed_files > 0 && text.starts_with("+++ "));
            n_removed_files = usize::from(text.starts_with("--- "));
        } else {
            continue;
        }
        n_explained += 1;
    }
    if n_files > 0 || (n_hunks > 0 && is_hunk_header(sample.first())) {
        // A message above the patch (`git show`, `git format-patch`) belongs to it.
        let bonus = if n_hunks > 0 { 50 } else { 0 };
        scores.claim(Kind::Diff, sample.share(n_explained) + bonus);
    }
}

/// How many of `lines` are the unified diff that the first one begins: headers, and hunks of the sizes that they state.
pub(super) fn n_lines<'a>(lines: impl Iterator<Item = &'a str>) -> usize {
    let (mut old_left, mut new_left, mut n, mut n_certain) = (0_u32, 0_u32, 0, 0);
    for line in lines {
        let first = line.as_bytes().first();
        if old_left > 0 || new_left > 0 {
            match first {
                Some(b'+') => new_left = new_left.saturating_sub(1),
                Some(b'-') => old_left = old_left.saturating_sub(1),
                Some(b' ') | None => {
                    (old_left, new_left) = (old_left.saturating_sub(1), new_left.saturating_sub(1));
                }
                Some(b'\\') => {}
                Some(_) => break,
            }
        } else if let Some(sizes) = hunk_sizes(line) {
            (old_left, new_left) = sizes;
        } else if !line.is_empty() && !begins(line, HEADERS) {
            break;
        }
        n += 1;
        // Blank lines at the end belong to what follows.
        if first.is_some() {
            n_certain = n;
        }
    }
    n_certain
}

/// The sizes of a hunk by its header `@@ -a,b +c,d @@`; a size left out is 1.
fn hunk_sizes(line: &str) -> Option<(u32, u32)> {
    let (old, rest) = line.strip_prefix("@@ -")?.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let size = |range: &str| range.split_once(',').map_or(Some(1), |(_, n)| n.parse::<u32>().ok());
    Some((size(old)?, size(new)?))
}

/// `@@ -1,4 +1,6 @@` and the combined form with more signs.
fn is_hunk_header(text: &str) -> bool {
    let rest = text.trim_start_matches('@');
    let n_signs = text.len() - rest.len();
    n_signs >= 2
        && rest
            .strip_prefix(" -")
            .is_some_and(|r| r.as_bytes().first().is_some_and(u8::is_ascii_digit))
        && holds(rest, " @@")
        && holds(rest, " +")
}

/// Context diffs (`*** 1,5 ****`) and normal diffs (`12c12`, `< old`, `> new`).
fn classic(sample: &Sample<'_>, scores: &mut Scores) {
    let (mut n_heads, mut n_body) = (0, 0);
    for line in sample.full() {
        let bytes = line.text.as_bytes();
        if is_normal_head(bytes) || line.text == "***************" {
            n_heads += 1;
        } else if matches!(bytes, [b'<' | b'>' | b'!' | b'+' | b'-' | b' ', b' ', ..])
            || matches!(bytes, [b'<' | b'>'])
            || line.text == "---"
            || line.text.starts_with("*** ")
            || line.text.starts_with("--- ")
            || line.text.starts_with("diff ")
        {
            n_body += 1;
        }
    }
    if n_heads > 0 && n_body > 0 {
        scores.claim(Kind::Diff, sample.share(n_heads + n_body));
    }
}

/// `12c12`, `3,5d2`, `0a1,4`.
fn is_normal_head(bytes: &[u8]) -> bool {
    let range = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        let n = n_digits(rest);
        let more = if n > 0 && rest.get(n) == Some(&b',') {
            1 + n_digits(rest.get(n + 1..).unwrap_or_default())
        } else {
            0
        };
        (n > 0).then_some(from + n + more)
    };
    let Some(at) = range(0) else { return false };
    matches!(bytes.get(at), Some(b'a' | b'c' | b'd')) && range(at + 1) == Some(bytes.len())
}

/// `git log` with its headers, statistics lines included.
fn log(sample: &Sample<'_>, scores: &mut Scores) {
    let (mut n_commits, mut n_explained) = (0, 0);
    for line in sample.full() {
        let text = line.text.trim_start_matches(['*', '|', '/', '\\', ' ', '_']);
        let is_graph = text.len() < line.body.len();
        let text = if is_graph { text } else { line.text };
        let is_commit = text
            .strip_prefix("commit ")
            .is_some_and(|r| is_hex(r.split(' ').next().unwrap_or_default()) && r.len() >= 7);
        n_commits += usize::from(is_commit);
        let is_header = begins(
            text,
            &[
                "Author:",
                "AuthorDate:",
                "Commit:",
                "CommitDate:",
                "Date:",
                "Merge:",
                "Reflog",
                "Notes:",
                "gpg:",
            ],
        );
        n_explained += usize::from(
            is_commit || is_header || is_graph || line.indent() >= 4 || is_stat(line.text),
        );
    }
    if n_commits > 0 {
        let bonus = if n_commits > 1
            && sample.first().trim_start_matches(['*', ' ']).starts_with("commit ")
        {
            30
        } else {
            0
        };
        scores.claim(Kind::GitLog, sample.share(n_explained) + bonus);
    }
}

/// ` src/lib.rs | 12 +++---`, ` 3 files changed, 4 insertions(+)`, `:100644 100644 …`, `M\tpath`.
fn is_stat(text: &str) -> bool {
    let bytes = text.as_bytes();
    (text.starts_with(' ')
        && (holds(text, " | ")
            || holds(text, " changed, ")
            || holds(text, " => ")
            || text.starts_with(" create mode")))
        || matches!(bytes, [b'A'..=b'Z', b'\t', ..] | [b'C' | b'R', b'0'..=b'1', _, _, b'\t', ..])
        || is_numstat(text)
        || text.starts_with(":100")
}

/// `git diff --stat`, `--numstat`, `--name-status` by themselves.
fn statistics(sample: &Sample<'_>, scores: &mut Scores) {
    let is_bar = |text: &str| {
        let change = text.strip_prefix(' ').and_then(|row| row.rsplit_once(" | "));
        change.is_some_and(|(_, change)| {
            let bar = change.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
            bar.strip_prefix(' ').is_some_and(|bar| bar.bytes().all(|b| b"+-".contains(&b)))
        })
    };
    let is_named = |text: &str| {
        let path = text.rsplit_once('\t').map_or("", |(_, path)| path);
        path.contains(['/', '.']) && super::shape::is_path(path)
    };
    let n = sample.full().filter(|line| is_stat(line.text)).count();
    let is_list = sample.full().any(|line| is_bar(line.text))
        || sample.full().all(|line| is_named(line.text));
    if n >= 3 && n == sample.n_full && is_list {
        scores.claim(Kind::GitLog, sample.share(n));
    }
}

/// `12\t3\tsrc/lib.rs`, `-\t-\tlogo.png`.
fn is_numstat(text: &str) -> bool {
    let is_count =
        |word: &str| word == "-" || !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    let mut words = text.splitn(3, '\t');
    words.next().is_some_and(is_count)
        && words.next().is_some_and(is_count)
        && words.next().is_some()
}

/// `git blame`: `ac553a9d (Ada 2026-11-30 15:58:32 +0000   1) # Shop`.
fn blame(sample: &Sample<'_>, scores: &mut Scores) {
    let is_blame = |text: &str| {
        let hash = text.trim_start_matches('^').split(' ').next().unwrap_or_default();
        let zone = |rest: &str| {
            let bytes = rest.as_bytes();
            matches!(bytes, [b'+' | b'-', ..])
                && n_digits(bytes.get(1..).unwrap_or_default()) == 4
                && bytes.get(5) == Some(&b' ')
        };
        (7..=64).contains(&hash.len())
            && is_hex(hash)
            && text.split_once('(').is_some_and(|(before, rest)| {
                let words = rest.match_indices(' ').take(16);
                before.len() < 400
                    && words.into_iter().any(|(at, _)| zone(rest.get(at + 1..).unwrap_or_default()))
            })
    };
    let n = sample.full().filter(|line| is_blame(line.text)).count();
    if n >= 2 {
        scores.claim(Kind::GitLog, sample.share(n));
    }
}

/// `git status`, long and short.
fn status(sample: &Sample<'_>, scores: &mut Scores) {
    let first = sample.first();
    let is_long = first.starts_with("On branch ") || first.starts_with("HEAD detached at ");
    let is_file = |text: &str| {
        let code = text.get(..3).unwrap_or_default().as_bytes();
        let of = |b: u8| b" MADRCUT?!".contains(&b);
        matches!(code, [a, b, b' '] if of(*a) && of(*b) && (*a, *b) != (b' ', b' '))
            && super::shape::is_path(
                text.get(3..).unwrap_or_default().split(" -> ").next().unwrap_or_default(),
            )
    };
    let n = sample
        .full()
        .filter(|line| {
            if is_long {
                line.text.starts_with('\t')
                    || line.body.starts_with('(')
                    || begins(line.text, STATUS_HEADS)
            } else {
                is_file(line.text)
            }
        })
        .count();
    if n >= 3 && (is_long || n == sample.n_full) {
        scores.claim(Kind::GitLog, sample.share(n));
    }
}

/// How the sections of a long status begin.
const STATUS_HEADS: &[&str] = &[
    "On branch ",
    "HEAD detached at ",
    "Your branch ",
    "Changes ",
    "Untracked files:",
    "Unmerged paths:",
    "Ignored files:",
    "nothing ",
    "no changes added",
];

/// `git log --oneline`, with or without graph; `git reflog`.
fn one_line(sample: &Sample<'_>, scores: &mut Scores) {
    let (mut n, mut n_stats, mut n_lettered, mut lens) = (0, 0, 0, (usize::MAX, 0));
    // Addresses and offsets ascend, hashes do not.
    let (mut is_ascending, mut last) = (true, "");
    for line in sample.full() {
        let text = line.text.trim_start_matches(['*', '|', '/', '\\', ' ', '_']);
        if text.is_empty() {
            n += 1;
            continue;
        }
        if is_stat(line.text) {
            n_stats += 1;
            continue;
        }
        let Some((hash, subject)) = text.split_once(' ') else { continue };
        if !(7..=40).contains(&hash.len()) || !is_hex(hash) || subject.is_empty() {
            continue;
        }
        is_ascending &= last <= hash;
        last = hash;
        lens = (lens.0.min(hash.len()), lens.1.max(hash.len()));
        n += 1;
        n_lettered += usize::from(
            hash.bytes().any(|b| b.is_ascii_alphabetic())
                && hash.bytes().any(|b| b.is_ascii_digit()),
        );
    }
    let is_uniform = lens.1.saturating_sub(lens.0) <= 2 && (n < 8 || !is_ascending);
    if n >= 3 && is_uniform && share(n_lettered, n) >= 400 {
        scores.claim(Kind::GitLog, sample.share(n + n_stats));
    }
}
