//! What the README shows is what the product does.

use crate::{compress, figures, text};
use std::path::Path;

const OPEN: &str = "<!-- example -->\n";
const CLOSE: &str = "<!-- /example -->\n";

/// Rewrites the block with `UPDATE_CASES=1`.
#[test]
fn the_example_is_real() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let payload = std::fs::read(root.join("tests/samples/checkout.log")).expect("the sample");
    let answer = compress(&payload);
    let (before, after) = (answer.tokens_before, answer.tokens_after);
    let percent = answer.ratio() * 100.0;
    let block = format!(
        "```text\n{}```\n\n{before} tokens before, {after} after: {percent:.0} % saved (`o200k_base` counts, savings inferred).\n",
        text(&answer)
    );
    assert!(answer.ratio() > 0.7, "not worth showing: {}", figures(&answer));

    let path = root.join("README.md");
    let readme = std::fs::read_to_string(&path).expect("the README");
    let (head, rest) = readme.split_once(OPEN).expect("the block opens");
    let (shown, tail) = rest.split_once(CLOSE).expect("the block closes");
    #[expect(clippy::disallowed_methods, reason = "the switch of all cases")]
    if std::env::var_os("UPDATE_CASES").is_some() {
        std::fs::write(&path, format!("{head}{OPEN}{block}{CLOSE}{tail}"))
            .expect("README.md is written");
        return;
    }
    assert!(
        shown == block,
        "the example in README.md differs: UPDATE_CASES=1 rewrites it\n{block}"
    );
}
