//! Constants of one shape, line by line: the first and the last of a long run stay.

use super::cut::{MEMBERS, Source, What};
use crate::elide::mask::mix;
use core::ops::Range;

/// Notes what may go of runs of constants; `is_whole` tells lines that can be taken out together.
pub(super) fn cut(source: &mut Source<'_>, is_whole: impl Fn(&Source<'_>, &Range<usize>) -> bool) {
    let mut start = 0;
    let mut run = None;
    for at in 0..=source.lines.len() {
        let this = constant(source.line(at));
        if this.is_some() && this == run {
            continue;
        }
        if run.is_some() && at - start >= MEMBERS {
            let lines = start + 3..at - 1;
            if is_whole(source, &lines) {
                source.cut(lines, What::Data);
            }
        }
        (start, run) = (at, this);
    }
}

/// The shape of a line that gives a name to a value; `None` for all other lines.
fn constant(line: &str) -> Option<u64> {
    const OTHERS: [&str; 14] = [
        "use", "import", "include", "require", "from", "type", "using", "typedef", "alias", "fn",
        "func", "def", "function", "return",
    ];
    let line = line.trim();
    let line = line.split(" //").next().unwrap_or_default();
    let line = line.split("/*").next().unwrap_or_default().trim_end();
    let is_define = line.starts_with("#define ") && !line.ends_with('\\');
    if !(is_define || line.contains('=')) || line.len() > 200 {
        return None;
    }
    if line.ends_with(',') && line.contains(':') || line.ends_with(['{', '(', '[', '=']) {
        return None;
    }
    let mut words =
        line.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
    let first = words.next()?;
    if OTHERS.contains(&first) || words.take(8).any(|word| OTHERS.contains(&word)) {
        return None;
    }
    // Indentation counts; so does the first word where more than a name stands before the value.
    let name = line.split('=').next().unwrap_or_default();
    let mut shape = if is_define || name.trim().contains(' ') { hash(first) } else { 1 };
    let mut in_word = false;
    let mut quote = None;
    for byte in line.bytes() {
        let is_word = byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
        if let Some(open) = quote {
            quote = (byte != open).then_some(open);
            continue;
        }
        if matches!(byte, b'"' | b'\'') {
            quote = Some(byte);
        }
        if byte != b' ' && byte != b'\t' && !(is_word && in_word) {
            shape = mix(shape, if is_word { u64::from(b'w') } else { u64::from(byte) });
        }
        in_word = is_word;
    }
    Some(shape)
}

fn hash(word: &str) -> u64 {
    word.bytes().fold(7, |hash, byte| mix(hash, u64::from(byte)))
}
