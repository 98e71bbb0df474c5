//! The outline of a document: a line for each element, indentation for what holds what, no closing tags.
//!
//! ```text
//! <dependency scope="test">          dependency scope="test"
//!   <groupId>org.x</groupId>    ->    groupId: org.x
//! </dependency>
//! ```
//! What a line cannot say (text of several lines, text among elements, spaces that count) stays markup.

use super::Gone;
use crate::compress::html::scan::{Token, TokenKind};
use crate::prelude::*;
use crate::text::Span;

/// Elements further in stay markup, so that indentation stays short. Our choice.
const MAX_DEPTH: usize = 32;

/// How an element is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// `name attributes`, and below it what it holds.
    Holder,
    /// `name attributes: text`
    Leaf,
    /// As it stands.
    Markup,
}

/// An element of the document.
#[derive(Clone, Copy, Debug)]
struct Element {
    form: Form,
    /// The index of its last token.
    last: usize,
}

/// How each element of a document is written.
#[derive(Debug)]
pub(super) struct Outline<'a> {
    text: &'a str,
    tokens: &'a [Token],
    /// By the index of the opening tag; others are of no account.
    elements: Vec<Element>,
}

/// An element that is open.
struct Frame {
    at: usize,
    n_texts: usize,
    has_others: bool,
    is_plain: bool,
}

