//! Presentation against an oracle: what `vte` prints of a text with escapes is what unwrapping leaves of it.

use caveman_core::present;
use caveman_tests::random::Random;
use vte::{Params, Parser, Perform};

/// A screen that only remembers what was printed.
#[derive(Default)]
struct Screen {
    text: String,
}

impl Perform for Screen {
    fn print(&mut self, c: char) {
        self.text.push(c);
    }

    fn execute(&mut self, byte: u8) {
        self.text.push(char::from(byte));
    }

    fn csi_dispatch(&mut self, params: &Params, _: &[u8], _: bool, action: char) {
        let column = params.iter().flatten().next().copied().unwrap_or(0);
        if action == 'G' && column <= 1 {
            self.text.push('\r');
        }
    }
}

fn printed(text: &str) -> String {
    let mut screen = Screen::default();
    Parser::new().advance(&mut screen, text.as_bytes());
    screen.text
}

const ESCAPES: &[&str] = &[
    "\u{1b}[m",
    "\u{1b}[0m",
    "\u{1b}[1;38;5;208m",
    "\u{1b}[48;2;1;2;3m",
    "\u{1b}[38:2::1:2:3m",
    "\u{1b}[4:3m",
    "\u{1b}[K",
    "\u{1b}[2K",
    "\u{1b}[G",
    "\u{1b}[1G",
    "\u{1b}[17G",
    "\u{1b}[3A",
    "\u{1b}[10;20H",
    "\u{1b}[?25l",
    "\u{1b}[?2004h",
    "\u{1b}[>4;2m",
    "\u{1b}[!p",
    "\u{1b}[ q",
    "\u{1b}]0;a title é\u{7}",
    "\u{1b}]8;;https://a.example/x\u{1b}\\",
    "\u{1b}]133;A\u{7}",
    "\u{1b}P+q544e\u{1b}\\",
    "\u{1b}_app\u{1b}\\",
    "\u{1b}^private\u{1b}\\",
    "\u{1b}Xstart\u{1b}\\",
    "\u{1b}(B",
    "\u{1b})0",
    "\u{1b}*A",
    "\u{1b}#8",
    "\u{1b}%G",
    "\u{1b} F",
    "\u{1b}N",
    "\u{1b}O",
    "\u{1b}7",
    "\u{1b}8",
    "\u{1b}=",
    "\u{1b}>",
    "\u{1b}c",
    "\u{1b}M",
];

const TEXTS: &[&str] =
    &["pencil", " ", "é", "字", "\n", "\r\n", "\r", "\t", "[m", "]8;;", "a\\b", "✓"];

#[test]
fn what_is_left_is_what_a_terminal_prints() {
    let mut random = Random::new(11);
    for _ in 0..20_000 {
        let mut text = String::from("x");
        for _ in 0..random.range(1, 24) {
            let parts = if random.below(2) == 0 { ESCAPES } else { TEXTS };
            text.push_str(random.pick(parts));
        }
        assert_eq!(present::unwrap(&text).text, printed(&text), "{text:?}");
    }
}

#[test]
fn each_escape_alone_leaves_nothing() {
    for escape in ESCAPES {
        let text = format!("a{escape}b");
        assert_eq!(present::unwrap(&text).text, printed(&text), "{text:?}");
    }
}
