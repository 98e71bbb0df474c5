//! Where the tables are read from: the program's read-only data, or, in wasm, a copy expanded at the first count.

use super::scan::{self, Eight, load};
use super::tables;
pub(super) use super::tables::NONE;
use crate::prelude::*;

/// The tables as the counter reads them: see `tables::Tables`.
#[derive(Clone, Copy)]
pub(super) struct View {
    pub(super) short_pilots: &'static [[u8; 2]],
    pub(super) short_words: &'static [[u8; 6]],
    pub(super) long_pilots: &'static [[u8; 2]],
    pub(super) long_words: &'static [[u8; 16]],
    pub(super) pair_pilots: &'static [[u8; 2]],
    pub(super) pairs: &'static [[u8; 5]],
    pub(super) parts: &'static [[u8; 16]],
    pub(super) ascii_pairs: &'static [[u8; 4]],
    pub(super) characters: &'static [[u8; 4]],
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
    ascii_pairs: table!("ascii_pairs"),
    characters: table!("characters"),
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
    use once_cell::race::OnceBox;

    static VIEW: OnceBox<View> = OnceBox::new();
    fn keep<const N: usize>(table: Vec<u8>) -> &'static [[u8; N]] {
        table.leak().as_chunks().0
    }
    VIEW.get_or_init(|| {
        let found = tables::Found {
            short_turns: include_bytes!(concat!(env!("OUT_DIR"), "/short_turns")),
            long_turns: include_bytes!(concat!(env!("OUT_DIR"), "/long_turns")),
            pair_turns: include_bytes!(concat!(env!("OUT_DIR"), "/pair_turns")),
            characters: include_bytes!(concat!(env!("OUT_DIR"), "/characters")),
        };
        let tables = tables::expand(
            include_bytes!("vocabulary/o200k_base.pairs"),
            include_bytes!("vocabulary/unicode-16.0.classes"),
            Some(found),
        );
        Box::new(View {
            short_pilots: keep(tables.short_pilots),
            short_words: keep(tables.short_words),
            long_pilots: keep(tables.long_pilots),
            long_words: keep(tables.long_words),
            pair_pilots: keep(tables.pair_pilots),
            pairs: keep(tables.pairs),
            parts: keep(tables.parts),
            ascii_pairs: keep(tables.ascii_pairs),
            characters: keep(tables.characters),
            class_index: keep::<1>(tables.class_index).as_flattened(),
            class_blocks: keep(tables.class_blocks),
        })
    })
}

impl View {
    /// Whether a piece of 2 to 8 bytes is one token: `key` holds its bytes, the rest `0xFF`.
    #[inline]
    pub(super) fn is_short_word(&self, key: u64) -> bool {
        let scattered = tables::SHORT.scatter(key);
        let pilot =
            self.short_pilots.get(tables::SHORT.bucket(scattered)).copied().unwrap_or_default();
        let slot = tables::SHORT.slot(scattered, u16::from_le_bytes(pilot));
        self.short_words.get(slot).is_some_and(|&[a, b, c, d, e, f]| {
            u64::from_le_bytes([a, b, c, d, e, f, 0, 0]) == tables::short_entry(scattered)
        })
    }

    /// Whether a piece of 9 to 16 bytes is one token: `low` and `high` hold its bytes, the rest `0xFF`.
    #[inline]
    pub(super) fn is_long_word(&self, low: u64, high: u64) -> bool {
        let scattered = tables::LONG.scatter2(low, high);
        let pilot =
            self.long_pilots.get(tables::LONG.bucket(scattered)).copied().unwrap_or_default();
        let slot = tables::LONG.slot(scattered, u16::from_le_bytes(pilot));
        let word = u128::from(low) | u128::from(high) << 64;
        self.long_words.get(slot).is_some_and(|entry| u128::from_le_bytes(*entry) == word)
    }

    /// The rank of the merge of two symbols that nothing has merged yet, or `NONE`.
    #[inline]
    pub(super) fn first_merge(&self, left: u32, right: u32) -> u32 {
        if left < 128 && right < 128 {
            let rank =
                self.ascii_pairs.get((left * 128 + right) as usize).copied().unwrap_or_default();
            return u32::from_le_bytes(rank);
        }
        self.merge(left, right)
    }

