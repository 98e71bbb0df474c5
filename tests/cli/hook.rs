//! `hook`: what a host sees of it. The answers to each host's inputs stand in `tests/hooks/cases`.

use crate::harness::{Home, log, run};
use serde_json::{Value, json};

fn input(stdout: &str) -> Vec<u8> {
    json!({"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": {"command": "cat app.log"},
        "tool_response": {"stdout": stdout, "stderr": "", "interrupted": false, "isImage": false}})
    .to_string()
    .into_bytes()
}

#[test]
fn a_large_result_is_replaced_and_its_original_kept() {
    let home = Home::new();
    let log = log(1);
    let answer = home.run(&["hook", "claude-code"], &input(&log)).json();
    let output = &answer["hookSpecificOutput"]["updatedToolOutput"];
    let stdout = output["stdout"].as_str().unwrap();
    assert!(stdout.len() * 2 < log.len(), "{answer}");
    assert_eq!(output["isImage"], Value::Bool(false));
    let at = stdout.rfind("ccr_").unwrap();
    assert_eq!(home.run(&["retrieve", stdout.get(at..at + 36).unwrap()], b"").text(), log);
    // What the model then asks for is not shortened again, nor is what it was given.
    assert_eq!(home.run(&["hook", "claude-code"], &input(stdout)).done(), b"");
}

#[test]
fn trouble_of_any_kind_is_silence_and_status_0() {
    let home = Home::new();
    let good = input(&log(2));
    let silent = |arguments: &[&str], stdin: &[u8]| {
        let run = home.run(arguments, stdin);
        assert_eq!((run.done(), run.stderr().as_str()), (&b""[..], ""), "{run}");
    };
    silent(&["hook", "nonsense"], &good);
    silent(&["hook"], &good);
    silent(&["hook", "claude-code", "--nonsense"], &good);
    silent(&["hook", "claude-code"], b"");
    silent(&["hook", "claude-code"], &good[..good.len() / 2]);
    silent(&["hook", "claude-code"], b"\xff\xfe");
    for (name, value) in [
        ("CAVEMAN_CCR_DB", "/dev/null/none"),
        ("CAVEMAN_CCR_MAX_BYTES", "1"),
        ("CAVEMAN_MCP_EPHEMERAL", "1"),
    ] {
        let mut command = home.caveman(&["hook", "claude-code"]);
        command.env(name, value);
        let run = run(command, &good);
        assert_eq!((run.done(), run.stderr().as_str()), (&b""[..], ""), "{name}: {run}");
    }
    let mut command = home.caveman(&["hook", "claude-code"]);
    command.env("CAVEMAN_LOG", "loud");
    assert!(
        run(command, &good).text().contains("updatedToolOutput"),
        "a bad setting has a default"
    );
    assert!(home.run(&["hook", "--help"], b"").text().lines().count() > 5);
}
