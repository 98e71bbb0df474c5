//! What the operators and words inside a line say about its language.

use super::language::Language::{
    C, CSharp, Cpp, Go, Java, JavaScript, Jsx, Kotlin, Lua, Php, Python, Ruby, Rust, Scala, Shell,
    Sql, Swift, TypeScript,
};
use super::language::Votes;

/// How much of a line is read. Longer lines are minified or data.
const MAX_BYTES: usize = 4096;

pub(super) fn vote(body: &str, votes: &mut Votes) {
    let bytes = body.as_bytes();
    let bytes = bytes.get(..MAX_BYTES).unwrap_or(bytes);
    let mut at = 0;
    let mut before = b' ';
    let mut quote = 0;
    while let Some(&b) = bytes.get(at) {
        let rest = bytes.get(at..).unwrap_or_default();
        if quote != 0 {
            match b {
                b'\\' => at += 1,
                b'$' if quote == b'"' => match rest.get(1) {
                    Some(b'{') => votes.all(&[(Shell, 1), (Kotlin, 1), (Scala, 1), (Php, 1)]),
                    Some(b'(') => votes.add(Shell, 2),
                    Some(c) if c.is_ascii_alphabetic() || *c == b'_' => {
                        votes.all(&[(Shell, 2), (Php, 1), (Kotlin, 1)])
                    }
                    Some(b'@' | b'1'..=b'9' | b'?') => votes.add(Shell, 3),
                    _ => {}
                },
                b'#' if quote == b'"' && rest.get(1) == Some(&b'{') => votes.add(Ruby, 4),
                _ if b == quote => quote = 0,
                _ => {}
            }
            at += 1;
            before = b;
            continue;
        }
        if b.is_ascii_alphabetic() || b == b'_' {
            let n = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
            let name = rest.get(..n).unwrap_or_default();
            let after = rest.get(n..).unwrap_or_default();
            if before == b' ' && at >= 2 && bytes.get(at - 2) == Some(&b':') && is_script_type(name)
            {
                votes.add(TypeScript, 4);
            } else {
                word(name, before, after, votes);
            }
            at += n;
            before = b'a';
            continue;
        }
        match b {
            b'"' => quote = b,
            // An apostrophe opens a text only where one ends too; lifetimes and prose have single ones.
            b'\'' if rest.get(1..).is_some_and(|r| memchr::memchr(b'\'', r).is_some()) => quote = b,
            b'/' if rest.starts_with(b"//") && before != b':' => break,
            b' ' | b'\t' | b'(' | b')' | b',' | b';' | b'.' | b'0'..=b'9'
                if b != b'.' || rest.get(1) != Some(&b'.') => {}
            _ => at += sign(rest, before, votes),
        }
        at += 1;
        before = b;
    }
}