    /// The rank of the merge of two parts, or `NONE`.
    #[inline]
    pub(super) fn merge(&self, left: u32, right: u32) -> u32 {
        if left == NOT_A_PART || right == NOT_A_PART {
            return NONE;
        }
        let key = u64::from(left) << 16 | u64::from(right);
        let scattered = tables::PAIRS.scatter(key);
        let pilot =
            self.pair_pilots.get(tables::PAIRS.bucket(scattered)).copied().unwrap_or_default();
        let slot = tables::PAIRS.slot(scattered, u16::from_le_bytes(pilot));
        let Some(&[a, b, c, d, e]) = self.pairs.get(slot) else { return NONE };
        let same = u64::from(u16::from_le_bytes([a, b])) == tables::pair_entry(scattered);
        if same { u32::from_le_bytes([c, d, e, 0]) } else { NONE }
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

    /// Appends the part numbers that the merging of a piece, which is valid UTF-8, starts with: its bytes, and runs of
    /// white space (see `runs`), halves of emoji and whole CJK characters (see `tables::character_table`) where that is the
    /// same.
    pub(super) fn symbols(&self, piece: &[u8], symbols: &mut Vec<u32>) {
        let mut rest = piece.iter();
        let mut before = 0;
        while let Some(&lead) = rest.as_slice().first() {
            let runs = runs(lead);
            if !runs.is_empty() {
                let n = scan::run(Eight(load(rest.as_slice(), 0)).equal(lead)).max(1);
                let level = runs.len().min(n.ilog2() as usize + 1) - 1;
                symbols.extend(runs.get(level));
                rest.nth((1 << level) - 1);
                before = OUTSIDE;
                continue;
            }
            if let [0xF0, 0x9F, after @ ..] = rest.as_slice() {
                symbols.push(EMOJI);
                rest = after.iter();
                before = OUTSIDE;
                continue;
            }
            let Some((&bytes, after)) = rest.as_slice().split_first_chunk::<3>() else {
                symbols.extend(rest.map(|&byte| u32::from(byte)));
                return;
            };
            let character = self.character(lead, bytes);
            if character == OUTSIDE {
                symbols.push(u32::from(lead));
                rest.next();
                before = OUTSIDE;
                continue;
            }
            let next = match after {
                [] => 0,
                [lead, second, third, ..] => self.character(*lead, [*lead, *second, *third]),
                _ => OUTSIDE,
            };
            let open = character & tables::OPEN_START != 0 && before & tables::OPENS_NEXT != 0
                || character & tables::OPEN_END != 0 && next & tables::OPENS_PREVIOUS != 0;
            if character & tables::TOKEN == 0 || open {
                symbols.extend(bytes.map(u32::from));
            } else if character & tables::PART == 0 {
                symbols.push(NOT_A_PART);
            } else {
                symbols.push(character & 0xFFFF);
            }
            before = character;
            rest = after.iter();
        }
    }

    /// The entry of a CJK character, `OUTSIDE` for others.
    #[inline]
    fn character(&self, lead: u8, bytes: [u8; 3]) -> u32 {
        if !(tables::FIRST_LEAD..=tables::LAST_LEAD).contains(&lead) {
            return OUTSIDE;
        }
        let [first, second, third] = bytes.map(u32::from);
        let character = (first & 0x0F) << 12 | (second & 0x3F) << 6 | third & 0x3F;
        let entry = self.characters.get((character - tables::FIRST) as usize).copied();
        u32::from_le_bytes(entry.unwrap_or_default())
    }

    /// The class of a character.
    #[inline]
    pub(super) fn class(&self, character: u32) -> u8 {
        let at = character as usize;
        let block = self.class_index.get(at / 128).copied().unwrap_or_default();
        self.class_blocks
            .get(usize::from(block))
            .and_then(|block| block.get(at % 128))
            .copied()
            .unwrap_or_default()
    }
}

/// The part number of the first two bytes of most emoji. Nothing that takes one of them elsewhere has a lower rank.
const EMOJI: u32 = 3960;

/// The part numbers of 1, 2, 4 … of this byte, as which a run of it starts, longest first.
///
/// To these the run comes before all else: no merge of a lower rank than theirs takes the byte to any other.
const fn runs(byte: u8) -> &'static [u32] {
    match byte {
        b' ' => &[32, 256, 257, 269],
        b'\t' => &[9, 335, 625],
        b'\n' => &[10, 279],
        _ => &[],
    }
}

/// In place of the entry of a character that has none: it may open any neighbour.
const OUTSIDE: u32 = tables::OPENS_NEXT | tables::OPENS_PREVIOUS;

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
