//! One table of a TOML document, put in at its end and taken out again; every other byte stays where it was.

use super::EditError;
use toml_edit::{Document, Item};

/// Reads a document, or says where it is broken.
fn read(text: &str) -> Result<Document<&str>, EditError> {
    let bare = text.trim_start_matches('\u{feff}');
    Document::parse(bare).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let line = bare.get(..at).unwrap_or_default().matches('\n').count() + 1;
        EditError::broken(format!("line {line}: {}", error.message().replace('\n', " ")))
    })
}

/// What the table `[path]` says of a server: command, arguments, and whether it is switched off.
pub(super) fn server(text: &str, path: &[&str]) -> Result<Option<super::Entry>, EditError> {
    let document = read(text)?;
    let mut item: &Item = document.as_item();
    for key in path {
        let Some(next) = item.get(key) else { return Ok(None) };
        item = next;
    }
    let text = |item: &Item| item.as_str().map(str::to_owned);
    let args = item.get("args").and_then(Item::as_array);
    Ok(Some(super::Entry {
        command: item.get("command").and_then(text).unwrap_or_default(),
        args: args
            .into_iter()
            .flatten()
            .filter_map(|arg| arg.as_str().map(str::to_owned))
            .collect(),
        is_off: item.get("enabled").and_then(Item::as_bool) == Some(false),
    }))
}

/// The document with a table of these lines; in the place of the one that is there.
pub(super) fn put(text: &str, path: &[&str], lines: &[String]) -> Result<String, EditError> {
    let eol = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let table: String = std::iter::once(header(path))
        .chain(lines.iter().cloned())
        .flat_map(|line| [line, eol.to_owned()])
        .collect();
    read(text)?;
    let out = if let Some((start, end)) = own(text, path) {
        let (head, rest) = (text.get(..start), text.get(end..));
        format!("{}{table}{}", head.unwrap_or_default(), rest.unwrap_or_default())
    } else {
        let is_blank = text.trim_start_matches('\u{feff}').is_empty();
        let gap = match () {
            () if is_blank => String::new(),
            () if text.ends_with('\n') => eol.to_owned(),
            () => eol.repeat(2),
        };
        format!("{text}{gap}{table}")
    };
    // Where the document holds the table in another form, the two are one too many.
    match server(&out, path) {
        Ok(Some(_)) => Ok(out),
        _ => Err(EditError::broken(format!(
            "it holds {} in a form that cannot be edited here",
            path.first().unwrap_or(&"")
        ))),
    }
}

/// The document without the table; `None` when there is none. `before` is the document as it was once.
pub(super) fn remove(text: &str, path: &[&str], before: &str) -> Result<Option<String>, EditError> {
    if server(text, path)?.is_none() {
        return Ok(None);
    }
    let Some((start, end)) = own(text, path) else {
        let names = path.join(".");
        return Err(EditError::broken(format!(
            "it holds {names} in a form that cannot be edited here"
        )));
    };
    let (head, rest) = (text.get(..start).unwrap_or_default(), text.get(end..).unwrap_or_default());
    // The blank line that came with it goes with it; at the end, also the line end that was not there.
    let blank = ["\r\n", "\n"]
        .into_iter()
        .find_map(|eol| head.strip_suffix(eol).filter(|head| head.ends_with('\n')));
    let mut head = blank.unwrap_or(head);
    if rest.is_empty() && head.trim_end() == before.trim_end() {
        head = before;
    }
    Ok(Some(format!("{head}{rest}")))
}

fn header(path: &[&str]) -> String {
    format!("[{}]", path.join("."))
}

/// From the line of the header to the end of the last line of the table, comments and blank lines behind it not counted.
fn own(text: &str, path: &[&str]) -> Option<(usize, usize)> {
    let header = header(path);
    let (mut at, mut found, mut multiline) = (0, None, None);
    for line in text.split_inclusive('\n') {
        let bare = line.trim_start_matches('\u{feff}').trim();
        if multiline.is_none() && bare.starts_with('[') && found.is_none_or(|(_, end)| end > 0) {
            if found.is_some() {
                break;
            }
            let is_own = bare.strip_prefix(header.as_str()).is_some_and(|rest| {
                rest.trim_start().is_empty() || rest.trim_start().starts_with('#')
            });
            if is_own {
                found = Some((at, at + line.len()));
            }
        } else if let Some((start, _)) = found
            && (multiline.is_some() || !(bare.is_empty() || bare.starts_with('#')))
        {
            found = Some((start, at + line.len()));
        }
        for quotes in ["\"\"\"", "'''"] {
            let n = line.matches(quotes).count();
            multiline = match multiline {
                None if n % 2 == 1 => Some(quotes),
                Some(open) if open == quotes && n % 2 == 1 => None,
                state => state,
            };
        }
        at += line.len();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: &[&str] = &["mcp_servers", "caveman"];

    fn lines() -> Vec<String> {
        vec!["command = '/opt/caveman-mcp'".to_owned(), "args = [\"serve\"]".to_owned()]
    }

    fn check(before: &str, after: &str) {
        let put_in = put(before, PATH, &lines()).unwrap();
        assert_eq!(put_in, after);
        assert_eq!(put(&put_in, PATH, &lines()).unwrap(), after, "twice");
        assert_eq!(remove(&put_in, PATH, before).unwrap().unwrap(), before, "out again");
        assert_eq!(remove(before, PATH, before).unwrap(), None);
        assert_eq!(server(&put_in, PATH).unwrap().unwrap().command, "/opt/caveman-mcp");
    }

    #[test]
    fn a_table_goes_in_and_out() {
        let table = "[mcp_servers.caveman]\ncommand = '/opt/caveman-mcp'\nargs = [\"serve\"]\n";
        check("", table);
        check("model = \"x\"\n", &format!("model = \"x\"\n\n{table}"));
        check("model = \"x\" # no end", &format!("model = \"x\" # no end\n\n{table}"));
        check(
            "[mcp_servers.a]\ncommand = 'b'\n\n\n",
            &format!("[mcp_servers.a]\ncommand = 'b'\n\n\n\n{table}"),
        );
        check(
            "\u{feff}a = 1\r\n",
            &format!("\u{feff}a = 1\r\n\r\n{}", table.replace('\n', "\r\n")),
        );
        check(
            "a = '''\n[mcp_servers.caveman]\n'''\n",
            &format!("a = '''\n[mcp_servers.caveman]\n'''\n\n{table}"),
        );
    }

    #[test]
    fn what_came_after_stays() {
        let text = "a = 1\n\n[mcp_servers.caveman] # ours\ncommand = 'x'\nargs = [\n  \"serve\",\n]\n\n# theirs\n[b]\nc = 2\n";
        assert_eq!(
            remove(text, PATH, "a = 1\n").unwrap().unwrap(),
            "a = 1\n\n# theirs\n[b]\nc = 2\n"
        );
        let again = put(text, PATH, &lines()).unwrap();
        assert!(again.ends_with("args = [\"serve\"]\n\n# theirs\n[b]\nc = 2\n"), "{again}");
    }

    #[test]
    fn what_cannot_be_edited_is_not_touched() {
        let says = |text: &str| put(text, PATH, &lines()).unwrap_err().to_string();
        assert!(says("a = 1\nb = \n").contains("line 2"), "{}", says("a = 1\nb = \n"));
        assert!(says("mcp_servers = { a = { command = 'b' } }\n").contains("in a form"));
        assert!(remove("mcp_servers.caveman.command = 'x'\n", PATH, "").is_err());
    }
}
