//! Source code.
//!
//! ```text
//! /// Places an order.                        /// Places an order.
//! pub fn place(&self, id: u32) -> Order {     pub fn place(&self, id: u32) -> Order {
//!     let cart = self.cart(id);          ->       // [caveman: 14 lines elided: 3-16; TODO: 9]
//!     …                                       }
//! }
//! ```
//! Keeps: imports, types, signatures, documentation, attributes, short bodies, everything outside functions.
//! Declines: sources whose brackets do not pair (cut off in the middle), languages without a lexer.
//! What is elided is whole lines between the braces of one function, with every bracket in them paired.

mod indent;
mod items;
mod lex;

use super::{Compressor, Proposals, Units};
use crate::detect;
use crate::draft::{Draft, Piece};
use crate::elide::{Focus, MARKER_OPEN};
use crate::kind::Kind;
use crate::prelude::*;
use crate::text::{Span, lines, offset};
use core::ops::Range;
use indent::Layout;
use lex::{Special, Syntax};

/// The compressor of source code.
#[derive(Debug)]
pub(super) struct Code;

/// Bodies of fewer lines stay. Our choice: a marker says less than three lines do.
const MIN_LINES: usize = 3;

impl Compressor for Code {
    fn kind(&self) -> Kind {
        Kind::Code
    }

    fn compress(&self, text: &str, focus: &Focus) -> Proposals {
        let Some(language) = detect::detect(text).language.and_then(Language::of) else {
            return Proposals::default();
        };
        let Some(bodies) = language.bodies(text) else { return Proposals::default() };
        let lines = lines(text);
        let mut draft = Draft::new("skeleton", "lines", lines.len());
        let mut at = 0;
        for body in bodies {
            let Some(marker) = marker(text, &lines, body.clone(), language.comment, focus) else {
                continue;
            };
            let of = span_of(&lines, body.clone());
            draft.keep(Span { start: at, end: of.start });
            draft.pieces.push(Piece::Marker { of, n_units: offset(body.len()), text: marker });
            at = of.end;
        }
        draft.keep(Span { start: at, end: offset(text.len()) });
        Proposals { lossless: None, elided: (!draft.is_lossless()).then_some(draft) }
    }

    fn units(&self, _text: &str) -> Option<Units> {
        None
    }
}

fn span_of(lines: &[Span], range: Range<usize>) -> Span {
    lines.get(range).and_then(|lines| Some(lines.first()?.join(*lines.last()?))).unwrap_or_default()
}

/// The marker of a body; `None` when it stays: short, asked for, or no cheaper than what it replaces.
fn marker(
    text: &str,
    lines: &[Span],
    body: Range<usize>,
    comment: &str,
    focus: &Focus,
) -> Option<String> {
    if body.len() < MIN_LINES {
        return None;
    }
    let span = span_of(lines, body.clone());
    let source = span.of(text);
    if !focus.words.is_empty() {
        let lower = source.to_lowercase();
        if focus.words.iter().any(|word| lower.contains(word.as_str())) {
            return None;
        }
    }
    let indent: String = source.chars().take_while(|c| matches!(c, ' ' | '\t')).collect();
    let before = focus.lines_before as usize;
    let (from, to) = (before + body.start + 1, before + body.end);
    let mut out =
        format!("{indent}{comment} {MARKER_OPEN}{} lines elided: {from}-{to}", body.len());
    for word in ["TODO", "FIXME", "HACK", "XXX", "SAFETY", "unsafe", "panic!"] {
        let at: Vec<String> = lines
            .get(body.clone())?
            .iter()
            .zip(from..)
            .filter(|(line, _)| line.of(text).contains(word))
            .map(|(_, n)| n.to_string())
            .take(6)
            .collect();
        if !at.is_empty() {
            out.push_str(&format!("; {word}: {}", at.join(", ")));
        }
    }
    out.push(']');
    out.push_str(if source.ends_with("\r\n") { "\r\n" } else { "\n" });
    (out.len() * 2 <= source.len()).then_some(out)
}

/// How items of a language with brackets are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    Rust,
    Go,
    C,
    Java,
    /// A keyword opens every function: Kotlin, Swift, PHP, Scala.
    Keyword,
    /// JavaScript and TypeScript.
    Script,
}

