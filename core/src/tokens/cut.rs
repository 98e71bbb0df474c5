//! Places where counts add up, so that lines and runs of lines are priced without recounting.

use crate::prelude::*;
use crate::text::Span;

use super::Counter;
use super::class::{BREAK, SPACE};
use super::view::view;

/// Whether the counts of `text` before and after `at` add up to that of the whole, whatever else stands in it: at both
/// ends, and after a `\n` that no line break, no `/` and no blank line follows.
pub fn is_exact_cut(text: &str, at: usize) -> bool {
    let Some((before, after)) = text.split_at_checked(at) else { return false };
    if before.is_empty() || after.is_empty() {
        return true;
    }
    if !before.ends_with('\n') || after.starts_with('/') {
        return false;
    }
    // White space up to a later line break would be one piece with the break before the cut.
    let view = view();
    let first =
        after.chars().map(|character| view.class(character.into())).find(|&class| class != SPACE);
    first != Some(BREAK)
}

/// The tokens of each of `units`, which follow each other and together are the end of `text` that starts at the first.
///
/// The counts add up to that of the whole. Between two exact cuts a unit's count is what it has on its own; where the
/// splitting pattern joins the end of a unit with the next, their common piece counts for the first of them.
pub fn unit_counts(text: &str, units: &[Span]) -> Vec<u64> {
    let mut counter = Counter::new();
    let mut counts = Vec::with_capacity(units.len());
    let mut from = units.first().map_or(0, |unit| unit.start as usize);
    for (at, unit) in units.iter().enumerate() {
        let end = unit.end as usize;
        let last = at + 1 == units.len();
        if last || is_exact_cut(text, end) {
            counts.push(counter.count(text.get(from..end).unwrap_or_default()));
            from = from.max(end);
            continue;
        }
        let (n_tokens, reached) = counter.count_to(text, from, end);
        counts.push(n_tokens);
        from = reached;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::lines;

    #[track_caller]
    fn check(text: &str, n_tokens: &[u64]) {
        let counts = unit_counts(text, &lines(text));
        assert_eq!(counts, n_tokens, "{text:?}");
        assert_eq!(counts.iter().sum::<u64>(), super::super::count(text), "{text:?}");
    }

    #[test]
    fn lines_are_counted_once_and_add_up() {
        check("", &[]);
        check("one\ntwo\n", &[2, 2]);
        check("{\n// x\n", &[1, 2]);
        check("a\n\n\n\nb", &[2, 0, 0, 0, 1]);
        check("a\r\n  \t\n    b\n", &[4, 0, 3]);
        check("日志\n　信息\n", &[2, 3]);
    }

    #[test]
    fn a_cut_is_exact_where_no_piece_crosses_it() {
        let at = |text: &str| is_exact_cut(text, text.find('\n').unwrap_or(0) + 1);
        assert!(at("a\nb"));
        assert!(at("a\n"));
        assert!(at("{\n  // b"));
        assert!(at("a\n\u{3000}信"));
        assert!(!at("{\n// b"));
        assert!(!at("a\n\nb"));
        assert!(!at("a\n \u{a0}\nb"));
        assert!(!is_exact_cut("a b", 1));
        assert!(!is_exact_cut("é", 1));
    }
}
