//! Dependencies: everything that reaches a shipped artifact stands in a list here, with nothing in it that can reach a
//! network.
//!
//! What is built here is asked of cargo, exactly; what other platforms and features might add is read from the lock file,
//! which holds too much (the features of test oracles) but nothing too little.

use crate::none;
use crate::tree;
use std::collections::{BTreeMap, BTreeSet};

/// What the core may be built from, build-time crates included. Every name is `no_std`.
const CORE: &[&str] = &[
    "block-buffer",
    "cfg-if",
    "cpufeatures",
    "crypto-common",
    "digest",
    "generic-array",
    "hashbrown",
    "itoa",
    "libc",
    "libm",
    "memchr",
    "once_cell",
    "proc-macro2",
    "quote",
    "serde",
    "serde_core",
    "serde_derive",
    "serde_json",
    "sha2",
    "syn",
    "typenum",
    "unicode-ident",
    "version_check",
    "zmij",
];

/// What the native host adds.
const NATIVE: &[&str] = &[
    "anstream",
    "anstyle",
    "anstyle-parse",
    "anstyle-query",
    "anstyle-wincon",
    "bitflags",
    "cc",
    "clap",
    "clap_builder",
    "clap_complete",
    "clap_derive",
    "clap_lex",
    "clap_mangen",
    "colorchoice",
    "equivalent",
    "errno",
    "fallible-iterator",
    "fallible-streaming-iterator",
    "find-msvc-tools",
    "foldhash",
    "hashlink",
    "heck",
    "indexmap",
    "is_terminal_polyfill",
    "libsqlite3-sys",
    "linux-raw-sys",
    "once_cell_polyfill",
    "pkg-config",
    "roff",
    "rusqlite",
    "rustix",
    "shlex",
    "signal-hook",
    "signal-hook-registry",
    "smallvec",
    "strsim",
    "terminal_size",
    "toml_datetime",
    "toml_edit",
    "toml_parser",
    "utf8parse",
    "vcpkg",
    "windows-link",
    "windows-sys",
    "winnow",
];

/// What the wasm artifact adds.
const WASM: &[&str] = &[
    "bumpalo",
    "rustversion",
    "wasm-bindgen",
    "wasm-bindgen-macro",
    "wasm-bindgen-macro-support",
    "wasm-bindgen-shared",
];

/// Never, not even by an entry above: crates whose purpose is a network, a runtime for one, or a subprocess.
const NEVER: &[&str] = &[
    "async-std",
    "attohttpc",
    "curl",
    "duct",
    "h2",
    "hyper",
    "isahc",
    "mio",
    "native-tls",
    "openssl",
    "quinn",
    "reqwest",
    "rustls",
    "smol",
    "socket2",
    "subprocess",
    "surf",
    "tokio",
    "tungstenite",
    "ureq",
    "web-sys",
];

/// What the lock file records because of a test's dependency only: it mixes the features of all crates. `toon-format`,
/// an oracle of the suites, turns `preserve_order` of serde_json on.
const OF_TESTS: &[(&str, &str)] = &[("serde_json", "indexmap")];

/// The names in a `Cargo.lock`, each with the names that it was resolved to depend on.
fn lock_graph(lock: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut graph = BTreeMap::<String, BTreeSet<String>>::new();
    let (mut name, mut in_list) = (String::new(), false);
    for line in lock.lines() {
        if let Some(value) = line.strip_prefix("name = ") {
            name = value.trim_matches('"').to_owned();
            graph.entry(name.clone()).or_default();
        } else if line == "dependencies = [" {
            in_list = true;
        } else if line == "]" {
            in_list = false;
        } else if in_list {
            // `"name"`, or `"name version"` where several versions are locked.
            let entry = line.trim().trim_matches([',', '"']);
            let on = entry.split(' ').next().unwrap_or(entry);
            graph.entry(name.clone()).or_default().insert(on.to_owned());
        }
    }
    graph
}

/// The names under `[dependencies]`, `[build-dependencies]` and their per-target forms in a manifest.
fn shipped_dependencies(manifest: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut in_table = false;
    for line in manifest.lines() {
        if let Some(table) = line.strip_prefix('[') {
            let table = table.trim_end_matches(']');
            let last = table.rsplit('.').next().unwrap_or(table);
            in_table = last == "dependencies" || last == "build-dependencies";
            // `[dependencies.name]`
            for kind in ["dependencies.", "build-dependencies."] {
                if let Some(name) = table.strip_prefix(kind) {
                    names.insert(name.to_owned());
                }
            }
        } else if in_table
            && !line.starts_with([' ', '#', '}', ']'])
            && let Some((key, _)) = line.split_once('=')
        {
            let name = key.split('.').next().unwrap_or(key).trim();
            names.insert(name.to_owned());
        }
    }
    names
}

