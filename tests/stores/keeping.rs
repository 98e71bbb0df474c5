//! What is put comes back, whatever it is, from another process's store too.

use crate::harness::Home;
use crate::{DAY, NOW, database, get, put, put_at, store};
use caveman_core::store::{Handle, RecoveryStore, Reference, StoreErrorKind};

#[test]
fn every_original_comes_back_byte_for_byte() {
    let home = Home::new();
    let mut ours = store(&home);
    let large = vec![0xa5; 16 << 20];
    let originals: [&[u8]; 5] = [b"", b"x", b"\0\xff\r\n", "caf\u{e9}".as_bytes(), &large];
    for original in originals {
        let handle = put(&mut ours, original);
        assert_eq!(get(&mut ours, handle).as_deref(), Ok(original));
        assert_eq!(get(&mut store(&home), handle).as_deref(), Ok(original), "in another store");
    }
    let info = ours.info();
    assert_eq!((info.kind, info.entries, info.state.as_str()), ("sqlite", 5, "ok"));
    assert_eq!(info.bytes, originals.iter().map(|o| o.len() as u64).sum::<u64>());
}

#[test]
fn what_is_known_of_an_original_comes_back_with_it() {
    let home = Home::new();
    let mut ours = store(&home);
    let handle = put(&mut ours, b"original");
    let stored = ours.get(&Reference::Handle(handle), NOW).unwrap();
    assert_eq!((stored.content_type.as_str(), stored.tokens_before), ("log", 100));
    let row = "SELECT created_at, compressor, tokens_after FROM recoveries WHERE handle = ?1";
    let row = database(&home)
        .query_row(row, [handle.to_string()], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, i64>(2)?))
        })
        .unwrap();
    assert_eq!(row, ("2026-03-01T00:00:00.000Z".to_owned(), "log".to_owned(), 10));
}

#[test]
fn the_same_original_is_kept_once() {
    let home = Home::new();
    let mut ours = store(&home);
    for now in [NOW, NOW + 1, NOW + 3 * DAY] {
        put_at(&mut ours, b"same", now).unwrap();
        put_at(&mut store(&home), b"same", now).unwrap();
    }
    assert_eq!((ours.info().entries, ours.info().bytes), (1, 4));
    assert_eq!(ours.tokens_ever().unwrap(), (100, 10));
}

#[test]
fn an_unknown_handle_is_an_error() {
    let home = Home::new();
    let mut ours = store(&home);
    assert_eq!(get(&mut ours, Handle::of(b"never")), Err(StoreErrorKind::Unknown));
    let object = Reference::Object("ccr_obj_1".into());
    assert_eq!(ours.get(&object, NOW).unwrap_err().kind(), StoreErrorKind::Unknown);
}

#[test]
fn objects_of_a_sibling_program_resolve_and_are_never_written() {
    let home = Home::new();
    let mut ours = store(&home);
    put(&mut ours, b"x");
    database(&home)
        .execute_batch(
            "CREATE TABLE typed_objects (object_id TEXT PRIMARY KEY, kind TEXT, data BLOB);
             INSERT INTO typed_objects VALUES ('ccr_obj_Ab1', 'page', x'00ff');
             INSERT INTO typed_objects VALUES ('ccr_obj_text', 'page', 'caf\u{e9}');",
        )
        .unwrap();
    let mut read = |id: &str| ours.get(&Reference::Object(id.into()), NOW).map(|s| s.original);
    assert_eq!(read("ccr_obj_Ab1").unwrap(), b"\0\xff");
    assert_eq!(read("ccr_obj_text").unwrap(), "caf\u{e9}".as_bytes());
    assert_eq!(read("ccr_obj_ab1").unwrap_err().kind(), StoreErrorKind::Unknown);
}

#[test]
fn loose_originals_beside_the_database_resolve() {
    let home = Home::new();
    let handle = Handle::of(b"loose");
    let digits = handle.to_string().replace("ccr_", "");
    let folder = home.path(&format!(".caveman/objects/{}", digits.get(..2).unwrap()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(&digits), b"loose").unwrap();
    let mut ours = store(&home);
    assert_eq!(get(&mut ours, handle).as_deref(), Ok(&b"loose"[..]));
    std::fs::write(folder.join(&digits), b"other").unwrap();
    assert_eq!(get(&mut ours, handle), Err(StoreErrorKind::Corrupt));
    // The copy in the database is as good.
    put(&mut ours, b"loose");
    assert_eq!(get(&mut ours, handle).as_deref(), Ok(&b"loose"[..]));
}

#[test]
fn a_clock_that_goes_backwards_loses_nothing() {
    let home = Home::new();
    let mut ours = store(&home);
    let times = [NOW, 0, NOW - 400 * DAY, NOW + 400 * DAY, NOW, 1];
    let put = |at: usize| format!("original {at}").into_bytes();
    let handles: Vec<Handle> = (times.iter().enumerate())
        .map(|(at, now)| put_at(&mut ours, &put(at), *now).unwrap())
        .collect();
    for (at, handle) in handles.iter().enumerate() {
        for now in times {
            let stored = ours.get(&Reference::Handle(*handle), now).unwrap();
            assert_eq!(stored.original, put(at));
        }
        put_at(&mut ours, &put(at), 0).unwrap();
    }
    assert!(ours.verify().unwrap().is_sound());
}

#[test]
fn a_database_that_is_deleted_under_us_is_made_anew() {
    let home = Home::new();
    let mut ours = store(&home);
    let lost = put(&mut ours, b"before");
    for name in ["ccr.db", "ccr.db-wal", "ccr.db-shm"] {
        std::fs::remove_file(home.path(".caveman").join(name)).unwrap();
    }
    let kept = put(&mut ours, b"after");
    assert_eq!(get(&mut store(&home), kept).as_deref(), Ok(&b"after"[..]));
    assert_eq!(get(&mut ours, lost), Err(StoreErrorKind::Unknown));
    std::fs::remove_dir_all(home.path(".caveman")).unwrap();
    let kept = put(&mut ours, b"with its folder");
    assert_eq!(get(&mut store(&home), kept).as_deref(), Ok(&b"with its folder"[..]));
}
