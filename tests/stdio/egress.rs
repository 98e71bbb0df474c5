//! What SECURITY.md has its readers check with the tools of the system: the binary reaches no network and a server starts
//! nothing. Where a tool is missing, or may not be used, the test says so and asks nothing.
#![cfg(target_os = "linux")]

use crate::harness::{Home, Run, log, run};
use serde_json::json;

/// Functions of the C library without which no program reaches a network.
const NETWORK: [&str; 9] = [
    "socket",
    "connect",
    "bind",
    "listen",
    "accept",
    "accept4",
    "getaddrinfo",
    "gethostbyname",
    "sendto",
];

/// What a program of the system says; `None` where there is none.
fn tool(home: &Home, name: &str, arguments: &[&str], stdin: &[u8]) -> Option<Run> {
    let Some(path) = ["/usr/bin", "/bin", "/usr/local/bin"]
        .map(|folder| format!("{folder}/{name}"))
        .into_iter()
        .find(|path| std::path::Path::new(path).exists())
    else {
        println!("not asked: there is no {name} here");
        return None;
    };
    let mut command = home.program(&path);
    command.args(arguments);
    Some(run(command, stdin))
}

#[test]
fn no_function_of_the_network_is_linked() {
    let home = Home::new();
    for binary in [env!("CARGO_BIN_EXE_caveman-mcp"), env!("CARGO_BIN_EXE_cavemem")] {
        let Some(symbols) = tool(&home, "nm", &["-D", "--undefined-only", binary], b"") else {
            return;
        };
        let names: Vec<&str> =
            symbols.text().split_whitespace().filter_map(|word| word.split('@').next()).collect();
        let found: Vec<_> = names.iter().filter(|name| NETWORK.contains(name)).collect();
        assert!(found.is_empty(), "{binary} is linked with {found:?}");
        assert!(names.contains(&"write") || names.is_empty(), "{symbols}");
    }
}

#[test]
fn a_server_reaches_no_network_and_starts_nothing() {
    let home = Home::new();
    let call = |id: u64, tool: &str, arguments: serde_json::Value| {
        let params = json!({"name": format!("caveman_{tool}"), "arguments": arguments});
        format!(
            "{}\n",
            json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
        )
    };
    let session = [
        call(1, "compress", json!({"input": log(1)})),
        call(
            2,
            "retrieve",
            json!({"recovery_handle": caveman_core::store::Handle::of(log(1).as_bytes()).to_string()}),
        ),
        call(3, "toon_encode", json!({"input": "[{\"a\":1},{\"a\":2}]"})),
        call(4, "stats", json!({})),
        "{oops\n".to_owned(),
    ];
    let trace = home.path("trace");
    let arguments = [
        "-f",
        "-qq",
        "-e",
        "trace=%network,execve,execveat,fork,vfork,clone,clone3",
        "-o",
        trace.to_str().unwrap(),
        env!("CARGO_BIN_EXE_caveman-mcp"),
        "serve",
    ];
    let Some(traced) = tool(&home, "strace", &arguments, session.concat().as_bytes()) else {
        return;
    };
    if traced.stderr().contains("PTRACE") || traced.stderr().contains("ptrace") {
        println!("not asked: {}", traced.stderr());
        return;
    }
    assert_eq!(traced.text().lines().count(), session.len(), "{traced}");
    assert!(
        traced.text().contains("worker-1 finished job 399"),
        "the original came back: {traced}"
    );
    let calls = std::fs::read_to_string(&trace).unwrap();
    let calls: Vec<&str> = calls.lines().collect();
    assert!(calls.len() == 1 && calls[0].contains(" execve("), "{calls:#?}");
}
