//! The files: own cases, locked crates, and on demand pinned packages.

use sha2::{Digest, Sha512};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::{env, fs};

/// A source file.
#[derive(Clone, Debug)]
pub(crate) struct File {
    pub(crate) name: String,
    /// As detection names it; by the file's ending.
    pub(crate) language: String,
    pub(crate) text: String,
}

/// Packages on npm, with the SHA-512 of their archive, and the endings that are taken of them.
const PACKAGES: &[(&str, &str, &[&str])] = &[
    (
        "@blueprintjs/core@5.13.0",
        "1a371dd949b317e0fcf012eb7816e9ac3a0ab681b2fbd8dba762b8287cf61195a5b255937892dd19e3c1f756667f0fc1916ddb40dc4cc81890f559316290f9e4",
        &["tsx", "js"],
    ),
    (
        "rxjs@7.8.1",
        "000dd3563fb40368ae2284245842bfb6a16306ada3fba3cee98d3325cbf32c016110520edc72f4be5b3d8562e77196c001b2b499aafba19e15d3bf48fea3ccc6",
        &["ts"],
    ),
    (
        "node-gyp@10.2.0",
        "b29dc5a270406857b86984dc15d6549f635891b3fbc6ba0f198bd098fe0d9793f16a6ce722d067342823ad54caac47d0ca722732c26f66b766a949f2b0227caf",
        &["py", "cs"],
    ),
    (
        "@wordpress/block-library@9.3.0",
        "7df9b8ef38210c0d149fca6818de709a3dc2cfe4e8b42d1bc6d081dc8b31756ce5a0c133ace62802890031e66e9ee27ade1722a88f8afce8b0ceeeccfae032fc",
        &["php"],
    ),
    (
        "bullmq@5.12.0",
        "90eb52431f729b296c96c2cd143d3138c24cf661ea9eadf1e8a0fbf836241c1c967b41c545d6e5a582a16722f8b91debc1a299c333ab25597747045a0e36714a",
        &["lua"],
    ),
    (
        "expo-modules-core@1.12.24",
        "de07887b679c8b3969ee5dba898f0d99ce7dcf67754540b99d066d23d889a22e6e1c4515ff3badf1ee3344b1559d96fc28e70c7040ecaef6812f90cf9ea75fa6",
        &["kt", "swift"],
    ),
    (
        "react-native@0.74.5",
        "0608365afc5a18e0ee9093136454d904d30a55a44e1cbc126fc54018476b96f2b07dbd611e0ff76974d4202624eddc200276fe20d6c63309c5f32780808526ab",
        &["java", "kt", "cpp", "rb", "sh"],
    ),
];

/// At most so many files of one language and source.
const MOST: usize = 40;

/// Every file there is.
pub(crate) fn all() -> Vec<File> {
    static ALL: OnceLock<Vec<File>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        let mut files = cases();
        let is_full = variable("CODE_FULL").is_some();
        files.extend(crates(if is_full { MOST * 3 } else { MOST }));
        if is_full {
            files.extend(PACKAGES.iter().flat_map(|(name, hash, ends)| package(name, hash, ends)));
        }
        files.extend(variable("CODE_FILES").into_iter().flat_map(|dir| beside(Path::new(&dir))));
        files
    });
    all.clone()
}

#[expect(clippy::disallowed_methods, reason = "switches of the suite")]
fn variable(name: &str) -> Option<String> {
    env::var(name).ok()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ has a parent").to_owned()
}

/// The language of a file by its ending.
fn language(path: &Path) -> Option<&'static str> {
    Some(match path.extension()?.to_str()? {
        "rs" => "rust",
        "py" => "python",
        "js" | "mjs" | "cjs" => "javascript",
        "jsx" => "jsx",
        "ts" => "typescript",
        "tsx" => "tsx",
        "go" => "go",
        "java" => "java",
        "kt" => "kotlin",
        "c" => "c",
        "cpp" | "cc" => "cpp",
        "cs" => "csharp",
        "swift" => "swift",
        "php" => "php",
        "rb" => "ruby",
        "scala" => "scala",
        "sh" => "shell",
        "sql" => "sql",
        "lua" => "lua",
        _ => return None,
    })
}

fn read(path: &Path, name: String, language: &str) -> Option<File> {
    let text = fs::read_to_string(path).ok()?;
    let is_plain = !text.contains('\0') && text.lines().all(|line| line.len() < 2000);
    (is_plain && !text.contains("[caveman: ")).then(|| File {
        name,
        language: language.into(),
        text,
    })
}

/// The compressor's own cases.
fn cases() -> Vec<File> {
    let folder = root().join("core/src/compress/code/cases");
    let mut paths = below(&folder);
    paths.retain(|path| path.to_string_lossy().contains(".in."));
    paths
        .iter()
        .filter_map(|path| {
            let name = path.file_name()?.to_string_lossy().into_owned();
            read(path, name, language(path)?)
        })
        .collect()
}

