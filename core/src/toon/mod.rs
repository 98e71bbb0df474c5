//! TOON, specification 4.4, both ways: JSON text to TOON text and back, on spans, without a value tree.
//!
//! ```text
//! {"items":[{"sku":"A1","qty":2},{"sku":"B2","qty":1}]}   <->   items[2]{sku,qty}:
//!                                                                A1,2
//!                                                                B2,1
//! ```
//!
//! Policies where the specification leaves a choice:
//! - Numbers are decimal texts, never floats: any JSON number keeps its value. The encoder writes exponents outside
//!   1e-6 .. 1e21 only; the decoder copies number tokens as they stand (`-0` becomes `0`).
//! - Duplicate keys and lone surrogates in JSON input are errors on encode; key order is kept, save that rows follow
//!   their header.
//! - Containers nest at most [`MAX_DEPTH`] deep, both ways. Declared counts are checked and never reserve memory.

mod decode;
mod encode;
mod error;
mod header;
mod keys;
mod number;
mod shape;
mod token;

use core::num::NonZeroU8;

use crate::json::{self, Value};
use crate::prelude::*;

pub use decode::Decoder;
pub use error::{ToonError, ToonErrorKind};

/// How deep arrays and objects may nest, in the JSON view. Our choice: above what the other implementations take
/// (128 and 256), below what recursion in a 1 MiB wasm stack can do.
pub const MAX_DEPTH: usize = 512;

/// What stands between the cells of a row and the values of an inline array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Delimiter {
    /// `,`, which headers leave out.
    #[default]
    Comma,
    /// A tab.
    Tab,
    /// `|`
    Pipe,
}

impl Delimiter {
    /// Its byte.
    pub fn byte(self) -> u8 {
        match self {
            Delimiter::Comma => b',',
            Delimiter::Tab => b'\t',
            Delimiter::Pipe => b'|',
        }
    }

    /// As it is declared inside a header's brackets.
    fn declared(self) -> &'static str {
        match self {
            Delimiter::Comma => "",
            Delimiter::Tab => "\t",
            Delimiter::Pipe => "|",
        }
    }
}

/// Two spaces a level.
const TWO: NonZeroU8 = NonZeroU8::MIN.saturating_add(1);

/// How [`encode`] writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EncodeOptions {
    /// The delimiter of every header. Default: comma.
    pub delimiter: Delimiter,
    /// Spaces for one level of nesting. Default: 2.
    pub indent_size: NonZeroU8,
    /// Longest output in bytes; a longer one is an error, and is not built. Default: no limit.
    pub max_bytes: usize,
}

impl Default for EncodeOptions {
    fn default() -> Self {
        EncodeOptions { delimiter: Delimiter::Comma, indent_size: TWO, max_bytes: usize::MAX }
    }
}

/// What [`decode`] takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strictness {
    /// Every rule of the specification holds.
    #[default]
    Strict,
    /// The five recoveries of the specification's section 14.4: counts are advisory, the last of duplicate keys wins
    /// in the first one's place, indentation is rounded and may have tabs, blank lines are ignored, and a depth jump
    /// is adopted.
    Lenient,
}

/// How [`decode`] reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeOptions {
    /// Spaces for one level of nesting. Default: 2.
    pub indent_size: NonZeroU8,
    /// Default: strict.
    pub strictness: Strictness,
}

impl Default for DecodeOptions {
    fn default() -> Self {
        DecodeOptions { indent_size: TWO, strictness: Strictness::Strict }
    }
}

/// Writes a JSON document as TOON, without a line end after the last line.
///
/// Fails on text that is not JSON, on duplicate keys, on lone surrogates, beyond [`MAX_DEPTH`] and beyond the limit of the
/// options; the error's position is in `json_text`.
pub fn encode(json_text: &str, options: &EncodeOptions) -> Result<String, ToonError> {
    let tape = json::read(json_text).map_err(|e| ToonError::of_json(json_text, e))?;
    encode_value(tape.root(), options)
}

/// Writes one value of a tape as a TOON document of its own. Fails as [`encode`] does.
pub fn encode_value(value: Value<'_>, options: &EncodeOptions) -> Result<String, ToonError> {
    encode::document(value, options)
}

