//! A light English stemmer: inflections fold together, words of different meaning stay apart.
//!
//! It takes off the plural, `-ed`, `-ing`, `-ly`, `-ment`, `-ness` and the `-ion` of verbs, then the final `e`, and writes a
//! final `y` as `i`. It knows no irregular forms. Suffixes after M. F. Porter, "An algorithm for suffix stripping" (1980),
//! fewer of them, with minimum lengths of our choice.

/// Length of the stem of `word`, which is lower-case ASCII letters; the caller truncates to it.
///
/// The last letter is rewritten in place where the stem ends in another one (`retry` and `retries` give `retri`).
/// The first two letters never change.
pub(super) fn stem(word: &mut [u8]) -> usize {
    if word.len() < 4 {
        return word.len();
    }
    let mut len = plural(word);
    if KEPT.iter().any(|kept| Some(kept.as_bytes()) == word.get(..len)) {
        return len;
    }
    for (suffix, shortest) in [("ly", 4), ("ment", 4), ("ness", 4)] {
        len = without(word, len, suffix, shortest);
    }
    len = participle(word, len);
    for suffix in ["sion", "tion"] {
        if without(word, len, suffix, 4) < len {
            len -= 3;
        }
    }
    ending(word, len)
}

/// Words that only look inflected, with relatives that are.
const KEPT: &[&str] =
    &["embed", "during", "morning", "evening", "nothing", "something", "everything"];

/// Drops the plural.
fn plural(word: &mut [u8]) -> usize {
    let len = word.len();
    if ends(word, len, "ies") && len > 4 {
        return len - 2;
    }
    for suffix in ["sses", "xes", "zes", "ches", "shes"] {
        if ends(word, len, suffix) {
            return len - 2;
        }
    }
    let keeps = ["ss", "us", "is"].iter().any(|suffix| ends(word, len, suffix));
    if ends(word, len, "s") && !keeps { len - 1 } else { len }
}

/// Drops `-ed` and `-ing` after a stem that has a vowel, and one of the two letters that such a form doubles.
fn participle(word: &mut [u8], len: usize) -> usize {
    if ends(word, len, "eed") {
        return len;
    }
    if ends(word, len, "ied") && len > 4 {
        return len - 2;
    }
    let mut cut = without(word, len, "ed", 3);
    if cut == len {
        cut = without(word, len, "ing", 3);
    }
    let has_vowel = word.get(..cut).is_some_and(|stem| stem.iter().any(|b| b"aeiouy".contains(b)));
    if cut == len || !has_vowel {
        return len;
    }
    match word.get(cut.saturating_sub(2)..cut) {
        Some([a, b]) if a == b && !b"aeioulsz".contains(a) => cut - 1,
        _ => cut,
    }
}

/// The final `e`, `y` and `ll`.
fn ending(word: &mut [u8], len: usize) -> usize {
    if len < 4 {
        return len;
    }
    let before = word.get(len - 2).copied().unwrap_or_default();
    match word.get_mut(len - 1) {
        Some(b'e') => len - 1,
        Some(last @ b'y') if !b"aeiou".contains(&before) => {
            *last = b'i';
            len
        }
        Some(b'l') if before == b'l' && len >= 6 => len - 1,
        _ => len,
    }
}

fn ends(word: &[u8], len: usize, suffix: &str) -> bool {
    word.get(..len).is_some_and(|word| word.ends_with(suffix.as_bytes()))
}

/// The length without `suffix` where it ends the word and at least `shortest` letters stay; else the same length.
fn without(word: &[u8], len: usize, suffix: &str, shortest: usize) -> usize {
    let cut = len.saturating_sub(suffix.len());
    if cut >= shortest && ends(word, len, suffix) { cut } else { len }
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    fn stem(word: &str) -> String {
        let mut bytes = word.as_bytes().to_vec();
        let len = super::stem(&mut bytes);
        bytes.truncate(len);
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn inflections_fold_together() {
        for family in [
            "retry retries retried retrying",
            "cache caches cached caching",
            "fail fails failed failing",
            "connect connects connected connecting connection connections",
            "migrate migrates migrated migrating migration migrations",
            "delete deletes deleted deleting deletion",
            "run runs running",
            "stop stops stopped stopping",
            "install installs installed installing",
            "control controls controlled controlling",
            "embed embeds embedded embedding",
            "deploy deploys deployed deploying deployment deployments",
            "box boxes boxed",
            "crash crashes crashed crashing",
            "process processes processed processing",
            "exceed exceeds exceeded exceeding",
            "quick quickly",
            "dark darkness",
            "query queries queried querying",
            "match matches matched matching",
        ] {
            let mut stems: Vec<String> = family.split(' ').map(stem).collect();
            stems.dedup();
            assert_eq!(stems.len(), 1, "{family}: {stems:?}");
        }
    }

    #[test]
    fn other_words_stay_apart() {
        for pair in [
            "string str",
            "status stat",
            "station stat",
            "ring r",
            "speed spe",
            "during dur",
            "class clas",
        ] {
            let (a, b) = pair.split_once(' ').unwrap();
            assert_ne!(stem(a), stem(b), "{pair}");
        }
        for word in
            ["", "a", "ed", "ing", "sing", "yes", "ion", "tion", "ies", "eed", "ment", "aaaa", "s"]
        {
            assert!(stem(word).len() <= word.len());
        }
    }
}
