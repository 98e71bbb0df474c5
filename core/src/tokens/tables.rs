//! Expands the committed pair list into the read-only tables that the counter reads.
//!
//! Compiled twice: `build.rs` runs it natively, so that a program starts with the tables in its read-only data; a wasm
//! build, which has to travel small, runs it at the first count, with what takes long to find already found by `build.rs`.
//! Both read the same layout.
//!
//! | table | answers | how |
//! |---|---|---|
//! | words | is this piece of 2 to 8 (9 to 16) bytes one token? | perfect hash of the bytes, exact compare |
//! | pairs | which token do these two neighbours merge into? | perfect hash of two part numbers, exact compare |
//! | parts | which part number has this token, if it takes part in any merge? | bit set with running counts |
//! | characters | may a CJK character start as its whole token? | see `characters` |
//! | classes | to which class of the splitting pattern does a character belong? | two-level table |
#![expect(
    clippy::indexing_slicing,
    reason = "runs over the pinned vocabulary only: an index out of range fails the build or the first test"
)]
#![expect(
    clippy::cast_possible_truncation,
    reason = "every number here is below 2^18 by construction"
)]

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

/// Tokens that are merges of two others; the 256 bytes come before them.
pub(crate) const N_MERGES: usize = 199_742;

/// The tables as bytes, numbers in little-endian order.
pub(crate) struct Tables {
    /// `[u16]` by bucket.
    pub(crate) short_pilots: Vec<u8>,
    /// 6 bytes by slot: `short_entry`.
    pub(crate) short_words: Vec<u8>,
    /// `[u16]` by bucket.
    pub(crate) long_pilots: Vec<u8>,
    /// 16 bytes by slot: the word's, the rest `0xFF`.
    pub(crate) long_words: Vec<u8>,
    /// `[u16]` by bucket.
    pub(crate) pair_pilots: Vec<u8>,
    /// 5 bytes by slot: `pair_entry` and rank.
    pub(crate) pairs: Vec<u8>,
    /// `[(u64, u64)]` by rank / 64: which tokens are parts, and how many parts come before.
    pub(crate) parts: Vec<u8>,
    /// `[u32]` by `left * 128 + right`: the rank of the merge of two ASCII bytes, or `NONE`.
    pub(crate) ascii_pairs: Vec<u8>,
    /// `[u32]` by scalar value - `FIRST`: see `character_table`.
    pub(crate) characters: Vec<u8>,
    /// Index of the block, by scalar value / 128.
    pub(crate) class_index: Vec<u8>,
    /// Blocks of 128 classes.
    pub(crate) class_blocks: Vec<u8>,
}

/// What takes long to find and little room to carry. The first expansion finds it; a wasm build is given it.
#[derive(Clone, Copy)]
pub(crate) struct Found<'a> {
    /// The turns (see [`pilot`]) of the short pilots, `[u16]`.
    pub(crate) short_turns: &'a [u8],
    /// Those of the long pilots.
    pub(crate) long_turns: &'a [u8],
    /// Those of the pair pilots.
    pub(crate) pair_turns: &'a [u8],
    /// [`Tables::characters`].
    pub(crate) characters: &'a [u8],
}

