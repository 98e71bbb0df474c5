//! What a query asks for: its terms, and with each the terms that count as nearly the same.
//!
//! Two kinds of relatives. A word in another form, which light stemming does not reach: `approval` and `approver`,
//! `Aufbewahrung` and `aufbewahrt`. And a compound that the query writes as two words: `uuid v7` for `UUIDv7`.

use crate::prelude::*;
use crate::rank::Query;
use crate::rank::terms::{self, Raw};

/// Relatives by form share at least so many letters at the beginning,
const MIN_SHARED: usize = 6;
/// and differ in at most so many at the end. Both were chosen on the queries of `tests/cavemem/quality` that are not held out.
const MAX_REST: usize = 3;
/// So many relatives of one term are looked at.
pub(super) const MAX_RELATIVES: usize = 24;

/// Words of asking rather than of what is asked for, beside the stop words of English: they count little for coverage.
const ASKING: &[&str] = &[
    "again",
    "aber",
    "als",
    "am",
    "an",
    "anymore",
    "auch",
    "auf",
    "aus",
    "bei",
    "bin",
    "bis",
    "currently",
    "damit",
    "das",
    "dass",
    "dem",
    "den",
    "der",
    "des",
    "die",
    "dies",
    "diese",
    "dieser",
    "doch",
    "du",
    "durch",
    "ein",
    "eine",
    "einem",
    "einen",
    "einer",
    "es",
    "find",
    "für",
    "gab",
    "gegen",
    "get",
    "gibt",
    "give",
    "got",
    "haben",
    "hat",
    "ich",
    "ihr",
    "im",
    "ist",
    "kann",
    "kein",
    "keine",
    "know",
    "let",
    "machen",
    "macht",
    "man",
    "mehr",
    "mein",
    "mich",
    "mir",
    "mit",
    "muss",
    "müssen",
    "nach",
    "need",
    "nicht",
    "noch",
    "now",
    "nun",
    "nur",
    "ob",
    "oder",
    "ohne",
    "please",
    "remember",
    "remind",
    "sein",
    "seit",
    "show",
    "sich",
    "sie",
    "sind",
    "sollen",
    "still",
    "tell",
    "um",
    "und",
    "uns",
    "unser",
    "unsere",
    "use",
    "used",
    "using",
    "von",
    "vor",
    "wann",
    "want",
    "war",
    "warum",
    "was",
    "wegen",
    "welche",
    "welcher",
    "welches",
    "wenn",
    "wer",
    "werden",
    "wie",
    "wir",
    "wird",
    "wo",
    "wurde",
    "zu",
    "zum",
    "zur",
    "über",
];
/// What they count.
const ASKING_SHARE: f64 = 0.3;

/// The same where no spaces stand around them; the longer ones first.
const ASKING_DENSE: &[&str] = &[
    "为什么",
    "怎么办",
    "怎么样",
    "是不是",
    "能不能",
    "什么",
    "怎么",
    "怎样",
    "如何",
    "可以",
    "多少",
    "哪些",
    "哪个",
    "哪里",
    "是否",
    "我们",
    "请问",
    "吗",
    "呢",
    "的",
    "了",
];

/// One term of a query.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Asked {
    /// As the index has it.
    pub(super) term: String,
    /// What it counts for coverage, from 0 to 1.
    pub(super) share: f64,
    /// Compounds of it and its neighbour in the query.
    pub(super) compounds: Vec<String>,
}

