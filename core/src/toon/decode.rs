//! The decoder: one line at a time onto a stack of open scopes, JSON text out.

use alloc::rc::Rc;

use super::header::{self, Header, Plan};
use super::token::{self, Fault};
use super::{DecodeOptions, MAX_DEPTH, Strictness, ToonError, ToonErrorKind, keys};
use crate::json::{plain_end, write_escaped};
use crate::order;
use crate::prelude::*;
use crate::text::offset;

/// Decodes line by line. Keeps the open scopes, with the keys of open objects and the field lists of open tables;
/// rows, items and values are written out at once. Leniently it must keep what it has written until the end, as a
/// later duplicate may replace it.
#[derive(Debug)]
pub struct Decoder {
    indent_size: usize,
    is_strict: bool,
    scopes: Vec<Scope>,
    keys: Keys,
    /// Whether a line with content has been read.
    has_begun: bool,
    /// The first of the blank lines directly above.
    blank: Option<Place>,
    /// The line being read.
    place: Place,
    /// Where the next line begins.
    next_at: usize,
    /// Plans of field lists read lately, with their text and delimiter.
    plans: Vec<(u8, Box<str>, Rc<Plan>)>,
    /// Output that may still change; unused when strict.
    held: String,
}

/// Where a line stands.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    number: u32,
    at: usize,
}

/// An open array or object.
#[derive(Debug)]
struct Scope {
    form: Form,
    /// Depth of its lines; without a line yet, the depth that the first one must have.
    depth: usize,
    /// Fields, items, rows or entries so far.
    count: u64,
    /// How many keys there were when it opened.
    n_outer_keys: usize,
    /// `None` for objects that no header opened.
    header: Option<Opened>,
}

#[derive(Clone, Debug)]
enum Form {
    Object,
    List,
    Table(Rc<Plan>, u8),
    Keyed(Rc<Plan>, u8),
}

/// The header that opened a scope, for messages.
#[derive(Debug)]
struct Opened {
    place: Place,
    /// Where its brackets stand in the line.
    bracket: usize,
    /// The line, cut.
    line: Box<str>,
    declared: Option<u64>,
}

/// How much of a header's line is kept for messages, in bytes.
const KEPT_HEADER_BYTES: usize = 400;

/// Plans that are kept for headers with the same field list: mixed documents repeat a few of them.
const KEPT_PLANS: usize = 4;

/// The keys of all open objects.
#[derive(Debug, Default)]
struct Keys {
    said: Vec<u8>,
    list: Vec<Key>,
}

#[derive(Clone, Copy, Debug)]
struct Key {
    hash: u64,
    /// In `Keys::said`.
    start: u32,
    end: u32,
    line: u32,
    column: u32,
    at: usize,
    /// Where the member begins in the output.
    out: usize,
}

/// Up to so many keys of an object are compared when they are read; the others when it closes.
const FEW_KEYS: usize = 16;

/// A fault in the line being read, or an error about an earlier one.
enum Failure {
    Here(Fault),
    There(ToonError),
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Failure {
        Failure::Here(fault)
    }
}

type Done = Result<(), Failure>;

fn here<T>(kind: ToonErrorKind, what: &'static str, at: usize) -> Result<T, Failure> {
    Err(Failure::Here(Fault::new(kind, what, at)))
}

impl Decoder {
    /// A decoder at the start of a document.
    pub fn new(options: &DecodeOptions) -> Decoder {
        Decoder {
            indent_size: options.indent_size.get() as usize,
            is_strict: options.strictness == Strictness::Strict,
            scopes: Vec::new(),
            keys: Keys::default(),
            has_begun: false,
            blank: None,
            place: Place::default(),
            next_at: 0,
            plans: Vec::new(),
            held: String::new(),
        }
    }

