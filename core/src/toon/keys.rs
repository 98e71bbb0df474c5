//! Duplicate keys, found without a hash table: hashes are sorted, so that no choice of keys makes it slow.

use crate::prelude::*;

/// Up to so many keys are compared pairwise: that is faster than sorting (our choice; `toon` bench, mixed set).
const FEW: usize = 16;

/// A mixing hash of eight bytes at a time. Collisions cost time only.
#[inline(always)]
pub(super) fn hash(text: &[u8]) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |hash: u64, word: u64| (hash.rotate_left(23) ^ word).wrapping_mul(ODD);
    let mut hash = text.len() as u64;
    let mut rest = text;
    while let Some((word, after)) = rest.split_first_chunk::<8>() {
        hash = mix(hash, u64::from_le_bytes(*word));
        rest = after;
    }
    let tail = rest.iter().fold(0, |tail, &byte| tail << 8 | byte as u64);
    mix(hash, tail)
}

/// Calls `found(first, later)` for each key that says the same as an earlier one. `keys` are (hash, ordinal) in order
/// of their ordinals and may come back in another order; `text` gives what the key with an ordinal says.
pub(super) fn duplicates<'k>(
    keys: &mut [(u64, u32)],
    text: &dyn Fn(u32) -> Cow<'k, [u8]>,
    found: &mut dyn FnMut(u32, u32),
) {
    if keys.len() <= FEW {
        let mut rest = &*keys;
        while let Some(((hash, later), before)) = rest.split_last() {
            if let Some((_, first)) =
                before.iter().find(|(h, first)| h == hash && text(*first) == text(*later))
            {
                found(*first, *later);
            }
            rest = before;
        }
        return;
    }
    keys.sort_unstable_by(|a, b| {
        a.0.cmp(&b.0).then_with(|| text(a.1).cmp(&text(b.1))).then(a.1.cmp(&b.1))
    });
    let mut head: Option<(u64, u32)> = None;
    for &(hash, ordinal) in &*keys {
        match head {
            Some((h, first)) if h == hash && text(first) == text(ordinal) => found(first, ordinal),
            _ => head = Some((hash, ordinal)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(keys: &[&str], want: &[(u32, u32)]) {
        for hash in [hash as fn(&[u8]) -> u64, |_| 7] {
            let mut hashed: Vec<(u64, u32)> =
                keys.iter().zip(0..).map(|(key, i)| (hash(key.as_bytes()), i)).collect();
            let mut got = Vec::new();
            duplicates(
                &mut hashed,
                &|i| Cow::Borrowed(keys[i as usize].as_bytes()),
                &mut |a, b| got.push((a, b)),
            );
            got.sort_unstable();
            assert_eq!(got, want, "{keys:?}");
        }
    }

    #[test]
    fn later_keys_are_told_with_the_first_one() {
        check(&[], &[]);
        check(&["a", "b", ""], &[]);
        check(&["a", "b", "a", "", "a", ""], &[(0, 2), (0, 4), (3, 5)]);
        let many: Vec<String> = (0..100).map(|i| format!("key{}", i % 97)).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        check(&many, &[(0, 97), (1, 98), (2, 99)]);
    }
}
