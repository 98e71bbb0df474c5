//! Links within prose, written shorter without loss: `([#71](https://example.org/a/b/pull/71))` as `([#71])` where many
//! links follow one template of label and target, other targets of the commonest place as `…/issues/7`.

use super::links::Definition;
use crate::elide::mask::{self, HashedMap};
use crate::elide::{Focus, MARKER_OPEN};
use crate::prelude::*;
use crate::text::{Span, offset, trim_eol};
use core::cmp::Reverse;

/// A template of fewer links is no template, a place that fewer links name no place. Our choice.
const MIN_REPEATS: u32 = 4;
/// What stands for the common place. Documents that hold it already keep their links.
const HERE: &str = "…/";
/// How many parts of a path are tried as a common place.
const MAX_DEPTH: usize = 4;

/// A link in a line: where it stands, how it is written.
struct Link<'t> {
    /// The whole of an inline link, else the target alone.
    of: Span,
    /// Label and target as one template, where the target follows from the label.
    by_label: Option<Definition<'t>>,
    target: Span,
}

/// The statement that stands before the document, and how its links read, ascending. Lines of which `is_content` holds
/// stay as they are.
pub(super) fn shorten(
    text: &str,
    lines: &[Span],
    focus: &Focus,
    is_content: impl Fn(Span) -> bool,
) -> Option<(String, Vec<(Span, String)>)> {
    if text.contains(HERE) {
        return None;
    }
    let mut links = Vec::new();
    for line in lines.iter().filter(|line| !is_content(**line)) {
        // What a query asks for stays as it is.
        if memchr::memmem::find(line.of(text).as_bytes(), b"://").is_some()
            && !focus.is_in(line.of(text))
        {
            links_of(text, *line, &mut links);
        }
    }
    let templates = templates(text, &links);
    let is_told = |link: &Link<'_>| {
        link.by_label.is_some_and(|told| {
            templates.get(&mask::hash(told.label)).is_some_and(|best| best.1 == told.template())
        })
    };
    let place = place(text, links.iter().filter(|link| !is_told(link)).map(|link| link.target));
    let mut facts: Vec<(u32, String)> = Vec::new();
    let mut known: HashedMap<()> = HashedMap::default();
    let mut written = Vec::new();
    for link in &links {
        if is_told(link)
            && let Some(told) = link.by_label
        {
            if known.insert(mask::hash(told.label), ()).is_none() {
                facts.push((link.of.start, told.fact()));
            }
            let label = Span { start: link.of.start, end: link.target.start.saturating_sub(1) };
            written.push((link.of, label.of(text).to_owned()));
        } else if let Some(place) = place.filter(|place| link.target.of(text).starts_with(place)) {
            let end = link.target.start + offset(place.len());
            written.push((Span { start: link.target.start, end }, HERE.to_owned()));
        }
    }
    let mut facts: Vec<String> = facts.into_iter().map(|(_, fact)| fact).collect();
    facts.extend(place.map(|place| format!("{HERE} is {place}")));
    (!written.is_empty()).then(|| (format!("{MARKER_OPEN}links: {}]\n", facts.join("; ")), written))
}

/// Adds the links of a line.
fn links_of<'t>(text: &'t str, line: Span, links: &mut Vec<Link<'t>>) {
    let body = trim_eol(line.of(text));
    let mut from = 0;
    for colon in memchr::memmem::find_iter(body.as_bytes(), b"://") {
        let before = body.get(from..colon).unwrap_or_default();
        let scheme =
            before.len() - before.trim_end_matches(|c: char| c.is_ascii_alphabetic()).len();
        if !matches!(before.get(before.len() - scheme..), Some("http" | "https")) {
            continue;
        }
        let start = colon - scheme;
        let target = body.get(start..).unwrap_or_default();
        let is_end = |c: char| {
            c.is_whitespace() || matches!(c, '<' | '>' | '"' | '\'' | '`' | ')' | ']' | '|')
        };
        let target = target.split(is_end).next().unwrap_or_default();
        let end = start + target.len();
        let label_end = start
            .checked_sub(2)
            .filter(|at| body.get(*at..start) == Some("](") && body.get(end..=end) == Some(")"));
        let label = label_end.and_then(|label_end| {
            let open = body.get(from..label_end)?.rfind('[')? + from;
            Some((open, body.get(open + 1..label_end)?))
        });
        let at = |n: usize| line.start + offset(n);
        let target_span = Span { start: at(start), end: at(end) };
        links.push(match label {
            Some((open, label)) => Link {
                of: Span { start: at(open), end: at(end + 1) },
                by_label: Definition::new(label, target),
                target: target_span,
            },
            None => Link { of: target_span, by_label: None, target: target_span },
        });
        from = end;
    }
}

