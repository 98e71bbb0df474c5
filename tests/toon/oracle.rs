//! The same documents through `toon-format`, which passes the specification's fixtures too.

use crate::exact;
use crate::generate::{self, Numbers};
use caveman_core::json::{self, JsonKind};
use caveman_core::toon::{self, DecodeOptions, Delimiter, EncodeOptions, Strictness};
use caveman_tests::random::Random;
use std::env;
use toon_format::types as theirs;

/// The full number, or an eighth of it for everyday runs.
fn scaled(n: u64) -> u64 {
    #[expect(clippy::disallowed_methods, reason = "a switch of the suite")]
    let is_full = env::var_os("TOON_FULL").is_some();
    if is_full { n } else { n / 8 }
}

fn encode_options(random: &mut Random) -> (EncodeOptions, theirs::EncodeOptions) {
    let options = theirs::EncodeOptions::new();
    match random.below(4) {
        0 => (
            EncodeOptions { delimiter: Delimiter::Pipe, ..EncodeOptions::default() },
            options.with_delimiter(theirs::Delimiter::Pipe),
        ),
        1 => (
            EncodeOptions { delimiter: Delimiter::Tab, ..EncodeOptions::default() },
            options.with_delimiter(theirs::Delimiter::Tab),
        ),
        _ => (EncodeOptions::default(), options),
    }
}

fn encode_theirs(json: &str, options: &theirs::EncodeOptions) -> String {
    let value: serde_json::Value =
        serde_json::from_str(json).unwrap_or_else(|e| panic!("{json}: {e}"));
    toon_format::encode(&value, options).unwrap_or_else(|e| panic!("{json}: {e}"))
}

#[test]
fn encoded_documents_are_byte_equal() {
    let mut random = Random::new(1);
    for _ in 0..scaled(30_000) {
        let json = generate::document(&mut random, Numbers::Tame);
        let (ours, theirs) = encode_options(&mut random);
        let toon = toon::encode(&json, &ours).unwrap_or_else(|e| panic!("{json}: {e}"));
        assert_eq!(toon, encode_theirs(&json, &theirs), "{json}");
    }
}

#[test]
fn documents_come_back_in_value() {
    let mut random = Random::new(2);
    for _ in 0..scaled(30_000) {
        let json = generate::document(&mut random, Numbers::Wild);
        let (options, _) = encode_options(&mut random);
        let toon = toon::encode(&json, &options).unwrap_or_else(|e| panic!("{json}: {e}"));
        for strictness in [Strictness::Strict, Strictness::Lenient] {
            let options = DecodeOptions { strictness, ..DecodeOptions::default() };
            let back =
                toon::decode(&toon, &options).unwrap_or_else(|e| panic!("{json}\n{toon}\n{e}"));
            // Rows take the order of their header, so it is the second round that must be equal.
            let again =
                toon::encode(&back, &EncodeOptions::default()).expect("decoded JSON encodes");
            let back_again = toon::decode(&again, &options).expect("encoded TOON decodes");
            assert!(exact::same(&back, &back_again), "{json}\n{toon}\n{back}\n{back_again}");
            assert!(same_unordered(&json, &back), "{json}\n{toon}\n{back}");
        }
    }
}

/// Equality of JSON texts without regard to key order.
fn same_unordered(a: &str, b: &str) -> bool {
    fn sorted(value: json::Value<'_>) -> String {
        match value.kind() {
            JsonKind::Array => {
                format!("[{}]", value.elements().map(sorted).collect::<Vec<_>>().join(","))
            }
            JsonKind::Object => {
                let mut members: Vec<String> = value
                    .members()
                    .map(|(k, v)| format!("{:?}:{}", k.as_str(), sorted(v)))
                    .collect();
                members.sort();
                format!("{{{}}}", members.join(","))
            }
            JsonKind::Number => format!("{:?}", exact::decimal(value.text())),
            JsonKind::String => format!("{:?}", value.as_str()),
            _ => value.text().to_owned(),
        }
    }
    let (a, b) = (json::read(a).expect("JSON"), json::read(b).expect("JSON"));
    sorted(a.root()) == sorted(b.root())
}

