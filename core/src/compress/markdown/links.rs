//! Link definitions that follow one template: `[#71]: https://example.org/pull/71`. Label and template give the target.

use super::Part;
use crate::elide::mask::{self, HashedMap};
use crate::elide::{self, Focus, Style};
use crate::prelude::*;
use crate::text::{Span, offset, trim_eol};

/// A template of fewer definitions is no template. Our choice.
const MIN_REPEATS: u32 = 4;

/// A definition, cut around the identifier that label and target share.
#[derive(Clone, Copy)]
pub(super) struct Definition<'t> {
    /// What stands in the label before the identifier.
    pub(super) label: &'t str,
    before: &'t str,
    after: &'t str,
}

impl<'t> Definition<'t> {
    /// `[label]: target` without a title, whose target holds once what the label ends with.
    fn of(line: &'t str) -> Option<Definition<'t>> {
        let (label, target) = line.trim().strip_prefix('[')?.split_once("]: ")?;
        Definition::new(label, target)
    }

    /// A label and a target that holds once what the label ends with.
    pub(super) fn new(label: &'t str, target: &'t str) -> Option<Definition<'t>> {
        let id = label.rsplit(|c: char| !c.is_alphanumeric()).next()?;
        let label = label.strip_suffix(id)?;
        let (before, after) = target.split_once(id)?;
        let is_whole = !before.ends_with(char::is_alphanumeric)
            && !after.starts_with(char::is_alphanumeric)
            && !after.contains(id);
        let is_number = !id.is_empty() && id.bytes().all(|b| b.is_ascii_digit());
        let is_plain = !target.contains([' ', '\t', '"', '<'])
            && !label.contains(|c: char| c.is_ascii_digit() || matches!(c, '[' | ']' | '`'));
        (is_whole && is_number && is_plain).then_some(Definition { label, before, after })
    }

    pub(super) fn template(&self) -> u64 {
        let hash = mask::mix(mask::hash(self.label), mask::hash(self.before));
        mask::mix(hash, mask::hash(self.after))
    }

    /// What gives each target back.
    pub(super) fn fact(&self) -> String {
        format!("[{}N]: {}N{}", self.label, self.before, self.after)
    }
}

/// Adds a part for each run of definitions of templates that many follow. Lines of which `is_content` holds stay.
pub(super) fn shorten(
    text: &str,
    lines: &[Span],
    focus: &Focus,
    is_content: impl Fn(Span) -> bool,
    parts: &mut Vec<Part>,
) {
    let mut counts: HashedMap<u32> = HashedMap::default();
    let found: Vec<(usize, Definition<'_>)> = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| !is_content(**line))
        .filter_map(|(at, line)| Some((at, Definition::of(trim_eol(line.of(text)))?)))
        .collect();
    for (_, definition) in &found {
        *counts.entry(definition.template()).or_default() += 1;
    }
    let goes = |(at, definition): &&(usize, Definition<'_>)| {
        counts.get(&definition.template()).is_some_and(|n| *n >= MIN_REPEATS)
            && lines.get(*at).is_some_and(|line| !focus.is_in(line.of(text)))
    };
    let found: Vec<(usize, Definition<'_>)> = found.iter().filter(goes).copied().collect();
    let mut told: HashedMap<()> = HashedMap::default();
    for run in found.chunk_by(|one, next| one.0 + 1 == next.0) {
        let Some(((first, _), (last, _))) = run.first().zip(run.last()) else { continue };
        let Some(of) = lines.get(*first).zip(lines.get(*last)).map(|(a, b)| a.join(*b)) else {
            continue;
        };
        let number = |at: usize| offset(at + 1) + focus.lines_before;
        // Each template is stated once, at the first run that it is of.
        let mut new: Vec<(u64, String)> = Vec::new();
        for (_, definition) in run {
            let template = definition.template();
            if !told.contains_key(&template) && new.iter().all(|(known, _)| *known != template) {
                new.push((template, definition.fact()));
            }
        }
        let facts: Vec<String> = new.iter().map(|(_, fact)| fact.clone()).collect();
        let range = (number(*first), number(*last));
        let marker = elide::marker(run.len(), "links", range, &facts, &Style::PLAIN);
        let states_all = facts.iter().all(|fact| marker.contains(fact.as_str()));
        if marker.len() * 2 <= of.len() && states_all {
            told.extend(new.into_iter().map(|(template, _)| (template, ())));
            parts.push(Part::marker(of, offset(run.len()), marker));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_is_cut_around_what_label_and_target_share() {
        for (line, want) in [
            ("[#71]: https://a.example/pull/71", Some("[#N]: https://a.example/pull/N")),
            ("[GH 7]: https://a.example/7/files", Some("[GH N]: https://a.example/N/files")),
            ("[7]: https://a.example/17", None),
            ("[7]: https://a.example/7/7", None),
            ("[0.4.3]: https://a.example/v0.4.2...v0.4.3", None),
            ("[tokio]: https://a.example/tokio", None),
            ("[7]: https://a.example/7 \"seven\"", None),
            ("[]: 7", None),
            ("- [7](https://a.example/7)", None),
        ] {
            let found = Definition::of(line).map(|definition| definition.fact());
            assert_eq!(found.as_deref(), want, "{line}");
        }
    }
}
