//! A query as the set of terms that it asks for.

use super::terms::{self, Raw};
use crate::order;
use crate::prelude::*;

/// Most terms of a query that count: past them a query is a document. Our choice.
const MAX_TERMS: usize = 64;

/// Words that say nothing of what is asked for; dropped only when others remain. Sorted.
const STOP_WORDS: &[&str] = &[
    "a", "about", "after", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be",
    "because", "been", "but", "by", "can", "could", "d", "did", "do", "does", "doesn", "don",
    "for", "from", "had", "has", "have", "her", "here", "him", "his", "how", "i", "if", "in",
    "into", "is", "isn", "it", "its", "just", "ll", "m", "me", "my", "no", "not", "of", "on", "or",
    "our", "out", "re", "s", "she", "should", "so", "some", "t", "than", "that", "the", "their",
    "them", "then", "there", "these", "they", "this", "those", "to", "up", "us", "ve", "very",
    "was", "we", "were", "what", "when", "where", "which", "while", "who", "why", "will", "with",
    "would", "you", "your",
];

/// The distinct terms of a query, in their order of appearance, and the means to count them in documents.
#[derive(Clone, Debug, Default)]
pub struct Query {
    terms: Vec<String>,
    /// Indices into `terms`, sorted by term.
    sorted: Vec<usize>,
    /// By the first byte of a term: the second bytes that occur, five bits of each.
    second: Vec<u32>,
    is_stop_words: bool,
}

impl Query {
    /// The terms of `text`, stop words left out when others remain.
    pub fn new(text: &str) -> Query {
        let mut found: Vec<String> = Vec::new();
        let mut stop_words: Vec<String> = Vec::new();
        let mut term = String::new();
        terms::each(text, |raw| {
            // Of a run without spaces the pairs ask more precisely than the characters.
            if matches!(raw, Raw::Single(_)) || found.len() >= MAX_TERMS {
                return;
            }
            raw.write(&mut term);
            let to = if is_stop_word(raw.text()) { &mut stop_words } else { &mut found };
            if !term.is_empty() && !to.contains(&term) && to.len() < MAX_TERMS {
                to.push(term.clone());
            }
        });
        let is_stop_words = found.is_empty();
        Query { is_stop_words, ..Query::of_terms(if is_stop_words { stop_words } else { found }) }
    }

    /// A query of terms that are normal forms already; repeats are left out.
    pub fn of_terms(terms: Vec<String>) -> Query {
        let mut query = Query { second: vec![0; 256], ..Query::default() };
        for term in terms {
            if !query.terms.contains(&term) {
                query.admit(&term);
                query.terms.push(term);
            }
        }
        query.sorted = (0..query.terms.len()).collect();
        order::sort_by(&mut query.sorted, |a, b| query.terms.get(*a).cmp(&query.terms.get(*b)));
        query
    }

    /// The terms.
    pub fn terms(&self) -> &[String] {
        &self.terms
    }

    /// Whether it was made of a text that holds nothing but stop words, which were therefore kept.
    pub fn is_stop_words(&self) -> bool {
        self.is_stop_words
    }

    /// Whether it asks for nothing.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Calls `hit` with the index of each of the query's terms as often as `document` holds it; answers how many terms the
    /// document has in all. `scratch` is space to be used again.
    pub fn count(&self, document: &str, scratch: &mut String, mut hit: impl FnMut(usize)) -> u32 {
        let mut n_terms = 0;
        terms::each(document, |raw| {
            n_terms += 1;
            if self.may_hold(raw) {
                raw.write(scratch);
                if let Some(index) = self.index_of(scratch) {
                    hit(index);
                }
            }
        });
        n_terms
    }

    /// The index of a term in its normal form.
    pub fn index_of(&self, term: &str) -> Option<usize> {
        let place = self
            .sorted
            .binary_search_by(|index| self.terms.get(*index).map_or("", String::as_str).cmp(term))
            .ok()?;
        self.sorted.get(place).copied()
    }

    /// Notes the first two bytes of a term for [`Query::may_hold`].
    fn admit(&mut self, term: &str) {
        let mut bytes = term.bytes();
        let (first, second) = (bytes.next().unwrap_or_default(), bytes.next());
        if let Some(mask) = self.second.get_mut(usize::from(first)) {
            *mask |= second.map_or(u32::MAX, |byte| 1 << (byte & 31));
        }
    }

    /// Whether the normal form of `raw` can be one of the terms, judged by its first two bytes: normalising an ASCII word
    /// keeps them but for the case, which the five bits do not see.
    fn may_hold(&self, raw: Raw<'_>) -> bool {
        let mut bytes = raw.text().bytes();
        let (first, second) = (bytes.next().unwrap_or_default(), bytes.next().unwrap_or_default());
        if !first.is_ascii() || !second.is_ascii() {
            return true;
        }
        let mask =
            self.second.get(usize::from(first.to_ascii_lowercase())).copied().unwrap_or_default();
        match raw {
            Raw::Joined(_) => mask != 0,
            Raw::Part(_) | Raw::Single(_) => mask >> (second & 31) & 1 != 0,
        }
    }
}

fn is_stop_word(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    STOP_WORDS.binary_search(&lower.as_str()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_words_go_only_when_others_remain() {
        assert!(STOP_WORDS.is_sorted());
        assert_eq!(Query::new("what is the error").terms(), ["error"]);
        assert_eq!(Query::new("what is it").terms(), ["what", "is", "it"]);
        assert_eq!(Query::new("Errors, errors").terms(), ["error"]);
        assert_eq!(Query::new("数据库").terms(), ["数据", "据库"]);
        assert_eq!(Query::new("猫").terms(), ["猫"]);
        assert!(Query::new(" … ").is_empty());
    }

    #[test]
    fn counting_agrees_with_the_list_of_terms() {
        let query = Query::new("readTimeout errors Élan x 数据库 y8 retry 7");
        for document in [
            "Error: readTimeout after 7 ms, RETRIES=7",
            "read_timeout x X élan ÉLAN 数据 y8 Y-8",
            "",
            "no match here",
            "İx éx xx retry-7",
        ] {
            let listed = terms::of(document);
            let mut naive: Vec<usize> =
                listed.iter().filter_map(|t| query.terms().iter().position(|q| q == t)).collect();
            let mut counted = Vec::new();
            let n_terms = query.count(document, &mut String::new(), |index| counted.push(index));
            assert_eq!(n_terms as usize, listed.len(), "{document}");
            naive.sort_unstable();
            counted.sort_unstable();
            assert_eq!(counted, naive, "{document}");
        }
    }
}
