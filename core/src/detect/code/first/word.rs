//! Lines that begin with a word: the keywords of all languages, and what must follow them.

use super::super::super::shape::{holds, word};
use super::super::language::Language::{
    C, CSharp, Cpp, Go, Java, JavaScript, Kotlin, Lua, Php, Python, Ruby, Rust, Scala, Shell,
    Swift, TypeScript,
};
use super::Say;
use super::phrase::{class, for_line, if_line, import, modified};

/// Lines that begin with an identifier.
pub(super) fn vote(first: &str, rest: &str, body: &str) -> Say {
    let ends = |c: char| body.ends_with(c);
    let is_call = rest.starts_with('(');
    let after = rest.trim_start();
    let (second, _) = word(after);
    let has_semicolon = ends(';');
    match first {
        // Functions
        "fn" if rest.starts_with(' ') => &[(Rust, 6)],
        "fun" if rest.starts_with([' ', '<']) => &[(Kotlin, 6)],
        "func" if after.starts_with('(') && rest.starts_with(' ') => &[(Go, 6)],
        "func"
            if holds(body, "->")
                || holds(body, ": ")
                || holds(body, "async")
                || holds(body, "throws") =>
        {
            &[(Swift, 6)]
        }
        "func" => &[(Go, 4), (Swift, 3)],
        "def" if ends(':') || (ends('(') && !holds(body, "= ")) || holds(body, "(self") => {
            &[(Python, 6)]
        }
        "def"
            if ends('{')
                || holds(body, " = ") && holds(body, ": ")
                || ends('=')
                || holds(body, "): ") =>
        {
            &[(Scala, 6)]
        }
        "def" if body.matches('(').count() > body.matches(')').count() => &[(Python, 4), (Ruby, 1)],
        "def" if ends(',') => &[(Python, 3), (Scala, 1)],
        "def" if after.trim_start_matches(second).trim_start().starts_with("= ") => {
            &[(Scala, 5), (Ruby, 2)]
        }
        "def" => &[(Ruby, 5)],
        "function" if ends('{') && (holds(body, ") {") || holds(body, "){")) => {
            if holds(body, "$") && !holds(body, "${") {
                &[(Php, 5)]
            } else if holds(body, "() {") {
                &[(JavaScript, 4), (Shell, 3), (Php, 2)]
            } else {
                &[(JavaScript, 5), (Php, 1)]
            }
        }
        "function" if ends('{') && second.len() + 2 >= after.len() => &[(Shell, 5)],
        "function" if ends(')') => {
            if holds(body, "$") {
                &[(Php, 5)]
            } else {
                &[(Lua, 5), (Php, 1), (JavaScript, 1)]
            }
        }
        "function" => &[(JavaScript, 2), (Php, 1), (Lua, 1), (Shell, 1)],
        "async" => match second {
            "def" | "for" | "with" => &[(Python, 6)],
            "fn" | "move" => &[(Rust, 6)],
            "function" => &[(JavaScript, 6)],
            _ => &[(JavaScript, 2)],
        },

        // Rust
        "pub" => match second {
            "fn" | "struct" | "enum" | "mod" | "use" | "const" | "trait" | "type" | "static"
            | "async" | "unsafe" | "extern" | "impl" | "union" | "macro" => &[(Rust, 6)],
            _ if is_call => &[(Rust, 6)],
            _ if holds(after, ": ") => &[(Rust, 4)],
            _ => &[],
        },
        "impl" if rest.starts_with([' ', '<']) => &[(Rust, 6)],
        "macro_rules" => &[(Rust, 8)],
        "mod" if has_semicolon || ends('{') => &[(Rust, 4)],
        "match" if ends('{') && !after.starts_with('(') => &[(Rust, 5)],
        "match" if ends(':') => &[(Python, 3)],
        "match" => &[(Php, 1), (Rust, 1)],
        "unsafe" => &[(Rust, 4), (CSharp, 1)],
        "crate" | "super" if rest.starts_with("::") => &[(Rust, 4)],
        "loop" if after == "{" => &[(Rust, 4)],
        "use" if holds(body, "\\") || second == "function" => &[(Php, 5)],
        "use" if holds(body, "::") || (second == "crate") => &[(Rust, 6)],
        "use" if has_semicolon => &[(Php, 1), (Rust, 1)],
        "let" => {
            if second == "mut" {
                &[(Rust, 6)]
            } else if holds(body, "= &") || holds(body, "?;") || holds(body, "::") && has_semicolon
            {
                &[(Rust, 4)]
            } else if has_semicolon {
                &[(Rust, 2), (JavaScript, 2)]
            } else {
                &[(Swift, 3), (JavaScript, 1), (Rust, 1)]
            }
        }

        // Python
        "from" if holds(body, " import ") || ends('(') && holds(body, " import") => {
            if ends(';') || body.contains(['\'', '"']) { &[] } else { &[(Python, 6)] }
        }
        "elif" if ends(':') => &[(Python, 6)],
        "elif" => &[(Shell, 5)],
        "except" if ends(':') => &[(Python, 6)],
        "try" | "finally" | "else" if after == ":" => &[(Python, 4)],
        "with" if ends(':') => &[(Python, 5)],
        "raise" => &[(Python, 3), (Ruby, 2)],
        "pass" if rest.is_empty() => &[(Python, 4)],
        "global" | "nonlocal" if !has_semicolon => &[(Python, 3)],
        "del" if !has_semicolon => &[(Python, 3)],
        "assert" if !has_semicolon && !is_call => &[(Python, 2)],
        "lambda" => &[(Python, 2)],
        "self" if rest.starts_with('.') && !has_semicolon => {
            &[(Python, 3), (Swift, 2), (Ruby, 1), (Lua, 1)]
        }
        "self" if rest.starts_with(':') => &[(Lua, 4)],
        "self" if rest.starts_with('.') => &[(Rust, 3)],
        "__all__" | "__version__" | "__slots__" => &[(Python, 6)],

        // Types
        "class" => class(after, body),
        "struct" if ends(';') || holds(body, ";") => &[(C, 3), (Rust, 2)],
        "struct" => &[(C, 3), (Rust, 2), (Swift, 2), (CSharp, 1)],
        "enum" if second == "class" => &[(Kotlin, 4), (Cpp, 4)],
        "enum" => &[(C, 1), (Rust, 1), (Swift, 1), (Java, 1), (CSharp, 1), (TypeScript, 2)],
        "union" => &[(C, 3), (Rust, 1)],
        "trait" => &[(Rust, 3), (Scala, 4), (Php, 2)],
        "interface" => {
            if holds(body, ": ") {
                &[(Kotlin, 3), (CSharp, 3)]
            } else {
                &[(TypeScript, 3), (Java, 2), (CSharp, 2), (Kotlin, 2), (Php, 1)]
            }
        }
        "type" => {
            if holds(body, " struct {")
                || holds(body, " interface {")
                || holds(body, " func(")
                || ends('(')
            {
                &[(Go, 6)]
            } else if holds(body, "=") {
                if has_semicolon {
                    &[(TypeScript, 4), (Rust, 3)]
                } else {
                    &[(TypeScript, 4), (Scala, 2), (Swift, 1)]
                }
            } else if second.is_empty() || holds(body, ":") {
                &[]
            } else {
                &[(Go, 3)]
            }
        }
        "typedef" => &[(C, 6)],
        "typealias" => &[(Kotlin, 4), (Swift, 4)],
        "record" if ends('{') || has_semicolon => &[(Java, 2), (CSharp, 2)],
        "extension" => &[(Swift, 5), (Scala, 1)],
        "protocol" if ends('{') => &[(Swift, 6)],
        "object" if ends('{') || second.starts_with(|c: char| c.is_ascii_uppercase()) => {
            &[(Scala, 4), (Kotlin, 3)]
        }
        "namespace" if holds(body, "\\") => &[(Php, 6)],
        "namespace" => &[(Cpp, 4), (CSharp, 4), (Php, 1), (TypeScript, 1)],
        "module" if ends('{') => &[(TypeScript, 1)],
        "module" if rest.starts_with(".exports") => &[(JavaScript, 6)],
        "module" if second.starts_with(|c: char| c.is_ascii_uppercase()) => &[(Ruby, 5)],
        "template" if after.starts_with('<') => &[(Cpp, 8)],

        // Imports
        "import" => import(after, body),
        "package" => {
            if has_semicolon {
                &[(Java, 6)]
            } else if holds(body, ".") {
                &[(Kotlin, 3), (Scala, 3)]
            } else {
                &[(Go, 6), (Scala, 1), (Kotlin, 1)]
            }
        }
        "using" if second == "namespace" => &[(Cpp, 6)],
        "using" if has_semicolon && holds(body, " = ") => &[(Cpp, 4), (CSharp, 2)],
        "using" if has_semicolon && holds(body, "::") => &[(Cpp, 5)],
        "using" => &[(CSharp, 5)],
        "require" if is_call => {
            if has_semicolon {
                &[(Php, 2), (JavaScript, 2)]
            } else {
                &[(Lua, 2), (JavaScript, 1)]
            }
        }
        "require" if after.starts_with(['\'', '"']) => {
            if has_semicolon {
                &[(Php, 3)]
            } else {
                &[(Ruby, 5), (Lua, 1)]
            }
        }
        "require_relative" => &[(Ruby, 8)],
        "require_once" | "include_once" => &[(Php, 6)],
        "export" => match second {
            "default" | "function" | "const" | "async" | "let" | "var" => &[(JavaScript, 6)],
            "class" => &[(JavaScript, 5), (TypeScript, 1)],
            "interface" | "enum" | "abstract" | "declare" | "namespace" => {
                &[(TypeScript, 6), (JavaScript, 1)]
            }
            "type" => &[(TypeScript, 6), (JavaScript, 1)],
            _ if after.starts_with(['{', '*']) => &[(JavaScript, 5)],
            _ if holds(after, "=") || !second.is_empty() => &[(Shell, 4)],
            _ => &[],
        },
        "declare" => match second {
            "module" | "const" | "function" | "global" | "class" | "namespace" | "type" | "let"
            | "var" => &[(TypeScript, 6), (JavaScript, 1)],
            _ if after.starts_with('-') => &[(Shell, 6)],
            _ if is_call => &[(Php, 4)],
            _ => &[],
        },

        // Modifiers
        "public" | "private" | "protected" | "internal" => modified(rest, second, body),
        "static" if holds(body, ": ") && !holds(body, "(") => &[(Rust, 3)],
        "static" if second == "fn" => &[(Rust, 4)],
        "static" if matches!(second, "func" | "let" | "var") => &[(Swift, 5)],
        "static" => {
            if has_semicolon || ends('{') || ends(',') || ends(')') {
                &[(C, 3), (Java, 1), (CSharp, 1), (JavaScript, 1)]
            } else {
                &[(C, 2)]
            }
        }
        "abstract" => &[(Java, 1), (TypeScript, 1), (Kotlin, 1), (Php, 1), (Scala, 1), (CSharp, 1)],
        "final" => {
            if has_semicolon || ends('{') {
                &[(Java, 3), (Scala, 1), (Php, 1), (Swift, 1)]
            } else {
                &[(Scala, 2), (Swift, 1)]
            }
        }
        "sealed" => &[(Kotlin, 2), (Scala, 3), (CSharp, 2), (Java, 1)],
        "override" => match second {
            "fun" | "suspend" => &[(Kotlin, 6)],
            "def" | "val" | "lazy" => &[(Scala, 5)],
            "func" | "init" => &[(Swift, 6)],
            "var" => &[(Swift, 3), (Kotlin, 3)],
            _ => &[],
        },
        "data" if second == "class" || second == "object" => &[(Kotlin, 8)],
        "companion" | "lateinit" | "suspend" | "tailrec" | "crossinline" | "infix" | "expect"
        | "actual"
            if rest.starts_with(' ') && !has_semicolon =>
        {
            if first == "expect" {
                &[(Kotlin, 1)]
            } else {
                &[(Kotlin, 5)]
            }
        }
        "open" if matches!(second, "class" | "fun" | "val" | "var") => &[(Kotlin, 5), (Swift, 2)],
        "val" => &[(Kotlin, 3), (Scala, 3)],
        "var" if has_semicolon => {
            if holds(body, "new ") && holds(body, "<") || holds(body, "await ") {
                &[(CSharp, 3), (JavaScript, 1)]
            } else {
                &[(JavaScript, 3), (CSharp, 2), (Java, 1)]
            }
        }
        "var" if holds(body, ": ") && !holds(body, "'") => &[(Swift, 3), (Kotlin, 2), (Scala, 2)],
        "var" if !holds(body, "=") || after.starts_with('(') => &[(Go, 4), (JavaScript, 1)],
        "var" => &[(Go, 1), (Kotlin, 1), (Swift, 2), (JavaScript, 2), (Scala, 1)],
        "const" if has_semicolon && holds(body, ": ") && !holds(body, "= {") => {
            if after
                .split(':')
                .next()
                .unwrap_or_default()
                .bytes()
                .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
            {
                &[(Rust, 4), (TypeScript, 1)]
            } else {
                &[(TypeScript, 2), (JavaScript, 2)]
            }
        }
        "const" if matches!(second, "fn" | "unsafe") => &[(Rust, 6)],
        "const" if matches!(second, "val") => &[(Kotlin, 6)],
        "const" if after == "(" => &[(Go, 6)],
        "const" if holds(body, " = ") || holds(body, "= {") || after.starts_with(['{', '[']) => {
            &[(JavaScript, 4), (Go, 1), (C, 1), (Php, 1), (CSharp, 1)]
        }
        "const" => &[(C, 3), (Cpp, 1), (JavaScript, 1)],
        "implicit" => &[(Scala, 6)],
        "lazy" => match second {
            "val" => &[(Scala, 6)],
            "var" => &[(Swift, 6)],
            _ => &[],
        },
        "given" => &[(Scala, 2)],
        "guard" => &[(Swift, 6)],
        "deinit" | "fileprivate" | "mutating" | "convenience" | "indirect" | "nonisolated"
        | "associatedtype" | "subscript" => &[(Swift, 6)],
        "weak" if second == "var" => &[(Swift, 6)],
        "init" if is_call => &[(Swift, 4)],
        "init" if after == "{" => &[(Kotlin, 4)],
        "constructor" if is_call => &[(JavaScript, 5), (Kotlin, 1)],
        "readonly" => &[(TypeScript, 5), (CSharp, 1)],
        "virtual" => &[(Cpp, 6)],
        "explicit" | "constexpr" | "friend" | "inline" | "consteval" | "concept" if !ends('.') => {
            if first == "inline" {
                &[(C, 2), (Cpp, 1), (Kotlin, 1)]
            } else {
                &[(Cpp, 6)]
            }
        }
        "extern" => {
            if second == "crate" {
                &[(Rust, 6)]
            } else {
                &[(C, 4), (Rust, 1)]
            }
        }
        "synchronized" => &[(Java, 5)],
        "throw" if second == "new" => &[(Java, 1), (JavaScript, 1), (CSharp, 1), (Php, 1)],
        "namespace_" => &[],

        // C and its types
        "void" | "int" | "char" | "unsigned" | "long" | "double" | "float" | "short" | "size_t"
        | "ssize_t" | "uint8_t" | "uint16_t" | "uint32_t" | "uint64_t" | "int32_t" | "int64_t"
        | "int8_t" | "u8" | "u32" | "signed"
            if rest.starts_with([' ', '*'])
                && (has_semicolon
                    || ends('{')
                    || ends(',')
                    || ends(')')
                    || ends('(')
                    || ends('=')
                    || second.len() + 1 >= after.len()) =>
        {
            match first {
                "void" | "int" | "long" | "double" | "float" | "short" | "char" => {
                    &[(C, 2), (Java, 1), (CSharp, 1)]
                }
                _ => &[(C, 3)],
            }
        }
        "bool" if has_semicolon || ends('{') => &[(C, 2), (Cpp, 1), (CSharp, 1)],
        "auto" if holds(body, "=") || holds(body, "->") => &[(Cpp, 4)],
        "boolean" | "String" if rest.starts_with([' ', '[']) && (has_semicolon || ends('{')) => {
            &[(Java, 4)]
        }
        "string" | "decimal"
            if rest.starts_with([' ', '?', '[']) && (has_semicolon || ends('{')) =>
        {
            &[(CSharp, 3), (Cpp, 1)]
        }
        "std" if rest.starts_with("::") => &[(Cpp, 5), (Rust, 1)],
        "goto" if has_semicolon => &[(C, 4)],
        "delete" if has_semicolon => &[(Cpp, 2), (JavaScript, 2)],
        "memcpy" | "memset" | "free" | "malloc" | "printf" | "fprintf" | "snprintf" | "sizeof"
            if is_call =>
        {
            if first == "printf" && !has_semicolon {
                &[]
            } else {
                &[(C, 3)]
            }
        }
        "operator" => &[(Cpp, 3)],

        // Control flow
        "if" => if_line(after, body),
        "for" => for_line(after, body),
        "while" if after.starts_with('[') || body.ends_with("; do") => &[(Shell, 6)],
        "while" if body.ends_with(" do") => &[(Lua, 4), (Ruby, 1)],
        "while" if ends(':') => &[(Python, 4)],
        "while" if after.starts_with('(') => {
            &[(C, 1), (Java, 1), (JavaScript, 1), (Php, 1), (CSharp, 1)]
        }
        "while" if second == "let" => &[(Rust, 4), (Swift, 2)],
        "while" if ends('{') => &[(Rust, 2), (Swift, 2)],
        "while" => &[(Ruby, 1)],
        "do" if after == "{" => &[(C, 1), (Swift, 2), (Java, 1), (JavaScript, 1)],
        "until" => &[(Lua, 2), (Shell, 1), (Ruby, 1)],
        "repeat" if rest.is_empty() => &[(Lua, 4)],
        "repeat" if after == "{" => &[(Swift, 4)],
        "switch" if after.starts_with('(') => {
            &[(C, 1), (Java, 1), (JavaScript, 1), (CSharp, 1), (Php, 1)]
        }
        "switch" if ends('{') => &[(Go, 3), (Swift, 3)],
        "case" => {
            if holds(body, "=>") {
                &[(Scala, 5), (CSharp, 1)]
            } else if second == "class" || second == "object" {
                &[(Scala, 8)]
            } else if after.starts_with('.') || second == "let" {
                &[(Swift, 6)]
            } else if body.ends_with(" in") {
                &[(Shell, 6)]
            } else if holds(body, "->") {
                &[(Java, 3)]
            } else if ends(':') || holds(body, ": ") {
                &[(C, 1), (Java, 1), (JavaScript, 1), (Go, 1), (Swift, 1), (CSharp, 1), (Php, 1)]
            } else if holds(after, "(") || holds(after, " = ") {
                &[(Swift, 1)]
            } else {
                &[(Ruby, 2)]
            }
        }
        "when" if ends('{') => &[(Kotlin, 6)],
        "when" => &[(Ruby, 2)],
        "foreach" => {
            if holds(body, " as ") {
                &[(Php, 6)]
            } else {
                &[(CSharp, 5)]
            }
        }
        "defer" if after == "{" => &[(Swift, 4)],
        "defer" => &[(Go, 5)],
        "go" if second == "func" || after.ends_with(')') => &[(Go, 5)],
        "select" if after == "{" => &[(Go, 4)],
        "chan" => &[(Go, 3)],
        "catch" if is_call || after.starts_with('(') => {
            &[(Java, 1), (JavaScript, 1), (CSharp, 2), (Kotlin, 1), (Php, 1), (Cpp, 1)]
        }
        "end" if rest.is_empty() => &[(Ruby, 2), (Lua, 2)],
        "end" if after.starts_with([')', ',', '.', ';']) => &[(Ruby, 1), (Lua, 2)],
        "elsif" => &[(Ruby, 6)],
        "elseif" => {
            if body.ends_with(" then") {
                &[(Lua, 6)]
            } else {
                &[(Php, 5)]
            }
        }
        "unless" => &[(Ruby, 5)],
        "begin" if rest.is_empty() => &[(Ruby, 2)],
        "rescue" | "ensure" => &[(Ruby, 6)],
        "return" | "break" | "continue" => {
            if has_semicolon {
                &[(C, 1), (Java, 1), (JavaScript, 1), (Rust, 1), (CSharp, 1), (Php, 1)]
            } else {
                &[
                    (Python, 1),
                    (Go, 1),
                    (Kotlin, 1),
                    (Swift, 1),
                    (Scala, 1),
                    (Lua, 1),
                    (Ruby, 1),
                    (JavaScript, 1),
                ]
            }
        }

        // Ruby
        "attr_accessor" | "attr_reader" | "attr_writer" => &[(Ruby, 8)],
        "puts" if !has_semicolon => &[(Ruby, 4)],
        "describe" | "context" | "it" | "before" | "let_it_be" | "expect"
            if body.ends_with(" do") || holds(body, " do |") =>
        {
            &[(Ruby, 6)]
        }
        "describe" | "context" | "it"
            if is_call && body.ends_with(") {") && !holds(body, "(function") =>
        {
            &[(Swift, 3), (Kotlin, 2)]
        }
        "describe" | "it" | "test" | "beforeEach" | "afterEach" | "expect" if is_call => {
            if holds(body, "=>") || holds(body, "function") {
                &[(JavaScript, 4)]
            } else {
                &[(JavaScript, 2), (Swift, 1)]
            }
        }
        "include" | "extend" | "prepend"
            if second.starts_with(|c: char| c.is_ascii_uppercase()) && !has_semicolon =>
        {
            &[(Ruby, 4)]
        }

        // JavaScript
        "console" | "document" | "window" | "process" if rest.starts_with('.') => {
            &[(JavaScript, 5)]
        }
        "exports" | "Object" | "Promise" if rest.starts_with('.') => &[(JavaScript, 4)],
        "await" if !has_semicolon || is_call => {
            &[(JavaScript, 2), (CSharp, 1), (Python, 1), (Swift, 1)]
        }
        "await" => &[(JavaScript, 3), (CSharp, 2)],
        "this" if rest.starts_with('.') => {
            if has_semicolon {
                &[(JavaScript, 2), (Java, 2), (CSharp, 2)]
            } else {
                &[(JavaScript, 2), (Kotlin, 1)]
            }
        }
        "this" if rest.starts_with("->") => &[(Cpp, 4)],

        // Shell
        "fi" | "done" | "esac"
            if rest.is_empty() || after.starts_with([';', '<', '|', '>', ')', '&', '2']) =>
        {
            &[(Shell, 8)]
        }
        "then" | "do" if rest.is_empty() => &[(Shell, 3)],
        "local" if second == "function" || holds(after, " = ") => &[(Lua, 5)],
        "local" if holds(after, "=") => &[(Shell, 5)],
        "local" => &[(Lua, 2), (Shell, 2)],
        "set" if after.starts_with(['-', '+']) => &[(Shell, 6)],
        "echo" => {
            if has_semicolon && !body.ends_with(";;") {
                &[(Php, 4)]
            } else {
                &[(Shell, 4)]
            }
        }
        "source" if after.starts_with(['/', '.', '"', '$', '~', '<']) => &[(Shell, 4)],
        "unset" | "shift" | "trap" | "eval" | "exec" | "readonly_"
            if !has_semicolon && !is_call =>
        {
            &[(Shell, 4)]
        }
        "exit" if !is_call && !has_semicolon => &[(Shell, 3)],
        "cd" | "mkdir" | "rm" | "cp" | "mv" | "chmod" | "grep" | "sed" | "awk" | "curl" | "apt"
        | "sudo" | "printf" | "cat" | "test"
            if rest.starts_with(' ') && !has_semicolon =>
        {
            &[(Shell, 3)]
        }

        // Others' own
        "println" | "print" if is_call => {
            if has_semicolon {
                &[(Java, 1)]
            } else {
                &[(Kotlin, 2), (Scala, 2), (Python, 1), (Swift, 1), (Lua, 1)]
            }
        }
        "println" | "print" | "eprintln" | "format" | "vec" | "write" | "writeln" | "assert"
        | "assert_eq" | "assert_ne" | "debug_assert" | "panic" | "unreachable" | "todo"
        | "matches"
            if rest.starts_with("!(") || rest.starts_with("![") =>
        {
            &[(Rust, 5)]
        }
        "fmt" | "errors" | "strings" | "t"
            if rest.starts_with('.')
                && after
                    .get(1..2)
                    .is_some_and(|c| c.starts_with(|c: char| c.is_ascii_uppercase())) =>
        {
            &[(Go, 4)]
        }
        "System" if rest.starts_with(".out") || rest.starts_with(".err") => &[(Java, 6)],
        "Console" if rest.starts_with('.') => &[(CSharp, 6)],
        "get" | "set"
            if after == "{"
                || after == ";"
                || after.starts_with("=>")
                || after.starts_with("; set") =>
        {
            &[(CSharp, 4), (Swift, 1)]
        }
        "extends" | "implements" => &[(Java, 2), (TypeScript, 1)],
        _ if rest.starts_with("!(") || rest.starts_with("! {") => &[(Rust, 3)],
        _ if rest.starts_with("() {")
            && !holds(body, ";")
            && first.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_') =>
        {
            &[(Shell, 3), (JavaScript, 2)]
        }
        _ => &[],
    }
}
