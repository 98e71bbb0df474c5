//! rspec's documentation format: examples as an outline, in which only those that did not pass say so.

use crate::prelude::*;
use crate::text::{Span, trim_eol};

/// Where the lines of the examples that passed begin; none when the text is no report of rspec's.
///
/// ```text
/// cart                           a group: others stand below it
///   adds a coupon                passed
///   adds a tax (FAILED - 1)      failed
/// ```
pub(super) fn passes(text: &str, lines: &[Span]) -> Vec<u32> {
    if !lines.iter().rev().take(MAX_FOOT).any(|line| is_sum(trim_eol(line.of(text)))) {
        return Vec::new();
    }
    let mut out = Vec::new();
    // Whether the lines above belong to a group that stands at the margin.
    let mut is_outline = false;
    for (at, line) in lines.iter().enumerate() {
        let content = trim_eol(line.of(text));
        let depth = indent(content);
        if content.trim().is_empty() {
            continue;
        }
        if depth == 0 {
            if is_end(content) {
                break;
            }
            is_outline = true;
            continue;
        }
        let next = lines.iter().skip(at + 1).map(|next| trim_eol(next.of(text)));
        let below = next.take(2).find(|next| !next.trim().is_empty()).map_or(0, indent);
        let says_more =
            [" (FAILED - ", " (PENDING: ", " (ERROR - "].iter().any(|s| content.contains(s));
        if is_outline && depth.is_multiple_of(2) && below <= depth && !says_more {
            out.push(line.start);
        }
    }
    out
}

/// So many of the last lines may hold the sum: behind it stand the failed examples. Our choice.
const MAX_FOOT: usize = 400;

/// `1001 examples, 1 failure`
fn is_sum(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < line.len()
        && (rest.starts_with(" examples, ") || rest.starts_with(" example, "))
        && rest.contains(" failure")
}

/// Whether the outline ends here: what follows says what went wrong.
fn is_end(line: &str) -> bool {
    [
        "Failures:",
        "Pending:",
        "Finished in ",
        "An error occurred",
        "Failed examples:",
        "Failure/Error:",
    ]
    .iter()
    .any(|end| line.starts_with(end))
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::lines;

    #[test]
    fn only_examples_that_passed_are_found() {
        let text = "\ncart\n  with a coupon\n    adds größe\n    adds tax (FAILED - 1)\n  sums\n\nFailures:\n\n  1) cart adds tax\n     expected\n\nFinished in 0.1 seconds\n3 examples, 1 failure\n";
        let found = |text: &str| -> Vec<String> {
            let lines = lines(text);
            let starts = passes(text, &lines);
            let is_found = |line: &&Span| starts.contains(&line.start);
            lines.iter().filter(is_found).map(|line| line.of(text).trim().to_owned()).collect()
        };
        assert_eq!(found(text), ["adds größe", "sums"]);
        assert_eq!(found(&text.replace('\n', "\r\n")), ["adds größe", "sums"]);
        assert!(found(&text.replace("examples,", "cases,")).is_empty());
        let broken = "cart\n  adds\n  \nAn error occurred in an `after(:context)` hook.\n\nRuntimeError:\n  refused\n1 example, 0 failures, 1 error occurred outside of examples\n";
        assert_eq!(found(broken), ["adds"]);
    }
}
