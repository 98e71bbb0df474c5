//! The encoder: a walk over the tape that writes lines.

use super::shape::{self, Fields};
use super::{EncodeOptions, MAX_DEPTH, ToonError, ToonErrorKind, keys, number, token};
use crate::json::{JsonKind, Node, Tape, Value};
use crate::prelude::*;
use crate::text::{Span, push_piece};

/// Writes `value` as a document of its own.
pub(super) fn document(value: Value<'_>, options: &EncodeOptions) -> Result<String, ToonError> {
    let tape = value.tape();
    let mut encoder = Encoder {
        tape,
        out: String::new(),
        span: value.span(),
        delimiter: options.delimiter.byte(),
        declared: options.delimiter.declared(),
        indent_size: options.indent_size.get() as usize,
        max_depth: MAX_DEPTH,
        scratch: String::new(),
        rows: Vec::new(),
        hashes: Vec::new(),
        max_bytes: options.max_bytes,
    };
    encoder.root(value.index())?;
    if encoder.out.len() > options.max_bytes {
        encoder.too_long(value.index())?;
    }
    Ok(encoder.out)
}

struct Encoder<'a> {
    tape: &'a Tape<'a>,
    out: String,
    /// Of the document in the JSON text.
    span: Span,
    delimiter: u8,
    /// The delimiter as headers declare it.
    declared: &'static str,
    indent_size: usize,
    /// Deepest indentation at which a container may open.
    max_depth: usize,
    /// For strings with escapes.
    scratch: String,
    /// For rows of tables that are being looked at.
    rows: Vec<u32>,
    /// For keys of objects that are being checked.
    hashes: Vec<(u64, u32)>,
    /// Looked at when room is made: indentation is all that can make an output much longer than its input.
    max_bytes: usize,
}

type Done = Result<(), ToonError>;

impl<'a> Encoder<'a> {
    fn node(&self, at: u32) -> Node {
        self.tape.node(at).unwrap_or(Node::NULL)
    }

    fn fail<T>(&self, kind: ToonErrorKind, what: &'static str, at: u32) -> Result<T, ToonError> {
        let at = self.node(at).span().start as usize;
        Err(ToonError::in_json(kind, what, self.tape.text, at))
    }

    fn root(&mut self, at: u32) -> Done {
        let node = self.node(at);
        match node.kind() {
            JsonKind::Object => {
                // The fields of a root object stand at depth 0: one less than its level.
                self.max_depth -= 1;
                if let Some(fields) = self.keyed_fields(at, 0) {
                    return self.keyed(at, &fields, 0);
                }
                self.fields(at, 0)
            }
            JsonKind::Array if node.is_empty() => {
                self.out.push_str("[]");
                Ok(())
            }
            JsonKind::Array => self.array(at, 1, true),
            JsonKind::String => {
                let from = self.out.len();
                self.scalar(at)?;
                if self.out.get(from..).is_some_and(|s| s.starts_with('\u{feff}')) {
                    self.out.insert(from, '"');
                    self.out.push('"');
                }
                Ok(())
            }
            _ => self.scalar(at),
        }
    }

    /// Begins the line of node `at` at a depth.
    #[inline(always)]
    fn line(&mut self, depth: usize, at: u32) -> Done {
        const BREAK: &str = "\n                                                                ";
        if self.out.capacity() - self.out.len() < super::ROOM {
            self.make_room(at)?;
        }
        if self.out.is_empty() {
            return Ok(());
        }
        let n_spaces = depth * self.indent_size;
        match BREAK.get(..=n_spaces) {
            Some(spaces) => self.out.push_str(spaces),
            None => {
                self.out.push('\n');
                self.out.extend(core::iter::repeat_n(' ', n_spaces));
            }
        }
        Ok(())
    }

    #[cold]
    fn make_room(&mut self, at: u32) -> Done {
        if self.out.len() > self.max_bytes {
            return self.too_long(at);
        }
        let done = self.node(at).span().start.saturating_sub(self.span.start);
        super::make_room(&mut self.out, done as usize, self.span.len());
        Ok(())
    }

    fn too_long(&self, at: u32) -> Done {
        self.fail(
            ToonErrorKind::TooLong,
            "a value whose indented form is longer than was allowed",
            at,
        )
    }

    /// The members of an object, a line each.
    fn fields(&mut self, object: u32, depth: usize) -> Done {
        self.check_keys(object)?;
        let end = self.node(object).next();
        let mut key = object + 1;
        while key < end {
            self.line(depth, key)?;
            self.field(key, depth)?;
            key = self.node(key + 1).next();
        }
        Ok(())
    }