/// What is known of a language.
#[derive(Clone, Copy, Debug)]
struct Language {
    names: &'static [&'static str],
    /// What begins a comment up to the end of the line.
    comment: &'static str,
    family: Family,
    reading: Reading,
}

/// How bodies are found.
#[derive(Clone, Copy, Debug)]
enum Reading {
    Brackets(Syntax),
    Python,
    Layout(Layout),
}

const C_LIKE: Syntax = Syntax {
    line_comments: &["//"],
    nests_comments: false,
    quotes: b"\"'",
    has_long_strings: false,
    has_lifetimes: false,
    special: &[],
    has_regex: false,
    has_preprocessor: false,
};

const LANGUAGES: &[Language] = &[
    Language {
        names: &["rust"],
        comment: "//",
        family: Family::Rust,
        reading: Reading::Brackets(Syntax {
            nests_comments: true,
            quotes: b"\"",
            has_long_strings: true,
            has_lifetimes: true,
            special: &[Special::RustRaw],
            ..C_LIKE
        }),
    },
    Language {
        names: &["python"],
        comment: "#",
        family: Family::Keyword,
        reading: Reading::Python,
    },
    Language {
        names: &["javascript", "typescript", "jsx", "tsx"],
        comment: "//",
        family: Family::Script,
        reading: Reading::Brackets(Syntax {
            special: &[Special::Template],
            has_regex: true,
            ..C_LIKE
        }),
    },
    Language {
        names: &["go"],
        comment: "//",
        family: Family::Go,
        reading: Reading::Brackets(Syntax { special: &[Special::GoRaw], ..C_LIKE }),
    },
    Language {
        names: &["java"],
        comment: "//",
        family: Family::Java,
        reading: Reading::Brackets(Syntax { special: &[Special::Triple], ..C_LIKE }),
    },
    Language {
        names: &["csharp"],
        comment: "//",
        family: Family::Java,
        reading: Reading::Brackets(Syntax {
            special: &[Special::Verbatim, Special::Triple],
            has_preprocessor: true,
            ..C_LIKE
        }),
    },
    Language {
        names: &["c"],
        comment: "//",
        family: Family::C,
        reading: Reading::Brackets(Syntax { has_preprocessor: true, ..C_LIKE }),
    },
    Language {
        names: &["cpp"],
        comment: "//",
        family: Family::C,
        reading: Reading::Brackets(Syntax {
            special: &[Special::CppRaw],
            has_preprocessor: true,
            ..C_LIKE
        }),
    },
    Language {
        names: &["kotlin", "scala"],
        comment: "//",
        family: Family::Keyword,
        reading: Reading::Brackets(Syntax {
            nests_comments: true,
            special: &[Special::Triple],
            ..C_LIKE
        }),
    },
    Language {
        names: &["swift"],
        comment: "//",
        family: Family::Keyword,
        reading: Reading::Brackets(Syntax {
            nests_comments: true,
            quotes: b"\"",
            special: &[Special::Triple],
            ..C_LIKE
        }),
    },
    Language {
        names: &["php"],
        comment: "//",
        family: Family::Keyword,
        reading: Reading::Brackets(Syntax {
            line_comments: &["//", "#"],
            has_long_strings: true,
            special: &[Special::PhpHeredoc],
            ..C_LIKE
        }),
    },
    Language {
        names: &["ruby"],
        comment: "#",
        family: Family::Keyword,
        reading: Reading::Layout(Layout::Ruby),
    },
    Language {
        names: &["lua"],
        comment: "--",
        family: Family::Keyword,
        reading: Reading::Layout(Layout::Lua),
    },
    Language {
        names: &["shell"],
        comment: "#",
        family: Family::Keyword,
        reading: Reading::Layout(Layout::Shell),
    },
];

