//! `compress`, `retrieve`, `detect`, `stats`, `--version`.

use crate::harness::{Home, Process, log, run};
use std::process::Stdio;

#[test]
fn a_payload_comes_out_smaller_and_back_whole() {
    let home = Home::new();
    let log = log(1);
    let compressed = home.run(&["compress"], log.as_bytes());
    let output = compressed.text();
    assert!(output.len() * 2 < log.len(), "{compressed}");
    assert_eq!(compressed.stderr(), "", "nobody looks, nothing is said");
    let at = output.rfind("ccr_").expect("the output names its handle");
    let handle = output.get(at..at + 36).unwrap();
    assert_eq!(home.run(&["retrieve", handle], b"").text(), log);
    // The form that a model may copy, with what stands around it.
    assert_eq!(
        home.run(&["retrieve", &format!("caveman_retrieve(\"{handle}\")]")], b"").text(),
        log
    );

    let figures = home.run(&["retrieve", handle, "--json"], b"").json();
    assert_eq!(figures["bytes"], log.len());
    assert_eq!(figures["recovery_handle"], handle);
}

#[test]
fn json_gives_the_figures_and_the_output() {
    let home = Home::new();
    let (log, plain) = (log(2), home.run(&["compress"], log(2).as_bytes()));
    let figures = home.run(&["compress", "--json"], log.as_bytes()).json();
    assert_eq!(figures["output"], plain.text());
    assert_eq!(figures["content_type"], "log");
    assert_eq!(figures["basis"], "inferred");
    assert!(figures["ratio"].as_f64().unwrap() > 0.5, "{figures}");
    assert!(plain.text().contains(figures["recovery_handle"].as_str().unwrap()), "{figures}");
}

#[test]
fn what_cannot_be_shrunk_passes_through_byte_for_byte() {
    let home = Home::new();
    for payload in ["", "x", "a\r\nb\0c", "\u{feff}no newline at the end"] {
        let compressed = home.run(&["compress"], payload.as_bytes());
        assert_eq!(compressed.done(), payload.as_bytes(), "{compressed}");
    }
    let bytes: Vec<u8> = (0..=255).cycle().take(5000).collect();
    assert_eq!(home.run(&["compress"], &bytes).done(), bytes);
    let figures = home.run(&["compress", "--json"], &bytes).json();
    assert_eq!(figures["reason"], "not_text");
    assert_eq!(figures["recovery_handle"], serde_json::Value::Null);
    assert!(!home.db().exists(), "nothing was stored, so nothing was created");
}

#[test]
fn a_file_is_read_like_stdin() {
    let home = Home::new();
    std::fs::write(home.path("app.log"), log(3)).unwrap();
    let from_file = home.run(&["compress", "app.log"], b"");
    assert_eq!(from_file.text(), home.run(&["compress", "-"], log(3).as_bytes()).text());
    home.run(&["compress", "none.log"], b"").fails(1, "none.log");
    assert_eq!(home.run(&["detect", "app.log"], b"").text(), "log\n");
    assert_eq!(home.run(&["detect", "--json", "app.log"], b"").json()["content_type"], "log");
}

#[test]
fn a_wrong_usage_is_status_2_and_says_what_is_right() {
    let home = Home::new();
    home.run(&["compress", "--type", "nonsense"], b"x").fails(2, "the types are json, ");
    home.run(&["retrieve", "nonsense"], b"").fails(2, "is no handle");
    home.run(&["nonsense"], b"").fails(2, "--help");
    home.run(&["compress", "--jsn"], b"x").fails(2, "--json");
    home.run(&["serve", "--tools", "nonsense"], b"").fails(2, "the tools are compress, ");
    home.run(&["--json"], b"").fails(2, "--version");
    assert_eq!(home.run(&["compress", "--type", "YAML"], b"a: 1\n").text(), "a: 1\n");
}

