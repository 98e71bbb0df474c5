//! The five tools through the binary.

use crate::harness::{Home, Server, log};
use serde_json::{Value, json};

#[test]
fn what_compress_takes_away_retrieve_gives_back() {
    let home = Home::new();
    let mut server = Server::start(&home);
    let (output, figures) = server.compress(&log(1));
    assert!(output.len() * 2 < log(1).len(), "{output}");
    let handle = figures["recovery_handle"].as_str().unwrap().to_owned();
    assert!(output.contains(&handle));
    for form in
        [handle.clone(), format!("<<ccr:{handle}>>"), handle.to_uppercase(), format!("`{handle}`.")]
    {
        let mut server = Server::start(&home);
        assert_eq!(server.retrieve(&form), Ok(log(1)), "{form}");
    }
    let stats = server.stats();
    assert_eq!((&stats["requests"], &stats["passed_through"]), (&json!(1), &json!(0)));
    assert_eq!(stats["store"]["entries"], 1);
    assert_eq!((&stats["basis"], &stats["scope"]), (&json!("inferred"), &json!("session")));
}

#[test]
fn the_same_payload_gives_the_same_bytes_in_every_process() {
    let home = Home::new();
    let outputs: Vec<String> = (0..3).map(|_| Server::start(&home).compress(&log(1)).0).collect();
    assert!(outputs.iter().all(|output| *output == outputs[0]));
}

#[test]
fn errors_have_codes() {
    let home = Home::new();
    let mut server = Server::start(&home);
    let mut code = |tool: &str, arguments: Value| {
        let (texts, is_error) = server.call(tool, &arguments);
        assert!(is_error, "{texts:?}");
        serde_json::from_str::<Value>(&texts[0]).unwrap()["error"].as_str().unwrap().to_owned()
    };
    assert_eq!(code("no_such_tool", json!({})), "cave_unknown_tool");
    assert_eq!(code("caveman_compress", json!({})), "cave_invalid_arguments");
    assert_eq!(code("caveman_compress", json!({"input": 7})), "cave_invalid_arguments");
    let unknown = json!({"recovery_handle": "ccr_00000000000000000000000000000000"});
    assert_eq!(code("caveman_retrieve", unknown), "cave_unknown_handle");
    assert_eq!(code("caveman_toon_decode", json!({"input": "items[2]: 1\n"})), "cave_invalid_toon");
}

#[test]
fn hostile_payloads_are_survived_by_every_tool() {
    let home = Home::new();
    let mut server = Server::start(&home);
    for payload in caveman_tests::payloads::HOSTILE {
        let input = (payload.make)(200_000);
        for tool in ["caveman_compress", "caveman_toon_encode", "caveman_toon_decode"] {
            let (texts, _) = server.call(tool, &json!({"input": input}));
            let answer = texts.join("\n");
            assert!(!answer.contains("cave_tool_panicked"), "{tool} on {}: {answer}", payload.name);
        }
    }
    assert_eq!(server.end(), Some(0));
}
