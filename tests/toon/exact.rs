//! Equality of JSON texts in value: key order counts, number spelling does not, and no number becomes a float.

use caveman_core::json::{self, JsonKind, Value};

/// Whether two JSON texts say the same.
pub(crate) fn same(a: &str, b: &str) -> bool {
    match (json::read(a), json::read(b)) {
        (Ok(a), Ok(b)) => same_value(a.root(), b.root()),
        _ => false,
    }
}

fn same_value(a: Value<'_>, b: Value<'_>) -> bool {
    if a.kind() != b.kind() || a.len() != b.len() {
        return false;
    }
    match a.kind() {
        JsonKind::Null | JsonKind::Bool => a.text() == b.text(),
        JsonKind::String => a.as_str() == b.as_str(),
        JsonKind::Number => decimal(a.text()) == decimal(b.text()),
        JsonKind::Array => a.elements().zip(b.elements()).all(|(a, b)| same_value(a, b)),
        JsonKind::Object => a
            .members()
            .zip(b.members())
            .all(|((ka, va), (kb, vb))| ka.as_str() == kb.as_str() && same_value(va, vb)),
    }
}

/// A number as (negative, digits without zeros at either end, power of ten of the last digit); written apart from the
/// core's own arithmetic on purpose.
pub(crate) fn decimal(text: &str) -> (bool, String, i128) {
    let (text, negative) = text.strip_prefix('-').map_or((text, false), |rest| (rest, true));
    let lower = text.to_lowercase();
    let (mantissa, exponent) = lower.split_once('e').unwrap_or((&lower, "0"));
    let mut power: i128 = exponent.parse().expect("an exponent of reasonable size");
    let mut digits = mantissa.replace('.', "");
    if let Some((_, fraction)) = mantissa.split_once('.') {
        power -= i128::try_from(fraction.len()).expect("a short fraction");
    }
    while digits.ends_with('0') {
        digits.pop();
        power += 1;
    }
    let digits = digits.trim_start_matches('0').to_owned();
    if digits.is_empty() { (false, digits, 0) } else { (negative, digits, power) }
}

#[test]
fn equality_is_of_values() {
    assert!(same("1.50", "15e-1") && same("-0.0", "0") && same("1e400", "10E+399"));
    assert!(
        !same("1", "-1") && !same("1", "\"1\"") && !same("9007199254740993", "9007199254740992")
    );
    assert!(same("{\"a\":[1,\"\\u0041\"]}", " {\"\\u0061\" : [1.0, \"A\"]}"));
    assert!(!same("{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}") && !same("[1]", "[1,1]"));
}
