//! What is sent through both: every case file, every sample, the corpus where it is there, generated payloads, and damage
//! to all of them.

use caveman_core::kind::Kind;
use caveman_tests::payloads::{HOSTILE, ORDINARY};
use caveman_tests::random::Random;
use std::fs;
use std::path::{Path, PathBuf};

/// A payload and where it comes from.
pub(crate) struct Payload {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    /// The kind that its folder names, beside the detected one.
    pub(crate) kind: Option<Kind>,
}

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every file in a folder named `cases`, and every sample.
pub(crate) fn cases() -> Vec<Payload> {
    let mut files = Vec::new();
    walk(&root().join("core/src"), &mut files);
    files.retain(|path| path.components().any(|part| part.as_os_str() == "cases"));
    walk(&root().join("tests/samples"), &mut files);
    read(files)
}

/// The corpus beside the repository; nothing where it is not there.
pub(crate) fn corpus() -> Vec<Payload> {
    let mut files = Vec::new();
    walk(&root().join("../shared/corpus"), &mut files);
    files.retain(|path| !path.to_string_lossy().ends_with(".facts.json"));
    read(files)
}

/// Generated payloads of every kind in several sizes, hostile ones, and random bytes.
pub(crate) fn generated() -> Vec<Payload> {
    let mut out = Vec::new();
    for (growing, sizes) in
        [(ORDINARY, &[400, 6_000, 120_000][..]), (HOSTILE, &[600, 20_000, 400_000][..])]
    {
        for payload in growing {
            for n in sizes {
                let name = format!("{} of {n} bytes", payload.name);
                out.push(Payload { name, bytes: (payload.make)(*n).into_bytes(), kind: None });
            }
        }
    }
    let mut random = Random::new(7);
    for n in [0, 1, 2, 3, 17, 300, 5_000] {
        out.push(Payload { name: format!("{n} random bytes"), bytes: random.bytes(n), kind: None });
    }
    out
}

/// The same payload damaged or dressed otherwise: cut anywhere, one byte changed, other line ends, a gutter, colour, a BOM.
pub(crate) fn damaged(payload: &Payload, random: &mut Random) -> Vec<Payload> {
    let bytes = &payload.bytes;
    let at = usize::try_from(random.below(bytes.len() as u64 + 1)).unwrap_or_default();
    let mut flipped = bytes.clone();
    if let Some(byte) = flipped.get_mut(at) {
        *byte ^= 1 << random.below(8);
    }
    let mut out = vec![
        ("cut", bytes[..at].to_vec()),
        ("begun late", bytes[at..].to_vec()),
        ("one bit", flipped),
    ];
    if let Ok(text) = std::str::from_utf8(bytes) {
        let numbered = text.lines().zip(1..).map(|(line, n)| format!("{n:6}\u{2192}{line}\n"));
        let coloured = text.lines().map(|line| format!("\u{1b}[32m{line}\u{1b}[0m\n"));
        out.push(("with a gutter", numbered.collect::<String>().into_bytes()));
        out.push(("in colour", coloured.collect::<String>().into_bytes()));
        out.push(("with CRLF", text.replace('\n', "\r\n").into_bytes()));
        out.push(("with a BOM", format!("\u{feff}{text}").into_bytes()));
        out.push((
            "in JSON",
            serde_json::json!({ "stdout": text, "code": 0 }).to_string().into_bytes(),
        ));
    }
    let named =
        |(how, bytes)| Payload { name: format!("{}, {how}", payload.name), bytes, kind: None };
    out.into_iter().map(named).collect()
}

fn read(files: Vec<PathBuf>) -> Vec<Payload> {
    let payload = |path: PathBuf| {
        let bytes = fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let mut folders = path.ancestors().filter_map(|p| p.file_name()?.to_str());
        let kind = folders.find_map(Kind::parse);
        Payload { name: path.display().to_string(), bytes, kind }
    };
    files.into_iter().map(payload).collect()
}

fn walk(folder: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() { walk(&path, out) } else { out.push(path) }
    }
}
