//! Documents and damaged documents, from a seed.

use caveman_tests::random::Random;

/// Strings at the borders of the quoting rules.
const STRINGS: &[&str] = &[
    "",
    " ",
    "a",
    "Ada",
    "hello world",
    " lead",
    "trail ",
    "\\t",
    "tab\\there",
    "a,b",
    "a|b",
    "a:b",
    "x: y",
    "-",
    "-x",
    "- item",
    "#",
    "#x",
    "a#b",
    "true",
    "false",
    "null",
    "True",
    "42",
    "-7",
    "+1",
    "1e6",
    "1E6",
    "05",
    "1.5.2",
    "1.",
    ".5",
    "0x10",
    "1_000",
    "NaN",
    "[",
    "]",
    "{}",
    "[2]: x",
    "a[1]{b}:",
    "\\\"",
    "say \\\"hi\\\"",
    "back\\\\slash",
    "line\\nbreak",
    "cr\\rhere",
    "\\u0000",
    "\\u001f",
    "\\b\\f",
    "é",
    "漢字",
    "😀",
    "\\ud83d\\ude00",
    "\\u00e9",
    "a\\/b",
    "\u{a0}x\u{a0}",
    "\u{feff}x",
    "\u{301}",
    "a,\u{301}b",
    "\u{2028}",
    "\u{7f}",
    "2026-01-02T03:04:05Z",
    "https://x.example/a?b=c",
    "C:\\\\dir\\\\file",
    "a.b.c",
    "__proto__",
    "v1.2.3",
    "12 apples",
    "trueish",
    "nullable",
];

/// Keys at the borders of the bare-key rule.
const KEYS: &[&str] = &[
    "id",
    "name",
    "a",
    "b",
    "c",
    "x",
    "y",
    "value",
    "_k",
    "k.1",
    "K9",
    "full name",
    "order:id",
    "2key",
    "-a",
    "a-b",
    "",
    "é",
    "\\u00e9x",
    "true",
    "[0]",
    "{k}",
    "a,b",
    "a|b",
    "q\\\"q",
    "t\\tt",
    "n\\nn",
    "#h",
    "\\u0041b",
];

/// How numbers are made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// Those that a float holds and that have no exponent.
    Tame,
    /// Any.
    Wild,
}

/// A JSON document.
pub(crate) fn document(random: &mut Random, numbers: Numbers) -> String {
    let mut out = String::new();
    let depth = random.range(1, 6);
    value(random, numbers, depth, &mut out);
    out
}

fn scalar(random: &mut Random, numbers: Numbers, out: &mut String) {
    match random.below(10) {
        0 => out.push_str("null"),
        1 => out.push_str(random.pick(&["true", "false"])),
        2..=4 => out.push_str(&number(random, numbers)),
        _ => {
            out.push('"');
            out.push_str(random.pick(STRINGS));
            if random.below(4) == 0 {
                out.push_str(random.pick(STRINGS));
            }
            out.push('"');
        }
    }
}

fn number(random: &mut Random, numbers: Numbers) -> String {
    let sign = random.pick(&["", "", "-"]);
    match random.below(if numbers == Numbers::Wild { 8 } else { 5 }) {
        0 => random
            .pick(&["0", "-0", "1", "-1", "0.5", "1.50", "0.000001", "100", "9007199254740991"])
            .to_owned(),
        1 => format!("{sign}{}", random.below(1000)),
        2 => format!("{sign}{}", random.below(1 << 53)),
        3 => format!("{sign}{}.{}", random.below(100_000), random.below(100_000)),
        4 => format!("{sign}{}.{}0", random.below(10), random.below(100)),
        5 => format!("{sign}{}e{}", random.below(1000), random.below(30)),
        6 => format!("{sign}{}.{}E-{}", random.below(10), random.below(1000), random.below(30)),
        _ => format!(
            "{sign}{}",
            random.pick(&["18446744073709551616", "1e300", "5e-324", "1.25e+21", "1e-7"])
        ),
    }
}

/// Distinct keys.
fn keys(random: &mut Random, n: u64) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    for i in 0..n {
        let mut key = random.pick(KEYS).to_owned();
        // `\u0041b` and the like say what another key may say: the ordinal keeps all apart.
        if random.below(3) == 0 || key.contains('\\') || key == "é" || keys.contains(&key) {
            key = format!("{key}{i}");
        }
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
}

fn value(random: &mut Random, numbers: Numbers, depth: u64, out: &mut String) {
    if depth == 0 {
        return scalar(random, numbers, out);
    }
    match random.below(9) {
        0 => scalar(random, numbers, out),
        1 => list(random, out, |random, out| scalar(random, numbers, out)),
        2 => list(random, out, |random, out| value(random, numbers, depth - 1, out)),
        3 | 4 => {
            let shape = shape(random, depth.min(2));
            list(random, out, |random, out| row(random, numbers, &shape, out));
        }
        5 | 6 => {
            let shape = shape(random, depth.min(2));
            object(random, out, |random, out| row(random, numbers, &shape, out));
        }
        _ => object(random, out, |random, out| value(random, numbers, depth - 1, out)),
    }
}