impl Tables {
    /// What [`Found`] holds, with the names of its files.
    pub(crate) fn found(&self) -> [(&'static str, Vec<u8>); 4] {
        let turns = |pilots: &[u8]| {
            let turn = |pilot: &[u8; 2]| u16::from_le_bytes(*pilot).wrapping_mul(STEP_BACK);
            pilots.as_chunks().0.iter().flat_map(|pilot| turn(pilot).to_le_bytes()).collect()
        };
        [
            ("short_turns", turns(&self.short_pilots)),
            ("long_turns", turns(&self.long_pilots)),
            ("pair_turns", turns(&self.pair_pilots)),
            ("characters", self.characters.clone()),
        ]
    }

    /// The tables with the names of their files.
    pub(crate) fn named(self) -> [(&'static str, Vec<u8>); 11] {
        [
            ("short_pilots", self.short_pilots),
            ("short_words", self.short_words),
            ("long_pilots", self.long_pilots),
            ("long_words", self.long_words),
            ("pair_pilots", self.pair_pilots),
            ("pairs", self.pairs),
            ("parts", self.parts),
            ("ascii_pairs", self.ascii_pairs),
            ("characters", self.characters),
            ("class_index", self.class_index),
            ("class_blocks", self.class_blocks),
        ]
    }
}

/// A perfect hash: how keys are spread over buckets, and buckets over slots.
///
/// A key of `bits` bits is scattered: mapped one to one to a number that looks random. Its
/// high 18 bits, scaled to the number of slots, are the home, the highest of the others (and at most two of those) the
/// bucket, whose pilot leads from the home to a slot of its own. Since more than 2^17 slots are scaled from 2^18 numbers,
/// at most two neighbours share a home. So the slot and the lower bits, from the lowest of the home's or the highest of
/// the bucket's down, name the key: they give the bucket, the pilot, the home and which of the two. No more need be kept
/// for an exact compare.
#[derive(Clone, Copy)]
pub(crate) struct Spread {
    /// An odd number, the first found for which no two keys of a bucket have the same home.
    factor: u64,
    bits: u32,
    /// Binary logarithm of the number of buckets.
    bucket_bits: u32,
    slots: u32,
}

/// Rank of two parts that do not merge.
pub(crate) const NONE: u32 = 0xFF_FFFF;
/// First scalar value of `character_table`; its characters have three bytes.
pub(crate) const FIRST: u32 = 0x3000;
/// First lead byte of `character_table`.
pub(crate) const FIRST_LEAD: u8 = 0xE3;
/// Last lead byte of `character_table`.
pub(crate) const LAST_LEAD: u8 = 0xED;
const N_CHARACTERS: u32 = 0xD800 - FIRST;

/// The character is one token, and its part number, if it has one, stands in the lower 16 bits.
pub(crate) const TOKEN: u32 = 1 << 16;
/// The character's token is a part.
pub(crate) const PART: u32 = 1 << 17;
/// A merge across the character's start may come before its own last merge,
pub(crate) const OPEN_START: u32 = 1 << 18;
/// if this flag is set on the character before it.
pub(crate) const OPENS_NEXT: u32 = 1 << 19;
/// The same for the character's end
pub(crate) const OPEN_END: u32 = 1 << 20;
/// and the character after it.
pub(crate) const OPENS_PREVIOUS: u32 = 1 << 21;

/// Where words of 2 to 8 bytes lie.
pub(crate) const SHORT: Spread =
    Spread { factor: factor(15), bits: 64, bucket_bits: 15, slots: 151_000 };
/// Where words of 9 to 16 bytes lie; they are kept whole.
pub(crate) const LONG: Spread =
    Spread { factor: factor(6), bits: 64, bucket_bits: 13, slots: 49_500 };
/// Where pairs lie.
pub(crate) const PAIRS: Spread =
    Spread { factor: factor(0), bits: 32, bucket_bits: 16, slots: 208_000 };

const _: () = assert!(SHORT.slots > 1 << 17 && PAIRS.slots > 1 << 17, "see `Spread`");

const fn factor(nth: u64) -> u64 {
    0x9E37_79B9_7F4A_7C15u64.wrapping_mul(2 * nth + 1)
}

impl Spread {
    /// The key, scattered.
    pub(crate) const fn scatter(self, key: u64) -> u64 {
        let all = u64::MAX >> (64 - self.bits);
        let once = key.wrapping_mul(self.factor) & all;
        (once ^ (once >> (self.bits / 2))).wrapping_mul(0xD6E8_FEB8_6659_FD93) & all
    }

    /// A key of two words, scattered (not one to one).
    pub(crate) const fn scatter2(self, low: u64, high: u64) -> u64 {
        self.scatter(low ^ high.wrapping_mul(0xA24B_AED4_963E_E407).rotate_left(29))
    }

    /// The bucket of a scattered key.
    pub(crate) const fn bucket(self, scattered: u64) -> usize {
        let above = (self.bits - 17).saturating_sub(self.bucket_bits);
        (scattered >> above & ((1 << self.bucket_bits) - 1)) as usize
    }

    /// The slot of a scattered key whose bucket has this pilot.
    pub(crate) const fn slot(self, scattered: u64, pilot: u16) -> usize {
        let home = ((scattered >> (self.bits - 18)) * self.slots as u64) >> 18;
        let slot = home as u32 + pilot as u32;
        (if slot >= self.slots { slot - self.slots } else { slot }) as usize
    }
}

/// The pilot that is tried in a turn. Most buckets find theirs early, so turns compress where pilots do not.
const fn pilot(turn: u16) -> u16 {
    turn.wrapping_mul(40_503)
}

/// Undoes [`pilot`]: 40,503 * 30,599 = 1 modulo 2^16.
const STEP_BACK: u16 = 30_599;

/// What a slot of `short_words` holds: 47 bits of the scattered key, and a bit that is set. A free slot is 0.
pub(crate) const fn short_entry(scattered: u64) -> u64 {
    (scattered << 1 | 1) & 0xFFFF_FFFF_FFFF
}

/// What a slot of `pairs` holds in its lower 16 bits: that many of the scattered key. The rank of the merge stands in
/// the 24 bits above, `NONE` in a free slot.
pub(crate) const fn pair_entry(scattered: u64) -> u64 {
    scattered & 0xFFFF
}

/// Expands the pair list: six planes of `N_MERGES` bytes, the three bytes of each left token and then of each right
/// one, lowest first. A token is a byte (0 to 255) or 256 + the index of its merge.
pub(crate) fn expand(planes: &[u8], runs: &[u8], found: Option<Found<'_>>) -> Tables {
    let token = |plane: usize, at: usize| {
        let byte = |plane: usize| u32::from(planes[plane * N_MERGES + at]);
        byte(plane) | byte(plane + 1) << 8 | byte(plane + 2) << 16
    };
    let merges: Vec<(u32, u32)> = (0..N_MERGES).map(|at| (token(0, at), token(3, at))).collect();
    let text = Text::new(&merges);

    let mut short = Vec::new();
    let mut long = Vec::new();
    for token in 256..text.len() {
        let word = text.of(token);
        if word.len() > 16
            || core::str::from_utf8(word).is_err()
            || word.iter().all(u8::is_ascii_digit)
        {
            continue;
        }
        let mut key = [0xFF; 16];
        key[..word.len()].copy_from_slice(word);
        let (low, high) = (number(&key[..8]), number(&key[8..]));
        if word.len() <= 8 {
            let scattered = SHORT.scatter(low);
            short.push((scattered, first_bytes::<6>(short_entry(scattered))));
        } else {
            long.push((LONG.scatter2(low, high), key));
        }
    }
    let (short_pilots, short_words) = place(SHORT, &short, [0; 6], found.map(|f| f.short_turns));
    let (long_pilots, long_words) = place(LONG, &long, [0; 16], found.map(|f| f.long_turns));

    let mut part = vec![false; text.len()];
    part[..256].fill(true);
    for &(left, right) in &merges {
        part[left as usize] = true;
        part[right as usize] = true;
    }
    let mut parts = Vec::new();
    let mut numbers = vec![0u16; text.len()];
    let mut n_parts = 0u64;
    for (at, block) in part.chunks(64).enumerate() {
        let mut set = 0u64;
        parts.extend([0; 8]);
        parts.extend(n_parts.to_le_bytes());
        for (bit, &is_part) in block.iter().enumerate() {
            if is_part {
                set |= 1 << bit;
                numbers[at * 64 + bit] = n_parts as u16;
                n_parts += 1;
            }
        }
        parts[at * 16..at * 16 + 8].copy_from_slice(&set.to_le_bytes());
    }
    assert!(n_parts <= 1 << 16, "part numbers have 16 bits");

    let mut ascii_pairs = vec![NONE; 128 * 128];
    for (&(left, right), rank) in merges.iter().zip(256..) {
        if left < 128 && right < 128 {
            ascii_pairs[(left * 128 + right) as usize] = rank;
        }
    }
    let characters = match found {
        Some(found) => found.characters.to_vec(),
        None => words(&character_table(&text, &part, &numbers)),
    };

    let pairs: Vec<(u64, [u8; 5])> = merges
        .iter()
        .enumerate()
        .map(|(at, &(left, right))| {
            let key = u64::from(numbers[left as usize]) << 16 | u64::from(numbers[right as usize]);
            let scattered = PAIRS.scatter(key);
            (scattered, first_bytes(pair_entry(scattered) | (at as u64 + 256) << 16))
        })
        .collect();
    let (pair_pilots, pairs) = place(PAIRS, &pairs, [0xFF; 5], found.map(|f| f.pair_turns));
    let (class_index, class_blocks) = class_table(runs);
    Tables {
        short_pilots,
        short_words,
        long_pilots,
        long_words,
        pair_pilots,
        pairs,
        parts,
        ascii_pairs: words(&ascii_pairs),
        characters,
        class_index,
        class_blocks,
    }
}

/// The bytes of every token.
struct Text {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

impl Text {
    fn new(merges: &[(u32, u32)]) -> Text {
        let mut text = Text { bytes: (0..=255).collect(), ends: (1..=256).collect() };
        for &(left, right) in merges {
            for side in [left, right] {
                let range = text.range(side as usize);
                text.bytes.extend_from_within(range);
            }
            text.ends.push(text.bytes.len() as u32);
        }
        text
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn range(&self, token: usize) -> core::ops::Range<usize> {
        let start = if token == 0 { 0 } else { self.ends[token - 1] };
        start as usize..self.ends[token] as usize
    }

    fn of(&self, token: usize) -> &[u8] {
        &self.bytes[self.range(token)]
    }
}

fn first_bytes<const N: usize>(number: u64) -> [u8; N] {
    let mut bytes = [0; N];
    bytes.copy_from_slice(&number.to_le_bytes()[..N]);
    bytes
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte))
}

/// Lays every entry into its slot; the turns of the pilots are given or found.
fn place<const N: usize>(
    spread: Spread,
    entries: &[(u64, [u8; N])],
    free: [u8; N],
    turns: Option<&[u8]>,
) -> (Vec<u8>, Vec<u8>) {
    let Some(turns) = turns else { return find_places(spread, entries, free) };
    let turns = turns.as_chunks().0.iter().map(|turn| pilot(u16::from_le_bytes(*turn)));
    let pilots: Vec<u16> = turns.collect();
    let mut table: Vec<u8> = free.repeat(spread.slots as usize);
    for (hash, entry) in entries {
        let slot = spread.slot(*hash, pilots[spread.bucket(*hash)]);
        table[slot * N..slot * N + N].copy_from_slice(entry);
    }
    (pilots.iter().flat_map(|pilot| pilot.to_le_bytes()).collect(), table)
}

/// Finds for each bucket, the fullest first, the pilot that moves its keys to free slots.
fn find_places<const N: usize>(
    spread: Spread,
    entries: &[(u64, [u8; N])],
    free: [u8; N],
) -> (Vec<u8>, Vec<u8>) {
    let mut buckets = vec![Vec::new(); 1 << spread.bucket_bits];
    for (at, &(scattered, _)) in entries.iter().enumerate() {
        buckets[spread.bucket(scattered)].push(at as u32);
    }
    let mut order: Vec<u32> = (0..1 << spread.bucket_bits).collect();
    order.sort_by_key(|&bucket| Reverse(buckets[bucket as usize].len()));

    let mut pilots = vec![0; 2 << spread.bucket_bits];
    let mut table: Vec<u8> = free.repeat(spread.slots as usize);
    let mut taken = vec![false; spread.slots as usize];
    let mut slots = Vec::new();
    for bucket in order {
        let bucket = bucket as usize;
        let keys = &buckets[bucket];
        let pilots_in_turn = (0..=u16::MAX).map(pilot);
        let pilot =
            pilots_in_turn.filter(|&pilot| u32::from(pilot) < spread.slots).find(|&pilot| {
                slots.clear();
                keys.iter().all(|&key| {
                    let slot = spread.slot(entries[key as usize].0, pilot);
                    let fits = !taken[slot] && !slots.contains(&slot);
                    slots.push(slot);
                    fits
                })
            });
        assert!(pilot.is_some(), "two keys of one bucket share a slot: take another factor");
        pilots[bucket * 2..bucket * 2 + 2]
            .copy_from_slice(&pilot.unwrap_or_default().to_le_bytes());
        for (&key, &slot) in keys.iter().zip(&slots) {
            taken[slot] = true;
            table[slot * N..slot * N + N].copy_from_slice(&entries[key as usize].1);
        }
    }
    (pilots, table)
}

/// Which CJK characters (U+3000 to U+D7FF) may start as whole tokens instead of three bytes.
///
/// A character that is a token always comes to be it, before any merge that crosses its borders, when each token that
/// holds only a part of the character and more beside has a higher rank. Where some have a lower one, the flags tell
/// which neighbours such a token would need: they are few, so nearly every character starts whole.
fn character_table(text: &Text, part: &[bool], numbers: &[u16]) -> Vec<u32> {
    let covered =
        |bytes: &[u8]| bytes.first().is_some_and(|lead| (FIRST_LEAD..=LAST_LEAD).contains(lead));
    let place = |bytes: &[u8]| match core::str::from_utf8(bytes) {
        Ok(one) => one
            .chars()
            .next()
            .filter(|_| covered(bytes))
            .map(|character| (character as u32 - FIRST) as usize),
        Err(_) => None,
    };
    let mut table = vec![0; N_CHARACTERS as usize];
    // Lowest rank of a token that ends with these first bytes of a character, or starts with these last ones, and has
    // more beside them.
    let mut ending: Vec<(&[u8], u32)> = Vec::new();
    let mut starting: Vec<(&[u8], u32)> = Vec::new();
    for token in 256..text.len() {
        let bytes = text.of(token);
        let is_start = |byte: &u8| (*byte & 0xC0) != 0x80;
        let first = bytes.iter().position(is_start).unwrap_or(bytes.len());
        let last = bytes.iter().rposition(is_start).unwrap_or(0);
        if 0 < last && covered(&bytes[last..]) && bytes.len() < last + 3 {
            ending.push((&bytes[last..], token as u32));
            let before = bytes[..last].iter().rposition(is_start).map(|at| &bytes[at..last]);
            flag(&mut table, OPENS_NEXT, |character| match before {
                Some(whole) => whole == character,
                None => character.ends_with(&bytes[..last]),
            });
        }
        if 0 < first && first < bytes.len() {
            starting.push((&bytes[..first], token as u32));
            let after = &bytes[first..];
            flag(&mut table, OPENS_PREVIOUS, |character| {
                after.starts_with(character) || character.starts_with(after)
            });
        }
        if bytes.len() == 3
            && let Some(at) = place(bytes)
        {
            table[at] |= TOKEN | if part[token] { PART | u32::from(numbers[token]) } else { 0 };
        }
    }
    for token in 256..text.len() {
        let bytes = text.of(token);
        let Some(at) = place(bytes).filter(|_| bytes.len() == 3) else { continue };
        let below = |rank: u32| (rank as usize) < token;
        if ending.iter().any(|&(first, rank)| below(rank) && bytes.starts_with(first)) {
            table[at] |= OPEN_START;
        }
        if starting.iter().any(|&(last, rank)| below(rank) && bytes.ends_with(last)) {
            table[at] |= OPEN_END;
        }
    }
    table
}

/// Sets `flag` on the characters that `holds` says.
fn flag(table: &mut [u32], flag: u32, holds: impl Fn(&[u8]) -> bool) {
    for (entry, character) in table.iter_mut().zip(FIRST..) {
        let mut bytes = [0; 4];
        if char::from_u32(character)
            .is_some_and(|character| holds(character.encode_utf8(&mut bytes).as_bytes()))
        {
            *entry |= flag;
        }
    }
}

fn words(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// Runs of equal classes (length * 8 + class, seven bits a byte, lowest first) as blocks of 128.
fn class_table(runs: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let mut all = Vec::with_capacity(0x11_0000);
    let (mut run, mut shift) = (0, 0);
    for &byte in runs {
        run |= usize::from(byte & 0x7F) << shift;
        shift += 7;
        if byte < 0x80 {
            all.resize(all.len() + (run >> 3), (run & 7) as u8);
            (run, shift) = (0, 0);
        }
    }
    let mut blocks: Vec<&[u8]> = Vec::new();
    let mut index = Vec::with_capacity(all.len() / 128);
    for block in all.chunks(128) {
        let at = blocks.iter().position(|known| *known == block).unwrap_or_else(|| {
            blocks.push(block);
            blocks.len() - 1
        });
        index.push(at as u8);
    }
    assert!(blocks.len() <= 256, "block numbers have 8 bits");
    (index, blocks.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_before_gives_the_same_tables() {
        let planes = include_bytes!("vocabulary/o200k_base.pairs");
        let runs = include_bytes!("vocabulary/unicode-16.0.classes");
        let tables = expand(planes, runs, None);
        let [(_, short), (_, long), (_, pairs), (_, characters)] = tables.found();
        let found = Found {
            short_turns: &short,
            long_turns: &long,
            pair_turns: &pairs,
            characters: &characters,
        };
        for ((name, made), (_, remade)) in
            tables.named().iter().zip(expand(planes, runs, Some(found)).named())
        {
            assert!(*made == remade, "{name}");
        }
    }
}
