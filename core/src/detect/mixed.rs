//! Mixed payloads: prose, prompts and headlines around segments of other kinds, fenced or told by what they are.
//!
//! One pass cuts a text into [`Segment`]s; detection does that with the head of the payload, the compressor with all of it.
//! Evidence is hard: fences, the grammar of JSON and of diffs, and blocks of lines that a probe explains nearly whole. What
//! nothing explains is prose.

use super::sample::Sample;
use super::{Scores, diff, json, markup, session};
use crate::kind::Kind;
use crate::prelude::*;
use crate::text::{Span, lines, offset, trim_eol};
use core::ops::Range;

/// A segment of fewer lines is part of the prose around it.
const MIN_LINES: usize = 6;
/// The same for JSON, which may stand on one line.
const MIN_JSON_BYTES: usize = 256;
/// Segments explain less than one kind that explains every line.
const MAX_SCORE: u32 = 980;
/// A payload of more segments is a document.
const MAX_SEGMENTS: usize = 48;

/// A stretch of whole lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Its lines.
    pub span: Span,
    /// What it certainly is; `None` for prose, prompts, headlines and fences.
    pub kind: Option<Kind>,
    /// Whether it stands between fences.
    pub is_fenced: bool,
}

pub(super) fn probe(sample: &Sample<'_>, scores: &mut Scores) {
    // A kind that explains every line needs no cutting.
    if scores.by_kind.iter().any(|(_, score)| *score > MAX_SCORE) {
        return;
    }
    fenced(sample, scores);
    bare(sample, scores);
}

/// Long fences and few headings: someone shows data, this is no document with examples.
fn fenced(sample: &Sample<'_>, scores: &mut Scores) {
    let (mut n_prose, mut n_fenced, mut n_fences, mut n_headings, mut in_fence) =
        (0, 0, 0, 0, false);
    for line in sample.full() {
        let body = line.body;
        if body.starts_with("```") {
            in_fence = !in_fence;
            n_fences += 1;
            n_fenced += 1;
        } else if in_fence {
            n_fenced += 1;
        } else {
            n_headings += usize::from(body.starts_with('#'));
            n_prose += usize::from(markup::is_prose(body) || body.ends_with(':'));
        }
    }
    if n_fences >= 2
        && n_prose > 0
        && sample.share(n_fenced) >= 500
        && n_fenced >= n_fences * MIN_LINES
        && n_headings <= 2
    {
        scores.claim(Kind::Mixed, sample.share(n_fenced + n_prose));
    }
}

/// Segments that their own probes are sure of, with prose between. One segment of a kind that is read line by line needs no
/// cutting: its compressor leaves other lines alone.
fn bare(sample: &Sample<'_>, scores: &mut Scores) {
    let (mut n_prose, mut n_data, mut kinds) = (0, 0, Vec::new());
    let segments = segments(sample.head);
    if !(2..=MAX_SEGMENTS).contains(&segments.len()) {
        return;
    }
    for segment in segments {
        let lines = || segment.span.of(sample.head).lines().map(str::trim);
        match segment.kind {
            Some(kind) => {
                n_data += lines().filter(|line| !line.is_empty()).count();
                if !kinds.contains(&kind) {
                    kinds.push(kind);
                }
            }
            None => {
                n_prose += lines()
                    .filter(|line| {
                        markup::is_prose(line)
                            || line.ends_with(':')
                            || session::is_prompt_text(line)
                            || is_banner(line)
                    })
                    .count();
            }
        }
    }
    // Markup belongs to a Markdown document.
    if scores.by_kind.iter().any(|(kind, score)| *kind == Kind::Markdown && *score >= super::FLOOR)
    {
        kinds.retain(|kind| *kind != Kind::Html);
    }
    // The message above a patch belongs to it.
    let is_patch =
        kinds == [Kind::Diff] && ["commit ", "From "].iter().any(|w| sample.first().starts_with(w));
    let n_cut = kinds.iter().filter(|kind| needs_cutting(**kind)).count();
    let is_mixed = !is_patch && n_cut > 0 && (n_prose > 0 || kinds.len() >= 2);
    // The share is that of the head: what lies behind it was not cut.
    let n_lines = sample.head.lines().filter(|line| !line.trim().is_empty()).count();
    if is_mixed && super::share(n_data, n_lines) >= 500 {
        scores.claim(Kind::Mixed, super::share(n_prose + n_data, n_lines).min(MAX_SCORE));
    }
}

