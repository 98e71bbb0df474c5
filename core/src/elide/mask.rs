//! Masking: the shape of a line is what remains when identifiers are taken out.
//!
//! Identifiers (numbers, hex, UUIDs, hashes, timestamps, addresses, versions, path tails with digits) are masked; words
//! are not, so that a line which says something new has a new shape. A shape is a sum of position-mixed token hashes,
//! which lets [`merge`] take one word out of it in constant time.
//!
//! ```text
//! 2026-09-14 08:00:00,428 INFO [exec-7] GET /api/users/8643 -> 200 in 31 ms
//! #,# INFO [exec-#] GET /api/users/# -> # in # ms
//! ```

use super::signal;
use crate::prelude::*;
use hashbrown::HashMap;

/// A map whose order never reaches output: keys are hashes already.
pub type HashedMap<V> = HashMap<u64, V, core::hash::BuildHasherDefault<Identity>>;

/// Takes a 64-bit hash as it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Identity(u64);

impl core::hash::Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = hash_bytes(self.0, bytes);
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

const SEED: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
/// Stands for one identifier.
const MASKED: u64 = 0x517c_c1b7_2722_0a95;
/// Stands for a word that varies.
const WILD: u64 = 0x2545_f491_4f6c_dd1d;

/// FNV-1a over `bytes`, continuing from `hash`.
pub fn hash_bytes(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |h, b| (h ^ u64::from(*b)).wrapping_mul(PRIME))
}

/// The hash of a text.
pub fn hash(text: &str) -> u64 {
    finish(hash_bytes(SEED, text.as_bytes()))
}

/// Mixes two hashes, order mattering.
pub fn mix(a: u64, b: u64) -> u64 {
    finish(a.rotate_left(23) ^ b.wrapping_mul(GOLDEN))
}

