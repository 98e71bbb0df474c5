//! Numbers keep their value through JSON -> TOON -> JSON, at any size and in any spelling.

use crate::exact::decimal;
use caveman_core::toon::{self, DecodeOptions, EncodeOptions};

/// 224 numbers: 28 mantissas in 8 sizes, around every border where an implementation by floats or by 64-bit integers
/// goes wrong.
fn numbers() -> Vec<String> {
    let mantissas = [
        "1",
        "-1",
        "9",
        "1.0",
        "1.10",
        "-1.5",
        "2.50",
        "0.1",
        "0.30000000000000004",
        "1.7976931348623157",
        "1.8",
        "5",
        "4.9406564584124654",
        "9007199254740991",
        "9007199254740993",
        "-9223372036854775808",
        "-9223372036854775809",
        "18446744073709551615",
        "18446744073709551616",
        "123456789012345678901234567890",
        "0.1234567890123456789012345678901234567890",
        "100000000000000000000",
        "999999999999999999999",
        "1000000000000000000000",
        "0.000001",
        "0.00000099",
        "3.14159265358979323846264338327950288",
        "0",
    ];
    let sizes = ["", "e0", "E5", "e-7", "e+21", "e308", "e-324", "E400"];
    mantissas.iter().flat_map(|m| sizes.iter().map(move |size| format!("{m}{size}"))).collect()
}

#[test]
fn every_number_keeps_its_value() {
    let numbers = numbers();
    assert_eq!(numbers.len(), 224);
    for text in &numbers {
        for json in [
            text.clone(),
            format!("[{text},\"x\"]"),
            format!("[{{\"n\":{text}}}]"),
            format!("{{\"n\":{text}}}"),
        ] {
            let toon = toon::encode(&json, &EncodeOptions::default()).expect("a number encodes");
            let back =
                toon::decode(&toon, &DecodeOptions::default()).expect("what was encoded decodes");
            let number = back.trim_matches(|c: char| !c.is_ascii_digit() && c != '-').to_owned();
            let number = number.split(',').next().unwrap_or_default();
            assert_eq!(decimal(number), decimal(text), "{text} became {toon} became {back}");
        }
    }
}

#[test]
fn inside_the_plain_range_there_is_no_exponent() {
    for text in numbers() {
        let (_, digits, power) = decimal(&text);
        let size = power + i128::try_from(digits.len()).expect("few digits");
        let toon = toon::encode(&text, &EncodeOptions::default()).expect("a number encodes");
        let is_plain_range = digits.is_empty() || (-5..=21).contains(&size);
        assert_eq!(!toon.contains('e'), is_plain_range, "{text} became {toon}");
        assert!(
            !toon.contains('.') || toon.contains('e') || !toon.ends_with('0'),
            "{text} became {toon}"
        );
    }
}
