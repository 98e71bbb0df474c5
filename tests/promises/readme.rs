//! What the README shows is what the product does.

use crate::{compress, figures, text};
use caveman_tests::payloads::samples;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The block `name` of a document reads as `made`; `UPDATE_CASES=1` rewrites it.
#[track_caller]
fn check_block(document: &str, name: &str, made: &str) {
    let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->\n"));
    let path = root().join(document);
    let readme = std::fs::read_to_string(&path).expect(document);
    let (head, rest) = readme.split_once(&open).expect("the block opens");
    let (shown, tail) = rest.split_once(&close).expect("the block closes");
    #[expect(clippy::disallowed_methods, reason = "the switch of all cases")]
    if std::env::var_os("UPDATE_CASES").is_some() {
        std::fs::write(&path, format!("{head}{open}{made}{close}{tail}")).expect(document);
        return;
    }
    assert!(shown == made, "{name} in {document} differs: UPDATE_CASES=1 rewrites it\n{made}");
}

#[test]
fn the_blocks_are_real() {
    let payload = std::fs::read(root().join("tests/samples/checkout.log")).expect("the sample");
    let answer = compress(&payload);
    let (before, after) = (answer.tokens_before, answer.tokens_after);
    let percent = answer.ratio() * 100.0;
    assert!(answer.ratio() > 0.7, "not worth showing: {}", figures(&answer));
    let example = format!(
        "```text\n{}```\n\n{before} tokens before, {after} after: {percent:.0} % saved (`o200k_base` counts, savings inferred).\n",
        text(&answer)
    );
    check_block("README.md", "example", &example);
    check_block("docs/markers.md", "marker example", &format!("```text\n{}```\n", text(&answer)));

    let mut table =
        "| Sample | Kind | Tokens before | after | saved |\n|---|---|--:|--:|--:|\n".to_owned();
    for (name, made) in samples() {
        let answer = compress(made.as_bytes());
        let (kind, percent) = (answer.content_type.name(), answer.ratio() * 100.0);
        let (before, after) = (answer.tokens_before, answer.tokens_after);
        table += &format!("| `{name}` | {kind} | {before} | {after} | {percent:.0} % |\n");
    }
    check_block("README.md", "savings", &table);
}
