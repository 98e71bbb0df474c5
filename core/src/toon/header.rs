//! Headers of arrays and keyed objects: `key[N]:`, `key[N|]{a|b{c}}:`, `key[N:]{a}:`.

use super::token::{self, Fault};
use super::{Strictness, ToonErrorKind, keys};
use crate::json::write_escaped;
use crate::order;
use crate::prelude::*;
use crate::text::push_piece;
use core::ops::Range;

/// A header as it stands in its line.
#[derive(Debug)]
pub(super) struct Header {
    /// The declared number of elements; `None` beyond 64 bits, which nothing can meet.
    pub(super) declared: Option<u64>,
    pub(super) is_keyed: bool,
    pub(super) delimiter: u8,
    /// The field list, braces included; empty when there is none.
    pub(super) fields: Range<usize>,
    /// One past its colon.
    pub(super) end: usize,
}

fn fault(what: &'static str, at: usize) -> Fault {
    Fault::new(ToonErrorKind::Header, what, at)
}

/// Reads the header whose opening bracket stands at `bracket`.
pub(super) fn read(line: &[u8], bracket: usize) -> Result<Header, Fault> {
    let digits = line.get(bracket + 1..).unwrap_or_default();
    let n_digits = digits.iter().take_while(|b| b.is_ascii_digit()).count();
    let digits = digits.get(..n_digits).unwrap_or_default();
    if n_digits == 0 || (n_digits > 1 && digits.first() == Some(&b'0')) {
        return Err(fault("a header's length must be digits without a leading zero", bracket + 1));
    }
    let declared = digits
        .iter()
        .try_fold(0u64, |n, digit| n.checked_mul(10)?.checked_add((digit - b'0') as u64));
    let mut at = bracket + 1 + n_digits;
    let mut take = |byte: u8| {
        let is_there = line.get(at) == Some(&byte);
        at += usize::from(is_there);
        is_there
    };
    let is_keyed = take(b':');
    let delimiter = if take(b'|') {
        b'|'
    } else if take(b'\t') {
        b'\t'
    } else {
        b','
    };
    if !take(b']') {
        return Err(fault(
            "a header's length ends with `]`, after `:` when keyed, after `|` or a tab as delimiter",
            at,
        ));
    }
    let mut fields = at..at;
    if line.get(at) == Some(&b'{') {
        fields.end = field_list_end(line, at)?;
        at = fields.end;
    } else if is_keyed {
        return Err(fault("a keyed header needs a field list", at));
    }
    if line.get(at) != Some(&b':') {
        return Err(fault("a header ends with `:` and has nothing else before it", at));
    }
    Ok(Header { declared, is_keyed, delimiter, fields, end: at + 1 })
}

/// One past the brace that closes the one at `at`.
fn field_list_end(line: &[u8], at: usize) -> Result<usize, Fault> {
    let mut open = 0usize;
    let mut end = at;
    while let Some(byte) = line.get(end) {
        match byte {
            b'"' => {
                end = token::span_end(line, end);
                continue;
            }
            b'{' => open += 1,
            b'}' if open == 1 => return Ok(end + 1),
            b'}' => open -= 1,
            _ => {}
        }
        end += 1;
    }
    Err(fault("a field list without its closing brace", at))
}

/// What stands between the cells of a row once it is JSON.
#[derive(Debug)]
pub(super) struct Plan {
    /// Field names, colons, commas and braces, in order; spaces after them, so that short pieces are copied fast.
    glue: String,
    /// Where the spaces begin.
    glue_end: usize,
    /// Where the glue before each leaf ends.
    ends: Vec<u32>,
    /// Which cell each leaf is written from; empty when that is the cell of the same number.
    cells: Vec<u32>,
    /// Cells of a row.
    pub(super) n_cells: usize,
    /// How deep the objects of a row nest.
    pub(super) depth: usize,
}

impl Plan {
    /// The plan of the field list `fields` (a range of `line`, braces included).
    pub(super) fn new(
        line: &str,
        fields: Range<usize>,
        delimiter: u8,
        strictness: Strictness,
    ) -> Result<Plan, Fault> {
        let mut reader =
            Reader { line, at: fields.start + 1, delimiter, strictness, n_cells: 0, depth: 0 };
        let fields = reader.group(1)?;
        let mut plan = Plan {
            glue: String::new(),
            glue_end: 0,
            ends: Vec::new(),
            cells: Vec::new(),
            n_cells: reader.n_cells as usize,
            depth: reader.depth,
        };
        plan.write(&fields);
        plan.glue_end = plan.glue.len();
        plan.glue.push_str(&" ".repeat(32));
        if plan.cells.iter().zip(0..).all(|(cell, i)| *cell == i) {
            plan.cells = Vec::new();
        }
        Ok(plan)
    }

    fn write(&mut self, fields: &[Field]) {
        let mut separator = '{';
        for field in fields {
            self.glue.push(separator);
            separator = ',';
            self.glue.push_str(&field.json);
            match &field.content {
                Content::Cell(cell) => {
                    self.ends.push(crate::text::offset(self.glue.len()));
                    self.cells.push(*cell);
                }
                Content::Group(fields) => self.write(fields),
            }
        }
        self.glue.push('}');
    }

    /// Whether cells are written in their own order, each once.
    pub(super) fn is_straight(&self) -> bool {
        self.cells.is_empty()
    }

