//! Detection's cases: `core/src/detect/cases/KIND/NAME.EXT`, for code `NAME.lang-LANGUAGE.EXT`. Every payload must be found
//! to be what its folder says, with line ends of either sort.
#![expect(clippy::expect_used, reason = "a case that cannot be read is a failure")]

use caveman_core::detect::{Detection, detect};
use caveman_core::present;
use std::fs;
use std::path::{Path, PathBuf};

struct Case {
    kind: String,
    name: String,
    text: String,
}

impl Case {
    /// The language that the name of a case of code states.
    fn language(&self) -> Option<&str> {
        self.name.split('.').find_map(|part| part.strip_prefix("lang-"))
    }
}

/// All cases, sorted by kind and name.
fn cases() -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/src/detect/cases");
    let mut cases = Vec::new();
    for folder in inside(&root) {
        for file in inside(&folder) {
            let text = fs::read_to_string(&file).expect("a case is text");
            cases.push(Case { kind: last(&folder), name: last(&file), text });
        }
    }
    cases
}

fn inside(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of cases");
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn last(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn detected(text: &str) -> Detection {
    detect(&present::unwrap(text).text)
}

/// What is wrong with the detection of `text`, which is to be that of `case`.
fn fault(case: &Case, text: &str) -> Option<String> {
    let found = detected(text);
    let is_right = found.kind.name() == case.kind && found.language == case.language();
    (!is_right).then(|| {
        let language = found.language.unwrap_or_default();
        format!("{}/{}: {} {language} {:?}", case.kind, case.name, found.kind.name(), found.scores)
    })
}

#[test]
fn every_case_is_what_its_folder_says() {
    let cases = cases();
    let wrong: Vec<String> = cases.iter().filter_map(|case| fault(case, &case.text)).collect();
    assert!(wrong.is_empty(), "{} of {} wrong:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

#[test]
fn the_other_line_end_changes_nothing() {
    let wrong: Vec<String> = cases()
        .iter()
        .filter(|case| !case.text.contains('\r'))
        .filter_map(|case| fault(case, &case.text.replace('\n', "\r\n")))
        .collect();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_kind_that_can_be_detected_has_cases() {
    let cases = cases();
    for kind in caveman_core::kind::Kind::ALL {
        let n_cases = cases.iter().filter(|case| case.kind == kind.name()).count();
        let is_forced_only = matches!(kind.name(), "toon" | "repetition" | "tool-schema" | "a11y");
        assert_eq!(n_cases < 8, is_forced_only, "{}: {n_cases} cases", kind.name());
    }
}