    /// Reads the next line, its line end included, and appends the JSON that is certain by now to `out`, which may be
    /// emptied between calls. After an error the decoder is of no further use.
    pub fn line(&mut self, line: &str, out: &mut String) -> Result<(), ToonError> {
        self.place = Place { number: self.place.number.saturating_add(1), at: self.next_at };
        self.next_at = self.next_at.saturating_add(line.len());
        let text = crate::text::trim_eol(line);
        let done = if self.is_strict {
            self.read(text, out)
        } else {
            let mut held = core::mem::take(&mut self.held);
            let done = self.read(text, &mut held);
            self.held = held;
            done
        };
        done.map_err(|failure| match failure {
            Failure::There(error) => error,
            Failure::Here(fault) => ToonError::new(
                fault.kind,
                fault.what,
                text,
                fault.at,
                self.place.number,
                self.place.at,
            ),
        })
    }

    /// Ends the document and appends the rest of its JSON.
    pub fn finish(mut self, out: &mut String) -> Result<(), ToonError> {
        let mut held = core::mem::take(&mut self.held);
        let target = if self.is_strict { &mut *out } else { &mut held };
        while !self.scopes.is_empty() {
            self.close(target).map_err(|failure| match failure {
                Failure::There(error) => error,
                Failure::Here(f) => {
                    ToonError::new(f.kind, f.what, "", f.at, self.place.number, self.place.at)
                }
            })?;
        }
        if !self.has_begun {
            target.push_str("{}");
        }
        if !self.is_strict {
            if out.is_empty() {
                *out = held;
            } else {
                out.push_str(&held);
            }
        }
        Ok(())
    }

    fn read(&mut self, line: &str, out: &mut String) -> Done {
        let bytes = line.as_bytes();
        let mut from = 0;
        if self.place.number == 1 && line.starts_with('\u{feff}') {
            from = '\u{feff}'.len_utf8();
        }
        let end = token::trim_spaces(bytes, from, bytes.len());
        let line = line.get(..end).unwrap_or_default();
        let bytes = line.as_bytes();
        let mut start = token::skip_spaces(bytes, from);
        let mut n_spaces = start - from;
        let mut n_tabs = 0;
        match bytes.get(start) {
            Some(b'#') => return Ok(()),
            Some(b'\t') if self.is_strict => {
                return here(ToonErrorKind::Indentation, "a tab in the indentation", start);
            }
            Some(b'\t') => {
                let indent = bytes.get(from..).unwrap_or_default();
                let len = indent.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
                n_tabs = indent.iter().take(len).filter(|b| **b == b'\t').count();
                n_spaces = len - n_tabs;
                start = from + len;
            }
            _ => {}
        }
        if start >= bytes.len() {
            self.blank.get_or_insert(self.place);
            return Ok(());
        }
        let depth = self.depth(n_spaces, n_tabs, start)?;
        self.content(line, start, depth, out)
    }

    #[inline(always)]
    fn depth(&self, n_spaces: usize, n_tabs: usize, start: usize) -> Result<usize, Failure> {
        if self.indent_size == 2 && n_tabs == 0 && n_spaces.is_multiple_of(2) {
            return Ok(n_spaces / 2);
        }
        if self.is_strict && !n_spaces.is_multiple_of(self.indent_size) {
            return here(
                ToonErrorKind::Indentation,
                "indentation that is no multiple of the indent size",
                start,
            );
        }
        Ok(n_tabs + n_spaces / self.indent_size)
    }

