//! Lockfiles: every package as `name@version`, without what only a package manager reads.
//!
//! Recognised by content. Checksums, sources and dependencies go; a source that is no registry is shown beside its package.

use crate::draft::{Draft, Piece};
use crate::elide::mask::{self, HashedMap};
use crate::json::{self, JsonKind, Value};
use crate::order;
use crate::prelude::*;
use crate::text::{Span, lines, offset, trim_eol};

/// Fewer packages stay as they are. Our choice.
const MIN_PACKAGES: usize = 4;
/// A line of the list is ended behind so many bytes. Our choice.
const LINE_BYTES: usize = 160;

/// The packages that stand one behind another, and the text that they fill.
#[derive(Debug, Default)]
struct Packages {
    of: Span,
    /// `name@version`, as the list shows it.
    entries: Vec<String>,
    /// How many further entries are not listed: they say again what is listed above.
    n_again: usize,
}

impl Packages {
    fn len(&self) -> usize {
        self.entries.len() + self.n_again
    }
}

/// Reads one format; no packages where the text is another.
type Reader = fn(&str, &[Span]) -> Vec<Packages>;

impl Packages {
    fn add(&mut self, line: Span) {
        self.of = if self.of.is_empty() { line } else { self.of.join(line) };
    }
}

/// The draft of a lockfile in a format of lines; `None` when `text` is none.
pub(super) fn list(text: &str) -> Option<Draft> {
    let lines = lines(text);
    let readers: [Reader; 5] = [tables, sums, yarn, pnpm, gems];
    let found = readers
        .into_iter()
        .map(|read| read(text, &lines))
        .find(|found| found.iter().map(Packages::len).sum::<usize>() >= MIN_PACKAGES);
    let Some(found) = found else { return npm(text) };
    let mut draft = Draft::new("elide", "packages", 0);
    let (mut at, mut counted, mut line) = (0, 0, 1);
    for packages in found.into_iter().filter(|packages| packages.len() > 0) {
        let mut line_of = |to: u32| {
            let between = text.as_bytes().get(counted..to as usize).unwrap_or_default();
            line += memchr::memchr_iter(b'\n', between).count();
            counted = to as usize;
            line
        };
        let (from, to) = (line_of(packages.of.start), line_of(packages.of.end.saturating_sub(1)));
        let n = packages.len();
        let told = match packages.n_again {
            0 => "name@version of each, without checksums, sources, dependencies",
            again if again == n => "all listed above",
            _ => "those that are not listed above",
        };
        let mut marker = format!("# [caveman: {n} packages elided: lines {from}-{to}; {told}]\n");
        if !packages.entries.is_empty() {
            wrap(&packages.entries, "# ", " ", "\n", &mut marker);
        }
        draft.keep(Span { start: at, end: packages.of.start });
        at = packages.of.end;
        draft.n_units += offset(n);
        draft.pieces.push(Piece::Marker { of: packages.of, n_units: offset(n), text: marker });
    }
    draft.keep(Span { start: at, end: offset(text.len()) });
    Some(draft)
}

/// Writes entries, several a line.
fn wrap(entries: &[String], open: &str, between: &str, close: &str, out: &mut String) {
    let mut start = out.len();
    for (at, entry) in entries.iter().enumerate() {
        if at == 0 {
            out.push_str(open);
        } else if out.len() - start > LINE_BYTES {
            out.push_str(close);
            start = out.len();
            out.push_str(open);
        } else {
            out.push_str(between);
        }
        out.push_str(entry);
    }
    out.push_str(close);
}

/// The value of `name = "value"`.
fn assigned<'t>(line: &'t str, name: &str) -> Option<&'t str> {
    let value = line.strip_prefix(name)?.trim_start().strip_prefix('=')?.trim();
    Some(value.trim_matches('"'))
}

/// What only lockfiles say of their packages.
const LOCKED: [&str; 4] = ["\nchecksum = ", "hash = \"sha", "\nsource = ", "@generated"];

