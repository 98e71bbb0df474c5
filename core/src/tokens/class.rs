//! The character classes that the splitting pattern speaks of, pinned to Unicode 16.0: newer tables move rare characters.

/// None of the others: punctuation, symbols, controls, unassigned.
pub(super) const OTHER: u8 = 0;
/// `\s` without `\r` and `\n`.
pub(super) const SPACE: u8 = 1;
/// `\r` and `\n`.
pub(super) const BREAK: u8 = 2;
/// `\p{N}`.
pub(super) const NUMBER: u8 = 3;
/// `\p{Lu}` and `\p{Lt}`.
pub(super) const UPPER: u8 = 4;
/// `\p{Ll}`.
pub(super) const LOWER: u8 = 5;
/// `\p{Lm}` and `\p{Lo}`: letters that stand where upper and where lower case may.
pub(super) const UNCASED: u8 = 6;
/// `\p{M}`: like an uncased letter inside a word, like punctuation elsewhere.
pub(super) const MARK: u8 = 7;
