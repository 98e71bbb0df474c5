//! Variables: a bad value is named; a command refuses it, the server goes on with the default.

use crate::harness::{Home, Server, log, run};

const BAD: [(&str, &str); 5] = [
    ("CAVEMAN_CCR_MAX_BYTES", "lots"),
    ("CAVEMAN_CCR_RETENTION_DAYS", "-1"),
    ("CAVEMAN_MCP_EPHEMERAL", "maybe"),
    ("CAVEMAN_LOG", "loud"),
    ("CAVEMAN_MCP_TOOLS", "nonsense"),
];

#[test]
fn a_command_refuses_a_bad_value() {
    let home = Home::new();
    // Tools are the server's alone.
    for (name, value) in BAD.into_iter().filter(|(name, _)| *name != "CAVEMAN_MCP_TOOLS") {
        let mut command = home.caveman(&["compress"]);
        command.env(name, value);
        run(command, b"x").fails(2, name);
        let mut command = home.caveman(&["--version"]);
        command.env(name, value);
        run(command, b"").done();
    }
}

#[test]
fn the_server_starts_with_the_default_and_says_so() {
    let home = Home::new();
    for (name, value) in BAD {
        let mut command = home.caveman(&["serve"]);
        command.env(name, value);
        let served = run(command, b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n");
        assert_eq!(served.json()["result"]["tools"].as_array().unwrap().len(), 5, "{served}");
        assert!(served.stderr().contains(name), "{served}");
    }
}

#[test]
fn without_arguments_and_terminal_it_serves() {
    let home = Home::new();
    let served = run(home.caveman(&[]), b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");
    assert_eq!(served.text(), "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
    assert_eq!(served.stderr(), "");
}

#[test]
fn a_subset_of_the_tools_is_listed_by_flag_and_by_variable() {
    let home = Home::new();
    let list = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n";
    let by_flag = run(home.caveman(&["serve", "--tools", "retrieve"]), list);
    let mut command = home.caveman(&["serve"]);
    command.env("CAVEMAN_MCP_TOOLS", "caveman_retrieve");
    let by_variable = run(command, list);
    assert_eq!(by_flag.text(), by_variable.text());
    assert_eq!(run(home.caveman(&["--tools", "retrieve"]), list).text(), by_flag.text());
    let tools = by_flag.json()["result"]["tools"].take();
    assert_eq!(tools.as_array().unwrap().len(), 1);
    assert_eq!(tools[0]["name"], "caveman_retrieve");
}

#[test]
fn an_ephemeral_server_touches_no_disk() {
    let home = Home::new();
    let mut command = home.caveman(&["serve"]);
    command.env("CAVEMAN_MCP_EPHEMERAL", "1");
    let mut server = Server::of(command);
    let (_, figures) = server.compress(&log(1));
    let handle = figures["recovery_handle"].as_str().unwrap();
    assert_eq!(server.retrieve(handle), Ok(log(1)));
    assert_eq!(server.stats()["store"]["kind"], "memory");
    assert_eq!(server.end(), Some(0));
    assert_eq!(std::fs::read_dir(home.path(".")).unwrap().count(), 0);
}

#[test]
fn a_command_does_not_shrink_what_it_would_lose() {
    let home = Home::new();
    let with_variable = |arguments: &[&str]| {
        let mut command = home.caveman(arguments);
        command.env("CAVEMAN_MCP_EPHEMERAL", "1");
        run(command, log(1).as_bytes())
    };
    let passed = with_variable(&["compress"]);
    assert_eq!(passed.text(), log(1));
    assert!(passed.stderr().contains("CAVEMAN_MCP_EPHEMERAL"), "{passed}");
    assert_eq!(with_variable(&["compress", "--json"]).json()["reason"], "not_stored");
    with_variable(&["retrieve", "ccr_00000000000000000000000000000000"])
        .fails(74, "CAVEMAN_MCP_EPHEMERAL");
    assert_eq!(std::fs::read_dir(home.path(".")).unwrap().count(), 0);
}

#[test]
fn the_database_is_where_the_variables_say() {
    let home = Home::new();
    for (name, value, file) in [
        ("CAVEMAN_HOME", "elsewhere", "elsewhere/ccr.db"),
        ("CAVEMAN_CCR_DB", "deep/er/mine.db", "deep/er/mine.db"),
    ] {
        let mut command = home.caveman(&["compress"]);
        command.env(name, home.path(value));
        run(command, log(1).as_bytes()).done();
        assert!(home.path(file).is_file(), "{file}");
    }
    assert!(!home.path(".caveman").exists());
}
