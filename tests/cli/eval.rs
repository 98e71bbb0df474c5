//! `eval`: fact files over a folder; the table, the page, the status.

use crate::harness::{Home, log};
use std::fs;

fn corpus(home: &Home, facts: &str) {
    fs::create_dir_all(home.path("corpus")).unwrap();
    fs::write(home.path("corpus/app.log"), log(1)).unwrap();
    fs::write(home.path("corpus/app.log.facts.json"), facts).unwrap();
}

const GOOD: &str = r#"{"type": "log", "critical": [["INFO", "finished job"]],
    "needles": [{"query": "job 200", "all": ["job 200 in", "INFO"]}]}"#;

#[test]
fn facts_that_are_met_are_status_0() {
    let home = Home::new();
    corpus(&home, GOOD);
    let table = home.run(&["eval", "corpus", "--html", "report.html"], b"");
    assert!(table.text().contains("critical 1/1; needles lost 0; inexact 0"), "{table}");
    let page = fs::read_to_string(home.path("report.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("app.log"), "{page:.400}");
    let figures = home.run(&["eval", "corpus", "--json"], b"").json();
    assert_eq!(figures[0]["payload"], "app.log");
    assert_eq!((&figures[0]["recovered"], &figures[0]["lost"]), (&1.into(), &0.into()));
    assert!(!home.path(".caveman").exists(), "nothing is stored");
}

#[test]
fn a_fact_that_is_lost_is_named() {
    let home = Home::new();
    corpus(&home, r#"{"critical": [["never"]], "needles": [{"query": "q", "all": ["nowhere"]}]}"#);
    let table = home.run(&["eval", "corpus", "--verbose", "app.log"], b"");
    let text = String::from_utf8_lossy(table.status(1)).into_owned();
    assert!(
        text.contains("app.log: lost: nowhere") && text.contains("not in the output: never"),
        "{table}"
    );
    assert!(table.stderr().contains("not met in 1 of 1"), "{table}");
}

#[test]
fn what_cannot_be_measured_is_said() {
    let home = Home::new();
    home.run(&["eval", "none"], b"").fails(1, "none");
    corpus(&home, "{}");
    home.run(&["eval", "corpus"], b"").fails(65, "app.log.facts.json");
    home.run(&["eval", "corpus", "other.log"], b"").fails(2, "other.log");
    fs::remove_file(home.path("corpus/app.log.facts.json")).unwrap();
    home.run(&["eval", "corpus"], b"").fails(65, "no payload has a facts file");
}