    /// One member on a line that has begun; what it opens stands at `depth + 1`.
    fn field(&mut self, key: u32, depth: usize) -> Done {
        self.key(key)?;
        let value = key + 1;
        let node = self.node(value);
        self.check_depth(node, value, depth)?;
        match node.kind() {
            JsonKind::Array if node.is_empty() => self.out.push_str(": []"),
            JsonKind::Array => return self.array(value, depth + 1, true),
            JsonKind::Object if node.is_empty() => self.out.push(':'),
            JsonKind::Object => {
                if let Some(fields) = self.keyed_fields(value, depth + 1) {
                    return self.keyed(value, &fields, depth);
                }
                self.out.push(':');
                return self.fields(value, depth + 1);
            }
            _ => {
                self.out.push_str(": ");
                return self.scalar(value);
            }
        }
        Ok(())
    }

    /// Fails when a line at `depth` may not open a container.
    #[inline(always)]
    fn check_depth(&self, node: Node, at: u32, depth: usize) -> Done {
        if depth >= self.max_depth && matches!(node.kind(), JsonKind::Array | JsonKind::Object) {
            return self.fail(
                ToonErrorKind::TooDeep,
                "arrays and objects nest more than 512 deep",
                at,
            );
        }
        Ok(())
    }

    /// A non-empty array from its header on; rows and items stand at `depth`. Without a key, except at the root, it
    /// may not be a table.
    fn array(&mut self, array: u32, depth: usize, may_be_table: bool) -> Done {
        let node = self.node(array);
        let (mut n_scalars, mut n_objects) = (0u32, 0u32);
        let rows_from = self.rows.len();
        let mut at = array + 1;
        while at < node.next() {
            let element = self.node(at);
            match element.kind() {
                JsonKind::Object => n_objects += u32::from(!element.is_empty()),
                JsonKind::Array => {}
                _ => n_scalars += 1,
            }
            if n_objects > 0 && n_scalars > 0 {
                break;
            }
            if may_be_table && n_objects > 0 {
                self.rows.push(at);
            }
            at = element.next();
        }
        if n_scalars == node.len() {
            return self.inline(array);
        }
        let mut table = None;
        if may_be_table && n_objects == node.len() {
            let rows = self.rows.get(rows_from..).unwrap_or_default();
            table = shape::fields(self.tape, rows, self.max_depth.saturating_sub(depth));
        }
        let done = match &table {
            Some(fields) => self.table(rows_from, node.len(), fields, depth),
            None => {
                self.rows.truncate(rows_from);
                self.list(array, depth)
            }
        };
        self.rows.truncate(rows_from);
        done
    }

    /// `[N]: a,b`
    fn inline(&mut self, array: u32) -> Done {
        let node = self.node(array);
        self.brackets(node.len(), "");
        self.out.push(':');
        let mut separator = b' ';
        for at in array + 1..node.next() {
            self.out.push(char::from(separator));
            self.scalar(at)?;
            separator = self.delimiter;
        }
        Ok(())
    }

    /// `[N]:` and an item a line.
    fn list(&mut self, array: u32, depth: usize) -> Done {
        let node = self.node(array);
        self.brackets(node.len(), "");
        self.out.push(':');
        let mut at = array + 1;
        while at < node.next() {
            let item = self.node(at);
            self.line(depth, at)?;
            self.check_depth(item, at, depth)?;
            match item.kind() {
                JsonKind::Array if item.is_empty() => {
                    self.out.push_str("- ");
                    self.brackets(0, "");
                    self.out.push(':');
                }
                JsonKind::Array => {
                    self.out.push_str("- ");
                    self.array(at, depth + 1, false)?;
                }
                JsonKind::Object if item.is_empty() => self.out.push('-'),
                JsonKind::Object => self.object_item(at, depth)?,
                _ => {
                    self.out.push_str("- ");
                    self.scalar(at)?;
                }
            }
            at = item.next();
        }
        Ok(())
    }

    /// A non-empty object as a list item: its first member on the hyphen's line, the others below it.
    fn object_item(&mut self, object: u32, depth: usize) -> Done {
        self.check_keys(object)?;
        self.out.push_str("- ");
        let end = self.node(object).next();
        let mut key = object + 1;
        self.field(key, depth + 1)?;
        key = self.node(key + 1).next();
        while key < end {
            self.line(depth + 1, key)?;
            self.field(key, depth + 1)?;
            key = self.node(key + 1).next();
        }
        Ok(())
    }

