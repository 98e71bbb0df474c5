//! History: `git log` in its forms, `git diff --stat`, `git blame`, `git status`.
//!
//! ```text
//! commit 3a76f2b724946586dfa28409446e1fd3c2161c95      commit 3a76f2b724946586dfa28409446e1fd3c2161c95
//! Author: Ada Lovelace <ada@example.com>               Author: Ada Lovelace <ada@example.com>
//! Date:   Mon Nov 30 20:40:14 2026 +0000               Date:   Mon Nov 30 20:40:14 2026 +0000
//!                                                          Totals
//!     Totals                                       ->  commit 9859a42a69fcc91ff5f921f2cee2539228ca6f55 Mon Nov 30 20:39:05 2026 +0000
//!                                                          Tax
//! commit 9859a42a69fcc91ff5f921f2cee2539228ca6f55
//! Author: Ada Lovelace <ada@example.com>
//! Date:   Mon Nov 30 20:39:05 2026 +0000
//!
//!     Tax
//! ```
//! Keeps: every commit with its hash, references, date, author and message.
//! Recodes without loss: an address that stands above; headers that say what the commit above says; of `git blame`, the commit of lines that follow
//! one another stands once; of `git status`, each folder for a state; of lists of changed files, each folder.
//! Elides: files of long lists of changes, with their numbers; trailers that were shown.
//! Declines: one commit a line.
//! Source: the formats of git's own documentation (git-log, git-blame, git-status).

mod blame;
mod files;
mod status;

use super::fates::{self, Fate};
use super::{Compressor, Proposals, Units};
use crate::draft::Draft;
use crate::elide::mask::{self, HashedMap};
use crate::elide::{self, CellKind, Focus, MARKER_OPEN, Segment, Severity, Sheet, Style};
use crate::kind::Kind;
use crate::prelude::*;
use crate::text::{Span, lines, offset, trim_eol};

/// The compressor of histories.
#[derive(Debug)]
pub(super) struct GitLog;

/// Of a list of changed files so many stay at its start. Our choice.
const N_FILES: usize = 4;
/// Shorter lists of files stay whole. Our choice.
const MIN_FILES: usize = 10;

impl Compressor for GitLog {
    fn kind(&self) -> Kind {
        Kind::GitLog
    }

    fn compress(&self, text: &str, focus: &Focus) -> Proposals {
        let lines = lines(text);
        if let Some(lossless) = blame::fold(text, &lines).or_else(|| status::fold(text, &lines)) {
            return Proposals { lossless: Some(lossless), elided: None };
        }
        let roles = roles(text, &lines);
        let whole = [Segment::Keep { units: 0..lines.len() }];
        let mut fates = headers(text, &lines, &roles);
        let mut how = How { has_heads: fates.contains(&Fate::IsSaid), has_folders: false };
        let mut elided = fates.clone();
        how.has_folders = files::fold(text, &lines, &roles, &whole, &mut fates);
        let is_folded = how.has_heads || how.has_folders;
        let lossless = is_folded.then(|| write(&lines, &fates, &whole, how, "fold"));
        shown_trailers(text, &lines, &roles, focus, &mut elided);
        let segments = elide::segments(&sheet(text, &lines, &roles, focus), focus, &Style::PLAIN);
        how.has_folders = files::fold(text, &lines, &roles, &segments, &mut elided);
        let elided = write(&lines, &elided, &segments, how, "elide");
        Proposals { lossless, elided: (!elided.is_lossless()).then_some(elided) }
    }

    /// Retrieval's own cut shows whole commits.
    fn units(&self, _text: &str) -> Option<Units> {
        None
    }
}

/// How a draft is to be read.
#[derive(Clone, Copy)]
struct How {
    /// Heads of commits are joined.
    has_heads: bool,
    /// So are the files of a folder.
    has_folders: bool,
}