    /// A line with content, which begins at byte `start`, at a depth.
    fn content(&mut self, line: &str, start: usize, depth: usize, out: &mut String) -> Done {
        while self.scopes.last().is_some_and(|scope| depth < scope.depth) {
            self.close(out)?;
        }
        if let Some(blank) = self.blank.take()
            && self.is_strict
            && let Some(scope) = self.scopes.iter().find(|s| s.header.is_some() && s.count > 0)
        {
            return Err(Failure::There(self.blank_error(blank, scope)));
        }
        let Some(scope) = self.scopes.last_mut() else { return self.root(line, start, depth, out) };
        if depth > scope.depth {
            if scope.count > 0 {
                return here(
                    ToonErrorKind::OverIndented,
                    "a line deeper than anything that is open",
                    start,
                );
            }
            if self.is_strict {
                return here(
                    ToonErrorKind::OverIndented,
                    "a line more than one level deeper than what opened it",
                    start,
                );
            }
            scope.depth = depth;
        }
        let is_first = scope.count == 0;
        scope.count += 1;
        let separator = if is_first { "" } else { "," };
        match &scope.form {
            Form::Object => {
                out.push_str(separator);
                self.field(line, start, depth + 1, out)
            }
            Form::List => {
                out.push_str(separator);
                self.item(line, start, depth, out)
            }
            Form::Table(plan, delimiter) => {
                let (plan, delimiter) = (&**plan, *delimiter);
                if !is_row(line.as_bytes(), start, delimiter) {
                    return here(ToonErrorKind::Stray, "a line among rows that is no row", start);
                }
                out.push_str(separator);
                if let Err(fault) = row(line, start, plan, delimiter, out) {
                    return Err(self.row_error(line, start, fault));
                }
                Ok(())
            }
            Form::Keyed(plan, delimiter) => {
                let (plan, delimiter) = (Rc::clone(plan), *delimiter);
                out.push_str(separator);
                let (Some(colon), _) = token::landmarks(line.as_bytes(), start) else {
                    return here(
                        ToonErrorKind::MissingColon,
                        "a line among keyed rows without a colon",
                        start,
                    );
                };
                self.key(line, start, token::trim_spaces(line.as_bytes(), start, colon), out)?;
                let cells = token::skip_spaces(line.as_bytes(), colon + 1);
                if let Err(fault) = row(line, cells, &plan, delimiter, out) {
                    return Err(self.row_error(line, cells, fault));
                }
                Ok(())
            }
        }
    }

    /// The first line, or one after the document's end.
    fn root(&mut self, line: &str, start: usize, depth: usize, out: &mut String) -> Done {
        if self.has_begun {
            return here(ToonErrorKind::Trailing, "something after the end of the document", start);
        }
        self.has_begun = true;
        if depth > 0 {
            return here(ToonErrorKind::OverIndented, "an indented first line", start);
        }
        if line.get(start..) == Some("[]") {
            out.push_str("[]");
            return Ok(());
        }
        match token::landmarks(line.as_bytes(), start) {
            (Some(_), Some(bracket)) if bracket == start => {
                let header = header::read(line.as_bytes(), bracket)?;
                self.open_header(line, bracket, &header, 1, out)
            }
            (Some(_), _) => {
                out.push('{');
                self.open(Form::Object, 0, None, start)?;
                if let Some(scope) = self.scopes.last_mut() {
                    scope.count = 1;
                }
                self.field(line, start, 1, out)
            }
            (None, _) => Ok(token::write_value(line, start, out)?),
        }
    }

    /// A field from byte `start` on; what it opens has lines at `inner_depth`.
    fn field(&mut self, line: &str, start: usize, inner_depth: usize, out: &mut String) -> Done {
        match token::landmarks(line.as_bytes(), start) {
            (Some(_), Some(bracket)) => {
                let header = header::read(line.as_bytes(), bracket)?;
                if bracket == start {
                    return here(
                        ToonErrorKind::Position,
                        "a header without a key where a field must stand",
                        start,
                    );
                }
                if let Some(b' ' | b'\t') = line.as_bytes().get(bracket - 1) {
                    return here(
                        ToonErrorKind::Header,
                        "a space between a key and its brackets",
                        bracket - 1,
                    );
                }
                self.key(line, start, bracket, out)?;
                self.open_header(line, bracket, &header, inner_depth, out)
            }
            (Some(colon), None) => {
                let bytes = line.as_bytes();
                self.key(line, start, token::trim_spaces(bytes, start, colon), out)?;
                let value = token::skip_spaces(bytes, colon + 1);
                if value >= bytes.len() {
                    out.push('{');
                    return self.open(Form::Object, inner_depth, None, start);
                }
                if bytes.get(value..) == Some(b"[]") {
                    return self.empty_array(start, out);
                }
                Ok(token::write_value(line, value, out)?)
            }
            (None, _) => here(
                ToonErrorKind::MissingColon,
                "a line without a colon where a field must stand",
                start,
            ),
        }
    }