    /// `[N]{a,b}:` and a row a line. The rows lie on `self.rows` from `rows_from` on.
    fn table(&mut self, rows_from: usize, n_rows: u32, fields: &Fields, depth: usize) -> Done {
        self.brackets(n_rows, "");
        self.field_list(fields)?;
        self.out.push(':');
        let is_ordered = fields.is_ordered();
        for row in rows_from..rows_from + n_rows as usize {
            let Some(row) = self.rows.get(row).copied() else { break };
            self.line(depth, row)?;
            self.row(row, fields, is_ordered)?;
        }
        Ok(())
    }

    /// The fields of an object that is written in keyed form: two or more members whose values make a table.
    fn keyed_fields(&mut self, object: u32, depth: usize) -> Option<Fields> {
        let node = self.node(object);
        if node.len() < 2 {
            return None;
        }
        let rows_from = self.rows.len();
        let mut key = object + 1;
        while key < node.next() {
            let value = self.node(key + 1);
            if value.kind() != JsonKind::Object || value.is_empty() {
                self.rows.truncate(rows_from);
                return None;
            }
            self.rows.push(key + 1);
            key = value.next();
        }
        let rows = self.rows.get(rows_from..).unwrap_or_default();
        let fields = shape::fields(self.tape, rows, self.max_depth.saturating_sub(depth));
        self.rows.truncate(rows_from);
        fields
    }

    /// `[N:]{a,b}:` and an entry a line, at `depth + 1`.
    fn keyed(&mut self, object: u32, fields: &Fields, depth: usize) -> Done {
        self.check_keys(object)?;
        let node = self.node(object);
        self.brackets(node.len(), ":");
        self.field_list(fields)?;
        self.out.push(':');
        let is_ordered = fields.is_ordered();
        let mut key = object + 1;
        while key < node.next() {
            self.line(depth + 1, key)?;
            self.key(key)?;
            self.out.push_str(": ");
            self.row(key + 1, fields, is_ordered)?;
            key = self.node(key + 1).next();
        }
        Ok(())
    }

    /// `[N` with `marker` and the declared delimiter, `]`.
    fn brackets(&mut self, n: u32, marker: &str) {
        let mut digits = [0u8; 10];
        let mut at = digits.len();
        let mut rest = n;
        for slot in digits.iter_mut().rev() {
            *slot = b'0' + (rest % 10) as u8;
            rest /= 10;
            at -= 1;
            if rest == 0 {
                break;
            }
        }
        self.out.push('[');
        let digits = digits.get(at..).and_then(|d| core::str::from_utf8(d).ok());
        self.out.push_str(digits.unwrap_or_default());
        self.out.push_str(marker);
        self.out.push_str(self.declared);
        self.out.push(']');
    }

    /// `{a,b{c,d}}`; also where duplicate keys of the first row are found (the other rows have its keys).
    fn field_list(&mut self, fields: &Fields) -> Done {
        self.hashes.clear();
        for &key in &fields.keys {
            self.hash_key(key);
        }
        self.check_hashes()?;
        let mut separator = '{';
        for (column, &key) in (0..).zip(&fields.keys) {
            self.out.push(separator);
            separator = char::from(self.delimiter);
            self.key(key)?;
            if let Some(group) = fields.group(column) {
                self.field_list(group)?;
            }
        }
        self.out.push('}');
        Ok(())
    }

    /// The cells of a row.
    fn row(&mut self, row: u32, fields: &Fields, is_ordered: bool) -> Done {
        if !is_ordered {
            let from = self.out.len();
            return self.row_in_order(row, fields, from);
        }
        // Every key stands where the header has it: the leaves in document order are the cells.
        let end = self.node(row).next();
        let mut at = row + 2;
        let mut is_first = true;
        while at < end {
            let node = self.node(at);
            // A group: on to the value of its first member.
            if node.kind() != JsonKind::Object {
                if !is_first {
                    self.out.push(char::from(self.delimiter));
                }
                is_first = false;
                self.scalar_of(node, at)?;
            }
            at += 2;
        }
        Ok(())
    }

    /// The cells of a row whose keys may have another order; the row begins at byte `from` of the output.
    fn row_in_order(&mut self, row: u32, fields: &Fields, from: usize) -> Done {
        let mut values = Vec::with_capacity(fields.keys.len());
        fields.in_order(self.tape, row, &mut values);
        for (column, value) in (0..).zip(values) {
            match fields.group(column) {
                Some(group) => self.row_in_order(value, group, from)?,
                None => {
                    if self.out.len() > from {
                        self.out.push(char::from(self.delimiter));
                    }
                    self.scalar(value)?;
                }
            }
        }
        Ok(())
    }

