//! Where the tables are read from: the program's read-only data, or, in wasm, a copy expanded at the first count.

use super::tables;

/// The tables as the counter reads them: see `tables::Tables`.
#[derive(Clone, Copy)]
pub(super) struct View {
    pub(super) short_pilots: &'static [[u8; 2]],
    pub(super) short_words: &'static [[u8; 8]],
    pub(super) long_pilots: &'static [[u8; 2]],
    pub(super) long_words: &'static [[u8; 16]],
    pub(super) pair_pilots: &'static [[u8; 2]],
    pub(super) pairs: &'static [[u8; 8]],
    pub(super) parts: &'static [[u8; 16]],
    pub(super) class_index: &'static [u8],
    pub(super) class_blocks: &'static [[u8; 128]],
}

#[cfg(not(target_arch = "wasm32"))]
macro_rules! table {
    ($name:literal) => {{
        static TABLE: &Aligned<[u8]> =
            &Aligned(*include_bytes!(concat!(env!("OUT_DIR"), "/", $name)));
        TABLE.0.as_chunks().0
    }};
}

/// Entries do not straddle cache lines.
#[cfg(not(target_arch = "wasm32"))]
#[repr(align(64))]
struct Aligned<T: ?Sized>(T);

#[cfg(not(target_arch = "wasm32"))]
static VIEW: View = View {
    short_pilots: table!("short_pilots"),
    short_words: table!("short_words"),
    long_pilots: table!("long_pilots"),
    long_words: table!("long_words"),
    pair_pilots: table!("pair_pilots"),
    pairs: table!("pairs"),
    parts: table!("parts"),
    class_index: include_bytes!(concat!(env!("OUT_DIR"), "/class_index")),
    class_blocks: table!("class_blocks"),
};

/// The tables.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn view() -> &'static View {
    &VIEW
}

/// The tables.
#[cfg(target_arch = "wasm32")]
pub(super) fn view() -> &'static View {
    use crate::prelude::*;
    use once_cell::race::OnceBox;

    static VIEW: OnceBox<View> = OnceBox::new();
    fn keep<const N: usize>(table: Vec<u8>) -> &'static [[u8; N]] {
        table.leak().as_chunks().0
    }
    VIEW.get_or_init(|| {
        let tables = tables::expand(
            include_bytes!("vocabulary/o200k_base.pairs"),
            include_bytes!("vocabulary/unicode-16.0.classes"),
        );
        Box::new(View {
            short_pilots: keep(tables.short_pilots),
            short_words: keep(tables.short_words),
            long_pilots: keep(tables.long_pilots),
            long_words: keep(tables.long_words),
            pair_pilots: keep(tables.pair_pilots),
            pairs: keep(tables.pairs),
            parts: keep(tables.parts),
            class_index: keep::<1>(tables.class_index).as_flattened(),
            class_blocks: keep(tables.class_blocks),
        })
    })
}

impl View {
    /// Whether a piece of `len` bytes, at most 16, is one token: `key` holds its bytes, the rest `0xFF`.
    #[inline]
    pub(super) fn is_word(&self, key: u128, len: usize) -> bool {
        if len <= 8 { self.is_short_word(low(key)) } else { self.is_long_word(key) }
    }

    #[inline]
    fn is_short_word(&self, low: u64) -> bool {
        let hash = tables::SHORT.hash(low);
        let pilot = self.short_pilots.get(tables::SHORT.bucket(hash)).copied().unwrap_or_default();
        let slot = tables::SHORT.slot(hash, u16::from_le_bytes(pilot));
        self.short_words.get(slot).is_some_and(|word| u64::from_le_bytes(*word) == low)
    }

    #[inline]
    fn is_long_word(&self, key: u128) -> bool {
        let hash = tables::LONG.hash2(low(key), low(key >> 64));
        let pilot = self.long_pilots.get(tables::LONG.bucket(hash)).copied().unwrap_or_default();
        let slot = tables::LONG.slot(hash, u16::from_le_bytes(pilot));
        self.long_words.get(slot).is_some_and(|word| u128::from_le_bytes(*word) == key)
    }

    /// The rank of the merge of two parts, or `NONE`.
    #[inline]
    pub(super) fn merge(&self, left: u32, right: u32) -> u32 {
        let key = u64::from(left) << 16 | u64::from(right);
        let hash = tables::PAIRS.hash(key);
        let pilot = self.pair_pilots.get(tables::PAIRS.bucket(hash)).copied().unwrap_or_default();
        let slot = tables::PAIRS.slot(hash, u16::from_le_bytes(pilot));
        match self.pairs.get(slot) {
            Some(pair) if u64::from_le_bytes(*pair) >> 32 == key => {
                low32(u64::from_le_bytes(*pair))
            }
            _ => NONE,
        }
    }

    /// The part number of a token, or `NOT_A_PART`.
    #[inline]
    pub(super) fn part(&self, token: u32) -> u32 {
        let Some(block) = self.parts.get(token as usize / 64) else { return NOT_A_PART };
        let block = u128::from_le_bytes(*block);
        let set = low(block);
        let bit = 1u64 << (token % 64);
        if set & bit == 0 {
            NOT_A_PART
        } else {
            low32(low(block >> 64)) + (set & (bit - 1)).count_ones()
        }
    }

    /// The class of a character.
    #[inline]
    pub(super) fn class(&self, character: char) -> u8 {
        let at = character as usize;
        let block = self.class_index.get(at / 128).copied().unwrap_or_default();
        self.class_blocks
            .get(usize::from(block))
            .and_then(|block| block.get(at % 128))
            .copied()
            .unwrap_or_default()
    }
}

/// Rank of two parts that do not merge.
pub(super) const NONE: u32 = u32::MAX;

/// A token that takes part in no merge.
pub(super) const NOT_A_PART: u32 = u32::MAX;

#[expect(clippy::cast_possible_truncation, reason = "the lower half is meant")]
const fn low(both: u128) -> u64 {
    both as u64
}

#[expect(clippy::cast_possible_truncation, reason = "the lower half is meant")]
const fn low32(both: u64) -> u32 {
    both as u32
}
