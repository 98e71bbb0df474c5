//! Derives what the counter is made from: the pair list from the o200k_base vocabulary, the classes from Unicode 16.0.
//!
//! The test fails when a committed file differs from what is derived; `UPDATE_VOCABULARY=1` writes it instead.

use std::collections::BTreeMap;
use std::path::Path;
use std::{env, fs};

use regex_syntax::hir::{Class, HirKind};
use sha2::{Digest, Sha256};

const N_TOKENS: u32 = 199_998;
/// SHA-256 of the published file `o200k_base.tiktoken`, as the tiktoken package checks it.
const PUBLISHED: &str = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d";

#[test]
fn the_pair_list_is_the_published_vocabulary() {
    let vocabulary = tiktoken_rs::o200k_base_singleton();
    let tokens: Vec<Vec<u8>> = (0..N_TOKENS)
        .map(|rank| vocabulary.decode_bytes(&[rank]).expect("every rank has its bytes"))
        .collect();
    let published: String = tokens
        .iter()
        .enumerate()
        .map(|(rank, token)| format!("{} {rank}\n", base64(token)))
        .collect();
    assert_eq!(format!("{:x}", Sha256::digest(&published)), PUBLISHED);

    let ranks: BTreeMap<&[u8], usize> = tokens.iter().map(Vec::as_slice).zip(0..).collect();
    assert!(
        tokens.iter().take(256).all(|token| token.len() == 1),
        "the first 256 ranks are the bytes"
    );
    let number = |token: &[u8]| match token {
        [byte] => usize::from(*byte),
        longer => ranks[longer],
    };
    let pairs: Vec<[usize; 2]> = tokens
        .iter()
        .skip(256)
        .map(|token| {
            let (left, right) = last_merge(token, &ranks);
            [number(left), number(right)]
        })
        .collect();
    let planes: Vec<u8> = (0..6)
        .flat_map(|plane| pairs.iter().map(move |pair| pair[plane / 3].to_le_bytes()[plane % 3]))
        .collect();
    check("o200k_base.pairs", &planes);
}

#[test]
#[expect(clippy::cast_possible_truncation, reason = "seven bits at a time")]
fn the_classes_are_those_of_unicode_16() {
    let patterns = [
        r"[\s--[\r\n]]",
        r"[\r\n]",
        r"\p{N}",
        r"[\p{Lu}\p{Lt}]",
        r"\p{Ll}",
        r"[\p{Lm}\p{Lo}]",
        r"\p{M}",
    ];
    let mut classes = vec![0u8; 0x11_0000];
    for (pattern, number) in patterns.iter().zip(1..) {
        let hir = regex_syntax::parse(pattern).expect("a class");
        let HirKind::Class(Class::Unicode(class)) = hir.kind() else {
            panic!("{pattern} is not a class")
        };
        for range in class.ranges() {
            classes[range.start() as usize..=range.end() as usize].fill(number);
        }
    }
    let mut runs = Vec::new();
    for run in classes.chunk_by(|one, next| one == next) {
        let mut rest = run.len() << 3 | usize::from(run[0]);
        while rest > 0x7F {
            runs.push(0x80 | (rest & 0x7F) as u8);
            rest >>= 7;
        }
        runs.push(rest as u8);
    }
    check("unicode-16.0.classes", &runs);
}

/// The two tokens whose merge is the last step of encoding `token` itself.
fn last_merge<'a>(token: &'a [u8], ranks: &BTreeMap<&[u8], usize>) -> (&'a [u8], &'a [u8]) {
    let mut cuts: Vec<usize> = (0..=token.len()).collect();
    while cuts.len() > 3 {
        let merge = (1..cuts.len() - 1)
            .filter_map(|at| Some((*ranks.get(&token[cuts[at - 1]..cuts[at + 1]])?, at)))
            .min()
            .expect("every token is reachable by merges");
        cuts.remove(merge.1);
    }
    token.split_at(cuts[1])
}

/// Compares a file of the counter with what it should hold, or writes it.
fn check(name: &str, derived: &[u8]) {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/src/tokens/vocabulary").join(name);
    #[expect(clippy::disallowed_methods, reason = "the switch that rewrites committed files")]
    if env::var_os("UPDATE_VOCABULARY").is_some() {
        fs::write(&path, derived).expect("the tree is writable");
    }
    let committed = fs::read(&path).unwrap_or_default();
    assert!(committed == derived, "{name} differs from what is derived: see `UPDATE_VOCABULARY`");
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for group in bytes.chunks(3) {
        let bits = group.iter().fold(0, |bits, &byte| bits << 8 | usize::from(byte))
            << (8 * (3 - group.len()));
        for digit in 0..4 {
            out.push(if digit <= group.len() {
                char::from(DIGITS[bits >> (18 - 6 * digit) & 63])
            } else {
                '='
            });
        }
    }
    out
}