impl How {
    fn explained(self) -> Option<&'static str> {
        Some(match (self.has_heads, self.has_folders) {
            (true, false) => {
                "[caveman: date and author stand behind the hash; what is not said is as in the commit above]\n"
            }
            (true, true) => {
                "[caveman: date and author stand behind the hash; what is not said is as in the commit above; files of one folder stand together]\n"
            }
            (false, true) => "[caveman: files of one folder stand together]\n",
            (false, false) => return None,
        })
    }
}

fn write(
    lines: &[Span],
    fates: &[Fate],
    segments: &[Segment],
    how: How,
    method: &'static str,
) -> Draft {
    let (mut draft, n_gone) = fates::write(lines, fates, segments, method);
    if let Some(how) = how.explained() {
        fates::explain(&mut draft, how);
    }
    if n_gone > 0 {
        draft.notes.push(format!("{MARKER_OPEN}trailers that stand above elided: {n_gone} lines]"));
    }
    draft
}

/// What a line is to a history.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Role {
    /// `commit <hash>`.
    Commit,
    /// `Author: …` and the like: where its value begins.
    Header(usize),
    /// The blank line between headers and message.
    Gap,
    /// A line of the message.
    Message,
    /// ` src/a.rs | 12 ++--`, `M\tsrc/a.rs`: a changed file.
    File,
    /// Everything else.
    Other,
}

/// A line without the branches that `--graph` draws before it; `None` when branches part or join on it.
fn bare(line: &str) -> Option<&str> {
    let bare = line.trim_start_matches(['*', '|', ' ']);
    let drawn = line.get(..line.len() - bare.len())?;
    if !drawn.contains(['*', '|']) {
        return Some(line);
    }
    // The message is indented behind the branches.
    let last = drawn.rfind(['*', '|'])?;
    let rest = line.get(last + 1..)?;
    (!bare.starts_with(['/', '\\'])).then(|| rest.strip_prefix(' ').unwrap_or(rest))
}

fn roles(text: &str, lines: &[Span]) -> Vec<Role> {
    let mut out = Vec::with_capacity(lines.len());
    let mut place = Role::Other;
    for line in lines {
        let content = trim_eol(line.of(text));
        let role = match bare(content) {
            None => Role::Other,
            Some(bare) if is_commit(bare) => Role::Commit,
            Some(bare) => match place {
                Role::Commit | Role::Header(_) => match header(bare) {
                    Some(value) => Role::Header(content.len() - bare.len() + value),
                    None if bare.trim().is_empty() => Role::Gap,
                    None => Role::Other,
                },
                _ if is_file(bare) => Role::File,
                _ if bare.starts_with("    ") => Role::Message,
                _ => Role::Other,
            },
        };
        // A blank line changes nothing of where we are.
        if role != Role::Other || !content.trim().is_empty() {
            place = role.clone();
        }
        out.push(role);
    }
    out
}

/// `commit <hash> (references)`
fn is_commit(line: &str) -> bool {
    line.strip_prefix("commit ").is_some_and(|rest| {
        let hash = rest.split(' ').next().unwrap_or_default();
        (7..=64).contains(&hash.len()) && hash.bytes().all(|b| b.is_ascii_hexdigit())
    })
}

/// Where the value of a header begins.
fn header(line: &str) -> Option<usize> {
    let (name, value) = line.split_once(':')?;
    let is_name = [
        "Author",
        "Date",
        "AuthorDate",
        "Commit",
        "CommitDate",
        "Merge",
        "Reflog",
        "Reflog message",
    ];
    is_name.contains(&name).then(|| line.len() - value.trim_start().len())
}

