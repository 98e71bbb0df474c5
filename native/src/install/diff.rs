//! The difference of two versions of a configuration, for people to look at before it is written.

use std::path::Path;

/// So many lines around a change.
const CONTEXT: usize = 2;

/// What goes and what comes between the first and the last line that differ.
pub(super) fn of(path: &Path, before: &str, after: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let n_head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let n_most = old.len().min(new.len()) - n_head;
    let n_tail =
        old.iter().rev().zip(new.iter().rev()).take(n_most).take_while(|(a, b)| a == b).count();
    let first = n_head.saturating_sub(CONTEXT);
    let middle = |lines: &[&str], sign: char| -> String {
        let changed = lines.iter().take(lines.len() - n_tail).skip(n_head);
        changed.map(|line| format!("{sign}{line}\n")).collect()
    };
    let same = |from: usize, n: usize| -> String {
        old.iter().skip(from).take(n).map(|line| format!(" {line}\n")).collect()
    };
    format!(
        "--- {path}\n+++ {path}\n@@ line {} @@\n{}{}{}{}",
        first + 1,
        same(first, n_head - first),
        middle(&old, '-'),
        middle(&new, '+'),
        same(old.len() - n_tail, n_tail.min(CONTEXT)),
        path = path.display(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &str, after: &str, lines: &str) {
        let found = of(Path::new("f"), before, after);
        assert_eq!(found.split_once("@@\n").unwrap().1, lines, "{found}");
    }

    #[test]
    fn what_differs_is_shown_with_its_neighbours() {
        check("", "a\n", "+a\n");
        check("1\n2\n3\n4\n5\n", "1\n2\n3\nx\n4\n5\n", " 2\n 3\n+x\n 4\n 5\n");
        check("a\nb\n", "a\nc\n", " a\n-b\n+c\n");
        check("a\na\n", "a\n", " a\n-a\n");
        check("a\n", "", "-a\n");
    }
}
