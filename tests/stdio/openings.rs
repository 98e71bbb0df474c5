//! How a session may begin: every revision, every order, and never an error to `initialize`.

use crate::harness::{Home, Server};
use serde_json::{Value, json};

#[test]
fn initialize_echoes_a_known_revision_and_answers_the_newest_to_any_other() {
    for (asked, answered) in [
        (json!("2024-11-05"), "2024-11-05"),
        (json!("2025-03-26"), "2025-03-26"),
        (json!("2025-06-18"), "2025-06-18"),
        (json!("2025-11-25"), "2025-11-25"),
        (json!("2026-07-28"), "2025-11-25"),
        (json!("2027-01-01"), "2025-11-25"),
        (json!("2024-10-07"), "2024-11-05"),
        (json!(""), "2025-11-25"),
        (Value::Null, "2025-11-25"),
        (json!(7), "2025-11-25"),
    ] {
        let home = Home::new();
        let mut server = Server::start(&home);
        let params = json!({"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}});
        let result = server.request("initialize", &params);
        assert_eq!(result["protocolVersion"], answered, "{asked}");
        assert_eq!(result["capabilities"]["tools"], json!({}));
        assert_eq!(result["serverInfo"]["name"], "caveman");
        assert_eq!(result["serverInfo"]["version"], env!("CARGO_PKG_VERSION"));
        assert!(result.get("resultType").is_none(), "{result}");
        assert!(result["instructions"].as_str().unwrap().chars().count() <= 240);
        // Asked again, it answers again.
        let again = server.request("initialize", &json!({"protocolVersion": "2024-11-05"}));
        assert_eq!(again["protocolVersion"], "2024-11-05");
    }
}

#[test]
fn initialize_without_parameters_is_answered() {
    let home = Home::new();
    let mut server = Server::start(&home);
    server.send(b"{oops\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}\n");
    assert_eq!(server.reply()["error"]["code"], -32700);
    assert_eq!(server.reply()["result"]["protocolVersion"], "2025-11-25");
}

#[test]
fn nothing_needs_initialize_first() {
    let home = Home::new();
    let mut server = Server::start(&home);
    assert_eq!(server.request("ping", &json!({})), json!({}));
    assert_eq!(server.request("tools/list", &json!({}))["tools"].as_array().unwrap().len(), 5);
}

#[test]
fn the_era_is_decided_per_request() {
    let meta = |version: &str| json!({"_meta": {"io.modelcontextprotocol/protocolVersion": version, "io.modelcontextprotocol/clientCapabilities": {}}});
    let home = Home::new();
    let mut server = Server::start(&home);
    for _ in 0..2 {
        let found = server.request("server/discover", &meta("2026-07-28"));
        assert_eq!(found["supportedVersions"].as_array().unwrap().len(), 5, "{found}");
        assert_eq!(found["resultType"], "complete");
        let modern = server.request("tools/list", &meta("2026-07-28"));
        let legacy = server.request("tools/list", &json!({}));
        assert_eq!(modern["tools"], legacy["tools"]);
        assert!(modern["ttlMs"].is_u64() && legacy.get("ttlMs").is_none(), "{modern} {legacy}");
    }
    let line =
        json!({"jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": meta("1900-01-01")});
    server.send(format!("{line}\n").as_bytes());
    let refused = server.reply();
    assert_eq!(refused["error"]["code"], -32022);
    assert_eq!(refused["error"]["data"]["requested"], "1900-01-01");
    server.send(b"{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"server/discover\",\"params\":{}}\n");
    assert_eq!(server.reply()["error"]["code"], -32602);
}
