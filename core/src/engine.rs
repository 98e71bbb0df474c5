//! One payload's way: unwrap, detect, compress, count, store, answer.

use crate::compress;
use crate::detect;
use crate::draft::{Draft, Piece};
use crate::elide::{Focus, MARKER_OPEN};
use crate::kind::Kind;
use crate::prelude::*;
use crate::present;
use crate::retrieve;
use crate::store::{Entry, Handle, RecoveryStore, Reference, StoreError};
use crate::text::Span;
use crate::tokens;

/// What the caller of [`compress()`] may ask for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// The kind, instead of detecting it. Default: detect.
    pub content_type: Option<Kind>,
    /// Words that protect the units that hold them. Default: none.
    pub query: Option<&'a str>,
    /// Fit the output into so many tokens where that is possible. Default: no budget.
    pub token_budget: Option<u64>,
}

/// Why a payload was passed through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Not UTF-8, or holds NUL.
    NotText,
    /// No compressor for this kind.
    NoCompressor,
    /// The compressor found nothing that it may leave out.
    Declined,
    /// The best output was not at least 5 % and 16 tokens smaller.
    NotSmaller,
    /// The original could not be stored.
    NotStored,
}

impl Reason {
    /// The wire name.
    pub fn name(self) -> &'static str {
        match self {
            Reason::NotText => "not_text",
            Reason::NoCompressor => "no_compressor",
            Reason::Declined => "declined",
            Reason::NotSmaller => "not_smaller",
            Reason::NotStored => "not_stored",
        }
    }
}

/// The answer to one payload.
#[derive(Clone, Debug)]
pub struct Answer<'a> {
    /// What the model is given: the payload itself when it was passed through.
    pub output: Cow<'a, [u8]>,
    /// The kind that was detected or forced.
    pub content_type: Kind,
    /// The language, for code.
    pub language: Option<&'static str>,
    /// o200k tokens of the payload.
    pub tokens_before: u64,
    /// o200k tokens of the output.
    pub tokens_after: u64,
    /// Under which the original was stored; `None` when passed through.
    pub recovery_handle: Option<Handle>,
    /// How the output was made; `none` when passed through.
    pub method: &'static str,
    /// Whether the output says everything that the payload says.
    pub lossless_to_model: bool,
    /// Why it was passed through.
    pub reason: Option<Reason>,
    /// What the store said, when the reason is [`Reason::NotStored`].
    pub store_error: Option<StoreError>,
    /// Whether the output fits into the budget; `None` without one. False where not even the markers of all that would have
    /// to go do, and where the payload is passed through for another reason.
    pub within_budget: Option<bool>,
    /// What each marker of the output stands for, in order.
    pub elided: Vec<Elided>,
}

/// A marker and what it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elided {
    /// The marker in the output, without its line end.
    pub marker: Span,
    /// What was elided, in the original.
    pub of: Span,
    /// How many units.
    pub n_units: u32,
}

impl Answer<'_> {
    /// (before - after) / before; 0 when passed through.
    pub fn ratio(&self) -> f64 {
        if self.reason.is_some() || self.tokens_before == 0 {
            return 0.0;
        }
        (self.tokens_before.saturating_sub(self.tokens_after)) as f64 / self.tokens_before as f64
    }
}

/// The answer to a retrieve.
#[derive(Clone, Debug)]
pub struct Retrieved {
    /// The exact bytes.
    pub original: Vec<u8>,
    /// o200k tokens of the original as recorded; 0 when unknown.
    pub tokens_before: u64,
    /// The narrowed view, when there was a query and it decomposes, matches and is smaller.
    pub view: Option<retrieve::View>,
}

/// Compresses one payload. Never fails: what cannot be made smaller comes back as it is, with the reason.
pub fn compress<'a, S: RecoveryStore + ?Sized>(
    store: &mut S,
    now_ms: u64,
    payload: &'a [u8],
    options: &Options<'_>,
) -> Answer<'a> {
    let mut answer = answer(store, now_ms, payload, options);
    let is_within =
        |budget| answer.reason != Some(Reason::NotText) && answer.tokens_after <= budget;
    answer.within_budget = options.token_budget.map(is_within);
    answer
}