fn list(random: &mut Random, out: &mut String, mut element: impl FnMut(&mut Random, &mut String)) {
    out.push('[');
    for i in 0..random.below(5) {
        if i > 0 {
            out.push(',');
        }
        element(random, out);
    }
    out.push(']');
}

fn object(
    random: &mut Random,
    out: &mut String,
    mut element: impl FnMut(&mut Random, &mut String),
) {
    let n = random.below(5);
    out.push('{');
    for (i, key) in keys(random, n).iter().enumerate() {
        if i > 0 {
            out.push_str(random.pick(&[",", ", "]));
        }
        out.push_str(&format!("\"{key}\":"));
        element(random, out);
    }
    out.push('}');
}

/// Keys of rows, some with a shape of their own.
struct Shape(Vec<(String, Option<Shape>)>);

fn shape(random: &mut Random, depth: u64) -> Shape {
    let n = random.range(1, 5);
    let keys = keys(random, n);
    let group =
        |random: &mut Random| (depth > 0 && random.below(4) == 0).then(|| shape(random, depth - 1));
    Shape(keys.into_iter().map(|key| (key, group(random))).collect())
}

/// A row of a shape; now and then one that does not fit, and one in another order.
fn row(random: &mut Random, numbers: Numbers, shape: &Shape, out: &mut String) {
    let mut fields: Vec<&(String, Option<Shape>)> = shape.0.iter().collect();
    if random.below(8) == 0 {
        fields.reverse();
    }
    if random.below(20) == 0 {
        fields.pop();
    }
    out.push('{');
    for (i, (key, inner)) in fields.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        out.push_str(&format!("\"{key}\":"));
        match inner {
            _ if random.below(60) == 0 => value(random, numbers, 1, out),
            Some(inner) => row(random, numbers, inner, out),
            None => scalar(random, numbers, out),
        }
    }
    out.push('}');
}

/// What mutations insert.
const PIECES: &[&str] = &[
    " ",
    "  ",
    "\t",
    "\n",
    "\r\n",
    "\n\n",
    ":",
    ": ",
    ",",
    "|",
    "\"",
    "\\",
    "[",
    "]",
    "{",
    "}",
    "-",
    "- ",
    "#",
    "# c\n",
    "0",
    "1",
    "[]",
    "[1]",
    "[2]:",
    "[1]{a}:",
    "[2:]{a,b}:",
    "a",
    "b: 1",
    "\\n",
    "\\u0041",
    "\\ud800",
    "true",
    "null",
    "1e5",
    "\u{a0}",
    "é",
    "\u{feff}",
    "\u{301}",
    "x,y",
    "-0",
    "00",
    "\"q\"",
    "[1|]: ",
    "{a{b}}",
];

/// `text` with a few damages.
pub(crate) fn mutant(random: &mut Random, text: &str) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..random.range(1, 4) {
        let length = chars.len() as u64;
        let at = usize::try_from(random.below(length + 1)).expect("a small number");
        let end = at
            .saturating_add(usize::try_from(random.range(1, 4)).expect("a small number"))
            .min(chars.len());
        match random.below(6) {
            0 | 1 => drop(chars.splice(at..at, random.pick(PIECES).chars())),
            2 => drop(chars.splice(at..end, random.pick(PIECES).chars())),
            3 => drop(chars.drain(at..end)),
            4 => lines(random, &mut chars),
            _ => {
                // Indentation is where the rules are.
                let starts: Vec<usize> =
                    (0..chars.len()).filter(|i| *i == 0 || chars[*i - 1] == '\n').collect();
                let at = random.pick(&starts);
                if random.below(2) == 0 && chars.get(at) == Some(&' ') {
                    chars.remove(at);
                } else {
                    drop(chars.splice(at..at, random.pick(&[" ", "  ", "\t", "    "]).chars()));
                }
            }
        }
    }
    chars.into_iter().collect()
}

/// One line doubled, dropped or moved.
fn lines(random: &mut Random, chars: &mut Vec<char>) {
    let text: String = chars.iter().collect();
    let mut lines: Vec<&str> = text.split('\n').collect();
    let pick = |random: &mut Random, n: usize| {
        usize::try_from(random.below(n as u64)).expect("a small number")
    };
    let (from, to) = (pick(random, lines.len()), pick(random, lines.len()));
    match random.below(3) {
        0 => lines.insert(to, lines[from]),
        1 => drop(lines.remove(from)),
        _ => lines.swap(from, to),
    }
    *chars = lines.join("\n").chars().collect();
}
