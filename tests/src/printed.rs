//! Units of what tools print and people write: reports, diffs, configuration, pages, source code. See [`crate::payloads`].

use crate::random::Random;

const NAMES: &[&str] = &["cart", "stock", "order", "mail", "session", "invoice", "price", "label"];

/// A block of a YAML file of services.
pub(crate) fn service(random: &mut Random, at: u64) -> String {
    format!(
        "  {name}-{at}:\n    image: registry.example/{name}:1.{}.0\n    replicas: {}\n    ports:\n      - 8080\n    env:\n      LOG_LEVEL: info\n      REGION: eu-1\n",
        random.below(9),
        random.range(1, 4),
        name = random.pick(NAMES),
    )
}

/// An entry of a `Cargo.lock`.
pub(crate) fn locked(random: &mut Random, at: u64) -> String {
    format!(
        "[[package]]\nname = \"{}-{at}\"\nversion = \"{}.{}.{}\"\nsource = \"registry+https://example.org/index\"\nchecksum = \"{}\"\n\n",
        random.pick(NAMES),
        random.below(4),
        random.below(20),
        random.below(9),
        random.hex(64),
    )
}

/// A function in Rust with its documentation.
pub(crate) fn function(random: &mut Random, at: u64) -> String {
    let (name, other) = (random.pick(NAMES), random.pick(NAMES));
    let mut body = String::new();
    for line in 0..random.range(4, 18) {
        body.push_str(&format!(
            "    let {name}_{line} = {other}.get({}).map(|x| x + {}).unwrap_or(0);\n",
            random.below(90),
            random.below(9)
        ));
    }
    format!(
        "/// Gives the {name} of a {other}.\npub fn {name}_{at}({other}: &Table, limit: u32) -> u64 {{\n{body}    {name}_0\n}}\n\n"
    )
}

/// A file of a unified diff with two hunks.
pub(crate) fn changed_file(random: &mut Random, at: u64) -> String {
    let path = format!("src/{}/file_{at}.rs", random.pick(NAMES));
    let mut out = format!(
        "diff --git a/{path} b/{path}\nindex {}..{} 100644\n--- a/{path}\n+++ b/{path}\n",
        random.hex(7),
        random.hex(7)
    );
    for hunk in 0..2 {
        let line = 10 + hunk * 40;
        out.push_str(&format!("@@ -{line},7 +{line},7 @@ fn {}()\n", random.pick(NAMES)));
        let context = |n: u64| format!("     let value_{n} = next(&mut input);\n");
        (0..3).for_each(|n| out.push_str(&context(n)));
        let (before, after) = (random.below(900), random.below(900));
        out.push_str(&format!("-    total += {before};\n+    total += {after};\n"));
        (3..6).for_each(|n| out.push_str(&context(n)));
    }
    out
}

/// A section of a page: a heading, a paragraph, a row of links.
pub(crate) fn section(random: &mut Random, at: u64) -> String {
    let (name, other) = (random.pick(NAMES), random.pick(NAMES));
    format!(
        "<section id=\"s{at}\" class=\"block wide\"><h2>About {name} {at}</h2>\n<p>Each <a href=\"/docs/{name}\">{name}</a> has a <b>{other}</b> with {} parts &amp; more.</p>\n<ul class=\"links\"><li><a href=\"/a/{at}\">first</a></li><li><a href=\"/b/{at}\">second</a></li></ul></section>\n",
        random.below(900)
    )
}

/// An element of an XML list.
pub(crate) fn item(random: &mut Random, at: u64) -> String {
    format!(
        "  <item id=\"{at}\" state=\"open\"><title>{} of {}</title><price currency=\"EUR\">{}.50</price><tags><tag>new</tag></tags></item>\n",
        random.pick(NAMES),
        random.pick(NAMES),
        random.below(900)
    )
}

/// A section of a Markdown document.
pub(crate) fn chapter(random: &mut Random, at: u64) -> String {
    let (name, other) = (random.pick(NAMES), random.pick(NAMES));
    format!(
        "## {at}. The {name}\n\nA {name} belongs to one {other} and is kept for {} days. See [its page](docs/{name}.md).\n\n- the first {other}\n- the second {other}, `{name}_{at}`\n\n```sh\nmake {name} COUNT={}\n```\n\n",
        random.below(90),
        random.below(90)
    )
}

/// A command in a terminal whose progress is drawn over itself.
pub(crate) fn command(random: &mut Random, at: u64) -> String {
    let name = random.pick(NAMES);
    let frames: String =
        (0..12).map(|n| format!("\rfetching {name} [{:<12}] {}%", "#".repeat(n), n * 8)).collect();
    format!(
        "$ fetch {name} --id {at}\n{frames}\rfetched {name} in {} ms      \n",
        random.below(900)
    )
}

/// A test of `cargo test`.
pub(crate) fn passed_test(random: &mut Random, at: u64) -> String {
    format!("test {}::tests::{}_case_{at} ... ok\n", random.pick(NAMES), random.pick(NAMES))
}

/// A warning of a compiler.
pub(crate) fn warning(random: &mut Random, at: u64) -> String {
    let name = random.pick(NAMES);
    format!(
        "warning: unused variable: `{name}`\n  --> src/{}/file_{}.rs:{}:9\n   |\n{:<3}|     let {name} = {at};\n   |         ^^^^ help: if this is intentional, prefix it with an underscore: `_{name}`\n\n",
        random.pick(NAMES),
        at / 4,
        1 + at % 90,
        1 + at % 90,
    )
}

/// A commit of `git log`.
pub(crate) fn commit(random: &mut Random, at: u64) -> String {
    format!(
        "commit {}\nAuthor: Ada Berg <ada@example.org>\nDate:   Mon Mar {} 10:{:02}:00 2026 +0100\n\n    Change the {} of the {} ({at})\n\n",
        random.hex(40),
        1 + at % 28,
        at % 60,
        random.pick(NAMES),
        random.pick(NAMES)
    )
}
