//! Edits of JSON with comments by span: what is put in stands alone, every other byte stays where it was.
//!
//! New children go to the end of their container, in the indentation and the line ends that the document has. Taking
//! them out again takes the comma with them that they brought.

use super::EditError;
use caveman_core::json::{self, JsonKind, Tape, Value, write_string};

/// A value to put into a document.
#[derive(Clone, Debug)]
pub(super) enum Json {
    Text(String),
    Number(u64),
    True,
    List(Vec<Json>),
    Object(Vec<(&'static str, Json)>),
}

/// A text with the mark that some editors begin a file with.
const BOM: char = '\u{feff}';

/// Splits the byte order mark off.
fn bare(text: &str) -> (&str, &str) {
    let bare = text.trim_start_matches(BOM);
    (text.get(..text.len() - bare.len()).unwrap_or_default(), bare)
}

/// Reads a document, or says where it is broken.
pub(super) fn read(text: &str) -> Result<Tape<'_>, EditError> {
    let (_, bare) = bare(text);
    let tape = json::read_relaxed(bare).map_err(|error| {
        let before = bare.get(..error.at as usize).unwrap_or(bare);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        EditError::broken(format!("line {line}, column {column}: {}", error.what))
    })?;
    if tape.root().kind() != JsonKind::Object {
        return Err(EditError::broken("it is not a JSON object".to_owned()));
    }
    Ok(tape)
}

/// The value of the last member of that name: the one that counts where a name stands twice.
fn member<'a>(object: Value<'a>, key: &str) -> Option<Value<'a>> {
    object.members().filter(|(name, _)| name.is_str(key)).last().map(|(_, value)| value)
}

/// The value at the end of a path.
pub(super) fn get<'a>(root: Value<'a>, path: &[&str]) -> Option<Value<'a>> {
    path.iter().try_fold(root, |value, key| member(value, key))
}

/// Where new text goes.
struct Edit {
    start: usize,
    end: usize,
    text: String,
}

fn applied(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|edit| edit.start);
    let (mut out, mut at) = (String::with_capacity(text.len() + 256), 0);
    for edit in edits {
        out.push_str(text.get(at..edit.start).unwrap_or_default());
        out.push_str(&edit.text);
        at = edit.end.max(at);
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

/// How a document is laid out.
struct Style<'t> {
    text: &'t str,
    eol: &'static str,
    unit: String,
}

