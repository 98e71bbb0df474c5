// A table of keywords: for def in class import from print elif except.
const WORDS: &[&str] = &["for", "def", "in", "class", "import"];

/// for def in the list
fn find(word: &str) -> Option<usize> {
    for def in WORDS {
        if *def == word {
            return WORDS.iter().position(|w| w == def);
        }
    }
    None
}

fn python() -> &'static str {
    r#"
def f(x):
    for y in x:
        print(y)
"#
}
