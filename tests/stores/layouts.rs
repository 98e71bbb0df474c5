//! Files that earlier versions and other programs wrote: they migrate in place and stay readable by those programs.

use crate::harness::Home;
use crate::{NOW, database, get, put, store};
use caveman_core::store::{Handle, RecoveryStore, Reference};
use caveman_native::store::{Access, SqliteStore, StoreOptions};

/// `recoveries` as programs of this ecosystem create it, without the column that came last.
const WITHOUT_METADATA: &str =
    "CREATE TABLE recoveries (handle TEXT PRIMARY KEY, created_at TEXT, content_type TEXT,
    compressor TEXT, tokens_before INTEGER, tokens_after INTEGER, original BLOB NOT NULL);";
const MINIMAL: &str = "CREATE TABLE recoveries (handle TEXT PRIMARY KEY, original BLOB NOT NULL);";
const WIDE: &str = "CREATE TABLE recoveries (handle TEXT PRIMARY KEY, created_at TEXT NOT NULL, content_type TEXT,
    compressor TEXT, tokens_before INTEGER, tokens_after INTEGER, original BLOB NOT NULL, metadata BLOB,
    origin TEXT DEFAULT 'here', expires_at TEXT);
    CREATE TABLE typed_objects (object_id TEXT PRIMARY KEY, type TEXT, data BLOB);
    CREATE TABLE sessions (id INTEGER PRIMARY KEY, name TEXT);
    INSERT INTO sessions (name) VALUES ('kept');
    CREATE INDEX recoveries_by_type ON recoveries (content_type);
    PRAGMA user_version = 7;";

/// A file of an earlier layout with these originals.
fn earlier(home: &Home, layout: &str, originals: &[&[u8]]) -> Vec<Handle> {
    std::fs::create_dir_all(home.path(".caveman")).unwrap();
    let database = database(home);
    database.execute_batch(layout).unwrap();
    let has_date = layout.contains("created_at");
    let insert = if has_date {
        "INSERT INTO recoveries (handle, original, created_at) VALUES (?1, ?2, '2026-02-01T00:00:00Z')"
    } else {
        "INSERT INTO recoveries (handle, original) VALUES (?1, ?2)"
    };
    let keep = |original: &&[u8]| {
        let handle = Handle::of(original);
        database.execute(insert, rusqlite::params![handle.to_string(), original]).unwrap();
        handle
    };
    originals.iter().map(keep).collect()
}

#[test]
fn every_earlier_layout_migrates_and_keeps_its_originals() {
    let large = vec![7; 16 << 20];
    for layout in [WITHOUT_METADATA, MINIMAL, WIDE] {
        let home = Home::new();
        let originals: [&[u8]; 3] = [b"first", b"", &large];
        let handles = earlier(&home, layout, &originals);
        let mut ours = store(&home);
        for (handle, original) in handles.iter().zip(originals) {
            assert_eq!(get(&mut ours, *handle).as_deref(), Ok(original), "{layout}");
        }
        put(&mut ours, b"new");
        assert_eq!((ours.info().entries, ours.info().bytes), (4, 8 + (16 << 20)), "{layout}");
        assert!(ours.verify().unwrap().is_sound(), "{layout}");
        let database = database(&home);
        let n_columns: i64 = database
            .query_row("SELECT count(*) FROM pragma_table_info('recoveries')", [], |r| r.get(0))
            .unwrap();
        assert_eq!(n_columns, if layout == WIDE { 10 } else { 8 });
        // The program that wrote it goes on as before.
        earlier_program(&database, layout);
        assert_eq!(ours.info().entries, 5, "{layout}");
    }
}

fn earlier_program(database: &rusqlite::Connection, layout: &str) {
    let insert = if layout.contains("created_at") {
        "INSERT OR REPLACE INTO recoveries (handle, created_at, content_type, compressor, tokens_before, tokens_after, original)
         VALUES ('ccr_6a09e667f3bcc908b2fb1366ea957d3e', '2026-03-01T00:00:00Z', 'log', 'log', 1, 1, x'00')"
    } else {
        "INSERT OR IGNORE INTO recoveries (handle, original) VALUES ('ccr_6a09e667f3bcc908b2fb1366ea957d3e', x'00')"
    };
    assert_eq!(database.execute(insert, []).unwrap(), 1);
    if layout == WIDE {
        let kept: (String, i64) = database
            .query_row(
                "SELECT name, (SELECT user_version FROM pragma_user_version) FROM sessions",
                [],
                |r| Ok((r.get(0)?, r.get(1)?)),
            )
            .unwrap();
        assert_eq!(kept, ("kept".to_owned(), 7));
    }
}

#[test]
fn an_earlier_layout_is_read_where_it_cannot_be_migrated() {
    let home = Home::new();
    let handles = earlier(&home, MINIMAL, &[b"first"]);
    let options = StoreOptions { access: Access::ReadOnly, ..StoreOptions::at(home.db()) };
    let mut ours = SqliteStore::new(options);
    let stored = ours.get(&Reference::Handle(handles[0]), NOW).unwrap();
    assert_eq!((&stored.original[..], stored.tokens_before), (&b"first"[..], 0));
    assert_eq!((ours.info().entries, ours.info().bytes), (1, 5));
    let tables: i64 = database(&home)
        .query_row("SELECT count(*) FROM sqlite_master WHERE type = 'table'", [], |r| r.get(0))
        .unwrap();
    assert_eq!(tables, 1, "nothing was created");
}

#[test]
fn a_table_that_another_program_made_anew_is_taken_in() {
    let home = Home::new();
    put(&mut store(&home), b"gone with the table");
    let other = database(&home);
    other.execute_batch("DROP TABLE recoveries").unwrap();
    other.execute_batch(WITHOUT_METADATA).unwrap();
    other
        .execute_batch("INSERT INTO recoveries (handle, original) VALUES ('ccr_x', x'0001')")
        .unwrap();
    let mut ours = store(&home);
    put(&mut ours, b"new");
    assert_eq!((ours.info().entries, ours.info().bytes), (2, 5));
}

#[test]
fn a_file_that_is_none_of_ours_is_left_alone() {
    for content in [
        &b"not a database, but a file that somebody wants to keep, long enough to have a header"[..],
        b"x",
    ] {
        let home = Home::new();
        std::fs::create_dir_all(home.path(".caveman")).unwrap();
        std::fs::write(home.db(), content).unwrap();
        let mut ours = store(&home);
        let error = crate::put_at(&mut ours, b"x", NOW).unwrap_err();
        assert!(error.to_string().contains("is not an SQLite database"), "{error}");
        assert_eq!(ours.info().kind, "none");
        assert_eq!(std::fs::read(home.db()).unwrap(), content);
    }
}

#[test]
fn a_table_without_originals_is_refused() {
    let home = Home::new();
    std::fs::create_dir_all(home.path(".caveman")).unwrap();
    database(&home).execute_batch("CREATE TABLE recoveries (id INTEGER, text TEXT)").unwrap();
    let error = crate::put_at(&mut store(&home), b"x", NOW).unwrap_err();
    assert_eq!(error.code(), "cave_store_unavailable", "{error}");
}
