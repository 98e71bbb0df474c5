… [caveman: 2 items between] …
/// Reads one header.
///
/// A line that has no colon is no header.
pub fn parse_header(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once(':')?;
    (!name.is_empty()).then(|| (name.trim(), value.trim()))
}
… [caveman: 8 items between] …
1 of 5 matching units shown
