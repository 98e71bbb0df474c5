//! What the first word of a line says about its language.

mod phrase;
mod sign;
mod sql;
mod word;

use super::super::sample::Line;
use super::super::shape::{self, holds};
use super::language::Language::{self, CSharp, Cpp, Java, TypeScript};
use super::language::Votes;

type Say = &'static [(Language, u32)];

pub(in crate::detect::code) fn vote(line: &Line<'_>, votes: &mut Votes) {
    let body = line.body;
    let (first, rest) = shape::word(body);
    votes.all(if first.is_empty() { sign::vote(body) } else { word::vote(first, rest, body) });
    if is_typed_function(first, body) {
        votes.add(TypeScript, 6);
    }
    // Functions of C stand at the margin.
    let is_method = line.indent() > 0
        && matches!(
            first,
            "int"
                | "void"
                | "boolean"
                | "bool"
                | "double"
                | "float"
                | "long"
                | "short"
                | "char"
                | "byte"
        )
        && body.ends_with(") {")
        && shape::word(rest.trim_start()).1.starts_with('(');
    if is_method {
        votes.all(&[(Java, 6), (CSharp, 3), (Cpp, 2)]);
    }
    if first.len() >= 2 && first.bytes().all(|b| b.is_ascii_alphabetic()) {
        votes.all(sql::vote(first, rest, body));
    }
}

/// Whether a function of JavaScript's family is declared with types: `function name<T>(`, `function name(…): T`.
fn is_typed_function(first: &str, body: &str) -> bool {
    if !matches!(first, "function" | "export" | "async") || holds(body, "$") {
        return false;
    }
    let declared = body.split_once("function ").map_or("", |(_, rest)| rest);
    let (name, after) = shape::word(declared);
    !name.is_empty() && (after.starts_with('<') || holds(after, "): "))
}
