//! Markup: HTML, XML, Markdown.

use super::Scores;
use super::sample::Sample;
use super::shape::{begins, holds, number};
use crate::kind::Kind;

/// Documents that begin with a tag. How much of a page its tags explain says little (scripts and styles are long), so a
/// document type or root element decides, and without one the share of tags among the lines.
pub(super) fn tags(sample: &Sample<'_>, scores: &mut Scores) {
    let head = sample.head.trim_start_matches('\u{feff}').trim_start();
    if !head.starts_with('<') {
        return;
    }
    let start: &str = head.get(..head.floor_char_boundary(1024)).unwrap_or(head);
    let is_kind = |name: &str| {
        start.as_bytes().windows(name.len()).any(|w| w.eq_ignore_ascii_case(name.as_bytes()))
    };
    if head.starts_with("<?php") || head.starts_with("<?=") || head.starts_with("<<<") {
        return;
    }
    if is_kind("<!doctype html") || (is_kind("<html") && !is_kind("<xsl:")) {
        scores.claim(Kind::Html, 1000);
        return;
    }
    if head.starts_with("<?xml") || is_kind("<!doctype ") || is_kind("<!entity ") {
        scores.claim(Kind::Xml, 1000);
        return;
    }
    let tags = Tags::of(head);
    if tags.n < 2 && !(tags.n == 1 && sample.n_full <= 2) {
        return;
    }
    let n_lines =
        sample.full().filter(|l| l.body.starts_with('<') || l.body.ends_with('>')).count();
    // Text between tags is part of the document.
    let score = sample.share(n_lines).max(if tags.is_closed { 1000 } else { 0 });
    if tags.n_html * 2 > tags.n {
        scores.claim(Kind::Html, score);
    } else if tags.is_closed || tags.n_closing * 3 >= tags.n {
        scores.claim(Kind::Xml, score);
    }
}

struct Tags {
    /// Opening tags.
    n: usize,
    n_html: usize,
    n_closing: usize,
    /// Whether the text ends with the closing tag of its first element, or is cut off.
    is_closed: bool,
}

impl Tags {
    fn of(text: &str) -> Tags {
        let mut tags = Tags { n: 0, n_html: 0, n_closing: 0, is_closed: false };
        let mut root = "";
        let bytes = text.as_bytes();
        for at in memchr::memchr_iter(b'<', bytes).take(512) {
            let rest = text.get(at + 1..).unwrap_or_default();
            if rest.starts_with('/') {
                tags.n_closing += 1;
                continue;
            }
            let n = rest
                .bytes()
                .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b':' | b'_' | b'.'))
                .count();
            let name = rest.get(..n).unwrap_or_default();
            if n == 0
                || !rest
                    .as_bytes()
                    .get(n)
                    .is_none_or(|b| matches!(b, b'>' | b'/' | b' ' | b'\n' | b'\r' | b'\t'))
            {
                continue;
            }
            if root.is_empty() {
                root = name;
            }
            tags.n += 1;
            tags.n_html += usize::from(is_html_name(name));
        }
        let end = text.trim_end();
        tags.is_closed = !root.is_empty()
            && end.strip_suffix('>').is_some_and(|e| {
                e.trim_end().ends_with(root) && e.trim_end().len() > root.len() + 2
            });
        tags
    }
}

/// Tags of HTML that browsers set on their own line, or that hold none of its text.
const BLOCKS: &[&str] = &[
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "center",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hr",
    "li",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "script",
    "section",
    "style",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "title",
    "tr",
    "ul",
];

/// Tags of HTML that stand in a line.
const INLINE: &[&str] = &[
    "a", "abbr", "b", "br", "button", "code", "em", "font", "i", "iframe", "img", "input", "label",
    "link", "meta", "option", "select", "small", "span", "strong", "template", "textarea", "u",
    "video",
];

fn is_html_name(name: &str) -> bool {
    is_html_block(name) || INLINE.iter().any(|tag| tag.eq_ignore_ascii_case(name))
}

/// Whether a tag of HTML begins a line of its own.
pub fn is_html_block(name: &str) -> bool {
    BLOCKS.iter().any(|tag| tag.eq_ignore_ascii_case(name))
}

