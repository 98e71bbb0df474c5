//! Small recognisers that the probes share: digits, words, paths, time stamps, severity words.

/// How many ASCII digits `bytes` starts with.
pub(super) fn n_digits(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|b| b.is_ascii_digit()).count()
}

/// Whether `text` begins with one of `list`. The first byte decides nearly always, without a call.
pub(super) fn begins(text: &str, list: &[&str]) -> bool {
    let first = text.as_bytes().first();
    list.iter().any(|start| start.as_bytes().first() == first && text.starts_with(start))
}

/// Whether `text` holds `needle`, a short one. Faster than the standard search on lines: that one prepares itself for long
/// texts.
pub(super) fn holds(text: &str, needle: &str) -> bool {
    let (text, needle) = (text.as_bytes(), needle.as_bytes());
    // Spaces are everywhere, the byte behind them is not.
    let lead =
        needle.iter().take_while(|b| **b == b' ').count().min(needle.len().saturating_sub(1));
    let Some(rare) = needle.get(lead) else { return true };
    memchr::memchr_iter(*rare, text)
        .any(|at| at >= lead && text.get(at - lead..).is_some_and(|rest| rest.starts_with(needle)))
}

/// The number that `text` starts with, and what follows it. At most nine digits.
pub(super) fn number(text: &str) -> Option<(u32, &str)> {
    let n = n_digits(text.as_bytes());
    let (digits, rest) = text.split_at_checked(n)?;
    (1..=9).contains(&n).then(|| digits.parse().ok()).flatten().map(|number| (number, rest))
}

/// The identifier that `text` starts with (ASCII letters, digits, `_`), and what follows it.
pub(super) fn word(text: &str) -> (&str, &str) {
    let n = text.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
    text.split_at_checked(n).unwrap_or(("", text))
}

/// Whether `bytes` follow `pattern`, in which `9` stands for any digit and every other byte for itself.
pub(super) fn looks_like(bytes: &[u8], pattern: &[u8]) -> bool {
    bytes.len() >= pattern.len()
        && bytes
            .iter()
            .zip(pattern)
            .all(|(b, p)| if *p == b'9' { b.is_ascii_digit() } else { b == p })
}

