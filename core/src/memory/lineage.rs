//! Lineages: from any version to all of them, and whether their links fit together.

use super::{Memory, MemoryError, MemoryErrorKind};
use crate::prelude::*;
use alloc::collections::BTreeSet;

/// The lineage that `id` belongs to, oldest version first. `get` finds a version by its id.
///
/// Links must be mutual, lead to versions that exist, and never in a circle; only the newest may be current.
pub fn lineage(
    id: &str,
    mut get: impl FnMut(&str) -> Result<Option<Memory>, MemoryError>,
) -> Result<Vec<Memory>, MemoryError> {
    let mut at = get(id)?.ok_or_else(|| MemoryError::unknown(id))?;
    let mut seen = BTreeSet::from([at.id.clone()]);
    let mut before = Vec::new();
    let start = at.clone();
    while let Some(previous) = &at.supersedes {
        let earlier = get(previous)?.ok_or_else(|| missing(&at, previous))?;
        if earlier.superseded_by.as_ref() != Some(&at.id) || !seen.insert(earlier.id.clone()) {
            return Err(unfit(&earlier, &at));
        }
        before.push(earlier.clone());
        at = earlier;
    }
    before.reverse();
    let mut versions = before;
    let mut at = start;
    while let Some(next) = &at.superseded_by {
        let later = get(next)?.ok_or_else(|| missing(&at, next))?;
        if later.supersedes.as_ref() != Some(&at.id) || !seen.insert(later.id.clone()) {
            return Err(unfit(&at, &later));
        }
        versions.push(at);
        at = later;
    }
    versions.push(at);
    Ok(versions)
}

fn missing(from: &Memory, id: &str) -> MemoryError {
    let detail = format!("{} names the version {id}, which does not exist", from.id);
    MemoryError::new(MemoryErrorKind::BrokenLineage, detail)
}

fn unfit(earlier: &Memory, later: &Memory) -> MemoryError {
    let detail = format!("{} and {} do not name each other as neighbours", earlier.id, later.id);
    MemoryError::new(MemoryErrorKind::BrokenLineage, detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Versions as `id<supersedes>superseded_by`.
    fn check(versions: &[&str], id: &str) -> Result<String, &'static str> {
        let name = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let all: Vec<Memory> = versions
            .iter()
            .map(|text| {
                let (id, links) = text.split_once('<').unwrap();
                let (supersedes, superseded_by) = links.split_once('>').unwrap();
                Memory {
                    id: id.to_owned(),
                    supersedes: name(supersedes),
                    superseded_by: name(superseded_by),
                    ..Memory::default()
                }
            })
            .collect();
        let get = |id: &str| Ok(all.iter().find(|memory| memory.id == id).cloned());
        let found = lineage(id, get).map_err(|error| error.code())?;
        Ok(found.iter().map(|memory| memory.id.as_str()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn any_version_leads_to_all() {
        let chain = ["a<>b", "b<a>c", "c<b>"];
        for id in ["a", "b", "c"] {
            assert_eq!(check(&chain, id).as_deref(), Ok("a b c"));
        }
        assert_eq!(check(&["x<>"], "x").as_deref(), Ok("x"));
        assert_eq!(check(&chain, "d"), Err("cave_unknown_memory"));
    }

    #[test]
    fn broken_links_are_errors() {
        for chain in [
            &["a<>b", "b<a>c"][..],
            &["a<z>"],
            &["a<>b", "b<>"],
            &["a<>", "b<a>"],
            &["a<b>b", "b<a>a"],
            &["a<a>a"],
        ] {
            let last = chain.last().unwrap().split('<').next().unwrap();
            let outcomes = [check(chain, "a"), check(chain, last)];
            assert!(outcomes.contains(&Err("cave_broken_lineage")), "{chain:?}: {outcomes:?}");
        }
    }

    #[test]
    fn a_hundred_thousand_versions_are_walked_without_recursion() {
        let get = |id: &str| {
            let n: u32 = id.parse().unwrap();
            let link = |n: Option<u32>| n.filter(|n| *n < 100_000).map(|n| n.to_string());
            Ok(Some(Memory {
                id: id.to_owned(),
                supersedes: link(n.checked_sub(1)),
                superseded_by: link(Some(n + 1)),
                ..Memory::default()
            }))
        };
        assert_eq!(lineage("50000", get).unwrap().len(), 100_000);
    }
}
