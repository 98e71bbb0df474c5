//! Content kinds: what detection returns and what a caller may force.

macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident = $name:literal $(| $alias:literal)*),* $(,)?) => {
        /// What a payload is. On the wire: `content_type`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Kind { $($(#[$doc])* $variant),* }

        impl Kind {
            /// Every kind, in wire-name order of declaration.
            pub const ALL: &'static [Kind] = &[$(Kind::$variant),*];

            /// The wire name.
            pub fn name(self) -> &'static str {
                match self { $(Kind::$variant => $name),* }
            }

            /// The kind that `name` or one of its aliases means, in any letter case; `None` when unknown.
            pub fn parse(name: &str) -> Option<Kind> {
                const NAMES: &[(&str, Kind)] = &[$(($name, Kind::$variant), $(($alias, Kind::$variant),)*)*];
                let name = name.trim();
                NAMES.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, k)| *k)
            }
        }
    };
}

kinds! {
    /// One JSON document.
    Json = "json" | "jsonc" | "json5",
    /// One JSON value a line.
    Ndjson = "ndjson" | "jsonl" | "json-lines",
    /// Timestamped or levelled lines.
    Log = "log" | "logs" | "syslog",
    /// A test runner's report.
    TestReport = "test-report" | "test" | "tests" | "pytest" | "jest" | "junit",
    /// Compiler or linter output.
    Diagnostics = "diagnostics" | "compiler" | "lint" | "build",
    /// One or more stack traces.
    StackTrace = "stack-trace" | "stacktrace" | "traceback",
    /// A unified diff.
    Diff = "diff" | "patch",
    /// `file:line:text` hits.
    Search = "search" | "grep" | "rg" | "ripgrep",
    /// `ls`, `find`, `tree` output.
    Listing = "listing" | "ls" | "find" | "tree",
    /// Columns aligned with spaces.
    Table = "table" | "kubectl" | "ps",
    /// CSV, TSV, Markdown table.
    Tabular = "tabular" | "csv" | "tsv",
    /// YAML, TOML, INI, dotenv, lockfiles.
    Config = "config" | "yaml" | "yml" | "toml" | "ini" | "env" | "dotenv" | "lockfile",
    /// Source code.
    Code = "code" | "source",
    /// HTML pages and fragments.
    Html = "html" | "htm",
    /// XML documents.
    Xml = "xml" | "svg",
    /// Markdown documents.
    Markdown = "markdown",
    /// A terminal session: prompts, progress bars.
    Terminal = "terminal" | "console" | "shell-session",
    /// `git log` output.
    GitLog = "git-log" | "gitlog",
    /// Anything else that is text.
    Text = "text" | "md" | "txt" | "plain" | "prose",
    /// Prose with segments of other kinds.
    Mixed = "mixed",
    /// Forced only: TOON text.
    Toon = "toon",
    /// Forced only: runs of identical lines.
    Repetition = "repetition" | "repeat",
    /// Forced only: a catalogue of tool definitions.
    ToolSchema = "tool-schema" | "tools",
    /// Forced only: an accessibility tree.
    A11y = "a11y" | "accessibility",
}
