//! Files of earlier layouts: taken in as they are found, all or nothing.

use crate::harness::Home;
use crate::{cavemem, recalled, remember};
use rusqlite::Connection;
use serde_json::Value;

/// A store as another program left it.
fn earlier(sql: &str) -> Home {
    let home = Home::new();
    std::fs::create_dir_all(home.path(".caveman/mem")).unwrap();
    let db = Connection::open(home.path(".caveman/mem/mem.db")).unwrap();
    db.execute_batch(sql).unwrap();
    home
}

fn all(home: &Home) -> Vec<Value> {
    let export = cavemem(home, &["export"], b"").text().to_owned();
    export.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn three_columns_with_names() {
    let home = earlier(
        "CREATE TABLE memories (id TEXT PRIMARY KEY, text TEXT NOT NULL, created_at TEXT);
         INSERT INTO memories VALUES ('a', 'the pump is blue', '2024-05-01T00:00:00Z'), ('b', 'the valve is red', NULL);",
    );
    assert_eq!(recalled(&home, "pump"), ["the pump is blue"]);
    let rows = all(&home);
    assert_eq!(rows[0]["valid_from"], "2024-05-01T00:00:00Z");
    assert_eq!(rows[1]["valid_from"], Value::Null, "no date is made up");
    assert_eq!(remember(&home, "the valve is red"), "b");
    cavemem(&home, &["supersede", "a", "the pump is green"], b"").done();
    assert_eq!(recalled(&home, "pump"), ["the pump is green"]);
    cavemem(&home, &["forget", "b"], b"").done();
    assert_eq!(recalled(&home, "valve"), [""; 0]);
}

#[test]
fn three_columns_with_numbers() {
    let home = earlier(
        "CREATE TABLE memories (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT, created_at INTEGER);
         INSERT INTO memories (text, created_at) VALUES ('the pump is blue', 1714521600), ('the valve is red', 1714521601);",
    );
    assert_eq!(recalled(&home, "valve"), ["the valve is red"]);
    assert_eq!(all(&home)[1]["id"], "2");
    assert_eq!(all(&home)[1]["created_at"], "1714521601");
    let next = cavemem(&home, &["supersede", "2", "the valve is gone"], b"").json();
    assert!(next["id"].as_str().unwrap().starts_with("mem_"));
    assert_eq!(next["supersedes"], "2");
}

#[test]
fn without_an_end_of_validity() {
    let home = earlier(
        "CREATE TABLE memories (id TEXT PRIMARY KEY, text TEXT NOT NULL, created_at TEXT, valid_from TEXT,
            supersedes TEXT, superseded_by TEXT);
         INSERT INTO memories VALUES
            ('a', 'the pump is blue', '2024-05-01', '2024-05-01', NULL, 'b'),
            ('b', 'the pump is red', '2024-06-01', '2024-06-01', 'a', NULL),
            ('c', 'the valve is lost', '2024-06-01', NULL, NULL, 'gone');",
    );
    assert_eq!(recalled(&home, "pump"), ["the pump is red"]);
    assert_eq!(recalled(&home, "valve"), [""; 0]);
    let rows = all(&home);
    assert_eq!(rows[0]["valid_until"], "2024-06-01");
    assert_eq!(cavemem(&home, &["history", "a"], b"").json()["current"], "b");
    cavemem(&home, &["history", "c"], b"").fails(1, "cave_broken_lineage");
}

#[test]
fn what_is_no_store_is_left_alone() {
    let home = Home::new();
    std::fs::create_dir_all(home.path(".caveman/mem")).unwrap();
    let path = home.path(".caveman/mem/mem.db");
    std::fs::write(&path, "not a database, but somebody's notes").unwrap();
    cavemem(&home, &["remember", "x"], b"").fails(74, "cave_store_");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "not a database, but somebody's notes");
}

#[test]
fn an_index_of_another_version_is_built_anew() {
    let home = Home::new();
    remember(&home, "the pump is blue");
    let db = Connection::open(home.path(".caveman/mem/mem.db")).unwrap();
    db.execute_batch("UPDATE cavemem_state SET version = 0; DELETE FROM cavemem_postings").unwrap();
    drop(db);
    assert_eq!(recalled(&home, "pump"), ["the pump is blue"]);
}

#[cfg(unix)]
#[test]
fn the_folder_and_its_files_are_private() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    remember(&home, "x");
    let mode =
        |name: &str| std::fs::metadata(home.path(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!(
        (mode(".caveman"), mode(".caveman/mem"), mode(".caveman/mem/mem.db")),
        (0o700, 0o700, 0o600)
    );
}
