//! Help, completions and manual pages: each says what the table of verbs says.

use crate::harness::Home;

/// The verbs that the help lists.
fn verbs(home: &Home) -> Vec<String> {
    let help = home.run(&["--help"], b"").text().to_owned();
    let (_, list) = help.split_once("Commands:\n").unwrap();
    let (list, _) = list.split_once("\n\n").unwrap();
    let names = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.map(|line| line.split_whitespace().next().unwrap().to_owned()).collect()
}

#[test]
fn every_verb_teaches() {
    let home = Home::new();
    let verbs = verbs(&home);
    assert!(verbs.len() >= 15, "{verbs:?}");
    for verb in verbs.iter().filter(|verb| *verb != "help") {
        let help = home.run(&[verb, "--help"], b"");
        let text = help.text();
        assert!(text.contains("Usage: caveman-mcp") && text.lines().count() > 8, "{help}");
        let has_subverbs = text.contains("\nCommands:\n");
        assert!(has_subverbs || text.contains("caveman-mcp "), "{verb} shows no example\n{help}");
        assert_eq!(home.run(&["help", verb], b"").text(), text, "{verb}");
    }
}

#[test]
fn every_shell_completes_every_verb() {
    let home = Home::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = home.run(&["completions", shell], b"");
        for verb in verbs(&home) {
            assert!(script.text().contains(&verb), "{shell}: {verb}");
        }
        assert!(script.text().contains("budget"), "{shell}");
    }
    home.run(&["completions", "tcsh"], b"").fails(2, "bash");
}

#[test]
fn the_manual_has_a_page_for_every_verb() {
    let home = Home::new();
    let page = home.run(&["man"], b"");
    assert!(page.text().contains(".TH caveman-mcp 1"), "{page}");
    for verb in verbs(&home).iter().filter(|verb| *verb != "help") {
        assert!(page.text().contains(&format!("caveman\\-mcp\\-{verb}(1)")), "{verb}\n{page}");
        let own = home.run(&["man", verb], b"");
        assert!(own.text().contains(&format!(".TH caveman-mcp-{verb} 1")), "{own}");
    }
    home.run(&["man", "nonsense"], b"").fails(2, "no such verb");
}
