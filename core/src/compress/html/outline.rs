//! The outline of a page: what each tag means, which regions hold no content, which tables are data.
//!
//! A region (navigation, footer, aside, form, long selection) holds no content when nearly all of its text stands in links
//! and controls, and no heading of the page, article or code stands in it. A region that does not close is read as content.

use super::scan::{Token, TokenKind};
use crate::order;
use crate::prelude::*;

/// What a tag means to a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    /// Inline, or unknown: it says nothing of lines.
    Inline,
    /// A line of its own.
    Line,
    /// A paragraph of its own.
    Block,
    Break,
    Rule,
    Heading(u8),
    Link,
    Image,
    Media,
    Code,
    Deleted,
    Above,
    Below,
    Pre,
    List,
    Numbered,
    Item,
    Term,
    Definition,
    Quote,
    Table,
    Row,
    Cell,
    Main,
    Nav,
    Footer,
    Aside,
    Form,
    Select,
    Choice,
    Label,
    Field,
    Button,
    Script,
    Style,
    Svg,
    NoScript,
    Template,
    Metadata,
}

/// Longest name that means something: `figcaption`, `blockquote`.
const MAX_NAME: usize = 10;

impl Tag {
    pub(super) fn of(name: &str) -> Tag {
        let mut lower = [0_u8; MAX_NAME];
        let Some(lower) = lower.get_mut(..name.len()) else { return Tag::Inline };
        lower.copy_from_slice(name.as_bytes());
        lower.make_ascii_lowercase();
        match &*lower {
            b"div" | b"summary" => Tag::Line,
            b"label" | b"legend" => Tag::Label,
            b"option" => Tag::Choice,
            b"p" | b"section" | b"header" | b"figure" | b"figcaption" | b"address" | b"details"
            | b"fieldset" | b"caption" | b"body" | b"dl" | b"center" | b"title" | b"dialog"
            | b"hgroup" | b"menu" => Tag::Block,
            b"br" => Tag::Break,
            b"hr" => Tag::Rule,
            [b'h', level @ b'1'..=b'6'] => Tag::Heading(level - b'0'),
            b"a" => Tag::Link,
            b"img" => Tag::Image,
            b"iframe" | b"video" | b"audio" | b"embed" | b"source" => Tag::Media,
            b"code" | b"samp" | b"tt" => Tag::Code,
            b"del" | b"s" | b"strike" => Tag::Deleted,
            b"sup" => Tag::Above,
            b"sub" => Tag::Below,
            b"pre" | b"listing" | b"xmp" => Tag::Pre,
            b"ul" => Tag::List,
            b"ol" => Tag::Numbered,
            b"li" => Tag::Item,
            b"dt" => Tag::Term,
            b"dd" => Tag::Definition,
            b"blockquote" => Tag::Quote,
            b"table" => Tag::Table,
            b"tr" => Tag::Row,
            b"td" | b"th" => Tag::Cell,
            b"main" | b"article" => Tag::Main,
            b"nav" => Tag::Nav,
            b"footer" => Tag::Footer,
            b"aside" => Tag::Aside,
            b"form" => Tag::Form,
            b"select" => Tag::Select,
            b"input" | b"textarea" => Tag::Field,
            b"button" => Tag::Button,
            b"script" => Tag::Script,
            b"style" => Tag::Style,
            b"svg" => Tag::Svg,
            b"noscript" => Tag::NoScript,
            b"template" => Tag::Template,
            b"meta" | b"link" | b"base" => Tag::Metadata,
            _ => Tag::Inline,
        }
    }

    /// Where regions of this tag are kept; `None` for tags that open none.
    fn region(self) -> Option<usize> {
        const REGIONS: [Tag; 10] = [
            Tag::Nav,
            Tag::Footer,
            Tag::Aside,
            Tag::Form,
            Tag::Select,
            Tag::Table,
            Tag::Svg,
            Tag::NoScript,
            Tag::Template,
            Tag::Pre,
        ];
        REGIONS.iter().position(|tag| *tag == self)
    }

    /// Whether what it holds is never shown as text.
    fn is_unseen(self) -> bool {
        matches!(self, Tag::Svg | Tag::NoScript | Tag::Template)
    }

    /// Whether a table that holds it is layout: its cells are no values.
    fn is_structure(self) -> bool {
        matches!(
            self,
            Tag::Heading(_)
                | Tag::Table
                | Tag::Pre
                | Tag::Main
                | Tag::Nav
                | Tag::Form
                | Tag::Select
                | Tag::Footer
                | Tag::Aside
        )
    }
}

/// What becomes of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// Not a region, or one that is read as content.
    Read,
    /// A table whose cells are values.
    Data,
    /// Never shown as text: a drawing, a template.
    Unseen,
    /// Navigation and the like, told of by a marker.
    LeftOut(Tally),
}

/// What a region holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) n_links: u32,
    pub(super) n_fields: u32,
    pub(super) n_choices: u32,
    /// Bytes of text in links and controls.
    linked: u32,
    /// Bytes of other text.
    plain: u32,
    /// Headings of the page, articles, code.
    n_content: u32,
    /// What makes a table layout.
    n_structure: u32,
    n_paragraphs: u32,
    n_cells: u32,
}

impl Tally {
    fn since(self, start: Tally) -> Tally {
        Tally {
            n_links: self.n_links - start.n_links,
            n_fields: self.n_fields - start.n_fields,
            n_choices: self.n_choices - start.n_choices,
            linked: self.linked.saturating_sub(start.linked),
            plain: self.plain.saturating_sub(start.plain),
            n_content: self.n_content - start.n_content,
            n_structure: self.n_structure - start.n_structure,
            n_paragraphs: self.n_paragraphs - start.n_paragraphs,
            n_cells: self.n_cells - start.n_cells,
        }
    }

