//! Writing JSON: whitespace taken out of a text, and strings put into quotes.

use super::read::plain_end;
use super::{JsonKind, Value};
use crate::prelude::*;

/// Appends `json` without the whitespace outside its strings; every other byte as it stands. `json` must be valid
/// (a whole document, or the text of a [`Value`]); of anything else the outcome is some text, without a panic.
pub fn minify(json: &str, out: &mut String) {
    out.reserve(json.len());
    let bytes = json.as_bytes();
    let (mut from, mut at) = (0, 0);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => at = string_end(bytes, at + 1),
            b' ' | b'\n' | b'\t' | b'\r' => {
                out.push_str(json.get(from..at).unwrap_or_default());
                at += 1;
                while let Some(b' ' | b'\n' | b'\t' | b'\r') = bytes.get(at) {
                    at += 1;
                }
                from = at;
            }
            _ => at += 1,
        }
    }
    out.push_str(json.get(from..).unwrap_or_default());
}

/// One past the closing quote of a string whose inside begins at `at`.
fn string_end(bytes: &[u8], mut at: usize) -> usize {
    loop {
        at = plain_end(bytes, at);
        match bytes.get(at) {
            Some(b'"') => return at + 1,
            Some(b'\\') => at += 2,
            Some(_) => at += 1,
            None => return bytes.len(),
        }
    }
}

/// Appends `text` as a JSON string: quotes, backslashes and controls escaped in their shortest form, all else as it is.
pub fn write_string(text: &str, out: &mut String) {
    out.push('"');
    write_escaped(text, out);
    out.push('"');
}

/// Appends `text` as it stands between the quotes of a JSON string.
pub(crate) fn write_escaped(text: &str, out: &mut String) {
    let bytes = text.as_bytes();
    let mut from = 0;
    loop {
        let at = plain_end(bytes, from);
        out.push_str(text.get(from..at).unwrap_or_default());
        let Some(byte) = bytes.get(at) else { return };
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            0x8 => out.push_str("\\b"),
            0xc => out.push_str("\\f"),
            other => out.push_str(&format!("\\u{other:04x}")),
        }
        from = at + 1;
    }
}

/// See [`Value::write_minified`]. A flat walk: the stack holds only the open containers.
pub(super) fn write_minified(value: Value<'_>, out: &mut String) {
    let tape = value.tape();
    let mut open: Vec<(JsonKind, u32)> = Vec::new();
    let (mut at, end) = (value.index(), value.node().next());
    let mut is_key = false;
    while at < end {
        let Some(node) = tape.node(at) else { return };
        is_key = match open.last() {
            Some((JsonKind::Object, _)) => !is_key,
            _ => false,
        };
        at += 1;
        match node.kind() {
            kind @ (JsonKind::Array | JsonKind::Object) => {
                out.push(if kind == JsonKind::Array { '[' } else { '{' });
                open.push((kind, node.next()));
                is_key = false;
            }
            _ => out.push_str(node.span().of(tape.text)),
        }
        if is_key {
            out.push(':');
            continue;
        }
        let mut just_opened = !node.is_empty();
        while let Some((kind, next)) = open.last().copied()
            && next == at
        {
            out.push(if kind == JsonKind::Array { ']' } else { '}' });
            open.pop();
            just_opened = false;
        }
        // What comes next is a sibling of something written, unless a container has only just opened.
        if !open.is_empty() && !just_opened {
            out.push(',');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, want: &str) {
        let mut out = String::new();
        minify(text, &mut out);
        assert_eq!(out, want);
        if let Ok(tape) = super::super::read(text) {
            out.clear();
            tape.root().write_minified(&mut out);
            assert_eq!(out, want);
        }
    }

    #[test]
    fn whitespace_goes_and_the_rest_stays() {
        check(
            " { \"a b\" :\r\n\t[ 1.0 , \"x \\\" y\" , { } ] , \"é\":{\"c\": [ [] ,2 ]} } ",
            r#"{"a b":[1.0,"x \" y",{}],"é":{"c":[[],2]}}"#,
        );
        check("\n[\n]\n", "[]");
        check(" 1e400 ", "1e400");
        check("[[[],[]],[],{\"a\":{},\"b\":[]},3]", "[[[],[]],[],{\"a\":{},\"b\":[]},3]");
        check("{\"\\\\\": \"\\\\\" }", "{\"\\\\\":\"\\\\\"}");
        check("", "");
        check("\"open \\", "\"open \\");
    }

    #[test]
    fn subtrees_are_minified_alone() {
        let tape = super::super::read("{\"a\": [1, {\"b\": 2}], \"c\": 3}").unwrap();
        let mut out = String::new();
        tape.root().get("a").unwrap().write_minified(&mut out);
        assert_eq!(out, "[1,{\"b\":2}]");
    }

    #[test]
    fn strings_are_escaped_and_read_back() {
        let text: String = (0u8..128).map(char::from).chain("é😀\u{2028}".chars()).collect();
        let mut out = String::new();
        write_string(&text, &mut out);
        assert!(
            out.starts_with("\"\\u0000\\u0001") && out.contains("\\b\\t\\n\\u000b\\f\\r\\u000e")
        );
        assert_eq!(super::super::read(&out).unwrap().root().as_str().unwrap(), text);
    }
}
