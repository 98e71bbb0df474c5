//! The hooks over inputs of each host, as files: `HOST-NAME.in.json` gives `….out.json`, or nothing where a `….same.json`
//! stands instead. `@NAME` stands for the sample of that name, and in an answer for its shorter form.

#![cfg(test)]

use caveman_core::engine::{self, Options};
use caveman_core::json;
use caveman_core::store::MemoryStore;
use caveman_native::hook::{ALL, Protocol, Shortener};
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/hooks/cases")
}

fn sample(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/samples").join(name))
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// `text` as the inside of a JSON string.
fn escaped(text: &str) -> String {
    let mut json = String::new();
    json::write_string(text, &mut json);
    json.get(1..json.len() - 1).unwrap().to_owned()
}

const SAMPLES: [&str; 6] =
    ["checkout.log", "gateway.ndjson", "grep.txt", "ls.txt", "orders.json", "sshd.log"];

/// Names as a search for files gives them.
fn names() -> Vec<String> {
    (0..120).map(|n| format!("src/component_{n}/index.ts")).collect()
}

/// The input with its samples in it; `@@NAME` stands in JSON within a string.
fn expanded(input: &str) -> String {
    let mut out = input.to_owned();
    for name in SAMPLES {
        let once = escaped(&sample(name));
        out =
            out.replace(&format!("@@{name}"), &escaped(&once)).replace(&format!("@{name}"), &once);
    }
    out.replace("@names", &names().join("\",\""))
}

/// The answer with the names of the samples where their shorter forms stand: how a sample is shortened is not this suite's.
fn contracted(answer: &str) -> String {
    let shorter = |text: &str| {
        let mut store = MemoryStore::default();
        let answer = engine::compress(&mut store, 0, text.as_bytes(), &Options::default());
        assert!(answer.recovery_handle.is_some(), "{text:.200}");
        String::from_utf8(answer.output.into_owned()).unwrap().trim_end().to_owned()
    };
    let mut out = answer.to_owned();
    for name in SAMPLES {
        let once = escaped(&shorter(&sample(name)));
        out =
            out.replace(&escaped(&once), &format!("@@{name}")).replace(&once, &format!("@{name}"));
    }
    let lines: Vec<String> = shorter(&(names().join("\n") + "\n")).lines().map(escaped).collect();
    out.replace(&lines.join("\",\""), "@names")
}

fn answer(host: &str, input: &str) -> Option<String> {
    let mut store = MemoryStore::default();
    Protocol::of(host).unwrap().answer(input, &mut Shortener::new(&mut store, 0))
}

fn cases() -> Vec<(String, String)> {
    let files = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut cases: Vec<(String, String)> = files
        .filter_map(|path| {
            let name = path.file_name()?.to_str()?.to_owned();
            let case = name.strip_suffix(".in.json").or(name.strip_suffix(".same.json"))?;
            Some((case.to_owned(), fs::read_to_string(&path).unwrap()))
        })
        .collect();
    cases.sort();
    cases
}

fn host_of(case: &str) -> &'static str {
    ALL.iter().map(|protocol| protocol.name).find(|name| case.starts_with(name)).expect(case)
}

#[test]
#[expect(clippy::disallowed_methods, reason = "who changes a case asks for it")]
fn every_input_gets_the_answer_beside_it() {
    let cases = cases();
    assert!(cases.len() >= 20, "{} cases", cases.len());
    for (case, input) in cases {
        let found =
            answer(host_of(&case), &expanded(&input)).map(|answer| contracted(&answer) + "\n");
        if folder().join(format!("{case}.same.json")).exists() {
            assert_eq!(found, None, "{case}");
            continue;
        }
        let found = found.unwrap_or_else(|| panic!("{case}: no answer"));
        let path = folder().join(format!("{case}.out.json"));
        if std::env::var_os("UPDATE_CASES").is_some() {
            fs::write(&path, &found).unwrap();
        }
        assert_eq!(found, fs::read_to_string(&path).unwrap_or_default(), "{case}");
    }
}