    fn scalar(&mut self, at: u32) -> Done {
        self.scalar_of(self.node(at), at)
    }

    #[inline(always)]
    fn scalar_of(&mut self, node: Node, at: u32) -> Done {
        match node.kind() {
            JsonKind::String => return self.string(node, at),
            JsonKind::Number => {
                let number = node.span().of(self.tape.text);
                if number::is_canonical(number.as_bytes()) {
                    self.push(node.span(), false);
                } else {
                    number::rewrite(number, &mut self.out);
                }
            }
            _ => self.push(node.span(), false),
        }
        Ok(())
    }

    /// A stretch of the JSON text as it stands; `is_bare`: without the quotes around it.
    #[inline(always)]
    fn push(&mut self, span: Span, is_bare: bool) {
        let inset = usize::from(is_bare);
        let (from, to) = (span.start as usize + inset, (span.end as usize).saturating_sub(inset));
        push_piece(&mut self.out, self.tape.text, from, to);
    }

    #[inline(always)]
    fn string(&mut self, node: Node, at: u32) -> Done {
        if node.is_escaped() {
            return self.escaped_string(at);
        }
        let span = node.span();
        let quoted = span.of(self.tape.text);
        let inner = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default();
        // Without escapes there is nothing to escape: the JSON string is the quoted token.
        self.push(span, !token::must_quote(inner, self.delimiter));
        Ok(())
    }

    #[cold]
    fn escaped_string(&mut self, at: u32) -> Done {
        self.unescape(at)?;
        if token::must_quote(&self.scratch, self.delimiter) {
            token::write_quoted(&self.scratch, &mut self.out);
        } else {
            self.out.push_str(&self.scratch);
        }
        Ok(())
    }

    /// What a string says, into `self.scratch`.
    fn unescape(&mut self, at: u32) -> Done {
        self.scratch.clear();
        let said = self.tape.value(at).is_some_and(|v| v.append_str_to(&mut self.scratch));
        if said {
            Ok(())
        } else {
            self.fail(ToonErrorKind::LoneSurrogate, "half of a surrogate pair in a string", at)
        }
    }

    #[inline(always)]
    fn key(&mut self, at: u32) -> Done {
        let node = self.node(at);
        if node.is_escaped() {
            self.unescape(at)?;
            if token::is_bare_key(&self.scratch) {
                self.out.push_str(&self.scratch);
            } else {
                token::write_quoted(&self.scratch, &mut self.out);
            }
            return Ok(());
        }
        let quoted = node.span().of(self.tape.text);
        let inner = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default();
        self.push(node.span(), token::is_bare_key(inner));
        Ok(())
    }

    /// Fails when two keys of an object say the same.
    fn check_keys(&mut self, object: u32) -> Done {
        let node = self.node(object);
        if node.len() < 2 {
            return Ok(());
        }
        self.hashes.clear();
        let mut key = object + 1;
        while key < node.next() {
            self.hash_key(key);
            key = self.node(key + 1).next();
        }
        self.check_hashes()
    }

    #[inline(always)]
    fn hash_key(&mut self, key: u32) {
        let node = self.node(key);
        let hash = if node.is_escaped() {
            keys::hash(&said(self.tape, key))
        } else {
            let quoted = self.tape.text.as_bytes().get(node.span().range()).unwrap_or_default();
            keys::hash(quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default())
        };
        self.hashes.push((hash, key));
    }

    fn check_hashes(&mut self) -> Done {
        let tape = self.tape;
        let mut first_later = u32::MAX;
        keys::duplicates(&mut self.hashes, &|key| said(tape, key), &mut |_, later| {
            first_later = first_later.min(later)
        });
        if first_later == u32::MAX {
            return Ok(());
        }
        self.fail(ToonErrorKind::DuplicateKey, "a key that its object already has", first_later)
    }
}

/// What a key says, for comparison; a lone surrogate stands for itself.
fn said<'a>(tape: &'a Tape<'a>, key: u32) -> Cow<'a, [u8]> {
    let Some(value) = tape.value(key) else { return Cow::Borrowed(&[]) };
    match value.as_str() {
        Some(Cow::Borrowed(said)) => Cow::Borrowed(said.as_bytes()),
        Some(Cow::Owned(said)) => Cow::Owned(said.into_bytes()),
        None => Cow::Borrowed(value.text().as_bytes()),
    }
}
