//! What a host writes around a payload: a file tag above and below it, a reminder behind it.

use core::ops::Range;

/// Tags that hosts wrap tool output and files in. A document of the payload's own may have such a root as well; then it
/// is put back around the output, so nothing is lost by the doubt.
const NAMES: &[&str] = &[
    "file",
    "document",
    "file_content",
    "file_contents",
    "file-content",
    "document_content",
    "document_contents",
    "content",
    "path_content",
    "output",
    "result",
    "tool_result",
    "function_results",
    "stdout",
    "bash-stdout",
    "local-command-stdout",
    "command-output",
];

/// Reminders that follow a payload.
const REMINDER: (&str, &str) = ("<system-reminder>", "</system-reminder>");

/// Makes `body` smaller by the wrapper that it begins and ends with; line ends of the inner lines stay inside.
pub(super) fn narrow(text: &str, body: &mut Range<usize>) {
    reminder(text, body);
    let inner = text.get(body.clone()).unwrap_or_default();
    let Some((name, n_open)) = opening(inner) else { return };
    let rest = inner.get(n_open..).unwrap_or_default();
    let trimmed = rest.trim_ascii_end();
    let closing = trimmed
        .strip_suffix('>')
        .and_then(|t| t.strip_suffix(name))
        .and_then(|t| t.strip_suffix("</"));
    match closing {
        // A line of its own, and the only one: between several files lies text that belongs to none.
        Some(content)
            if (content.is_empty() || content.ends_with('\n')) && !has_tag_line(content, name) =>
        {
            *body = body.start + n_open..body.start + n_open + content.len();
        }
        Some(_) => {}
        // Cut off before its end.
        None if name == "file" && !has_tag_line(rest, name) => body.start += n_open,
        None => {}
    }
}

/// Leaves out the reminder at the end, with the blank lines before it.
fn reminder(text: &str, body: &mut Range<usize>) {
    loop {
        let inner = text.get(body.clone()).unwrap_or_default();
        let trimmed = inner.trim_ascii_end();
        if !trimmed.ends_with(REMINDER.1) {
            return;
        }
        let Some(at) = memchr::memmem::rfind(trimmed.as_bytes(), REMINDER.0.as_bytes()) else {
            return;
        };
        let before = trimmed.get(..at).unwrap_or_default();
        let content = before.trim_ascii_end();
        if content.is_empty()
            || !(before.ends_with('\n') || before.len() > content.len() || content.ends_with('>'))
        {
            return;
        }
        // The last line keeps its end.
        let line_end = before.get(content.len()..).and_then(|s| s.find('\n')).map_or(0, |n| n + 1);
        body.end = body.start + content.len() + line_end;
    }
}

/// The tag that the first line consists of: its name, and the length of everything up to the next line.
fn opening(text: &str) -> Option<(&str, usize)> {
    let n_blank = text.len() - text.trim_ascii_start().len();
    let line = text.get(n_blank..)?.split_inclusive('\n').next()?;
    let tag = line.trim_ascii_end().strip_prefix('<')?.strip_suffix('>')?;
    let name = tag.split(' ').next()?;
    let is_tag = NAMES.contains(&name) && !tag.ends_with('/') && !tag.contains(['<', '>']);
    // Markup inside a bare tag is a document of the payload's own.
    let inner = text.get(n_blank + line.len()..)?;
    let is_own =
        tag.len() == name.len() && name != "file" || !tag.contains('=') && tag.len() > name.len();
    let is_markup = inner.trim_ascii_start().starts_with('<');
    (is_tag && line.ends_with('\n') && !(is_own && is_markup))
        .then_some((name, n_blank + line.len()))
}

/// Whether a line of `text` opens or closes `name`.
fn has_tag_line(text: &str, name: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memmem::find_iter(bytes, name.as_bytes()).any(|at| {
        let before = bytes.get(at.saturating_sub(3)..at).unwrap_or_default();
        before.ends_with(b"\n<")
            || before.ends_with(b"\n</")
            || (at <= 2 && before.starts_with(b"<"))
    })
}