/// `[[package]]` tables: Cargo, poetry, uv, pdm. `[metadata.files]` of older ones holds nothing but hashes.
fn tables(text: &str, lines: &[Span]) -> Vec<Packages> {
    let has = |word: &str| memchr::memmem::find(text.as_bytes(), word.as_bytes()).is_some();
    if !LOCKED.into_iter().any(has) {
        return Vec::new();
    }
    let mut packages = Packages::default();
    let (mut name, mut version, mut is_inside, mut is_table) = ("", "", false, false);
    for span in lines {
        let line = trim_eol(span.of(text));
        if line.starts_with('[')
            && !line.starts_with("[[package]]")
            && !line.starts_with("[package.")
        {
            is_inside = line.starts_with("[metadata.files]") && !packages.entries.is_empty();
            is_table = false;
        } else if line.starts_with("[[package]]") {
            (name, version) = ("", "");
            (is_inside, is_table) = (true, true);
        } else if line.starts_with("[package.") {
            is_table = false;
        } else if is_table {
            if let Some(value) = assigned(line, "name") {
                name = value;
            } else if let Some(value) = assigned(line, "version") {
                version = value;
            } else if let Some(source) = assigned(line, "source")
                && !source.starts_with("registry+")
                && !source.contains("registry =")
                && let Some(entry) = packages.entries.last_mut()
            {
                entry.push_str(&format!(" ({source})"));
            }
            if !name.is_empty() && !version.is_empty() {
                packages.entries.push(format!("{name}@{version}"));
                (name, version) = ("", "");
            }
        }
        if is_inside {
            packages.add(*span);
        }
    }
    vec![packages]
}

/// `go.sum`: a module's versions stand together; those whose `go.mod` alone is locked are marked so.
fn sums(text: &str, lines: &[Span]) -> Vec<Packages> {
    let mut packages = Packages::default();
    let mut before = ("", "");
    for span in lines {
        let line = trim_eol(span.of(text));
        let mut words = line.split(' ');
        let (Some(name), Some(version), Some(sum), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            if line.trim().is_empty() {
                continue;
            }
            return Vec::new();
        };
        if !sum.starts_with("h1:") || !version.starts_with('v') {
            return Vec::new();
        }
        packages.add(*span);
        let is_same = version.strip_suffix("/go.mod").is_some_and(|v| (name, v) == before);
        if !is_same {
            packages.entries.push(format!("{name}@{version}"));
        }
        before = (name, version);
    }
    vec![packages]
}

/// `yarn.lock`, classic and newer: `"name@range", name@range:` above an indented `version`.
fn yarn(text: &str, lines: &[Span]) -> Vec<Packages> {
    let mut packages = Packages::default();
    let (mut name, mut start) = ("", None);
    let mut is_package = false;
    for span in lines {
        let line = trim_eol(span.of(text));
        let is_head = !line.starts_with([' ', '#']) && line.ends_with(':');
        if is_head {
            let first = line.trim_end_matches(':').split(", ").next().unwrap_or_default();
            let first = first.trim_matches('"');
            name = first
                .char_indices()
                .skip(1)
                .find(|(_, c)| *c == '@')
                .and_then(|(at, _)| first.get(..at))
                .unwrap_or_default();
            is_package = false;
            start = Some(*span);
        } else if !line.starts_with(' ') && !line.trim().is_empty() {
            is_package = false;
            start = None;
        }
        let version = line.strip_prefix("  version").filter(|v| v.starts_with([' ', ':']));
        if let Some(version) = version
            && !name.is_empty()
            && let Some(head) = start.take()
        {
            let version = version.trim_matches([' ', ':', '"']);
            packages.entries.push(format!("{name}@{version}"));
            packages.add(head);
            is_package = true;
        }
        if is_package {
            packages.add(*span);
        }
    }
    vec![packages]
}