    /// A list item, its hyphen at byte `start`, at a depth.
    fn item(&mut self, line: &str, start: usize, depth: usize, out: &mut String) -> Done {
        let bytes = line.as_bytes();
        let from = match bytes.get(start..start + 2) {
            Some(b"- ") => token::skip_spaces(bytes, start + 2),
            _ if bytes.get(start..) == Some(b"-") => {
                self.check_depth(start)?;
                out.push_str("{}");
                return Ok(());
            }
            _ => {
                return here(
                    ToonErrorKind::Stray,
                    "a line among list items that does not begin with `- `",
                    start,
                );
            }
        };
        if bytes.get(from..) == Some(b"[]") {
            return self.empty_array(from, out);
        }
        match token::landmarks(bytes, from) {
            (Some(_), Some(bracket)) if bracket == from => {
                let header = header::read(bytes, bracket)?;
                if header.is_keyed || !header.fields.is_empty() {
                    return here(
                        ToonErrorKind::Position,
                        "a header with fields but without a key in a list",
                        from,
                    );
                }
                self.open_header(line, bracket, &header, depth + 1, out)
            }
            (Some(_), _) => {
                out.push('{');
                self.open(Form::Object, depth + 1, None, from)?;
                if let Some(scope) = self.scopes.last_mut() {
                    scope.count = 1;
                }
                self.field(line, from, depth + 2, out)
            }
            (None, _) => Ok(token::write_value(line, from, out)?),
        }
    }

    fn empty_array(&self, at: usize, out: &mut String) -> Done {
        self.check_depth(at)?;
        out.push_str("[]");
        Ok(())
    }

    fn check_depth(&self, at: usize) -> Done {
        if self.scopes.len() >= MAX_DEPTH {
            return here(ToonErrorKind::TooDeep, "arrays and objects nest more than 512 deep", at);
        }
        Ok(())
    }

    fn open(&mut self, form: Form, depth: usize, header: Option<Opened>, at: usize) -> Done {
        self.check_depth(at)?;
        self.scopes.push(Scope {
            form,
            depth,
            count: 0,
            n_outer_keys: self.keys.list.len(),
            header,
        });
        Ok(())
    }

    /// What a header opens: inline values, or a scope whose lines stand at `depth`.
    fn open_header(
        &mut self,
        line: &str,
        bracket: usize,
        header: &Header,
        depth: usize,
        out: &mut String,
    ) -> Done {
        let bytes = line.as_bytes();
        let values = token::skip_spaces(bytes, header.end);
        if header.fields.is_empty() && values < bytes.len() {
            return self.inline(line, bracket, header, values, out);
        }
        let form = if header.fields.is_empty() {
            out.push('[');
            Form::List
        } else {
            let plan = self.plan(line, header)?;
            if header.end < bytes.len() {
                return here(
                    ToonErrorKind::Position,
                    "something after a header with fields",
                    header.end,
                );
            }
            if self.scopes.len() + 1 + plan.depth > MAX_DEPTH {
                return here(
                    ToonErrorKind::TooDeep,
                    "arrays and objects nest more than 512 deep",
                    header.fields.start,
                );
            }
            out.push(if header.is_keyed { '{' } else { '[' });
            match header.is_keyed {
                true => Form::Keyed(plan, header.delimiter),
                false => Form::Table(plan, header.delimiter),
            }
        };
        let mut kept = line.len().min(KEPT_HEADER_BYTES);
        while !line.is_char_boundary(kept) {
            kept -= 1;
        }
        let opened = Opened {
            place: self.place,
            bracket,
            line: line.get(..kept).unwrap_or_default().into(),
            declared: header.declared,
        };
        self.open(form, depth, Some(opened), bracket)
    }

