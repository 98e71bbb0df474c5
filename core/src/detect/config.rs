//! Configuration: YAML, TOML, INI, properties, dotenv and the lockfiles that are none of these.

use super::sample::{Line, Sample};
use super::shape::{holds, word};
use super::{Scores, share};
use crate::kind::Kind;

pub(super) fn probe(sample: &Sample<'_>, scores: &mut Scores) {
    let n_dumped = sample.lines.iter().filter(|line| is_dumped(line.body)).count();
    if n_dumped * 4 > sample.lines.len() {
        return;
    }
    yaml(sample, scores);
    assignments(sample, scores);
    lockfile(sample, scores);
}

/// Whether a line is an address and the bytes that stand there: of `xxd`, of `objdump -d`.
fn is_dumped(body: &str) -> bool {
    let Some((address, bytes)) = body.split_once(':') else { return false };
    let is_hex = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_hexdigit());
    let n_words =
        bytes.split_ascii_whitespace().take_while(|w| is_hex(w) && w.len() % 2 == 0).count();
    address.len() >= 3
        && is_hex(address)
        && (n_words >= 2 || n_words == 1 && bytes.starts_with('\t'))
}

/// Mappings and sequences by indentation; block scalars belong to their key.
fn yaml(sample: &Sample<'_>, scores: &mut Scores) {
    let (mut n_keys, mut n_items, mut n_other, mut n_comments, mut n_nested) = (0, 0, 0, 0, 0);
    // Indentation of the key whose text block is being read.
    let mut block: Option<usize> = None;
    for (at, line) in sample.lines.iter().enumerate() {
        if line.is_blank() {
            continue;
        }
        if at == sample.n_head {
            block = None;
        }
        if block.is_some_and(|indent| line.indent() > indent) {
            n_other += 1;
            continue;
        }
        block = None;
        let body = line.body;
        if body.starts_with('#') {
            n_comments += 1;
        } else if matches!(body, "---" | "...")
            || body.starts_with("--- #")
            || body.starts_with("%YAML")
        {
            n_other += 1;
        } else if let Some((is_item, key)) = yaml_key(body) {
            n_keys += 1;
            n_nested += usize::from(line.indent() > 0 || is_item);
            let value = body.get(key..).unwrap_or_default();
            if is_block_scalar(value) {
                block = Some(line.indent());
            }
        } else if body.starts_with("- ") || body == "-" {
            n_items += 1;
            if is_block_scalar(body.get(1..).unwrap_or_default()) {
                block = Some(line.indent());
            }
        }
    }
    if n_keys < 2 || n_items > n_keys * 8 {
        return;
    }
    let explained = n_keys + n_items + n_other + n_comments;
    let score = sample.share(explained);
    // Flat `Name: text` lines are also mail headers and notes: they need more of them.
    let is_sure = n_nested > 0 || n_keys >= 4;
    scores.claim(Kind::Config, if is_sure { score } else { score * 3 / 4 });
}

/// Whether `body` is `key: …` or `- key: …`; gives the byte offset behind the colon.
fn yaml_key(body: &str) -> Option<(bool, usize)> {
    let rest = body.trim_start_matches("- ").trim_start();
    let skipped = body.len() - rest.len();
    let is_item = skipped > 0;
    let bytes = rest.as_bytes();
    let quote = *bytes.first()?;
    let colon = if matches!(quote, b'"' | b'\'') {
        let end = 1 + memchr::memchr(quote, bytes.get(1..)?)?;
        (bytes.get(end + 1) == Some(&b':')).then_some(end + 1)?
    } else {
        // A colon inside a key (`npm:foo@1:`) is followed by neither space nor line end.
        let colon = memchr::memchr_iter(b':', bytes)
            .find(|at| matches!(bytes.get(at + 1), None | Some(b' ')))?;
        let key = rest.get(..colon)?;
        let n_words = key.split(' ').count();
        let is_plain = key.bytes().all(|b| {
            b.is_ascii_alphanumeric()
                || matches!(
                    b,
                    b'_' | b'-'
                        | b'.'
                        | b'/'
                        | b'@'
                        | b'$'
                        | b'*'
                        | b' '
                        | b'('
                        | b')'
                        | b'+'
                        | b'^'
                        | b'~'
                        | b':'
                        | b'&'
                        | b'%'
                        | b'<'
                )
                || b >= 0x80
        });
        (is_plain && n_words <= 3 && !key.ends_with(' ') && !key.is_empty()).then_some(colon)?
    };
    let value = rest.get(colon + 1..)?.trim_start();
    // `name: string;` is a declaration, `'a': 1,` a member of JSON or of a literal, `case x: {` a statement.
    if value.ends_with([';', ',', '{']) {
        return None;
    }
    let (first, after) = word(rest);
    let is_statement = matches!(
        first,
        "def"
            | "class"
            | "if"
            | "elif"
            | "else"
            | "for"
            | "while"
            | "try"
            | "except"
            | "finally"
            | "with"
            | "case"
            | "switch"
            | "return"
            | "lambda"
            | "async"
    ) && (after.starts_with([' ', '('])
        || (value.is_empty() && matches!(first, "else" | "try" | "finally" | "except")));
    (!is_statement).then_some((is_item, skipped + colon + 1))
}