/// A changed file: ` path | 12 ++--`, ` path | Bin 0 -> 9 bytes`, `M\tpath`, ` create mode 100644 path`, `3\t4\tpath`.
fn is_file(line: &str) -> bool {
    if let Some(row) = line.strip_prefix(' ').filter(|row| !row.starts_with(' ')) {
        let is_stat = row.rsplit_once(" | ").is_some_and(|(_, change)| {
            let change = change.trim_start();
            change.starts_with(|c: char| c.is_ascii_digit()) || change.starts_with("Bin")
        });
        return is_stat
            || ["create mode ", "delete mode ", "rename ", "mode change "]
                .iter()
                .any(|word| row.starts_with(word));
    }
    match line.split_once('\t') {
        Some((word, _)) => {
            !word.is_empty()
                && word.len() <= 9
                && (word.bytes().all(|b| b.is_ascii_digit() || b == b'-')
                    || word.starts_with(|c: char| c.is_ascii_uppercase())
                        && word.bytes().skip(1).all(|b| b.is_ascii_digit()))
        }
        None => line.starts_with(":100"),
    }
}

/// What the headers of a commit become: those that say what the commit above says go; the date stands behind its hash, and
/// so does the name of an author whose address stands above.
fn headers(text: &str, lines: &[Span], roles: &[Role]) -> Vec<Fate> {
    let mut fates = vec![Fate::Stays; lines.len()];
    let mut known: Vec<(&str, &str)> = Vec::new();
    let mut authors = Authors::default();
    let mut at = 0;
    while let Some(role) = roles.get(at) {
        let commit = at;
        at += 1;
        if *role != Role::Commit {
            continue;
        }
        let (mut date, mut name, mut has_author, mut n_said) = (None, "", false, 0);
        while let Some(Role::Header(from)) = roles.get(at) {
            let content = content(text, lines, at);
            let (label, value) = content.split_at_checked(*from).unwrap_or((content, ""));
            let label = label.trim_start_matches(['|', ' ', '*']).trim_end();
            let before = known.iter_mut().find(|(known, _)| *known == label);
            let is_same = before.as_ref().is_some_and(|(_, said)| *said == value);
            match before {
                Some(before) => before.1 = value,
                None => known.push((label, value)),
            }
            has_author |= label == "Author:";
            if label == "Date:" {
                date = Some((at, value));
            } else if is_same && label != "Merge:" {
                fates::set(&mut fates, at, at + 1, &Fate::IsSaid);
                n_said += 1;
            } else if label == "Author:"
                && let Some(short) = authors.short(value)
                && has_date_below(text, lines, roles, at)
            {
                name = short;
                fates::set(&mut fates, at, at + 1, &Fate::IsSaid);
                n_said += 1;
            }
            if label == "Author:" {
                authors.note(value);
            }
            at += 1;
        }
        if n_said == 0 {
            continue;
        }
        if let Some((line, date)) = date.filter(|_| has_author) {
            let head = lines.get(commit).copied().unwrap_or_default().of(text);
            let (head, end) = head.split_at_checked(trim_eol(head).len()).unwrap_or((head, ""));
            let name = if name.is_empty() { String::new() } else { format!(" {name}") };
            let joined = Fate::Reads(format!("{head} {date}{name}{end}"));
            fates::set(&mut fates, commit, commit + 1, &joined);
            fates::set(&mut fates, line, line + 1, &Fate::IsSaid);
        }
        if roles.get(at) == Some(&Role::Gap) {
            fates::set(&mut fates, at, at + 1, &Fate::IsSaid);
        }
    }
    fates
}

/// Whether the next header is the date of the default format.
fn has_date_below(text: &str, lines: &[Span], roles: &[Role], at: usize) -> bool {
    matches!(roles.get(at + 1), Some(Role::Header(_)))
        && bare(content(text, lines, at + 1)).is_some_and(|line| line.starts_with("Date:"))
}

/// Who was named so far, as name and address.
#[derive(Default)]
struct Authors<'t> {
    /// By hash of the name: what stood for it; `None` when that was not always the same.
    seen: HashedMap<Option<&'t str>>,
}

impl<'t> Authors<'t> {
    fn note(&mut self, value: &'t str) {
        let seen = self.seen.entry(mask::hash(name_of(value))).or_insert(Some(value));
        if *seen != Some(value) {
            *seen = None;
        }
    }

