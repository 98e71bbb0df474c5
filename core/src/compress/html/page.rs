//! Writes a page as text: walks its tokens once and lays out lines as a reader would see them.

use super::entities::decode;
use super::outline::{Fate, Outline, Tag, Tally};
use super::scan::{Token, TokenKind};
use crate::draft::{Draft, Piece};
use crate::elide::MARKER_OPEN;
use crate::prelude::*;
use crate::text::Span;

/// Deeper lists are not set in further, deeper quotes not marked again. Our choice.
const MAX_INDENT: usize = 6;

/// The page as a draft; `None` when it shows no text.
pub(super) fn write(text: &str, tokens: &[Token], outline: &Outline) -> Option<Draft> {
    let mut page = Page { text, ..Page::default() };
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at = page.token(tokens, outline, at, token);
    }
    page.end_link();
    page.flush(crate::text::offset(text.len()));
    page.has_text.then(|| page.draft())
}

/// How far what follows stands from what was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    #[default]
    None,
    Space,
    Line,
    Blank,
}

/// What went without a marker in its place.
#[derive(Clone, Copy, Debug, Default)]
struct Unseen {
    n_scripts: u32,
    n_styles: u32,
    n_drawings: u32,
    n_templates: u32,
    n_noscripts: u32,
    n_comments: u32,
    n_metadata: u32,
    n_fields: u32,
    n_images: u32,
    n_links: u32,
    n_anchors: u32,
}

/// A page on its way to text. What stands before text (line ends, list marks, brackets) is held back until text follows, so
/// that empty elements leave nothing.
#[derive(Default)]
struct Page<'t> {
    text: &'t str,
    pieces: Vec<Piece>,
    unseen: Unseen,
    has_text: bool,
    /// Text since `chunk_start`, not yet a piece.
    out: String,
    chunk_start: u32,
    /// Where the token being read begins.
    at: u32,
    /// Where the first text began.
    first: Option<u32>,

    gap: Gap,
    n_quotes: usize,
    /// Open lists, with the next number of numbered ones.
    lists: Vec<Option<u32>>,
    /// The mark of the item or heading that no text has followed yet.
    item: Option<String>,
    heading: u8,
    /// Inline marks that no text has followed yet.
    marks: String,
    link: Option<Link<'t>>,
    /// End of the innermost table of values, as a token index.
    table_end: usize,
    /// Cells of the row so far, and separators that no text has followed yet.
    n_cells: u32,
    n_separators: u32,
}

struct Link<'t> {
    href: &'t str,
    /// Shown when the link holds no text.
    label: Option<&'t str>,
    /// Where its bracket stands in `out`; `None` until text follows.
    start: Option<usize>,
    /// Whether text of it was written.
    is_shown: bool,
}

impl<'t> Page<'t> {
    /// Reads the token at `at`; answers which comes next.
    fn token(&mut self, tokens: &[Token], outline: &Outline, at: usize, token: &Token) -> usize {
        self.at = token.span.start;
        let tag = outline.tags.get(at).copied().unwrap_or(Tag::Inline);
        match token.kind {
            TokenKind::Text | TokenKind::Cdata => self.words(token.span.of(self.text)),
            TokenKind::Comment => self.unseen.n_comments += 1,
            TokenKind::Open | TokenKind::Empty => {
                return self.open(tokens, outline, at, token, tag);
            }
            TokenKind::Close => self.close(tag),
            TokenKind::Raw | TokenKind::Declaration => {}
        }
        at + 1
    }

