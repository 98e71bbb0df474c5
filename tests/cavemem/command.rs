//! The command line: verbs, limits, statuses.

use crate::harness::Home;
use crate::{cavemem, id_of, recalled, remember};
use serde_json::Value;

const LIMIT: usize = 262_144;

#[test]
fn the_limit_is_262144_bytes_on_remember_and_supersede() {
    let home = Home::new();
    let fits = "x".repeat(LIMIT);
    let padded = format!("\n {fits} \n");
    let id = remember(&home, &padded);
    assert_eq!(remember(&home, &fits), id, "white space around a text is not part of it");
    for too_long in [format!("{fits}x"), "é".repeat(LIMIT / 2) + "é"] {
        cavemem(&home, &["remember", "--stdin"], too_long.as_bytes())
            .fails(65, "cave_memory_too_large");
        cavemem(&home, &["supersede", &id, "--stdin"], too_long.as_bytes())
            .fails(65, "cave_memory_too_large");
    }
    let wide = "é".repeat(LIMIT / 2);
    let new = cavemem(&home, &["supersede", &id, "--stdin"], wide.as_bytes()).json();
    assert_eq!(new["supersedes"], id.as_str());
    let stats = cavemem(&home, &["stats"], b"").json();
    assert_eq!((&stats["memories"], &stats["versions"]), (&Value::from(1), &Value::from(2)));
    assert_eq!(stats["bytes"], 2 * LIMIT);
}

#[test]
fn wrong_input_has_its_status() {
    let home = Home::new();
    cavemem(&home, &["remember", "--stdin"], b" \n\t").fails(65, "cave_memory_empty");
    cavemem(&home, &["remember", "--stdin"], b"a\xffb").fails(65, "not UTF-8");
    cavemem(&home, &["remember"], b"").fails(2, "Usage");
    cavemem(&home, &["remember", "a", "--stdin"], b"").fails(2, "cannot be used");
    cavemem(&home, &["recall", "x", "--limit", "0"], b"").fails(2, "limit");
    cavemem(&home, &["recall", "x", "--limit", "-1"], b"").fails(2, "-1");
    cavemem(&home, &["recall", "x", "--token-budget", "-1"], b"").fails(2, "-1");
    for verb in ["history", "forget"] {
        cavemem(&home, &[verb, "mem_000000000000"], b"").fails(1, "cave_unknown_memory");
    }
    cavemem(&home, &["supersede", "mem_0", "x"], b"").fails(1, "cave_unknown_memory");
    cavemem(&home, &["recover", "nothing"], b"").fails(2, "no handle");
    let handle = "ccr_00000000000000000000000000000000";
    cavemem(&home, &["recover", handle], b"").fails(1, "cave_unknown_handle");
    cavemem(&home, &["nothing"], b"").fails(2, "unrecognized");
    let mut nowhere = home.cavemem(&["list"]);
    nowhere.env("CAVEMAN_HOME", "/dev/null");
    crate::run(nowhere, b"").fails(74, "cave_store_unavailable");
    let mut ephemeral = home.cavemem(&["remember", "x"]);
    ephemeral.env("CAVEMAN_MCP_EPHEMERAL", "1");
    crate::run(ephemeral, b"").fails(1, "CAVEMAN_MCP_EPHEMERAL");
    assert!(cavemem(&home, &["--version"], b"").text().starts_with("cavemem "));
    assert!(cavemem(&home, &["--help"], b"").text().contains("recall"));
}

#[test]
fn texts_come_back_as_they_were() {
    let home = Home::new();
    for text in
        ["a\u{0}b", "line\r\nline", "日本語 😀 e\u{301}", "--help", "\"quoted\" \\ \u{7f}", "-"]
    {
        let id = remember(&home, text);
        let history = cavemem(&home, &["history", &id], b"").json();
        assert_eq!(history["versions"][0]["text"], text);
    }
}

#[test]
fn nothing_recalled_is_an_answer() {
    let home = Home::new();
    assert_eq!(recalled(&home, "anything"), [""; 0]);
    remember(&home, "Deploys go through staging.");
    for query in ["", " ", "the", "…", "quantum chromodynamics", &"q".repeat(100_000)] {
        assert_eq!(recalled(&home, query), [""; 0], "{query}");
    }
}

#[test]
fn ten_memories_on_one_topic_are_recalled_by_its_word() {
    let home = Home::new();
    let facts = [
        "refunds", "captures", "retries", "limits", "fees", "ids", "logs", "tests", "keys",
        "owners",
    ];
    for fact in facts {
        remember(&home, &format!("Billing: what we settled on {fact}."));
    }
    let found = cavemem(&home, &["recall", "billing", "--limit", "10"], b"").json();
    assert_eq!(found["hits"].as_array().unwrap().len(), 10, "{found}");
    assert_eq!(recalled(&home, "billing fees"), ["Billing: what we settled on fees."]);
}

