//! Keywords that many languages share: what follows them tells whose they are.

use super::super::super::shape::{holds, word};
use super::super::language::Language::{
    C, CSharp, Cpp, Go, Java, JavaScript, Kotlin, Lua, Php, Python, Ruby, Rust, Scala, Shell,
    Swift, TypeScript,
};
use super::Say;

pub(super) fn class(after: &str, body: &str) -> Say {
    let (name, rest) = word(after);
    if body.ends_with(':') {
        return &[(Python, 6)];
    }
    if name.is_empty() {
        return if after.starts_with("<<") { &[(Ruby, 6)] } else { &[] };
    }
    let rest = rest.trim_start();
    if rest.starts_with("< ") || rest.starts_with("::") && !body.ends_with('{') {
        return &[(Ruby, 6)];
    }
    if holds(body, " extends ") {
        return &[(JavaScript, 3), (Java, 2), (Scala, 2), (Php, 2)];
    }
    if holds(body, " implements ") {
        return &[(Java, 2), (TypeScript, 2), (Php, 2)];
    }
    if rest.starts_with(": public") || rest.starts_with("final :") || body.ends_with(';') {
        return &[(Cpp, 6)];
    }
    if rest.starts_with(':') {
        return &[(CSharp, 3), (Swift, 3), (Kotlin, 3), (Cpp, 2)];
    }
    if rest.starts_with('(') || rest.starts_with("private constructor") {
        return &[(Kotlin, 4), (Scala, 4), (Python, 1)];
    }
    if rest.is_empty() {
        return &[(Ruby, 3), (CSharp, 1), (Php, 1), (Cpp, 1)];
    }
    if body.ends_with('{') {
        return &[
            (JavaScript, 2),
            (Java, 2),
            (CSharp, 1),
            (Cpp, 2),
            (Kotlin, 1),
            (Php, 1),
            (Swift, 1),
            (Scala, 1),
        ];
    }
    &[]
}

pub(super) fn import(after: &str, body: &str) -> Say {
    if body.ends_with(';') && !body.contains(['"', '\'']) {
        return if after.starts_with("static ") { &[(Java, 8)] } else { &[(Java, 6), (Scala, 1)] };
    }
    if after.starts_with("type ") {
        return &[(TypeScript, 6), (JavaScript, 1)];
    }
    if holds(body, " from '")
        || holds(body, " from \"")
        || after.starts_with('{')
        || after.starts_with("* as ")
    {
        return &[(JavaScript, 6)];
    }
    if after.starts_with('(') && after.len() == 1 {
        return &[(Go, 8)];
    }
    if after.starts_with(['"', '\'']) {
        return if body.ends_with(';') || after.starts_with('\'') {
            &[(JavaScript, 4)]
        } else {
            &[(Go, 5), (JavaScript, 1)]
        };
    }
    let (name, rest) = word(after);
    if holds(body, "._") || holds(body, ".{") || body.ends_with(".*") && holds(body, " = ") {
        return &[(Scala, 6)];
    }
    if body.ends_with(".*") {
        return &[(Kotlin, 4), (Scala, 2)];
    }
    if holds(body, " as ") {
        return &[(Python, 5), (Kotlin, 1)];
    }
    if rest.starts_with(" \"") {
        return &[(Go, 5)];
    }
    if rest.starts_with(',') || name.starts_with('_') {
        return &[(Python, 6)];
    }
    if rest.is_empty() {
        return if name.starts_with(|c: char| c.is_ascii_uppercase()) {
            &[(Swift, 5), (Python, 1)]
        } else {
            &[(Python, 5), (Swift, 1)]
        };
    }
    if matches!(name, "struct" | "class" | "enum" | "func") {
        return &[(Swift, 4)];
    }
    if rest.starts_with('.') {
        // Packages of the JVM end in a type.
        let last = rest.rsplit('.').next().unwrap_or_default();
        let is_type = last.starts_with(|c: char| c.is_ascii_uppercase());
        return if is_type || rest.matches('.').count() >= 3 {
            &[(Kotlin, 4), (Scala, 4)]
        } else {
            &[(Python, 4), (Kotlin, 1), (Scala, 1)]
        };
    }
    &[]
}