impl<'a> Outline<'a> {
    /// The outline of a document whose tags all match; `None` where one is missing.
    pub(super) fn of(text: &'a str, tokens: &'a [Token]) -> Option<Outline<'a>> {
        let none = Element { form: Form::Markup, last: 0 };
        let mut elements = vec![none; tokens.len()];
        let mut stack: Vec<Frame> = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            match token.kind {
                TokenKind::Open => {
                    stack.last_mut().into_iter().for_each(|frame| frame.has_others = true);
                    let mut is_plain = !keeps_space(token, text);
                    is_plain &= stack.len() < MAX_DEPTH;
                    stack.push(Frame { at, n_texts: 0, has_others: false, is_plain });
                }
                TokenKind::Close => {
                    let frame = stack.pop()?;
                    let form = match frame {
                        Frame { is_plain: false, .. } => Form::Markup,
                        Frame { n_texts: 0, .. } => Form::Holder,
                        Frame { n_texts: 1, has_others: false, .. } => Form::Leaf,
                        _ => Form::Markup,
                    };
                    *elements.get_mut(frame.at)? = Element { form, last: at };
                }
                TokenKind::Text | TokenKind::Cdata => {
                    let said = token.span.of(text);
                    let Some(frame) = stack.last_mut() else { continue };
                    if said.trim_ascii().is_empty() {
                        // Within a line a space may part words.
                        frame.is_plain &= said.contains('\n');
                    } else {
                        frame.n_texts += 1;
                        frame.is_plain &= !said.contains('\n') && said.trim_ascii() == said;
                    }
                }
                TokenKind::Empty => {
                    let form = if keeps_space(token, text) { Form::Markup } else { Form::Holder };
                    *elements.get_mut(at)? = Element { form, last: at };
                    stack.last_mut().into_iter().for_each(|frame| frame.has_others = true);
                }
                TokenKind::Comment | TokenKind::Declaration | TokenKind::Raw => {
                    stack.last_mut().into_iter().for_each(|frame| frame.has_others = true);
                }
            }
        }
        stack.is_empty().then_some(Outline { text, tokens, elements })
    }

    /// Writes the document, what stands in `gone` left out. Between markers calls `each` with what was written and the
    /// bytes that it stands for.
    pub(super) fn write(
        &self,
        gone: &Gone,
        mut each: impl FnMut(Span, String, Option<(Span, u32, &str)>),
    ) {
        let mut out = String::new();
        let mut from = 0;
        let mut depth = 0_usize;
        let mut gaps = gone.iter().peekable();
        let mut at = 0;
        while let Some(token) = self.tokens.get(at) {
            if let Some((start, (end, n_units, marker))) =
                gaps.next_if(|(start, _)| **start <= token.span.start)
            {
                let before = Span { start: from, end: *start };
                let of = Span { start: *start, end: *end };
                each(before, core::mem::take(&mut out), Some((of, *n_units, marker)));
                from = *end;
                at = self.behind(at, *end);
                continue;
            }
            let indent = |out: &mut String| out.extend(core::iter::repeat_n(' ', depth));
            match token.kind {
                TokenKind::Open | TokenKind::Empty => {
                    let element = self.elements.get(at).copied();
                    let Some(Element { form, last }) = element else { break };
                    indent(&mut out);
                    if form == Form::Markup {
                        let whole = self.span(at, last);
                        let start = whole.start;
                        // Lists in markup may have gone too.
                        let mut kept = start;
                        while let Some((start, (end, n_units, marker))) =
                            gaps.next_if(|(start, _)| **start < whole.end)
                        {
                            out.push_str(Span { start: kept, end: *start }.of(self.text));
                            if !out.ends_with('\n') {
                                out.push('\n');
                            }
                            let before = Span { start: from, end: *start };
                            let of = Span { start: *start, end: *end };
                            each(before, core::mem::take(&mut out), Some((of, *n_units, marker)));
                            (from, kept) = (*end, *end);
                        }
                        out.push_str(Span { start: kept, end: whole.end }.of(self.text));
                        out.push('\n');
                        at = last + 1;
                        continue;
                    }
                    tag(token, self.text, &mut out);
                    if form == Form::Leaf {
                        out.push_str(": ");
                        let text = self.tokens.get(at + 1).map(|text| text.span);
                        out.push_str(text.unwrap_or_default().of(self.text));
                        at = last;
                    } else if token.kind == TokenKind::Open {
                        depth += 1;
                    }
                    out.push('\n');
                }
                TokenKind::Close => depth = depth.saturating_sub(1),
                _ => {
                    let said = token.span.of(self.text).trim_ascii();
                    if !said.is_empty() {
                        indent(&mut out);
                        out.push_str(said);
                        out.push('\n');
                    }
                }
            }
            at += 1;
        }
        let end = self.tokens.last().map_or(0, |token| token.span.end);
        each(Span { start: from, end }, out, None);
    }

    /// The first token behind `at` that begins at `end` or later.
    fn behind(&self, at: usize, end: u32) -> usize {
        let rest = self.tokens.get(at..).unwrap_or_default();
        at + rest.partition_point(|token| token.span.start < end)
    }

    fn span(&self, first: usize, last: usize) -> Span {
        let of = |at: usize| self.tokens.get(at).map_or(Span::default(), |token| token.span);
        of(first).join(of(last))
    }
}

/// Whether an element says that its spaces count, or holds a value of several lines.
fn keeps_space(token: &Token, text: &str) -> bool {
    let mut keeps = false;
    token.each_attribute(text, |key, value| {
        keeps |= key.is_empty() || key == "xml:space" || value.contains('\n');
    });
    keeps
}