/// Whether our JSON text says what their value says. Where a number has no exact place in their types, they give a
/// string or a float that is near.
fn agrees(ours: json::Value<'_>, theirs: &serde_json::Value) -> bool {
    use serde_json::Value as V;
    match (ours.kind(), theirs) {
        (JsonKind::Null, V::Null) => true,
        (JsonKind::Bool, V::Bool(b)) => ours.text() == if *b { "true" } else { "false" },
        (JsonKind::String, V::String(s)) => ours.as_str().is_some_and(|o| o == *s),
        (JsonKind::Number, V::Number(n)) => {
            let ours: f64 = ours.text().parse().expect("a number");
            n.as_f64().is_some_and(|n| n == ours)
        }
        (JsonKind::Number, V::String(s)) => {
            let float: f64 = s.parse().unwrap_or(0.0);
            ours.text() == s && (float.is_infinite() || float.abs() >= 9e18)
        }
        (JsonKind::Array, V::Array(list)) => {
            ours.len() == list.len() && ours.elements().zip(list).all(|(o, t)| agrees(o, t))
        }
        (JsonKind::Object, V::Object(map)) => {
            ours.len() == map.len()
                && ours.members().zip(map).all(|((k, o), (key, t))| k.is_str(key) && agrees(o, t))
        }
        _ => false,
    }
}

/// Why the two disagree on a text; `None` when they agree.
fn disagreement(toon: &str, strictness: Strictness) -> Option<String> {
    let ours = toon::decode(toon, &DecodeOptions { strictness, ..DecodeOptions::default() });
    let is_strict = strictness == Strictness::Strict;
    let theirs: Result<serde_json::Value, _> =
        toon_format::decode(toon, &theirs::DecodeOptions::new().with_strict(is_strict));
    let agree = match (&ours, &theirs) {
        (Ok(ours), Ok(theirs)) => {
            let tape = json::read(ours).unwrap_or_else(|e| panic!("{toon:?} became {ours:?}: {e}"));
            agrees(tape.root(), theirs)
        }
        (ours, theirs) => ours.is_err() == theirs.is_err(),
    };
    (!agree)
        .then(|| format!("{strictness:?} {toon:?}\n{toon}\n  ours   {ours:?}\n  theirs {theirs:?}"))
}

/// A damaged document.
fn mutant(random: &mut Random) -> String {
    let json = generate::document(random, Numbers::Tame);
    let (options, _) = encode_options(random);
    let toon = toon::encode(&json, &options).expect("a document encodes");
    generate::mutant(random, &toon)
}

#[test]
fn damaged_documents_are_judged_alike() {
    let mut random = Random::new(3);
    let mut disagreements = Vec::new();
    let n = scaled(60_000);
    let mut n_errors = 0;
    for i in 0..n {
        let toon = mutant(&mut random);
        let strictness = if i % 3 == 0 { Strictness::Lenient } else { Strictness::Strict };
        n_errors += u64::from(toon::decode(&toon, &DecodeOptions::default()).is_err());
        disagreements.extend(disagreement(&toon, strictness));
    }
    assert!(
        n_errors > n / 5 && n_errors < n,
        "{n_errors} of {n} are errors: the damages say little"
    );
    let shown: Vec<&String> = disagreements.iter().take(20).collect();
    assert!(disagreements.is_empty(), "{} of {n} differ: {shown:#?}", disagreements.len());
}

#[test]
fn no_text_makes_it_panic() {
    let mut random = Random::new(4);
    let options = [Strictness::Strict, Strictness::Lenient]
        .map(|strictness| DecodeOptions { strictness, ..DecodeOptions::default() });
    let mut toon = String::new();
    for i in 0..scaled(1_000_000) {
        // Damages add up for a while, so that texts get far from what an encoder writes.
        toon = if i % 8 == 0 { mutant(&mut random) } else { generate::mutant(&mut random, &toon) };
        for options in &options {
            match toon::decode(&toon, options) {
                Ok(json) => assert!(json::read(&json).is_ok(), "{toon:?} became {json:?}"),
                Err(error) => {
                    assert!(
                        error.at() <= toon.len() && error.line() >= 1 && error.column() >= 1,
                        "{toon:?}: {error}"
                    );
                    assert!(error.caret().lines().count() == 2, "{toon:?}: {error}");
                }
            }
        }
    }
}