/// Spreads the bits (the finaliser of SplitMix64).
fn finish(mut h: u64) -> u64 {
    h = (h ^ (h >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    h = (h ^ (h >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    h ^ (h >> 31)
}

/// What a byte does in a token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    Digit,
    /// Joins parts of one compound: `- . : @ + ~`
    Joint,
    Space,
    Other,
}

const CLASSES: [Class; 256] = {
    let mut table = [Class::Other; 256];
    let mut b = 0;
    while b < 256 {
        #[expect(
            clippy::indexing_slicing,
            reason = "const evaluation: out of bounds would not compile"
        )]
        #[expect(clippy::cast_possible_truncation, reason = "b is below 256")]
        {
            table[b] = match b as u8 {
                b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80..=0xff => Class::Letter,
                b'0'..=b'9' => Class::Digit,
                b'-' | b'.' | b':' | b'@' | b'+' | b'~' => Class::Joint,
                b' ' | b'\t' | b'\r' | b'\n' => Class::Space,
                _ => Class::Other,
            };
        }
        b += 1;
    }
    table
};

fn class(b: u8) -> Class {
    CLASSES.get(usize::from(b)).copied().unwrap_or(Class::Other)
}

/// One token of a shape.
#[derive(Clone, Copy, Debug)]
struct Token {
    hash: u64,
    start: usize,
    end: usize,
    is_word: bool,
    is_space: bool,
}

/// Calls `each` for every token of a line: words, single separators, and one masked token for each run of identifier parts.
fn tokens(line: &str, mut each: impl FnMut(Token)) {
    let bytes = line.as_bytes();
    let at = |i: usize| bytes.get(i).copied().unwrap_or(b' ');
    let mut i = 0;
    // The end of a run of masked parts that joints may continue.
    let mut masked_end = usize::MAX;
    while i < bytes.len() {
        match class(at(i)) {
            Class::Letter | Class::Digit => {
                let start = i;
                let mut n_digits = 0;
                let mut h = SEED;
                while i < bytes.len() {
                    let b = at(i);
                    match class(b) {
                        Class::Letter => {}
                        Class::Digit => n_digits += 1,
                        _ => break,
                    }
                    h = (h ^ u64::from(b)).wrapping_mul(PRIME);
                    i += 1;
                }
                let part = bytes.get(start..i).unwrap_or_default();
                let after_masked = masked_end != usize::MAX
                    && start == masked_end + 1
                    && class(at(masked_end)) == Class::Joint;
                let is_masked = n_digits > 0
                    || is_identifier(part, after_masked)
                    || (starts_compound_id(bytes, start, i));
                if is_masked {
                    // A joint between two masked parts was held back: the run is one token.
                    if !after_masked {
                        each(Token {
                            hash: MASKED,
                            start,
                            end: i,
                            is_word: false,
                            is_space: false,
                        });
                    }
                    masked_end = i;
                } else {
                    if after_masked {
                        each(Token {
                            hash: u64::from(at(masked_end)),
                            start: masked_end,
                            end: masked_end + 1,
                            is_word: false,
                            is_space: false,
                        });
                    }
                    masked_end = usize::MAX;
                    each(Token { hash: finish(h), start, end: i, is_word: true, is_space: false });
                }
            }
            Class::Joint
                if masked_end == i
                    && matches!(class(at(i + 1)), Class::Letter | Class::Digit)
                    && i + 1 < bytes.len() =>
            {
                i += 1
            }
            Class::Space => {
                while i < bytes.len() && class(at(i)) == Class::Space {
                    i += 1;
                }
                masked_end = usize::MAX;
                each(Token {
                    hash: u64::from(b' '),
                    start: i,
                    end: i,
                    is_word: false,
                    is_space: true,
                });
            }
            _ => {
                each(Token {
                    hash: u64::from(at(i)),
                    start: i,
                    end: i + 1,
                    is_word: false,
                    is_space: false,
                });
                masked_end = usize::MAX;
                i += 1;
            }
        }
    }
}

/// A part without digits that is an identifier all the same: eight and more hex letters; after a masked part also short
/// hex and vowel-less parts (`a692-face-…`, `checkout-3783646bf-mnxqt`); month and weekday names.
fn is_identifier(part: &[u8], after_masked: bool) -> bool {
    let is_hex = |b: &u8| matches!(b, b'a'..=b'f' | b'A'..=b'F');
    if part.len() >= 8 && part.iter().all(is_hex) {
        return true;
    }
    if after_masked && (part.len() == 1 || part.iter().all(is_hex) || is_vowelless(part)) {
        return true;
    }
    part.len() == 3 && is_calendar_name(part)
}

fn is_vowelless(part: &[u8]) -> bool {
    part.len() >= 4
        && part.iter().all(|b| {
            b.is_ascii_lowercase() && !matches!(b, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
        })
}

/// A first part of hex letters that a joint and a digit-bearing part follow, as in `face12-…` cut after `face-0c1d`.
fn starts_compound_id(bytes: &[u8], start: usize, end: usize) -> bool {
    let part = bytes.get(start..end).unwrap_or_default();
    if part.len() < 4
        || !part.iter().all(|b| matches!(b, b'a'..=b'f'))
        || bytes.get(end) != Some(&b'-')
    {
        return false;
    }
    let next = bytes.get(end + 1..).unwrap_or_default();
    let len = next.iter().take_while(|b| b.is_ascii_hexdigit()).count();
    len == 4 && next.get(..len).unwrap_or_default().iter().any(u8::is_ascii_digit)
}

fn is_calendar_name(part: &[u8]) -> bool {
    const NAMES: [&[u8]; 19] = [
        b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov",
        b"Dec", b"Mon", b"Tue", b"Wed", b"Thu", b"Fri", b"Sat", b"Sun",
    ];
    NAMES.contains(&part)
}

fn placed(hash: u64, position: u64) -> u64 {
    finish(hash ^ position.wrapping_mul(GOLDEN))
}

/// One field of a line: what stands between spaces.
struct Field {
    hash: u64,
    position: u64,
    /// Whether it holds words, none of them a level or a word of failure.
    may_vary: bool,
}

/// Calls `each` for every field of a line, in order, and returns how many there are.
fn fields(line: &str, judges_words: Judge, mut each: impl FnMut(Field)) -> u64 {
    let (mut hash, mut position) = (0_u64, 0_u64);
    let (mut has_word, mut is_grave) = (false, false);
    tokens(line, |token| {
        if token.is_space {
            each(Field { hash, position, may_vary: has_word && !is_grave });
            position += 1;
            (hash, has_word, is_grave) = (0, false, false);
            return;
        }
        hash = hash.rotate_left(23) ^ token.hash.wrapping_mul(GOLDEN);
        if token.is_word && judges_words == Judge::Words {
            let word = line.get(token.start..token.end).unwrap_or_default();
            has_word = true;
            is_grave |= signal::level(word).is_some() || signal::speaks_of_failure(word);
        }
    });
    each(Field { hash, position, may_vary: has_word && !is_grave });
    position
}

/// Whether [`fields`] looks at what words say, or only at their hashes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Judge {
    Words,
    Hashes,
}

/// The shape of a line.
pub fn shape(line: &str) -> u64 {
    let mut sum = 0_u64;
    let n = fields(line, Judge::Hashes, |field| {
        sum = sum.wrapping_add(placed(field.hash, field.position))
    });
    sum.wrapping_add(finish(n))
}

/// Distinct shapes that are looked at closely; more of them are compared with what these showed.
const MAX_MINED: usize = 16_384;
/// So many different fields in one place of otherwise equal shapes make the place a variable. Our choice.
const MIN_WORDS_OF_VARIABLE: u32 = 8;
/// So many places of one template may vary. Our choice.
const MAX_VARIABLES: usize = 3;

/// A shape on its way to a template.
struct Template<'t> {
    shape: u64,
    line: &'t str,
    /// A bit for each place that varies already.
    wild: u64,
}

