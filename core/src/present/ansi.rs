//! ANSI escapes: CSI, OSC and other strings, character sets, single shifts, two-byte escapes. No escape reaches over a
//! line end, so that a damaged one costs at most its line.

use crate::prelude::*;

const ESC: u8 = 0x1b;

/// `text` without escapes; a move to the first column becomes a carriage return. Borrowed when there are none.
pub(super) fn strip(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let Some(mut next) = memchr::memchr(ESC, bytes) else { return Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    loop {
        out.push_str(text.get(from..next).unwrap_or_default());
        let rest = bytes.get(next..).unwrap_or_default();
        let n = escape(rest);
        if is_first_column(rest.get(..n).unwrap_or_default()) {
            out.push('\r');
        }
        from = next + n;
        match memchr::memchr(ESC, bytes.get(from..).unwrap_or_default()) {
            Some(at) => next = from + at,
            None => break,
        }
    }
    out.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(out)
}

/// Length of the escape that `bytes` starts with. Ends before a line end, before another escape and before any byte that
/// the escape may not hold, so always between characters.
fn escape(bytes: &[u8]) -> usize {
    match bytes.get(1) {
        Some(b'[') => {
            let n = 2 + run(bytes, 2, |b| (0x20..=0x3f).contains(&b));
            n + usize::from(bytes.get(n).is_some_and(|b| (0x40..=0x7e).contains(b)))
        }
        // Strings: OSC (title, link), DCS, SOS, PM, APC.
        Some(b']' | b'P' | b'X' | b'^' | b'_') => string(bytes),
        // Character sets and the like: intermediates, then one final byte.
        Some(0x20..=0x2f) => {
            let n = 1 + run(bytes, 1, |b| (0x20..=0x2f).contains(&b));
            n + usize::from(bytes.get(n).is_some_and(|b| (0x30..=0x7e).contains(b)))
        }
        Some(0x30..=0x7e) => 2,
        _ => 1,
    }
}

/// Length of a string escape: up to BEL, or to ESC with the backslash behind it.
fn string(bytes: &[u8]) -> usize {
    let body = bytes.get(2..).unwrap_or_default();
    let n = 2 + memchr::memchr3(0x07, ESC, b'\n', body).unwrap_or(body.len());
    match (bytes.get(n), bytes.get(n + 1)) {
        (Some(0x07), _) => n + 1,
        (Some(&ESC), Some(b'\\')) => n + 2,
        _ => n,
    }
}

/// `ESC [ G`, `ESC [ 1 G`, `ESC [ 0 G`
fn is_first_column(escape: &[u8]) -> bool {
    matches!(escape, [ESC, b'[', b'G'] | [ESC, b'[', b'0' | b'1', b'G'])
}

/// How many bytes from `at` on satisfy `is_part`.
fn run(bytes: &[u8], at: usize, is_part: impl Fn(u8) -> bool) -> usize {
    bytes.get(at..).unwrap_or_default().iter().take_while(|b| is_part(**b)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_go_and_text_stays() {
        let check = |text: &str, want: &str| assert_eq!(strip(text), want, "{text:?}");
        check("plain é", "plain é");
        check("\u{1b}[1;31mred\u{1b}[0m", "red");
        check("\u{1b}]0;title\u{7}a\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\b", "alinkb");
        check("\u{1b}(B\u{1b}[mx\u{1b}M\u{1b}#8\u{1b}%Gy", "xy");
        check("\u{1b}Oé\u{1b}N", "é");
        check("a\u{1b}[2K\u{1b}[1Gb", "a\rb");
        check("a\u{1b}[38:2:1:2:3mb\u{1b}[?25l", "ab");
        check("cut\u{1b}", "cut");
        check("cut\u{1b}[12", "cut");
        check("\u{1b}[é\n", "é\n");
        check("\u{1b}]no end\nnext", "\nnext");
        check("\u{1b}P+q544e\u{1b}\\x\u{1b}\u{1b}[1my", "xy");
        check("\u{1b}[12\nm", "\nm");
    }

    #[test]
    fn line_ends_are_never_lost() {
        let parts =
            ["\u{1b}", "[", "]", "1", ";", "m", "\n", "\r\n", "é", "(", "\\", "\u{7}", "P", "x"];
        let mut seed = 7_u32;
        for _ in 0..20_000 {
            let text: String = (0..12)
                .map(|_| {
                    seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    parts[(seed >> 16) as usize % parts.len()]
                })
                .collect();
            let bare = strip(&text);
            assert_eq!(bare.matches('\n').count(), text.matches('\n').count(), "{text:?}");
            assert!(!bare.contains('\u{1b}'), "{text:?}");
        }
    }
}
