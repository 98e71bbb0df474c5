//! The project's files: what git would take, text only.

use std::fs;
use std::path::{Path, PathBuf};

/// A text file of the project.
pub(crate) struct File {
    /// Relative to the root, with `/`.
    pub(crate) path: String,
    /// Its whole text.
    pub(crate) text: String,
}

impl File {
    /// A file that a test makes up.
    pub(crate) fn planted(path: &str, text: &str) -> File {
        File { path: path.to_owned(), text: text.to_owned() }
    }

    /// Whether the file is Rust.
    pub(crate) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// Whether the file is a payload, which may hold any words: cases and samples.
    pub(crate) fn is_payload(&self) -> bool {
        self.path.contains("/cases/") || self.path.starts_with("tests/samples/")
    }

    /// The lines with their numbers, from 1.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.lines().enumerate().map(|(at, line)| (at + 1, line))
    }
}

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ has a parent").to_owned()
}

/// One file by its path from the root; a missing one fails the test.
pub(crate) fn read(path: &str) -> File {
    let text = fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"));
    File { path: path.to_owned(), text }
}

/// Every text file of the project, sorted by path.
pub(crate) fn files() -> Vec<File> {
    let ignored = read(".gitignore").text;
    let ignored: Vec<&str> =
        ignored.lines().filter(|l| !l.is_empty() && !l.starts_with('#')).collect();
    let mut out = Vec::new();
    walk(&root(), "", &ignored, &mut out);
    out.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(out.len() > 20, "the walk finds {} files only", out.len());
    out
}

fn walk(dir: &Path, prefix: &str, ignored: &[&str], out: &mut Vec<File>) {
    for entry in fs::read_dir(dir).expect("a folder of the project opens") {
        let entry = entry.expect("a folder of the project reads");
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        if name == ".git" || ignored.iter().any(|rule| is_ignored(rule, &path)) {
            continue;
        }
        let kind = entry.file_type().expect("an entry has a type");
        if kind.is_dir() {
            walk(&entry.path(), &format!("{path}/"), ignored, out);
        } else if kind.is_file()
            && let Ok(text) = fs::read_to_string(entry.path())
            && !text.contains('\0')
        {
            out.push(File { path, text });
        }
    }
}

/// The rules of `.gitignore` that this project uses: `/anchored`, `name`, `*.end`, `a/*/b`.
fn is_ignored(rule: &str, path: &str) -> bool {
    let rule = rule.trim_end_matches('/');
    if !rule.contains('/') {
        let name = path.rsplit('/').next().unwrap_or(path);
        return matches_part(rule, name);
    }
    let (rule, path): (Vec<&str>, Vec<&str>) =
        (rule.trim_start_matches('/').split('/').collect(), path.split('/').collect());
    rule.len() == path.len() && rule.iter().zip(&path).all(|(r, p)| matches_part(r, p))
}

fn matches_part(rule: &str, name: &str) -> bool {
    match rule.strip_prefix('*') {
        Some(end) => name.ends_with(end),
        None => rule == name,
    }
}

#[test]
fn ignored_files_are_those_of_git() {
    assert!(is_ignored("/target", "target"));
    assert!(!is_ignored("/target", "docs/target"));
    assert!(is_ignored("node_modules", "a/b/node_modules"));
    assert!(is_ignored("*.tgz", "npm/x.tgz"));
    assert!(is_ignored("npm/*/core", "npm/caveman-mcp/core"));
    assert!(!is_ignored("npm/*/core", "core"));
}