    fn open(
        &mut self,
        tokens: &[Token],
        outline: &Outline,
        at: usize,
        token: &Token,
        tag: Tag,
    ) -> usize {
        let region = outline.region(at);
        match region {
            Some((close, Fate::Unseen)) => {
                match tag {
                    Tag::Svg => self.unseen.n_drawings += 1,
                    Tag::NoScript => self.unseen.n_noscripts += 1,
                    _ => self.unseen.n_templates += 1,
                }
                return close + 1;
            }
            Some((close, Fate::LeftOut(tally))) => {
                let end = tokens.get(close).map_or(token.span.end, |token| token.span.end);
                self.leave_out(token, tag, tally, end);
                return close + 1;
            }
            Some((close, Fate::Data)) => {
                self.break_to(Gap::Blank);
                self.table_end = close;
            }
            Some((close, Fate::Read)) if tag == Tag::Pre => {
                self.code_block(tokens.get(at..close).unwrap_or_default());
                return close + 1;
            }
            _ => {}
        }
        let is_data = at < self.table_end;
        match tag {
            Tag::Inline | Tag::Button => {}
            Tag::Line | Tag::Choice | Tag::Break => self.break_to(Gap::Line),
            Tag::Label => self.break_to(Gap::Space),
            Tag::Block
            | Tag::Pre
            | Tag::Main
            | Tag::Nav
            | Tag::Footer
            | Tag::Aside
            | Tag::Form
            | Tag::Table => self.break_to(Gap::Blank),
            Tag::Rule => self.rule(),
            Tag::Heading(level) => {
                self.break_to(Gap::Blank);
                self.heading = level;
            }
            Tag::Link => self.open_link(token),
            Tag::Image => self.image(token),
            Tag::Media => self.media(token),
            Tag::Code => self.marks.push('`'),
            Tag::Deleted => self.marks.push('~'),
            Tag::Above => self.marks.push('^'),
            Tag::Below => self.marks.push('_'),
            Tag::List | Tag::Numbered => {
                self.break_to(if self.lists.is_empty() { Gap::Blank } else { Gap::Line });
                let start = token.attribute(self.text, "start").and_then(|n| n.parse().ok());
                self.lists.push((tag == Tag::Numbered).then_some(start.unwrap_or(1)));
            }
            Tag::Item => self.open_item(),
            Tag::Term => self.break_to(Gap::Line),
            Tag::Definition => {
                self.break_to(Gap::Line);
                self.item = Some(": ".into());
            }
            Tag::Quote => {
                self.break_to(Gap::Blank);
                self.n_quotes += 1;
            }
            Tag::Row if is_data => self.row(),
            Tag::Cell if is_data => self.cell(),
            Tag::Row => self.break_to(Gap::Line),
            Tag::Cell => self.break_to(Gap::Line),
            Tag::Select => {
                self.unseen.n_fields += 1;
                self.break_to(Gap::Line);
            }
            Tag::Field => self.unseen.n_fields += 1,
            Tag::Script => self.unseen.n_scripts += 1,
            Tag::Style => self.unseen.n_styles += 1,
            Tag::Metadata => self.unseen.n_metadata += 1,
            // Such a region does not close: what follows is shown.
            Tag::Svg | Tag::NoScript | Tag::Template => {}
        }
        at + 1
    }

    fn close(&mut self, tag: Tag) {
        match tag {
            Tag::Line | Tag::Choice | Tag::Term | Tag::Definition | Tag::Select => {
                self.break_to(Gap::Line)
            }
            Tag::Label => self.break_to(Gap::Space),
            Tag::Block | Tag::Main | Tag::Nav | Tag::Footer | Tag::Aside | Tag::Form => {
                self.break_to(Gap::Blank)
            }
            Tag::Heading(_) => {
                self.heading = 0;
                self.break_to(Gap::Blank);
            }
            Tag::Link => self.end_link(),
            Tag::Code => self.end_mark('`'),
            Tag::Deleted => self.end_mark('~'),
            Tag::Above | Tag::Below if self.marks.ends_with(['^', '_']) => {
                self.marks.pop();
            }
            Tag::List | Tag::Numbered => {
                self.lists.pop();
                self.break_to(if self.lists.is_empty() { Gap::Blank } else { Gap::Line });
            }
            Tag::Item => {
                self.item = None;
                self.break_to(Gap::Line);
            }
            Tag::Quote => {
                self.break_to(Gap::Blank);
                self.n_quotes = self.n_quotes.saturating_sub(1);
            }
            Tag::Table => {
                self.end_row();
                self.table_end = 0;
                self.break_to(Gap::Blank);
            }
            Tag::Row => {
                self.end_row();
                self.break_to(Gap::Line);
            }
            _ => {}
        }
    }

