//! The recorded conversations of the MCP session, through the binary: the same bytes as from the core.

use crate::harness::{self, Home};
use std::fs;
use std::path::PathBuf;

#[test]
fn every_transcript_is_answered_byte_for_byte() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../core/src/mcp/cases");
    let mut n_cases = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let Some(name) = path.to_str().and_then(|p| p.strip_suffix(".in.jsonl")) else { continue };
        n_cases += 1;
        let home = Home::new();
        let mut command = home.caveman(&["serve"]);
        command.env("CAVEMAN_MCP_EPHEMERAL", "1");
        let run = harness::run(command, &fs::read(&path).unwrap());
        let version = concat!("\"version\":\"", env!("CARGO_PKG_VERSION"), "\"");
        let expected = fs::read_to_string(format!("{name}.out.jsonl")).unwrap();
        let expected = expected.replace("\"version\":\"{version}\"", version);
        for (answer, expected) in run.text().lines().zip(expected.lines()) {
            assert_eq!(answer, expected, "{name}");
        }
        assert_eq!(run.text(), expected, "{name}");
        assert!(!home.db().exists(), "{name}: an ephemeral server touches no disk");
    }
    assert!(n_cases >= 19, "only {n_cases} transcripts found");
}
