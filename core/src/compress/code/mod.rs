//! Source code.
//!
//! ```text
//! /// Places an order.                        /// Places an order.
//! ///                                         /// [caveman: lines 2-9; Errors]
//! /// The cart is read first, …          ->   pub fn place(&self, id: u32) -> Order {
//! pub fn place(&self, id: u32) -> Order {         // [caveman: lines 11-24; TODO: 17]
//!     let cart = self.cart(id);               }
//!     …
//! }
//! ```
//! Keeps: imports, types, signatures, the summary of each comment, attributes, short bodies, the heads of items in long
//! bodies, first and last members of long literals.
//! Declines: sources in which strings or comments stay open or brackets do not fit, languages that it does not know.
//! What is elided is whole lines: between the brackets of one function or literal, with every bracket in them paired; or
//! inside one comment.

mod comments;
mod cut;
mod ends;
mod head;
mod indent;
mod items;
mod language;
mod lex;
mod runs;
mod sql;

use super::{Compressor, Proposals, Units};
use crate::detect;
use crate::draft::{Draft, Piece};
use crate::elide::Focus;
use crate::kind::Kind;
use crate::text::{Span, offset};
use cut::Source;
use language::Language;

/// The compressor of source code.
#[derive(Debug)]
pub(super) struct Code;

impl Compressor for Code {
    fn kind(&self) -> Kind {
        Kind::Code
    }

    fn compress(&self, text: &str, focus: &Focus) -> Proposals {
        let Some(name) = detect::detect(text).language else { return Proposals::default() };
        let Some(language) = Language::of(name) else { return Proposals::default() };
        let mut source = Source::new(text, language.comment, focus.pressure);
        if !language.read(&mut source) {
            return Proposals::default();
        }
        let mut draft = Draft::new("skeleton", language::noun(name), source.lines.len());
        let mut at = 0;
        for cut in source.take_cuts() {
            let Some(marker) = source.marker(&cut, focus) else { continue };
            let of = source.span_of(cut.lines.clone());
            draft.keep(Span { start: at, end: of.start });
            draft.pieces.push(Piece::Marker { of, n_units: offset(cut.lines.len()), text: marker });
            at = of.end;
        }
        draft.keep(Span { start: at, end: offset(text.len()) });
        Proposals { lossless: None, elided: (!draft.is_lossless()).then_some(draft) }
    }

    fn units(&self, _text: &str) -> Option<Units> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;
    use core::ops::Range;

    const SOURCES: [(&str, &str); 6] = [
        ("rust", include_str!("cases/rust.in.rs")),
        ("javascript", include_str!("cases/javascript.in.js")),
        ("java", include_str!("cases/java.in.java")),
        ("go", include_str!("cases/go.in.go")),
        ("cpp", include_str!("cases/cpp.in.cpp")),
        ("python", include_str!("cases/python.in.py")),
    ];

    /// The lines that may go of `text`; `None` when it cannot be read.
    fn cuts(name: &str, text: &str) -> Option<Vec<Range<usize>>> {
        let language = Language::of(name).unwrap();
        let mut source = Source::new(text, language.comment, 0);
        language
            .read(&mut source)
            .then(|| source.take_cuts().into_iter().map(|cut| cut.lines).collect())
    }

    /// Every window of whole lines: a snippet as an agent sends it. What may go of it may go of the whole, or lies inside.
    #[test]
    fn a_snippet_is_cut_right_or_left_alone() {
        let mut n_cuts = 0;
        for (name, text) in SOURCES {
            let n = text.lines().count();
            let whole = cuts(name, text).unwrap();
            let lines: Vec<&str> = text.split_inclusive('\n').collect();
            for from in 0..n {
                for to in (from + 1)..=n {
                    for cut in cuts(name, &lines[from..to].concat()).unwrap_or_default() {
                        n_cuts += 1;
                        let (start, end) = (from + cut.start, from + cut.end);
                        assert!(
                            whole.iter().any(|cut| cut.start <= start && end <= cut.end),
                            "{name} {from}..{to}: {:?}",
                            lines[start..end].concat()
                        );
                    }
                }
            }
        }
        assert!(n_cuts > 500, "{n_cuts}");
    }

    #[test]
    fn hostile_sources_are_left_alone() {
        let deep = "{".repeat(100_000) + &"}".repeat(100_000);
        let open = format!("fn a() {{ let s = \"{}", "x".repeat(1_000_000));
        let templates = "`${".repeat(50_000);
        let quotes = "\\'".repeat(500_000);
        let branches = "#if\n{\n#else\n".repeat(20_000);
        for text in [&deep, &open, &templates, &quotes, &branches] {
            for name in NAMES {
                assert!(cuts(name, text).is_none_or(|cuts| cuts.is_empty()), "{name}");
            }
        }
    }

    const NAMES: [&str; 19] = [
        "rust",
        "python",
        "javascript",
        "jsx",
        "typescript",
        "tsx",
        "go",
        "java",
        "kotlin",
        "c",
        "cpp",
        "csharp",
        "swift",
        "php",
        "ruby",
        "scala",
        "shell",
        "sql",
        "lua",
    ];

    #[test]
    fn a_focus_word_keeps_its_body() {
        let text = SOURCES[0].1;
        let kept = |words: &[&str]| {
            let focus = Focus {
                words: words.iter().map(|w| (*w).to_owned()).collect(),
                ..Focus::default()
            };
            Code.compress(text, &focus).elided.map(|draft| draft.render(text)).unwrap_or_default()
        };
        assert!(kept(&["shipping"]).contains("charge before shipping"));
        assert!(!kept(&[]).contains("charge before shipping"));
    }
}
