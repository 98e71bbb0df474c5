//! `git blame`: the commit of lines that follow one another stands once.
//!
//! ```text
//! ac553a9d (Ada 2026-11-30 15:58:32 +0000   1) # Shop      ac553a9d (Ada 2026-11-30 15:58:32 +0000)
//! ac553a9d (Ada 2026-11-30 15:58:32 +0000   2)         ->    1) # Shop
//! 0805ecd0 (Eve 2026-11-30 16:06:41 +0000   3) Text          2)
//!                                                          0805ecd0 (Eve 2026-11-30 16:06:41 +0000   3) Text
//! ```

use crate::compress::fates;
use crate::draft::{Draft, Piece};
use crate::prelude::*;
use crate::text::{Span, offset, trim_eol};

/// How the draft is read.
const HOW: &str = "[caveman: the commit of lines stands above them]\n";

/// The draft in which each commit stands once above its lines; `None` when the text is no blame.
pub(super) fn fold(text: &str, lines: &[Span]) -> Option<Draft> {
    let heads: Vec<Option<usize>> =
        lines.iter().map(|line| head_len(trim_eol(line.of(text)))).collect();
    if heads.iter().filter(|head| head.is_some()).count() * 10 < lines.len() * 9 || lines.len() < 2
    {
        return None;
    }
    let head = |at: usize| {
        let line = lines.get(at)?.of(text);
        line.get(..heads.get(at).copied().flatten()?)
    };
    let mut draft = Draft::new("fold", "lines", lines.len());
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let first = head(at);
        let n =
            (at..lines.len()).take_while(|next| first.is_some() && head(*next) == first).count();
        let Some(first) = first.filter(|_| n > 1) else {
            draft.keep(*line);
            at += 1;
            continue;
        };
        for (nth, line) in lines.iter().skip(at).take(n).enumerate() {
            let end = line.start + offset(first.len());
            let text = if nth == 0 { format!("{first})\n") } else { String::new() };
            draft.pieces.push(Piece::Recoded { of: Span { start: line.start, end }, text });
            draft.keep(Span { start: end, end: line.end });
        }
        at += n;
    }
    let is_folded = draft.pieces.iter().any(|piece| matches!(piece, Piece::Recoded { .. }));
    fates::explain(&mut draft, HOW);
    is_folded.then_some(draft)
}

/// The length of what a line of blame says of its commit: up to the white space before the number of the line.
/// `^ac553a9d path (Ada 2026-11-30 15:58:32 +0000   1) # Shop`
pub(super) fn head_len(line: &str) -> Option<usize> {
    let hash = line.trim_start_matches('^');
    let n_hex = hash.bytes().take_while(u8::is_ascii_hexdigit).count();
    let open = line.find('(')?;
    if !(7..=64).contains(&n_hex) || !hash.get(n_hex..)?.starts_with(' ') || open > 400 {
        return None;
    }
    let mut from = open;
    while let Some(found) = line.get(from..)?.find(')') {
        let close = from + found;
        let inside = line.get(open..close)?;
        let number = inside.len() - inside.bytes().rev().take_while(u8::is_ascii_digit).count();
        let head = inside.get(..number)?.trim_end();
        if number < inside.len() && is_stamped(head) {
            return Some(open + head.len());
        }
        // A name with brackets in it; but only so far.
        from = close + 1;
        if from > open + 200 {
            return None;
        }
    }
    None
}

/// `… 2026-11-30 15:58:32 +0000`, `… 1764518312 +0000`
fn is_stamped(head: &str) -> bool {
    let mut words = head.rsplit(' ');
    let zone = words.next().unwrap_or_default();
    let time = words.next().unwrap_or_default();
    zone.len() == 5
        && zone.starts_with(['+', '-'])
        && zone.bytes().skip(1).all(|b| b.is_ascii_digit())
        && time.len() >= 8
        && time.bytes().all(|b| b.is_ascii_digit() || b == b':')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::lines;

    #[test]
    fn the_commit_of_a_line_is_found() {
        for (line, want) in [
            (
                "ac553a9d (Ada 2026-11-30 15:58:32 +0000   1) # Shop",
                Some("ac553a9d (Ada 2026-11-30 15:58:32 +0000"),
            ),
            (
                "^ac553a9 src/a.rs (Größe (Ada) 2026-11-30 15:58:32 +0000 12)",
                Some("^ac553a9 src/a.rs (Größe (Ada) 2026-11-30 15:58:32 +0000"),
            ),
            (
                "00000000 (Not Committed Yet 2026-11-30 15:58:32 +0000 3) x",
                Some("00000000 (Not Committed Yet 2026-11-30 15:58:32 +0000"),
            ),
            ("ac553a9d (HEAD -> main) Totals (12)", None),
            ("ac553a9d Totals", None),
            ("", None),
        ] {
            assert_eq!(head_len(line).and_then(|len| line.get(..len)), want, "{line}");
        }
    }

    #[test]
    fn lines_of_one_commit_stand_below_it() {
        let text = "ac553a9d (Ada 2026-11-30 15:58:32 +0000 1) a\r\nac553a9d (Ada 2026-11-30 15:58:32 +0000 2) é\r\n0805ecd0 (Eve 2026-11-30 16:06:41 +0000 3) c\r\n";
        let out = fold(text, &lines(text)).unwrap().render(text);
        let out = out.strip_prefix(HOW).unwrap();
        assert_eq!(
            out,
            "ac553a9d (Ada 2026-11-30 15:58:32 +0000)\n 1) a\r\n 2) é\r\n0805ecd0 (Eve 2026-11-30 16:06:41 +0000 3) c\r\n"
        );
        let hostile = "ac553a9d (".repeat(20_000);
        assert!(fold(&hostile, &lines(&hostile)).is_none());
    }
}
