//! Sources: what must not stand in them, and what each must begin with.

use crate::none;
use crate::tree::{self, File};

/// A text that must not occur, where, and why.
struct Ban {
    /// Beginnings of the paths that it holds for.
    under: &'static [&'static str],
    /// Ends of the paths that it holds for.
    ends: &'static [&'static str],
    /// The paths that it does not hold for.
    but: &'static [&'static str],
    texts: &'static [&'static str],
    why: &'static str,
}

/// `wasm/build` is a tool of the build: it runs the compiler and ships nowhere.
const SHIPPED: &[&str] = &["core/", "native/", "wasm/src/"];

const UNFINISHED: &str =
    "what is unfinished is finished or written down where it is decided, not left in the code";

/// Written in halves where the text would be an offence of this file.
const BANS: &[Ban] = &[
    Ban {
        under: &["core/src/"],
        ends: &[".rs"],
        but: &[],
        texts: &["extern crate std", "use std::"],
        why: "the core is no_std, tests included: what it cannot name it cannot do",
    },
    Ban {
        under: SHIPPED,
        ends: &[".rs"],
        but: &[],
        texts: &["std::net", "TcpStream", "TcpListener", "UdpSocket", "UnixStream", "UnixListener"],
        why: "zero egress: no code of ours opens a connection (crates that could are kept out by dependencies.rs)",
    },
    Ban {
        under: SHIPPED,
        ends: &[".rs"],
        but: &["native/src/install/probe.rs"],
        texts: &["process::Command", "Command::new", "libc::fork", "libc::exec", "posix_spawn"],
        why: "the server starts no process; `install` and `doctor` run the command that a host will run",
    },
    Ban {
        under: &["npm/caveman-mcp/", "npm/cavemem/"],
        ends: &[".mjs"],
        but: &[],
        texts: &[
            "node:net",
            "node:http",
            "node:https",
            "node:http2",
            "node:tls",
            "node:dgram",
            "fetch(",
            "WebSocket",
            "XMLHttpRequest",
        ],
        why: "zero egress: no code of ours opens a connection",
    },
    Ban {
        under: &["npm/caveman-mcp/", "npm/cavemem/"],
        ends: &[".mjs"],
        but: &["npm/caveman-mcp/lib/launch.mjs", "npm/cavemem/lib/index.mjs"],
        texts: &["child_process"],
        why: "only the launcher and the client of the memories start a process: the native binary",
    },
    Ban {
        under: &["native/python/cavemem/cavemem/"],
        ends: &[".py"],
        but: &[],
        texts: &[
            "import socket",
            "import http",
            "import urllib",
            "import ssl",
            "import asyncio",
            "shell=True",
        ],
        why: "zero egress: the client runs the native binary and nothing else",
    },
    Ban {
        under: SHIPPED,
        ends: &[".rs"],
        but: &["native/src/settings.rs", "core/build.rs"],
        texts: &["env::var"],
        why: "native/src/settings.rs is the only reader of the environment",
    },
    Ban {
        under: &[""],
        ends: &[".rs"],
        but: &[],
        texts: &[
            concat!("#[", "ignore"),
            concat!("todo", "!("),
            concat!("unimplemented", "!("),
            concat!("assert!(", "true)"),
        ],
        why: "a test that does not run and code that is not there look like their opposites",
    },
    Ban {
        under: &[""],
        ends: &[".mjs", ".js", ".ts"],
        but: &[],
        texts: &[".skip(", ".only(", ".todo(", "skip: true"],
        why: "a test that does not run looks like one that passes",
    },
    Ban {
        under: &[""],
        ends: &[".rs", ".mjs", ".js", ".ts"],
        but: &[],
        texts: &[concat!("// FIX", "ME"), concat!("// TO", "DO"), concat!("XX", "X:")],
        why: UNFINISHED,
    },
    Ban {
        under: &[""],
        ends: &[".py", ".toml", ".yml"],
        but: &[],
        texts: &[concat!("# FIX", "ME"), concat!("# TO", "DO")],
        why: UNFINISHED,
    },
    Ban {
        under: &[""],
        ends: &[""],
        but: &[],
        texts: &[
            concat!("/ro", "ot/"),
            concat!(" /wo", "rk/"),
            concat!("\"/wo", "rk/"),
            concat!("'/wo", "rk/"),
            concat!("(/wo", "rk/"),
            concat!("=/wo", "rk/"),
        ],
        why: "a path of one machine",
    },
    Ban {
        under: &[""],
        ends: &[".rs", ".mjs", ".js", ".ts", ".py", ".md"],
        but: &[],
        texts: &[
            concat!("SP", "EC 1"),
            concat!("SP", "EC 2"),
            concat!("SP", "EC 3"),
            concat!("SP", "EC 4"),
            concat!("SP", "EC 5"),
            concat!("SP", "EC 6"),
            concat!("SP", "EC 7"),
            concat!("SP", "EC 8"),
            concat!("SP", "EC 9"),
            concat!("SP", "EC,"),
            concat!("DES", "IGN "),
        ],
        why: "a document that is not in this repository cannot be looked up",
    },
    Ban {
        under: &[""],
        ends: &["package-lock.json"],
        but: &[],
        texts: &["\"resolved\": \"http"],
        why: "a lock file names versions and hashes, not the registry that one machine used (npm config omit-lockfile-registry-resolved)",
    },
];