#[test]
fn an_answer_is_shorter_and_says_nothing_of_permissions() {
    for (case, input) in cases() {
        let input = expanded(&input);
        let Some(found) = answer(host_of(&case), &input) else { continue };
        assert!(found.len() * 2 < input.len(), "{case}");
        let tape = json::read(&found).unwrap();
        let names: Vec<_> = tape.root().members().filter_map(|(key, _)| key.as_str()).collect();
        let allowed = ["hookSpecificOutput", "continue", "stopReason", "reason", "decision"];
        let of_host = ["updated_mcp_tool_output", "title", "output", "metadata", "content"];
        for name in &names {
            assert!(allowed.contains(&name.as_ref()) || of_host.contains(&name.as_ref()), "{case}");
        }
        if let Some(decision) = tape.root().get("decision") {
            assert!(decision.is_str("deny"), "{case}: a hook never allows");
        }
        assert!(!found.contains("permission"), "{case}");
        // What was answered is left alone when it comes again.
        let again = input.replace(&escaped(&sample("checkout.log")), &escaped(&found));
        if again != input {
            assert_eq!(answer(host_of(&case), &again), None, "{case}: an output of ours");
        }
    }
}

#[test]
fn damaged_inputs_get_no_answer() {
    for (case, input) in cases() {
        let (host, input) = (host_of(&case), expanded(&input));
        for cut in (0..input.len()).step_by(input.len() / 40 + 1) {
            if let Some(part) = input.get(..cut) {
                assert_eq!(answer(host, part), None, "{case} cut at {cut}");
            }
        }
    }
    for protocol in ALL {
        for input in
            ["", "null", "[]", "{}", "7", "{\"tool_name\":7,\"tool_response\":[]}", "\u{feff}{}"]
        {
            assert_eq!(answer(protocol.name, input), None, "{input}");
        }
        assert_eq!(answer(protocol.name, &"[".repeat(100_000)), None);
    }
}

#[test]
fn without_a_store_nothing_is_replaced() {
    let (case, input) = cases().into_iter().find(|(case, _)| case == "claude-code-bash").unwrap();
    let mut full = MemoryStore::with_limit(16);
    let mut shortener = Shortener::new(&mut full, 0);
    let found = Protocol::of(host_of(&case)).unwrap().answer(&expanded(&input), &mut shortener);
    assert_eq!(found, None);
}

#[test]
fn a_file_that_the_host_wrote_is_read_whole_or_not_at_all() {
    let path = std::env::temp_dir().join(format!("caveman-hook-{}", std::process::id()));
    let whole = sample("sshd.log");
    fs::write(&path, &whole).unwrap();
    let ask = |shown: &str, n_bytes: usize| {
        let input = format!(
            "{{\"hook_event_name\":\"PostToolUse\",\"tool_name\":\"Bash\",\"tool_input\":{{\"command\":\"x\"}},\"tool_response\":{{\
             \"stdout\":\"{}\",\"stderr\":\"\",\"persistedOutputPath\":\"{}\",\"persistedOutputSize\":{n_bytes}}}}}",
            escaped(shown),
            escaped(path.to_str().unwrap()),
        );
        answer("claude-code", &input)
    };
    let found = ask(whole.get(..30_000).unwrap(), whole.len()).unwrap();
    assert!(found.contains(" of 400 lines elided"), "{found}");
    assert!(!found.contains("persisted") && found.contains("\"stderr\":\"\""), "{found}");
    assert_eq!(ask(whole.get(..30_000).unwrap(), whole.len() + 1), None, "of another size");
    assert_eq!(ask(whole.get(1..30_000).unwrap(), whole.len()), None, "another beginning");
    fs::remove_file(&path).unwrap();
    assert_eq!(ask(whole.get(..30_000).unwrap(), whole.len()), None, "gone");
}