/// Writes a TOON document as JSON without whitespace between tokens.
///
/// Fails on what the specification calls an error, beyond [`MAX_DEPTH`], and on nothing else.
pub fn decode(toon_text: &str, options: &DecodeOptions) -> Result<String, ToonError> {
    let mut decoder = Decoder::new(options);
    let mut out = String::new();
    let mut rest = toon_text;
    while !rest.is_empty() {
        if out.capacity() - out.len() < ROOM {
            make_room(&mut out, toon_text.len() - rest.len(), toon_text.len());
        }
        let end = memchr::memchr(b'\n', rest.as_bytes()).map_or(rest.len(), |at| at + 1);
        let (line, after) = rest.split_at(end);
        decoder.line(line, &mut out)?;
        rest = after;
    }
    decoder.finish(&mut out)?;
    Ok(out)
}

/// With less than this left in an output, room is made before the next line.
const ROOM: usize = 512;

/// Makes room in an output of which `done` of `total` input bytes are written: for the rest to be like the beginning,
/// at least a sixteenth more, so that time stays linear. Doubling instead would be most of the memory.
#[cold]
fn make_room(out: &mut String, done: usize, total: usize) {
    let left = total.saturating_sub(done) as u64;
    let foreseen = (out.len() as u64).saturating_mul(left) / done.max(1) as u64;
    let foreseen = usize::try_from(foreseen.saturating_add(foreseen / 32)).unwrap_or(usize::MAX);
    let most = out.len().saturating_mul(16).max(total / 8);
    out.reserve_exact(foreseen.min(most).max(out.len() / 16 + 2 * ROOM));
}

#[cfg(test)]
mod tests {
    use super::*;
    use ToonErrorKind as E;

    const LENIENT: DecodeOptions =
        DecodeOptions { indent_size: TWO, strictness: Strictness::Lenient };

    fn with(delimiter: Delimiter) -> EncodeOptions {
        EncodeOptions { delimiter, ..EncodeOptions::default() }
    }

    /// Encodes to `toon` and decodes back to `json`.
    fn check(json: &str, toon: &str) {
        assert_eq!(encode(json, &EncodeOptions::default()).unwrap(), toon, "{json}");
        assert_eq!(decode(toon, &DecodeOptions::default()).unwrap(), json, "{toon}");
        assert_eq!(decode(toon, &LENIENT).unwrap(), json, "{toon}");
    }

    fn encodes(json: &str, toon: &str) {
        assert_eq!(encode(json, &EncodeOptions::default()).unwrap(), toon, "{json}");
    }

    fn decodes(toon: &str, json: &str) {
        assert_eq!(decode(toon, &DecodeOptions::default()).unwrap(), json, "{toon}");
    }

    fn mends(toon: &str, json: &str) {
        assert_eq!(decode(toon, &LENIENT).unwrap(), json, "{toon}");
        assert!(decode(toon, &DecodeOptions::default()).is_err(), "{toon}");
    }

    /// Fails strictly with this kind at this line and column.
    fn fails(toon: &str, kind: ToonErrorKind, line: u32, column: u32) {
        let error = decode(toon, &DecodeOptions::default()).expect_err(toon);
        assert_eq!(
            (error.kind(), error.line(), error.column()),
            (kind, line, column),
            "{toon}\n{error}"
        );
        assert_eq!(error.code(), "cave_invalid_toon");
    }

    /// Fails in both modes.
    fn fails_always(toon: &str, kind: ToonErrorKind, line: u32, column: u32) {
        fails(toon, kind, line, column);
        assert_eq!(decode(toon, &LENIENT).expect_err(toon).kind(), kind, "{toon}");
    }

    #[test]
    fn documents_of_one_value() {
        check("{}", "");
        check("[]", "[]");
        check("null", "null");
        check("\"a b\"", "a b");
        check("\"\"", "\"\"");
        check("-1.5", "-1.5");
        check("[1,\"x\",true]", "[3]: 1,x,true");
        check("\"\u{feff}8\"", "\"\u{feff}8\"");
        decodes("\u{feff}a: 1  \r\nb[1]:\r\n  -  x \r\n", "{\"a\":1,\"b\":[\"x\"]}");
        decodes("\n# c\n\n# d\n", "{}");
    }

