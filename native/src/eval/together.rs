//! Whether texts stand together: on one line, or in one bracketed record.

/// Longest line that is one place as a whole, in characters; of a longer one, half of it around the first text.
const MAX_LINE: usize = 6000;
const AROUND: usize = 3000;
/// So far a bracket is looked for, in characters, and so many brackets outwards.
const MAX_RECORD: usize = 6000;
const MAX_OUTWARDS: usize = 4;

/// A text by characters.
pub(super) struct Text(Vec<char>);

impl Text {
    pub(super) fn of(text: &str) -> Text {
        Text(text.chars().collect())
    }

    /// Whether one line, or one bracketed record, holds them all.
    pub(super) fn has_together(&self, texts: &[String]) -> bool {
        let texts: Vec<Vec<char>> = texts.iter().map(|text| text.chars().collect()).collect();
        let Some((first, rest)) = texts.split_first() else { return true };
        let has_brackets = self.0.contains(&'{');
        let mut from = 0;
        while let Some(at) = self.find(first, from) {
            if self.on_line(at, rest) || (has_brackets && self.in_record(at, rest)) {
                return true;
            }
            from = at + 1;
        }
        false
    }

    fn slice(&self, start: usize, end: usize) -> &[char] {
        self.0.get(start.min(end)..end.min(self.0.len())).unwrap_or_default()
    }

    fn find(&self, needle: &[char], from: usize) -> Option<usize> {
        position(self.0.get(from..)?, needle).map(|at| from + at)
    }

    fn on_line(&self, at: usize, rest: &[Vec<char>]) -> bool {
        let start = self.slice(0, at).iter().rposition(|c| *c == '\n').map_or(0, |at| at + 1);
        let end = self.find(&['\n'], at).unwrap_or(self.0.len());
        let line = if end - start > MAX_LINE {
            self.slice(start.max(at.saturating_sub(AROUND)), at + AROUND)
        } else {
            self.slice(start, end)
        };
        rest.iter().all(|text| position(line, text).is_some())
    }

    fn in_record(&self, at: usize, rest: &[Vec<char>]) -> bool {
        let mut start = at;
        for _ in 0..MAX_OUTWARDS {
            let lowest = at.saturating_sub(MAX_RECORD);
            let Some(found) = self.slice(lowest, start).iter().rposition(|c| *c == '{') else {
                return false;
            };
            start = lowest + found;
            let mut depth = 0_i32;
            for (offset, c) in self.slice(start, start + MAX_RECORD).iter().enumerate() {
                depth += i32::from(*c == '{') - i32::from(*c == '}');
                if depth == 0 {
                    let end = start + offset;
                    let record = self.slice(start, end + 1);
                    if end > at && rest.iter().all(|text| position(record, text).is_some()) {
                        return true;
                    }
                    break;
                }
            }
        }
        false
    }
}

fn position(text: &[char], needle: &[char]) -> Option<usize> {
    let Some(first) = needle.first() else { return Some(0) };
    let mut from = 0;
    loop {
        let at = from + text.get(from..)?.iter().position(|c| c == first)?;
        if text.get(at..)?.starts_with(needle) {
            return Some(at);
        }
        from = at + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, texts: &[&str], is_together: bool) {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        assert_eq!(Text::of(text).has_together(&texts), is_together, "{texts:?} in {text:.80}");
    }

    #[test]
    fn a_line_holds_texts_together() {
        check("a b\nc", &["a", "b"], true);
        check("a\nb", &["a", "b"], false);
        check("a\nb a c", &["a", "c"], true);
        check("é ü\n", &["é", "ü"], true);
        check("", &["a"], false);
        check(&format!("a{}b", " ".repeat(2990)), &["a", "b"], true);
        check(&format!("a{}b", " ".repeat(6000)), &["a", "b"], false);
    }

    #[test]
    fn so_does_a_record() {
        check("{\n\"a\": 1,\n\"b\": {\n\"c\": 2\n}\n}", &["a", "c"], true);
        check("{\n\"b\": {\n\"c\": 2\n},\n\"d\": 1\n}", &["c", "d"], true);
        check("{\n\"a\": 1\n}\n{\n\"b\": 2\n}", &["a", "b"], false);
        check("}\na\nb", &["a", "b"], false);
    }
}