    /// What follows stands at least so far away. In a table of values a cell stays in its row.
    fn break_to(&mut self, gap: Gap) {
        let gap = match gap {
            _ if self.table_end > 0 => Gap::Space,
            // The first paragraph of an item stands in the item's line.
            Gap::Blank if self.item.is_some() => Gap::Line,
            gap => gap,
        };
        self.gap = self.gap.max(gap);
    }

    /// Writes what was held back; text may follow.
    fn begin(&mut self) {
        self.has_text = true;
        self.first.get_or_insert(self.at);
        let is_line_start = self.out.is_empty() || self.gap >= Gap::Line;
        match self.gap {
            _ if self.out.is_empty() => {
                if !self.pieces.is_empty() && self.gap == Gap::Blank {
                    self.out.push('\n');
                }
            }
            Gap::None => {}
            Gap::Space if self.n_separators > 0 => {}
            Gap::Space => self.out.push(' '),
            Gap::Line => self.out.push('\n'),
            Gap::Blank => self.out.push_str("\n\n"),
        }
        self.gap = Gap::None;
        if is_line_start {
            self.begin_line();
        }
        for nth in 0..core::mem::take(&mut self.n_separators) {
            self.out.push_str(if nth == 0 && is_line_start { "| " } else { " | " });
        }
        if !self.marks.is_empty() {
            if let (Some(at), Some(link)) = (self.marks.find('['), &mut self.link) {
                link.start = Some(self.out.len() + at);
            }
            self.out.push_str(&self.marks);
            self.marks.clear();
        }
        if let Some(link) = &mut self.link {
            link.is_shown = true;
        }
    }

    fn begin_line(&mut self) {
        for _ in 0..self.n_quotes.min(MAX_INDENT) {
            self.out.push_str("> ");
        }
        let n_levels = self.lists.len().saturating_sub(1).min(MAX_INDENT);
        (0..n_levels).for_each(|_| self.out.push_str("  "));
        match self.item.take() {
            Some(mark) => self.out.push_str(&mark),
            None if !self.lists.is_empty() => self.out.push_str("  "),
            None => {}
        }
        if self.heading > 0 {
            (0..core::mem::take(&mut self.heading)).for_each(|_| self.out.push('#'));
            self.out.push(' ');
        }
    }

    /// Text with its whitespace collapsed and its references decoded.
    fn words(&mut self, text: &str) {
        let starts_apart = text.starts_with(|c: char| c.is_ascii_whitespace());
        let ends_apart = text.ends_with(|c: char| c.is_ascii_whitespace());
        if starts_apart {
            self.gap = self.gap.max(Gap::Space);
        }
        let mut words = text.split_ascii_whitespace();
        let Some(first) = words.next() else { return };
        self.begin();
        decode(first, &mut self.out);
        for word in words {
            self.out.push(' ');
            decode(word, &mut self.out);
        }
        if ends_apart {
            self.gap = Gap::Space;
        }
    }

    fn open_item(&mut self) {
        self.break_to(Gap::Line);
        self.item = Some(match self.lists.last_mut() {
            Some(Some(number)) => {
                let mark = format!("{number}. ");
                *number = number.saturating_add(1);
                mark
            }
            _ => "- ".into(),
        });
    }

    fn rule(&mut self) {
        self.break_to(Gap::Blank);
        if self.table_end == 0 && self.has_text {
            self.begin();
            self.out.push_str("---");
            self.break_to(Gap::Blank);
        }
    }

    fn row(&mut self) {
        self.end_row();
        self.gap = self.gap.max(Gap::Line);
    }

    /// Empty cells at the end of a row that has text are told, so that its width is that of the others.
    fn end_row(&mut self) {
        let n = core::mem::take(&mut self.n_separators);
        let is_in_line = !self.out.is_empty() && self.gap < Gap::Line;
        if is_in_line && self.table_end > 0 {
            (0..n).for_each(|_| self.out.push_str(" |"));
            self.gap = Gap::Line;
        }
        self.n_cells = 0;
    }