#[test]
fn names_match_by_part_and_whole_and_phrases_without_spaces_too() {
    let home = Home::new();
    let texts = [
        "readTimeout_ms of the gateway is 3000",
        "see src/ledger/close_books.rs:41 for the nightly run",
        "version 4.17.2 of the driver leaks",
        "E_QUOTA_9917 means that the tenant is suspended",
        "数据库连接池上限是二十个连接",
    ];
    texts.iter().for_each(|text| drop(remember(&home, text)));
    for (query, at) in [
        ("readTimeoutMs", 0),
        ("read_timeout_ms", 0),
        ("timeout", 0),
        ("read timeout", 0),
        ("src/ledger/close_books.rs", 1),
        ("closeBooks", 1),
        ("close books", 1),
        ("ledger", 1),
        ("4.17.2", 2),
        ("driver 4.17.2", 2),
        ("E_QUOTA_9917", 3),
        ("quota", 3),
        ("e-quota-9917", 3),
        ("数据库", 4),
        ("连接池上限", 4),
        ("连接池上限是多少", 4),
    ] {
        assert_eq!(recalled(&home, query), [texts[at]], "{query}");
    }
}

#[test]
fn what_was_exported_is_imported_exactly() {
    let (home, other) = (Home::new(), Home::new());
    let a = remember(&home, "port 8080\nis taken \"for now\"");
    let b = id_of(&cavemem(&home, &["supersede", &a, "port 8081 is free"], b"").json());
    let c =
        id_of(&cavemem(&home, &["supersede", &b, "port 8080\nis taken \"for now\""], b"").json());
    remember(&home, "数据 😀");
    let export = cavemem(&home, &["export"], b"").text().to_owned();
    assert_eq!(export.lines().count(), 4);
    let done = cavemem(&other, &["import"], export.as_bytes()).json();
    assert_eq!((&done["stored"], &done["known"]), (&Value::from(4), &Value::from(0)));
    assert_eq!(cavemem(&other, &["export"], b"").text(), export);
    let again = cavemem(&other, &["import", "-"], export.as_bytes()).json();
    assert_eq!((&again["stored"], &again["known"]), (&Value::from(0), &Value::from(4)));
    assert_eq!(recalled(&other, "port"), ["port 8080\nis taken \"for now\""]);
    let history = cavemem(&other, &["history", &a], b"").json();
    assert_eq!(history["current"], c.as_str());
    // Plain texts from elsewhere.
    let texts = "{\"text\":\"one more\"}\n\n{\"text\":\" one more \"}\n{\"text\":\"数据 😀\"}\n";
    let done = cavemem(&other, &["import"], texts.as_bytes()).json();
    assert_eq!((&done["stored"], &done["known"]), (&Value::from(1), &Value::from(2)));
    assert_eq!(recalled(&other, "more"), ["one more"]);
}

#[test]
fn an_import_that_is_not_whole_changes_nothing() {
    let home = Home::new();
    let id = remember(&home, "here already");
    let before = cavemem(&home, &["export"], b"").text().to_owned();
    let good = "{\"id\":\"x1\",\"text\":\"fine\"}\n";
    for bad in [
        "{\"id\":\"x2\",\"text\":\"\"}",
        "no json",
        "{\"id\":\"x2\",\"text\":\"y\",\"supersedes\":\"x0\"}",
        "{\"id\":\"x2\",\"text\":\"y\",\"superseded_by\":\"x1\"}",
        "{\"id\":\"x2\",\"text\":\"y\",\"supersedes\":\"x2\",\"superseded_by\":\"x2\"}",
        &format!("{{\"id\":\"{id}\",\"text\":\"another\"}}"),
    ] {
        let run = cavemem(&home, &["import"], format!("{good}{bad}\n").as_bytes());
        run.status(65);
        assert!(run.stderr().contains("cave_"), "{run}");
        assert_eq!(cavemem(&home, &["export"], b"").text(), before, "{bad}");
    }
    assert_eq!(recalled(&home, "fine"), [""; 0]);
}

#[test]
fn lists_are_newest_first_and_current_unless_all_are_asked_for() {
    let home = Home::new();
    let a = remember(&home, "first");
    remember(&home, "second");
    cavemem(&home, &["supersede", &a, "third"], b"").done();
    let texts = |arguments: &[&str]| -> Vec<String> {
        let list = cavemem(&home, arguments, b"").json();
        let memories = list["memories"].as_array().unwrap();
        memories.iter().map(|memory| memory["text"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(texts(&["list"]), ["third", "second"]);
    assert_eq!(texts(&["list", "--limit", "1"]), ["third"]);
    assert_eq!(texts(&["list", "--all", "--json"]), ["third", "second", "first"]);
}
