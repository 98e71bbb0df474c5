//! What is known of each language.

use super::cut::Source;
use super::ends::Layout;
use super::lex::{Interpolation, Special, Syntax};
use super::{ends, indent, items, lex, sql};

/// How items of a language with brackets are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    Rust,
    Go,
    C,
    Java,
    CSharp,
    /// A keyword opens every function.
    Kotlin,
    Swift,
    Scala,
    Php,
    /// JavaScript and TypeScript.
    Script,
}

impl Family {
    /// Whether a line end may end a statement.
    pub(super) fn ends_at_lines(self) -> bool {
        matches!(self, Family::Go | Family::Kotlin | Family::Swift | Family::Scala | Family::Script)
    }
}

/// What is known of a language.
#[derive(Clone, Copy, Debug)]
pub(super) struct Language {
    names: &'static [&'static str],
    /// What begins a comment up to the end of the line.
    pub(super) comment: &'static str,
    reading: Reading,
}

/// How a language is read.
#[derive(Clone, Copy, Debug)]
enum Reading {
    Brackets(Family, Syntax),
    Python,
    Layout(Layout),
    Sql,
}

const C_LIKE: Syntax = Syntax {
    line_comments: &["//"],
    nests_comments: false,
    quotes: b"\"'",
    has_long_strings: false,
    has_lifetimes: false,
    interpolation: Interpolation::None,
    special: &[],
    has_regex: false,
    has_preprocessor: false,
    is_template: false,
};

const LANGUAGES: &[Language] = &[
    Language {
        names: &["rust"],
        comment: "//",
        reading: Reading::Brackets(
            Family::Rust,
            Syntax {
                nests_comments: true,
                quotes: b"\"",
                has_long_strings: true,
                has_lifetimes: true,
                special: &[Special::RustRaw],
                ..C_LIKE
            },
        ),
    },
    Language { names: &["python"], comment: "#", reading: Reading::Python },
    Language {
        names: &["javascript", "typescript", "jsx", "tsx"],
        comment: "//",
        reading: Reading::Brackets(
            Family::Script,
            Syntax {
                special: &[Special::Template],
                interpolation: Interpolation::Template,
                has_regex: true,
                ..C_LIKE
            },
        ),
    },
    Language {
        names: &["go"],
        comment: "//",
        reading: Reading::Brackets(Family::Go, Syntax { special: &[Special::GoRaw], ..C_LIKE }),
    },
    Language {
        names: &["java"],
        comment: "//",
        reading: Reading::Brackets(Family::Java, Syntax { special: &[Special::Triple], ..C_LIKE }),
    },
    Language {
        names: &["csharp"],
        comment: "//",
        reading: Reading::Brackets(
            Family::CSharp,
            Syntax {
                special: &[Special::Verbatim, Special::Triple],
                has_preprocessor: true,
                ..C_LIKE
            },
        ),
    },
    Language {
        names: &["c", "cpp"],
        comment: "//",
        reading: Reading::Brackets(
            Family::C,
            Syntax { special: &[Special::CppRaw], has_preprocessor: true, ..C_LIKE },
        ),
    },
    Language {
        names: &["kotlin"],
        comment: "//",
        reading: Reading::Brackets(
            Family::Kotlin,
            Syntax {
                nests_comments: true,
                special: &[Special::Triple],
                interpolation: Interpolation::Dollar,
                ..C_LIKE
            },
        ),
    },
    Language {
        names: &["scala"],
        comment: "//",
        reading: Reading::Brackets(
            Family::Scala,
            Syntax {
                nests_comments: true,
                quotes: b"\"",
                has_lifetimes: true,
                special: &[Special::Triple],
                interpolation: Interpolation::Prefixed,
                ..C_LIKE
            },
        ),
    },
    Language {
        names: &["swift"],
        comment: "//",
        reading: Reading::Brackets(
            Family::Swift,
            Syntax {
                nests_comments: true,
                quotes: b"\"",
                special: &[Special::Triple],
                interpolation: Interpolation::Backslash,
                ..C_LIKE
            },
        ),
    },
    Language {
        names: &["php"],
        comment: "//",
        reading: Reading::Brackets(
            Family::Php,
            Syntax {
                line_comments: &["//", "#"],
                has_long_strings: true,
                special: &[Special::PhpHeredoc],
                interpolation: Interpolation::Brace,
                is_template: true,
                ..C_LIKE
            },
        ),
    },
    Language { names: &["ruby"], comment: "#", reading: Reading::Layout(Layout::Ruby) },
    Language { names: &["lua"], comment: "--", reading: Reading::Layout(Layout::Lua) },
    Language { names: &["shell"], comment: "#", reading: Reading::Layout(Layout::Shell) },
    Language { names: &["sql"], comment: "--", reading: Reading::Sql },
];

impl Language {
    /// The language that detection calls `name`.
    pub(super) fn of(name: &str) -> Option<&'static Language> {
        LANGUAGES.iter().find(|language| language.names.contains(&name))
    }

    /// Finds what may go and which items there are; `false` when the source cannot be read for sure.
    pub(super) fn read(&self, source: &mut Source<'_>) -> bool {
        match self.reading {
            Reading::Python => indent::read(source).is_some(),
            Reading::Layout(layout) => {
                ends::read(source, layout);
                true
            }
            Reading::Sql => {
                sql::read(source);
                true
            }
            Reading::Brackets(family, syntax) => match lex::lex(source.text, &syntax) {
                Some(lexed) => {
                    items::read(source, &lexed, family);
                    true
                }
                None => false,
            },
        }
    }
}

/// What the units of a source in language `name` are called beside the handle.
pub(super) fn noun(name: &str) -> &'static str {
    match name {
        "rust" => "lines of Rust",
        "python" => "lines of Python",
        "javascript" => "lines of JavaScript",
        "jsx" => "lines of JSX",
        "typescript" => "lines of TypeScript",
        "tsx" => "lines of TSX",
        "go" => "lines of Go",
        "java" => "lines of Java",
        "kotlin" => "lines of Kotlin",
        "c" => "lines of C",
        "cpp" => "lines of C++",
        "csharp" => "lines of C#",
        "swift" => "lines of Swift",
        "php" => "lines of PHP",
        "ruby" => "lines of Ruby",
        "scala" => "lines of Scala",
        "shell" => "lines of shell",
        "sql" => "lines of SQL",
        "lua" => "lines of Lua",
        _ => "lines",
    }
}
