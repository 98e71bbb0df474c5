//! Documents: what they list is what the code has, what they name exists, what they show is what the product does.

use crate::layers::code_of;
use crate::none;
use crate::tree::{self, File};
use caveman_core::kind::Kind;
use caveman_core::mcp;
use std::collections::BTreeSet;

/// The part of a document between `<!-- name -->` and `<!-- /name -->`.
fn block<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(&format!("<!-- {name} -->\n"))?;
    rest.split_once(&format!("<!-- /{name} -->")).map(|(inside, _)| inside)
}

/// The names in backticks.
fn quoted(text: &str) -> BTreeSet<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The names in backticks that a block lists: of a table, those of the first column.
fn listed(block: &str) -> BTreeSet<String> {
    let cell =
        |line: &'_ str| line.strip_prefix('|').map(|l| l.split('|').next().unwrap_or(l).to_owned());
    block.lines().flat_map(|line| quoted(&cell(line).unwrap_or_else(|| line.to_owned()))).collect()
}

/// Names that a document's block lists and the code lacks, and the other way round.
fn differences(file: &File, name: &str, code: &BTreeSet<String>) -> Vec<String> {
    let Some(inside) = block(&file.text, name) else {
        return vec![format!("{}: has no block `{name}`", file.path)];
    };
    let listed = listed(inside);
    let missing =
        code.difference(&listed).map(|n| format!("{}: {name}: `{n}` is not listed", file.path));
    let stray =
        listed.difference(code).map(|n| format!("{}: {name}: `{n}` does not exist", file.path));
    missing.chain(stray).collect()
}

/// Statements of a section without a test, or whose test does not exist. `find` gives the text of a file.
fn untested(text: &str, title: &str, find: &dyn Fn(&str) -> Option<String>) -> Vec<String> {
    let section = text.split("\n## ").find(|s| s.starts_with(title)).unwrap_or_default();
    let items: Vec<&str> = section.split("\n- ").skip(1).collect();
    if items.is_empty() {
        return vec![format!("nothing is listed under {title}")];
    }
    let mut found = Vec::new();
    for item in items {
        let title = item.lines().next().unwrap_or_default();
        let named: Vec<String> = quoted(item)
            .into_iter()
            .filter(|name| name.contains(".rs::") || name.ends_with(".test.mjs"))
            .collect();
        if named.is_empty() {
            found.push(format!("names no test: {title}"));
        }
        for name in named {
            let (path, test) = name.split_once("::").unwrap_or((&name, ""));
            match find(path) {
                None => found.push(format!("{path} does not exist: {title}")),
                Some(text) if !test.is_empty() && !text.contains(&format!("fn {test}()")) => {
                    found.push(format!("{path} has no test {test}: {title}"));
                }
                Some(_) => {}
            }
        }
    }
    found
}

/// Set by the launcher for its own child, not by users.
const INTERNAL: &str = "CAVEMAN_MCP_LAUNCHER_DEPTH";

/// The names of our environment variables that stand as a string of their own or behind `env.`.
fn variables(code: &str) -> BTreeSet<String> {
    let code = code.replace("env.CAVE", "\"CAVE");
    let names = code.split(['"', '\'']).filter_map(|text| {
        let name = text.split(|c: char| !c.is_ascii_uppercase() && c != '_').next()?;
        let is_read = text.strip_prefix(name)?.chars().next().is_none_or(|c| c != '=');
        let is_ours = name.starts_with("CAVEMAN_") || name.starts_with("CAVEMEM_");
        (is_ours && is_read && name != INTERNAL).then(|| name.to_owned())
    });
    names.collect()
}

/// Relative links of a Markdown file that lead nowhere.
fn dead_links(file: &File, exists: &dyn Fn(&str) -> bool) -> Vec<String> {
    let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let targets = file.text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets
        .map(|target| target.split('#').next().unwrap_or(target))
        .filter(|target| !target.is_empty() && !target.contains("://"))
        .filter(|target| {
            let mut parts: Vec<&str> = folder.split('/').filter(|p| !p.is_empty()).collect();
            for part in target.split('/') {
                if part == ".." {
                    parts.pop();
                } else {
                    parts.push(part);
                }
            }
            !exists(&parts.join("/"))
        })
        .map(|target| format!("{}: the link to {target} leads nowhere", file.path))
        .collect()
}

#[test]
fn every_invariant_names_a_test_that_exists() {
    let find = |path: &str| std::fs::read_to_string(tree::root().join(path)).ok();
    none(untested(&tree::read("docs/ARCHITECTURE.md").text, "Invariants", &find));
}

#[test]
fn every_promise_of_security_names_a_test_that_exists() {
    let find = |path: &str| std::fs::read_to_string(tree::root().join(path)).ok();
    none(untested(&tree::read("SECURITY.md").text, "Each of these is a test", &find));
}