/// The commonest template of each label, by the hash of what stands in the label before its number. A label that is
/// also written without a target has none.
fn templates(text: &str, links: &[Link<'_>]) -> HashedMap<(u32, u64)> {
    let mut counts: HashedMap<(u32, u64)> = HashedMap::default();
    for told in links.iter().filter_map(|link| link.by_label) {
        let (n, label) = counts.entry(told.template()).or_default();
        *n += 1;
        *label = mask::hash(told.label);
    }
    let mut best: HashedMap<(u32, u64)> = HashedMap::default();
    for (template, (n, label)) in counts {
        let known = best.entry(label).or_default();
        // The hash decides among equals, so that the order of the map does not.
        if n >= MIN_REPEATS && (n, template) > *known {
            *known = (n, template);
        }
    }
    if best.values().all(|(n, _)| *n == 0) {
        return HashedMap::default();
    }
    for open in memchr::memchr_iter(b'[', text.as_bytes()) {
        let label = text.get(open + 1..).unwrap_or_default();
        let number = label.find(|c: char| c.is_ascii_digit() || matches!(c, '[' | ']' | '\n'));
        let Some((label, number)) = number.and_then(|at| label.split_at_checked(at)) else {
            continue;
        };
        if number
            .trim_start_matches(|c: char| c.is_ascii_digit())
            .strip_prefix(']')
            .is_some_and(|next| !next.starts_with('('))
        {
            best.remove(&mask::hash(label));
        }
    }
    best
}

/// The place, up to a `/`, that makes targets shorter by most when it need not be named.
fn place<'t>(text: &'t str, targets: impl Iterator<Item = Span>) -> Option<&'t str> {
    let mut counts: HashedMap<(u32, &'t str)> = HashedMap::default();
    for target in targets {
        let target = target.of(text);
        let after = target.find("://").map_or(0, |at| at + 3);
        let ends = memchr::memchr_iter(b'/', target.as_bytes()).filter(|end| *end > after);
        for end in ends.take(MAX_DEPTH) {
            let place = target.get(..=end).unwrap_or_default();
            counts.entry(mask::hash(place)).or_insert((0, place)).0 += 1;
        }
    }
    let saved = |(n, place): &(u32, &str)| {
        u64::from(*n) * u64::from(offset(place.len().saturating_sub(HERE.len())))
    };
    let best = counts
        .into_values()
        .filter(|(n, _)| *n >= MIN_REPEATS)
        .max_by_key(|best| (saved(best), Reverse(best.1)));
    best.map(|(_, place)| place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Option<String> {
        let lines = crate::text::lines(text);
        let (mut out, links) =
            shorten(text, &lines, &Focus::default(), |line| line.of(text).starts_with('#'))?;
        let mut at = 0;
        for (of, text_of_link) in links {
            out.push_str(Span { start: at, end: of.start }.of(text));
            out.push_str(&text_of_link);
            at = of.end;
        }
        out.push_str(Span { start: at, end: offset(text.len()) }.of(text));
        Some(out)
    }

    #[test]
    fn a_label_that_gives_its_target_stands_alone() {
        let entry = |n: u32| {
            format!(
                "- Größe ([#{n}](https://a.example/x/pull/{n})), [#{n}](https://a.example/x/issues/9)\n"
            )
        };
        let text: String = ["# Changes https://a.example/x/\n".to_owned()]
            .into_iter()
            .chain((1..6).map(entry))
            .collect();
        let out = written(&text).unwrap();
        let head = "[caveman: links: [#N]: https://a.example/x/pull/N; …/ is https://a.example/x/issues/]\n# Changes https://a.example/x/\n- Größe ([#1]), [#1](…/9)\n";
        assert!(out.starts_with(head), "{out}");
        // A label that is written alone too means something else.
        let out = written(&(text + "As [#3] says.\n")).unwrap();
        assert!(out.contains("([#1](…/pull/1)), [#1](…/issues/9)"), "{out}");
    }

    #[test]
    fn the_commonest_place_is_named_once() {
        let text: String = (0..6)
            .map(|n| format!("* Fix by @ada in https://a.example/org/tool/pull/{}\r\n", 70 + n))
            .collect();
        let out = written(&text).unwrap();
        assert!(out.starts_with("[caveman: links: …/ is https://a.example/org/tool/pull/]\n* Fix by @ada in …/70\r\n"), "{out}");
        for kept in [
            "",
            "See https://a.example/b.\n",
            "file://a/b ".repeat(9).as_str(),
            &(text.clone() + "…/"),
        ] {
            assert_eq!(written(kept), None, "{kept}");
        }
    }

    #[test]
    fn hostile_links_take_linear_time() {
        for unit in [
            "http://",
            "[",
            "[1",
            "](http://a/b/",
            "[](http://",
            "]",
            "http://a/b/c/d/e\n",
            "[1](http://a/1)",
        ] {
            let text = unit.repeat(200_000);
            shorten(&text, &crate::text::lines(&text), &Focus::default(), |_| false);
        }
    }
}