/// Writes `name attributes` of a tag, on one line.
fn tag(token: &Token, text: &str, out: &mut String) {
    out.push_str(token.name(text));
    let mut quote = None;
    let mut is_apart = true;
    for c in token.attributes(text).trim_ascii().chars() {
        match quote {
            Some(open) => {
                quote = (c != open).then_some(open);
                out.push(c);
            }
            None if c.is_ascii_whitespace() => is_apart = true,
            None => {
                if core::mem::take(&mut is_apart) {
                    out.push(' ');
                }
                quote = matches!(c, '"' | '\'').then_some(c);
                out.push(c);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compress::html::scan::{self, Dialect};

    fn outline(text: &str) -> Option<String> {
        let tokens = scan::tokens(text, Dialect::Xml);
        let mut written = String::new();
        Outline::of(text, &tokens)?.write(&Gone::new(), |_, text, _| written.push_str(&text));
        Some(written)
    }

    fn check(text: &str, want: &str) {
        assert_eq!(outline(text).as_deref(), Some(want), "{text}");
    }

    #[test]
    fn elements_become_lines() {
        check("<a><b>1</b><c/><d></d></a>", "a\n b: 1\n c\n d\n");
        check(
            "<?xml version=\"1.0\"?>\n<a x=\"1\"\n   y='2  3'>\n\t<b z=\"\">é &amp; ü</b>\n</a>\n",
            "<?xml version=\"1.0\"?>\na x=\"1\" y='2  3'\n b z=\"\": é &amp; ü\n",
        );
        check(
            "<a><!-- one\ntwo --><b><![CDATA[<i>]]></b></a>",
            "a\n <!-- one\ntwo -->\n b: <![CDATA[<i>]]>\n",
        );
        check("", "");
    }

    #[test]
    fn what_a_line_cannot_say_stays_markup() {
        for element in [
            "<p>so <i>it</i> is</p>",
            "<p>one\ntwo</p>",
            "<p> x</p>",
            "<p><b>1</b> <b>2</b></p>",
            "<p><!-- x -->y</p>",
            "<p xml:space=\"preserve\">\n<b/>\n</p>",
            "<p title=\"one\ntwo\"/>",
        ] {
            check(&format!("<a>{element}<z/></a>"), &format!("a\n {element}\n z\n"));
        }
        assert_eq!(outline("<a><b></a>").as_deref(), None);
        assert_eq!(outline("<a>").as_deref(), None);
        assert_eq!(outline("</a>").as_deref(), None);
    }

    #[test]
    fn deep_documents_are_short() {
        let n = 50_000;
        let text = format!("{}x{}", "<a>".repeat(n), "</a>".repeat(n));
        assert!(outline(&text).unwrap().len() < text.len() + MAX_DEPTH * MAX_DEPTH);
    }

    /// Names, attributes and texts in order, with how deep each stands.
    fn told(text: &str) -> Vec<(usize, String)> {
        let (mut depth, mut told) = (0_usize, Vec::new());
        for token in scan::tokens(text, Dialect::Xml) {
            let said = token.span.of(text);
            match token.kind {
                TokenKind::Open | TokenKind::Empty => {
                    let mut line = String::new();
                    tag(&token, text, &mut line);
                    told.push((depth, line));
                    depth += usize::from(token.kind == TokenKind::Open);
                }
                TokenKind::Close => depth -= 1,
                TokenKind::Text if said.trim().is_empty() => {}
                _ => told.last_mut().unwrap().1.push_str(&format!(": {said}")),
            }
        }
        told
    }

    #[test]
    fn nothing_is_lost() {
        let mut state = 7_u64;
        let mut random = move |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            usize::try_from((state >> 33) % n).unwrap_or(0)
        };
        for _ in 0..200 {
            let (mut text, mut open) = (String::new(), vec!["root"]);
            text.push_str("<root>");
            for n in 0..random(60) {
                let name = ["a", "b:c", "d-e"][random(3)];
                let attribute = [String::new(), format!(" n=\"{n}  : \"")][random(2)].clone();
                let blank = ["", "\n  "][random(2)];
                match random(4) {
                    0 => {
                        text.push_str(&format!("{blank}<{name}{attribute}>"));
                        open.push(name);
                    }
                    1 if open.len() > 1 => {
                        text.push_str(&format!("{blank}</{}>", open.pop().unwrap()));
                    }
                    2 => text.push_str(&format!("{blank}<{name}{attribute}/>")),
                    _ => text.push_str(&format!("{blank}<{name}{attribute}>t{n}: x</{name}>")),
                }
            }
            while let Some(name) = open.pop() {
                text.push_str(&format!("</{name}>"));
            }
            let lines: Vec<(usize, String)> = outline(&text)
                .unwrap()
                .lines()
                .map(|line| {
                    let content = line.trim_start_matches(' ');
                    (line.len() - content.len(), content.to_owned())
                })
                .collect();
            assert_eq!(lines, told(&text), "{text}");
        }
    }
}