/// `pnpm-lock.yaml`: the keys of `packages:` and `snapshots:`.
fn pnpm(text: &str, lines: &[Span]) -> Vec<Packages> {
    let mut found: Vec<Packages> = Vec::new();
    if !text.trim_start_matches(['-', '\n', '\r']).starts_with("lockfileVersion") {
        return found;
    }
    let mut listed: HashedMap<()> = HashedMap::default();
    let mut is_inside = false;
    for span in lines {
        let line = trim_eol(span.of(text));
        if !line.starts_with(' ') && !line.is_empty() {
            is_inside = matches!(line, "packages:" | "snapshots:");
            if is_inside {
                found.push(Packages::default());
            }
            continue;
        }
        let Some(packages) = found.last_mut().filter(|_| is_inside) else { continue };
        packages.add(*span);
        let key = line.strip_prefix("  ").filter(|key| !key.starts_with([' ', '#']));
        if let Some((key, _)) = key.and_then(|key| key.rsplit_once(':')) {
            let key = key.trim_end_matches([':', ' ']).trim_matches(['\'', '"']);
            let entry = key.strip_prefix('/').unwrap_or(key);
            if listed.insert(mask::hash(entry), ()).is_none() {
                packages.entries.push(entry.to_owned());
            } else {
                packages.n_again += 1;
            }
        }
    }
    found
}

/// `Gemfile.lock`: what stands under `specs:`, and the checksums of the same.
fn gems(text: &str, lines: &[Span]) -> Vec<Packages> {
    let mut found: Vec<Packages> = Vec::new();
    let (mut is_inside, mut is_checksums) = (false, false);
    for span in lines {
        let line = trim_eol(span.of(text));
        if line == "  specs:" {
            found.push(Packages::default());
            (is_inside, is_checksums) = (true, false);
            continue;
        }
        if line == "CHECKSUMS" && !found.is_empty() {
            found.push(Packages::default());
            is_checksums = true;
            continue;
        }
        is_checksums &= line.starts_with("  ");
        if let Some(packages) = found.last_mut().filter(|_| is_checksums) {
            packages.add(*span);
            packages.n_again += 1;
            continue;
        }
        is_inside &= line.starts_with("    ");
        let Some(packages) = found.last_mut().filter(|_| is_inside) else { continue };
        packages.add(*span);
        let spec = line.strip_prefix("    ").filter(|spec| !spec.starts_with(' '));
        if let Some((name, version)) = spec.and_then(|spec| spec.split_once(" (")) {
            packages.entries.push(format!("{name}@{}", version.trim_end_matches(')')));
        }
    }
    found
}

/// The draft of a `package-lock.json`; `None` when `text` is none. Its root package stays; what version 2 repeats in the
/// form of version 1 is counted only.
pub(in crate::compress) fn npm(text: &str) -> Option<Draft> {
    // Cheap to tell: what says so stands among the first members.
    let head = text.as_bytes().get(..text.len().min(1024)).unwrap_or_default();
    let has = |name: &str| memchr::memmem::find(head, name.as_bytes()).is_some();
    if has("\"content-hash\"") || has("\"pipfile-spec\"") {
        return by_section(text);
    }
    if !has("\"lockfileVersion\"") {
        return None;
    }
    let tape = json::read(text).ok()?;
    let member_of = |name| {
        let mut members = tape.root().members();
        members.find(|(key, value)| key.text() == name && value.kind() == JsonKind::Object)
    };
    let new = member_of("\"packages\"").map(|(_, packages)| packages);
    let old = member_of("\"dependencies\"").map(|(_, packages)| packages);
    let (of, entries) = match (new, old) {
        (Some(packages), _) => npm_packages(packages),
        (None, Some(packages)) => npm_dependencies(packages),
        (None, None) => return None,
    };
    if entries.len() < MIN_PACKAGES {
        return None;
    }
    let n = entries.len();
    let mut listed = format!(
        "\"[caveman: {n} packages elided; name@version of each, without checksums, sources, dependencies]\":["
    );
    wrap(&entries, "\n\"", " ", "\",", &mut listed);
    listed.pop();
    listed.push(']');
    let mut markers = vec![(of, n, listed)];
    if let (Some(_), Some(packages)) = (new, old) {
        let (of, again) = npm_dependencies(packages);
        let n = again.len();
        markers.push((
            of,
            n,
            format!("\"[caveman: {n} packages elided, in the form of lockfileVersion 1]\":0"),
        ));
    }
    order::sort_by_key(&mut markers, |(of, _, _)| of.start);
    let mut draft = Draft::new("elide", "packages", 0);
    let mut at = 0;
    for (of, n, text) in markers.into_iter().filter(|(_, n, _)| *n > 0) {
        draft.keep(Span { start: at, end: of.start });
        at = of.end;
        draft.n_units += offset(n);
        draft.pieces.push(Piece::Marker { of, n_units: offset(n), text });
    }
    draft.keep(Span { start: at, end: offset(text.len()) });
    Some(draft)
}