impl Language {
    fn of(name: &str) -> Option<&'static Language> {
        LANGUAGES.iter().find(|language| language.names.contains(&name))
    }

    /// The lines of each function body, in order; `None` when the source cannot be read for sure.
    fn bodies(&self, text: &str) -> Option<Vec<Range<usize>>> {
        match self.reading {
            Reading::Python => indent::python(text),
            Reading::Layout(layout) => Some(indent::by_layout(text, layout)),
            Reading::Brackets(syntax) => {
                let lexed = lex::lex(text, &syntax)?;
                let starts: Vec<usize> =
                    lines(text).iter().map(|line| line.start as usize).collect();
                let line_of =
                    |at: usize| starts.partition_point(|start| *start <= at).saturating_sub(1);
                let inner = |(open, close): (lex::Mark, lex::Mark)| {
                    let (first, last) = (line_of(open.at) + 1, line_of(close.at));
                    let from = lexed
                        .marks
                        .partition_point(|m| starts.get(first).is_some_and(|start| m.at < *start));
                    let to = lexed
                        .marks
                        .partition_point(|m| starts.get(last).is_some_and(|start| m.at < *start));
                    // Brackets in the elided lines pair among themselves, and no string or comment reaches over their edge.
                    let is_paired = lexed
                        .marks
                        .get(from..to)
                        .is_some_and(|marks| marks.iter().all(|m| (from..to).contains(&m.pair)));
                    let crosses = |line: usize| {
                        starts.get(line).is_some_and(|edge| {
                            let at = lexed.opaque.partition_point(|(_, end)| end <= edge);
                            lexed.opaque.get(at).is_some_and(|(start, _)| start < edge)
                        })
                    };
                    (first < last && is_paired && !crosses(first) && !crosses(last))
                        .then_some(first..last)
                };
                Some(items::bodies(text, &lexed, self).into_iter().filter_map(inner).collect())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCES: [(&str, &str); 6] = [
        ("rust", include_str!("cases/rust.in.rs")),
        ("javascript", include_str!("cases/javascript.in.js")),
        ("java", include_str!("cases/java.in.java")),
        ("go", include_str!("cases/go.in.go")),
        ("cpp", include_str!("cases/cpp.in.cpp")),
        ("python", include_str!("cases/python.in.py")),
    ];

    /// Every window of whole lines: a snippet as an agent sends it.
    #[test]
    fn a_snippet_is_cut_right_or_left_alone() {
        let mut n_elided = 0;
        for (name, source) in SOURCES {
            let language = Language::of(name).unwrap();
            let whole = lines(source);
            for from in 0..whole.len() {
                for to in (from + 1)..=whole.len() {
                    let snippet = span_of(&whole, from..to).of(source);
                    let Some(bodies) = language.bodies(snippet) else { continue };
                    let lines = lines(snippet);
                    for body in bodies.iter().filter(|body| !body.is_empty()) {
                        n_elided += 1;
                        let text = span_of(&lines, body.clone()).of(snippet);
                        let head = lines[body.start - 1].of(snippet).trim_end();
                        let opens = if name == "python" {
                            head.ends_with(':') || head.ends_with("\"\"\"")
                        } else {
                            head.ends_with('{')
                        };
                        assert!(opens, "{name}: {head:?} opens no body\n{text}");
                        let head =
                            lines[..body.start].iter().map(|l| l.of(snippet)).collect::<String>();
                        let is_function = [
                            "fn ",
                            "function",
                            "=>",
                            "add(",
                            "open(",
                            "place",
                            "func ",
                            "def ",
                            "total(",
                            "constructor",
                            "Order(",
                        ]
                        .iter()
                        .any(|w| head.contains(w));
                        assert!(is_function, "{name}: no function before\n{text}");
                    }
                }
            }
        }
        assert!(n_elided > 500, "{n_elided}");
    }

    #[test]
    fn hostile_sources_are_left_alone_in_linear_time() {
        let deep = "{".repeat(100_000) + &"}".repeat(100_000);
        let open = format!("fn a() {{ let s = \"{}", "x".repeat(1_000_000));
        let templates = "`${".repeat(50_000);
        for (name, source) in [
            ("rust", deep.as_str()),
            ("rust", open.as_str()),
            ("javascript", templates.as_str()),
            ("python", open.as_str()),
            ("go", deep.as_str()),
        ] {
            assert!(
                Language::of(name).unwrap().bodies(source).is_none_or(|bodies| bodies.is_empty()),
                "{name}"
            );
        }
    }

    #[test]
    fn a_focus_word_keeps_its_body() {
        let source = SOURCES[0].1;
        let kept = |words: &[&str]| {
            let focus = Focus {
                words: words.iter().map(|w| (*w).to_owned()).collect(),
                ..Focus::default()
            };
            Code.compress(source, &focus)
                .elided
                .map(|draft| draft.render(source))
                .unwrap_or_default()
        };
        assert!(kept(&["shipping"]).contains("charge before shipping"));
        assert!(!kept(&[]).contains("charge before shipping"));
    }
}
