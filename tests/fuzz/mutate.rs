//! Payloads that nobody meant: the cases of a kind, spliced, repeated, cut, flipped and stuffed with hostile pieces.

use caveman_tests::random::Random;

/// A payload is cut down to so many bytes before it is changed, and after.
const SEED_BYTES: usize = 8 * 1024;
const MOST_BYTES: usize = 24 * 1024;

/// What has broken programs like this one, or begins, ends or looks like something to one of our readers.
const PIECES: &[&str] = &[
    "",
    "\0",
    "\r",
    "\r\n",
    "\n\n\n",
    "\t",
    "\u{b}\u{c}",
    "\u{85}\u{2028}",
    "\u{feff}",
    "\u{1b}[31m",
    "\u{1b}[0m",
    "\u{1b}]0;title\u{7}",
    "\u{1b}",
    "50%\r51%\r",
    "漢字",
    "é\u{301}\u{301}",
    "👩‍💻🇩🇪",
    "\u{202e}abc\u{202c}",
    "İıſß",
    "\u{3000}",
    "[caveman: 3 lines elided: 2-4]",
    "[caveman: ",
    "caveman_retrieve(\"ccr_00000000000000000000000000000000\")",
    "<<ccr:ccr_0123456789abcdef0123456789abcdef>>",
    "```",
    "````rust\n",
    "~~~",
    "---\n",
    "+++ b/x\n",
    "@@ -1,3 +1,4 @@\n",
    "diff --git a/x b/y\n",
    "\\ No newline at end of file\n",
    "commit 0123456789012345678901234567890123456789\n",
    "{",
    "}",
    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
    "{\"a\":{\"a\":{\"a\":{\"a\":[",
    "\"",
    "\\",
    "\\\"",
    "\\ud800",
    "1e999999999",
    "-0.0",
    "99999999999999999999999999999999999999",
    "0x7fffffff",
    "NaN",
    "null",
    "<",
    ">",
    "<script>",
    "</script>",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<?xml version=\"1.0\"?>",
    "&amp;&#x;&#0;&nope;",
    "</div></div></div>",
    "<table><tr><td>",
    "# ",
    "| a | b |\n|---|---|\n",
    "- [ ] ",
    "/*",
    "*/",
    "//",
    "#!/bin/sh\n",
    "'''",
    "\"\"\"",
    "r#\"",
    "{ ",
    "fn f() {\n",
    "def f():\n",
    "ERROR ",
    "FAILED",
    "panicked at src/x.rs:1:1:",
    "Traceback (most recent call last):\n",
    "\tat a.b.C.d(C.java:1)\n",
    "not ok 1 - x\n",
    "test x ... FAILED\n",
    "error[E0001]: x\n --> a.rs:1:1\n",
    "a.c:1:2: error: x\n",
    "2026-03-01T10:00:00Z ERROR x\n",
    "Mar  1 10:00:00 host x[1]: y\n",
    "     1\u{2192}x\n",
    "00001| x\n",
    "<file path=\"x\">\n",
    "</file>\n",
    "$ ls\n",
    "[package]\nname = \"x\"\nversion = \"1\"\n",
    "key: |\n  text\n",
    "a,b,c\n1,2,3\n",
    "\"a\",\"b\n\"\n",
    "users[3]{id,name}:\n  1,a\n",
    "src/a.rs:1:x\n",
    "drwxr-xr-x 2 a a 4096 Mar  1 10:00 x\n",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
];

/// Makes payloads from a kind's own and from everybody's.
pub(crate) struct Mutator<'a> {
    pub(crate) random: Random,
    pub(crate) own: &'a [Vec<u8>],
    pub(crate) all: &'a [Vec<u8>],
}