/// `composer.lock` and `Pipfile.lock`: sections that are arrays of packages, or objects of them by name.
fn by_section(text: &str) -> Option<Draft> {
    let tape = json::read(text).ok()?;
    let mut draft = Draft::new("elide", "packages", 0);
    let mut at = 0;
    for (key, section) in tape.root().members() {
        let name = key.text().trim_matches('"');
        if !matches!(name, "packages" | "packages-dev" | "default" | "develop") {
            continue;
        }
        let version = |value| member(value, "\"version\"").unwrap_or_default();
        let mut entries: Vec<String> = section
            .elements()
            .map(|value| {
                let name = member(value, "\"name\"").unwrap_or_default();
                format!("{name}@{}", version(value))
            })
            .collect();
        entries.extend(section.members().map(|(key, value)| {
            let version = version(value);
            format!("{}@{}", key.text().trim_matches('"'), version.trim_start_matches("=="))
        }));
        if entries.len() < MIN_PACKAGES || entries.iter().any(|e| e.starts_with('@') && e.len() < 2)
        {
            continue;
        }
        let n = entries.len();
        let is_list = section.kind() == JsonKind::Array;
        let told = "name@version of each, without checksums, sources, dependencies";
        let (close, last) = if is_list { (",", "") } else { (":[", "]") };
        let mut listed = format!("\"[caveman: {n} packages elided; {told}]\"{close}");
        wrap(&entries, "\n\"", " ", "\",", &mut listed);
        listed.pop();
        listed.push_str(last);
        let inside = Span { start: section.span().start + 1, end: section.span().end - 1 };
        draft.keep(Span { start: at, end: inside.start });
        at = inside.end;
        draft.n_units += offset(n);
        draft.pieces.push(Piece::Marker { of: inside, n_units: offset(n), text: listed });
    }
    draft.keep(Span { start: at, end: offset(text.len()) });
    (!draft.is_lossless()).then_some(draft)
}

/// The members of `packages`, the root package left out, and the span from the first to the last.
fn npm_packages(packages: Value<'_>) -> (Span, Vec<String>) {
    let (mut of, mut entries) = (Span::default(), Vec::new());
    for (key, value) in packages.members() {
        let path = key.text().trim_matches('"');
        if path.is_empty() && entries.is_empty() {
            continue;
        }
        let span = key.span().join(value.span());
        of = if of.is_empty() { span } else { of.join(span) };
        entries.push(npm_entry(path.strip_prefix("node_modules/").unwrap_or(path), value));
    }
    (of, entries)
}

/// The members of `dependencies`, those of theirs behind each.
fn npm_dependencies(packages: Value<'_>) -> (Span, Vec<String>) {
    let mut of = Span::default();
    let mut entries = Vec::new();
    for (key, value) in packages.members() {
        let span = key.span().join(value.span());
        of = if of.is_empty() { span } else { of.join(span) };
    }
    let mut todo = vec![packages];
    while let Some(packages) = todo.pop() {
        for (key, value) in packages.members() {
            entries.push(npm_entry(key.text().trim_matches('"'), value));
            let inner = value.members().find(|(key, _)| key.text() == "\"dependencies\"");
            todo.extend(inner.map(|(_, inner)| inner));
        }
    }
    (of, entries)
}

fn npm_entry(name: &str, value: Value<'_>) -> String {
    let version = member(value, "\"version\"").map(|version| format!("@{version}"));
    let source = member(value, "\"resolved\"").filter(|source| !source.starts_with("http"));
    let source = source.map(|source| format!(" ({source})"));
    format!("{name}{}{}", version.unwrap_or_default(), source.unwrap_or_default())
}

/// The text of a member that is a string, without its quotes.
fn member<'t>(value: Value<'t>, key: &str) -> Option<&'t str> {
    let (_, value) = value.members().find(|(k, _)| k.text() == key)?;
    (value.kind() == JsonKind::String).then(|| value.text().trim_matches('"'))
}