impl<'t> Style<'t> {
    fn of(text: &'t str, root: Value<'_>) -> Style<'t> {
        let eol = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let first = root.members().next().map(|(key, _)| key.span().start as usize);
        let unit = first.and_then(|at| own_indent(text, at)).filter(|unit| !unit.is_empty());
        Style { text, eol, unit: unit.unwrap_or("  ").to_owned() }
    }

    /// A child as it stands at `indent`; on one line where `is_inline`.
    fn child(&self, key: Option<&str>, value: &Json, indent: &str, is_inline: bool) -> String {
        let mut out = String::new();
        if let Some(key) = key {
            write_string(key, &mut out);
            out.push_str(": ");
        }
        self.value(value, indent, is_inline, &mut out);
        out
    }

    fn value(&self, value: &Json, indent: &str, is_inline: bool, out: &mut String) {
        match value {
            Json::Text(text) => write_string(text, out),
            Json::Number(number) => out.push_str(&number.to_string()),
            Json::True => out.push_str("true"),
            // Lists of texts are short: they stay on a line.
            Json::List(items) => {
                let is_flat = is_inline || items.iter().all(|item| matches!(item, Json::Text(_)));
                let items = items.iter().map(|item| (None, item));
                self.container(items, ('[', ']'), indent, is_flat, out);
            }
            Json::Object(members) => {
                let members = members.iter().map(|(key, value)| (Some(*key), value));
                self.container(members, ('{', '}'), indent, is_inline, out);
            }
        }
    }

    fn container<'j>(
        &self,
        children: impl Iterator<Item = (Option<&'j str>, &'j Json)>,
        (open, close): (char, char),
        indent: &str,
        is_inline: bool,
        out: &mut String,
    ) {
        let inner = format!("{indent}{}", self.unit);
        out.push(open);
        for (at, (key, value)) in children.enumerate() {
            out.push_str(match (at, is_inline) {
                (0, _) => "",
                (_, true) => ", ",
                (_, false) => ",",
            });
            if !is_inline {
                out.push_str(self.eol);
                out.push_str(&inner);
            }
            out.push_str(&self.child(key, value, &inner, is_inline));
        }
        if !is_inline {
            out.push_str(self.eol);
            out.push_str(indent);
        }
        out.push(close);
    }

    /// The edits that append a child to a container.
    fn append(&self, container: Value<'_>, key: Option<&str>, value: &Json) -> Vec<Edit> {
        let (start, end) = (container.span().start as usize, container.span().end as usize);
        let outer = line_indent(self.text, start);
        let (inner_start, inner_end) = (start + 1, end.saturating_sub(1));
        let inner = self.text.get(inner_start..inner_end).unwrap_or_default();
        let Some((child_start, child_end)) = children(container).last().copied() else {
            let indent = format!("{outer}{}", self.unit);
            let child = self.child(key, value, &indent, false);
            let text = format!("{}{indent}{child}", self.eol);
            if inner.contains('\n') {
                let at = inner_start + inner.trim_end().len();
                return vec![Edit { start: at, end: at, text }];
            }
            // `{ /* nothing yet */ }` keeps its comment.
            let at = inner_start + inner.trim_end().len();
            return vec![Edit {
                start: at,
                end: inner_end,
                text: format!("{text}{}{outer}", self.eol),
            }];
        };
        let is_inline = !inner.contains('\n');
        let indent = own_indent(self.text, child_start)
            .map_or_else(|| format!("{outer}{}", self.unit), str::to_owned);
        let child = self.child(key, value, &indent, is_inline);
        let lead = if is_inline { " ".to_owned() } else { format!("{}{indent}", self.eol) };
        let comma = comma_between(self.text, child_end, inner_end);
        let at = comma.map_or(child_end, |comma| comma + 1);
        // A comment behind the last child on its line stays with it.
        let line_end = line_end(self.text, at).min(inner_end);
        let behind = self.text.get(at..line_end).unwrap_or_default();
        let put_at = if behind.trim().is_empty() { at } else { line_end };
        match comma {
            Some(_) => vec![Edit { start: put_at, end: put_at, text: format!("{lead}{child},") }],
            None if put_at == at => {
                vec![Edit { start: at, end: at, text: format!(",{lead}{child}") }]
            }
            None => vec![
                Edit { start: at, end: at, text: ",".to_owned() },
                Edit { start: put_at, end: put_at, text: format!("{lead}{child}") },
            ],
        }
    }
}

/// The children of a container from key to value.
fn children(container: Value<'_>) -> Vec<(usize, usize)> {
    let elements =
        container.elements().map(|value| (value.span().start as usize, value.span().end as usize));
    let members = container
        .members()
        .map(|(key, value)| (key.span().start as usize, value.span().end as usize));
    elements.chain(members).collect()
}

/// The white space before `at`, if its line holds nothing else before it.
fn own_indent(text: &str, at: usize) -> Option<&str> {
    let before = text.get(..at)?;
    let line = before.rsplit_once('\n').map(|(_, line)| line)?;
    line.trim_start().is_empty().then_some(line)
}

/// The white space that the line of `at` begins with.
fn line_indent(text: &str, at: usize) -> &str {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    line.get(..line.len() - line.trim_start().len()).unwrap_or_default()
}

/// Where the line of `at` ends, its line end not counted.
fn line_end(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    let line = rest.split('\n').next().unwrap_or_default();
    at + line.strip_suffix('\r').unwrap_or(line).len()
}

/// The first comma outside comments; between two values there is nothing else that could hold one.
fn comma_between(text: &str, from: usize, to: usize) -> Option<usize> {
    let mut at = from;
    while at < to {
        let rest = text.get(at..to)?;
        let first = rest.chars().next()?;
        if first == ',' {
            return Some(at);
        }
        at += if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            first.len_utf8()
        };
    }
    None
}