    fn cell(&mut self) {
        if self.n_cells > 0 {
            self.n_separators += 1;
        }
        self.n_cells += 1;
    }

    /// Ends inline text between marks; a mark that no text followed was not written.
    fn end_mark(&mut self, mark: char) {
        match self.marks.pop() {
            Some(last) if last == mark => {}
            Some(last) => self.marks.push(last),
            None if self.gap < Gap::Line => self.out.push(mark),
            None => {}
        }
    }

    fn open_link(&mut self, token: &Token) {
        self.end_link();
        let Some(href) = token.attribute(self.text, "href").map(str::trim) else { return };
        if href.is_empty() || href.starts_with('#') || is_script(href) {
            self.unseen.n_anchors += 1;
            return;
        }
        let label =
            token.attribute(self.text, "aria-label").or(token.attribute(self.text, "title"));
        self.link = Some(Link { href, label, start: None, is_shown: false });
        self.marks.push('[');
    }

    fn end_link(&mut self) {
        let Some(link) = self.link.take() else { return };
        if !link.is_shown {
            self.marks.retain(|mark| mark != '[');
            let Some(label) = link.label.filter(|label| !label.trim().is_empty()) else {
                self.unseen.n_links += 1;
                return;
            };
            self.target(label, link.href, "[");
            return;
        }
        let start = link.start.filter(|start| {
            !self.out.get(*start..).is_some_and(|text| text.contains('\n')) || {
                self.out.remove(*start);
                false
            }
        });
        if start.is_some() {
            self.out.push_str("](");
            address(link.href, &mut self.out);
            self.out.push(')');
        } else {
            self.gap = self.gap.max(Gap::Space);
            self.target("link", link.href, "[");
        }
    }

    /// `[label](href)` where the text stands.
    fn target(&mut self, label: &str, href: &str, open: &str) {
        self.begin();
        self.out.push_str(open);
        decode(label.trim(), &mut self.out);
        self.out.push_str("](");
        address(href, &mut self.out);
        self.out.push(')');
    }

    fn image(&mut self, token: &Token) {
        let alt = token.attribute(self.text, "alt").unwrap_or_default().trim();
        if alt.is_empty() {
            self.unseen.n_images += 1;
            return;
        }
        let src = token.attribute(self.text, "src").unwrap_or_default().trim();
        self.target(alt, src, "![");
    }

    fn media(&mut self, token: &Token) {
        let src = token.attribute(self.text, "src").unwrap_or_default().trim();
        if !src.is_empty() {
            self.gap = self.gap.max(Gap::Space);
            self.target(token.name(self.text), src, "[");
        }
    }

    /// Preformatted text as it stands, in fences when it has lines.
    fn code_block(&mut self, tokens: &[Token]) {
        let mut code = String::new();
        let mut language = "";
        for token in tokens {
            match token.kind {
                TokenKind::Text => decode(token.span.of(self.text), &mut code),
                TokenKind::Open | TokenKind::Empty => {
                    match Tag::of(token.name(self.text)) {
                        Tag::Break => code.push('\n'),
                        // One fence for a block that each line is an element of.
                        Tag::Line if !code.is_empty() && !code.ends_with('\n') => code.push('\n'),
                        _ => {}
                    }
                    if language.is_empty() {
                        let classes = token.attribute(self.text, "class").unwrap_or_default();
                        let named = classes.split_ascii_whitespace().find_map(|class| {
                            class.strip_prefix("language-").or(class.strip_prefix("lang-"))
                        });
                        language = named.unwrap_or_default();
                    }
                }
                _ => {}
            }
        }
        let code = code.replace("\r\n", "\n");
        let code = code.strip_prefix('\n').unwrap_or(&code).trim_end();
        if code.trim().is_empty() {
            return;
        }
        let fence = if code.contains("```") { "````" } else { "```" };
        // Code is not set in: its lines stand as they are.
        let lists = core::mem::take(&mut self.lists);
        self.gap = Gap::Blank;
        self.begin();
        self.out.push_str(&format!("{fence}{language}\n{code}\n{fence}"));
        self.gap = Gap::Blank;
        self.lists = lists;
    }