/// Files below a folder, in order.
fn below(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                open.push(entry.path());
            } else if kind.is_file() {
                out.push(entry.path());
            }
        }
    }
    out.sort();
    out
}

/// Files of 5 to 100 KB, spread over the folders, at most `most` of a language.
fn some(folder: &Path, most: usize, endings: &[&str]) -> Vec<File> {
    let is_measured = |path: &&PathBuf| {
        let size = fs::metadata(path).map_or(0, |data| data.len());
        let is_named = path.extension().and_then(|end| end.to_str());
        (5_000..100_000).contains(&size) && is_named.is_some_and(|end| endings.contains(&end))
    };
    let paths = below(folder);
    let paths: Vec<&PathBuf> = paths.iter().filter(is_measured).collect();
    let mut out: Vec<File> = Vec::new();
    for ending in endings {
        let of: Vec<&&PathBuf> =
            paths.iter().filter(|p| p.extension().is_some_and(|end| end == *ending)).collect();
        let step = of.len().div_ceil(most.max(1)).max(1);
        out.extend(of.iter().step_by(step).filter_map(|path| {
            let name = path.strip_prefix(folder).ok()?.to_string_lossy().into_owned();
            read(path, name, language(path)?)
        }));
    }
    out
}

/// Files of the crates of the lock file, as far as cargo has fetched them: it has checked their hashes.
fn crates(most: usize) -> Vec<File> {
    let lock = fs::read_to_string(root().join("Cargo.lock")).expect("there is a lock file");
    let mut locked = Vec::new();
    for package in lock.split("[[package]]") {
        let field = |key: &str| {
            let start = package.find(&format!("{key} = \""))? + key.len() + 4;
            package.get(start..)?.split('"').next()
        };
        if let (Some(name), Some(version)) = (field("name"), field("version")) {
            locked.push(format!("{name}-{version}"));
        }
    }
    let home = variable("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(Path::new(&variable("HOME")?).join(".cargo")));
    let registries = home.map(|home| home.join("registry/src")).unwrap_or_default();
    let mut out = Vec::new();
    for registry in fs::read_dir(registries).into_iter().flatten().flatten() {
        for name in &locked {
            let few = some(&registry.path().join(name).join("src"), 2, &["rs", "c"]);
            out.extend(
                few.into_iter().map(|file| File { name: format!("{name}/{}", file.name), ..file }),
            );
        }
    }
    let step = out.len().div_ceil(most).max(1);
    out.into_iter().step_by(step).collect()
}

/// `DIR/<language>/*`
fn beside(folder: &Path) -> Vec<File> {
    below(folder)
        .iter()
        .filter_map(|path| {
            let language = path.parent()?.file_name()?.to_str()?;
            let name = path.strip_prefix(folder).ok()?.to_string_lossy().into_owned();
            read(path, name, language)
        })
        .collect()
}

/// Files of a package: packed once into the target folder by npm itself, its hash checked on every run.
fn package(name: &str, hash: &str, endings: &[&str]) -> Vec<File> {
    let target = option_env!("CARGO_TARGET_TMPDIR").map_or(env::temp_dir(), PathBuf::from);
    let folder = target.join("code-files").join(name.replace(['/', '@'], "_"));
    fs::create_dir_all(&folder).expect("the target folder can be written");
    let archive =
        || below(&folder).into_iter().find(|path| path.extension().is_some_and(|e| e == "tgz"));
    if archive().is_none() {
        run("npm", &["pack", "--silent", name], &folder);
    }
    let archive = archive().unwrap_or_else(|| panic!("npm packs {name}"));
    let bytes = fs::read(&archive).expect("the archive can be read");
    let found: String = Sha512::digest(&bytes).iter().map(|b| format!("{b:02x}")).collect();
    assert_eq!(found, hash, "{name} is not the pinned one");
    let extracted = folder.join("extracted");
    if !extracted.exists() {
        let part = folder.join("part");
        fs::create_dir_all(&part).expect("the target folder can be written");
        let archive = archive.to_str().expect("a path that is text");
        run("tar", &["xzf", archive, "-C", part.to_str().expect("a path that is text")], &folder);
        fs::rename(&part, &extracted).expect("the target folder can be written");
    }
    let files = some(&extracted, MOST, endings);
    files.into_iter().map(|file| File { name: format!("{name}/{}", file.name), ..file }).collect()
}

#[expect(clippy::disallowed_methods, reason = "files come from a package index, by its own client")]
fn run(program: &str, arguments: &[&str], folder: &Path) {
    let done = std::process::Command::new(program).args(arguments).current_dir(folder).output();
    let output = done.unwrap_or_else(|e| panic!("the files cannot be had: {program}: {e}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "the files cannot be had: {program} {arguments:?}: {said}");
}
