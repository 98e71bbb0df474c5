//! Help, completions and manual pages: each says what the table of verbs says.

use crate::harness::{Home, Run, run};

/// Both programs.
const PROGRAMS: [&str; 2] = ["caveman-mcp", "cavemem"];

fn program(name: &str, arguments: &[&str]) -> Run {
    let home = Home::new();
    match name {
        "cavemem" => run(home.cavemem(arguments), b""),
        _ => home.run(arguments, b""),
    }
}

/// The verbs that the help lists.
fn verbs(name: &str) -> Vec<String> {
    let help = program(name, &["--help"]).text().to_owned();
    let (_, list) = help.split_once("Commands:\n").unwrap();
    let (list, _) = list.split_once("\n\n").unwrap();
    let names = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.map(|line| line.split_whitespace().next().unwrap().to_owned());
    names.filter(|verb| verb != "help").collect()
}

#[test]
fn every_verb_teaches() {
    let verbs = verbs("caveman-mcp");
    assert!(verbs.len() >= 14, "{verbs:?}");
    for verb in &verbs {
        let help = program("caveman-mcp", &[verb, "--help"]);
        let text = help.text();
        assert!(text.contains("Usage: caveman-mcp") && text.lines().count() > 8, "{help}");
        let has_subverbs = text.contains("\nCommands:\n");
        assert!(has_subverbs || text.contains("caveman-mcp "), "{verb} shows no example\n{help}");
        assert_eq!(program("caveman-mcp", &["help", verb]).text(), text, "{verb}");
    }
}

#[test]
fn every_shell_completes_every_verb() {
    for (name, flag) in PROGRAMS.into_iter().zip(["explain", "token-budget"]) {
        let verbs = verbs(name);
        for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
            let script = program(name, &["completions", shell]);
            for word in verbs.iter().map(String::as_str).chain([name, flag]) {
                assert!(script.text().contains(word), "{shell}: {word}");
            }
        }
        let help = program(name, &["completions", "--help"]);
        assert!(help.text().contains(&format!("{name} completions fish > ")), "{help}");
        program(name, &["completions", "tcsh"]).fails(2, "bash");
    }
}

#[test]
fn the_manual_has_a_page_for_every_verb() {
    for name in PROGRAMS {
        let page = program(name, &["man"]);
        assert!(page.text().contains(&format!(".TH {name} 1")), "{page}");
        let escaped = name.replace('-', "\\-");
        for verb in verbs(name) {
            assert!(page.text().contains(&format!("{escaped}\\-{verb}(1)")), "{verb}\n{page}");
            let own = program(name, &["man", &verb]);
            assert!(own.text().contains(&format!(".TH {name}-{verb} 1")), "{own}");
        }
        program(name, &["man", "nonsense"]).fails(2, "no such verb");
    }
}
