//! Layers: a module of the core uses only modules of the groups above it in `core/src/lib.rs`.

use crate::none;
use crate::tree::{self, File};
use std::collections::BTreeMap;

/// The layer of each module: the blank-line groups of `mod` lines in the crate root, lowest first.
fn layers(root: &str) -> BTreeMap<String, usize> {
    let mut layers = BTreeMap::new();
    let mut layer = 0;
    for line in root.lines() {
        let declared = line.strip_prefix("pub mod ").or_else(|| line.strip_prefix("mod "));
        match declared.and_then(|name| name.strip_suffix(';')) {
            Some(name) => {
                layers.insert(name.to_owned(), layer);
            }
            None if line.is_empty() => layer += 1,
            None => {}
        }
    }
    layers
}

/// Uses of a module of the same or a higher layer in one file of the core, tests of the file left out.
fn offences(layers: &BTreeMap<String, usize>, file: &File) -> Vec<String> {
    let inner = file.path.strip_prefix("core/src/").unwrap_or(&file.path);
    let own = inner.split(['/', '.']).next().unwrap_or(inner);
    let Some(&own_layer) = layers.get(own) else {
        return vec![format!("{}: module `{own}` is not declared in the crate root", file.path)];
    };
    used_modules(code_of(&file.text))
        .into_iter()
        .filter(|(_, name)| name != own)
        .filter_map(|(line, name)| {
            let layer = layers.get(&name)?;
            (*layer >= own_layer).then(|| {
                format!(
                    "{}:{line}: `{own}` uses `{name}`, which is not in a layer below it",
                    file.path
                )
            })
        })
        .collect()
}

/// A file without the tests at its end.
pub(crate) fn code_of(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests").next().unwrap_or(text)
}

/// The names that follow `crate::`, plain or in braces, each with its line; comments are not code.
fn used_modules(code: &str) -> Vec<(usize, String)> {
    let mut used = Vec::new();
    let mut depth = 0; // inside `crate::{…}`; 0 is outside
    for (at, line) in code.lines().enumerate() {
        let line = line.split("//").next().unwrap_or(line);
        let mut rest = line;
        while !rest.is_empty() {
            if depth == 0 {
                let Some((_, after)) = rest.split_once("crate::") else { break };
                rest = after;
                if let Some(inner) = rest.strip_prefix('{') {
                    (depth, rest) = (1, inner);
                } else {
                    used.push((at + 1, word(rest)));
                }
                continue;
            }
            let first = rest.chars().next().unwrap_or(' ');
            let name = word(rest);
            if depth == 1 && !name.is_empty() {
                used.push((at + 1, name.clone()));
                // The rest of this path belongs to the module just named.
                let path_end = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
                rest = rest.split_at(path_end.unwrap_or(rest.len())).1;
                continue;
            }
            match first {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            rest = rest.split_at(first.len_utf8()).1;
        }
    }
    used
}

fn word(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

#[test]
fn a_module_of_the_core_uses_only_lower_ones() {
    let layers = layers(&tree::read("core/src/lib.rs").text);
    assert!(layers.len() > 10, "the crate root declares {} modules only", layers.len());
    let sources = tree::files()
        .into_iter()
        .filter(|f| f.is_rust() && f.path.starts_with("core/src/") && f.path != "core/src/lib.rs");
    none(sources.flat_map(|f| offences(&layers, &f)).collect());
}

#[test]
fn a_use_of_a_higher_layer_is_seen() {
    let layers =
        layers("//! Doc\n\npub mod text;\n\npub mod json;\npub mod tokens;\n\npub mod engine;\n");
    let check = |path: &str, text: &str| offences(&layers, &File::planted(path, text)).len();
    assert_eq!(check("core/src/engine.rs", "use crate::text::Span;\nuse crate::json;"), 0);
    assert_eq!(check("core/src/text.rs", "use crate::engine;"), 1);
    assert_eq!(check("core/src/text.rs", "let x = crate::engine::go();"), 1);
    assert_eq!(check("core/src/json.rs", "use crate::tokens::count;"), 1, "the same layer");
    assert_eq!(
        check("core/src/json/read.rs", "use crate::{\n    text::{Span, lines},\n    engine,\n};"),
        1
    );
    assert_eq!(check("core/src/json/read.rs", "use crate::{text::{engine, b}, text::c};"), 0);
    assert_eq!(check("core/src/text.rs", "// use crate::engine;\n/// [`crate::engine`]"), 0);
    assert_eq!(check("core/src/text.rs", "#[cfg(test)]\nmod tests {\n use crate::engine;\n}"), 0);
    assert_eq!(check("core/src/stray.rs", ""), 1);
}
