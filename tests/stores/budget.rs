//! The budget, pruning and tombstones; and totals that stay right whichever program writes.

use crate::harness::Home;
use crate::{DAY, NOW, database, get, put, put_at, store};
use caveman_core::store::{Handle, RecoveryStore, Reference, StoreErrorKind};
use caveman_native::store::{SqliteStore, StoreOptions};

fn limited(home: &Home, limit_bytes: u64, retention_days: u64) -> SqliteStore {
    SqliteStore::new(StoreOptions { limit_bytes, retention_days, ..StoreOptions::at(home.db()) })
}

/// 100 bytes, different for each `at`.
fn hundred(at: usize) -> Vec<u8> {
    format!("{at:0100}").into_bytes()
}

#[test]
fn a_full_store_refuses_and_says_so_until_there_is_room() {
    let home = Home::new();
    let mut ours = limited(&home, 1000, 30);
    let handles: Vec<Handle> = (0..10).map(|at| put(&mut ours, &hundred(at))).collect();
    assert!(ours.info().state.starts_with("full: 1000 of 1000 bytes"), "{}", ours.info().state);
    let refused = put_at(&mut ours, &hundred(10), NOW).unwrap_err();
    assert_eq!((refused.kind(), refused.code()), (StoreErrorKind::Full, "cave_store_full"));
    assert_eq!(get(&mut ours, Handle::of(&hundred(10))), Err(StoreErrorKind::Unknown));
    assert!(handles.iter().all(|handle| get(&mut ours, *handle).is_ok()));
    // What is there already needs no room.
    put(&mut ours, &hundred(3));
    let too_large = put_at(&mut ours, &[0; 1001], NOW + 60 * DAY).unwrap_err();
    assert!(too_large.to_string().contains("larger than the whole"), "{too_large}");
    assert_eq!(ours.info().entries, 10, "nothing is pruned for what cannot fit");
}

#[test]
fn the_oldest_go_first_and_leave_a_date() {
    let home = Home::new();
    let mut ours = limited(&home, 1000, 30);
    let handles: Vec<Handle> =
        (0..10).map(|at| put_at(&mut ours, &hundred(at), NOW + at as u64 * DAY).unwrap()).collect();
    // The first one was asked for since, so the second one is the oldest.
    ours.get(&Reference::Handle(handles[0]), NOW + 9 * DAY).unwrap();
    let later = NOW + 35 * DAY;
    put_at(&mut ours, &[b'n'; 150], later).unwrap();
    let expired = |ours: &mut SqliteStore, at: usize| {
        ours.get(&Reference::Handle(handles[at]), later).map(|_| ()).map_err(|e| e.to_string())
    };
    for at in [1, 2] {
        let error = expired(&mut ours, at).unwrap_err();
        assert!(error.contains("was pruned") && error.contains("2026-04-05T00:00:00"), "{error}");
    }
    for at in [0, 3, 4, 9] {
        assert_eq!(expired(&mut ours, at), Ok(()), "{at}");
    }
    assert_eq!((ours.info().entries, ours.info().bytes), (9, 950));
    // Put again, it is there again.
    put_at(&mut ours, &hundred(1), later).unwrap_err();
    let mut ours = limited(&home, 0, 30);
    put_at(&mut ours, &hundred(1), later).unwrap();
    assert_eq!(expired(&mut ours, 1), Ok(()));
    assert!(ours.verify().unwrap().is_sound());
}

#[test]
fn nothing_is_pruned_when_it_would_not_make_enough_room_or_never_may() {
    let home = Home::new();
    let mut ours = limited(&home, 1000, 30);
    put_at(&mut ours, &hundred(0), NOW - 60 * DAY).unwrap();
    for at in 1..10 {
        put(&mut ours, &hundred(at));
    }
    put_at(&mut ours, &[b'n'; 101], NOW).unwrap_err();
    assert_eq!(ours.info().entries, 10);
    let mut never = limited(&home, 1000, 0);
    assert!(never.info().state.contains("forbids pruning"), "{}", never.info().state);
    put_at(&mut never, &hundred(10), NOW + 1000 * DAY).unwrap_err();
    assert_eq!(never.info().entries, 10);
    put_at(&mut ours, &hundred(10), NOW).unwrap();
    assert_eq!(ours.info().entries, 10);
}

#[test]
fn totals_stay_right_whichever_program_writes() {
    let home = Home::new();
    let mut ours = store(&home);
    put(&mut ours, b"ours");
    let other = database(&home);
    let write = |sql: &str| other.execute_batch(sql).unwrap();
    write("INSERT INTO recoveries (handle, original) VALUES ('ccr_a', x'0102')");
    write("INSERT OR REPLACE INTO recoveries (handle, original) VALUES ('ccr_a', x'010203')");
    write("INSERT OR IGNORE INTO recoveries (handle, original) VALUES ('ccr_a', x'01')");
    write(
        "INSERT INTO recoveries (handle, original) VALUES ('ccr_a', x'09') ON CONFLICT (handle) DO UPDATE SET original = x'01020304'",
    );
    write(
        "REPLACE INTO recoveries (handle, created_at, original) VALUES ('ccr_b', '2026-01-01T00:00:00+02:00', 'caf\u{e9}')",
    );
    write(
        "INSERT INTO recoveries (handle, created_at, original) VALUES ('ccr_c', 'yesterday', x'')",
    );
    write(
        "PRAGMA recursive_triggers = ON; REPLACE INTO recoveries (handle, original) VALUES ('ccr_c', x'00')",
    );
    write("UPDATE recoveries SET handle = 'ccr_d', original = x'0000' WHERE handle = 'ccr_c'");
    write("INSERT INTO recoveries (handle, original) VALUES (NULL, x'00')");
    assert_eq!((ours.info().entries, ours.info().bytes), (4, 4 + 4 + 5 + 2));
    assert_eq!(ours.verify().unwrap().wrong_total, None);
    write("DELETE FROM recoveries");
    assert_eq!((ours.info().entries, ours.info().bytes), (0, 0));
}

#[test]
fn stats_do_not_scan_the_table() {
    let home = Home::new();
    put(&mut store(&home), b"x");
    let database = database(&home);
    let plan = |sql: &str| -> String {
        let mut statement = database.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let lines = statement.query_map([], |row| row.get::<_, String>(3)).unwrap();
        lines.map(Result::unwrap).collect::<Vec<_>>().join("; ")
    };
    let [layout, prune] = [
        include_str!("../../native/src/store/layout.rs"),
        include_str!("../../native/src/store/prune.rs"),
    ];
    for (code, sql) in [
        (layout, "SELECT n_entries, n_bytes FROM caveman_totals"),
        (prune, "SELECT EXISTS (SELECT 1 FROM caveman_uses WHERE used < ?1)"),
        (prune, "SELECT handle, n_bytes FROM caveman_uses WHERE used < ?1 ORDER BY used, handle"),
    ] {
        assert!(code.contains(sql), "the store asks otherwise than {sql}");
        let plan = plan(&sql.replace("?1", "7"));
        assert!(!plan.contains("recoveries") && !plan.contains("SCAN caveman_uses"), "{plan}");
        assert!(!plan.contains("TEMP B-TREE"), "{plan}");
    }
}
