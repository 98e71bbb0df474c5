//! `compress --explain`: which kind and why, what was elided, and what that cost.

use super::output::grouped;
use caveman_core::engine::{Answer, Reason};
use caveman_core::kind::Kind;
use caveman_core::{detect, present, tokens};

/// So many marked runs are listed.
const MAX_RUNS: usize = 40;
/// So much of a marker is shown, in characters.
const MAX_SHOWN: usize = 160;

/// The report, for people.
pub(super) fn report(
    payload: &[u8],
    answer: &Answer<'_>,
    forced: Option<Kind>,
    budget: Option<u64>,
) -> String {
    let mut lines = vec![row("kind", &kind(payload, answer, forced))];
    let (before, after) = (answer.tokens_before, answer.tokens_after);
    let saved = before.saturating_sub(after);
    if let Some(reason) = answer.reason {
        lines.push(row(
            "result",
            &format!("passed through: {}: {}", reason.name(), meaning(reason)),
        ));
        if let Some(error) = &answer.store_error {
            lines.push(row("store", &format!("{}: {error}", error.code())));
        }
        lines.push(row("tokens", &grouped(before)));
        return lines.join("\n");
    }
    lines.push(row("method", answer.method));
    lines.push(row(
        "tokens",
        &format!(
            "{} before, {} after: {} saved, {} % (inferred, {})",
            grouped(before),
            grouped(after),
            grouped(saved),
            saved.saturating_mul(100) / before.max(1),
            tokens::BASIS
        ),
    ));
    if let Some(budget) = budget {
        let word = if after <= budget { "kept" } else { "not to be had without losing signals" };
        lines.push(row("budget", &format!("{}: {word}", grouped(budget))));
    }
    let says_all = if answer.lossless_to_model {
        "everything that the payload says"
    } else {
        "not everything: see below"
    };
    lines.push(row("says", says_all));
    if let Some(handle) = answer.recovery_handle {
        let n_bytes = grouped(payload.len() as u64);
        lines.push(row("original", &format!("{handle}, {n_bytes} bytes")));
    }
    lines.extend(elided(payload, answer));
    lines.join("\n")
}

fn row(name: &str, text: &str) -> String {
    format!("{name:<10}{text}")
}

fn kind(payload: &[u8], answer: &Answer<'_>, forced: Option<Kind>) -> String {
    let name = match answer.language {
        Some(language) => format!("{}, {language}", answer.content_type.name()),
        None => answer.content_type.name().to_owned(),
    };
    let Ok(text) = std::str::from_utf8(payload) else { return format!("{name}: not UTF-8") };
    let presented = present::unwrap(text);
    let detection = detect::detect(&presented.text);
    let scores: Vec<String> = detection
        .scores
        .iter()
        .take(3)
        .map(|(kind, score)| format!("{} {score}", kind.name()))
        .collect();
    let scores =
        if scores.is_empty() { "no evidence of another".to_owned() } else { scores.join(", ") };
    let why = match forced {
        Some(_) => format!("as you say; detection says {} ({scores})", detection.kind.name()),
        None => format!("by evidence ({scores})"),
    };
    let is_wrapped = matches!(presented.text, std::borrow::Cow::Owned(_));
    let wrapping =
        if is_wrapped { "; gutter, wrapper or escape sequences taken off first" } else { "" };
    format!("{name}, {why}{wrapping}")
}

fn meaning(reason: Reason) -> &'static str {
    match reason {
        Reason::NotText => "it is not UTF-8 text, or holds NUL",
        Reason::NoCompressor => "there is no compressor for this kind",
        Reason::Declined => "the compressor found nothing that it may leave out",
        Reason::NotSmaller => "the best output is not at least 5 % and 16 tokens smaller",
        Reason::NotStored => "the original cannot be kept, so nothing may be left out",
    }
}

/// Each run that is left out, with what it held and what stands in its place.
fn elided(payload: &[u8], answer: &Answer<'_>) -> Vec<String> {
    let (Ok(original), Ok(output)) =
        (std::str::from_utf8(payload), std::str::from_utf8(&answer.output))
    else {
        return Vec::new();
    };
    let runs: Vec<(u32, &str, u64, u64)> = answer
        .elided
        .iter()
        .map(|run| {
            let marker = run.marker.of(output);
            (run.n_units, marker, tokens::count(run.of.of(original)), tokens::count(marker))
        })
        .collect();
    if runs.is_empty() {
        return Vec::new();
    }
    let n_units: u64 = runs.iter().map(|(n_units, ..)| u64::from(*n_units)).sum();
    let (gone, cost) = runs.iter().fold((0, 0), |(gone, cost), run| (gone + run.2, cost + run.3));
    let mut lines = vec![row(
        "elided",
        &format!(
            "{} units in {} runs, {} tokens; the markers in their place cost {}",
            grouped(n_units),
            grouped(runs.len() as u64),
            grouped(gone),
            grouped(cost)
        ),
    )];
    for (_, marker, gone, cost) in runs.iter().take(MAX_RUNS) {
        let shown: String = marker.trim().chars().take(MAX_SHOWN).collect();
        let rest = if marker.trim().chars().count() > MAX_SHOWN { "…" } else { "" };
        lines.push(format!("{:>9} -> {:<5} {shown}{rest}", grouped(*gone), grouped(*cost)));
    }
    if runs.len() > MAX_RUNS {
        lines.push(format!("{:>9} more runs", grouped((runs.len() - MAX_RUNS) as u64)));
    }
    lines
}
