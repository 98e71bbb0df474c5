//! Lines that begin with a sign: directives, annotations, variables, markup.

use super::super::super::shape::{holds, word};
use super::super::language::Language::{
    C, CSharp, Cpp, Go, Java, JavaScript, Jsx, Kotlin, Php, Python, Ruby, Rust, Scala, Shell,
    Swift, TypeScript,
};
use super::Say;

pub(super) fn vote(body: &str) -> Say {
    if let Some(rest) = body.strip_prefix('#') {
        let (name, _) = word(rest.trim_start());
        return match name {
            _ if rest.starts_with("![") => &[(Rust, 6)],
            _ if rest.starts_with('[') => &[(Rust, 5), (Php, 1)],
            "include" if body.ends_with(".h>") || body.ends_with('"') => &[(C, 5)],
            "include" => &[(C, 2), (Cpp, 4)],
            "define" | "ifdef" | "ifndef" | "undef" => &[(C, 4), (CSharp, 1)],
            "pragma" => &[(C, 3), (CSharp, 1)],
            "if" | "else" | "endif" | "elif" => &[(C, 2), (CSharp, 1), (Swift, 1)],
            "region" | "endregion" | "nullable" => &[(CSharp, 6)],
            "import" => &[(C, 2)],
            _ => &[],
        };
    }
    if let Some(rest) = body.strip_prefix('@') {
        let (name, after) = word(rest);
        return match name {
            "Override" | "Autowired" | "Entity" | "Bean" | "Service" | "Deprecated"
                if after.is_empty() =>
            {
                &[(Java, 5), (Kotlin, 1)]
            }
            "Test" | "Nullable" | "NonNull" | "NotNull" | "SuppressWarnings" | "Inject"
            | "Before" | "After" => &[(Java, 3), (Kotlin, 2)],
            "Composable" | "JvmStatic" | "JvmField" | "OptIn" | "Suppress" | "file" => {
                &[(Kotlin, 5)]
            }
            "objc" | "testable" | "IBOutlet" | "IBAction" | "State" | "Published" | "MainActor"
            | "available" | "discardableResult" | "inlinable" | "escaping" | "frozen"
            | "usableFromInline" => &[(Swift, 5)],
            "tailrec" | "inline" | "throws" => &[(Scala, 4)],
            "property" if !after.is_empty() => &[(C, 4)],
            "interface" | "protocol" | "implementation" | "end" | "class" => &[(C, 4)],
            "property" | "staticmethod" | "classmethod" | "dataclass" | "abstractmethod"
            | "overload" | "pytest" | "functools" | "contextmanager" => &[(Python, 6)],
            "Component" | "Injectable" | "Input" | "Output" | "NgModule" => {
                &[(TypeScript, 5), (Java, 1)]
            }
            _ if after.starts_with(" =") || after.starts_with(" ||=") => &[(Ruby, 4)],
            _ if name.starts_with(|c: char| c.is_ascii_uppercase()) => {
                &[(Java, 2), (Kotlin, 2), (TypeScript, 1), (Scala, 1), (Swift, 1)]
            }
            _ if !name.is_empty() => &[(Python, 2), (TypeScript, 1), (Swift, 1)],
            _ => &[],
        };
    }
    if let Some(rest) = body.strip_prefix('$') {
        let (name, after) = word(rest);
        return match name {
            "this" => &[(Php, 6)],
            "" => &[],
            _ if body.ends_with(';')
                || after.starts_with(" = ")
                || after.starts_with("->")
                || after.starts_with('[') =>
            {
                &[(Php, 5)]
            }
            _ => &[(Shell, 1)],
        };
    }
    match body.as_bytes() {
        [b'<', b'/' | b'>', ..] => &[(Jsx, 3)],
        // `<T>(value: T): T` is a signature.
        [b'<', c, ..] if c.is_ascii_uppercase() && !holds(body, ">(") => &[(Jsx, 3)],
        [b'<', c, ..] if c.is_ascii_lowercase() => &[(Jsx, 1)],
        [b'[', b'[', b' ', ..] => &[(Shell, 5)],
        [b'[', b' ', ..] if holds(body, " ] ") => &[(Shell, 4)],
        [b'[', c, ..] if c.is_ascii_uppercase() && body.ends_with(']') && !holds(body, " ") => {
            &[(CSharp, 3)]
        }
        [b';', b';'] => &[(Shell, 6)],
        [b'{', b'-', ..] => &[],
        [b'~', ..] if holds(body, "()") => &[(Cpp, 4)],
        [b'}', ..] if body.starts_with("} else if let ") => &[(Rust, 2), (Swift, 2)],
        [b'}', ..] if body.starts_with("} catch (") => {
            &[(Java, 2), (JavaScript, 2), (CSharp, 1), (Kotlin, 1), (Php, 1), (Cpp, 1)]
        }
        [b'}', ..] if body.starts_with("} catch {") => &[(Swift, 2), (JavaScript, 1)],
        [b'}', ..] if body.starts_with("})") => &[(JavaScript, 1), (Rust, 1), (Go, 1)],
        _ => &[],
    }
}