    fn plan(&mut self, line: &str, header: &Header) -> Result<Rc<Plan>, Failure> {
        let text = line.get(header.fields.clone()).unwrap_or_default();
        if let Some((_, _, plan)) =
            self.plans.iter().find(|(d, t, _)| *d == header.delimiter && **t == *text)
        {
            return Ok(Rc::clone(plan));
        }
        let strictness = if self.is_strict { Strictness::Strict } else { Strictness::Lenient };
        let plan = Rc::new(Plan::new(line, header.fields.clone(), header.delimiter, strictness)?);
        if self.plans.len() >= KEPT_PLANS {
            self.plans.remove(0);
        }
        self.plans.push((header.delimiter, text.into(), Rc::clone(&plan)));
        Ok(plan)
    }

    /// `[N]: a,b`, the values from byte `at` on.
    fn inline(
        &self,
        line: &str,
        bracket: usize,
        header: &Header,
        mut at: usize,
        out: &mut String,
    ) -> Done {
        self.check_depth(bracket)?;
        let mut separator = '[';
        let mut n_values = 0;
        loop {
            out.push(separator);
            separator = ',';
            at = token::write_cell(line, at, header.delimiter, out)?;
            n_values += 1;
            if at >= line.len() {
                break;
            }
            at += 1;
        }
        out.push(']');
        if self.is_strict && header.declared != Some(n_values) {
            let error =
                self.error(ToonErrorKind::Count, "not as many values as declared", line, bracket);
            let head = line.get(..header.end).unwrap_or_default();
            return Err(Failure::There(error.against(
                head.trim_start(),
                header.declared,
                n_values,
            )));
        }
        Ok(())
    }

    /// An error in the line being read.
    fn error(&self, kind: ToonErrorKind, what: &'static str, line: &str, at: usize) -> ToonError {
        ToonError::new(kind, what, line, at, self.place.number, self.place.at)
    }

    #[cold]
    fn row_error(&self, line: &str, cells: usize, fault: RowFault) -> Failure {
        let found = match fault {
            RowFault::Token(fault) => return Failure::Here(fault),
            RowFault::Width(found) => found,
        };
        let error = self.error(
            ToonErrorKind::Width,
            "not as many cells as the header has fields",
            line,
            cells,
        );
        let Some(Scope {
            form: Form::Table(plan, _) | Form::Keyed(plan, _),
            header: Some(opened),
            ..
        }) = self.scopes.last()
        else {
            return Failure::There(error);
        };
        Failure::There(error.against(opened.line.trim_start(), Some(plan.n_cells as u64), found))
    }

    #[cold]
    fn blank_error(&self, blank: Place, scope: &Scope) -> ToonError {
        let error = ToonError::new(
            ToonErrorKind::BlankLine,
            "a blank line inside the span of a header",
            "",
            0,
            blank.number,
            blank.at,
        );
        match &scope.header {
            Some(opened) => error.under(opened.line.trim_start()),
            None => error,
        }
    }

    /// Writes the key token `line[start..end]` with its colon, and remembers it.
    #[inline(always)]
    fn key(&mut self, line: &str, start: usize, end: usize, out: &mut String) -> Done {
        let bytes = line.as_bytes();
        let said_from = self.keys.said.len();
        let out_from = out.len();
        if bytes.get(start) == Some(&b'"') {
            let token = token::scan_quoted(bytes, start)?;
            if token.end != end {
                return here(ToonErrorKind::Quoting, "something after a closing quote", token.end);
            }
            token::write_quoted_as_json(line, start, token, out);
            token::unquote(line, start, token, &mut self.keys.said);
        } else {
            let key = line.get(start..end).unwrap_or_default();
            out.push('"');
            if plain_end(key.as_bytes(), 0) == key.len() {
                out.push_str(key);
            } else {
                write_escaped(key, out);
            }
            out.push('"');
            self.keys.said.extend_from_slice(key.as_bytes());
        }
        out.push(':');
        let said = self.keys.said.get(said_from..).unwrap_or_default();
        let key = Key {
            hash: keys::hash(said),
            start: offset(said_from),
            end: offset(self.keys.said.len()),
            line: self.place.number,
            column: offset(start),
            at: self.place.at,
            out: out_from,
        };
        let n_outer_keys = self.scopes.last().map_or(0, |scope| scope.n_outer_keys);
        let siblings = self.keys.list.get(n_outer_keys..).unwrap_or_default();
        if self.is_strict
            && siblings.len() < FEW_KEYS
            && siblings.iter().any(|k| k.hash == key.hash && self.keys.said(k) == said)
        {
            return here(ToonErrorKind::DuplicateKey, "a key that its object already has", start);
        }
        self.keys.list.push(key);
        Ok(())
    }