/// `|`, `>-`, `|2`, with an anchor or tag or without.
fn is_block_scalar(value: &str) -> bool {
    let last = value.split(' ').next_back().unwrap_or_default();
    last.starts_with(['|', '>'])
        && last.bytes().skip(1).all(|b| matches!(b, b'-' | b'+' | b'0'..=b'9'))
}

/// `[section]`, `key = value`, `KEY=value`: TOML, INI, properties, dotenv.
fn assignments(sample: &Sample<'_>, scores: &mut Scores) {
    let (mut n_sections, mut n_pairs, mut n_comments, mut n_more, mut n_caps) = (0, 0, 0, 0, 0);
    // Open brackets, and the lines that they have held so far: counted when all are closed.
    let (mut depth, mut n_held) = (0_i32, 0);
    // The quotes that end the text being read.
    let mut in_text: Option<&str> = None;
    for line in sample.full() {
        let body = line.body;
        if let Some(quotes) = in_text {
            n_held += 1;
            if holds(body, quotes) {
                in_text = None;
                n_more += core::mem::take(&mut n_held);
            }
            continue;
        }
        if depth > 0 {
            n_held += 1;
            depth += brackets(body);
            if depth <= 0 {
                n_more += core::mem::take(&mut n_held);
            }
            continue;
        }
        if body.starts_with(['#', ';', '!']) {
            n_comments += 1;
        } else if is_section(body) {
            n_sections += 1;
        } else if let Some((key, value)) = pair(body) {
            n_pairs += 1;
            n_caps += usize::from(
                key.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_'),
            );
            in_text = ["\"\"\"", "'''"].into_iter().find(|q| value.matches(q).count() == 1);
            depth = if in_text.is_some() { 0 } else { brackets(value).max(0) };
        } else if n_sections > 0 && is_bare_option(line) {
            n_more += 1;
        }
    }
    if n_pairs == 0 || (n_pairs < 2 && n_sections == 0) {
        return;
    }
    let score = sample.share(n_sections + n_pairs + n_comments + n_more);
    // Without sections only a file of constants in capitals, or of nothing but pairs, is configuration and not code.
    let is_sure = n_sections > 0
        || n_caps == n_pairs
        || (n_pairs >= 4 && share(n_pairs + n_comments, sample.n_full) >= 950);
    scores.claim(Kind::Config, if is_sure { score } else { score / 2 });
}

/// Opened minus closed brackets outside quotes.
fn brackets(value: &str) -> i32 {
    let (mut depth, mut quote) = (0, 0);
    for b in value.bytes() {
        match b {
            b'#' if quote == 0 => break,
            b'"' | b'\'' if quote == 0 => quote = b,
            _ if b == quote => quote = 0,
            b'[' | b'{' if quote == 0 => depth += 1,
            b']' | b'}' if quote == 0 => depth -= 1,
            _ => {}
        }
    }
    depth
}

/// `[name]`, `[[name]]`, `[a.b."c"]`, `[remote "origin"]`; neither a list nor a log's `[INFO] …`.
fn is_section(body: &str) -> bool {
    let body = body.split(" #").next().unwrap_or_default().trim_end();
    let Some(name) = body.strip_prefix('[').and_then(|r| r.strip_suffix(']')) else { return false };
    let name = name.strip_prefix('[').and_then(|n| n.strip_suffix(']')).unwrap_or(name).trim();
    name.bytes()
        .next()
        .is_some_and(|b| b.is_ascii_alphabetic() || matches!(b, b'"' | b'\'' | b'*' | b'.' | b'_'))
        && !name.contains([',', '[', ']', '('])
}

