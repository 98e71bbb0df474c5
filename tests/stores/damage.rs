//! A damaged file: an error of its own, never a wrong payload, and a server that lives on.

use crate::harness::Home;
use crate::{get, put, store};
use caveman_core::store::{Handle, StoreErrorKind};

const PAGE: usize = 4096;

fn filled(home: &Home) -> Vec<(Handle, Vec<u8>)> {
    let mut ours = store(home);
    let original = |at: usize| format!("{at} ").repeat(200 + at * 37).into_bytes();
    (0..40).map(original).map(|original| (put(&mut ours, &original), original)).collect()
}

#[test]
fn a_flipped_byte_in_an_original_is_found() {
    let home = Home::new();
    let kept = filled(&home);
    let mut file = std::fs::read(home.db()).unwrap();
    let (handle, original) = &kept[25];
    let at = file.windows(64).position(|window| window == &original[..64]).unwrap();
    file[at + 10] ^= 1;
    std::fs::write(home.db(), file).unwrap();
    let mut ours = store(&home);
    assert_eq!(get(&mut ours, *handle), Err(StoreErrorKind::Corrupt));
    for (other, original) in kept.iter().filter(|(other, _)| other != handle) {
        assert_eq!(get(&mut ours, *other).as_ref(), Ok(original));
    }
    let findings = ours.verify().unwrap();
    assert_eq!(findings.damaged, [handle.to_string()]);
    assert!(!findings.is_sound());
    // Putting it again heals it.
    put(&mut ours, original);
    assert_eq!(get(&mut ours, *handle).as_ref(), Ok(original));
    assert!(ours.verify().unwrap().is_sound());
}

#[test]
fn whatever_page_is_destroyed_no_payload_is_wrong() {
    let home = Home::new();
    let kept = filled(&home);
    let file = std::fs::read(home.db()).unwrap();
    assert!(file.len() > 20 * PAGE, "{} bytes", file.len());
    let (mut n_lost, mut n_kept) = (0, 0);
    for page in 0..file.len() / PAGE {
        for byte in [0, 0xff] {
            let mut damaged = file.clone();
            damaged[page * PAGE..(page + 1) * PAGE].fill(byte);
            std::fs::write(home.db(), damaged).unwrap();
            let mut ours = store(&home);
            for (handle, original) in &kept {
                match get(&mut ours, *handle) {
                    Ok(found) => {
                        assert_eq!(found, *original, "page {page}");
                        n_kept += 1;
                    }
                    Err(kind) => {
                        let expected = [StoreErrorKind::Corrupt, StoreErrorKind::Unavailable];
                        assert!(expected.contains(&kind), "page {page}: {kind:?}");
                        n_lost += 1;
                    }
                }
            }
        }
    }
    assert!(n_lost > 0 && n_kept > n_lost, "{n_lost} lost, {n_kept} kept");
}

#[test]
fn a_file_that_is_cut_off_gives_no_wrong_payload() {
    let home = Home::new();
    let kept = filled(&home);
    let file = std::fs::read(home.db()).unwrap();
    for n_bytes in [1, 100, PAGE, PAGE + 1, file.len() / 2, file.len() - 1] {
        std::fs::write(home.db(), &file[..n_bytes]).unwrap();
        let mut ours = store(&home);
        for (handle, original) in &kept {
            if let Ok(found) = get(&mut ours, *handle) {
                assert_eq!(found, *original, "{n_bytes} bytes");
            }
        }
    }
}