    #[test]
    fn objects_and_their_keys() {
        check(r#"{"a":{"b":{"c":1},"d":{}},"e":[]}"#, "a:\n  b:\n    c: 1\n  d:\ne: []");
        check(
            r#"{"full name":1,"a.b":2,"":3,"é":4,"2k":5}"#,
            "\"full name\": 1\na.b: 2\n\"\": 3\n\"é\": 4\n\"2k\": 5",
        );
        encodes(r#"{"\u0061\/b":1,"tab\t":2}"#, "\"a/b\": 1\n\"tab\\t\": 2");
        decodes("a\"b:c\"d: 1\n: 2\nfoo-bar : 3", r#"{"a\"b:c\"d":1,"":2,"foo-bar":3}"#);
    }

    #[test]
    fn strings_are_quoted_where_they_must_be() {
        check(
            r##"["#x","-","-a","+1","1E6","05","a#b","true","a:b","a b "," a","[","}",""]"##,
            r##"[14]: "#x","-","-a","+1","1E6","05",a#b,"true","a:b","a b "," a","[","}","""##,
        );
        check(
            r#"[".5","1.","0x10","1_000","NaN","True","٤","1.0 b"]"#,
            "[8]: .5,1.,0x10,1_000,NaN,True,٤,1.0 b",
        );
        encodes(r#"["a\u0004\b\f\n\"\\"]"#, r#"[1]: "a\u0004\u0008\u000c\n\"\\""#);
        encodes(r#"{"v":"\u00e9\/\ud83d\ude00"}"#, "v: é/😀");
        assert_eq!(
            encode(r#"["a,b","c|d"]"#, &with(Delimiter::Pipe)).unwrap(),
            "[2|]: a,b|\"c|d\""
        );
        assert_eq!(
            encode(r#"{"a":"x|y","b":"p,q"}"#, &with(Delimiter::Pipe)).unwrap(),
            "a: \"x|y\"\nb: p,q"
        );
        assert_eq!(
            encode(r#"["a\tb",[]]"#, &with(Delimiter::Tab)).unwrap(),
            "[2\t]:\n  - \"a\\tb\"\n  - [0\t]:"
        );
        decodes("v: \"a\u{1}b\\u00C9\"", "{\"v\":\"a\\u0001b\\u00C9\"}");
        decodes("v: tab\there\\n", "{\"v\":\"tab\\there\\\\n\"}");
    }

    #[test]
    fn tables() {
        check(
            r#"{"items":[{"sku":"A1","qty":2},{"sku":"B,2","qty":null}]}"#,
            "items[2]{sku,qty}:\n  A1,2\n  \"B,2\",null",
        );
        check(
            r#"[{"id":1,"geo":{"p":{"x":1,"y":2}},"z":true},{"id":2,"geo":{"p":{"x":3,"y":4}},"z":false}]"#,
            "[2]{id,geo{p{x,y}},z}:\n  1,1,2,true\n  2,3,4,false",
        );
        encodes(
            r#"[{"a":1,"b":{"x":1,"y":2}},{"b":{"y":4,"x":3},"a":2}]"#,
            "[2]{a,b{x,y}}:\n  1,1,2\n  2,3,4",
        );
        encodes(r#"[{"a":1,"b":2},{"\u0062":3,"a":4}]"#, "[2]{a,b}:\n  1,2\n  4,3");
        for (json, toon) in [
            (r#"[{"a":1},{"b":1}]"#, "[2]:\n  - a: 1\n  - b: 1"),
            (r#"[{"a":1},{}]"#, "[2]:\n  - a: 1\n  -"),
            (r#"[{"a":[]}]"#, "[1]:\n  - a: []"),
            (r#"[{"a":{"x":1}},{"a":null}]"#, "[2]:\n  - a:\n      x: 1\n  - a: null"),
            (
                r#"[{"a":1},2,[3],[[]],[{"b":4},{"b":5}]]"#,
                "[5]:\n  - a: 1\n  - 2\n  - [1]: 3\n  - [1]:\n    - [0]:\n  - [2]:\n    - b: 4\n    - b: 5",
            ),
            (
                r#"[{"users":[{"a":1,"b":2}],"s":{"k":{"v":1}}},{"s":0}]"#,
                "[2]:\n  - users[1]{a,b}:\n      1,2\n    s:\n      k:\n        v: 1\n  - s: 0",
            ),
        ] {
            check(json, toon);
        }
        decodes("rows[1]{a,b}:\n  - y,2", r#"{"rows":[{"a":"- y","b":2}]}"#);
        decodes(
            "t[1]{ x:y , \"q\\\"\" ,n{z}}:\n  1 , \"2\" ,[]",
            r#"{"t":[{"x:y":1,"q\"":"2","n":{"z":"[]"}}]}"#,
        );
        decodes(
            "t[2|]{a|b}:\n  1|x:y\n  a\"b|c\"|",
            r#"{"t":[{"a":1,"b":"x:y"},{"a":"a\"b|c\"","b":""}]}"#,
        );
    }

    #[test]
    fn keyed_tables() {
        check(
            r#"{"s":{"x":{"p":{"a":1,"b":2},"q":3},"y z":{"p":{"a":4,"b":5},"q":6}}}"#,
            "s[2:]{p{a,b},q}:\n  x: 1,2,3\n  \"y z\": 4,5,6",
        );
        check(r#"{"a":{"v":1},"b":{"v":2}}"#, "[2:]{v}:\n  a: 1\n  b: 2");
        check(
            r#"{"a":{"x":{"v":1}},"b":{"x":{"v":{"w":1}},"y":{"v":null}}}"#,
            "a:\n  x:\n    v: 1\nb:\n  x:\n    v:\n      w: 1\n  y:\n    v: null",
        );
        check(
            r#"[{"c":{"a":{"x":1},"b":{"x":2}},"d":1},3]"#,
            "[2]:\n  - c[2:]{x}:\n      a: 1\n      b: 2\n    d: 1\n  - 3",
        );
        decodes("m[2:]{v}:\n  a,b: 5\n  k[2]: []", r#"{"m":{"a,b":{"v":5},"k[2]":{"v":"[]"}}}"#);
    }

    #[test]
    fn lists_when_read() {
        decodes("a[4]:\n  -\n  - []\n  -   k[1]: v\n  - [2]", r#"{"a":[{},[],{"k":["v"]},"[2]"]}"#);
        decodes("items[1]:\n  - a: 1\n    - y: 2", r#"{"items":[{"a":1,"- y":2}]}"#);
        decodes("v[1]:\n  - \"a: b\"\nold[0]:", r#"{"v":["a: b"],"old":[]}"#);
        decodes("a[2]: x\\\"y,z\"w,\u{301}v", r#"{"a":["x\\\"y,z\"w","́v"]}"#);
    }

    #[test]
    fn numbers_are_exact() {
        encodes(
            "[1e400,9007199254740993,1.0e2,-0,0.10,5E-324]",
            "[6]: 1e+400,9007199254740993,100,0,0.1,5e-324",
        );
        decodes(
            "[5]: 1e400,18446744073709551616,1.50,-0.0,05",
            "[1e400,18446744073709551616,1.50,0,\"05\"]",
        );
    }

    #[test]
    fn json_that_cannot_be_written_is_refused_where_it_is_wrong() {
        let refuses = |json: &str, kind: ToonErrorKind, line: u32, column: u32| {
            let error = encode(json, &EncodeOptions::default()).expect_err(json);
            assert_eq!(
                (error.kind(), error.line(), error.column()),
                (kind, line, column),
                "{json}\n{error}"
            );
            assert_eq!(error.code(), "cave_not_encodable");
        };
        refuses("{\"é\":1,\n \"é\":2}", E::DuplicateKey, 2, 2);
        refuses("{\"a\":{\"b\":1,\"\\u0062\":2}}", E::DuplicateKey, 1, 13);
        refuses("[{\"a\":1,\"a\":2},{\"a\":3,\"a\":4}]", E::DuplicateKey, 1, 9);
        refuses("[{\"a\":1,\"b\":2},{\"a\":3,\"a\":4}]", E::DuplicateKey, 1, 23);
        refuses("{\"m\":{\"r\":{\"x\":1},\"r\":{\"x\":2}}}", E::DuplicateKey, 1, 19);
        refuses("[\"a\",\"\\ud800\"]", E::LoneSurrogate, 1, 6);
        refuses("{\"\\udc00x\":1}", E::LoneSurrogate, 1, 2);
        refuses("[1,\n2,]", E::InvalidJson, 2, 3);
        let many: String = (0..40).map(|i| format!("\"k{}\":1,\n", i % 39)).collect();
        refuses(&format!("{{{many}\"z\":0}}"), E::DuplicateKey, 40, 1);
    }

    #[test]
    fn errors_say_where() {
        fails("a: 1\ntags[2]: a,b,c", E::Count, 2, 5);
        fails("é[2]{x}:\n  1", E::Count, 1, 2);
        fails("a[18446744073709551617]: 1", E::Count, 1, 2);
        fails_always("t[2]{a,b}:\n  1,2\n  3", E::Width, 3, 3);
        fails_always("m[1:]{v}:\n  a:", E::Width, 2, 5);
        fails("a: 1\nb: 2\na: 3", E::DuplicateKey, 3, 1);
        fails("t[1]{a,b,a}:\n  1,2,3", E::DuplicateKey, 1, 10);
        fails_always("items[03]: 1", E::Header, 1, 7);
        fails_always("a[2:]{x}", E::Header, 1, 9);
        fails_always("foo [2]: a,b", E::Header, 1, 4);
        fails_always("a[0]{x,}:", E::Header, 1, 8);
        fails_always("a[0]{b {c}}:", E::Header, 1, 7);
        fails_always("a[1|]{x,y}:\n  1", E::Header, 1, 8);
        fails_always("a: 1\n[2]: x,y", E::Position, 2, 1);
        fails_always("b[1]{c}: x", E::Position, 1, 9);
        fails_always("k: \"ab\" c", E::Quoting, 1, 8);
        fails_always("k[2]: \"a\\x\",b", E::Quoting, 1, 9);
        fails_always("k: \"\\ud83d\\ude00\"", E::Quoting, 1, 5);
        fails_always("k: \"open", E::Quoting, 1, 4);
        fails("a:\n   b: 1", E::Indentation, 2, 4);
        fails("a:\n\tb: 1", E::Indentation, 2, 1);
        fails_always("a: 1\n  b: 2", E::OverIndented, 2, 3);
        fails_always("  a: 1", E::OverIndented, 1, 3);
        fails("a:\n    b: 1", E::OverIndented, 2, 5);
        fails("a[2]:\n  - x:\n      y: 1\n\n  - 2", E::BlankLine, 4, 1);
        fails("a[1]:\n  - k:\n\n      x: 1", E::BlankLine, 3, 1);
        fails("o[2]:\n  - i[1]{a}:\n\n      1\n  - x", E::BlankLine, 3, 1);
        fails_always("a:\n  user", E::MissingColon, 2, 3);
        fails_always("u[2:]{x}:\n  a: 1\n  boom", E::MissingColon, 3, 3);
        fails_always("items[2]:\n  - a\n  -b", E::Stray, 3, 3);
        fails("t[2]{a,b}:\n  1,2\n  c: 3,4", E::Stray, 3, 3);
        fails_always("[]\njunk: 3", E::Trailing, 2, 1);
        fails_always("hello\nworld", E::Trailing, 2, 1);
        let many: String = (0..40).map(|i| format!("k{}: 1\n", i % 39)).collect();
        fails(&many, E::DuplicateKey, 40, 1);
    }

    #[test]
    fn messages_show_the_header_and_nothing_else_of_the_payload() {
        let error = decode("secret: x\nrows[3]{id,name}:\n  1,secret", &DecodeOptions::default())
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 2, column 5: not as many elements as declared (declared 3, found 1) under `rows[3]{id,name}:`"
        );
        assert_eq!(
            (error.header(), error.declared(), error.found()),
            (Some("rows[3]{id,name}:"), Some(3), Some(1))
        );
        assert_eq!(error.at(), 14);
        assert_eq!(error.caret(), "rows[3]{id,name}:\n    ^");
        let error =
            decode("rows[1]{id,name}:\n  1,secret,2", &DecodeOptions::default()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 2, column 3: not as many cells as the header has fields (declared 2, found 3) under `rows[1]{id,name}:`"
        );
        let long = format!("{}: \"{}", "k".repeat(100), "v".repeat(500));
        let caret = decode(&long, &DecodeOptions::default()).unwrap_err().caret();
        let lines: Vec<&str> = caret.lines().collect();
        assert_eq!(
            (lines.len(), lines[0].chars().count(), lines[1]),
            (2, 76, &*format!("{}^", " ".repeat(38)))
        );
        assert_eq!(lines[0].get(36..40), Some(": \"v"));
        let error =
            decode(&format!("a[9]{{{}}}:", "f,".repeat(300) + "g"), &DecodeOptions::default())
                .unwrap_err();
        assert_eq!(error.kind(), E::DuplicateKey);
        assert!(error.to_string().len() < 200);
    }

    #[test]
    fn lenient_decoding_mends_five_things() {
        mends("a[1]:\n  - 1\n  - 2\nb[3]: x", r#"{"a":[1,2],"b":["x"]}"#);
        mends("a[0]: 1,2\nt[9]{x}:\n  1", r#"{"a":[1,2],"t":[{"x":1}]}"#);
        mends("a: 1\nb:\n  x: 1\nb: 2\na: 3", r#"{"a":3,"b":2}"#);
        mends("t[1]{a,a,b,b{x}}:\n  1,2,3,4", r#"{"t":[{"a":2,"b":{"x":4}}]}"#);
        mends("m[3:]{v}:\n  a: 1\n  b: 2\n  a: 3", r#"{"m":{"a":{"v":3},"b":{"v":2}}}"#);
        mends("a:\n   b:\n     c: 1\n  d:\n \t x: 1", r#"{"a":{"b":{"c":1},"d":{"x":1}}}"#);
        mends("a[2]:\n  - 1\n\n  - 2\n\t\n", r#"{"a":[1,2]}"#);
        mends(
            "a:\n    b:\n      x: 1\n    c: 2\nt[1]{a}:\n      1",
            r#"{"a":{"b":{"x":1},"c":2},"t":[{"a":1}]}"#,
        );
        for still in
            ["a:\n    b: 1\n  c: 2", "rows[2]{a}:\n    1\n  x: 9\n    2", "t[2]{a,b}:\n  1,2\n  3"]
        {
            assert!(decode(still, &LENIENT).is_err(), "{still}");
        }
    }

    #[test]
    fn nesting_is_bounded_alike_both_ways() {
        let nested = |n: usize, open: &str, inner: &str, close: &str| {
            open.repeat(n) + inner + &close.repeat(n)
        };
        // 512 containers each; one more is too deep.
        for (open, inner, close) in [
            ("[", "[]", "]"),
            ("{\"a\":", "{}", "}"),
            ("[", "[1]", "]"),
            ("{\"a\":", "{\"b\":1,\"c\":[]}", "}"),
        ] {
            let more = usize::from(inner.contains("[]") && inner.len() > 2);
            let deepest = nested(MAX_DEPTH - 1 - more, open, inner, close);
            let toon = encode(&deepest, &EncodeOptions::default()).unwrap();
            assert_eq!(decode(&toon, &DecodeOptions::default()).unwrap(), deepest);
            let deeper = nested(MAX_DEPTH - more, open, inner, close);
            let error = encode(&deeper, &EncodeOptions::default()).unwrap_err();
            assert_eq!(error.kind(), E::TooDeep, "{inner}");
        }
        // Groups in a header are containers too.
        let row = format!("[{}]", nested(MAX_DEPTH - 1, "{\"a\":", "1", "}"));
        let toon = encode(&row, &EncodeOptions::default()).unwrap();
        assert!(toon.starts_with("[1]{a{a{"));
        assert_eq!(decode(&toon, &DecodeOptions::default()).unwrap(), row);
        let row = format!("[{}]", nested(MAX_DEPTH, "{\"a\":", "1", "}"));
        assert_eq!(encode(&row, &EncodeOptions::default()).unwrap_err().kind(), E::TooDeep);
        for hostile in [
            "[".repeat(100_000) + &"]".repeat(100_000),
            "{\"a\":".repeat(100_000) + "1" + &"}".repeat(100_000),
            "[{\"a\":".repeat(100_000) + "1" + &"}]".repeat(100_000),
        ] {
            assert_eq!(encode(&hostile, &EncodeOptions::default()).unwrap_err().kind(), E::TooDeep);
        }
        let header = format!("a[1]{}x{}:", "{a".repeat(100_000), "}".repeat(100_000));
        assert_eq!(decode(&header, &DecodeOptions::default()).unwrap_err().kind(), E::TooDeep);
        let lines: String = (0..600).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
        let options = DecodeOptions { indent_size: NonZeroU8::MIN, ..DecodeOptions::default() };
        assert_eq!(decode(&lines, &options).unwrap_err().kind(), E::TooDeep);
    }

    #[test]
    fn declared_counts_reserve_nothing() {
        fails("a[18446744073709551615]{x}:\n  1", E::Count, 1, 2);
        mends("a[18446744073709551615]: 1", "{\"a\":[1]}");
    }

    #[test]
    fn indentation_has_the_size_asked_for() {
        let four = NonZeroU8::new(4).unwrap();
        let toon = encode(
            "{\"a\":[{\"b\":1,\"c\":2},1]}",
            &EncodeOptions { indent_size: four, ..EncodeOptions::default() },
        )
        .unwrap();
        assert_eq!(toon, "a[2]:\n    - b: 1\n        c: 2\n    - 1");
        let options = DecodeOptions { indent_size: four, ..DecodeOptions::default() };
        assert_eq!(decode(&toon, &options).unwrap(), "{\"a\":[{\"b\":1,\"c\":2},1]}");
        let deep = "{\"a\":".repeat(100) + "1" + &"}".repeat(100);
        let toon = encode(&deep, &EncodeOptions { indent_size: four, ..EncodeOptions::default() })
            .unwrap();
        assert_eq!(decode(&toon, &options).unwrap(), deep);
    }

    #[test]
    fn subtrees_are_documents_of_their_own() {
        let tape = json::read(r#"{"x":[{"a":1},{"a":2}],"y":"\ufeff"}"#).unwrap();
        let x = tape.root().get("x").unwrap();
        assert_eq!(encode_value(x, &EncodeOptions::default()).unwrap(), "[2]{a}:\n  1\n  2");
        let y = tape.root().get("y").unwrap();
        assert_eq!(encode_value(y, &EncodeOptions::default()).unwrap(), "\"\u{feff}\"");
    }

    #[test]
    fn lines_are_written_as_they_come() {
        let mut decoder = Decoder::new(&DecodeOptions::default());
        let mut out = String::new();
        let mut whole = String::new();
        for (line, want) in [
            ("a: 1\n", "{\"a\":1"),
            ("t[2]{x}:\n", ",\"t\":["),
            ("  1\r\n", "{\"x\":1}"),
            ("# note\n", ""),
            ("  2\n", ",{\"x\":2}"),
            ("b:", "],\"b\":{"),
        ] {
            decoder.line(line, &mut out).unwrap();
            assert_eq!(out, want);
            whole.push_str(&core::mem::take(&mut out));
        }
        decoder.finish(&mut out).unwrap();
        assert_eq!(out, "}}");
        assert_eq!(whole + &out, "{\"a\":1,\"t\":[{\"x\":1},{\"x\":2}],\"b\":{}}");
    }

    #[test]
    fn every_cut_of_a_document_is_read_without_a_panic() {
        let toon = "\u{feff}é[2|]{a|\"b\\u00e9\"{c}}:\n  \"x\\n\"|1\n  y|😀\nm[1:]{v}:\n  \"k\": 1\nl[1]:\n  - a[1]: \"é\"\n    b:\n";
        for (end, _) in toon.char_indices() {
            for (start, _) in toon.char_indices().take_while(|(start, _)| *start <= end) {
                let cut = toon.get(start..end).unwrap();
                for options in [DecodeOptions::default(), LENIENT] {
                    if let Ok(json) = decode(cut, &options) {
                        assert!(json::read(&json).is_ok(), "{cut:?} became {json}");
                    }
                }
            }
        }
    }
}
