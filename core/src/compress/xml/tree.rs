//! The tree of a document, as far as it matters: lists of like elements, and whitespace that only sets elements in.

use crate::compress::html::scan::{Token, TokenKind};
use crate::elide::mask::{self, HashedMap};
use crate::order;
use crate::prelude::*;
use crate::text::Span;
use core::ops::Range;

/// Fewer elements of one name are no list. Our choice, that of the planner for its units.
const MIN_LIST: u32 = 6;

/// An element, comment or text within another element.
#[derive(Clone, Debug)]
pub(super) struct Child {
    pub(super) span: Span,
    pub(super) tokens: Range<usize>,
    /// Hash of the name; 0 for what is no element.
    pub(super) name: u64,
    /// Hash of the names of elements and attributes, values left out.
    pub(super) structure: u64,
}

/// The children of an element most of which have one name.
#[derive(Clone, Debug)]
pub(super) struct List {
    pub(super) name: u64,
    pub(super) children: Vec<Child>,
}

/// A document.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    /// In order of their first element.
    pub(super) lists: Vec<List>,
    /// For each token whether it is whitespace between elements.
    pub(super) is_layout: Vec<bool>,
}

/// An element that is open.
struct Frame {
    name: u64,
    start: u32,
    first_token: usize,
    structure: u64,
    /// Structure of the child before: likes in a row say no more than one.
    last_child: u64,
    children: Vec<Child>,
    /// Whitespace tokens among the children.
    blanks: Vec<usize>,
    /// Whether text stands among the children, or whitespace is to be kept.
    is_mixed: bool,
}

impl Tree {
    /// The tree of a document whose tags match; `None` when they do not, or when there are none.
    pub(super) fn of(text: &str, tokens: &[Token]) -> Option<Tree> {
        let mut tree = Tree { lists: Vec::new(), is_layout: vec![false; tokens.len()] };
        let mut stack = vec![Frame::new(0, 0, 0, false)];
        for (at, token) in tokens.iter().enumerate() {
            let frame = stack.last_mut()?;
            match token.kind {
                TokenKind::Open | TokenKind::Empty => {
                    let name = mask::hash(token.name(text));
                    let mut structure = name;
                    let mut keeps_space = frame.is_mixed && frame.name != 0;
                    token.each_attribute(text, |key, value| {
                        structure = mask::mix(structure, mask::hash(key));
                        keeps_space |= key == "xml:space" && value == "preserve";
                    });
                    let mut frame = Frame::new(name, token.span.start, at, keeps_space);
                    frame.structure = structure;
                    stack.push(frame);
                    if token.kind == TokenKind::Empty {
                        tree.close(&mut stack, token, at)?;
                    }
                }
                TokenKind::Close => {
                    (frame.name == mask::hash(token.name(text))).then_some(())?;
                    tree.close(&mut stack, token, at)?;
                }
                TokenKind::Text if token.span.of(text).trim_ascii().is_empty() => {
                    // Within a line a space may part words.
                    if token.span.of(text).contains('\n') {
                        frame.blanks.push(at);
                    }
                }
                TokenKind::Text | TokenKind::Cdata => {
                    frame.is_mixed = true;
                    frame.add_other(token, at);
                }
                TokenKind::Comment | TokenKind::Declaration | TokenKind::Raw => {
                    frame.add_other(token, at);
                    // What a comment says is said once: the element that holds it is like no other.
                    frame.structure = mask::mix(frame.structure, u64::from(token.span.start));
                }
            }
        }
        let has_elements = tokens.iter().any(|token| token.kind == TokenKind::Close);
        // A document that was cut off has elements open.
        while let Some(frame) = stack.pop() {
            tree.finish(frame);
        }
        order::sort_by_key(&mut tree.lists, |list| {
            list.children.first().map(|child| child.span.start)
        });
        has_elements.then_some(tree)
    }

    fn close(&mut self, stack: &mut Vec<Frame>, token: &Token, at: usize) -> Option<()> {
        let frame = stack.pop()?;
        let child = Child {
            span: Span { start: frame.start, end: token.span.end },
            tokens: frame.first_token..at + 1,
            name: frame.name,
            structure: frame.structure,
        };
        self.finish(frame);
        stack.last_mut()?.add(child);
        Some(())
    }

    fn finish(&mut self, frame: Frame) {
        if !frame.children.is_empty() && !frame.is_mixed {
            for blank in frame.blanks {
                if let Some(slot) = self.is_layout.get_mut(blank) {
                    *slot = true;
                }
            }
        }
        let mut counts: HashedMap<u32> = HashedMap::default();
        let mut best = (0, 0);
        for child in frame.children.iter().filter(|child| child.name != 0) {
            let n = counts.entry(child.name).or_default();
            *n += 1;
            if *n > best.0 {
                best = (*n, child.name);
            }
        }
        if best.0 >= MIN_LIST && !frame.is_mixed {
            self.lists.push(List { name: best.1, children: frame.children });
        }
    }
}

impl Frame {
    fn new(name: u64, start: u32, first_token: usize, is_mixed: bool) -> Frame {
        Frame {
            name,
            start,
            first_token,
            structure: name,
            last_child: 0,
            children: Vec::new(),
            blanks: Vec::new(),
            is_mixed,
        }
    }

    fn add(&mut self, child: Child) {
        if child.structure != self.last_child {
            self.structure = mask::mix(self.structure, child.structure);
            self.last_child = child.structure;
        }
        self.children.push(child);
    }

    fn add_other(&mut self, token: &Token, at: usize) {
        self.children.push(Child {
            span: token.span,
            tokens: at..at + 1,
            name: 0,
            structure: mask::mix(1, u64::from(token.span.start)),
        });
    }
}