    /// The name alone, where it has always meant this author.
    fn short(&self, value: &'t str) -> Option<&'t str> {
        let name = name_of(value);
        (self.seen.get(&mask::hash(name)) == Some(&Some(value))).then_some(name)
    }
}

/// A name without the address behind it.
fn name_of(author: &str) -> &str {
    author.split_once(" <").map_or(author, |(name, _)| name)
}

fn content<'t>(text: &'t str, lines: &[Span], at: usize) -> &'t str {
    lines.get(at).map_or("", |line| trim_eol(line.of(text)))
}

/// Trailers go where they stand, word for word, above: `Signed-off-by: Ada <ada@example.com>`.
fn shown_trailers(text: &str, lines: &[Span], roles: &[Role], focus: &Focus, fates: &mut [Fate]) {
    let mut shown: HashedMap<()> = HashedMap::default();
    for ((line, role), fate) in lines.iter().zip(roles).zip(fates) {
        let body = trim_eol(line.of(text)).trim_start_matches(['|', ' ', '*']);
        if *role != Role::Message || !is_trailer(body) {
            continue;
        }
        if shown.insert(mask::hash(body), ()).is_some() && !focus.is_in(body) {
            *fate = Fate::Goes(String::new());
        }
    }
}

/// `Signed-off-by: …`, `Co-authored-by: …`: a name in capitals and dashes with a person behind it.
fn is_trailer(line: &str) -> bool {
    line.split_once(": ").is_some_and(|(name, value)| {
        name.ends_with("-by")
            && name.bytes().all(|b| b.is_ascii_alphabetic() || b == b'-')
            && value.contains('@')
    })
}

/// The sheet of lines, of which the files behind the first few of a long list may go.
fn sheet<'t>(text: &'t str, lines: &[Span], roles: &[Role], focus: &Focus) -> Sheet<'t> {
    let mut sheet = Sheet::new(text, "lines");
    sheet.keeps_first = false;
    let changes = sheet.add_column("changed lines");
    let folder = sheet.add_column("in");
    sheet.always_tell(folder);
    let (min_files, n_kept) = if focus.pressure > 0 { (4, 1) } else { (MIN_FILES, N_FILES) };
    let mut at = 0;
    while at < lines.len() {
        let is_list = roles.get(at) == Some(&Role::File);
        let n = roles.iter().skip(at).take_while(|role| (**role == Role::File) == is_list).count();
        for (nth, line) in lines.iter().skip(at).take(n).enumerate() {
            if !is_list || n < min_files || nth < n_kept {
                sheet.add_unit(*line, mask::mix(2, u64::from(line.start)), Severity::Error);
                continue;
            }
            sheet.add_unit(*line, mask::mix(1, 0), Severity::None);
            add_cells(&mut sheet, (changes, folder), *line, text);
        }
        at += n.max(1);
    }
    sheet
}

