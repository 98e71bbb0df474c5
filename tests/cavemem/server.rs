//! The MCP server: its tools, what they cost, every protocol revision, errors.

use crate::harness::{Home, Server};
use caveman_core::mcp::{HANDSHAKES, MEMORY_INFO, MODERN};
use caveman_core::tokens;
use serde_json::{Value, json};

/// The one JSON block of an answer.
#[track_caller]
fn answer(server: &mut Server, tool: &str, arguments: Value) -> Value {
    let (texts, is_error) = server.call(tool, &arguments);
    assert!(!is_error && texts.len() == 1, "{texts:?}");
    serde_json::from_str(&texts[0]).unwrap()
}

/// The code of an error.
#[track_caller]
fn code(server: &mut Server, tool: &str, arguments: Value) -> String {
    let (texts, is_error) = server.call(tool, &arguments);
    assert!(is_error, "{texts:?}");
    let error: Value = serde_json::from_str(&texts[0]).unwrap();
    error["error"].as_str().unwrap().to_owned()
}

#[test]
fn five_tools_cost_at_most_250_tokens() {
    let home = Home::new();
    let mut server = Server::of(home.cavemem(&["serve"]));
    server.send(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n");
    let line = server.line().unwrap();
    let (_, list) = line.split_once("\"tools\":").unwrap();
    let n_tokens = tokens::count(list.strip_suffix("}}").unwrap());
    assert!(n_tokens <= 250, "{n_tokens}");
    let tools: Value = serde_json::from_str(list.strip_suffix("}}").unwrap()).unwrap();
    let names: Vec<&str> =
        tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    let verbs = ["remember", "recall", "supersede", "history", "forget"];
    assert_eq!(names, verbs.map(|verb| format!("cavemem_{verb}")));
    assert!(MEMORY_INFO.instructions.chars().count() <= 240);
}

#[test]
fn every_revision_is_spoken() {
    let home = Home::new();
    let mut server = Server::of(home.cavemem(&[]));
    for version in HANDSHAKES {
        let result =
            server.request("initialize", &json!({"protocolVersion": version, "capabilities": {}}));
        assert_eq!(result["protocolVersion"], version);
        assert_eq!(result["serverInfo"]["name"], "cavemem");
    }
    let meta = json!({"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {}});
    let found = server.request("server/discover", &json!({"_meta": meta}));
    assert_eq!(found["supportedVersions"][0], MODERN);
    let call = json!({"_meta": meta, "name": "cavemem_remember", "arguments": {"text": "x"}});
    assert_eq!(server.request("tools/call", &call)["resultType"], "complete");
    assert_eq!(server.end(), Some(0));
}

#[test]
fn the_life_of_a_memory() {
    let home = Home::new();
    let mut server = Server::of(home.cavemem(&["serve"]));
    let first =
        answer(&mut server, "cavemem_remember", json!({"text": " Ports 8000 to 8100 are ours. "}));
    let again =
        answer(&mut server, "cavemem_remember", json!({"text": "Ports 8000 to 8100 are ours."}));
    assert_eq!((&first["status"], &again["status"]), (&json!("stored"), &json!("known")));
    assert_eq!(first["id"], again["id"]);
    let found = answer(&mut server, "cavemem_recall", json!({"query": "which ports"}));
    assert_eq!(found["hits"][0]["text"], "Ports 8000 to 8100 are ours.");
    assert_eq!(found["hits"][0]["created_at"], first["created_at"]);
    let next = answer(
        &mut server,
        "cavemem_supersede",
        json!({"id": first["id"], "text": "Ports from 9000 on are ours."}),
    );
    assert_eq!(next["supersedes"], first["id"]);
    let history = answer(&mut server, "cavemem_history", json!({"id": first["id"]}));
    assert_eq!(history["versions"].as_array().unwrap().len(), 2);
    assert_eq!(history["current"], next["id"]);
    let gone = answer(&mut server, "cavemem_forget", json!({"id": next["id"]}));
    assert_eq!(gone, json!({"id": next["id"], "forgotten": true}));
    let found = answer(&mut server, "cavemem_recall", json!({"query": "ports"}));
    assert_eq!(found["hits"], json!([]));
}

#[test]
fn errors_have_codes_and_the_server_lives_on() {
    let home = Home::new();
    let mut server = Server::of(home.cavemem(&["serve"]));
    for (tool, arguments, expected) in [
        ("cavemem_remember", json!({"text": "x".repeat(262_145)}), "cave_memory_too_large"),
        ("cavemem_remember", json!({"text": "\n"}), "cave_memory_empty"),
        ("cavemem_remember", json!({}), "cave_invalid_arguments"),
        ("cavemem_remember", json!({"text": 7}), "cave_invalid_arguments"),
        ("cavemem_recall", json!({"query": "x", "token_budget": -1}), "cave_invalid_arguments"),
        ("cavemem_recall", json!({"query": "x", "limit": 0}), "cave_invalid_arguments"),
        ("cavemem_recall", json!({"query": "x", "limit": 1.5}), "cave_invalid_arguments"),
        ("cavemem_recall", json!({"limit": 1}), "cave_invalid_arguments"),
        ("cavemem_supersede", json!({"id": "mem_x", "text": "y"}), "cave_unknown_memory"),
        (
            "cavemem_supersede",
            json!({"id": "mem_x", "text": "x".repeat(262_145)}),
            "cave_memory_too_large",
        ),
        ("cavemem_history", json!({"id": "mem_x"}), "cave_unknown_memory"),
        ("cavemem_forget", json!({"id": "mem_x"}), "cave_unknown_memory"),
        ("caveman_compress", json!({"input": "x"}), "cave_unknown_tool"),
    ] {
        assert_eq!(code(&mut server, tool, arguments.clone()), expected, "{tool}");
    }
    let largest = answer(&mut server, "cavemem_remember", json!({"text": "x".repeat(262_144)}));
    assert_eq!(largest["status"], "stored");
    let found = answer(
        &mut server,
        "cavemem_recall",
        json!({"query": "x", "token_budget": u64::MAX, "limit": u64::MAX}),
    );
    assert_eq!(found["hits"], json!([]), "a word of 262144 letters is no x");
    server.send(b"{\"broken\n");
    assert_eq!(server.reply()["error"]["code"], -32700);
    assert_eq!(server.end(), Some(0));
}

#[test]
fn without_a_home_each_call_says_so() {
    let home = Home::new();
    let mut command = home.cavemem(&["serve"]);
    command.env("CAVEMAN_HOME", "/dev/null/nowhere");
    let mut server = Server::of(command);
    assert_eq!(
        code(&mut server, "cavemem_remember", json!({"text": "x"})),
        "cave_store_unavailable"
    );
    assert_eq!(
        code(&mut server, "cavemem_recall", json!({"query": "x"})),
        "cave_store_unavailable"
    );
    assert_eq!(server.end(), Some(0));
}

#[test]
fn an_ephemeral_server_remembers_and_touches_no_disk() {
    let home = Home::new();
    let mut command = home.cavemem(&["serve"]);
    command.env("CAVEMAN_MCP_EPHEMERAL", "1");
    let mut server = Server::of(command);
    answer(&mut server, "cavemem_remember", json!({"text": "for this session only ".repeat(99)}));
    let found =
        answer(&mut server, "cavemem_recall", json!({"query": "session", "token_budget": 9}));
    let id = found["hits"][0]["id"].clone();
    assert!(found["hits"][0]["recovery_handle"].is_string(), "{found}");
    answer(&mut server, "cavemem_forget", json!({"id": id}));
    assert_eq!(server.end(), Some(0));
    assert!(!home.path(".caveman").exists());
}
