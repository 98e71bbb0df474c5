//! Reads headers.

use std::collections::BTreeMap;

/// Reads one header.
///
/// A line that has no colon is no header.
pub fn parse_header(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once(':')?;
    (!name.is_empty()).then(|| (name.trim(), value.trim()))
}

/// All headers; parse_header reads each, and where parse_header fails the line is left out.
pub fn parse_all(text: &str) -> BTreeMap<&str, &str> {
    let mut out = BTreeMap::new();
    for line in text.lines() {
        if let Some((name, value)) = parse_header(line) {
            out.insert(name, value);
        }
    }
    out
}

/// A reader of parse_header's headers.
pub struct Reader<'t> {
    text: &'t str,
}

impl<'t> Reader<'t> {
    /// Opens a text.
    pub fn open(text: &'t str) -> Reader<'t> {
        assert!(!text.is_empty(), "parse_header needs a line");
        Reader { text }
    }

    /// The first header.
    pub fn first(&self) -> Option<(&'t str, &'t str)> {
        self.text.lines().find_map(parse_header)
    }
}

impl Iterator for Reader<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let first = self.first()?;
        println!("first of {}", first.0);
        Some(first.0.len())
    }
}
