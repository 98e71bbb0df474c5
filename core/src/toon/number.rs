//! Numbers as the encoder must write them, worked out on their digits: exact at any size.

use crate::prelude::*;

/// Most digits before the point that are written without an exponent: values below 1e21.
const MAX_INTEGER_DIGITS: usize = 21;
/// Most zeros between the point and the first digit without an exponent: values from 1e-6 on.
const MAX_LEADING_ZEROS: usize = 5;

/// Whether the JSON number `text` is already what [`rewrite`] would write; may say no of some that are.
#[inline(always)]
pub(super) fn is_canonical(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let n_integer = digits.iter().position(|b| !b.is_ascii_digit()).unwrap_or(digits.len());
    if n_integer > MAX_INTEGER_DIGITS {
        return false;
    }
    let Some((point, fraction)) = digits.get(n_integer..).and_then(<[u8]>::split_first) else {
        return text != b"-0";
    };
    *point == b'.'
        && fraction.last() != Some(&b'0')
        && fraction.iter().all(u8::is_ascii_digit)
        && (digits.first() != Some(&b'0')
            || fraction.iter().take_while(|b| **b == b'0').count() <= MAX_LEADING_ZEROS)
}

/// Appends the JSON number `text` in canonical form: plain decimal without trailing zeros for 0 and
/// 1e-6 <= |n| < 1e21, else `d.ddde+21` or `d.ddde-7`; no negative zero.
#[cold]
pub(super) fn rewrite(text: &str, out: &mut String) {
    let (sign, unsigned) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text),
    };
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all: String = [integer, fraction].concat();
    let significant = all.trim_start_matches('0');
    let digits = significant.trim_end_matches('0');
    if digits.is_empty() {
        out.push('0');
        return;
    }
    out.push_str(sign);
    let magnitude = exponent.trim_start_matches(['+', '-']).trim_start_matches('0');
    // An exponent of 18 digits or more is beyond all arithmetic here: such a number stays as it is.
    let exponent = match (magnitude.len() < 18).then(|| magnitude.parse::<i64>()) {
        Some(Ok(m)) if exponent.starts_with('-') => -m,
        Some(Ok(m)) => m,
        Some(Err(_)) => 0,
        None => {
            out.push_str(mantissa);
            out.push('e');
            out.push_str(exponent);
            return;
        }
    };
    // The value is d.ddd * 10^power.
    let n_dropped = signed(all.len() - significant.len());
    let power =
        exponent.saturating_add(signed(integer.len())).saturating_sub(n_dropped).saturating_sub(1);
    let (head, tail) = digits.split_at(1);
    match power {
        -6..=-1 => {
            out.push_str("0.");
            zeros(power.unsigned_abs() - 1, out);
            out.push_str(digits);
        }
        0..=20 => {
            let n_integer = usize::try_from(power).unwrap_or_default() + 1;
            match digits.split_at_checked(n_integer) {
                Some((whole, "")) => out.push_str(whole),
                Some((whole, part)) => {
                    out.push_str(whole);
                    out.push('.');
                    out.push_str(part);
                }
                None => {
                    out.push_str(digits);
                    zeros((n_integer - digits.len()) as u64, out);
                }
            }
        }
        _ => {
            out.push_str(head);
            if !tail.is_empty() {
                out.push('.');
                out.push_str(tail);
            }
            out.push_str(if power < 0 { "e-" } else { "e+" });
            out.push_str(&power.unsigned_abs().to_string());
        }
    }
}

fn signed(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

fn zeros(n: u64, out: &mut String) {
    for _ in 0..n {
        out.push('0');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, want: &str) {
        let mut out = String::new();
        rewrite(text, &mut out);
        assert_eq!(out, want, "{text}");
        assert!(text == want || !is_canonical(text.as_bytes()), "{text}");
    }

    #[test]
    fn plain_decimals_stay() {
        for same in [
            "0",
            "1",
            "-7",
            "10",
            "120",
            "3.14",
            "0.5",
            "-0.000001",
            "123456789012345680000",
            "9007199254740993",
            "0.30000000000000004",
        ] {
            check(same, same);
        }
    }

    #[test]
    fn spelling_becomes_canonical_and_the_value_stays() {
        check("-0", "0");
        check("-0.000e9", "0");
        check("0e99999999999999999999", "0");
        check("1.0", "1");
        check("1.50", "1.5");
        check("1E5", "100000");
        check("1.25e1", "12.5");
        check("125e-1", "12.5");
        check("100e-2", "1");
        check("0.00012e2", "0.012");
        check("1e-6", "0.000001");
        check("1e-7", "1e-7");
        check("0.00000012", "1.2e-7");
        check("1e20", "100000000000000000000");
        check("1e21", "1e+21");
        check("1e400", "1e+400");
        check("-12.50E+399", "-1.25e+400");
        check("1000000000000000000000", "1e+21");
        check("123456789012345678901234567890", "1.2345678901234567890123456789e+29");
        check("999999999999999999999.5", "999999999999999999999.5");
        check("5e-324", "5e-324");
        check("1e000000000000000000000007", "10000000");
    }

    #[test]
    fn exponents_beyond_arithmetic_stay() {
        check("12.5E123456789012345678901", "12.5e123456789012345678901");
        check("-1e-999999999999999999999", "-1e-999999999999999999999");
    }
}
