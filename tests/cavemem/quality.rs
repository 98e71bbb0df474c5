//! How well recall finds what answers a query, and how well it keeps silent when nothing does, over a judged set.
//!
//! `quality/memories.txt` is what an engineering project remembers, one memory a line after its name. `quality/queries.txt`
//! has one query a line after the names of the memories that answer it, or `-` where nothing does; a star marks an answer in
//! another language than the query, which the figures do not ask for but for one line. Every third query is held out:
//! constants were chosen by looking at the others only.

use caveman_core::memory::{Memories, Options, recall};
use caveman_core::rank::bm25::Corpus;
use caveman_core::store::MemoryStore;
use caveman_native::memory::SqliteMemories;
use std::collections::BTreeMap;

struct Query {
    text: &'static str,
    answers: Vec<&'static str>,
    /// Those in another language than the query: recall does not translate.
    foreign: Vec<&'static str>,
    is_held_out: bool,
}

fn memories() -> Vec<(&'static str, &'static str)> {
    let lines = include_str!("quality/memories.txt").lines();
    lines.map(|line| line.split_once(' ').unwrap()).collect()
}

fn queries() -> Vec<Query> {
    let lines = include_str!("quality/queries.txt").lines();
    let query = |(at, line): (usize, &'static str)| {
        let (names, text) = line.split_once(' ').unwrap();
        let names = names.split(',').filter(|name| *name != "-");
        let (foreign, answers): (Vec<&str>, Vec<&str>) =
            names.partition(|name| name.ends_with('*'));
        let foreign = foreign.iter().map(|name| name.trim_end_matches('*')).collect();
        Query { text, answers, foreign, is_held_out: at % 3 == 2 }
    };
    lines.enumerate().map(query).collect()
}

/// What a ranking gives for one query: names of memories, best first.
type Ranking<'r> = dyn FnMut(&str) -> Vec<&'static str> + 'r;

#[derive(Debug, Default)]
struct Figures {
    n_answerable: f64,
    recall_at_5: f64,
    reciprocal_ranks: f64,
    n_off_topic: f64,
    n_silent: f64,
    misses: Vec<String>,
}

impl Figures {
    fn of(queries: &[&Query], rank: &mut Ranking<'_>) -> Figures {
        let mut figures = Figures::default();
        for query in queries {
            let found = rank(query.text);
            if query.answers.is_empty() {
                figures.n_off_topic += 1.0;
                figures.n_silent += f64::from(found.is_empty());
                if !found.is_empty() {
                    figures.misses.push(format!("- {:?} gives {found:?}", query.text));
                }
                continue;
            }
            let is_answer = |name: &&&str| query.answers.contains(name);
            let n_found = found.iter().take(5).filter(is_answer).count();
            figures.n_answerable += 1.0;
            figures.recall_at_5 += n_found as f64 / query.answers.len().min(5) as f64;
            if let Some(at) = found.iter().position(|name| query.answers.contains(name)) {
                figures.reciprocal_ranks += 1.0 / (at + 1) as f64;
            }
            if n_found < query.answers.len() {
                figures
                    .misses
                    .push(format!("{:?} wants {:?}, gives {found:?}", query.text, query.answers));
            }
        }
        figures
    }

    fn recall_at_5(&self) -> f64 {
        self.recall_at_5 / self.n_answerable
    }

    fn mrr(&self) -> f64 {
        self.reciprocal_ranks / self.n_answerable
    }

    fn silence(&self) -> f64 {
        self.n_silent / self.n_off_topic
    }

    fn line(&self, name: &str) -> String {
        format!("{name:28} {:>6.3} {:>6.3} {:>9.3}", self.recall_at_5(), self.mrr(), self.silence())
    }
}