    /// Closes the innermost scope.
    fn close(&mut self, out: &mut String) -> Done {
        let Some(scope) = self.scopes.pop() else { return Ok(()) };
        if self.is_strict
            && let Some(opened) = &scope.header
            && opened.declared != Some(scope.count)
        {
            let Place { number, at } = opened.place;
            let what = "not as many elements as declared";
            let error = ToonError::new(
                ToonErrorKind::Count,
                what,
                &opened.line,
                opened.bracket,
                number,
                at,
            );
            return Err(Failure::There(error.against(
                opened.line.trim_start(),
                opened.declared,
                scope.count,
            )));
        }
        match scope.form {
            Form::List | Form::Table(..) => out.push(']'),
            Form::Object | Form::Keyed(..) => {
                self.check_keys(scope.n_outer_keys, out)?;
                out.push('}');
            }
        }
        Ok(())
    }

    /// Looks for duplicates among the keys of the object that closes, and forgets them.
    #[inline(always)]
    fn check_keys(&mut self, n_outer_keys: usize, out: &mut String) -> Done {
        let keys = self.keys.list.get(n_outer_keys..).unwrap_or_default();
        let Some(first) = keys.first() else { return Ok(()) };
        let said_from = first.start as usize;
        if keys.len() > 1 && (!self.is_strict || keys.len() > FEW_KEYS) {
            let mut pairs = self.keys.duplicates(n_outer_keys);
            order::sort_by(&mut pairs, Ord::cmp);
            if !self.is_strict {
                replace_duplicates(keys, &pairs, out);
            } else if let Some(key) = pairs.first().and_then(|(later, _)| keys.get(*later)) {
                return Err(Failure::There(self.keys.error(key)));
            }
        }
        self.keys.list.truncate(n_outer_keys);
        self.keys.said.truncate(said_from);
        Ok(())
    }
}

impl Keys {
    fn said(&self, key: &Key) -> &[u8] {
        self.said.get(key.start as usize..key.end as usize).unwrap_or_default()
    }

    /// (later, first) of the keys from `from` on that say the same, counted from there.
    fn duplicates(&self, from: usize) -> Vec<(usize, usize)> {
        let keys = self.list.get(from..).unwrap_or_default();
        let mut hashes: Vec<(u64, u32)> = keys.iter().map(|k| k.hash).zip(0..).collect();
        let mut pairs = Vec::new();
        let said =
            |i: u32| Cow::Borrowed(keys.get(i as usize).map(|k| self.said(k)).unwrap_or_default());
        super::keys::duplicates(&mut hashes, &said, &mut |first, later| {
            pairs.push((later as usize, first as usize))
        });
        pairs
    }

    #[cold]
    fn error(&self, key: &Key) -> ToonError {
        // The line is gone; its key is what there is to show.
        let mut shown = " ".repeat(key.column as usize);
        shown.push_str(&String::from_utf8_lossy(self.said(key)));
        let what = "a key that its object already has";
        ToonError::new(
            ToonErrorKind::DuplicateKey,
            what,
            &shown,
            key.column as usize,
            key.line,
            key.at,
        )
    }
}