    /// Whether the cells of a table are values: short, at most a paragraph each, nothing of the page's structure in them.
    /// More than 400 bytes a cell is layout: our choice.
    fn is_data(self) -> bool {
        // The table itself is counted.
        self.n_structure <= 1
            && self.n_paragraphs <= self.n_cells
            && self.plain + self.linked <= self.n_cells.saturating_mul(400)
    }

    /// Text of fewer bytes costs no more than the marker that would stand for it. Our choice.
    const MIN_BYTES: u32 = 80;

    /// Whether a region of this tally holds links and controls and next to nothing else: at most a third of its text, as much
    /// as labels and separators come to. Our choice.
    fn is_left_out(self) -> bool {
        let n_parts = self.n_links + self.n_fields + self.n_choices;
        self.n_content == 0
            && n_parts > 0
            && self.plain * 2 <= self.linked
            && self.linked + self.plain + self.n_links * 20 + self.n_fields * 20 >= Self::MIN_BYTES
    }
}

/// What each token of a page means.
pub(super) struct Outline {
    pub(super) tags: Vec<Tag>,
    /// For the opening tag of each region, its closing token and its fate, in order of opening.
    regions: Vec<(u32, u32, Fate)>,
}

impl Outline {
    pub(super) fn of(text: &str, tokens: &[Token]) -> Outline {
        let mut walk = Walk::default();
        let mut tags = Vec::with_capacity(tokens.len());
        for (token, at) in tokens.iter().zip(0_u32..) {
            let tag = match token.kind {
                TokenKind::Open | TokenKind::Empty | TokenKind::Close => Tag::of(token.name(text)),
                _ => Tag::Inline,
            };
            tags.push(tag);
            match token.kind {
                TokenKind::Text => walk.text(token.span.of(text)),
                TokenKind::Open => walk.open(tag, at),
                TokenKind::Empty => walk.count(tag),
                TokenKind::Close => walk.close(tag, at),
                _ => {}
            }
        }
        order::sort_by_key(&mut walk.regions, |(open, _, _)| *open);
        Outline { tags, regions: walk.regions }
    }

    /// The closing token and the fate of the region that opens at this token.
    pub(super) fn region(&self, open: usize) -> Option<(usize, Fate)> {
        let open = crate::text::offset(open);
        let at = self.regions.binary_search_by_key(&open, |(open, _, _)| *open).ok()?;
        self.regions.get(at).map(|(_, close, fate)| (*close as usize, *fate))
    }
}

#[derive(Default)]
struct Walk {
    tally: Tally,
    /// Open regions of each tag.
    open: [Vec<(u32, Tally)>; 10],
    regions: Vec<(u32, u32, Fate)>,
    /// Bytes of text since a link opened; `None` outside of links.
    in_link: Option<u32>,
    n_controls: u32,
}

impl Walk {
    fn text(&mut self, text: &str) {
        let n = crate::text::offset(text.trim_ascii().len());
        if self.n_controls > 0 {
            self.tally.linked += n;
        } else if let Some(in_link) = &mut self.in_link {
            *in_link += n;
        } else {
            self.tally.plain += n;
        }
    }

    /// The text of a link counts as linked only when the link closes before the next one opens.
    fn end_link(&mut self, tag_closes: bool) {
        let n = self.in_link.take().unwrap_or(0);
        if tag_closes {
            self.tally.linked += n;
            self.tally.n_links += u32::from(n > 0);
        } else {
            self.tally.plain += n;
        }
    }

    fn count(&mut self, tag: Tag) {
        match tag {
            Tag::Field => self.tally.n_fields += 1,
            Tag::Choice => self.tally.n_choices += 1,
            Tag::Block => self.tally.n_paragraphs += 1,
            Tag::Cell => self.tally.n_cells += 1,
            Tag::Heading(1) | Tag::Main | Tag::Pre => self.tally.n_content += 1,
            _ => {}
        }
        self.tally.n_structure += u32::from(tag.is_structure());
    }

    fn open(&mut self, tag: Tag, at: u32) {
        if let Some(open) = tag.region().and_then(|region| self.open.get_mut(region)) {
            open.push((at, self.tally));
        }
        self.count(tag);
        match tag {
            Tag::Link => {
                self.end_link(false);
                self.in_link = Some(0);
            }
            Tag::Select => {
                self.tally.n_fields += 1;
                self.n_controls += 1;
            }
            Tag::Button | Tag::Label => self.n_controls += 1,
            // One that does not close ends here.
            Tag::Block | Tag::Heading(_) | Tag::Main => self.n_controls = 0,
            _ => {}
        }
    }

    fn close(&mut self, tag: Tag, at: u32) {
        match tag {
            Tag::Link if self.in_link.is_some() => self.end_link(true),
            Tag::Select | Tag::Button | Tag::Label => {
                self.n_controls = self.n_controls.saturating_sub(1)
            }
            _ => {}
        }
        let Some((open, start)) =
            tag.region().and_then(|region| self.open.get_mut(region)).and_then(Vec::pop)
        else {
            return;
        };
        let tally = self.tally.since(start);
        let fate = match tag {
            _ if tag.is_unseen() => Fate::Unseen,
            Tag::Table if tally.is_data() => Fate::Data,
            Tag::Table | Tag::Pre => Fate::Read,
            _ if tally.is_left_out() => Fate::LeftOut(tally),
            _ => Fate::Read,
        };
        self.regions.push((open, at, fate));
    }
}