pub(super) fn modified(rest: &str, second: &str, body: &str) -> Say {
    if rest == ":" || rest.starts_with(": ") {
        return &[(Cpp, 8)];
    }
    if rest.is_empty() {
        return &[(Ruby, 2)];
    }
    match second {
        "function" => return &[(Php, 8)],
        "static" | "class" | "override" | "final" if holds(body, " func ") => {
            return &[(Swift, 6)];
        }
        "static" if holds(body, " let ") || holds(body, " var ") => return &[(Swift, 6)],
        "func" | "init" | "extension" | "protocol" | "mutating" => return &[(Swift, 6)],
        "let" => return &[(Swift, 6)],
        "fun" | "suspend" | "inline" | "companion" | "lateinit" | "open" => return &[(Kotlin, 6)],
        "val" => return &[(Kotlin, 4), (Scala, 4)],
        "def" | "lazy" | "implicit" | "trait" => return &[(Scala, 6)],
        "var" => return &[(Swift, 4), (Kotlin, 3)],
        "async" | "override" | "virtual" | "readonly" | "partial" | "sealed" | "string"
        | "delegate" | "event" | "bool" | "struct" | "record" | "const" => {
            return if holds(body, ": ") && !body.ends_with('{')
                || second == "readonly" && holds(body, ":")
            {
                &[(TypeScript, 4)]
            } else {
                &[(CSharp, 5), (TypeScript, 1)]
            };
        }
        "final" if holds(body, ": ") => return &[(Swift, 4), (Kotlin, 1), (CSharp, 1)],
        "final" | "boolean" | "String" | "synchronized" | "native" | "abstract" => {
            return &[(Java, 5)];
        }
        _ => {}
    }
    if rest.trim_start().starts_with('$') || rest.starts_with(" ?") || holds(rest, " $") {
        return &[(Php, 6)];
    }
    if holds(rest, " = (") && body.ends_with("=> {") {
        return &[(TypeScript, 6)];
    }
    if holds(rest, "get;") || holds(rest, "=> ") {
        return &[(CSharp, 6)];
    }
    // `private name: Type;` and `private name(…): Type {`
    let (_, after) = word(rest.trim_start());
    if after.starts_with(':') || after.starts_with("?:") || holds(body, "): ") {
        return &[(TypeScript, 5)];
    }
    if body.ends_with([';', '{', ',', '(', ')', '='])
        || second == "class"
        || second == "static"
        || second == "enum"
        || second == "interface"
    {
        return if holds(body, " throws ") || holds(body, " extends ") || holds(body, " implements ")
        {
            &[(Java, 5)]
        } else {
            &[(Java, 3), (CSharp, 3)]
        };
    }
    &[(CSharp, 1)]
}

pub(super) fn if_line(after: &str, body: &str) -> Say {
    if after.starts_with("err != nil") || holds(body, "; err != nil") {
        return &[(Go, 8)];
    }
    if after.starts_with("[ ") || after.starts_with("[[ ") || body.ends_with("; then") {
        return &[(Shell, 6)];
    }
    if body.ends_with(" then") {
        return &[(Lua, 6)];
    }
    if after.starts_with("let ") {
        return if holds(body, "Some(") || holds(body, "Ok(") || holds(body, "::") {
            &[(Rust, 6)]
        } else {
            &[(Rust, 2), (Swift, 3)]
        };
    }
    if after.starts_with("__name__") {
        return &[(Python, 8)];
    }
    if body.ends_with(':') {
        return &[(Python, 4)];
    }
    if after.starts_with('#') || after.starts_with("case ") {
        return &[(Swift, 4)];
    }
    if after.starts_with('(') {
        return if holds(body, "->") {
            &[(C, 2), (Php, 1)]
        } else {
            &[(C, 1), (Java, 1), (JavaScript, 1), (CSharp, 1), (Php, 1), (Kotlin, 1), (Scala, 1)]
        };
    }
    if body.ends_with('{') {
        return if holds(body, " := ") || holds(body, "nil") && !holds(body, "self") {
            &[(Go, 4), (Swift, 1)]
        } else {
            &[(Rust, 2), (Go, 2), (Swift, 2)]
        };
    }
    if body.ends_with('}') || body.ends_with(';') {
        return &[];
    }
    &[(Ruby, 1)]
}

pub(super) fn for_line(after: &str, body: &str) -> Say {
    if holds(body, ":= range ") || holds(body, " := ") || after.starts_with("range ") {
        return &[(Go, 8)];
    }
    if after == "{" {
        return &[(Go, 3)];
    }
    if body.ends_with(" do") || body.ends_with(";do") {
        return if holds(body, "pairs(")
            || holds(after, " = ")
            || !holds(body, "; do") && holds(body, "(")
        {
            &[(Lua, 8)]
        } else {
            &[(Shell, 6)]
        };
    }
    if body.ends_with(':') && holds(body, " in ") {
        return &[(Python, 6)];
    }
    if after.starts_with("((") {
        return &[(Shell, 4)];
    }
    if after.starts_with('(') {
        if holds(body, " of ")
            || holds(body, "(let ")
            || holds(body, "(const ")
            || holds(body, "(var ") && holds(body, ";")
        {
            return &[(JavaScript, 5)];
        }
        if holds(body, "(auto") || holds(body, "(const auto") {
            return &[(Cpp, 6)];
        }
        if holds(body, " <- ") {
            return &[(Scala, 6)];
        }
        if holds(body, " in ") {
            return &[(Kotlin, 4), (JavaScript, 1)];
        }
        if holds(body, " : ") {
            return &[(Java, 4), (Cpp, 2)];
        }
        return &[(C, 2), (Java, 1), (CSharp, 1), (JavaScript, 1), (Php, 1)];
    }
    if holds(body, " in ") && body.ends_with('{') {
        return if holds(body, "..") || holds(body, "&") {
            &[(Rust, 4), (Swift, 1)]
        } else {
            &[(Rust, 3), (Swift, 3)]
        };
    }
    if holds(after, " in ") && !holds(body, "{") && body.split(' ').count() <= 5 {
        return &[(Shell, 1), (Ruby, 1)];
    }
    &[]
}