fn answer<'a, S: RecoveryStore + ?Sized>(
    store: &mut S,
    now_ms: u64,
    payload: &'a [u8],
    options: &Options<'_>,
) -> Answer<'a> {
    let Some(text) = as_text(payload) else {
        return passed(payload, Kind::Text, None, 0, Reason::NotText);
    };
    // Text that holds our markers is an output of ours, or speaks of one: it stays as it is, so that no marker is taken for ours.
    if memchr::memmem::find(payload, MARKER_OPEN.as_bytes()).is_some() {
        return passed(
            payload,
            options.content_type.unwrap_or(Kind::Text),
            None,
            tokens::count(text),
            Reason::Declined,
        );
    }
    let presented = present::unwrap(text);
    let detection = detect::detect(&presented.text);
    let kind = options.content_type.unwrap_or(detection.kind);
    let language = detection.language.filter(|_| kind == Kind::Code);
    let tokens_before = tokens::count(text);
    let pass = |reason| passed(payload, kind, language, tokens_before, reason);

    let has_compressor = compress::of(kind).is_some();
    let handle = Handle::of(payload);
    let focus = Focus { lines_before: presented.lines_before(), ..Focus::of_query(options.query) };
    let best = match options.token_budget {
        Some(budget) => within(budget, kind, &presented, focus, handle, tokens_before),
        None => best_draft(kind, &presented, &focus, handle),
    };
    let Some((draft, mut output, mut tokens_after)) = best else {
        return pass(if has_compressor { Reason::Declined } else { Reason::NoCompressor });
    };
    if draft.is_lossless() && is_smaller(tokens_before, tokens_after) && would_change(&output) {
        let sealed = format!("{}\n{}", output.trim_end_matches('\n'), seal(handle));
        let n_tokens = tokens::count(&sealed);
        if options.token_budget.is_none_or(|budget| n_tokens <= budget || tokens_after > budget) {
            (output, tokens_after) = (sealed, n_tokens);
        }
    }
    if !is_smaller(tokens_before, tokens_after) {
        return pass(if has_compressor { Reason::NotSmaller } else { Reason::NoCompressor });
    }
    let entry = Entry {
        handle,
        content_type: kind.name(),
        compressor: draft.method,
        tokens_before,
        tokens_after,
        original: payload,
    };
    if let Err(error) = store.put(&entry, now_ms) {
        return Answer { store_error: Some(error), ..pass(Reason::NotStored) };
    }
    Answer {
        elided: elided(&presented, &draft, &output),
        output: Cow::Owned(output.into_bytes()),
        content_type: kind,
        language,
        tokens_before,
        tokens_after,
        recovery_handle: Some(handle),
        method: draft.method,
        lossless_to_model: draft.is_lossless(),
        reason: None,
        store_error: None,
        within_budget: None,
    }
}

/// Gives an original back, whole, and with a query the view of it that the query selects.
pub fn retrieve<S: RecoveryStore + ?Sized>(
    store: &mut S,
    now_ms: u64,
    reference: &Reference,
    query: Option<&str>,
) -> Result<Retrieved, StoreError> {
    let stored = store.get(reference, now_ms)?;
    let view = query.filter(|q| !q.trim().is_empty()).and_then(|query| {
        let text = core::str::from_utf8(&stored.original).ok()?;
        let kind = Kind::parse(&stored.content_type)
            .unwrap_or_else(|| detect::detect(&present::unwrap(text).text).kind);
        retrieve::view(text, kind, query)
    });
    Ok(Retrieved { original: stored.original, tokens_before: stored.tokens_before, view })
}

/// The payload as text: UTF-8 without NUL.
fn as_text(payload: &[u8]) -> Option<&str> {
    let text = core::str::from_utf8(payload).ok()?;
    memchr::memchr(0, payload).is_none().then_some(text)
}

fn passed<'a>(
    payload: &'a [u8],
    kind: Kind,
    language: Option<&'static str>,
    n_tokens: u64,
    reason: Reason,
) -> Answer<'a> {
    Answer {
        output: Cow::Borrowed(payload),
        content_type: kind,
        language,
        tokens_before: n_tokens,
        tokens_after: n_tokens,
        recovery_handle: None,
        method: "none",
        lossless_to_model: true,
        reason: Some(reason),
        store_error: None,
        within_budget: None,
        elided: Vec::new(),
    }
}

/// At least 5 % and 16 tokens below the original.
fn is_smaller(before: u64, after: u64) -> bool {
    after.saturating_add(16) <= before && after.saturating_mul(100) <= before.saturating_mul(95)
}