/// Whether the compressor of a kind takes a text whole, so that other lines must be cut off before.
pub fn needs_cutting(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Json
            | Kind::Ndjson
            | Kind::Diff
            | Kind::Table
            | Kind::Tabular
            | Kind::Listing
            | Kind::Html
            | Kind::Xml
    )
}

/// Cuts `text` into segments, in order and without gaps. Linear in its length.
pub fn segments(text: &str) -> Vec<Segment> {
    let lines = lines(text);
    let mut cutter = Cutter { text, lines: &lines, out: Vec::new(), wasted: 0 };
    cutter.cut();
    // Blank lines stood by themselves until it was known what follows them.
    let is_plain = |segment: &Segment| segment.kind.is_none() && !segment.is_fenced;
    cutter.out.dedup_by(|next, before| {
        let joins = is_plain(next) && is_plain(before);
        if joins {
            before.span.end = next.span.end;
        }
        joins
    });
    cutter.out
}

/// What stands between the fences of `text` in at least `min_bytes`, and what it is. Linear in the length of the text.
pub fn fences(text: &str, min_bytes: usize) -> Vec<(Span, Kind)> {
    let lines = lines(text);
    let inside = fence_lines(text, &lines).into_iter().filter_map(|fence| {
        let inside = lines.get(fence.start + 1..fence.end)?;
        inside.iter().copied().reduce(Span::join)
    });
    inside
        .filter(|inside| inside.len() >= min_bytes)
        .map(|inside| (inside, super::detect(inside.of(text)).kind))
        .collect()
}

/// The lines that open a fence, each with the one that closes it, in order. Linear: after one that never closes there is none.
fn fence_lines(text: &str, lines: &[Span]) -> Vec<Range<usize>> {
    let line = |at: usize| lines.get(at).map_or("", |line| trim_eol(line.of(text)));
    let (mut found, mut at) = (Vec::new(), 0);
    while at < lines.len() {
        let Some(fence) = opened(line(at)) else {
            at += 1;
            continue;
        };
        let mark = fence.as_bytes().first();
        let closes = |line: &str| {
            let line = line.trim();
            line.starts_with(fence) && line.bytes().all(|b| Some(&b) == mark)
        };
        let Some(close) = (at + 1..lines.len()).find(|at| closes(line(*at))) else { break };
        found.push(at..close);
        at = close + 1;
    }
    found
}

/// The bar of the fence that a line opens.
fn opened(line: &str) -> Option<&str> {
    let mark = line.trim_start_matches(' ');
    let open = ["```", "~~~"].into_iter().find(|open| mark.starts_with(open))?;
    let bar = mark.bytes().take_while(|b| open.as_bytes().first() == Some(b)).count();
    let (bar, info) = mark.split_at_checked(bar)?;
    (line.len() - mark.len() <= 3 && !info.contains('`')).then_some(bar)
}

struct Cutter<'a> {
    text: &'a str,
    lines: &'a [Span],
    out: Vec<Segment>,
    /// Bytes read as JSON that were none: no more than the text has, so that the work stays linear.
    wasted: usize,
}