impl Mutator<'_> {
    /// The next payload.
    pub(crate) fn payload(&mut self) -> Vec<u8> {
        let mut bytes = self.stretch_of_any(SEED_BYTES);
        for _ in 0..self.random.range(1, 7) {
            self.mutate(&mut bytes);
            bytes.truncate(MOST_BYTES);
        }
        bytes
    }

    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.random.below(n as u64)).unwrap_or_default()
    }

    /// A payload of the kind, three times in four, or another, or whole lines out of it when it is large.
    fn stretch_of_any(&mut self, most: usize) -> Vec<u8> {
        let from = if self.own.is_empty() || self.below(4) == 0 { self.all } else { self.own };
        let Some(seed) = from.get(self.below(from.len())) else { return Vec::new() };
        if seed.len() <= most {
            return seed.clone();
        }
        let begin = if self.below(2) == 0 { 0 } else { self.below(seed.len() - most) };
        let lines = lines(&seed[begin..begin + most]);
        let skipped = usize::from(begin > 0 && lines.len() > 1);
        lines[skipped..].concat()
    }

    fn mutate(&mut self, bytes: &mut Vec<u8>) {
        let at = self.below(bytes.len() + 1);
        match self.below(16) {
            0 => {
                let other = self.stretch_of_any(2048);
                let at = line_start(bytes, at);
                bytes.splice(at..at, other);
            }
            1 => {
                let other = self.stretch_of_any(600);
                bytes.splice(at..at, other);
            }
            2 => bytes.truncate(at),
            3 => drop(bytes.drain(..at)),
            4 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << self.random.below(8);
                }
            }
            5 | 6 => {
                let piece = self.piece();
                let at = character_start(bytes, at);
                bytes.splice(at..at, piece);
            }
            7 => {
                let piece = self.piece();
                let at = line_start(bytes, at);
                bytes.splice(at..at, piece);
            }
            8 => self.of_lines(bytes, |random, lines, from, to| {
                let n = random.range(2, 40);
                (0..n).flat_map(|_| lines[from..to].iter().cloned()).collect()
            }),
            9 => self.of_lines(bytes, |random, lines, from, to| {
                let n = random.range(2, 60);
                let counted = |n: u64| lines[from..to].iter().map(move |line| numbered(line, n));
                (0..n).flat_map(counted).collect()
            }),
            10 => self.of_lines(bytes, |_, _, _, _| Vec::new()),
            11 => self.of_lines(bytes, |_, lines, from, to| {
                lines[from..to].iter().rev().cloned().collect()
            }),
            12 => *bytes = self.dressed(bytes),
            13 => {
                let piece = self.piece();
                let digits = |byte: &u8| byte.is_ascii_digit();
                let n_before = bytes[at..].iter().take_while(|byte| !digits(byte)).count();
                let n = bytes[at + n_before..].iter().take_while(|byte| digits(byte)).count();
                bytes.splice(at + n_before..at + n_before + n, piece);
            }
            14 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = self.random.pick(b"\"'{}[]<>:,|\t\\ \n\r-=#/*()`.");
                }
            }
            _ => {
                // One unit a thousand bytes wide.
                let piece = self.piece().repeat(1 + self.below(200));
                let at = character_start(bytes, at);
                bytes.splice(at..at, piece);
            }
        }
    }

    fn piece(&mut self) -> Vec<u8> {
        self.random.pick(PIECES).as_bytes().to_vec()
    }

    /// Replaces some whole lines by others.
    fn of_lines(
        &mut self,
        bytes: &mut Vec<u8>,
        by: impl Fn(&mut Random, &[Vec<u8>], usize, usize) -> Vec<Vec<u8>>,
    ) {
        let lines: Vec<Vec<u8>> = lines(bytes).into_iter().map(<[u8]>::to_vec).collect();
        let from = self.below(lines.len() + 1);
        let to = (from + 1 + self.below(8)).min(lines.len());
        let from = from.min(to);
        let instead = by(&mut self.random, &lines, from, to);
        *bytes = [&lines[..from], &instead, &lines[to..]].concat().concat();
    }

    /// The same lines as another program would show them.
    fn dressed(&mut self, bytes: &[u8]) -> Vec<u8> {
        let text = String::from_utf8_lossy(bytes);
        let lines = text.lines().zip(1..);
        match self.below(9) {
            0 => text.replace('\n', "\r\n"),
            1 => text.replace('\n', "\r"),
            2 => lines.map(|(line, n)| format!("{n:6}\u{2192}{line}\n")).collect(),
            3 => lines.map(|(line, n)| format!("{n}\t{line}\n")).collect(),
            4 => lines.map(|(line, _)| format!("\u{1b}[32m{line}\u{1b}[0m\n")).collect(),
            5 => lines.map(|(line, _)| format!("    {line}\n")).collect(),
            6 => format!("\u{feff}{text}"),
            7 => serde_json::json!({ "stdout": text, "code": 0 }).to_string(),
            _ => format!("Some words before.\n\n```\n{text}\n```\n\nSome words after.\n"),
        }
        .into_bytes()
    }
}

/// The lines with their ends.
fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|byte| *byte == b'\n').collect()
}

/// The first byte of the line that `at` is in.
fn line_start(bytes: &[u8], at: usize) -> usize {
    bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1)
}

/// The first byte of the character that `at` is in.
fn character_start(bytes: &[u8], at: usize) -> usize {
    (0..=at).rev().find(|&at| bytes.get(at).is_none_or(|byte| byte & 0xC0 != 0x80)).unwrap_or(0)
}

/// A line whose last number is `n` higher, so that repeated lines are records.
fn numbered(line: &[u8], n: u64) -> Vec<u8> {
    let Some(last) = line.iter().rposition(u8::is_ascii_digit) else { return line.to_vec() };
    let first = line[..last].iter().rposition(|byte| !byte.is_ascii_digit()).map_or(0, |at| at + 1);
    let digits = String::from_utf8_lossy(&line[first..=last]).into_owned();
    let Ok(number) = digits.parse::<u64>() else { return line.to_vec() };
    let number = number.wrapping_add(n).to_string();
    [&line[..first], number.as_bytes(), &line[last + 1..]].concat()
}
