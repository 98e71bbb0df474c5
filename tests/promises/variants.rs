//! Payloads of every kind that nobody has read: cases of the compressors and ordinary payloads, with lines dropped, doubled
//! and exchanged, and with other digits.

use crate::wishes::subjects;
use caveman_core::detect::detect;
use caveman_core::kind::Kind;
use caveman_tests::payloads::ORDINARY;
use caveman_tests::random::Random;

/// `n` payloads, as many of each kind, each with its name and kind. The same seed gives the same ones.
pub(crate) fn variants(n: usize, seed: u64) -> impl Iterator<Item = (String, Kind, String)> {
    let mut random = Random::new(seed);
    let of_kind: Vec<Vec<(String, String)>> = Kind::ALL
        .iter()
        .map(|kind| {
            let of_kind = subjects().into_iter().filter(|(_, of, _)| of == kind);
            of_kind.map(|(name, _, text)| (name, text)).collect()
        })
        .collect();
    (0..n).map(move |at| {
        let kind = Kind::ALL[at % Kind::ALL.len()];
        let subjects = &of_kind[at % Kind::ALL.len()];
        let (name, text) = &subjects[below(&mut random, subjects.len())];
        // Ordinary payloads come at any size.
        let grown = ORDINARY.iter().find(|growing| growing.name == name);
        let size = 600 + below(&mut random, 4_000);
        let whole = grown.map(|growing| (growing.make)(size));
        let payload = varied(whole.as_ref().unwrap_or(text), &mut random);
        let kind = if grown.is_some() { detect(&payload).kind } else { kind };
        (format!("{name} {at}"), kind, payload)
    })
}

/// Lines below the first dropped, doubled and exchanged where they are records, digits changed in one payload of two.
fn varied(whole: &str, random: &mut Random) -> String {
    let mut lines: Vec<&str> = whole.split_inclusive('\n').collect();
    let is_one_value = serde_json::from_str::<serde_json::Value>(whole).is_ok();
    let n_changes = if is_one_value || lines.len() < 3 { 0 } else { lines.len() / 8 };
    for _ in 0..n_changes {
        let (one, other) = (1 + below(random, lines.len() - 1), 1 + below(random, lines.len() - 1));
        match below(random, 4) {
            0 if lines.len() > 3 => {
                lines.remove(one);
            }
            1 => lines.insert(one, lines[other]),
            _ => lines.swap(one, other),
        }
    }
    let text = lines.concat();
    if random.below(2) == 0 {
        return text;
    }
    let other = |c: char| match c {
        '1'..='9' if random.below(6) == 0 => {
            char::from_digit(1 + u32::try_from(random.below(9)).unwrap_or(0), 10).unwrap_or(c)
        }
        c => c,
    };
    text.chars().map(other).collect()
}

fn below(random: &mut Random, limit: usize) -> usize {
    usize::try_from(random.below(limit as u64)).unwrap_or(0)
}