/// Votes for the operator at the start of `rest`; gives how many bytes beyond the first it takes.
fn sign(rest: &[u8], before: u8, votes: &mut Votes) -> usize {
    match rest {
        [b'=', b'=', b'=', ..] | [b'!', b'=', b'=', ..] => {
            votes.all(&[(JavaScript, 3), (Php, 1)]);
            return 2;
        }
        [b':', b':', ..] => {
            votes.all(&[(Rust, 1), (Cpp, 1), (Ruby, 1), (Php, 1)]);
            return 1;
        }
        [b':', b'=', ..] => votes.all(&[(Go, 4)]),
        [b'-', b'>', b' ', ..] if before == b' ' => {
            votes.all(&[(Rust, 2), (Swift, 2), (Kotlin, 2), (Java, 1), (Python, 1)])
        }
        [b'-', b'>', c, ..] if before == b'a' && (c.is_ascii_alphabetic() || *c == b'_') => {
            votes.all(&[(C, 2), (Php, 1)])
        }
        // `libc.so.6 => /lib/libc.so.6`
        [b'=', b'>', b' ', b'/', ..] => return 3,
        [b'=', b'>', ..] => {
            votes.all(&[(JavaScript, 2), (Rust, 1), (Scala, 1), (CSharp, 1), (Php, 2), (Ruby, 1)])
        }
        [b'<', b'-', b' ', ..] => votes.all(&[(Go, 1), (Scala, 2)]),
        [b'<', b'-', ..] => votes.add(Go, 2),
        [b'~', b'=', ..] => votes.add(Lua, 4),
        [b'.', b'.', b' ', ..] if before == b' ' => votes.add(Lua, 3),
        [b':', b' ', c, ..] if before == b')' && (c.is_ascii_alphabetic() || *c == b'{') => {
            votes.all(&[(TypeScript, 3), (Kotlin, 2), (Scala, 2), (Php, 1)]);
        }
        [b'?', b':', b' ', ..] if before == b' ' => votes.add(Kotlin, 4),
        [b'?', b':', b' ', ..] => votes.add(TypeScript, 3),
        [b'?', b'?', ..] => votes.all(&[(CSharp, 1), (JavaScript, 1), (Swift, 1), (Php, 1)]),
        [b'?', b'.', ..] => votes.all(&[(Kotlin, 1), (Swift, 1), (CSharp, 1), (JavaScript, 1)]),
        [b'?', b';', ..] if before == b')' => votes.add(Rust, 4),
        [b'!', b'!', b'.', ..] => votes.add(Kotlin, 2),
        [b'&', b'm', b'u', b't', b' ', ..] | [b'&', b's', b'e', b'l', b'f', ..] => {
            votes.add(Rust, 4)
        }
        [b'&', c, ..] if matches!(before, b' ' | b'(') && c.is_ascii_alphabetic() => {
            votes.all(&[(Rust, 1), (C, 1), (Go, 1)]);
        }
        [b'*', c, ..]
            if (before == b' ' || before == b'(') && (c.is_ascii_alphabetic() || *c == b'_') =>
        {
            votes.all(&[(C, 1), (Go, 1)])
        }
        [b'\'', b'a' | b's', ..] if before == b'&' || before == b'<' => votes.add(Rust, 4),
        [b'|', c, ..]
            if before == b' '
                && (c.is_ascii_lowercase() || *c == b'_')
                && memchr::memchr(b'|', rest.get(1..).unwrap_or_default())
                    .is_some_and(|n| n < 24) =>
        {
            votes.all(&[(Ruby, 2), (Rust, 2)])
        }
        [b'$', ..] if is_macro_variable(rest) => votes.add(Rust, 6),
        [b'$', b'(', ..] => votes.all(&[(Shell, 3), (JavaScript, 1)]),
        [b'$', b'{', ..] => votes.all(&[(Shell, 1), (JavaScript, 2)]),
        [b'$', c, ..] if c.is_ascii_alphabetic() || *c == b'_' => {
            votes.all(&[(Php, 2), (Shell, 2)])
        }
        [b'$', b'@' | b'#' | b'?' | b'1'..=b'9', ..] => votes.add(Shell, 3),
        // Tags of fields, and literals that begin with their type.
        [b'`', b'j', b's', b'o', b'n', b':', ..] => votes.add(Go, 6),
        [b'[', b']', c, ..] if matches!(before, b' ' | b'(' | b']') && c.is_ascii_alphabetic() => {
            votes.add(Go, 2)
        }
        [b'>', b'&', b'2', ..] | [b'2', b'>', ..] => votes.add(Shell, 4),
        [b'[', b'[', b' ', ..] if before == b' ' => votes.add(Shell, 4),
        [b'<', b'/', c, ..] if c.is_ascii_alphabetic() || *c == b'>' => votes.add(Jsx, 2),
        [b'<', c, ..] if c.is_ascii_uppercase() && before == b'(' => votes.add(Jsx, 2),
        [b'/', b'>'] => votes.add(Jsx, 2),
        [b'#', b'{', ..] => votes.add(Ruby, 3),
        [b'@', c, ..] if c.is_ascii_lowercase() && before == b' ' => votes.add(Ruby, 1),
        [b':', c, ..] if c.is_ascii_alphabetic() && matches!(before, b' ' | b'(' | b'[') => {
            votes.add(Ruby, 2)
        }
        [b'\\', c, ..] if c.is_ascii_uppercase() => votes.add(Php, 2),
        _ => {}
    }
    0
}