/// Headings, lists, fences, links, emphasis. Prose lines between them are part of the document, so two sorts of signs, or
/// one heading structure, make the rest Markdown too.
pub(super) fn markdown(sample: &Sample<'_>, scores: &mut Scores) {
    let (
        mut n_headings,
        mut n_items,
        mut n_fences,
        mut n_inline,
        mut n_quotes,
        mut n_rows,
        mut n_prose,
    ) = (0, 0, 0, 0, 0, 0, 0);
    let (mut n_fenced, mut n_deep, mut n_code, mut in_fence, mut after_blank) =
        (0, 0, 0, false, true);
    for line in &sample.lines {
        let body = line.body;
        if line.is_blank() {
            after_blank = true;
            continue;
        }
        let was_after_blank = core::mem::replace(&mut after_blank, false);
        if is_fence(body) {
            in_fence = !in_fence;
            n_fences += 1;
            n_fenced += 1;
            continue;
        }
        if in_fence {
            n_fenced += 1;
            continue;
        }
        let n_signs = body.bytes().take_while(|b| *b == b'#').count();
        let is_inline =
            holds(body, "](") || holds(body, "**") || holds(body, "`") || holds(body, "](#");
        n_inline += usize::from(is_inline);
        if (1..=6).contains(&n_signs)
            && body.as_bytes().get(n_signs) == Some(&b' ')
            && line.indent() == 0
        {
            // A comment of a script looks like a heading of the first level, but does not stand alone.
            n_headings += usize::from(n_signs > 1 || was_after_blank);
            n_deep += usize::from(n_signs > 1);
        } else if is_item(body) {
            n_items += 1;
        } else if body.starts_with("> ") || body == ">" {
            n_quotes += 1;
        } else if body.starts_with('|') && body.ends_with('|') {
            n_rows += 1;
        } else if body.len() >= 3 && body.bytes().all(|b| b == b'=')
            || (body.len() >= 3 && body.bytes().all(|b| b == b'-'))
        {
            n_headings += usize::from(!was_after_blank);
        } else if is_inline || is_prose(body) {
            n_prose += 1;
        } else {
            n_code += 1;
        }
    }
    let n_signs = n_headings + n_items + n_quotes + n_rows + n_fences + n_inline;
    let n_sorts = [n_headings, n_items, n_fences, n_inline, n_quotes, n_rows]
        .iter()
        .filter(|n| **n > 0)
        .count();
    if n_sorts < 2 || n_signs < 3 || n_headings + n_fences + n_inline == 0 {
        return;
    }
    let explained = n_headings + n_items + n_quotes + n_rows + n_prose + n_fenced;
    let score = sample.share(explained);
    // Comments above code: most of what is neither sign nor prose must be in fences.
    let is_document = n_deep > 0 || n_headings >= 2 && n_code * 4 < sample.n_full || n_sorts >= 3;
    scores.claim(Kind::Markdown, if is_document { score } else { score * 2 / 3 });
}

fn is_fence(body: &str) -> bool {
    (body.starts_with("```") || body.starts_with("~~~"))
        && !body.trim_start_matches(['`', '~']).contains('`')
}

fn is_item(body: &str) -> bool {
    begins(body, &["- ", "* ", "+ ", "• "])
        || number(body)
            .is_some_and(|(n, r)| n < 1000 && (r.starts_with(". ") || r.starts_with(") ")))
}

/// Words: mostly letters and spaces, more than one word, an end that no statement has.
pub(super) fn is_prose(body: &str) -> bool {
    let (mut n_words, mut n_letters) = (1, 0);
    for b in body.bytes() {
        n_words += usize::from(b == b' ');
        n_letters += usize::from(b.is_ascii_alphabetic() || b >= 0x80 || b == b' ');
    }
    let ends_code = matches!(body.as_bytes().last(), Some(b';' | b'{' | b'}'));
    let ends_call = matches!(body.as_bytes().last(), Some(b'(' | b')' | b'='));
    n_words >= 2 && n_letters * 10 >= body.len() * 8 && !ends_code && (n_words >= 5 || !ends_call)
}