/// Everything that a manifest's shipped dependencies pull in, itself left out, own crates walked by their manifests.
fn closure(
    manifest: &str,
    graph: &BTreeMap<String, BTreeSet<String>>,
    own: &dyn Fn(&str) -> Option<String>,
) -> BTreeSet<String> {
    let mut todo: Vec<String> = shipped_dependencies(manifest).into_iter().collect();
    let mut seen = BTreeSet::new();
    while let Some(name) = todo.pop() {
        if !seen.insert(name.clone()) {
            continue;
        }
        // The lock file mixes an own crate's test dependencies in; its manifest does not.
        match own(&name) {
            Some(manifest) => todo.extend(shipped_dependencies(&manifest)),
            None => {
                let of_tests = |on: &&String| OF_TESTS.contains(&(name.as_str(), on.as_str()));
                let on = graph.get(&name).into_iter().flatten().filter(|on| !of_tests(on));
                todo.extend(on.cloned());
            }
        }
    }
    seen
}

/// Names outside the lists.
fn unlisted(krate: &str, names: &BTreeSet<String>, lists: &[&[&str]]) -> Vec<String> {
    let is_listed = |name: &str| lists.iter().any(|list| list.contains(&name));
    let strange = names.iter().filter(|name| !name.starts_with("caveman-") && !is_listed(name));
    strange
        .map(|name| {
            format!(
                "{krate} is built with `{name}`, which is on no list in tests/tidy/dependencies.rs"
            )
        })
        .collect()
}

/// Names that no list can allow.
fn networked(krate: &str, names: &BTreeSet<String>) -> Vec<String> {
    let found = names.iter().filter(|name| NEVER.contains(&name.as_str()));
    found
        .map(|name| format!("{krate} may be built with `{name}`, which can reach a network"))
        .collect()
}

/// What cargo builds a crate from on this machine, build-time crates included.
fn built_from(krate: &str) -> BTreeSet<String> {
    #[expect(clippy::disallowed_methods, reason = "cargo alone knows which features are on")]
    let output = std::process::Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--locked", "--edges", "normal,build", "--prefix", "none"])
        .args(["--format", "{p}", "--package", krate])
        .current_dir(tree::root())
        .output()
        .expect("cargo runs");
    let names = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    names.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

fn closure_of(folder: &str) -> BTreeSet<String> {
    let graph = lock_graph(&tree::read("Cargo.lock").text);
    let own = |name: &str| {
        let folder = name.strip_prefix("caveman-")?;
        Some(tree::read(&format!("{folder}/Cargo.toml")).text)
    };
    closure(&tree::read(&format!("{folder}/Cargo.toml")).text, &graph, &own)
}

#[test]
fn every_crate_that_ships_is_on_its_list() {
    none(unlisted("core", &built_from("caveman-core"), &[CORE]));
    none(unlisted("native", &built_from("caveman-native"), &[CORE, NATIVE]));
    none(unlisted("wasm", &built_from("caveman-wasm"), &[CORE, WASM]));
}

#[test]
fn no_crate_on_any_platform_can_reach_a_network() {
    for krate in ["core", "native", "wasm"] {
        none(networked(krate, &closure_of(krate)));
    }
}

#[test]
fn the_lists_hold_nothing_else() {
    let stale = |list: &[&str], closure: &BTreeSet<String>| {
        list.iter()
            .filter(|name| !closure.contains(**name))
            .map(|name| format!("`{name}` is allowed and not used"))
            .collect::<Vec<_>>()
    };
    none(stale(CORE, &closure_of("core")));
    none(stale(NATIVE, &closure_of("native")));
    none(stale(WASM, &closure_of("wasm")));
}

#[test]
fn locked_crates_come_from_the_registry_only() {
    none(foreign_sources(&tree::read("Cargo.lock").text));
    let planted = "name = \"x\"\nsource = \"git+https://example.org/x\"\n";
    assert_eq!(foreign_sources(planted).len(), 1);
}

fn foreign_sources(lock: &str) -> Vec<String> {
    let index = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";
    let sources = lock.lines().filter(|l| l.starts_with("source = ") && *l != index);
    sources.map(|l| format!("Cargo.lock: {l}")).collect()
}

#[test]
fn a_dependency_off_the_list_is_seen() {
    let lock = "[[package]]\nname = \"a\"\ndependencies = [\n \"b 1.0.0\",\n \"tokio\",\n]\n\n[[package]]\nname = \"b\"\n";
    let manifest = "[package]\nname = \"m\"\n\n[dependencies]\na.workspace = true\ncaveman-own = { path = \"own\" }\n\n\
                    [dev-dependencies]\nz = \"1\"\n\n[target.'cfg(unix)'.dependencies]\nlibc = \"1\"\n\n[dependencies.table]\nversion = \"1\"\n";
    let own = |name: &str| {
        (name == "caveman-own")
            .then(|| "[build-dependencies]\ncc = { version = \"1\" }\n".to_owned())
    };
    let found = closure(manifest, &lock_graph(lock), &own);
    let names: Vec<&str> = found.iter().map(String::as_str).collect();
    assert_eq!(names, ["a", "b", "caveman-own", "cc", "libc", "table", "tokio"]);
    assert_eq!(unlisted("m", &found, &[&["a", "b"], &["libc", "table", "tokio"]]).len(), 1);
    assert_eq!(networked("m", &found).len(), 1);
}
