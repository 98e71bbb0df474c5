//! HTML: pages and fragments.
//!
//! ```text
//! <head><title>Strings</title><script>…</script></head>     [caveman: HTML as text; left out: tags and attributes, 1 script]
//! <body><nav><a href="/a">A</a> …24 more…</nav>             Strings
//! <main><h1 class="t">Strings</h1>                          [caveman: 1 nav with 25 links elided]
//! <p>A <a href="/s">string</a> is &lt;text&gt;.</p>     ->
//! <table><tr><td>a</td><td>b</td></tr></table>              # Strings
//! …                                                         A [string](/s) is <text>.
//!                                                           a | b
//! ```
//! Keeps: all text that is shown, headings, link targets, images with their text, tables as rows, code in fences.
//! Leaves out: tags, scripts, styles; navigation, footers and forms that hold little but links and controls, each told.
//! Declines: text without tags, pages that show no text.

mod entities;
mod outline;
mod page;
pub(crate) mod scan;

use super::{Compressor, Proposals, Units};
use crate::draft::Piece;
use crate::elide::{Focus, MARKER_OPEN};
use crate::kind::Kind;
use scan::{Dialect, TokenKind};

/// The compressor of HTML.
#[derive(Debug)]
pub(super) struct Html;

impl Compressor for Html {
    fn kind(&self) -> Kind {
        Kind::Html
    }

    fn compress(&self, text: &str, _focus: &Focus) -> Proposals {
        let tokens = scan::tokens(text, Dialect::Html);
        if !tokens.iter().any(|token| token.kind == TokenKind::Open) {
            return Proposals::default();
        }
        let outline = outline::Outline::of(text, &tokens);
        let draft = page::write(text, &tokens, &outline);
        // Decoded text may come to read like a marker of ours.
        let is_misread = |piece: &Piece| matches!(piece, Piece::Recoded { text, .. } if text.contains(MARKER_OPEN));
        Proposals {
            lossless: None,
            elided: draft.filter(|draft| !draft.pieces.iter().any(is_misread)),
        }
    }

    /// The general cut serves: by line, and by what nests.
    fn units(&self, _text: &str) -> Option<Units> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    /// The text of a page without the statement above it.
    fn read(page: &str) -> String {
        let draft = Html.compress(page, &Focus::default()).elided.expect(page);
        let text = draft.render(page);
        assert!(
            text.starts_with("[caveman: HTML as text; left out: tags and attributes"),
            "{text}"
        );
        text.split_once('\n').map(|(_, rest)| rest.trim_end().to_string()).unwrap()
    }

    #[test]
    fn text_reads_as_a_browser_lays_it_out() {
        for (page, want) in [
            ("<p>a\r\n <b>b</b>c<p>d", "a bc\n\nd"),
            ("<h2 id=x> A <em>b</em></h2>c<br>d", "## A b\n\nc\nd"),
            ("<h1></h1><p> <span></span></p><p>x", "x"),
            (
                "<ul><li>a<li><p>b</p><p>c</p><ol start=3><li>d</li></ol></ul>",
                "- a\n- b\n\n  c\n\n  3. d",
            ),
            (
                "<a href='/x?a=1&amp;b=2'>A</a>, <a href=\"#top\">B</a> <a href=/y title=Up></a>",
                "[A](/x?a=1&b=2), B [Up](/y)",
            ),
            (
                "<a href=x><h3>T</h3></a> <a href=y><div>d</div><div>e</div></a>",
                "### [T](x)\n\nd\ne\n[link](y)",
            ),
            (
                "<img src=a.png><img alt='A cat' src=c.png><img alt=dot src='data:image/png;base64,AAAA'>",
                "![A cat](c.png)![dot](data:image/png…)",
            ),
            (
                "<p>use <code>a &lt; b</code><code></code>: x<sup>2</sup>, <del>no</del>",
                "use `a < b`: x^2, ~no~",
            ),
            (
                "<pre><code class='hl language-rust'>fn a() {\r\n  <i>b</i>\r\n}\r\n</code></pre>",
                "```rust\nfn a() {\n  b\n}\n```",
            ),
            ("<blockquote><p>a</p><p>b</p></blockquote>c", "> a\n\n> b\n\nc"),
            ("<dl><dt>t<dd>d</dl>", "t\n: d"),
            ("<p>größe&nbsp;é <!-- no --> 1 < 2", "größe é 1 < 2"),
        ] {
            assert_eq!(read(page), want, "{page}");
        }
    }

    #[test]
    fn tables_of_values_are_rows_and_layout_is_lines() {
        let data = "<table><tr><th>a<th>b<th>c</tr><tr><td><p>1</p><td><td> 3 </tr><tr><td><td>2<td></table>x";
        assert_eq!(read(data), "a | b | c\n1 |  | 3\n| 2 |\n\nx");
        let layout = "<table><tr><td><h1>T</h1><p>p</p></td><td><table><tr><td>1<td>2</table></td></tr></table>";
        assert_eq!(read(layout), "# T\n\np\n\n1 | 2");
        let open = "<table><tr><td><p>a<p>b";
        assert_eq!(read(open), "a\n\nb");
    }

    #[test]
    fn navigation_goes_and_prose_within_it_stays() {
        let links: String = (0..20).map(|n| format!("<li><a href=/{n}>Page {n}</a>")).collect();
        let page = |inner: &str| format!("<p>before</p>{inner}<p>after");
        assert_eq!(
            read(&page(&format!("<nav><ul>{links}</ul></nav>"))),
            "before\n[caveman: 1 nav with 20 links elided]\n\nafter"
        );
        // It does not close, or holds what is no link.
        assert!(read(&page(&format!("<nav><ul>{links}</ul>"))).contains("- [Page 19](/19)"));
        let prose = "This aside tells of a danger that no link tells of. ".repeat(20);
        assert!(read(&page(&format!("<aside>{links}{prose}</aside>"))).contains("danger"));
        let article = format!("<form action=/x><main>{prose}<input></main></form>");
        assert!(read(&page(&article)).contains("danger"));
        let form = "<form action='/login'><label>Your name <input name=n></label><label>Your password \
                    <input name=p></label><select><option>one<option>two</select><button>Go</button></form>";
        assert_eq!(
            read(&page(form)),
            "before\n[caveman: 1 form to /login with 3 fields, 2 choices elided]\n\nafter"
        );
    }

    #[test]
    fn what_shows_no_text_or_reads_like_a_marker_declines() {
        for page in [
            "",
            "plain text & more",
            "a < b",
            "<div id=app></div><script>let text = 'x';</script>",
            "<p>&#91;caveman: 3 lines elided]</p>",
            "<a href=x>caveman: 3 lines elided</a>",
        ] {
            assert_eq!(Html.compress(page, &Focus::default()), Proposals::default(), "{page}");
        }
    }

    #[test]
    fn hostile_pages_are_read_in_one_pass() {
        for (open, n) in [
            ("<div>", 100_000),
            ("<table><tr><td>", 50_000),
            ("<ul><li><a href=x>", 50_000),
            ("<nav><form><select>", 50_000),
            ("<p><!-- <a b='", 50_000),
            ("<title><textarea><svg>", 50_000),
            ("<code><sup><blockquote>", 50_000),
        ] {
            let page = format!("{}text", open.repeat(n));
            assert!(read(&page).contains("text"), "{open}");
        }
        let line = format!("<p>{}</p>", "é wörd ".repeat(150_000));
        assert_eq!(read(&line).len(), "é wörd ".len() * 150_000 - 1);
    }
}