/// `$crate`, `$name:expr`
fn is_macro_variable(rest: &[u8]) -> bool {
    const FRAGMENTS: [&[u8]; 9] =
        [b"ident", b"expr", b"ty", b"tt", b"block", b"literal", b"path", b"pat", b"lifetime"];
    let rest = rest.get(1..).unwrap_or_default();
    let n = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    let after = rest.get(n..).unwrap_or_default();
    rest.starts_with(b"crate::")
        || after.strip_prefix(b":").is_some_and(|kind| {
            let n = kind.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
            kind.get(..n).is_some_and(|kind| FRAGMENTS.contains(&kind))
        })
}

/// Votes for one word, with the byte before it and what follows.
fn word(word: &[u8], before: u8, rest: &[u8], votes: &mut Votes) {
    let next = rest.first().copied().unwrap_or(b' ');
    match word {
        b"None" | b"True" | b"False" => votes.all(&[(Python, 3)]),
        b"nil" => votes.all(&[(Go, 1), (Swift, 1), (Ruby, 1), (Lua, 1)]),
        b"null" => votes.all(&[(Java, 1), (JavaScript, 1), (CSharp, 1), (Kotlin, 1), (Php, 1)]),
        b"NULL" => votes.all(&[(C, 2), (Sql, 1)]),
        b"nullptr" => votes.add(Cpp, 5),
        b"undefined" | b"prototype" => votes.all(&[(JavaScript, 3)]),
        b"typeof" if next == b' ' => votes.add(JavaScript, 3),
        b"instanceof" => votes.all(&[(JavaScript, 1), (Java, 1), (Php, 1)]),
        b"function" if next == b'(' || next == b' ' => {
            votes.all(&[(JavaScript, 1), (Lua, 1), (Php, 1)])
        }
        b"self" if next == b'.' => votes.all(&[(Python, 1), (Swift, 1), (Rust, 1)]),
        b"this" if next == b'.' => {
            votes.all(&[(JavaScript, 1), (Java, 1), (CSharp, 1), (Kotlin, 1)])
        }
        b"new" if next == b' ' => {
            votes.all(&[(Java, 1), (JavaScript, 1), (CSharp, 1), (Php, 1), (Cpp, 1)])
        }
        b"unwrap" | b"as_str" | b"to_string" | b"into_iter" | b"as_ref" | b"collect"
        | b"expect"
            if before == b'.' && next == b'(' || next == b':' =>
        {
            votes.add(Rust, 2)
        }
        b"Some" | b"Ok" | b"Err" if next == b'(' => votes.all(&[(Rust, 2), (Scala, 1)]),
        b"usize" | b"u8" | b"u16" | b"u32" | b"u64" | b"i32" | b"i64" | b"f64" | b"isize" => {
            votes.add(Rust, 2)
        }
        b"const" if matches!(next, b' ' | b'&') && before == b' ' => votes.add(C, 1),
        b"extends" => votes.all(&[(Java, 1), (JavaScript, 1), (Scala, 1), (Php, 1)]),
        b"throws" => votes.all(&[(Java, 3), (Swift, 1)]),
        b"implements" => votes.all(&[(Java, 1), (TypeScript, 2), (Php, 1)]),
        b"interface" | b"struct" if next == b'{' => votes.add(Go, 2),
        b"className" | b"onClick" if next == b'=' && rest.get(1) != Some(&b' ') => {
            votes.all(&[(Jsx, 3), (JavaScript, 1)])
        }
        b"useState" | b"useEffect" | b"useRef" => votes.add(JavaScript, 3),
        b"require" if next == b'(' => votes.all(&[(JavaScript, 3), (Lua, 1)]),
        b"async" | b"await" => {
            votes.all(&[(JavaScript, 1), (CSharp, 1), (Python, 1), (Rust, 1), (Swift, 1)])
        }
        // Methods in capitals.
        [c, d, ..]
            if c.is_ascii_uppercase()
                && d.is_ascii_lowercase()
                && before == b'.'
                && next == b'(' =>
        {
            votes.all(&[(CSharp, 1), (Go, 1)])
        }
        b"std" if rest.starts_with(b"::") => votes.all(&[(Cpp, 4), (Rust, 1)]),
        b"static_cast" | b"reinterpret_cast" | b"const_cast" | b"dynamic_cast" | b"noexcept"
        | b"unique_ptr" | b"string_view" | b"typename" | b"make_unique" | b"shared_ptr" => {
            votes.add(Cpp, 5)
        }
        b"match" if before == b' ' && rest == b" {" => votes.add(Scala, 6),
        b"with" if before == b' ' && next == b' ' => votes.add(Scala, 1),
        b"yield" => votes.all(&[(Python, 1), (Scala, 1), (Ruby, 1)]),
        b"then" if before == b' ' => votes.all(&[(Lua, 1), (Shell, 1), (Ruby, 1)]),
        b"do" if before == b' ' && next == b' ' && rest.starts_with(b" |") => votes.add(Ruby, 5),
        b"do" if rest.is_empty() && before == b' ' => votes.add(Ruby, 2),
        b"String" | b"Int" | b"Boolean" | b"Double" | b"Unit" | b"Any" | b"Bool"
            if before == b' ' && matches!(next, b',' | b')' | b' ' | b'?' | b'=' | b'{' | b'>') =>
        {
            match word {
                b"Boolean" | b"Unit" => votes.all(&[(Kotlin, 2), (Scala, 2)]),
                b"Bool" => votes.add(Swift, 3),
                b"Int" | b"Double" | b"Any" => votes.all(&[(Kotlin, 1), (Scala, 1), (Swift, 1)]),
                _ => votes.all(&[(Java, 1), (Kotlin, 1), (Scala, 1), (Swift, 1), (Rust, 1)]),
            }
        }
        b"Option" | b"Seq" | b"Future" | b"Either" if next == b'[' => votes.add(Scala, 4),
        b"List" | b"Map" | b"Array" | b"Set" if next == b'[' => {
            votes.all(&[(Scala, 3), (Python, 1)])
        }
        b"List" | b"Map" | b"Set" | b"ArrayList" | b"HashMap" if next == b'<' => {
            votes.all(&[(Java, 2), (Kotlin, 1), (CSharp, 1)])
        }
        b"Task" | b"IEnumerable" | b"Dictionary" | b"IList" | b"Func" | b"Action"
            if next == b'<' =>
        {
            votes.add(CSharp, 4)
        }
        b"Record" | b"Partial" | b"Promise" | b"Readonly" | b"Array" if next == b'<' => {
            votes.add(TypeScript, 4)
        }
        b"as" if before == b' ' && next == b' ' => {
            votes.all(&[(TypeScript, 1), (Rust, 1), (Kotlin, 1), (Swift, 1), (Python, 1)])
        }
        b"vararg" | b"reified" | b"lateinit" => votes.add(Kotlin, 4),
        b"inout" | b"rethrows" | b"nonisolated" => votes.add(Swift, 4),
        b"where" if before == b' ' => votes.all(&[(Rust, 1), (Swift, 1), (CSharp, 1)]),
        b"chan" | b"iota" => votes.add(Go, 3),
        b"err" => votes.add(Go, 1),
        b"printf" | b"fprintf" | b"sizeof" | b"memcpy" | b"malloc" if next == b'(' => {
            votes.add(C, 2)
        }
        b"VARCHAR" | b"INTEGER" | b"TIMESTAMP" | b"BIGINT" | b"varchar" | b"BOOLEAN" | b"TEXT"
        | b"SERIAL" => votes.add(Sql, 3),
        b"FROM" | b"WHERE" | b"JOIN" | b"VALUES" | b"AND" | b"AS" | b"BY" if before == b' ' => {
            votes.add(Sql, 1)
        }
        _ => {}
    }
}

/// The types that TypeScript writes in small letters.
fn is_script_type(name: &[u8]) -> bool {
    matches!(name, b"string" | b"number" | b"boolean" | b"any" | b"unknown" | b"never" | b"void")
}
