//! Names that units of code give to things, so that a query for one gives its item before those that only speak of it.

use super::{Cut, is_blank, is_prefix};
use crate::prelude::*;
use crate::rank::exact;
use crate::text::offset;

/// Most names of a query that are looked for.
const MAX_NAMES: usize = 8;

/// What stands before the name that it declares.
const DECLARES: [&str; 36] = [
    "fn",
    "def",
    "func",
    "function",
    "fun",
    "sub",
    "class",
    "struct",
    "enum",
    "union",
    "trait",
    "interface",
    "type",
    "typedef",
    "const",
    "static",
    "let",
    "var",
    "val",
    "impl",
    "object",
    "module",
    "mod",
    "namespace",
    "package",
    "macro_rules",
    "define",
    "protocol",
    "extension",
    "actor",
    "record",
    "table",
    "view",
    "procedure",
    "trigger",
    "local",
];

/// What begins a statement that declares nothing.
const STATEMENTS: [&str; 16] = [
    "return", "if", "else", "for", "while", "do", "switch", "case", "throw", "await", "yield",
    "new", "delete", "goto", "raise", "assert",
];

/// The units that declare what `query` names, ascending, and whether the query says nothing else. A name with its owner
/// before it (`Foo::bar`, `Foo.bar`) is declared where the unit or a head above it speaks of the owner.
pub(in crate::retrieve) fn declared(text: &str, cut: &Cut, query: &str) -> (Vec<u32>, bool) {
    let words: Vec<&str> = query
        .split_whitespace()
        .map(exact::trim)
        .filter(|word| !word.is_empty() && !DECLARES.contains(word))
        .collect();
    let names: Vec<&str> = match words.as_slice() {
        [one] => vec![*one],
        _ => exact::identifiers(query, MAX_NAMES),
    };
    let mut units = Vec::new();
    let mut n_declared = 0;
    for name in &names {
        let before = units.len();
        let (owner, name) = split(name);
        for (index, unit) in (0_u32..).zip(&cut.units) {
            let is_owned = || {
                core::iter::once(index)
                    .chain(cut.heads(index))
                    .any(|part| speaks_of(opening(cut.span(part).of(text)), owner))
            };
            if declares(opening(unit.span.of(text)), name) && (owner.is_empty() || is_owned()) {
                units.push(index);
            }
        }
        n_declared += usize::from(units.len() > before);
    }
    units.sort_unstable();
    units.dedup();
    units.retain(|unit| *unit < offset(cut.units.len()));
    let is_all = n_declared > 0 && n_declared == words.len();
    (units, is_all)
}

/// A name behind its owner's: `Foo::bar` is `Foo` and `bar`.
fn split(name: &str) -> (&str, &str) {
    let Some(at) = name.rfind([':', '.', '#']) else { return ("", name) };
    let last = name.get(at + 1..).unwrap_or_default();
    let owner = name.get(..at).unwrap_or_default().trim_end_matches(':');
    let owner = owner.rsplit([':', '.', '#']).next().unwrap_or_default();
    if last.is_empty() { ("", name) } else { (owner, last) }
}

/// The lines of a unit that say what it is: behind comments and attributes, up to two.
fn opening(unit: &str) -> &str {
    let mut start = None;
    let mut at = 0;
    for line in unit.split_inclusive('\n') {
        let next = at + line.len();
        match start {
            None if is_blank(line) || is_prefix(line) => {}
            None => start = Some(at),
            Some(start) => return unit.get(start..next).unwrap_or_default(),
        }
        at = next;
    }
    unit.get(start.unwrap_or(0)..).unwrap_or_default()
}

fn speaks_of(opening: &str, name: &str) -> bool {
    exact::bounded(opening, name).next().is_some()
}

/// Whether the first line of `opening`, or the second where the first only names a type, declares `name`.
fn declares(opening: &str, name: &str) -> bool {
    if name.is_empty() || memchr::memmem::find(opening.as_bytes(), name.as_bytes()).is_none() {
        return false;
    }
    let mut lines = opening.lines();
    let (first, second) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    line_declares(first, name)
        || is_type(first) && exact::bounded(second, name).any(|at| at == 0 && calls(second, name))
}