#[test]
fn the_code_map_holds_every_module_of_the_core() {
    let root = tree::read("core/src/lib.rs").text;
    let modules = root
        .lines()
        .filter_map(|l| l.strip_prefix("pub mod ").or(l.strip_prefix("mod "))?.strip_suffix(';'))
        .map(str::to_owned)
        .collect();
    none(differences(&tree::read("docs/ARCHITECTURE.md"), "core modules", &modules));
}

#[test]
fn the_readme_lists_the_kinds_of_the_code() {
    let kinds = Kind::ALL.iter().map(|kind| kind.name().to_owned()).collect();
    none(differences(&tree::read("README.md"), "kinds", &kinds));
}

#[test]
fn the_readme_lists_the_tools_of_the_code() {
    let tools = mcp::ALL.iter().map(|tool| tool.name.to_owned()).collect();
    none(differences(&tree::read("README.md"), "tools", &tools));
}

/// The variants of `enum Verb` in lower case.
fn verbs(code: &str) -> BTreeSet<String> {
    let (_, body) = code.split_once("enum Verb {\n").unwrap_or_default();
    let (body, _) = body.split_once("\n}").unwrap_or_default();
    let variants = body.lines().map(str::trim).filter(|l| l.starts_with(char::is_uppercase));
    variants.filter_map(|l| l.split(['(', ',']).next()).map(str::to_lowercase).collect()
}

#[test]
fn the_readme_lists_the_verbs_of_the_command() {
    none(differences(
        &tree::read("README.md"),
        "verbs",
        &verbs(&tree::read("native/src/cli/mod.rs").text),
    ));
}

#[test]
fn the_page_on_memory_lists_the_tools_and_verbs_of_the_code() {
    let page = tree::read("docs/memory.md");
    let tools = mcp::MEMORY_TOOLS.iter().map(|tool| tool.name.to_owned()).collect();
    none(differences(&page, "tools", &tools));
    none(differences(&page, "verbs", &verbs(&tree::read("native/src/cli/cavemem/mod.rs").text)));
}

/// The codes that stand as strings in the errors of memories.
#[test]
fn the_page_on_memory_lists_the_codes_of_its_errors() {
    let code = tree::read("core/src/memory/error.rs").text;
    let codes =
        code.split('"').filter(|text| text.starts_with("cave_")).map(str::to_owned).collect();
    none(differences(&tree::read("docs/memory.md"), "codes", &codes));
}

#[test]
fn the_readme_lists_the_variables_that_are_read() {
    let sources = tree::files().into_iter().filter(|f| {
        f.path.starts_with("native/src/")
            || (f.path.starts_with("npm/cavem") && f.path.ends_with(".mjs"))
    });
    let read = sources.flat_map(|f| variables(code_of(&f.text))).collect();
    none(differences(&tree::read("README.md"), "environment", &read));
}

/// What stands between `open` and the next quote, wherever a file has it.
fn named(path: &str, open: &str) -> BTreeSet<String> {
    let text = tree::read(path).text;
    let names = text.split(open).skip(1).filter_map(|rest| rest.split('"').next());
    names.map(str::to_owned).collect()
}

#[test]
fn the_hosts_and_hooks_are_those_of_the_code() {
    let document = tree::read("docs/hosts.md");
    let hosts = named("native/src/install/hosts.rs", "    Host {\n        name: \"");
    assert_eq!(hosts.len(), 10, "{hosts:?}");
    none(differences(&document, "hosts", &hosts));
    none(differences(&document, "hooks", &named("native/src/hook/mod.rs", "Protocol { name: \"")));
}

#[test]
fn the_formats_are_those_of_the_code() {
    let document = tree::read("docs/formats.md");
    let kinds = Kind::ALL.iter().map(|kind| kind.name().to_owned()).collect();
    none(differences(&document, "kinds", &kinds));
    none(differences(&document, "reasons", &reasons(&tree::read("core/src/engine.rs").text)));
    // Each other name means its kind, and every other name is listed.
    let source = tree::read("core/src/kind.rs").text;
    let mut listed = BTreeSet::new();
    for row in block(&document.text, "kinds").unwrap_or_default().lines() {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [_, name, aliases, ..] = cells.as_slice() else { continue };
        for alias in aliases.split(", ").filter(|alias| !alias.is_empty() && name.starts_with('`'))
        {
            let kind = Kind::parse(alias).map(Kind::name);
            assert_eq!(kind, Some(name.trim_matches('`')), "{alias}");
            listed.insert(alias.to_owned());
        }
    }
    let aliases = source.split(" | \"").skip(1).filter_map(|rest| rest.split('"').next());
    assert_eq!(listed, aliases.map(str::to_owned).collect());
}

/// The names that `Reason::name` gives.
fn reasons(code: &str) -> BTreeSet<String> {
    let arms =
        code.lines().filter_map(|line| line.trim().strip_prefix("Reason::")?.split_once(" => \""));
    arms.filter_map(|(_, rest)| rest.strip_suffix("\",")).map(str::to_owned).collect()
}

