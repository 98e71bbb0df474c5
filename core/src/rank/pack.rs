//! Packing: the best that fits.

use crate::prelude::*;

/// What may be packed at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many items.
    pub n_items: usize,
    /// How many tokens all of them together may cost.
    pub n_tokens: u64,
}

/// Takes `ranked` (best first) greedily: each item that still fits stays, in rank order; one that does not is passed over.
///
/// `cost` answers the tokens that an item would add; it is told how many are left and may stop counting above them. An item is
/// taken exactly when its cost is not above what was left, so `cost` knows what was taken before.
pub fn greedy<T: Copy>(
    ranked: impl IntoIterator<Item = T>,
    limits: Limits,
    mut cost: impl FnMut(T, u64) -> u64,
) -> Vec<T> {
    let mut taken = Vec::new();
    let mut left = limits.n_tokens;
    for item in ranked {
        if taken.len() >= limits.n_items || left == 0 {
            break;
        }
        let n_tokens = cost(item, left);
        if n_tokens <= left {
            left -= n_tokens;
            taken.push(item);
        }
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_passed_over() {
        let take =
            |n_items, n_tokens| greedy([5, 9, 3, 2, 1], Limits { n_items, n_tokens }, |n, _| n);
        assert_eq!(take(10, 10), [5, 3, 2]);
        assert_eq!(take(2, 10), [5, 3]);
        assert_eq!(take(10, 4), [3, 1]);
        assert!(take(0, 10).is_empty() && take(10, 0).is_empty());
    }
}
