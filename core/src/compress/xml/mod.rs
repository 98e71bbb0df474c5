//! XML: configuration, project files, feeds, exports.
//!
//! ```text
//! <users>                            users
//!   <user id="1"><n>Ann</n></user>    user id="1"
//!   <user id="2"><n>Bob</n></user> ->  n: Ann
//!   …                                …
//! </users>                           <!-- [caveman: 35 elements elided: 4-38; @id: 35 distinct, 4..38, all present; …] -->
//! ```
//! Keeps: the tree down to each list of like elements; of such a list first and last, each structure once, rare values,
//! outliers, errors; comments; text between elements.
//! Recodes without loss: elements as an [`outline`]; else indentation between elements.
//! Declines: lists of prose, drawings, elements that all differ.

mod outline;
mod tree;

use super::html::scan::{self, Dialect, Token, TokenKind};
use super::{Compressor, Proposals, Units};
use crate::draft::{Draft, Piece};
use crate::elide::mask::{self, HashedMap};
use crate::elide::signal::{self, FieldRole};
use crate::elide::{self, CellKind, Focus, Segment, Severity, Sheet, Style};
use crate::kind::Kind;
use crate::prelude::*;
use crate::text::{Span, offset};
use outline::Outline;
use tree::{Child, List, Tree};

/// The compressor of XML.
#[derive(Debug)]
pub(super) struct Xml;

impl Compressor for Xml {
    fn kind(&self) -> Kind {
        Kind::Xml
    }

    fn compress(&self, text: &str, focus: &Focus) -> Proposals {
        let tokens = scan::tokens(text, Dialect::Xml);
        let Some(tree) = Tree::of(text, &tokens) else { return Proposals::default() };
        let (gone, n_units) = gone(text, &tokens, &tree, focus);
        let minified = minified(text, &tokens, &tree);
        let Some(outline) = Outline::of(text, &tokens) else {
            return Proposals { lossless: minified, elided: elided(text, gone, n_units) };
        };
        let lossless = outlined(&outline, &BTreeMap::new(), 0);
        let is_shortest = |draft: &Draft| lossless.len_bytes() >= draft.len_bytes();
        let lossless = minified.filter(is_shortest).unwrap_or(lossless);
        let elided = (!gone.is_empty()).then(|| outlined(&outline, &gone, n_units));
        Proposals { lossless: (lossless.len_bytes() < text.len()).then_some(lossless), elided }
    }

    /// The general cut serves: by line, and by what nests.
    fn units(&self, _text: &str) -> Option<Units> {
        None
    }
}

/// The draft without the whitespace that only sets elements in.
fn minified(text: &str, tokens: &[Token], tree: &Tree) -> Option<Draft> {
    let mut draft = Draft::new("minify", "elements", 0);
    for (token, is_layout) in tokens.iter().zip(&tree.is_layout) {
        if !is_layout {
            draft.keep(token.span);
        }
    }
    (draft.len_bytes() < text.len()).then_some(draft)
}

/// So many times the text is read for nested lists at most: lists in lists in lists stay whole from there on.
const MAX_READS: usize = 8;

/// What goes of a document: by its first byte the end, the number of elements, and the marker.
type Gone = BTreeMap<u32, (u32, u32, String)>;

/// What goes of lists of like elements, outer lists first, and how many elements the lists have.
fn gone(text: &str, tokens: &[Token], tree: &Tree, focus: &Focus) -> (Gone, usize) {
    let mut gone = Gone::new();
    let mut n_read = 0;
    let mut n_units = 0;
    for list in &tree.lists {
        let (Some(first), Some(last)) = (list.children.first(), list.children.last()) else {
            continue;
        };
        let is_gone = gone
            .range(..=first.span.start)
            .next_back()
            .is_some_and(|(_, (end, ..))| *end > first.span.start);
        n_read += last.tokens.end.saturating_sub(first.tokens.start);
        if is_gone || n_read > tokens.len() * MAX_READS {
            continue;
        }
        let Some(sheet) = sheet_of(text, tokens, list) else { continue };
        n_units += sheet.len();
        for segment in elide::segments(&sheet, focus, &Style::XML) {
            let Segment::Elide { units, marker } = segment else { continue };
            let span = sheet
                .units()
                .get(units.clone())
                .unwrap_or_default()
                .iter()
                .map(|unit| unit.span)
                .reduce(Span::join);
            if let Some(span) = span {
                gone.insert(span.start, (span.end, offset(units.len()), marker));
            }
        }
    }
    (gone, n_units)
}

/// The outline of a document without what is gone.
fn outlined(outline: &Outline<'_>, gone: &Gone, n_units: usize) -> Draft {
    let method = if gone.is_empty() { "outline" } else { "elide" };
    let mut draft = Draft::new(method, "elements", n_units);
    outline.write(gone, |of, text, marker| {
        draft.pieces.push(Piece::Recoded { of, text });
        if let Some((of, n_units, marker)) = marker {
            draft.pieces.push(Piece::Marker { of, n_units, text: marker.to_owned() });
        }
    });
    draft
}