impl Cutter<'_> {
    fn line(&self, at: usize) -> &str {
        self.lines.get(at).map_or("", |line| trim_eol(line.of(self.text)))
    }

    /// Cuts at fences and prompts, which end whatever stands before them.
    fn cut(&mut self) {
        let mut fences = fence_lines(self.text, self.lines).into_iter().peekable();
        let (mut start, mut at) = (0, 0);
        while at < self.lines.len() {
            if let Some(Range { end: close, .. }) = fences.next_if(|fence| fence.start == at) {
                self.region(start, at);
                self.push(at, at + 1, None, false);
                let inside = self.slice(at + 1, close);
                let kind = super::detect(inside).kind;
                self.push(at + 1, close, Some(kind), true);
                self.push(close, close + 1, None, false);
                (start, at) = (close + 1, close + 1);
            } else if session::is_prompt_text(self.line(at)) || is_file_banner(self.line(at)) {
                self.region(start, at);
                self.push(at, at + 1, None, false);
                (start, at) = (at + 1, at + 1);
            } else {
                at += 1;
            }
        }
        self.region(start, at);
    }

    /// What stands between two boundaries: of one kind as a whole, or of several.
    fn region(&mut self, start: usize, end: usize) {
        if start >= end {
            return;
        }
        let is_part = start > 0 || end < self.lines.len();
        if is_part
            && let Some(kind) = sure(self.slice(start, end))
            && self.n_full(start, end) >= MIN_LINES
        {
            self.push(start, end, Some(kind), false);
            return;
        }
        let (mut block, mut at) = (start, start);
        while at < end {
            let found = if let Some(close) = self.json_end(at, end) {
                Some((close, Kind::Json))
            } else {
                self.diff_end(at, end).map(|close| (close, Kind::Diff))
            };
            if let Some((close, kind)) = found {
                self.block(block, at);
                self.push(at, close, Some(kind), false);
                (block, at) = (close, close);
            } else if self.line(at).trim().is_empty() || is_banner(self.line(at)) {
                self.block(block, at);
                self.push(at, at + 1, None, false);
                (block, at) = (at + 1, at + 1);
            } else {
                at += 1;
            }
        }
        self.block(block, end);
    }

    /// Lines without a boundary between them.
    fn block(&mut self, start: usize, end: usize) {
        if start >= end {
            return;
        }
        let kind = if end - start >= MIN_LINES { sure(self.slice(start, end)) } else { None };
        self.push(start, end, kind, false);
    }

    /// The line after the JSON value that begins at line `at` and ends with a line.
    fn json_end(&mut self, at: usize, end: usize) -> Option<usize> {
        let start = self.lines.get(at)?.start as usize;
        let bytes = self.text.as_bytes();
        if !matches!(bytes.get(start), Some(b'{' | b'[')) || self.wasted > self.text.len() {
            return None;
        }
        let last = self.lines.get(end.checked_sub(1)?)?.end as usize;
        let region = self.text.get(start..last)?;
        let found = json::value_end(region).filter(|n| *n >= MIN_JSON_BYTES).and_then(|n| {
            let close = start + n;
            let next = self.lines.partition_point(|line| (line.end as usize) < close) + 1;
            let rest = self.text.get(close..self.lines.get(next - 1)?.end as usize)?;
            rest.trim().is_empty().then_some(next)
        });
        if found.is_none() {
            self.wasted += json::explained(region) + 1;
        }
        found
    }

    /// The line after the unified diff that begins at line `at`.
    fn diff_end(&self, at: usize, end: usize) -> Option<usize> {
        let line = self.line(at);
        let begins = line.starts_with("diff --git ")
            || line.starts_with("--- ") && self.line(at + 1).starts_with("+++ ");
        if !begins {
            return None;
        }
        let lines = (at..end).map(|at| self.line(at));
        let n = diff::n_lines(lines);
        (n >= MIN_LINES).then_some(at + n)
    }

    fn slice(&self, start: usize, end: usize) -> &str {
        self.span(start, end).of(self.text)
    }

    fn span(&self, start: usize, end: usize) -> Span {
        let len = offset(self.text.len());
        let at = |line: usize| self.lines.get(line).map_or(len, |line| line.start);
        Span { start: at(start), end: at(end) }
    }

    fn n_full(&self, start: usize, end: usize) -> usize {
        (start..end).filter(|at| !self.line(*at).trim().is_empty()).count()
    }

    /// Adds a segment. Prose joins prose; what one kind explains joins its like across blank lines.
    fn push(&mut self, start: usize, end: usize, kind: Option<Kind>, is_fenced: bool) {
        let span = self.span(start, end);
        if span.is_empty() {
            return;
        }
        let kind = kind.filter(|kind| is_fenced || !matches!(kind, Kind::Text | Kind::Mixed));
        if let (Some(kind), false) = (kind, is_fenced) {
            let n_blank = self
                .out
                .iter()
                .rev()
                .take_while(|s| s.kind.is_none() && s.span.of(self.text).trim().is_empty())
                .count();
            let before = self.out.len().checked_sub(n_blank + 1);
            if let Some(last) = before.and_then(|at| self.out.get_mut(at))
                && !last.is_fenced
                && let Some(joined) = last.kind.and_then(|before| joined(before, kind, n_blank))
            {
                last.span.end = span.end;
                last.kind = Some(joined);
                self.out.truncate(self.out.len() - n_blank);
                return;
            }
        }
        if let (None, Some(last)) = (kind, self.out.last_mut())
            && last.kind.is_none()
            && !is_fenced
            && !last.is_fenced
            // A blank line stays by itself until it is known what follows it.
            && !span.of(self.text).trim().is_empty()
        {
            last.span.end = span.end;
            return;
        }
        self.out.push(Segment { span, kind, is_fenced });
    }
}

/// What two neighbours of these kinds are as one; `None` when they are two.
fn joined(before: Kind, kind: Kind, n_blank: usize) -> Option<Kind> {
    match (before, kind) {
        // Values on lines that follow one another are lines of JSON.
        (Kind::Json | Kind::Ndjson, Kind::Json | Kind::Ndjson) if n_blank == 0 => {
            Some(Kind::Ndjson)
        }
        (Kind::Json | Kind::Table | Kind::Tabular, _) => None,
        (Kind::Log, Kind::StackTrace) | (Kind::StackTrace, Kind::Log) => Some(Kind::Log),
        _ if before == kind => Some(kind),
        _ => None,
    }
}

