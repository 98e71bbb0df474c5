//! `store info`, `store prune`, `store verify`.

use crate::harness::{Home, log};

fn store_two(home: &Home) -> String {
    let figures = home.run(&["compress", "--json"], log(1).as_bytes()).json();
    home.run(&["compress"], log(2).as_bytes()).done();
    figures["recovery_handle"].as_str().unwrap().to_owned()
}

#[test]
fn info_says_where_and_how_much() {
    let home = Home::new();
    let empty = home.run(&["store", "info", "--json"], b"").json();
    assert_eq!((&empty["entries"], &empty["state"]), (&0.into(), &"ok".into()));
    store_two(&home);
    let info = home.run(&["store", "info", "--json"], b"").json();
    assert_eq!(info["entries"], 2);
    assert_eq!(info["bytes"], log(1).len() + log(2).len());
    assert_eq!(info["limit_bytes"], 512 << 20);
    assert!(info["path"].as_str().unwrap().ends_with(".caveman/ccr.db"), "{info}");
    assert!(home.run(&["store", "info"], b"").text().contains("originals  2"));
}

#[test]
fn prune_deletes_what_is_old_enough_and_leaves_a_date() {
    let home = Home::new();
    let handle = store_two(&home);
    assert_eq!(home.run(&["store", "prune", "--json"], b"").json()["entries"], 0);
    let dry = home.run(&["store", "prune", "--older-than", "0", "--dry-run", "--json"], b"").json();
    assert_eq!(dry["entries"], 2);
    assert_eq!(home.run(&["retrieve", &handle], b"").text(), log(1));
    let pruned = home.run(&["store", "prune", "--older-than", "0"], b"");
    assert!(pruned.text().contains("deleted 2 originals"), "{pruned}");
    home.run(&["retrieve", &handle], b"").fails(1, "cave_expired_handle");
    assert_eq!(home.run(&["store", "info", "--json"], b"").json()["bytes"], 0);
    // What is stored again is there again.
    store_two(&home);
    assert_eq!(home.run(&["retrieve", &handle], b"").text(), log(1));
}

#[test]
fn verify_finds_an_original_that_was_changed() {
    let home = Home::new();
    let handle = store_two(&home);
    assert_eq!(home.run(&["store", "verify", "--json"], b"").json()["ok"], true);
    let database = rusqlite::Connection::open(home.db()).unwrap();
    let change = "UPDATE recoveries SET original = replace(CAST(original AS TEXT), 'job 7 ', 'job 8 ') WHERE handle = ?1";
    assert_eq!(database.execute(change, [&handle]).unwrap(), 1);
    drop(database);
    let found = home.run(&["store", "verify"], b"");
    assert!(String::from_utf8_lossy(found.status(74)).contains(&handle), "{found}");
    home.run(&["retrieve", &handle], b"").fails(74, "cave_store_corrupt");
    // Compressing the same payload again heals it.
    home.run(&["compress"], log(1).as_bytes()).done();
    assert_eq!(home.run(&["retrieve", &handle], b"").text(), log(1));
    assert!(home.run(&["store", "verify"], b"").text().contains("all sound"));
}