/// The document without what is gone, its tags as they are.
fn elided(text: &str, gone: Gone, n_units: usize) -> Option<Draft> {
    let mut draft = Draft::new("elide", "elements", n_units);
    let mut at = 0;
    for (start, (end, n_units, text_of_marker)) in gone {
        draft.keep(Span { start: at, end: start });
        if !text
            .get(..start as usize)
            .is_none_or(|before| before.is_empty() || before.ends_with('\n'))
        {
            draft.pieces.push(Piece::Glue("\n"));
        }
        draft.pieces.push(Piece::Marker { of: Span { start, end }, n_units, text: text_of_marker });
        at = end;
    }
    draft.keep(Span { start: at, end: offset(text.len()) });
    (!draft.is_lossless()).then_some(draft)
}

/// So many words make a text prose. Our choice.
const MIN_PROSE_WORDS: usize = 8;

/// The children of one element as units; `None` when they are prose.
fn sheet_of<'t>(text: &'t str, tokens: &[Token], list: &List) -> Option<Sheet<'t>> {
    let mut sheet = Sheet::new(text, "elements");
    let mut columns = Columns::default();
    let mut n_prose = 0;
    for (child, at) in list.children.iter().zip(0_u64..) {
        // Comments, text and elements of other names have a shape of their own: they stay.
        let is_like = child.name == list.name;
        let shape = if is_like { child.structure } else { mask::mix(child.structure, at) };
        sheet.add_unit(lines_of(text, child.span), shape, Severity::None);
        if is_like {
            n_prose += usize::from(columns.add(&mut sheet, tokens, child));
        }
    }
    (n_prose * 2 <= list.children.len()).then_some(sheet)
}

/// The element with its indentation and line end, when its lines are its own.
fn lines_of(text: &str, span: Span) -> Span {
    let before = text.get(..span.start as usize).unwrap_or_default();
    let bare = before.trim_end_matches([' ', '\t']);
    let after = text.get(span.end as usize..).unwrap_or_default();
    let rest = after.trim_start_matches([' ', '\t']);
    let rest_of_line = rest.strip_prefix("\r\n").or(rest.strip_prefix('\n'));
    match rest_of_line {
        Some(rest) if bare.is_empty() || bare.ends_with('\n') => {
            Span::new(bare.len(), text.len() - rest.len())
        }
        _ => span,
    }
}

/// No more columns than these are looked at. Our choice.
const MAX_COLUMNS: usize = 4096;

/// The leaves and attributes of the elements of one list, as columns named for their path.
#[derive(Default)]
struct Columns {
    ids: HashedMap<(u32, FieldRole)>,
    /// Paths of the unit being read, with how often each was met.
    seen: HashedMap<u64>,
}

impl Columns {
    /// Adds what one element holds; answers whether it is prose.
    fn add(&mut self, sheet: &mut Sheet<'_>, tokens: &[Token], child: &Child) -> bool {
        self.seen.clear();
        let text = sheet.text;
        let mut path: Vec<(u64, &str)> = Vec::new();
        let mut is_prose = false;
        for token in tokens.get(child.tokens.clone()).unwrap_or_default() {
            match token.kind {
                TokenKind::Open | TokenKind::Empty => {
                    let name = token.name(text);
                    let (above, parent) = path.last().copied().unwrap_or((0, ""));
                    // The element itself is not said in the paths below it.
                    let shown = if path.is_empty() { "" } else { name };
                    let hash = mask::mix(above, mask::hash(name));
                    token.each_attribute(text, |key, value| {
                        let at = mask::mix(hash, mask::hash(key));
                        self.cell(sheet, at, || named(shown, &format!("@{key}")), key, value);
                    });
                    if token.kind == TokenKind::Open {
                        path.push((hash, if shown.is_empty() { parent } else { shown }));
                    }
                }
                TokenKind::Close => {
                    path.pop();
                }
                TokenKind::Text | TokenKind::Cdata => {
                    let value = token.span.of(text).trim_ascii();
                    if value.is_empty() {
                        continue;
                    }
                    is_prose |= value.split_ascii_whitespace().take(MIN_PROSE_WORDS).count()
                        >= MIN_PROSE_WORDS;
                    let (hash, name) = path.last().copied().unwrap_or((0, ""));
                    let above = path
                        .len()
                        .checked_sub(2)
                        .and_then(|at| path.get(at))
                        .map_or("", |(_, n)| n);
                    let shown = if name.is_empty() { "text" } else { name };
                    self.cell(sheet, hash, || named(above, shown), name, value);
                }
                _ => {}
            }
        }
        is_prose
    }

