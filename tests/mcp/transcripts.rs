//! Whole conversations as data: `NAME.in.jsonl` goes to stdin, `NAME.out.jsonl` is what stdout holds, byte for byte.

use super::Server;
use caveman_core::store::MemoryStore;
use std::fs;
use std::path::PathBuf;

const VERSION: &str = concat!("\"version\":\"", env!("CARGO_PKG_VERSION"), "\"");
const ANY_VERSION: &str = "\"version\":\"{version}\"";

/// As the binary starts with an in-memory store: the limit of its settings shows in `stats`.
fn server() -> Server {
    Server { store: MemoryStore::with_limit(512 << 20), ..Server::default() }
}

#[test]
fn every_transcript_is_answered_as_recorded() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../core/src/mcp/cases");
    #[expect(clippy::disallowed_methods, reason = "the switch that rewrites recorded cases")]
    let update = std::env::var_os("UPDATE_CASES").is_some();
    let mut n_cases = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let Some(name) = path.to_str().and_then(|p| p.strip_suffix(".in.jsonl")) else { continue };
        n_cases += 1;
        let input = fs::read(&path).unwrap();
        let output = String::from_utf8(server().stream(&input)).unwrap();
        assert_eq!(output.as_bytes(), server().stream(&input), "{name}: two runs, two answers");
        let output = output.replace(VERSION, ANY_VERSION);
        let recorded = format!("{name}.out.jsonl");
        if update {
            fs::write(&recorded, &output).unwrap();
        }
        let expected = fs::read_to_string(&recorded).unwrap_or_default();
        for (answer, expected) in output.lines().zip(expected.lines()) {
            assert_eq!(answer, expected, "{name}");
        }
        assert_eq!(output, expected, "{name}");
    }
    assert!(n_cases >= 18, "only {n_cases} transcripts found");
}