    /// Writes a marker in the place of a region.
    fn leave_out(&mut self, token: &Token, tag: Tag, tally: Tally, end: u32) {
        self.end_link();
        self.flush(token.span.start);
        let mut name: String = match tag {
            Tag::Select => "selection".into(),
            _ => token.name(self.text).to_ascii_lowercase(),
        };
        if let Some(action) =
            token.attribute(self.text, "action").filter(|to| tag == Tag::Form && to.len() <= 80)
        {
            name.push_str(" to ");
            decode(action, &mut name);
        }
        let mut parts = Vec::new();
        for (n, noun) in [
            (tally.n_links, "link"),
            (tally.n_fields - u32::from(tag == Tag::Select), "field"),
            (tally.n_choices, "choice"),
        ] {
            if n > 0 {
                parts.push(counted(n, noun));
            }
        }
        let text = format!("{MARKER_OPEN}1 {name} with {} elided]\n", parts.join(", "));
        let of = Span { start: self.chunk_start, end };
        self.pieces.push(Piece::Marker { of, n_units: 0, text });
        self.chunk_start = end;
        self.gap = Gap::Line;
        self.first.get_or_insert(of.start);
    }

    /// Makes what was written a piece that stands for the payload up to `end`.
    fn flush(&mut self, end: u32) {
        if self.out.is_empty() {
            return;
        }
        let mut text = core::mem::take(&mut self.out);
        text.push('\n');
        self.pieces.push(Piece::Recoded { of: Span { start: self.chunk_start, end }, text });
        self.chunk_start = end;
    }

    /// The pieces behind the statement of what went without a marker.
    fn draft(self) -> Draft {
        let mut draft = Draft::new("html", "the page", 0);
        let first = self.first.unwrap_or(0);
        let u = self.unseen;
        let mut text = format!("{MARKER_OPEN}HTML as text; left out: tags and attributes");
        for (n, noun) in [
            (u.n_scripts, "script"),
            (u.n_styles, "style"),
            (u.n_drawings, "drawing"),
            (u.n_templates, "template"),
            (u.n_noscripts, "noscript"),
            (u.n_comments, "comment"),
            (u.n_metadata, "metadata element"),
            (u.n_fields, "field"),
            (u.n_images, "image"),
            (u.n_links, "link without text"),
            (u.n_anchors, "link within the page"),
        ] {
            if n > 0 {
                text.push_str(", ");
                text.push_str(&counted(n, noun));
            }
        }
        text.push_str("]\n");
        let of = Span { start: 0, end: first };
        draft.pieces.push(Piece::Marker { of, n_units: 0, text });
        draft.pieces.extend(self.pieces);
        for piece in draft.pieces.iter_mut().skip(1) {
            let (Piece::Recoded { of, .. } | Piece::Marker { of, .. }) = piece else { continue };
            of.start = of.start.max(first);
        }
        // What closes the page belongs to its last piece.
        if let Some(Piece::Recoded { of, .. } | Piece::Marker { of, .. }) = draft.pieces.last_mut()
        {
            of.end = crate::text::offset(self.text.len());
        }
        draft
    }
}

/// An address without line ends. Data in it is not shown: it is no place.
fn address(href: &str, out: &mut String) {
    let is_data = href.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"));
    let href = if is_data { href.split([',', ';']).next().unwrap_or_default() } else { href };
    for part in href.split(['\n', '\r', '\t']) {
        decode(part, out);
    }
    if is_data {
        out.push('…');
    }
}

fn is_script(href: &str) -> bool {
    href.get(..11).is_some_and(|scheme| scheme.eq_ignore_ascii_case("javascript:"))
}

/// `1 link`, `24 links`, `2 links without text`.
fn counted(n: u32, noun: &str) -> String {
    let (word, rest) = noun.split_once(' ').unwrap_or((noun, ""));
    let plural = if n == 1 || word == "metadata" { "" } else { "s" };
    let rest = if word == "metadata" && n != 1 { "elements" } else { rest };
    let space = if rest.is_empty() { "" } else { " " };
    format!("{n} {word}{plural}{space}{rest}")
}
