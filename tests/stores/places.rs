//! Where the database may lie: modes, owners, links.

use crate::harness::Home;
use crate::{NOW, get, put, put_at, store};
use caveman_core::store::{RecoveryStore, StoreErrorKind};
use caveman_native::store::{SqliteStore, StoreOptions};
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

#[track_caller]
fn refuses(store: &mut SqliteStore, why: &str) {
    let error = put_at(store, b"x", NOW).unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::Unavailable, "{error}");
    assert!(error.to_string().contains(why), "{error}");
    let info = store.info();
    assert_eq!(info.kind, "none");
    assert!(info.state.contains(why), "{}", info.state);
}

#[test]
fn folder_and_files_are_this_users_alone() {
    let home = Home::new();
    let mut ours = SqliteStore::new(StoreOptions::at(home.path("a/b/ccr.db")));
    put(&mut ours, b"x");
    assert_eq!((mode(&home.path("a")), mode(&home.path("a/b"))), (0o700, 0o700));
    for name in ["ccr.db", "ccr.db-wal", "ccr.db-shm"] {
        assert_eq!(mode(&home.path("a/b").join(name)), 0o600, "{name}");
    }
}

#[test]
fn modes_that_let_others_in_are_repaired() {
    let home = Home::new();
    let handle = put(&mut store(&home), b"x");
    for open in [0o777, 0o770, 0o722, 0o702] {
        set_mode(&home.path(".caveman"), open);
        set_mode(&home.db(), 0o666);
        assert!(get(&mut store(&home), handle).is_ok());
        assert_eq!((mode(&home.path(".caveman")), mode(&home.db())), (0o700, 0o600));
    }
    // A folder that the user chose keeps what it grants beside writing.
    fs::create_dir(home.path("project")).unwrap();
    set_mode(&home.path("project"), 0o775);
    put(&mut SqliteStore::new(StoreOptions::at(home.path("project/ccr.db"))), b"x");
    assert_eq!(mode(&home.path("project")), 0o755);
    // One that is shared on purpose is left as it is.
    fs::create_dir(home.path("tmp")).unwrap();
    set_mode(&home.path("tmp"), 0o1777);
    put(&mut SqliteStore::new(StoreOptions::at(home.path("tmp/ccr.db"))), b"x");
    assert_eq!(mode(&home.path("tmp")), 0o1777);
}

#[test]
fn a_symbolic_link_in_place_of_a_file_is_refused() {
    let home = Home::new();
    put(&mut store(&home), b"x");
    let target = home.path("target");
    fs::write(&target, b"").unwrap();
    for name in ["ccr.db", "ccr.db-wal", "ccr.db-shm", "ccr.db-journal"] {
        let link = home.path(".caveman").join(name);
        let kept = fs::read(&link).ok();
        if kept.is_some() {
            fs::remove_file(&link).unwrap();
        }
        symlink(&target, &link).unwrap();
        refuses(&mut store(&home), "is a symbolic link");
        fs::remove_file(&link).unwrap();
        if let Some(kept) = kept {
            fs::write(&link, kept).unwrap();
        }
    }
    assert_eq!(fs::read(&target).unwrap(), b"", "nothing was written through a link");
    // Dangling ones too: creating through them would write where they point.
    fs::remove_file(home.db()).unwrap();
    symlink(home.path("absent"), home.db()).unwrap();
    refuses(&mut store(&home), "is a symbolic link");
    assert!(!home.path("absent").exists());
}

#[test]
fn a_folder_reached_through_a_link_is_fine() {
    let home = Home::new();
    fs::create_dir(home.path("real")).unwrap();
    symlink(home.path("real"), home.path(".caveman")).unwrap();
    let handle = put(&mut store(&home), b"x");
    let mut direct = SqliteStore::new(StoreOptions::at(home.path("real/ccr.db")));
    assert!(get(&mut direct, handle).is_ok());
}

#[test]
fn a_folder_that_is_swapped_is_noticed() {
    let home = Home::new();
    let mut ours = store(&home);
    put(&mut ours, b"x");
    fs::rename(home.path(".caveman"), home.path("moved")).unwrap();
    symlink(home.path("moved"), home.path(".caveman")).unwrap();
    let handle = put(&mut ours, b"through the link");
    assert!(get(&mut store(&home), handle).is_ok(), "the path resolves where the put went");
    fs::remove_file(home.path(".caveman")).unwrap();
    fs::write(home.path(".caveman"), b"a file").unwrap();
    refuses(&mut ours, "cannot create the folder");
}

#[test]
fn what_belongs_to_somebody_else_is_refused() {
    let home = Home::new();
    put(&mut store(&home), b"x");
    let give = |path: &Path, user| std::os::unix::fs::chown(path, Some(user), None).is_ok();
    // Only root can give files away; nobody else can be tricked with files of ours either.
    if !give(&home.db(), 12_345) {
        return;
    }
    refuses(&mut store(&home), "belongs to user 12345");
    give(&home.db(), 0);
    give(&home.path(".caveman"), 12_345);
    refuses(&mut store(&home), "belongs to user 12345");
    give(&home.path(".caveman"), 0);
    put(&mut store(&home), b"x");
}

#[test]
fn places_that_cannot_be_are_refused_with_the_cause() {
    let home = Home::new();
    fs::write(home.path("file"), b"").unwrap();
    let at = |path: &str| SqliteStore::new(StoreOptions::at(home.path(path)));
    refuses(&mut at("file/ccr.db"), "cannot create the folder");
    fs::create_dir(home.path("folder")).unwrap();
    refuses(&mut at("folder"), "is not a regular file");
    refuses(&mut SqliteStore::new(StoreOptions::at("/")), "does not name a file");
}