/// The best draft within a budget: pressed harder and harder, at last cut to the lines that are worth most. Where nothing
/// fits, the one that was pressed hardest.
fn within(
    budget: u64,
    kind: Kind,
    presented: &present::Presented<'_>,
    mut focus: Focus,
    handle: Handle,
    tokens_before: u64,
) -> Option<(Draft, String, u64)> {
    let mut best = None;
    for pressure in 0..=Focus::MAX_PRESSURE {
        focus.pressure = pressure;
        best = best_draft(kind, presented, &focus, handle);
        if best.as_ref().is_none_or(|(_, _, n_tokens)| *n_tokens <= budget) {
            break;
        }
    }
    let fits = |best: &(Draft, String, u64)| best.2 <= budget && is_smaller(tokens_before, best.2);
    if tokens_before <= budget || best.as_ref().is_some_and(fits) {
        return best;
    }
    let finish = |draft: &Draft| {
        let mut output = presented.rewrap(draft);
        close(&mut output, draft, handle);
        output
    };
    let is_fitting = |draft: &Draft| {
        let n_tokens = tokens::count_up_to(&finish(draft), budget);
        n_tokens.is_some_and(|n| n <= budget && is_smaller(tokens_before, n))
    };
    let max_units = usize::try_from(budget).unwrap_or(usize::MAX);
    let Some(draft) = compress::fit(&presented.text, &focus, max_units, is_fitting) else {
        return best;
    };
    let output = finish(&draft);
    let n_tokens = tokens::count(&output);
    Some((draft, output, n_tokens))
}

/// The better of the two proposals, rendered and counted, the handle line included.
fn best_draft(
    kind: Kind,
    presented: &present::Presented<'_>,
    focus: &Focus,
    handle: Handle,
) -> Option<(Draft, String, u64)> {
    let finish = |mut draft: Draft| {
        let mut output = presented.rewrap(&draft);
        if !draft.is_lossless() {
            draft.notes.extend(compress::asked_notes(&presented.text, focus, &output));
        }
        close(&mut output, &draft, handle);
        let n_tokens = tokens::count(&output);
        (draft, output, n_tokens)
    };
    compress::propose(kind, presented, focus).weigh(finish, |(_, _, n_tokens)| *n_tokens)
}

/// Whether an output without a marker would be made smaller again, as a payload of another kind.
fn would_change(output: &str) -> bool {
    if memchr::memmem::find(output.as_bytes(), MARKER_OPEN.as_bytes()).is_some() {
        return false;
    }
    let presented = present::unwrap(output);
    let kind = detect::detect(&presented.text).kind;
    let handle = Handle::of(output.as_bytes());
    let again = best_draft(kind, &presented, &Focus::default(), handle);
    again.is_some_and(|(_, _, n_tokens)| is_smaller(tokens::count(output), n_tokens))
}

/// The last line of an output that would be taken for a payload: it says whose it is, so that it stays as it is.
fn seal(handle: Handle) -> String {
    format!("{MARKER_OPEN}nothing elided, written shorter; caveman_retrieve(\"{handle}\")]\n")
}

/// The markers of a rendered draft. The payload holds none, so the first text of that kind is the marker itself.
fn elided(presented: &present::Presented<'_>, draft: &Draft, output: &str) -> Vec<Elided> {
    let mut found = Vec::new();
    let mut from = 0;
    for piece in &draft.pieces {
        let Piece::Marker { of, n_units, text } = piece else { continue };
        let text = text.trim_end_matches(['\n', '\r']);
        if text.is_empty() {
            // A note speaks for it.
            continue;
        }
        let rest = output.as_bytes().get(from..).unwrap_or_default();
        let Some(at) = memchr::memmem::find(rest, text.as_bytes()) else { continue };
        let marker = Span::new(from + at, from + at + text.len());
        from += at + text.len();
        found.push(Elided { marker, of: presented.to_original(*of), n_units: *n_units });
    }
    found
}

/// Ends an output with what stands beside the handle, and with the handle itself when something was elided.
fn close(output: &mut String, draft: &Draft, handle: Handle) {
    if draft.is_lossless() {
        return;
    }
    if !output.ends_with('\n') {
        output.push('\n');
    }
    for note in &draft.notes {
        output.push_str(note);
        output.push('\n');
    }
    let (elided, total, noun) = (draft.n_elided(), draft.n_units, draft.noun);
    let what = if elided == 0 {
        format!("parts of {noun} elided")
    } else {
        format!("{elided} of {total} {noun} elided")
    };
    output.push_str(&format!("{MARKER_OPEN}{what}; caveman_retrieve(\"{handle}\")]\n"));
}