/// Sets the value at `path`, making the objects on the way.
pub(super) fn put(text: &str, path: &[&'static str], value: &Json) -> Result<String, EditError> {
    edit(
        text,
        path,
        |style, container, key, old| match old {
            Some(old) => {
                let indent = line_indent(style.text, old.span().start as usize);
                let is_inline = !old.text().contains('\n')
                    && children(container).len() > 1
                    && !container.text().contains('\n');
                let mut text = String::new();
                style.value(value, indent, is_inline, &mut text);
                Ok(vec![Edit {
                    start: old.span().start as usize,
                    end: old.span().end as usize,
                    text,
                }])
            }
            None => Ok(style.append(container, Some(key), value)),
        },
        |rest| nested(rest, value.clone()),
    )
}

/// Appends an element to the array at `path`, making the containers on the way.
pub(super) fn push(text: &str, path: &[&'static str], value: &Json) -> Result<String, EditError> {
    edit(
        text,
        path,
        |style, container, key, old| match old {
            Some(old) if old.kind() == JsonKind::Array => Ok(style.append(old, None, value)),
            Some(_) => Err(EditError::broken(format!("\"{key}\" in it is not a list"))),
            None => Ok(style.append(container, Some(key), &Json::List(vec![value.clone()]))),
        },
        |rest| nested(rest, Json::List(vec![value.clone()])),
    )
}

/// `value` within objects of these names.
fn nested(path: &[&'static str], value: Json) -> Json {
    path.iter().rev().fold(value, |value, key| Json::Object(vec![(*key, value)]))
}

/// Walks to the object that holds the last key of `path`. `there` is given that object; where the walk ends before it,
/// what `missing` makes of the rest of the path is appended.
fn edit(
    text: &str,
    path: &[&'static str],
    there: impl FnOnce(
        &Style<'_>,
        Value<'_>,
        &'static str,
        Option<Value<'_>>,
    ) -> Result<Vec<Edit>, EditError>,
    missing: impl FnOnce(&[&'static str]) -> Json,
) -> Result<String, EditError> {
    let (mark, bare) = bare(text);
    if bare.trim().is_empty() {
        // Nothing yet: a document of our own, in front of whatever white space there is.
        let tape = read("{}")?;
        let style = Style {
            text: "{}",
            eol: if bare.contains("\r\n") { "\r\n" } else { "\n" },
            unit: "  ".to_owned(),
        };
        let Some((first, rest)) = path.split_first() else { return Ok(text.to_owned()) };
        let document = applied("{}", style.append(tape.root(), Some(first), &missing(rest)));
        return Ok(format!("{mark}{document}{}", if bare.is_empty() { style.eol } else { bare }));
    }
    let tape = read(text)?;
    let style = Style::of(bare, tape.root());
    let mut container = tape.root();
    for (at, key) in path.iter().enumerate() {
        let (found, rest) = (member(container, key), path.get(at + 1..).unwrap_or_default());
        if rest.is_empty() {
            return Ok(format!("{mark}{}", applied(bare, there(&style, container, key, found)?)));
        }
        match found {
            Some(value) if value.kind() == JsonKind::Object => container = value,
            Some(_) => return Err(EditError::broken(format!("\"{key}\" in it is not an object"))),
            None => {
                let edits = style.append(container, Some(key), &missing(rest));
                return Ok(format!("{mark}{}", applied(bare, edits)));
            }
        }
    }
    Ok(text.to_owned())
}

/// Takes the member at `path` out, and the objects that held nothing else and are not in `before`, the document as it was
/// once. `None` when there is none.
pub(super) fn remove(text: &str, path: &[&str], before: &str) -> Result<Option<String>, EditError> {
    let tape = read(text)?;
    if get(tape.root(), path).is_none() {
        return Ok(None);
    }
    let (key, holders) = path.split_last().unwrap_or((&"", &[]));
    let is_ours = |_: Value<'_>, name: &str| name == *key;
    Ok(Some(without(text, holders, &is_ours, before)?))
}

/// Takes the elements of the array at `path` out that `is_ours` names. `None` when there are none.
pub(super) fn remove_elements(
    text: &str,
    path: &[&str],
    is_ours: &dyn Fn(Value<'_>) -> bool,
    before: &str,
) -> Result<Option<String>, EditError> {
    let mut text = text.to_owned();
    let mut is_changed = false;
    loop {
        let tape = read(&text)?;
        let found = get(tape.root(), path).and_then(|list| list.elements().position(is_ours));
        let Some(at) = found else { return Ok(is_changed.then_some(text)) };
        let at_index = |value: Value<'_>, _: &str| {
            get(tape.root(), path)
                .and_then(|list| list.elements().nth(at))
                .is_some_and(|element| element.span() == value.span())
        };
        text = without(&text, path, &at_index, before)?;
        is_changed = true;
    }
}

/// The document without one child of the container at `path`; without the container, when that was all it held and
/// `before` does not know it.
fn without(
    text: &str,
    path: &[&str],
    is_child: &dyn Fn(Value<'_>, &str) -> bool,
    before: &str,
) -> Result<String, EditError> {
    let (mark, bare) = bare(text);
    let tape = read(text)?;
    let Some(container) = get(tape.root(), path) else { return Ok(text.to_owned()) };
    let spans = children(container);
    let names = container.members().map(|(key, value)| (value, key.as_str().unwrap_or_default()));
    let values = container.elements().map(|value| (value, Default::default()));
    let Some(index) = values.chain(names).position(|(value, name)| is_child(value, &name)) else {
        return Ok(text.to_owned());
    };
    if spans.len() == 1
        && let Some((key, holders)) = path.split_last()
    {
        let known = read(before).ok().is_some_and(|tape| get(tape.root(), path).is_some());
        if !known {
            return without(text, holders, &|_, name| name == *key, before);
        }
    }
    let inner_end = (container.span().end as usize).saturating_sub(1);
    let Some((start, end)) = spans.get(index).copied() else { return Ok(text.to_owned()) };
    let head = bare.get(..start).unwrap_or_default().trim_end().len();
    let mut edits = Vec::new();
    let next = spans.get(index + 1).map_or(inner_end, |(start, _)| *start);
    match comma_between(bare, end, next) {
        Some(comma) => edits.push(Edit { start: head, end: comma + 1, text: String::new() }),
        None => {
            let previous = index.checked_sub(1).and_then(|at| spans.get(at));
            let comma = previous.and_then(|(_, end)| comma_between(bare, *end, start));
            if let Some(comma) = comma {
                edits.push(Edit { start: comma, end: comma + 1, text: String::new() });
            }
            // An empty container looks as it did.
            let once = read(before).ok();
            let once = once.as_ref().and_then(|tape| get(tape.root(), path));
            let once = once.filter(|value| spans.len() == 1 && value.is_empty()).map(Value::text);
            match once.and_then(|text| text.get(1..text.len().saturating_sub(1))) {
                Some(inner) => edits.push(Edit {
                    start: container.span().start as usize + 1,
                    end: inner_end,
                    text: inner.to_owned(),
                }),
                None => edits.push(Edit {
                    start: head.max(comma.map_or(0, |c| c + 1)),
                    end,
                    text: String::new(),
                }),
            }
        }
    }
    Ok(format!("{mark}{}", applied(bare, edits)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server() -> Json {
        Json::Object(vec![
            ("command", Json::Text("/opt/caveman-mcp".to_owned())),
            ("args", Json::List(vec![Json::Text("serve".to_owned())])),
        ])
    }

    const PATH: &[&str] = &["mcpServers", "caveman"];

    /// Puts the server in, compares, takes it out, and compares with what was there.
    fn check(before: &str, after: &str) {
        let put_in = put(before, PATH, &server()).unwrap();
        assert_eq!(put_in, after);
        assert_eq!(put(&put_in, PATH, &server()).unwrap(), after, "twice");
        if before.trim_start_matches(BOM).trim().is_empty() {
            return;
        }
        assert_eq!(remove(&put_in, PATH, before).unwrap().unwrap(), before, "out again");
        assert_eq!(remove(before, PATH, before).unwrap(), None);
    }

    #[test]
    fn a_server_goes_in_and_out_of_every_layout() {
        let entry = "\"caveman\": {\n      \"command\": \"/opt/caveman-mcp\",\n      \"args\": [\"serve\"]\n    }";
        check("", &format!("{{\n  \"mcpServers\": {{\n    {entry}\n  }}\n}}\n"));
        check("{}\n", &format!("{{\n  \"mcpServers\": {{\n    {entry}\n  }}\n}}\n"));
        check(
            "{\n  \"a\": 1\n}",
            &format!("{{\n  \"a\": 1,\n  \"mcpServers\": {{\n    {entry}\n  }}\n}}"),
        );
        check(
            "{\n  \"mcpServers\": {}\n}\n",
            &format!("{{\n  \"mcpServers\": {{\n    {entry}\n  }}\n}}\n"),
        );
        check(
            "{\n  \"mcpServers\": {\n    \"x\": {\"url\": \"y\"}\n  }\n}\n",
            &format!(
                "{{\n  \"mcpServers\": {{\n    \"x\": {{\"url\": \"y\"}},\n    {entry}\n  }}\n}}\n"
            ),
        );
        // A comment stays with its line, a trailing comma where it is wanted.
        check(
            "{\n  \"mcpServers\": {\n    \"x\": 1 // mine, all mine\n  } // end\n}\n",
            &format!(
                "{{\n  \"mcpServers\": {{\n    \"x\": 1, // mine, all mine\n    {entry}\n  }} // end\n}}\n"
            ),
        );
        check(
            "{\n  \"mcpServers\": {\n    \"x\": 1, /* , */ // last\n    // \"y\": 2\n  },\n}\n",
            &format!(
                "{{\n  \"mcpServers\": {{\n    \"x\": 1, /* , */ // last\n    {entry},\n    // \"y\": 2\n  }},\n}}\n"
            ),
        );
        check(
            "{ \"mcpServers\": { \"x\": 1 } }",
            "{ \"mcpServers\": { \"x\": 1, \"caveman\": {\"command\": \"/opt/caveman-mcp\", \"args\": [\"serve\"]} } }",
        );
        check(
            "{\r\n\t\"mcpServers\": {\r\n\t\t// none yet\r\n\t}\r\n}\r\n",
            "{\r\n\t\"mcpServers\": {\r\n\t\t// none yet\r\n\t\t\"caveman\": {\r\n\t\t\t\"command\": \"/opt/caveman-mcp\",\r\n\t\t\t\"args\": [\"serve\"]\r\n\t\t}\r\n\t}\r\n}\r\n",
        );
        check(
            "\u{feff}{\n    \"a\": \"é\"\n}\n",
            "\u{feff}{\n    \"a\": \"é\",\n    \"mcpServers\": {\n        \"caveman\": {\n            \"command\": \"/opt/caveman-mcp\",\n            \"args\": [\"serve\"]\n        }\n    }\n}\n",
        );
    }

    #[test]
    fn what_came_after_stays() {
        let put_in = put("{\n  \"a\": 1\n}\n", PATH, &server()).unwrap();
        let later = put(&put_in, &["mcpServers", "z"], &Json::True).unwrap();
        let out = remove(&later, PATH, "{\n  \"a\": 1\n}\n").unwrap().unwrap();
        assert_eq!(out, "{\n  \"a\": 1,\n  \"mcpServers\": {\n    \"z\": true\n  }\n}\n");
    }

    #[test]
    fn elements_go_to_the_end_and_out_again() {
        let path = &["hooks", "PostToolUse"];
        let group = Json::Object(vec![("command", Json::Text("caveman hook".to_owned()))]);
        let is_ours = |value: Value<'_>| value.text().contains("caveman hook");
        for before in [
            "{}\n",
            "{\n  \"hooks\": {\n    \"PostToolUse\": [\n      {\n        \"command\": \"x\"\n      }\n    ]\n  }\n}\n",
            "{\"hooks\":{\"PostToolUse\":[{\"command\":\"x\"}]}}",
            "{\n  \"hooks\": {\n    \"PostToolUse\": []\n  }\n}\n",
            "{\n  \"hooks\": {\n    \"Stop\": [{\"command\": \"x\"}] // done\n  }\n}\n",
        ] {
            let put_in = push(before, path, &group).unwrap();
            let tape = read(&put_in).unwrap();
            assert!(
                is_ours(get(tape.root(), path).unwrap().elements().last().unwrap()),
                "{put_in}"
            );
            let out = remove_elements(&put_in, path, &is_ours, before).unwrap().unwrap();
            assert_eq!(out, before);
            assert_eq!(remove_elements(before, path, &is_ours, before).unwrap(), None);
        }
    }

    #[test]
    fn what_is_broken_is_not_touched_and_named() {
        let says = |text: &str| put(text, PATH, &server()).unwrap_err().to_string();
        assert!(
            says("{\n  \"a\": ,\n}").contains("line 2, column 8"),
            "{}",
            says("{\n  \"a\": ,\n}")
        );
        assert!(says("[]").contains("not a JSON object"));
        assert!(says("{\"mcpServers\": []}").contains("not an object"));
    }
}