fn banned(file: &File) -> Vec<String> {
    if file.is_payload() {
        return Vec::new();
    }
    let holds_for = |ban: &&Ban| {
        ban.under.iter().any(|p| file.path.starts_with(p))
            && ban.ends.iter().any(|e| file.path.ends_with(e))
            && !ban.but.contains(&file.path.as_str())
    };
    let mut found = Vec::new();
    for ban in BANS.iter().filter(holds_for) {
        for (at, line) in file.lines() {
            let hits = ban.texts.iter().filter(|text| line.contains(**text));
            found.extend(hits.map(|text| format!("{}:{at}: `{text}`: {}", file.path, ban.why)));
        }
    }
    found
}

/// Promise: every figure is `inferred`. The word that would claim more stands nowhere; here it is two halves.
fn forbidden_word(file: &File) -> Vec<String> {
    let word = ["veri", "fied"].concat();
    if file.is_payload() {
        return Vec::new();
    }
    let hits = file.lines().filter(|(_, line)| line.to_lowercase().contains(&word));
    let mut found: Vec<String> = hits
        .map(|(at, _)| format!("{}:{at}: the word that claims what is inferred", file.path))
        .collect();
    if file.path.to_lowercase().contains(&word) {
        found.push(format!("{}: the word is in the name", file.path));
    }
    found
}

fn headless(file: &File) -> Vec<String> {
    let first = file.text.lines().next().unwrap_or_default();
    let said = first.strip_prefix("//! ").is_some_and(|doc| doc.trim().len() > 10);
    if said {
        return Vec::new();
    }
    vec![format!("{}:1: a module begins with a `//!` line that says why it exists", file.path)]
}

fn check_all(check: impl Fn(&File) -> Vec<String>, files: &[File]) {
    none(files.iter().flat_map(check).collect());
}

#[test]
fn nothing_banned_stands_in_the_tree() {
    check_all(banned, &tree::files());
}

#[test]
fn the_forbidden_word_stands_nowhere() {
    check_all(forbidden_word, &tree::files());
}

#[test]
fn every_module_begins_with_its_reason() {
    let modules: Vec<File> =
        tree::files().into_iter().filter(|f| f.is_rust() && !f.is_payload()).collect();
    check_all(headless, &modules);
}

#[test]
fn every_ban_sees_its_offence() {
    for ban in BANS {
        let path = format!("{}x/planted{}", ban.under[0], ban.ends[0]);
        for text in ban.texts {
            let file = File::planted(&path, &format!("fine\n let x = 1; {text} and so on\n"));
            assert!(!banned(&file).is_empty(), "{text} under {path} is not seen");
            let payload = File::planted("core/src/compress/log/cases/a.in.log", &file.text);
            assert!(banned(&payload).is_empty(), "payloads may hold {text}");
        }
    }
}

#[test]
fn the_forbidden_word_is_seen_in_any_case() {
    let word = ["Veri", "FIED"].concat();
    assert_eq!(
        forbidden_word(&File::planted("README.md", &format!("a\nall figures un{word}\n"))).len(),
        1
    );
    assert_eq!(forbidden_word(&File::planted(&format!("docs/{word}.md"), "")).len(), 1);
    assert_eq!(forbidden_word(&File::planted("tests/samples/a.log", &word)).len(), 0);
}

#[test]
fn a_module_without_a_reason_is_seen() {
    assert_eq!(headless(&File::planted("a.rs", "//! Spans and lines.\n")).len(), 0);
    for wrong in
        ["", "use x;\n", "// Spans and lines, a comment.\n", "//! \n", "\n//! Spans and lines.\n"]
    {
        assert_eq!(headless(&File::planted("a.rs", wrong)).len(), 1, "{wrong:?}");
    }
}
