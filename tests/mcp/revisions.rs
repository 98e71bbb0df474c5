//! What tells the protocol revisions apart, one test a rule. Source: the specification of each revision.

use super::Server;
use caveman_core::mcp::{self, HANDSHAKES, INFO, MODERN, Session};
use caveman_core::tokens;
use serde_json::{Value, json};

const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";

/// `params` of a request in the modern era, with these further members.
fn modern(version: &str, members: &Value) -> String {
    let mut params = members.clone();
    params["_meta"] = json!({ VERSION_KEY: version, CAPABILITIES_KEY: {} });
    params.to_string()
}

#[test]
fn a_handshake_is_answered_with_the_revision_that_was_asked_for() {
    for version in HANDSHAKES {
        let params = json!({ "protocolVersion": version, "capabilities": {} }).to_string();
        let answer = Server::default().request("initialize", &params);
        let result = &answer["result"];
        assert_eq!(result["protocolVersion"], version);
        assert_eq!(result["capabilities"], json!({ "tools": {} }));
        assert_eq!(result["serverInfo"]["name"], "caveman");
        assert!(result.get("resultType").is_none(), "{answer}");
    }
}

#[test]
fn a_handshake_never_fails() {
    for version in [json!(MODERN), json!("2027-01-01"), json!(""), json!(null), json!(7)] {
        let params = json!({ "protocolVersion": version }).to_string();
        let answer = Server::default().request("initialize", &params);
        assert_eq!(answer["result"]["protocolVersion"], "2025-11-25", "{version}");
    }
    let without_params =
        Server::default().line(r#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#);
    assert!(without_params.contains(r#""protocolVersion":"2025-11-25""#), "{without_params}");
}

#[test]
fn discover_names_every_revision_newest_first() {
    let answer = Server::default().request("server/discover", &modern(MODERN, &json!({})));
    let result = &answer["result"];
    let mut expected = vec![MODERN];
    expected.extend(HANDSHAKES);
    assert_eq!(result["supportedVersions"], json!(expected));
    assert!(expected.is_sorted_by(|a, b| a > b));
    assert_eq!(result["resultType"], "complete");
    assert!(result["ttlMs"].as_u64().is_some());
    assert_eq!(result["cacheScope"], "public");
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "caveman");
    assert_eq!(result["instructions"], INFO.instructions);
}

#[test]
fn discover_needs_the_modern_meta() {
    let mut server = Server::default();
    let code = |answer: Value| answer["error"]["code"].as_i64();
    assert_eq!(code(server.request("server/discover", "{}")), Some(-32602));
    let without = json!({ "_meta": { VERSION_KEY: MODERN } }).to_string();
    assert_eq!(code(server.request("server/discover", &without)), Some(-32602));
    let answer = server.request("server/discover", &modern("2027-01-01", &json!({})));
    assert_eq!(answer["error"]["data"]["requested"], "2027-01-01");
    let supported = answer["error"]["data"]["supported"].as_array().unwrap();
    assert!(supported.contains(&json!(MODERN)));
    assert_eq!(code(answer), Some(-32022));
}

#[test]
fn both_eras_list_the_same_bytes_of_tools() {
    let mut server = Server::default();
    let legacy = server.line(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#);
    let params = modern(MODERN, &json!({}));
    let modern = server
        .line(format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{params}}}"#));
    let tools = |line: &str| {
        let (_, rest) = line.split_once("\"tools\":[").unwrap();
        rest.split_once("}]").unwrap().0.to_owned()
    };
    assert_eq!(tools(&legacy), tools(&modern));
    let (legacy, modern): (Value, Value) =
        (serde_json::from_str(&legacy).unwrap(), serde_json::from_str(&modern).unwrap());
    for member in ["resultType", "ttlMs", "cacheScope", "_meta"] {
        assert!(legacy["result"].get(member).is_none(), "{member}");
        assert!(modern["result"].get(member).is_some(), "{member}");
    }
}

#[test]
fn modern_results_are_complete_and_errors_too() {
    let mut server = Server::default();
    for (name, is_error) in [("caveman_stats", false), ("no_such_tool", true)] {
        let params = modern(MODERN, &json!({ "name": name, "arguments": {} }));
        let answer = server.request("tools/call", &params);
        assert_eq!(answer["result"]["resultType"], "complete", "{answer}");
        assert_eq!(answer["result"]["isError"], is_error, "{answer}");
        assert!(answer["result"].get("ttlMs").is_none(), "{answer}");
        assert!(answer["result"].get("structuredContent").is_none(), "{answer}");
    }
}

#[test]
fn ping_lives_in_the_legacy_era_only() {
    let mut server = Server::default();
    assert_eq!(server.request("ping", "{}")["result"], json!({}));
    let answer = server.request("ping", &modern(MODERN, &json!({})));
    assert_eq!(answer["error"]["code"], -32601);
    assert_eq!(server.request("ping", "{}")["result"], json!({}));
}

#[test]
fn tools_say_what_they_are() {
    let answer = Server::default().request("tools/list", "{}");
    let tools = answer["result"]["tools"].as_array().unwrap();
    let names: Vec<_> = tools.iter().map(|t| t["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "caveman_compress",
            "caveman_retrieve",
            "caveman_stats",
            "caveman_toon_encode",
            "caveman_toon_decode"
        ]
    );
    for tool in tools {
        assert!(tool["title"].is_string() && tool["description"].is_string(), "{tool}");
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        let reads_only = tool["name"] != "caveman_compress";
        assert_eq!(tool["annotations"]["readOnlyHint"] == true, reads_only, "{tool}");
        assert!(tool.get("outputSchema").is_none(), "{tool}");
    }
    let meta = &tools[1]["_meta"];
    assert_eq!(meta["anthropic/alwaysLoad"], true);
    assert_eq!(meta["anthropic/maxResultSizeChars"], 500_000);
}

#[test]
fn instructions_are_short_and_begin_with_the_marker() {
    assert!(INFO.instructions.chars().count() <= 240, "{}", INFO.instructions.len());
    let (first, _) = INFO.instructions.split_once(". ").unwrap();
    assert!(first.contains("[caveman:") && first.contains("call caveman_retrieve"), "{first}");
}

/// o200k tokens of a list of tools. Everything that is listed counts: names, titles, descriptions, schemas, annotations
/// and `_meta`, with their JSON, though hosts give the model only the name, the description and the schema.
fn listed_tokens(session: Session) -> u64 {
    let mut server = Server { session, ..Server::default() };
    let line = server.line(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#);
    let (_, rest) = line.split_once("\"tools\":").unwrap();
    tokens::count(rest.strip_suffix("}}").unwrap())
}

#[test]
fn the_list_of_tools_costs_at_most_300_tokens_and_retrieve_alone_100() {
    assert!(listed_tokens(Session::default()) <= 300, "{}", listed_tokens(Session::default()));
    let retrieve = Session::new(&mcp::subset("retrieve").unwrap());
    assert!(listed_tokens(retrieve.clone()) <= 100, "{}", listed_tokens(retrieve));
}

#[test]
fn a_subset_lists_and_serves_only_its_tools() {
    let mut server = Server {
        session: Session::new(&mcp::subset(" stats, caveman_retrieve,").unwrap()),
        ..Server::default()
    };
    let answer = server.request("tools/list", "{}");
    let names: Vec<_> =
        answer["result"]["tools"].as_array().unwrap().iter().map(|t| t["name"].clone()).collect();
    assert_eq!(names, ["caveman_retrieve", "caveman_stats"]);
    let refused = server.call("caveman_compress", r#"{"input":"x"}"#);
    assert!(refused[0].contains("cave_unknown_tool"), "{refused:?}");
    assert_eq!(mcp::subset("").unwrap().len(), 5);
    let error = mcp::subset("retrieve,nope").unwrap_err().to_string();
    assert!(error.contains("nope") && error.contains("toon_decode"), "{error}");
}
