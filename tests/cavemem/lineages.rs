//! Lineages: what supersedes what, and what is left when a version goes.

use crate::harness::Home;
use crate::{cavemem, id_of, recalled, remember};
use serde_json::Value;

#[track_caller]
fn supersede(home: &Home, id: &str, text: &str) -> String {
    id_of(&cavemem(home, &["supersede", id, "--stdin"], text.as_bytes()).json())
}

/// The texts of a lineage, oldest first; the current one marked.
#[track_caller]
fn history(home: &Home, id: &str) -> Vec<String> {
    let found = cavemem(home, &["history", id], b"").json();
    let current = &found["current"];
    let text = |version: &Value| {
        let mark = if version["id"] == *current { "*" } else { "" };
        format!("{}{mark}", version["text"].as_str().unwrap())
    };
    found["versions"].as_array().unwrap().iter().map(text).collect()
}

#[track_caller]
fn forget(home: &Home, id: &str) {
    assert_eq!(cavemem(home, &["forget", id], b"").json()["forgotten"], true);
}

#[test]
fn a_text_may_come_back() {
    let home = Home::new();
    let a = remember(&home, "port is 80");
    let b = supersede(&home, &a, "port is 81");
    let c = supersede(&home, &b, "port is 80");
    assert!(a != b && b != c && a != c);
    for id in [&a, &b, &c] {
        assert_eq!(history(&home, id), ["port is 80", "port is 81", "port is 80*"]);
    }
    assert_eq!(recalled(&home, "port"), ["port is 80"]);
    assert_eq!(remember(&home, "port is 80"), c, "the same current text is the same memory");
    let d = remember(&home, "port is 81");
    assert_ne!(d, b, "what was only an old version is a new memory");
    cavemem(&home, &["supersede", &a, "x"], b"").fails(1, "cave_memory_not_current");
    assert_eq!(supersede(&home, &c, "port is 80"), c, "the same text is no new version");
}

#[test]
fn forgetting_in_the_middle_ties_the_neighbours() {
    let home = Home::new();
    let a = remember(&home, "one apple");
    let b = supersede(&home, &a, "two apples");
    let c = supersede(&home, &b, "three apples");
    forget(&home, &b);
    assert_eq!(history(&home, &a), ["one apple", "three apples*"]);
    assert_eq!(history(&home, &c), ["one apple", "three apples*"]);
    cavemem(&home, &["history", &b], b"").fails(1, "cave_unknown_memory");
}

#[test]
fn forgetting_the_current_revives_nothing() {
    let home = Home::new();
    let a = remember(&home, "one apple");
    let b = supersede(&home, &a, "two apples");
    forget(&home, &b);
    assert_eq!(recalled(&home, "apples"), [""; 0]);
    assert_eq!(history(&home, &a), ["one apple"]);
    cavemem(&home, &["supersede", &a, "x"], b"").fails(1, "cave_memory_not_current");
    let again = remember(&home, "one apple");
    assert_ne!(again, a);
    assert_eq!(recalled(&home, "apple"), ["one apple"]);
}

#[test]
fn forgetting_the_first_leaves_the_rest() {
    let home = Home::new();
    let a = remember(&home, "one apple");
    let b = supersede(&home, &a, "two apples");
    forget(&home, &a);
    assert_eq!(history(&home, &b), ["two apples*"]);
    assert_eq!(recalled(&home, "apples"), ["two apples"]);
    forget(&home, &b);
    assert_eq!(cavemem(&home, &["stats"], b"").json()["versions"], 0);
}

#[test]
fn an_equal_memory_in_another_lineage_survives() {
    let home = Home::new();
    let a = remember(&home, "one apple");
    let b = supersede(&home, &a, "two pears");
    let other = remember(&home, "one apple");
    let c = supersede(&home, &b, "one apple");
    assert_ne!(other, c);
    let all = ["recall", "--token-budget", "0", "apple pears"];
    remember(&home, "an apple and two pears");
    let found = cavemem(&home, &all, b"").json();
    assert_eq!(
        found["hits"].as_array().unwrap().len(),
        2,
        "what is said twice is recalled once: {found}"
    );
    let third = found["hits"][0]["id"].as_str().unwrap().to_owned();
    forget(&home, &third);
    for gone in [&a, &c] {
        forget(&home, gone);
        assert_eq!(recalled(&home, "apple"), ["one apple"]);
    }
    assert_eq!(history(&home, &other), ["one apple*"]);
    assert_eq!(history(&home, &b), ["two pears"]);
}

#[test]
fn a_broken_chain_is_an_error() {
    let home = Home::new();
    let a = remember(&home, "one apple");
    let b = supersede(&home, &a, "two apples");
    let db = rusqlite::Connection::open(home.path(".caveman/mem/mem.db")).unwrap();
    db.execute("UPDATE memories SET supersedes = 'mem_gone' WHERE id = ?1", [&b]).unwrap();
    drop(db);
    for id in [&a, &b] {
        cavemem(&home, &["history", id], b"").fails(1, "cave_broken_lineage");
    }
    assert_eq!(recalled(&home, "apples"), ["two apples"]);
}
