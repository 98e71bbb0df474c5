//! Sorting, compiled once: the standard library's sorts are compiled anew for each type and each order, at 5 to 9 KB a time, which
//! made up a tenth of the wasm core. Here the places of the items are sorted, and the items then follow.
//!
//! For lists that are short beside the payload; a loop that sorts often or much keeps the sort of its own type.

use crate::prelude::*;
use core::cmp::Ordering;

/// Sorts by `order`; equal items stay in the order in which they stand.
pub fn sort_by<T>(items: &mut [T], mut order: impl FnMut(&T, &T) -> Ordering) {
    if items.len() < 2 {
        return;
    }
    let mut places: Vec<usize> = (0..items.len()).collect();
    sort_places(&mut places, &mut |a, b| match (items.get(a), items.get(b)) {
        (Some(a), Some(b)) => order(a, b),
        _ => Ordering::Equal,
    });
    follow(&mut places, &mut |to, from| items.swap(to, from));
}

/// Sorts by what `key` gives; items of equal keys stay in the order in which they stand.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], mut key: impl FnMut(&T) -> K) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

#[inline(never)]
fn sort_places(places: &mut [usize], order: &mut dyn FnMut(usize, usize) -> Ordering) {
    places.sort_by(|a, b| order(*a, *b));
}

/// Has items swapped until at each place stands the one that `places` names for it.
#[inline(never)]
fn follow(places: &mut [usize], swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..places.len() {
        let mut to = start;
        // Round one cycle; a place that is done names itself.
        while let Some(slot) = places.get_mut(to) {
            let from = core::mem::replace(slot, to);
            if from == start || from == to {
                break;
            }
            swap(to, from);
            to = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_stand_as_the_stable_sort_of_the_standard_library_leaves_them() {
        let mut state = 1_u32;
        for n in (0..70).chain([1000, 5000]) {
            let mut random = |below: u32| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 8) % below
            };
            let items: Vec<(u32, u32)> = (0..n).map(|i| (random(1 + n / 3), i)).collect();
            let mut expected = items.clone();
            expected.sort_by_key(|item| item.0);
            let mut sorted = items.clone();
            sort_by_key(&mut sorted, |item| item.0);
            assert_eq!(sorted, expected);
            expected.sort_by(|a, b| b.cmp(a));
            sort_by(&mut sorted, |a, b| b.cmp(a));
            assert_eq!(sorted, expected);
        }
    }
}