/// `==> app.log <==`, as `head` and `tail` write it: what follows is another file.
fn is_file_banner(line: &str) -> bool {
    line.starts_with("==> ") && line.ends_with(" <==")
}

/// `=== logs ===`, `--- status ---`, `## pods ##`, `##[group]Run`: a headline of a script.
fn is_banner(line: &str) -> bool {
    let line = line.trim();
    let Some(mark @ (b'=' | b'-' | b'#' | b'*')) = line.bytes().next() else { return false };
    let n = line.bytes().take_while(|b| *b == mark).count();
    let n_end = line.bytes().rev().take_while(|b| *b == mark).count();
    n >= 2 && n_end >= 2 && n + n_end + 2 < line.len()
        || line.starts_with("##[group]")
        || is_file_banner(line)
}

/// The kind that a stretch certainly is. Code, configuration, Markdown and sessions are told by less than certainty.
fn sure(block: &str) -> Option<Kind> {
    let sample = Sample::of(block);
    let mut scores = Scores::default();
    let is_vague = |kind| {
        matches!(kind, Kind::Terminal | Kind::Markdown | Kind::Code | Kind::Config | Kind::Mixed)
    };
    for probe in super::PROBES.iter().filter(|probe| !is_vague(probe.best)) {
        if !scores.is_settled_before(probe.best) {
            (probe.run)(&sample, &mut scores);
        }
    }
    let (kind, score) = scores.best()?;
    (score >= 900).then_some(kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The segments as `kind: first line`.
    fn check(text: &str, want: &[&str]) {
        let segments = segments(text);
        let mut at = 0;
        for segment in &segments {
            assert_eq!(segment.span.start, at, "{segments:?} of {text}");
            at = segment.span.end;
        }
        assert_eq!(at as usize, text.len(), "{text}");
        let got: Vec<String> = segments
            .iter()
            .filter(|s| !s.span.of(text).trim().is_empty())
            .map(|s| {
                let kind = s.kind.map_or("-", Kind::name);
                format!("{kind}: {}", s.span.of(text).trim().lines().next().unwrap_or_default())
            })
            .collect();
        assert_eq!(got, want, "{text}");
    }

    fn log(n: usize) -> String {
        (0..n).map(|n| format!("2026-09-14 08:00:{:02} INFO done {n}\n", n % 60)).collect()
    }

    fn value(n: usize) -> String {
        let items: Vec<String> =
            (0..n).map(|n| format!("  {{\"id\": {n}, \"ok\": true}}")).collect();
        format!("[\n{}\n]\n", items.join(",\n"))
    }

    #[test]
    fn prose_and_what_is_certain_are_told_apart() {
        let text = format!("Here is the log:\n\n{}\nAnd the answer:\n{}Done.\n", log(8), value(20));
        check(
            &text,
            &[
                "-: Here is the log:",
                "log: 2026-09-14 08:00:00 INFO done 0",
                "-: And the answer:",
                "json: [",
                "-: Done.",
            ],
        );
    }

    #[test]
    fn prompts_and_fences_are_boundaries() {
        let text = format!("$ tail app.log\n{}$ cat a.json\n{}$ exit\n", log(8), value(20));
        check(
            &text,
            &[
                "-: $ tail app.log",
                "log: 2026-09-14 08:00:00 INFO done 0",
                "-: $ cat a.json",
                "json: [",
                "-: $ exit",
            ],
        );
        let text = format!("See:\n```json\n{}```\nand\n~~~\n{}~~~\n", value(9), log(9));
        check(
            &text,
            &["-: See:", "json: [", "-: ```", "log: 2026-09-14 08:00:00 INFO done 0", "-: ~~~"],
        );
    }

    #[test]
    fn hostile_texts_are_cut_in_linear_time() {
        for unit in [
            "[\n",
            "{\"a\":\n",
            "```\n",
            "~~~\n",
            "--- a\n+++ b\n",
            "$ a\n",
            "\n",
            "== a ==\n",
            "[1,\n",
            "é\n",
        ] {
            let text = unit.repeat(50_000);
            let segments = segments(&text);
            assert_eq!(segments.last().map(|s| s.span.end as usize), Some(text.len()), "{unit}");
        }
        check("", &[]);
    }
}