#[test]
fn the_codes_are_those_of_the_code() {
    let (store, protocol) = (tree::read("docs/store.md"), tree::read("docs/protocol.md"));
    let codes = |under: &str, but: &str| -> BTreeSet<String> {
        let files = tree::files().into_iter().filter(|file| {
            file.is_rust()
                && file.path.starts_with(under)
                && (but.is_empty() || !file.path.contains(but))
        });
        files.flat_map(|file| codes(code_of(&file.text))).collect()
    };
    let of_store = codes("core/src/store/", "memory.rs");
    none(differences(&store, "store errors", &of_store));
    let others = codes("core/src/", "memory").difference(&of_store).cloned().collect();
    none(differences(&protocol, "errors", &others));
    let revisions =
        std::iter::once(mcp::MODERN).chain(mcp::HANDSHAKES).map(str::to_owned).collect();
    none(differences(&protocol, "revisions", &revisions));
}

/// The error codes in a code.
fn codes(code: &str) -> BTreeSet<String> {
    let texts = code.split("cave_").skip(1).map(|rest| {
        rest.split(|c: char| !c.is_ascii_lowercase() && c != '_').next().unwrap_or_default()
    });
    texts.filter(|name| !name.is_empty()).map(|name| format!("cave_{name}")).collect()
}

#[test]
fn a_code_and_a_reason_are_seen() {
    let code = "match self {\n    Reason::NotText => \"not_text\",\n}\nsay(\"cave_not_found: x\")";
    assert_eq!(reasons(code), ["not_text".to_owned()].into());
    assert_eq!(codes(code), ["cave_not_found".to_owned()].into());
}

#[test]
fn the_readme_is_short() {
    let n_lines = tree::read("README.md").text.lines().count();
    assert!(n_lines < 200, "{n_lines} lines");
}

#[test]
fn links_between_files_lead_somewhere() {
    let exists = |path: &str| tree::root().join(path).exists();
    let documents: Vec<File> =
        tree::files().into_iter().filter(|f| f.path.ends_with(".md") && !f.is_payload()).collect();
    none(documents.iter().flat_map(|f| dead_links(f, &exists)).collect());
}

#[test]
fn a_list_that_differs_is_seen() {
    let code: BTreeSet<String> = ["json", "log"].map(str::to_owned).into();
    let check = |text: &str| differences(&File::planted("README.md", text), "kinds", &code).len();
    assert_eq!(check("<!-- kinds -->\n| `json`, `log` | not `toon` |\n<!-- /kinds -->"), 0);
    assert_eq!(check("<!-- kinds -->\n`json`\n<!-- /kinds --> `log`"), 1);
    assert_eq!(check("<!-- kinds -->\n`json`, `log`, `yaml`\n<!-- /kinds -->"), 1);
    assert_eq!(check("`json` `log`"), 1);
}

#[test]
fn an_invariant_without_its_test_is_seen() {
    let find = |path: &str| (path == "a.rs").then(|| "#[test]\nfn holds() {}".to_owned());
    let check = |items: &str| {
        untested(&format!("# A\n\n## Invariants\n\n{items}\n\n## Next\n- x"), "Invariants", &find)
            .len()
    };
    assert_eq!(check("- **No clock.** `a.rs::holds`"), 0);
    assert_eq!(check("- **No clock.** `a.rs`\n- **No net.** `a.rs::holds`"), 1);
    assert_eq!(check("- **No clock.** `a.rs::lost`"), 1);
    assert_eq!(check("- **No clock.** `b.rs::holds`, `c.test.mjs`"), 2);
    assert_eq!(check(""), 1);
}

#[test]
fn a_verb_is_seen() {
    let code = "struct X;\nenum Verb {\n    /// Serves.\n    #[command(subcommand)]\n    Serve(serve::Args),\n    Stats,\n}\nenum Other {\n    No,\n}\n";
    assert_eq!(verbs(code), ["serve", "stats"].map(str::to_owned).into());
}

#[test]
fn a_variable_is_seen_where_it_is_a_string() {
    let script = "env.CAVEMAN_LOG ?? ''; read('CAVEMAN_X'); // CAVEMAN_Y";
    assert_eq!(variables(script), ["CAVEMAN_LOG", "CAVEMAN_X"].map(str::to_owned).into());
    let code = "/// `CAVEMAN_A`\nread(\"CAVEMAN_HOME\"); say(\"CAVEMAN_B=0 forbids\"); (\"CAVEMEM_BIN\", 1)";
    assert_eq!(variables(code), ["CAVEMAN_HOME", "CAVEMEM_BIN"].map(str::to_owned).into());
}

#[test]
fn a_dead_link_is_seen() {
    let exists = |path: &str| path == "docs/A.md" || path == "LICENSE";
    let check = |path: &str, text: &str| dead_links(&File::planted(path, text), &exists).len();
    assert_eq!(check("README.md", "[a](docs/A.md#part) [b](https://example.org) [c](#here)"), 0);
    assert_eq!(check("docs/B.md", "[a](A.md) [b](../LICENSE)"), 0);
    assert_eq!(check("docs/B.md", "[a](docs/A.md) [b](LICENSE)"), 2);
}