/// BM25 as in a textbook: k1 1.2, b 0.75, terms between white space in lower case, no threshold.
fn plain(query: &str) -> Vec<&'static str> {
    let terms = |text: &str| text.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>();
    let documents: Vec<(&str, Vec<String>)> =
        memories().into_iter().map(|(name, text)| (name, terms(text))).collect();
    let mut corpus = Corpus::default();
    documents.iter().for_each(|(_, terms)| corpus.add(u32::try_from(terms.len()).unwrap()));
    let mut asked = terms(query);
    asked.sort();
    asked.dedup();
    let df = |term: &String| documents.iter().filter(|(_, terms)| terms.contains(term)).count();
    let idf: BTreeMap<&String, f64> =
        asked.iter().map(|term| (term, corpus.idf(df(term) as u64))).collect();
    let score = |terms: &[String]| {
        let count = |term: &String| terms.iter().filter(|held| *held == term).count();
        let n_terms = u32::try_from(terms.len()).unwrap();
        let of = |term| corpus.score(idf[term], u32::try_from(count(term)).unwrap(), n_terms);
        asked.iter().map(of).sum::<f64>()
    };
    let mut ranked: Vec<(f64, &str)> =
        documents.iter().map(|(name, terms)| (score(terms), *name)).collect();
    ranked.retain(|(score, _)| *score > 0.0);
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    ranked.into_iter().map(|(_, name)| name).collect()
}

#[test]
fn the_set_is_what_it_should_be() {
    let (memories, queries) = (memories(), queries());
    let names: BTreeMap<&str, &str> = memories.iter().copied().collect();
    assert_eq!(names.len(), memories.len(), "a name stands twice");
    assert!(memories.len() >= 300 && queries.len() >= 150);
    assert!(queries.iter().filter(|query| query.answers.is_empty()).count() >= 50);
    for name in queries.iter().flat_map(|query| query.answers.iter().chain(&query.foreign)) {
        assert!(names.contains_key(name), "{name} names no memory");
    }
}

#[test]
fn recall_finds_what_answers_and_keeps_silent_when_nothing_does() {
    let mut store = SqliteMemories::in_memory();
    let mut names = BTreeMap::new();
    for (name, text) in memories() {
        names.insert(store.remember(text, 0).unwrap().id, name);
    }
    let mut copies = MemoryStore::default();
    let options = Options { limit: 20, token_budget: 0 };
    let mut ours = |query: &str| -> Vec<&'static str> {
        let found = recall(&mut store, &mut copies, 0, query, &options).unwrap();
        found.hits.iter().map(|hit| names[&hit.id]).collect()
    };
    let queries = queries();
    let all: Vec<&Query> = queries.iter().collect();
    let translated = queries.iter().map(|query| Query {
        answers: query.answers.iter().chain(&query.foreign).copied().collect(),
        foreign: Vec::new(),
        ..*query
    });
    let translated: Vec<Query> = translated.collect();
    let every_language: Vec<&Query> = translated.iter().collect();
    let (held_out, seen): (Vec<&Query>, Vec<&Query>) =
        all.iter().partition(|query| query.is_held_out);

    let ours_all = Figures::of(&all, &mut ours);
    let ours_seen = Figures::of(&seen, &mut ours);
    let ours_held_out = Figures::of(&held_out, &mut ours);
    println!("{:28} {:>6} {:>6} {:>9}", "", "R@5", "MRR", "off-topic");
    println!("{}", ours_all.line("recall"));
    println!("{}", ours_seen.line("recall, seen two thirds"));
    println!("{}", ours_held_out.line("recall, held-out third"));
    println!("{}", Figures::of(&every_language, &mut ours).line("recall, of any language"));
    println!("{}", Figures::of(&all, &mut plain).line("plain BM25"));
    println!("{}", Figures::of(&held_out, &mut plain).line("plain BM25, held-out third"));
    println!("seen queries with something missing:\n{}", ours_seen.misses.join("\n"));

    for figures in [&ours_all, &ours_held_out] {
        assert!(figures.recall_at_5() >= 0.92, "recall@5 is {:.3}", figures.recall_at_5());
    }
    assert!(ours_all.silence() >= 0.98, "{:.3} keep silent", ours_all.silence());
    assert!(ours_all.mrr() > Figures::of(&all, &mut plain).mrr());
}