impl Template<'_> {
    /// Calls `each` with the shape that this becomes when one more place varies, and that place.
    fn each_without(&self, mut each: impl FnMut(u64, u64)) {
        fields(self.line, Judge::Words, |field| {
            let bit = 1_u64.checked_shl(u32::try_from(field.position).unwrap_or(64)).unwrap_or(0);
            if field.may_vary && bit != 0 && self.wild & bit == 0 {
                let without = self.shape.wrapping_sub(placed(field.hash, field.position));
                each(without.wrapping_add(placed(WILD, field.position)), bit);
            }
        });
    }
}

/// Finds the fields that vary: shapes that differ in one field only, with at least eight different words in that place,
/// become one shape; then again, so that up to three places of a template vary. Words of failure and levels never vary.
/// `examples` holds each distinct shape once, with one line of it; the answer has the merged shape of each, in the same order.
pub fn merge(examples: &[(u64, &str)]) -> Vec<u64> {
    let mut merged: Vec<u64> = examples.iter().map(|(shape, _)| *shape).collect();
    let mut templates: Vec<Template<'_>> =
        examples.iter().map(|(shape, line)| Template { shape: *shape, line, wild: 0 }).collect();
    for _ in 0..MAX_VARIABLES {
        let mut n_words: HashedMap<u32> = HashedMap::default();
        for template in templates.iter().take(MAX_MINED) {
            template.each_without(|key, _| *n_words.entry(key).or_insert(0) += 1);
        }
        let mut becomes: HashedMap<u64> = HashedMap::default();
        let mut next: Vec<Template<'_>> = Vec::new();
        let mut seen: HashedMap<()> = HashedMap::default();
        for template in &templates {
            let mut best = (MIN_WORDS_OF_VARIABLE - 1, template.shape, 0);
            template.each_without(|key, bit| {
                let n = n_words.get(&key).copied().unwrap_or(0);
                if n > best.0 {
                    best = (n, key, bit);
                }
            });
            becomes.insert(template.shape, best.1);
            if seen.insert(best.1, ()).is_none() {
                next.push(Template {
                    shape: best.1,
                    line: template.line,
                    wild: template.wild | best.2,
                });
            }
        }
        if next.len() == templates.len() {
            break;
        }
        for shape in &mut merged {
            *shape = becomes.get(shape).copied().unwrap_or(*shape);
        }
        templates = next;
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(line: &str) -> String {
        let mut out = String::new();
        tokens(line, |t| match t.hash {
            MASKED => out.push('#'),
            _ => out.push_str(if t.hash == u64::from(b' ') {
                " "
            } else {
                line.get(t.start..t.end).unwrap()
            }),
        });
        out
    }

    #[test]
    fn identifiers_are_masked_and_words_are_not() {
        for (line, want) in [
            (
                "2026-09-14 08:00:00,428 INFO  [exec-7] GET /api/users/8643 -> 200",
                "# #,# INFO [exec-#] GET /api/users/# -> #",
            ),
            ("[req-38101a0b-2096-abcd-96ea-a692162415ae 113d3a99]", "[req-# #]"),
            ("abcd-1096 face-0c1d-beef-dead-a692162415ae x", "# # x"),
            (
                "Dec 10 06:55:46 LabSZ sshd[24200]: from 173.234.31.186",
                "# # # LabSZ sshd[#]: from #",
            ),
            ("checkout-3783646bf-mnxqt 1/1 Running", "checkout-# #/# Running"),
            (
                "at OrderService.place(OrderService.java:88)",
                "at OrderService.place(OrderService.java:#)",
            ),
            ("größe 2 deadbeef cafe", "größe # # cafe"),
            ("", ""),
        ] {
            assert_eq!(masked(line), want, "{line}");
        }
        assert_eq!(shape("a 1 b"), shape("a 77 b"));
        assert_ne!(shape("a 1 b"), shape("a 1 c"));
        assert_ne!(shape("b a"), shape("a b"));
    }

    #[test]
    fn a_place_with_many_words_becomes_a_variable_but_failure_never_does() {
        let users = ["anna", "boris", "clara", "doris", "emil", "franz", "gerda", "hans", "inge"];
        let lines: Vec<String> =
            users.iter().map(|u| format!("session opened for {u} by admin")).collect();
        let mut examples: Vec<(u64, &str)> = lines.iter().map(|l| (shape(l), l.as_str())).collect();
        let odd = "session refused for anna by admin";
        examples.push((shape(odd), odd));
        let merged = merge(&examples);
        assert!(merged[..9].windows(2).all(|w| w[0] == w[1]));
        assert_ne!(merged[9], merged[0]);
        let few = merge(&examples[..7]);
        assert_eq!(few, examples[..7].iter().map(|e| e.0).collect::<Vec<_>>());
    }
}