impl Asked {
    /// The terms of `query`.
    pub(super) fn of(query: &str) -> Vec<Asked> {
        let mut query = query.to_owned();
        if !query.is_ascii() {
            for phrase in ASKING_DENSE {
                query = query.replace(phrase, " ");
            }
        }
        let asked = Query::new(&query);
        let of_asking = |word: &str| ASKING.contains(&word.to_lowercase().as_str());
        let asking: Vec<String> = query
            .split(|c| !is_in_word(c))
            .filter(|word| of_asking(word))
            .flat_map(terms::of)
            .collect();
        let one = |term: &String| {
            let share = if asking.contains(term) { ASKING_SHARE } else { 1.0 };
            Asked { term: term.clone(), share, compounds: Vec::new() }
        };
        let mut out: Vec<Asked> = asked.terms().iter().map(one).collect();
        let words: Vec<(&str, Vec<usize>)> = query
            .split(|c| !is_in_word(c))
            .filter(|word| !word.is_empty())
            .map(|word| (word, terms::of(word).iter().filter_map(|t| asked.index_of(t)).collect()))
            .collect();
        let mut term = String::new();
        for ((first, of_first), (second, of_second)) in words.iter().zip(words.iter().skip(1)) {
            if of_first.is_empty() || of_second.is_empty() {
                continue;
            }
            let whole = format!("{first}{second}");
            for form in [Raw::Part(&whole), Raw::Joined(&whole)] {
                form.write(&mut term);
                for at in of_first.iter().chain(of_second) {
                    let Some(asked) = out.get_mut(*at) else { continue };
                    if !asked.compounds.contains(&term) && asked.compounds.len() < MAX_RELATIVES {
                        asked.compounds.push(term.clone());
                    }
                }
            }
        }
        out
    }

    /// What relatives by form begin with; `None` when the term is too short to have any, or is no word.
    pub(super) fn stem(&self) -> Option<&str> {
        if !self.term.chars().all(char::is_alphabetic) {
            return None;
        }
        let n_chars = self.term.chars().count();
        let n_shared = n_chars.saturating_sub(MAX_REST).max(MIN_SHARED);
        let end =
            self.term.char_indices().map(|(at, _)| at).chain([self.term.len()]).nth(n_shared)?;
        self.term.get(..end)
    }

    /// Whether `other`, which begins with [`Asked::stem`], is another form of the same word.
    pub(super) fn is_form(&self, other: &str) -> bool {
        let n_shared = self.term.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
        let rest = |text: &str| text.chars().count() - n_shared;
        other != self.term
            && other.chars().all(char::is_alphabetic)
            && rest(&self.term) <= MAX_REST
            && rest(other) <= MAX_REST
    }
}

fn is_in_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_looked_for_as_one_word_too() {
        let show = |query: &str| {
            let asked = Asked::of(query);
            let each: Vec<String> =
                asked.iter().map(|a| format!("{}({})", a.term, a.compounds.join(","))).collect();
            each.join(" ")
        };
        assert_eq!(show("fall back"), "fall(fallback) back(fallback)");
        assert_eq!(show("the UUID v7"), "uuid(uuidv7) v7(uuidv7)");
        assert_eq!(show("time outs"), "tim(timeout,timeouts) out(timeout,timeouts)");
        assert_eq!(show("数据库 x"), "数据(数据库x) 据库(数据库x) x(数据库x)");
        assert_eq!(show("周五可以上线吗"), "周五(周五上线) 上线(周五上线)");
        assert_eq!(show(""), "");
    }

    #[test]
    fn words_of_asking_count_little() {
        let shares =
            |query: &str| -> Vec<f64> { Asked::of(query).iter().map(|a| a.share).collect() };
        assert_eq!(shares("is paging still used"), [1.0, 0.3, 0.3]);
        assert_eq!(shares("Wie wird die Steuer gerundet?"), [0.3, 0.3, 0.3, 1.0, 1.0]);
        let mut sorted = ASKING.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), ASKING.len());
    }

    #[test]
    fn other_forms_of_a_word_are_told_from_other_words() {
        let check = |term: &str, other: &str| {
            let asked = Asked { term: term.to_owned(), share: 1.0, compounds: Vec::new() };
            asked.stem().is_some_and(|stem| other.starts_with(stem)) && asked.is_form(other)
        };
        for (term, other) in [
            ("approval", "approver"),
            ("approv", "approval"),
            ("aufbewahrung", "aufbewahrt"),
            ("größere", "größeres"),
        ] {
            assert!(check(term, other) && check(other, term), "{term} {other}");
        }
        for (term, other) in [
            ("approval", "approval"),
            ("inter", "internal"),
            ("format", "formal"),
            ("interface", "international"),
            ("1234567", "1234568"),
            ("retour", "retourennummer"),
        ] {
            assert!(!check(term, other), "{term} {other}");
        }
    }
}
