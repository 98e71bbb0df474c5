//! What must hold for any bytes at all.

use crate::door::{Argument, Door, Native};
use crate::machine::Machine;
use caveman_core::compress as compressors;
use caveman_core::draft::{Draft, Piece};
use caveman_core::elide::{Focus, MARKER_OPEN};
use caveman_core::engine::{self, Options};
use caveman_core::kind::Kind;
use caveman_core::store::{MemoryStore, Reference};
use caveman_core::{present, retrieve, tokens};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Everything that must hold of `payload`, detected and taken for `kind`; what does not.
pub(crate) fn hold(kind: Kind, payload: &[u8]) -> Result<(), String> {
    let all = || {
        answered(payload, Options::default())?;
        let forced = Options { content_type: Some(kind), ..Options::default() };
        answered(payload, forced)?;
        let Ok(text) = std::str::from_utf8(payload) else { return Ok(()) };
        let query = words(text);
        answered(payload, Options { query: Some(&query), token_budget: Some(150), ..forced })?;
        let presented = present::unwrap(text);
        drafts(kind, &presented.text)?;
        units(kind, text)?;
        view(kind, text, &query)
    };
    // A panic is told by its place; its text goes to the suite's own output.
    catch_unwind(AssertUnwindSafe(all)).unwrap_or_else(|_| Err("panicked".to_owned()))
}

/// Whether the artifact answers as the same code does natively.
pub(crate) fn equal_in_wasm(
    machine: &mut Machine,
    kind: Kind,
    payload: &[u8],
) -> Result<(), String> {
    let forced = format!(r#"{{"content_type":"{}"}}"#, kind.name());
    for options in ["", &forced] {
        let arguments = [Argument::Bytes(payload), Argument::Text(options)];
        let (native, wasm) =
            (Native.call("compress", &arguments), machine.call("compress", &arguments));
        if native != wasm {
            return Err(format!(
                "wasm answers otherwise: {} against {}",
                said(&wasm),
                said(&native)
            ));
        }
    }
    Ok(())
}

fn said(answer: &Result<Vec<u8>, String>) -> String {
    match answer {
        Ok(bytes) => format!("{} bytes", bytes.len()),
        Err(why) => why.clone(),
    }
}

fn answered(payload: &[u8], options: Options<'_>) -> Result<(), String> {
    let mut store = MemoryStore::default();
    let answer = engine::compress(&mut store, 0, payload, &options);
    let of = format!("{} with {options:?}", answer.content_type.name());
    if answer.tokens_after > answer.tokens_before {
        return Err(format!("{of}: {} tokens of {}", answer.tokens_after, answer.tokens_before));
    }
    let Some(handle) = answer.recovery_handle else {
        let is_same = answer.output.as_ref() == payload && answer.reason.is_some();
        return is_same.then_some(()).ok_or_else(|| format!("{of}: changed without a handle"));
    };
    let output = std::str::from_utf8(&answer.output).map_err(|error| format!("{of}: {error}"))?;
    if tokens::count(output) != answer.tokens_after {
        return Err(format!("{of}: {} tokens told", answer.tokens_after));
    }
    let back = engine::retrieve(&mut store, 0, &Reference::Handle(handle), None)
        .map_err(|error| format!("{of}: {error}"))?;
    if back.original != payload {
        return Err(format!("{of}: another original came back"));
    }
    let again = engine::compress(&mut MemoryStore::default(), 0, payload, &options);
    if again.output != answer.output {
        return Err(format!("{of}: two runs differ"));
    }
    // A re-encoding that fits a budget only without the line that would seal it stays ordinary text, which may be shortened.
    if answer.lossless_to_model && options.token_budget.is_some() {
        return Ok(());
    }
    let second =
        engine::compress(&mut MemoryStore::default(), 0, &answer.output, &Options::default());
    if second.output != answer.output {
        let (first, second) = (output, String::from_utf8_lossy(&second.output));
        return Err(format!("{of}: a second compression changes\n{first}\n--- to\n{second}"));
    }
    Ok(())
}

/// Drafts stand in the order of the payload, cut at characters, and account for what they leave out.
fn drafts(kind: Kind, text: &str) -> Result<(), String> {
    let Some(compressor) = compressors::of(kind) else { return Ok(()) };
    for pressure in [0, 2, Focus::MAX_PRESSURE] {
        let focus = Focus { pressure, ..Focus::default() };
        let proposals = compressor.compress(text, &focus);
        if proposals.lossless.as_ref().is_some_and(|draft| !draft.is_lossless()) {
            return Err("a lossless draft elides".to_owned());
        }
        for draft in proposals.lossless.iter().chain(&proposals.elided) {
            ordered(text, draft).map_err(|what| format!("{}: {what}", draft.method))?;
        }
    }
    Ok(())
}

fn ordered(text: &str, draft: &Draft) -> Result<(), String> {
    let mut end = 0;
    for piece in &draft.pieces {
        let of = match piece {
            Piece::Kept(of) | Piece::Recoded { of, .. } | Piece::Marker { of, .. } => *of,
            Piece::Glue(_) => continue,
        };
        if of.start < end || text.get(of.range()).is_none() {
            return Err(format!("{piece:?} is no slice after {end}"));
        }
        end = of.end;
    }
    let (n, of) = (draft.n_elided(), draft.n_units);
    (n <= of).then_some(()).ok_or_else(|| format!("{n} of {of} units elided"))
}

fn units(kind: Kind, text: &str) -> Result<(), String> {
    let Some(units) = compressors::of(kind).and_then(|c| c.units(text)) else { return Ok(()) };
    let mut end = 0;
    for (at, span) in units.spans.iter().enumerate() {
        if span.start < end || text.get(span.range()).is_none() {
            return Err(format!("unit {span:?} is no slice after {end}"));
        }
        end = span.end;
        if let Some(&head) = units.heads.get(at)
            && head != compressors::Units::NO_HEAD
            && head as usize >= at
        {
            return Err(format!("unit {at} stands under {head}"));
        }
    }
    Ok(())
}

/// A view is smaller than its original and made of its lines.
fn view(kind: Kind, text: &str, query: &str) -> Result<(), String> {
    let Some(view) = retrieve::view(text, kind, query) else { return Ok(()) };
    if tokens::count(&view.text) >= tokens::count(text) {
        return Err(format!("the view of {query:?} is not smaller"));
    }
    let is_ours = |line: &str| line.contains(MARKER_OPEN) || line.contains("matching units shown");
    match view.text.lines().find(|line| !is_ours(line) && !text.contains(line)) {
        Some(line) => Err(format!("the view of {query:?} makes up {line:?}")),
        None => Ok(()),
    }
}

/// Two words out of the middle.
fn words(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().filter(|word| word.len() < 60).collect();
    let at = |part: usize| words.get(words.len() * part / 5).copied().unwrap_or_default();
    format!("{} {}", at(2), at(3))
}
