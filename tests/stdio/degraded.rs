//! A server whose store cannot be opened: it serves all the same, and says what is wrong.

use crate::harness::{Home, Server, log};
use serde_json::json;

#[test]
fn without_a_store_it_passes_through_and_names_the_cause() {
    let home = Home::new();
    std::fs::write(home.path("file"), b"").unwrap();
    let mut command = home.caveman(&["serve"]);
    command.env("CAVEMAN_CCR_DB", home.path("file/ccr.db"));
    let mut server = Server::of(command);
    let (output, figures) = server.compress(&log(1));
    assert_eq!(output, log(1));
    assert_eq!((&figures["reason"], &figures["ratio"]), (&json!("not_stored"), &json!(0)));
    assert!(figures["note"].as_str().unwrap().starts_with("cave_store_unavailable: "), "{figures}");
    let unknown = server.retrieve("ccr_00000000000000000000000000000000");
    assert_eq!(unknown, Err("cave_store_unavailable".to_owned()));
    let store = server.stats()["store"].take();
    assert_eq!(store["kind"], "none");
    assert!(store["state"].as_str().unwrap().contains("cannot create the folder"), "{store}");
    let (toon, is_error) =
        server.call("caveman_toon_encode", &json!({"input": "[{\"a\":1},{\"a\":2}]"}));
    assert!(!is_error && toon[0].starts_with("[2]{a}:"), "{toon:?}");
    // Repaired, it works, without a new start.
    std::fs::remove_file(home.path("file")).unwrap();
    let (_, figures) = server.compress(&log(1));
    assert_eq!(server.retrieve(figures["recovery_handle"].as_str().unwrap()), Ok(log(1)));
    assert_eq!(server.stats()["store"]["state"], "ok");
    assert_eq!(server.end(), Some(0));
}

#[test]
fn asking_for_stats_creates_nothing() {
    let home = Home::new();
    let store = Server::start(&home).stats()["store"].take();
    assert_eq!(
        (&store["kind"], &store["entries"], &store["state"]),
        (&json!("sqlite"), &json!(0), &json!("ok"))
    );
    assert!(!home.path(".caveman").exists(), "it was created");
    // Where nothing could be created it says so all the same.
    std::fs::write(home.path("file"), b"").unwrap();
    let mut command = home.caveman(&["serve"]);
    command.env("CAVEMAN_CCR_DB", home.path("file/ccr.db"));
    let store = Server::of(command).stats()["store"].take();
    assert_eq!(store["kind"], "none", "{store}");
    assert!(store["state"].as_str().unwrap().contains("cannot create"), "{store}");
}

#[test]
fn a_full_store_says_so_and_keeps_giving_back() {
    let home = Home::new();
    let mut command = home.caveman(&["serve"]);
    command.env("CAVEMAN_CCR_MAX_BYTES", (log(1).len() * 3 / 2).to_string());
    let mut server = Server::of(command);
    let (_, kept) = server.compress(&log(1));
    let (output, refused) = server.compress(&log(2));
    assert_eq!((output, &refused["reason"]), (log(2), &json!("not_stored")));
    assert!(refused["note"].as_str().unwrap().starts_with("cave_store_full: "), "{refused}");
    assert!(server.stats()["store"]["state"].as_str().unwrap().contains("CAVEMAN_CCR_MAX_BYTES"));
    assert_eq!(server.retrieve(kept["recovery_handle"].as_str().unwrap()), Ok(log(1)));
}

#[test]
fn every_failure_of_the_store_has_its_own_code() {
    let home = Home::new();
    let mut command = home.caveman(&["serve"]);
    command.env("CAVEMAN_CCR_MAX_BYTES", (log(1).len() * 5 / 2).to_string());
    let mut server = Server::of(command);
    let mut handle =
        |seed| server.compress(&log(seed)).1["recovery_handle"].as_str().unwrap().to_owned();
    let [old, damaged] = [handle(1), handle(2)];
    let other = rusqlite::Connection::open(home.db()).unwrap();
    // As if nobody had asked for it in years: the next original takes its place.
    other.execute("UPDATE caveman_uses SET used = 0 WHERE handle = ?1", [&old]).unwrap();
    handle(3);
    assert_eq!(server.retrieve(&old), Err("cave_expired_handle".to_owned()));
    other.execute("UPDATE recoveries SET original = x'00' WHERE handle = ?1", [&damaged]).unwrap();
    assert_eq!(server.retrieve(&damaged), Err("cave_store_corrupt".to_owned()));
    // It has shrunk, so there is room for one more.
    server.compress(&log(4));
    let never = "ccr_00000000000000000000000000000000";
    assert_eq!(server.retrieve(never), Err("cave_unknown_handle".to_owned()));

    let mut refused = |seed, code: &str| {
        let (output, figures) = server.compress(&log(seed));
        assert!(output == log(seed) && figures["reason"] == "not_stored", "{figures}");
        assert!(figures["note"].as_str().unwrap().starts_with(code), "{figures}");
    };
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    refused(5, "cave_store_busy: ");
    other.execute_batch("COMMIT").unwrap();
    refused(6, "cave_store_full: ");
    drop(other);
    std::fs::remove_dir_all(home.path(".caveman")).unwrap();
    std::fs::write(home.path(".caveman"), b"").unwrap();
    refused(7, "cave_store_unavailable: ");
    assert_eq!(server.retrieve(never), Err("cave_store_unavailable".to_owned()));
}