    /// Adds a value. A path that one element holds several times has a column for each.
    fn cell(
        &mut self,
        sheet: &mut Sheet<'_>,
        path: u64,
        name: impl FnOnce() -> String,
        key: &str,
        value: &str,
    ) {
        // An attribute without a value has none in the text.
        let base = (value.as_ptr() as usize).checked_sub(sheet.text.as_ptr() as usize);
        let Some(base) = base.filter(|base| base + value.len() <= sheet.text.len()) else { return };
        let nth = self.seen.entry(path).or_default();
        *nth += 1;
        let n = *nth;
        let key_of_column = mask::mix(path, n);
        if self.ids.len() >= MAX_COLUMNS && !self.ids.contains_key(&key_of_column) {
            return;
        }
        let (column, role) = *self.ids.entry(key_of_column).or_insert_with(|| {
            let name = if n == 1 { name() } else { format!("{}[{n}]", name()) };
            (sheet.add_column(&name), FieldRole::of(key))
        });
        let kind = CellKind::of(value);
        sheet.add_cell(column, kind, Span::new(base, base + value.len()));
        let severity = match role {
            FieldRole::Error if signal::says_something(kind, value) => Severity::Error,
            FieldRole::Level => signal::level(value).unwrap_or_default(),
            FieldRole::State => signal::of_words(value),
            _ => Severity::None,
        };
        if severity > Severity::None {
            sheet.raise(severity);
            sheet.reshape(mask::shape(value));
        }
    }
}

fn named(above: &str, name: &str) -> String {
    if above.is_empty() { name.to_owned() } else { format!("{above}/{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elided(text: &str) -> Option<String> {
        Xml.compress(text, &Focus::default()).elided.map(|draft| draft.render(text))
    }

    fn users(n: usize, line_end: &str) -> String {
        let users: String = (1..=n)
            .map(|n| {
                format!(
                    "  <user id=\"{n}\"><name>Zoë {n}</name><role>reader</role></user>{line_end}"
                )
            })
            .collect();
        format!("<?xml version=\"1.0\"?>{line_end}<users>{line_end}{users}</users>{line_end}")
    }

    #[test]
    fn like_elements_go_and_odd_ones_stay() {
        for line_end in ["\n", "\r\n", ""] {
            let text = users(200, line_end)
                .replace("Zoë 77</name><role>reader", "Zoë 77</name><role>owner")
                .replace("Zoë 99</name>", "Zoë 99</name><error>no quota</error>")
                .replace("Zoë 120</name>", "Zoë 120</name><!-- on leave -->");
            let out = elided(&text).unwrap();
            assert!(out.len() * 4 < text.len(), "{out}");
            for odd in ["owner", "no quota", "<!-- on leave -->", "<!-- [caveman: "] {
                assert!(out.contains(odd), "{odd} {out}");
            }
        }
    }

    #[test]
    fn an_attribute_without_a_value_is_no_field() {
        let text = users(200, "\n").replace("<user id", "<user hidden id");
        assert!(elided(&text).unwrap().contains("elements elided"));
    }

    #[test]
    fn a_nested_list_is_elided_within_what_stays() {
        let text = format!("<all><group>{}</group><group/></all>", users(60, "\n"));
        let text = text.replace("<?xml version=\"1.0\"?>", "");
        assert!(elided(&text).unwrap().contains("elements elided"));
        let groups: String =
            (0..30).map(|_| users(30, "\n").replace("<?xml version=\"1.0\"?>", "")).collect();
        let out = elided(&format!("<all>{groups}</all>")).unwrap();
        assert!(out.len() * 20 < groups.len(), "{out}");
    }

    #[test]
    fn what_has_no_closing_tag_loses_its_indentation_only() {
        let text = "<a>\n  <b>x  y</b>\n  <c> <d>1</d> <d>2</d> </c>\n  <p>so <i>it</i>\n  <i>is</i></p>\n  <e>\n";
        let draft = Xml.compress(text, &Focus::default()).lossless.unwrap();
        assert!(draft.is_lossless());
        assert_eq!(
            draft.render(text),
            "<a><b>x  y</b><c> <d>1</d> <d>2</d> </c><p>so <i>it</i>\n  <i>is</i></p><e>\n"
        );
    }

    #[test]
    fn prose_and_what_is_no_tree_stay() {
        let prose: String = (0..50)
            .map(|n| format!("<p>Paragraph {n} says something that no other paragraph of the book says.</p>\n"))
            .collect();
        assert_eq!(elided(&format!("<book>\n{prose}</book>")), None);
        for text in
            ["", "text", "<a>", "</a>", "<a><b></a></b>", "<!-- <a> ", "<![CDATA[", "<a é='"]
        {
            assert_eq!(elided(text), None, "{text}");
        }
    }

    #[test]
    fn hostile_documents_are_read_in_bounded_time() {
        let deep = format!("{}x{}", "<a>".repeat(100_000), "</a>".repeat(100_000));
        assert_eq!(elided(&deep), None);
        let lists = format!(
            "{}{}",
            "<a><b/><b/><b/><b/><b/><b/><b/>".repeat(20_000),
            "</a>".repeat(20_000)
        );
        Xml.compress(&lists, &Focus::default());
        let line = format!("<a>{}</a>", "é ".repeat(500_000));
        assert_eq!(elided(&line), None);
    }
}