/// Whether a line holds nothing but words, as `static int` above a function of C.
pub(super) fn is_type(line: &str) -> bool {
    let line = line.trim();
    line.starts_with(|c: char| c.is_ascii_alphabetic())
        && line.chars().all(|c| c.is_alphanumeric() || "_ *&<>:,".contains(c))
        && !line.ends_with([',', ':'])
}

/// Whether `name(` begins a line.
fn calls(line: &str, name: &str) -> bool {
    line.strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with('('))
}

fn line_declares(line: &str, name: &str) -> bool {
    let line = line.trim();
    exact::bounded(line, name).any(|at| {
        let before = line.get(..at).unwrap_or_default();
        let after = line.get(at + name.len()..).unwrap_or_default().trim_start();
        // Without owners before the name: `Foo::`, `M.`, and the receiver of Go's methods.
        let head = before.trim_end_matches(|c: char| c.is_alphanumeric() || "_.:~*&#!".contains(c));
        let head = match head.trim_end().strip_suffix(')').and_then(|head| head.rfind('(')) {
            Some(open) if head.starts_with("func ") => head.get(..open).unwrap_or_default(),
            _ => head,
        };
        // `impl<T> Name`
        let head = match head.trim_end().strip_suffix('>').and_then(|head| head.find('<')) {
            Some(open) => head.get(..open).unwrap_or_default(),
            None => head,
        };
        let mut words = head
            .split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .filter(|word| !word.is_empty());
        let first = words.clone().next().unwrap_or_default();
        let last = words.next_back().unwrap_or_default();
        if DECLARES.iter().any(|word| word.eq_ignore_ascii_case(last)) {
            return true;
        }
        let opens = line.ends_with(['{', ':', '=', '(', ',']);
        let is_plain = !head.contains(['(', '=', '"', '\'', '{', ';']);
        let is_function = after.starts_with(['(', '<']) && (!head.trim().is_empty() || opens);
        let is_value = before.trim().is_empty() && after.starts_with(['=', ':'])
            || before.trim_end().ends_with(['.', ':']) && after.starts_with("= ");
        is_plain && !STATEMENTS.contains(&first) && (is_function || is_value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_declares_what_it_names() {
        for (line, name) in [
            ("pub(crate) fn parse<T: Read>(from: T) -> u32 {", "parse"),
            ("impl<T> Foo<T> {", "Foo"),
            ("async def fetch(url):", "fetch"),
            ("func (s *Server) Serve(l net.Listener) error {", "Serve"),
            ("    public static List<String> names(int n) {", "names"),
            ("int Foo::bar(const char *s)", "bar"),
            ("  render() {", "render"),
            ("export const useThing = (a) => {", "useThing"),
            ("Foo.prototype.bar = function () {", "bar"),
            ("#define MAX_LEN 5", "MAX_LEN"),
            ("LIMIT = 5", "LIMIT"),
            ("CREATE TABLE orders (", "orders"),
            ("function M.open(path)", "open"),
            ("static int\nparse_header(struct buf *b)", "parse_header"),
        ] {
            assert!(declares(line, name), "{line}");
        }
        for (line, name) in [
            ("parse(from);", "parse"),
            ("return parse(from)", "parse"),
            ("let x = parse(from);", "parse"),
            ("impl<T> Foo<T> {", "Fo"),
            ("fn a(parse: u32) {", "parse"),
            ("use crate::parse;", "parse"),
            ("import parse from 'x'", "parse"),
            ("if (parse(x)) {", "parse"),
        ] {
            assert!(!declares(line, name), "{line}");
        }
    }

    #[test]
    fn an_owner_stands_before_its_name() {
        assert_eq!(split("Foo::bar"), ("Foo", "bar"));
        assert_eq!(split("a.b.c"), ("b", "c"));
        assert_eq!(split("Foo#bar"), ("Foo", "bar"));
        assert_eq!(split("bar"), ("", "bar"));
    }
}