/// Whether `word` consists of lower-case hexadecimal digits.
pub(super) fn is_hex(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

/// Whether `text` reads as one file path: no spaces, a slash or an extension, at least one letter.
pub(super) fn is_path(text: &str) -> bool {
    let mut has_letter = false;
    let mut has_slash = false;
    for b in text.bytes() {
        match b {
            b'a'..=b'z' | b'A'..=b'Z' | 0x80.. => has_letter = true,
            b'/' | b'\\' => has_slash = true,
            b'0'..=b'9' | b'_' | b'-' | b'.' | b'+' | b'@' | b'~' | b'#' | b'%' | b'=' | b',' => {}
            b'[' | b']' | b'(' | b')' | b'$' | b':' | b'!' | b'&' | b'\'' => {}
            _ => return false,
        }
    }
    has_letter && (has_slash || has_extension(text)) && !text.contains("://")
}

/// Whether `text` ends in a dot and one to ten letters or digits, the first a letter (`.rs`, `.h`, `.mp4` too).
pub(super) fn has_extension(text: &str) -> bool {
    text.rsplit_once('.').is_some_and(|(stem, ext)| {
        !stem.is_empty()
            && (1..=10).contains(&ext.len())
            && ext.bytes().all(|b| b.is_ascii_alphanumeric())
            && ext.bytes().any(|b| b.is_ascii_alphabetic())
    })
}

/// Length of the time stamp that `text` starts with, the time of day included.
pub(super) fn stamp(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let first = *bytes.first()?;
    if first.is_ascii_digit() {
        if let Some(n) = named_month(bytes) {
            return Some(n + fraction(bytes, n));
        }
        return PATTERNS
            .iter()
            .find(|p| looks_like(bytes, p))
            .map(|p| p.len() + fraction(bytes, p.len()));
    }
    if first.is_ascii_uppercase() {
        // glog: I0914 08:00:00.123456
        if matches!(first, b'I' | b'W' | b'E' | b'F' | b'D')
            && looks_like(bytes.get(1..)?, b"9999 99:99:99")
        {
            return Some(14 + fraction(bytes, 14));
        }
        let rest = bytes.get(3..)?;
        if is_month(bytes.get(..3)?) {
            // syslog: Dec 10 06:55:46, Dec  1 06:55:46
            let patterns: [&[u8]; 3] = [b" 99 99:99:99", b"  9 99:99:99", b" 9 99:99:99"];
            return patterns.iter().find(|p| looks_like(rest, p)).map(|p| 3 + p.len());
        }
        if is_weekday(bytes.get(..3)?) {
            let month = rest.get(1..4).is_some_and(is_month);
            let time = rest
                .get(4..)
                .is_some_and(|r| looks_like(r, b" 99 99:99:99") || looks_like(r, b"  9 99:99:99"));
            return (month && time).then_some(19);
        }
    }
    None
}

/// `14/Sep/2026:08:00:00`, `14-Sep-2026 08:00:00`, `14 Sep 2026 08:00:00`
fn named_month(bytes: &[u8]) -> Option<usize> {
    let tails: [&[u8]; 3] = [b"/9999:99:99:99", b"-9999 99:99:99", b" 9999 99:99:99"];
    let is_named = looks_like(bytes, b"99") && bytes.get(3..6).is_some_and(is_month);
    let tail = bytes.get(6..)?;
    (is_named && bytes.get(2) == tail.first() && tails.iter().any(|t| looks_like(tail, t)))
        .then_some(20)
}

/// Stamps that start with a digit. Dates without a time of day are no stamps: prose and change logs are full of them.
const PATTERNS: &[&[u8]] = &[
    b"9999-99-99T99:99:99",
    b"9999-99-99 99:99:99",
    b"9999-99-99_99:99:99",
    b"9999/99/99 99:99:99",
    b"9999.99.99 99:99:99",
    b"9999-99-99-99.99.99",
    b"9999-99-99T99:99",
    b"9999-99-99 99:99",
    b"99/99/9999 99:99:99",
    b"99.99.9999 99:99:99",
    b"99-99-9999 99:99:99",
    b"99/99/99 99:99:99",
    b"99-99 99:99:99.999",
    b"99:99:99",
    b"99999999-99:99:99",
    b"99999999 99:99:99",
    b"99999999T999999",
    b"999999 999999 ",
];

/// Length of a fraction of a second (`.123456`, `,123`) and of a zone at `at`.
fn fraction(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    let mut n = match rest.first() {
        Some(b'.') => 1 + n_digits(rest.get(1..).unwrap_or_default()),
        Some(b',') if n_digits(rest.get(1..).unwrap_or_default()) == 3 => 4,
        _ => 0,
    };
    if rest.get(n) == Some(&b'Z') {
        n += 1;
    }
    n
}

/// Whether `name` is the English short name of a month.
pub(super) fn is_month(name: &[u8]) -> bool {
    matches!(
        name,
        b"Jan"
            | b"Feb"
            | b"Mar"
            | b"Apr"
            | b"May"
            | b"Jun"
            | b"Jul"
            | b"Aug"
            | b"Sep"
            | b"Oct"
            | b"Nov"
            | b"Dec"
    )
}

fn is_weekday(name: &[u8]) -> bool {
    matches!(name, b"Mon" | b"Tue" | b"Wed" | b"Thu" | b"Fri" | b"Sat" | b"Sun")
}

/// Whether `word` names a severity, as loggers write it: upper case, or lower case when `loose`.
pub(super) fn is_level(word: &str) -> bool {
    matches!(
        word,
        "TRACE"
            | "DEBUG"
            | "INFO"
            | "NOTICE"
            | "WARN"
            | "WARNING"
            | "ERROR"
            | "SEVERE"
            | "FATAL"
            | "CRITICAL"
            | "ALERT"
            | "EMERG"
            | "FINE"
            | "FINER"
            | "FINEST"
            | "PANIC"
            | "ERR"
            | "CRIT"
            | "VERBOSE"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps() {
        let check = |text: &str, want: Option<usize>| assert_eq!(stamp(text), want, "{text}");
        check("2015-10-18 18:01:47,978 INFO", Some(23));
        check("2026-09-14T08:00:00.657Z x", Some(24));
        check("Dec 10 06:55:46 LabSZ", Some(15));
        check("I0914 08:00:00.123456 1 x", Some(21));
        check("Mon Sep 14 08:00:00 2026", Some(19));
        check("2024-01-01,5", None);
        check("2024-01-01 was a Monday", None);
        check("12:30 lunch", None);
    }

    #[test]
    fn paths() {
        for path in
            ["src/main.rs", "./a", "README.md", "/usr", "C:\\x\\y.cs", "node_modules/@a/b.js"]
        {
            assert!(is_path(path), "{path}");
        }
        for other in
            ["", "word", "1.5", "2024-01-01T10", "https://a.b/c", "two words.txt", "/", "12/24"]
        {
            assert!(!is_path(other), "{other}");
        }
    }
}