#[test]
fn an_unknown_handle_is_an_answer_and_no_store_a_failure_of_the_store() {
    let home = Home::new();
    let handle = "ccr_00000000000000000000000000000000";
    home.run(&["retrieve", handle], b"").fails(1, "cave_unknown_handle");
    let mut command = home.caveman(&["retrieve", handle]);
    command.env("CAVEMAN_CCR_DB", home.path("."));
    run(command, b"").fails(74, "cave_store_unavailable");
}

#[test]
fn help_is_on_stdout_and_the_version_is_the_builds() {
    let home = Home::new();
    assert!(home.run(&["--help"], b"").text().contains("Exit status"));
    assert!(home.run(&["compress", "--help"], b"").text().contains("--budget"));
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(home.run(&["--version"], b"").text(), format!("caveman-mcp {version}\n"));
    let figures = home.run(&["--version", "--json"], b"").json();
    assert_eq!(figures["version"], version);
    assert_eq!(figures["protocol_versions"].as_array().unwrap().len(), 5);
    assert!(!home.path(".caveman").exists());
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let home = Home::new();
    let mut command = home.caveman(&["compress", "payload"]);
    std::fs::write(home.path("payload"), vec![b'x'; 4 << 20]).unwrap();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = Process::start(command);
    drop(process.stdout.take());
    let output = process.output();
    assert_eq!((output.status.code(), &output.stderr[..]), (Some(0), &b""[..]));
}

#[test]
fn stats_add_up_over_processes() {
    let home = Home::new();
    assert_eq!(home.run(&["stats", "--json"], b"").json()["store"]["entries"], 0);
    assert!(!home.path(".caveman").exists(), "asking creates nothing");
    let mut before = 0;
    for seed in [10, 11, 11] {
        let figures = home.run(&["compress", "--json"], log(seed).as_bytes()).json();
        before += figures["tokens_before"].as_u64().unwrap();
        if seed == 11 {
            break;
        }
    }
    home.run(&["compress"], log(11).as_bytes()).done();
    let stats = home.run(&["stats", "--json"], b"").json();
    assert_eq!(stats["tokens_before"], before);
    assert_eq!(stats["basis"], "inferred");
    assert_eq!(stats["store"]["entries"], 2);
    assert_eq!(stats["store"]["bytes"], log(10).len() + log(11).len());
    assert!(home.run(&["stats"], b"").text().contains("originals kept  2"));
}

#[test]
fn a_report_says_what_went_and_what_it_cost() {
    let home = Home::new();
    let report = home.run(&["compress", "--explain"], log(4).as_bytes());
    for says in [
        "kind      log, by evidence (log ",
        "method    ",
        "saved, ",
        "original  ccr_",
        " runs, ",
        " -> ",
    ] {
        assert!(report.text().contains(says), "{says}\n{report}");
    }
    let forced = home.run(&["compress", "--explain", "--type", "csv"], log(4).as_bytes());
    assert!(forced.text().contains("as you say; detection says log"), "{forced}");
    let passed = home.run(&["compress", "--explain"], b"short");
    assert!(passed.text().contains("result    passed through: "), "{passed}");
    home.run(&["compress", "--explain"], b"\xff\xfe").text();
    home.run(&["compress", "--explain", "--json"], b"x").fails(2, "--json");
}

#[test]
fn stats_tell_the_kinds_apart() {
    let home = Home::new();
    home.run(&["compress"], log(5).as_bytes()).done();
    let rows: String = (0..300).map(|at| format!("{at},open,EU,{}\n", at % 7)).collect();
    home.run(&["compress"], format!("id,state,region,n\n{rows}").as_bytes()).done();
    let stats = home.run(&["stats"], b"");
    assert!(stats.text().contains("\n  log ") && stats.text().contains("\n  tabular "), "{stats}");
    let kinds = home.run(&["stats", "--json"], b"").json()["kinds"].take();
    assert_eq!(kinds.as_array().unwrap().len(), 2, "{kinds}");
    assert_eq!(kinds[0]["originals"], 1);
}
