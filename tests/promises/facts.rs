//! Facts: each is derived again, by other means, from what its marker replaced. Asked of every case of every compressor and
//! of ten thousand generated payloads.

use crate::variants::variants;
use crate::wishes::subjects;
use caveman_core::compress::{self as compressors, Proposals};
use caveman_core::draft::Piece;
use caveman_core::elide::Focus;
use caveman_core::kind::Kind;
use caveman_core::present;
use serde_json::Value;

/// A marker cut into what it states.
struct Marker<'m> {
    n: usize,
    noun: &'m str,
    says_lines: bool,
    from: usize,
    to: usize,
    facts: Vec<&'m str>,
}

impl<'m> Marker<'m> {
    /// `None` for markers that state no facts: lists of packages, sentences of tools.
    fn of(text: &'m str) -> Option<Marker<'m>> {
        // Below the marker itself names may be listed.
        let inside = text.split_once("[caveman: ")?.1.lines().next()?;
        let inside = inside.get(..inside.rfind(']')?)?;
        let mut parts = inside.split("; ");
        let (what, range) = parts.next()?.split_once(" elided: ")?;
        let (n, noun) = what.split_once(' ').filter(|(_, noun)| *noun != "packages")?;
        let numbers = range.trim_start_matches("lines ").trim_start_matches("line ");
        let (from, to) = numbers.split_once('-').unwrap_or((numbers, numbers));
        Some(Marker {
            n: n.parse().ok()?,
            noun,
            says_lines: noun.starts_with("line") || range.starts_with("line"),
            from: from.parse().ok()?,
            to: to.parse().ok()?,
            facts: parts.collect(),
        })
    }
}

/// What is wrong with the markers of a payload, and how many facts were looked at.
fn wrong(kind: Kind, payload: &str, pressure: u8) -> (Vec<String>, usize) {
    let presented = present::unwrap(payload);
    let text: &str = &presented.text;
    let lines_before = presented.lines_before();
    let focus = Focus { pressure, lines_before, ..Focus::default() };
    let compressor = compressors::of(kind).expect("a compressor");
    let Proposals { elided, .. } = compressor.compress(text, &focus);
    let (mut wrong, mut n_facts) = (Vec::new(), 0);
    for piece in elided.iter().flat_map(|draft| &draft.pieces) {
        let Piece::Marker { of, n_units, text: marker } = piece else { continue };
        let gone = of.of(text);
        let Some(told) = Marker::of(marker) else { continue };
        let mut check = |is_true: bool, what: &str| {
            n_facts += 1;
            if !is_true {
                let gone: String = gone.chars().take(600).collect();
                wrong.push(format!("{what:?} of {marker}\n--- which replaced\n{gone}"));
            }
        };
        let is_counted = told.n == *n_units as usize;
        // Of a snapshot whole nodes go: the rows of the least indentation that went.
        let is_top = told.noun.starts_with("row") && told.says_lines && told.n == n_outermost(gone);
        check(is_counted || is_top, "the number of units");
        let is_escaped = !gone.contains('\n') && gone.contains("\\n");
        if !told.says_lines {
            check(told.to + 1 - told.from == told.n, "the range");
        } else if !is_escaped {
            let line_of = |at: usize| {
                1 + lines_before as usize
                    + text.as_bytes()[..at].iter().filter(|b| **b == b'\n').count()
            };
            let (start, end) = (of.start as usize, of.end as usize);
            // Context that is elided in many places names none of them.
            let is_right = told.from == line_of(start) && told.to == line_of(end - 1);
            check(is_right || is_in_a_string(text, start), "the lines");
        }
        let records = records(gone, &told);
        for fact in &told.facts {
            let is_true = match &records {
                Some(records) if !fact.starts_with("names: ") => is_true_of(fact, records),
                _ => may_be_true(fact, gone, told.n),
            };
            check(is_true, fact);
        }
    }
    (wrong, n_facts)
}

/// How many lines have the least indentation.
fn n_outermost(text: &str) -> usize {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let least = text.lines().map(depth).min();
    text.lines().filter(|line| Some(depth(line)) == least).count()
}

/// Whether what stands at a place is part of a JSON string, the lines of which are its own.
fn is_in_a_string(text: &str, at: usize) -> bool {
    text.trim_start().starts_with(['{', '['])
        && text.get(..at).is_some_and(|before| before.contains("\\n"))
}

/// What went as JSON values, when it is some: elements, members or lines.
fn records(gone: &str, told: &Marker<'_>) -> Option<Vec<(Option<String>, Value)>> {
    let keep = |values: Vec<Value>| Some(values.into_iter().map(|value| (None, value)).collect());
    match told.noun.trim_end_matches('s') {
        "record" | "value" => keep(serde_json::from_str(&format!("[{gone}]")).ok()?),
        "entrie" | "entry" => {
            let members: serde_json::Map<String, Value> =
                serde_json::from_str(&format!("{{{gone}}}")).ok()?;
            // This reader keeps the last of keys that are equal: then there is only the text to look at.
            (members.len() == told.n)
                .then(|| members.into_iter().map(|(key, value)| (Some(key), value)).collect())
        }
        "line" => keep(gone.lines().map(serde_json::from_str).collect::<Result<_, _>>().ok()?),
        _ => None,
    }
}

/// The scalars at a path such as `items[].sku` of one record.
fn at_path(record: &(Option<String>, Value), path: &str) -> Vec<String> {
    let (key, value) = record;
    if let (Some(key), "key") = (key, path) {
        return vec![key.clone()];
    }
    let mut found = vec![value];
    if path != "value" || value.is_object() {
        for name in path.replace("[]", ".[]").split('.').filter(|name| !name.is_empty()) {
            found = found
                .into_iter()
                .flat_map(|value| match value {
                    Value::Array(list) if name == "[]" => list.iter().collect(),
                    other => other.get(name).into_iter().collect::<Vec<_>>(),
                })
                .collect();
        }
    }
    let said = |value: &&Value| match value {
        Value::String(text) if text.is_empty() => Some("(empty)".to_owned()),
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    };
    found.iter().filter_map(said).collect()
}

/// Whether a fact is true of records. Keys with dots and strings with escapes are told as they are written: no verdict.
fn is_true_of(fact: &str, records: &[(Option<String>, Value)]) -> bool {
    let Some((name, told)) = fact.split_once(": ") else { return false };
    let per_record: Vec<Vec<String>> = records.iter().map(|r| at_path(r, name)).collect();
    let all: Vec<&str> = per_record.iter().flatten().map(String::as_str).collect();
    if told.contains('\\') || all.is_empty() {
        return true;
    }
    let n_absent = per_record.iter().filter(|values| values.is_empty()).count();
    let (told, absent) = match told.rsplit_once(", absent×") {
        Some((told, n)) => (told, n.parse().unwrap_or(usize::MAX)),
        None => (told, 0),
    };
    if absent != n_absent {
        return false;
    }
    if let Some((n, rest)) = told.split_once(" distinct, ") {
        let mut sorted = all.clone();
        sorted.sort_unstable();
        sorted.dedup();
        let ends = rest.trim_end_matches(", all present");
        let (a, b) = ends.split_once("..").or(ends.split_once(" … ")).unwrap_or(("", ""));
        return n == sorted.len().to_string()
            && sorted.len() == all.len()
            && all.contains(&a)
            && all.contains(&b);
    }
    if told.contains('×') {
        let counts: Vec<(&str, usize)> = told
            .split(", ")
            .filter_map(|part| part.rsplit_once('×'))
            .map(|(value, n)| (value, n.parse().unwrap_or(usize::MAX)))
            .collect();
        return counts.iter().map(|(_, n)| n).sum::<usize>() == all.len()
            && counts
                .iter()
                .all(|(value, n)| all.iter().filter(|v| is_same(v, value)).count() == *n);
    }
    if let Some((low, high)) = told.split_once("..").or(told.split_once(" … ")) {
        let number = |text: &str| text.parse::<f64>().ok();
        let is_within = |v: &&str| match (number(v), number(low), number(high)) {
            (Some(v), Some(low), Some(high)) => low <= v && v <= high,
            _ => !told.contains("..") || low <= *v && *v <= high,
        };
        let is_there = |end: &str| {
            all.contains(&end)
                || all.iter().any(|v| number(v).is_some() && number(v) == number(end))
        };
        return is_there(low) && is_there(high) && all.iter().all(is_within);
    }
    all.iter().all(|v| is_same(v, told))
}

/// Numbers may be written in several ways.
fn is_same(one: &str, other: &str) -> bool {
    one == other || one.parse::<f64>().is_ok_and(|one| other.parse() == Ok(one))
}

/// Whether the text that went may hold what a fact tells: every value stands there, often enough, and counts add up.
fn may_be_true(fact: &str, gone: &str, n: usize) -> bool {
    if fact.starts_with('[') {
        return gone.lines().any(|line| follows(line.trim_end(), fact));
    }
    let (name, told) = fact.split_once(": ").unwrap_or(("", fact));
    let stands = |value: &str| match value {
        "(empty)" | "absent" => usize::MAX,
        value => gone.matches(value).count(),
    };
    if name == "names" {
        return told.split(", ").all(|value| stands(value) > 0);
    }
    if let Some((distinct, rest)) = told.split_once(" distinct, ") {
        let ends = rest.trim_end_matches(", all present");
        let (a, b) = ends.split_once("..").or(ends.split_once(" … ")).unwrap_or(("", ""));
        return distinct == n.to_string() && stands(a) > 0 && stands(b) > 0;
    }
    let (told, n) = match told.rsplit_once(", absent×") {
        Some((told, absent)) => (told, n - absent.parse::<usize>().unwrap_or(n)),
        None => (told, n),
    };
    if told.contains('×') {
        let mut sum = 0;
        let are_there = told.split(", ").all(|part| {
            let Some((value, times)) = part.rsplit_once('×') else { return false };
            let times: usize = times.parse().unwrap_or(usize::MAX);
            sum += times;
            stands(value) >= times
        });
        return are_there && sum == n;
    }
    if let Some((low, high)) = told.split_once("..").or(told.split_once(" … ")) {
        return stands(low) > 0 && stands(high) > 0;
    }
    fact.contains(" among them") || stands(told) > 0
}

/// Whether a link definition is the template `[#N]: …N…` with its own number in both places.
fn follows(line: &str, template: &str) -> bool {
    let (Some((label, target)), Some((of_label, of_target))) =
        (line.split_once("]: "), template.split_once("N]: "))
    else {
        return false;
    };
    let Some(number) = label.strip_prefix(of_label) else { return false };
    let mut parts = of_target.match_indices('N').map(|(at, _)| of_target.split_at(at));
    parts.any(|(before, rest)| target == format!("{before}{}", rest.replacen('N', number, 1)))
}

#[test]
fn every_fact_of_every_case_is_true() {
    let (mut all, mut n_facts) = (Vec::new(), 0);
    for (name, kind, payload) in subjects() {
        for pressure in [0, 2, Focus::MAX_PRESSURE] {
            let (wrong, n) = wrong(kind, &payload, pressure);
            n_facts += n;
            all.extend(wrong.into_iter().map(|wrong| format!("{name}: {wrong}")));
        }
    }
    assert!(all.is_empty(), "{} of {n_facts}:\n{}", all.len(), all.join("\n\n"));
    assert!(n_facts > 2_000, "{n_facts} facts only");
}

#[test]
fn every_fact_of_ten_thousand_generated_payloads_is_true() {
    let (mut all, mut n_facts) = (Vec::new(), 0);
    for (at, (name, kind, payload)) in variants(10_000, 7).enumerate() {
        let (wrong, n) = wrong(kind, &payload, u8::try_from(at / 24 % 5).unwrap_or(0));
        n_facts += n;
        all.extend(wrong.into_iter().map(|wrong| format!("{name}: {wrong}")));
    }
    let n_wrong = all.len();
    all.truncate(8);
    assert!(n_wrong == 0, "{n_wrong} of {n_facts}:\n{}", all.join("\n\n"));
    assert!(n_facts > 50_000, "{n_facts} facts only");
}