/// Writes the members of the object at the end of `out` again, the last of duplicates in the first one's place.
fn replace_duplicates(keys: &[Key], pairs: &[(usize, usize)], out: &mut String) {
    let Some(from) = keys.first().map(|k| k.out).filter(|_| !pairs.is_empty()) else { return };
    let mut source: Vec<Option<usize>> = (0..keys.len()).map(Some).collect();
    for (later, first) in pairs {
        if let Some(slot) = source.get_mut(*first) {
            *slot = Some(*later);
        }
        if let Some(slot) = source.get_mut(*later) {
            *slot = None;
        }
    }
    let mut members = String::new();
    for member in source.into_iter().flatten() {
        let Some(start) = keys.get(member).map(|k| k.out) else { continue };
        // A comma stands between a member and the next one.
        let end = keys.get(member + 1).map_or(out.len(), |next| next.out - 1);
        if !members.is_empty() {
            members.push(',');
        }
        members.push_str(out.get(start..end).unwrap_or_default());
    }
    out.truncate(from);
    out.push_str(&members);
}

enum RowFault {
    Token(Fault),
    /// How many cells there are.
    Width(u64),
}

impl From<Fault> for RowFault {
    fn from(fault: Fault) -> RowFault {
        RowFault::Token(fault)
    }
}

/// Whether a line at the depth of rows is one: no colon, or a delimiter before it.
#[inline(always)]
fn is_row(line: &[u8], start: usize, delimiter: u8) -> bool {
    let mut at = start;
    while let Some(&byte) = line.get(at) {
        if byte == delimiter {
            return true;
        }
        match byte {
            b':' => return false,
            b'"' => at = token::span_end(line, at),
            _ => at += 1,
        }
    }
    true
}

/// Writes the cells from byte `at` on as the object that the plan makes of them.
#[inline(always)]
fn row(
    line: &str,
    from: usize,
    plan: &Plan,
    delimiter: u8,
    out: &mut String,
) -> Result<(), RowFault> {
    if from >= line.len() {
        return Err(RowFault::Width(0));
    }
    if !plan.is_straight() {
        return crooked_row(line, from, plan, delimiter, out);
    }
    let mut at = from;
    let mut leaves = plan.leaves();
    loop {
        let Some((glue, _)) = leaves.next() else { return Err(width(line, from, delimiter)) };
        plan.push(glue, out);
        at = token::write_cell(line, at, delimiter, out)?;
        if at >= line.len() {
            break;
        }
        at += 1;
    }
    if leaves.next().is_some() {
        return Err(width(line, from, delimiter));
    }
    plan.push(plan.tail(), out);
    Ok(())
}

/// A row of which some cells are dropped, because their names occur again.
#[cold]
fn crooked_row(
    line: &str,
    from: usize,
    plan: &Plan,
    delimiter: u8,
    out: &mut String,
) -> Result<(), RowFault> {
    let mut values = String::new();
    let mut ends = vec![0];
    let mut at = from;
    loop {
        at = token::write_cell(line, at, delimiter, &mut values)?;
        ends.push(values.len());
        if at >= line.len() {
            break;
        }
        at += 1;
    }
    if ends.len() - 1 != plan.n_cells {
        return Err(width(line, from, delimiter));
    }
    for (glue, cell) in plan.leaves() {
        plan.push(glue, out);
        if let Some([start, end]) = ends.get(cell..cell + 2) {
            out.push_str(values.get(*start..*end).unwrap_or_default());
        }
    }
    plan.push(plan.tail(), out);
    Ok(())
}

/// How many cells a row has.
#[cold]
fn width(line: &str, from: usize, delimiter: u8) -> RowFault {
    let mut n_cells = 1;
    let mut at = token::token_end(line.as_bytes(), from, delimiter);
    while at < line.len() {
        n_cells += 1;
        at = token::token_end(line.as_bytes(), at + 1, delimiter);
    }
    RowFault::Width(n_cells)
}
