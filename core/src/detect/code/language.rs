//! The languages and the votes for them.

macro_rules! languages {
    ($($variant:ident = $name:literal, $comment:literal;)*) => {
        /// A programming language.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(in crate::detect) enum Language { $($variant),* }

        impl Language {
            pub(super) const ALL: &'static [Language] = &[$(Language::$variant),*];

            /// The spelling on the wire.
            pub(in crate::detect) fn name(self) -> &'static str {
                match self { $(Language::$variant => $name),* }
            }

            /// How its comments of one line start; empty when in more than one way.
            pub(super) fn comment(self) -> &'static str {
                match self { $(Language::$variant => $comment),* }
            }
        }
    };
}

languages! {
    Rust = "rust", "//";
    Python = "python", "#";
    JavaScript = "javascript", "//";
    Jsx = "jsx", "//";
    TypeScript = "typescript", "//";
    Tsx = "tsx", "//";
    Go = "go", "//";
    Java = "java", "//";
    Kotlin = "kotlin", "//";
    C = "c", "//";
    Cpp = "cpp", "//";
    CSharp = "csharp", "//";
    Swift = "swift", "//";
    Php = "php", "";
    Ruby = "ruby", "#";
    Scala = "scala", "//";
    Shell = "shell", "#";
    Sql = "sql", "--";
    Lua = "lua", "--";
}

/// What one line can say for a language, however long it is.
const MOST_OF_A_LINE: u32 = 8;

/// Votes per language. What JavaScript's relatives and C++ share with JavaScript and C is voted for these; votes for
/// `Jsx`, `TypeScript` and `Cpp` are for what only they have.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Votes {
    by_language: [u32; 19],
}

impl Votes {
    pub(super) fn add(&mut self, language: Language, n: u32) {
        if let Some(votes) = self.by_language.get_mut(language as usize) {
            *votes += n;
        }
    }

    pub(super) fn all(&mut self, votes: &[(Language, u32)]) {
        for (language, n) in votes {
            self.add(*language, *n);
        }
    }

    /// Adds the votes of one line.
    pub(super) fn join(&mut self, other: &Votes) {
        for (mine, more) in self.by_language.iter_mut().zip(other.by_language) {
            *mine += more.min(MOST_OF_A_LINE);
        }
    }

    pub(super) fn halve(&mut self, language: Language) {
        if let Some(votes) = self.by_language.get_mut(language as usize) {
            *votes /= 2;
        }
    }

    fn of(&self, language: Language) -> u32 {
        self.by_language.get(language as usize).copied().unwrap_or(0)
    }

    /// Whether anything speaks for `language` or for the relatives that share their votes with it.
    pub(super) fn has(&self, language: Language) -> bool {
        self.family(language) > 0
    }

    /// The votes for `language` and for the relatives that share theirs with it.
    pub(super) fn family(&self, language: Language) -> u32 {
        use Language::{C, Cpp, JavaScript, Jsx, Tsx, TypeScript};
        match language {
            JavaScript | Jsx | TypeScript | Tsx => {
                // Elements stand in code; alone they are markup.
                let code = self.of(JavaScript) + self.of(TypeScript);
                code + self.of(Jsx).min(code)
            }
            C | Cpp => self.of(C) + self.of(Cpp),
            _ => self.of(language),
        }
    }

    /// The language with most votes, and how many.
    pub(super) fn best(&self) -> (Language, u32) {
        use Language::{C, Cpp, JavaScript, Jsx, Tsx, TypeScript};
        let mut best = (Language::Rust, 0);
        for language in Language::ALL {
            let votes = self.family(*language);
            if votes > best.1 {
                best = (*language, votes);
            }
        }
        let language = match best.0 {
            JavaScript | Jsx | TypeScript | Tsx => {
                // One type annotation may be a comment's or a string's.
                let is_typed = self.of(TypeScript) >= 4 && self.of(TypeScript) * 24 >= best.1;
                let has_elements = self.of(Jsx) >= 4;
                match (is_typed, has_elements) {
                    (true, true) => Tsx,
                    (true, false) => TypeScript,
                    (false, true) => Jsx,
                    (false, false) => JavaScript,
                }
            }
            C | Cpp if self.of(Cpp) >= 6 && self.of(Cpp) * 12 >= best.1 => Cpp,
            C | Cpp => C,
            other => other,
        };
        (language, best.1)
    }
}
