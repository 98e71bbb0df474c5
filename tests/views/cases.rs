//! Cases: `NAME.in.EXT` is an original, `NAME.query` a query over it and `NAME.out.EXT` the view; without a third file there is
//! no view and the whole original is given. `UPDATE_CASES=1` writes the views.

use caveman_core::kind::Kind;
use caveman_core::retrieve;
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn every_case_gives_its_view() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/src/retrieve/cases");
    let mut queries: Vec<PathBuf> =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    queries.retain(|path| path.extension().is_some_and(|ext| ext == "query"));
    queries.sort();
    assert!(!queries.is_empty());
    #[expect(clippy::disallowed_methods, reason = "the switch that rewrites the cases")]
    let updates = std::env::var_os("UPDATE_CASES").is_some();
    let mut problems = Vec::new();
    for query in queries {
        let name = query.file_stem().unwrap().to_str().unwrap();
        let (input, ext) = input_of(&folder, name).unwrap();
        let original = fs::read_to_string(&input).unwrap();
        let asked = fs::read_to_string(&query).unwrap();
        let kind = kind_of(&ext);
        let view = retrieve::view(&original, kind, asked.trim_end()).map(|view| view.text);
        let out = folder.join(format!("{name}.out.{ext}"));
        if updates {
            match &view {
                Some(view) => fs::write(&out, view).unwrap(),
                None if out.exists() => fs::remove_file(&out).unwrap(),
                None => {}
            }
        }
        let expected = fs::read_to_string(&out).ok();
        if view != expected {
            problems.push(format!("{name} gives\n{}", view.as_deref().unwrap_or("no view")));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The original of a case and its extension.
fn input_of(folder: &Path, name: &str) -> Option<(PathBuf, String)> {
    let start = format!("{name}.in.");
    let entries = fs::read_dir(folder).ok()?;
    entries.flatten().find_map(|entry| {
        let ext = entry.file_name().to_str()?.strip_prefix(&start)?.to_owned();
        Some((entry.path(), ext))
    })
}

/// The kind that a file of this extension is.
fn kind_of(ext: &str) -> Kind {
    match ext {
        "md" => Kind::Markdown,
        "rs" | "py" | "ts" | "c" => Kind::Code,
        "report" => Kind::TestReport,
        _ => Kind::parse(ext).unwrap_or(Kind::Text),
    }
}