/// `key = value`, `export KEY=value`; the key has no spaces, the value is no comparison and no call across lines.
fn pair(body: &str) -> Option<(&str, &str)> {
    let rest = body.strip_prefix("export ").unwrap_or(body);
    let (key, value) = rest.split_once('=')?;
    let key = key.trim_end();
    let is_key = !key.is_empty()
        && (key.bytes().all(|b| {
            b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'/' | b'*' | b'@')
        }) || (key.starts_with('"') && key.ends_with('"')));
    let value = value.trim_start();
    // What a command prints is a script's.
    let is_script = value.starts_with('`') || holds(value, "$(");
    let is_value = !is_script
        && !value.starts_with(['=', '>', '~'])
        && !value.ends_with([';', '(', '{'])
        && !value.ends_with("=>");
    (is_key && is_value).then_some((key, value))
}

/// An option without value, as in `my.cnf` and `.gitconfig`: one word, or `key: value` of INI.
fn is_bare_option(line: &Line<'_>) -> bool {
    line.indent() == 0
        && line.body.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
}

/// Lockfiles with grammars of their own: `yarn.lock`, `Gemfile.lock`, `go.sum`, `requirements.txt` with pins.
fn lockfile(sample: &Sample<'_>, scores: &mut Scores) {
    let (mut n_yarn, mut n_sums, mut n_pins, mut n_gems, mut n_comments) = (0, 0, 0, 0, 0);
    let (mut n_tables, mut n_inline) = (0, 0);
    for line in sample.full() {
        let body = line.body;
        if body.starts_with('#') {
            n_comments += 1;
        } else if holds(body, " h1:") && body.ends_with('=') {
            n_sums += 1;
        } else if is_pin(line) {
            n_pins += 1;
        } else if (line.indent() == 0 && body.ends_with(':') && holds(body, "@"))
            || (line.indent() >= 2 && is_yarn_field(body))
        {
            n_yarn += 1;
        } else if is_gem(line) {
            n_gems += 1;
        }
        n_tables += usize::from(body == "[[package]]");
        n_inline += usize::from(is_of_table(body));
    }
    // `uv.lock`: tables of packages whose files stand in arrays of inline tables.
    if n_tables >= 3 {
        scores.claim(Kind::Config, sample.share(n_inline));
    }
    let n_best = [n_yarn, n_sums, n_pins, n_gems].into_iter().max().unwrap_or(0);
    if n_best >= 3 {
        scores.claim(Kind::Config, sample.share(n_best + n_comments));
    }
}

/// A line of a TOML table as lockfiles write it: `name = "a"`, `wheels = [`, `{ url = "…" },`, `]`.
fn is_of_table(body: &str) -> bool {
    body.starts_with('[')
        || body == "]"
        || body.starts_with("{ ") && body.ends_with(['}', ','])
        || body.starts_with('"') && body.ends_with(',')
        || pair(body).is_some()
        || body.split_once(" = ").is_some_and(|(name, _)| word(name).1.is_empty())
}

fn is_yarn_field(body: &str) -> bool {
    let (name, rest) = body.split_once(' ').unwrap_or((body, ""));
    name.ends_with(':')
        || rest.starts_with('"')
        || matches!(name, "version" | "resolved" | "integrity")
        || rest.starts_with(['^', '~', '>', '<'])
        || rest.bytes().next().is_some_and(|b| b.is_ascii_digit())
}

/// `name==1.2.3`, with extras, markers and hashes.
fn is_pin(line: &Line<'_>) -> bool {
    let body = line.body;
    let (name, rest) = word(body);
    let rest = rest.trim_start_matches(|c: char| {
        c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '[' | ']' | ',')
    });
    (!name.is_empty()
        && line.indent() == 0
        && ["==", ">=", "~=", "<="].iter().any(|o| rest.trim_start().starts_with(o))
        && !holds(body, "("))
        || body.starts_with("--hash=sha256:")
}

/// `    rake (13.0.6)`, `GEM`, `  remote: …`, `  specs:`, `DEPENDENCIES`.
fn is_gem(line: &Line<'_>) -> bool {
    let body = line.body;
    match line.indent() {
        0 => body.len() >= 3 && body.bytes().all(|b| b.is_ascii_uppercase() || b == b' '),
        2 | 4 | 6 => {
            let (_, rest) = word(body);
            let rest = rest.trim_start_matches(|c: char| {
                c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '!')
            });
            rest.is_empty() || rest.starts_with(" (") || rest.starts_with(':') || rest == "!"
        }
        _ => false,
    }
}