/// How many lines of a file changed, and the outermost folder that it is in.
fn add_cells(sheet: &mut Sheet<'_>, (changes, folder): (u32, u32), line: Span, text: &str) {
    let content = trim_eol(line.of(text));
    let span = |from: usize, len: usize| Span {
        start: line.start + offset(from),
        end: line.start + offset(from + len),
    };
    let (start, path) = match content.rsplit_once(" | ") {
        Some((path, change)) => {
            let padding = change.len() - change.trim_start().len();
            let digits = change.trim_start().bytes().take_while(u8::is_ascii_digit).count();
            if digits > 0 {
                sheet.add_cell(changes, CellKind::Number, span(path.len() + 3 + padding, digits));
            }
            (0, path)
        }
        None => {
            let path = content.rsplit(['\t', ' ']).next().unwrap_or_default();
            (content.len() - path.len(), path)
        }
    };
    let lead = path.len() - path.trim_start_matches(['|', ' ', '*']).len();
    let name = path.get(lead..).unwrap_or_default();
    let len = name.find('/').unwrap_or(0);
    let shown = if len == 0 { name.trim_end().len() } else { len };
    sheet.add_cell(folder, CellKind::Text, span(start + lead, shown));
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADA: &str = "Author: Ada <ada@example.com>\n";

    fn commit(n: usize, author: &str, message: &str) -> String {
        format!(
            "commit {n:040x}\n{author}Date:   Mon Nov 30 20:{n:02}:14 2026 +0000\n\n    {message}\n\n"
        )
    }

    fn proposals(text: &str) -> (Option<String>, Option<String>) {
        let Proposals { lossless, elided } = GitLog.compress(text, &Focus::default());
        (lossless.map(|draft| draft.render(text)), elided.map(|draft| draft.render(text)))
    }

    #[test]
    fn an_author_stands_where_another_begins() {
        let eve = "Author: Eve <eve@example.com>\n";
        let text = [(1, ADA, "a"), (2, ADA, "größe"), (3, eve, "c"), (4, eve, "d"), (5, ADA, "e")]
            .map(|(n, author, message)| commit(n, author, message))
            .concat();
        let out = proposals(&text).0.unwrap();
        assert_eq!(out.matches("Author:").count(), 2, "{out}");
        assert!(out.contains("20:05:14 2026 +0000 Ada\n    e\n"), "{out}");
        let second = format!("commit {:040x} Mon Nov 30 20:02:14 2026 +0000\n    größe\n", 2);
        assert!(out.contains(&second) && out.contains(&commit(3, eve, "c")), "{out}");
    }

    #[test]
    fn graphs_fold_and_branches_stay() {
        let text = format!(
            "* commit {:040x}\n| {ADA}| Date:   Mon Nov 30 20:02:14 2026 +0000\n| \n|     a\n|   \n|\\\n| * commit {:040x}\n| | {ADA}| | Date:   Mon Nov 30 20:01:14 2026 +0000\n| | \n| |     b\n",
            2, 1
        );
        let out = proposals(&text).0.unwrap();
        let folded =
            format!("|\\\n| * commit {:040x} Mon Nov 30 20:01:14 2026 +0000\n| |     b\n", 1);
        assert!(out.ends_with(&folded), "{out}");
    }

    #[test]
    fn long_lists_of_files_are_told_of_and_short_ones_stay() {
        let list = |n: usize| -> String {
            (0..n).map(|i| format!(" src/part{i}/file.rs | {} ++--\n", 3 + i % 5)).collect()
        };
        let text = format!(
            "{}{} 40 files changed, 9 insertions(+)\n\n{}{}",
            commit(2, ADA, "a"),
            list(40),
            commit(1, ADA, "b"),
            list(5)
        );
        let out = proposals(&text).1.unwrap();
        assert!(out.contains("36 lines elided") && out.contains("in: src"), "{out}");
        assert!(out.contains(" 40 files changed") && out.ends_with(&list(5)), "{out}");
    }

    #[test]
    fn a_trailer_stands_once() {
        let signed = "Totals\n\n    Signed-off-by: Ada <ada@example.com>";
        let text: String = (0..9).map(|n| commit(n, ADA, signed)).collect();
        let out = proposals(&text).1.unwrap();
        assert_eq!(out.matches("Signed-off-by").count(), 1, "{out}");
        assert_eq!(out.matches("Totals").count(), 9, "{out}");
    }

    #[test]
    fn one_commit_a_line_and_broken_text_decline() {
        for text in [
            "c69c4a6 Say calculator\n8432ebc Readable names\n",
            "commit \nAuthor\n",
            "commit 12345678\n",
            "| | |\n",
            "",
        ] {
            assert_eq!(proposals(text), (None, None), "{text}");
        }
    }

    #[test]
    fn hostile_histories_take_linear_time_and_no_panic() {
        for unit in [
            "commit 12345678\n",
            "commit 12345678\nAuthor: a\n",
            "| ",
            "* |\\\n",
            " a | 1 +\n",
            "M\ta\n",
            "    A-by: é@\n",
            "Author: é",
        ] {
            GitLog
                .compress(&format!("commit 12345678\n{}", unit.repeat(60_000)), &Focus::default());
        }
    }
}
