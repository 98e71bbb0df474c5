//! Postings: which memories hold a term. The index is a table of chunks, each the postings of one term in a range of
//! [`CHUNK_DOCS`] numbers: small enough that adding one rewrites little, large enough that a scan reads few rows.
//!
//! A chunk is a row of entries by rising number: the number within the chunk (one byte), the count of the term and the
//! length of the memory in terms (both LEB128). Nothing else of a memory is in it.

use crate::prelude::*;
use crate::rank::terms;

/// Numbers per chunk. Our choice: a full one takes about 400 bytes, so that ten stand on one page of 4 KiB.
pub const CHUNK_DOCS: u64 = 128;

/// Changes whenever the terms of a text or the form of a chunk do: an index of another version is built anew.
pub const VERSION: u32 = 1;

/// That one memory holds a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posting {
    /// The number of the memory.
    pub doc: u64,
    /// How often it holds the term.
    pub tf: u32,
    /// How many terms it has, repeats included.
    pub n_terms: u32,
}

/// The distinct terms of a text with their counts, and how many terms it has in all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TermCounts {
    /// By term, in normal form.
    pub counts: BTreeMap<String, u32>,
    /// Repeats included.
    pub n_terms: u32,
}

impl TermCounts {
    /// Those of `text`.
    pub fn of(text: &str) -> TermCounts {
        let mut found = TermCounts::default();
        let mut term = String::new();
        terms::each(text, |raw| {
            raw.write(&mut term);
            if term.is_empty() {
                return;
            }
            found.n_terms += 1;
            match found.counts.get_mut(&term) {
                Some(count) => *count += 1,
                None => {
                    found.counts.insert(term.clone(), 1);
                }
            }
        });
        found
    }
}

/// The chunk that holds `doc`.
pub fn chunk_of(doc: u64) -> u64 {
    doc / CHUNK_DOCS
}

/// Appends the postings in `bytes`, the chunk number `chunk`. Entries that are cut short are left out.
pub fn read(chunk: u64, bytes: &[u8], out: &mut Vec<Posting>) {
    let mut rest = bytes;
    while let [low, tail @ ..] = rest {
        rest = tail;
        let (Some(tf), Some(n_terms)) = (number(&mut rest), number(&mut rest)) else { return };
        out.push(Posting { doc: chunk * CHUNK_DOCS + u64::from(*low), tf, n_terms });
    }
}

/// `bytes`, the chunk number `chunk`, with `added` in their places; they take those of the same memory.
pub fn with(chunk: u64, bytes: &[u8], added: impl IntoIterator<Item = Posting>) -> Vec<u8> {
    let mut postings = Vec::new();
    read(chunk, bytes, &mut postings);
    postings.extend(added);
    // Stable: of two postings of one memory the later one was added.
    postings.sort_by_key(|posting| posting.doc);
    postings.dedup_by(|later, kept| {
        let is_same = later.doc == kept.doc;
        if is_same {
            *kept = *later;
        }
        is_same
    });
    write(&postings)
}

/// `bytes` without the posting of `doc`; empty when none is left.
pub fn without(bytes: &[u8], doc: u64) -> Vec<u8> {
    let mut postings = Vec::new();
    read(chunk_of(doc), bytes, &mut postings);
    postings.retain(|held| held.doc != doc);
    write(&postings)
}

/// A chunk of these postings, which are all of one range and by rising number.
pub fn write(postings: &[Posting]) -> Vec<u8> {
    let mut out = Vec::with_capacity(postings.len() * 3);
    for posting in postings {
        out.push(u8::try_from(posting.doc % CHUNK_DOCS).unwrap_or_default());
        push_number(&mut out, posting.tf);
        push_number(&mut out, posting.n_terms);
    }
    out
}

fn push_number(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(u8::try_from(number & 0x7f).unwrap_or_default() | 0x80);
        number >>= 7;
    }
    out.push(u8::try_from(number).unwrap_or_default());
}

fn number(rest: &mut &[u8]) -> Option<u32> {
    let mut out = 0_u32;
    for shift in [0, 7, 14, 21, 28] {
        let (byte, tail) = rest.split_first()?;
        *rest = tail;
        out |= u32::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(out);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn posting(doc: u64, tf: u32, n_terms: u32) -> Posting {
        Posting { doc, tf, n_terms }
    }

    #[test]
    fn what_is_written_is_read() {
        let all = [posting(256, 1, 1), posting(257, 127, 128), posting(383, u32::MAX, 70_000)];
        let mut bytes = Vec::new();
        for added in [all[1], all[2], all[0], all[1]] {
            bytes = with(2, &bytes, [added]);
        }
        let mut found = Vec::new();
        read(2, &bytes, &mut found);
        assert_eq!(found, all);
        for gone in all {
            bytes = without(&bytes, gone.doc);
        }
        assert!(without(&bytes, 5).is_empty());
        for n_bytes in 0..12 {
            found.clear();
            read(0, &[0xff; 12][..n_bytes], &mut found);
        }
    }

    #[test]
    fn terms_are_counted() {
        let found = TermCounts::of("Retry, retries: readTimeout 数据");
        let listed: Vec<String> =
            found.counts.iter().map(|(term, n)| format!("{term}={n}")).collect();
        let expected = "read=1 readtimeout=1 retri=2 timeout=1 据=1 数=1 数据=1";
        let mut expected: Vec<&str> = expected.split(' ').collect();
        expected.sort_unstable();
        assert_eq!(listed, expected);
        assert_eq!((found.n_terms, TermCounts::of(" … ").n_terms), (8, 0));
    }
}