    /// The leaves as (where the glue before it stands, its cell's number).
    #[inline(always)]
    pub(super) fn leaves(&self) -> impl Iterator<Item = (Range<usize>, usize)> {
        let mut from = 0;
        self.ends.iter().enumerate().map(move |(leaf, &end)| {
            let glue = from..end as usize;
            from = end as usize;
            (glue, self.cells.get(leaf).map_or(leaf, |cell| *cell as usize))
        })
    }

    /// Writes a stretch of the glue.
    #[inline(always)]
    pub(super) fn push(&self, glue: Range<usize>, out: &mut String) {
        push_piece(out, &self.glue, glue.start, glue.end);
    }

    /// Where the glue after the last leaf stands.
    #[inline(always)]
    pub(super) fn tail(&self) -> Range<usize> {
        self.ends.last().copied().unwrap_or_default() as usize..self.glue_end
    }
}

struct Field {
    /// The name as a JSON string with a colon.
    json: String,
    /// What the name says.
    said: Vec<u8>,
    /// Where it stands.
    at: usize,
    content: Content,
}

enum Content {
    Cell(u32),
    Group(Vec<Field>),
}

struct Reader<'l> {
    line: &'l str,
    at: usize,
    delimiter: u8,
    strictness: Strictness,
    n_cells: u32,
    depth: usize,
}

impl Reader<'_> {
    /// The fields up to and with the closing brace; the opening one has been read.
    fn group(&mut self, depth: usize) -> Result<Vec<Field>, Fault> {
        if depth > super::MAX_DEPTH {
            return Err(Fault::new(
                ToonErrorKind::TooDeep,
                "field groups nest more than 512 deep",
                self.at,
            ));
        }
        self.depth = self.depth.max(depth);
        let line = self.line.as_bytes();
        let mut fields = Vec::new();
        loop {
            let (mut field, end) = self.name()?;
            self.at = end;
            if line.get(self.at) == Some(&b'{') {
                self.at += 1;
                field.content = Content::Group(self.group(depth + 1)?);
            } else {
                field.content = Content::Cell(self.n_cells);
                self.n_cells += 1;
            }
            fields.push(field);
            self.at = token::skip_spaces(line, self.at);
            self.at += 1;
            match line.get(self.at - 1) {
                Some(b'}') => return self.without_duplicates(fields),
                Some(byte) if *byte == self.delimiter => {}
                _ => {
                    return Err(fault(
                        "a field list has something between a field and its delimiter",
                        self.at - 1,
                    ));
                }
            }
        }
    }

    /// A field's name, and where it ends: at a brace, a delimiter, or spaces before one.
    fn name(&self) -> Result<(Field, usize), Fault> {
        let line = self.line.as_bytes();
        let start = token::skip_spaces(line, self.at);
        let mut field =
            Field { json: String::new(), said: Vec::new(), at: start, content: Content::Cell(0) };
        let mut end = start;
        if line.get(start) == Some(&b'"') {
            let token = token::scan_quoted(line, start)?;
            token::write_quoted_as_json(self.line, start, token, &mut field.json);
            token::unquote(self.line, start, token, &mut field.said);
            field.json.push(':');
            return Ok((field, token.end));
        }
        loop {
            match line.get(end) {
                Some(b'"') => {
                    end = token::span_end(line, end);
                    continue;
                }
                Some(b'{' | b'}') => break,
                Some(byte) if *byte == self.delimiter => break,
                Some(b',' | b'|' | b'\t') => {
                    return Err(fault("a field list is delimited as its header declares", end));
                }
                Some(_) => end += 1,
                None => return Err(fault("a field list without its closing brace", end)),
            }
        }
        let trimmed = token::trim_spaces(line, start, end);
        if line.get(end) == Some(&b'{') && trimmed != end {
            return Err(fault("a space between a field's name and its group", trimmed));
        }
        let name = self.line.get(start..trimmed).unwrap_or_default();
        if name.is_empty() {
            return Err(fault("a field without a name", start));
        }
        field.said.extend_from_slice(name.as_bytes());
        field.json.push('"');
        write_escaped(name, &mut field.json);
        field.json.push_str("\":");
        Ok((field, trimmed))
    }

    /// An error on duplicate names; leniently the last of them in the first one's place.
    fn without_duplicates(&self, mut fields: Vec<Field>) -> Result<Vec<Field>, Fault> {
        let mut hashes: Vec<(u64, u32)> =
            fields.iter().map(|f| keys::hash(&f.said)).zip(0..).collect();
        let mut pairs = Vec::new();
        let said = |i: u32| {
            Cow::Borrowed(fields.get(i as usize).map(|f| f.said.as_slice()).unwrap_or_default())
        };
        keys::duplicates(&mut hashes, &said, &mut |first, later| {
            pairs.push((later as usize, first as usize))
        });
        order::sort_by(&mut pairs, Ord::cmp);
        if self.strictness == Strictness::Strict
            && let Some((later, _)) = pairs.first()
        {
            let at = fields.get(*later).map_or(0, |f| f.at);
            return Err(Fault::new(
                ToonErrorKind::DuplicateKey,
                "a field that its header already has",
                at,
            ));
        }
        for (later, first) in &pairs {
            fields.swap(*later, *first);
        }
        let mut ordinal = 0..;
        let mut dropped = pairs.iter().map(|(later, _)| *later).peekable();
        fields.retain(|_| {
            let is_dropped = dropped.peek().copied() == ordinal.next();
            if is_dropped {
                dropped.next();
            }
            !is_dropped
        });
        Ok(fields)
    }
}
