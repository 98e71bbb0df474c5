//! Whether what goes of a source may go.

use crate::grammar::{Grammar, children};
use caveman_core::compress;
use caveman_core::draft::{Draft, Piece};
use caveman_core::elide::Focus;
use caveman_core::kind::Kind;
use std::ops::Range;
use tree_sitter::{Node, Tree};

/// The part of a text that a range names.
pub(crate) fn slice(text: &str, range: Range<usize>) -> &str {
    text.get(range).expect("a range on characters")
}

/// The number of the line that holds byte `at`.
pub(crate) fn line_of(text: &str, at: usize) -> usize {
    slice(text, 0..at).matches('\n').count() + 1
}

/// What the compressor proposes for a source; `None` when it declines.
pub(crate) fn proposal(text: &str) -> Option<Draft> {
    compress::of(Kind::Code)
        .expect("code has a compressor")
        .compress(text, &Focus::default())
        .elided
}

/// The bytes that its markers stand for.
pub(crate) fn elided(draft: &Draft) -> Vec<Range<usize>> {
    let elided = |piece: &Piece| match piece {
        Piece::Marker { of, .. } => Some(of.range()),
        _ => None,
    };
    draft.pieces.iter().filter_map(elided).collect()
}

/// Why a stretch may not go; `None` when it may: it is whole statements of a body or block, whole members of a literal,
/// whole declarations that only give names to values, or text or comment.
pub(crate) fn fault(
    text: &str,
    grammar: &Grammar,
    tree: &Tree,
    stretch: &Range<usize>,
) -> Option<String> {
    let (start, end) = code(text, stretch);
    let node = tree.root_node().descendant_for_byte_range(start, end)?;
    let ancestors: Vec<Node<'_>> =
        std::iter::successors(Some(node), |node| node.parent()).collect();
    if ancestors.iter().any(|node| is_text(node.kind())) {
        return None;
    }
    let members = children(node);
    let ends =
        |node: &Node<'_>| node.start_byte() + slice(text, node.byte_range()).trim_end().len();
    let cut = members.iter().find(|member| {
        let is_cut_at = |at: usize| member.start_byte() < at && at < ends(member);
        !member.is_extra() && (is_cut_at(start) || is_cut_at(end))
    });
    // Texts side by side, from the middle of one to the middle of another.
    let is_in_text = |at: usize| {
        let node = tree.root_node().descendant_for_byte_range(at, at + 1);
        std::iter::successors(node, |node| node.parent()).any(|node| is_text(node.kind()))
    };
    if is_in_text(start) && is_in_text(end - 1) {
        return None;
    }
    let gone: Vec<&Node<'_>> = members
        .iter()
        .filter(|member| member.start_byte() >= start && ends(member) <= end)
        .collect();
    // What the grammar cannot read, it cannot judge.
    if ancestors.iter().any(|node| node.is_error()) || gone.iter().any(|node| node.has_error()) {
        return None;
    }
    let place = || {
        let chain: Vec<&str> = ancestors.iter().take(3).map(|node| node.kind()).collect();
        format!("lines {}-{} in {}", line_of(text, start), line_of(text, end), chain.join(" < "))
    };
    if let Some(cut) = cut {
        return (!node.has_error()).then(|| format!("{} cuts a {}", place(), cut.kind()));
    }
    if gone.iter().all(|node| is_text(node.kind())) {
        return None;
    }
    let is_function = |node: &Node<'_>| grammar.functions.contains(&node.kind());
    let is_inside = ancestors.iter().any(|node| is_function(node) || is_block(node.kind()));
    let is_constants = gone.iter().all(|node| is_constant(node.kind()));
    (!is_inside && !is_constants).then(|| format!("{} takes {:?}", place(), gone.first()))
}

/// Whether a stretch lies inside one function or block.
pub(crate) fn is_inside(
    text: &str,
    grammar: &Grammar,
    tree: &Tree,
    stretch: &Range<usize>,
) -> bool {
    let (start, end) = code(text, stretch);
    let node = tree.root_node().descendant_for_byte_range(start, end);
    std::iter::successors(node, |node| node.parent())
        .any(|node| grammar.functions.contains(&node.kind()) || is_block(node.kind()))
}

/// A stretch without blanks at its ends and comments at its start, which grammars leave outside of bodies.
fn code(text: &str, stretch: &Range<usize>) -> (usize, usize) {
    let slice = slice(text, stretch.clone()).trim_end();
    let end = stretch.start + slice.len();
    let mut start = stretch.start;
    for line in slice.split_inclusive('\n') {
        let said = line.trim_start();
        let is_comment = ["# ", "//", "-- "].iter().any(|sign| said.starts_with(sign));
        if !said.is_empty() && !is_comment {
            return (start + (line.len() - said.len()), end);
        }
        start += line.len();
    }
    (stretch.start + (slice.len() - slice.trim_start().len()), end)
}

/// Comments, strings, and what a grammar leaves unread.
fn is_text(kind: &str) -> bool {
    const PARTS: [&str; 8] =
        ["comment", "string", "heredoc", "template", "text", "token_tree", "char_lit", "nowdoc"];
    PARTS.iter().any(|part| kind.contains(part))
}

/// Blocks that are no function's, and literals.
fn is_block(kind: &str) -> bool {
    const PARTS: [&str; 35] = [
        "if_statement",
        "for_statement",
        "foreach_statement",
        "while_statement",
        "case_statement",
        "switch_statement",
        "switch_block",
        "try_statement",
        "with_statement",
        "do_statement",
        "c_style_for",
        "do_group",
        "static_initializer",
        "instance_init",
        "macro_definition",
        "do_block",
        "lambda",
        "closure",
        "call_expression",
        "argument",
        "array",
        "object",
        "dictionary",
        "list",
        "tuple",
        "hash",
        "set",
        "table_constructor",
        "initializer",
        "literal_value",
        "annotated_lambda",
        "property_declaration",
        "val_definition",
        "var_definition",
        "subshell",
    ];
    // A parameter list is part of a head.
    PARTS.iter().any(|part| kind.contains(part))
        && !kind.contains("pattern")
        && !kind.contains("parameter")
        && !kind.contains("declaration_list")
        && !kind.contains("type")
}

/// Declarations that give a name to a value.
fn is_constant(kind: &str) -> bool {
    const PARTS: [&str; 15] = [
        "const",
        "static_item",
        "preproc_def",
        "declaration",
        "assignment",
        "property",
        "definition",
        "expression_statement",
        "enum",
        "export_statement",
        "field",
        "comment",
        "attribute",
        ";",
        ",",
    ];
    PARTS.iter().any(|part| kind.contains(part))
        && !kind.contains("function")
        && !kind.contains("class")
}
