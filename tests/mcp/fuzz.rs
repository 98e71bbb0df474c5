//! Hostile input: after any byte stream the next valid request is answered, and memory stays bounded.

use super::{Epoch, Server};
use caveman_core::mcp::{
    ALL, Arguments, Block, Content, Context, Failure, Framer, MAX_LINE_BYTES, Reply, Session, Tool,
};
use caveman_core::store::MemoryStore;
use caveman_tests::random::Random;
use caveman_tests::sessions;
use std::panic::{AssertUnwindSafe, catch_unwind};

const PING: &str = r#"{"jsonrpc":"2.0","id":"alive","method":"ping"}"#;
const PONG: &str = r#"{"jsonrpc":"2.0","id":"alive","result":{}}"#;

fn below(random: &mut Random, n: usize) -> usize {
    usize::try_from(random.below(n as u64)).unwrap()
}

/// How many lines; a long run sets the variable.
fn n_lines() -> u64 {
    #[expect(clippy::disallowed_methods, reason = "the length of a long run, for tests only")]
    let n = std::env::var("CAVEMAN_FUZZ_LINES").ok().and_then(|n| n.parse().ok());
    n.unwrap_or(20_000)
}

#[test]
fn after_any_lines_the_next_request_is_answered() {
    let (mut server, mut random) = (Server::default(), Random::new(1));
    for n in 0..n_lines() {
        let line = sessions::damaged_line(&mut random);
        let answer = server.line(&line);
        if !answer.is_empty() {
            serde_json::from_str::<&serde_json::value::RawValue>(&answer).unwrap_or_else(|e| {
                panic!("line {n} is answered with what is no JSON: {e}: {answer}")
            });
        }
        assert_eq!(server.line(PING), PONG, "after line {n}: {}", String::from_utf8_lossy(&line));
    }
}

#[test]
fn after_any_conversation_in_any_chunks_the_next_request_is_answered() {
    let mut server = Server { store: MemoryStore::with_limit(1 << 20), ..Server::default() };
    let (mut random, mut framer, mut n_sent) = (Random::new(2), Framer::default(), 0);
    while n_sent < n_lines() / 5 {
        let mut stream = sessions::damaged(&mut random);
        n_sent += stream.iter().map(|byte| u64::from(*byte == b'\n')).sum::<u64>();
        stream.extend(format!("\n{PING}\n").bytes());
        let mut out = Vec::new();
        for chunk in stream.chunks(1 + below(&mut random, 300)) {
            framer.push(chunk);
            while let Some(frame) = framer.take() {
                let reply = server.session.handle_frame(&mut server.store, &Epoch, &frame);
                if let Reply::Line(line) = reply {
                    out.extend_from_slice(&line);
                }
            }
        }
        let out = String::from_utf8(out).unwrap();
        for line in out.lines() {
            serde_json::from_str::<&serde_json::value::RawValue>(line)
                .unwrap_or_else(|error| panic!("{error}: {line}"));
        }
        let sent = String::from_utf8_lossy(&stream);
        assert!(out.ends_with(&format!("{PONG}\n")), "{sent}");
    }
}

#[test]
fn nesting_is_no_danger() {
    let deep =
        |open: &str, close: &str| format!("{}{}", open.repeat(200_000), close.repeat(200_000));
    let mut server = Server::default();
    for nested in [deep("[", "]"), deep("{\"a\":", "}").replace(":}", ":1}"), "[".repeat(200_000)] {
        for line in [
            nested.clone(),
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{nested}}}"#),
            format!(r#"{{"jsonrpc":"2.0","params":{{"_meta":{nested}}},"method":"ping","id":1}}"#),
            format!(r#"{{"jsonrpc":"2.0","id":{nested},"method":"ping"}}"#),
            format!(
                r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"caveman_compress","arguments":{{"input":{nested}}}}}}}"#
            ),
            format!(
                r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"caveman_compress","arguments":{{"input":{}}}}}}}"#,
                serde_json::Value::from(nested.clone())
            ),
        ] {
            let answer = server.line(&line);
            assert!(answer.starts_with("{\"jsonrpc\"") || answer.starts_with("[{"));
            assert_eq!(server.line(PING), PONG);
        }
    }
}

#[test]
fn a_line_over_the_limit_is_an_error_with_its_id() {
    let mut server = Server::default();
    let input = "x".repeat(MAX_LINE_BYTES);
    let line = format!(
        "{{\"jsonrpc\":\"2.0\",\"method\":\"tools/call\",\"params\":{{\"name\":\"caveman_compress\",\"arguments\":{{\"input\":\"{input}\"}}}},\"id\":\"late\"}}"
    );
    let expected = r#"{"jsonrpc":"2.0","id":"late","error":{"code":-32600,"message":"cave_payload_too_large: "#;
    assert!(server.line(&line).starts_with(expected));
    let out = server.stream(format!("{line}\n{PING}").as_bytes());
    let out = String::from_utf8(out).unwrap();
    assert!(out.starts_with(expected) && out.ends_with(&format!("{PONG}\n")), "{out}");
}

#[test]
fn batches_are_bounded() {
    let mut server = Server::default();
    let batch = format!("[{}]", vec!["1"; 2_000_000].join(","));
    let answer = server.line(batch);
    assert!(answer.contains("-32600") && answer.len() < 200, "{answer}");

    // Twenty answers of 4 MiB do not fit into one line: the rest is refused, each by its id.
    let handle = server.keep("y".repeat(4 << 20).as_bytes(), "text", 1);
    let calls: Vec<String> = (0..20)
        .map(|id| {
            format!(
                r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"caveman_retrieve","arguments":{{"recovery_handle":"{handle}","offset":0}}}}}}"#
            )
        })
        .collect();
    let answer = server.line(format!("[{}]", calls.join(",")));
    assert!(answer.len() < 24 << 20, "{}", answer.len());
    let answers: serde_json::Value = serde_json::from_str(&answer).unwrap();
    let answers = answers.as_array().unwrap();
    assert_eq!(answers.len(), 20);
    for (id, answer) in answers.iter().enumerate() {
        assert_eq!(answer["id"], id);
    }
    assert!(answers[0].get("result").is_some() && answers[19].get("error").is_some());
}

#[test]
fn short_texts_that_stand_for_very_long_ones_are_refused() {
    let mut server = Server::default();
    // Forty rows of one field with a name of a megabyte.
    let toon = format!("a[40]{{{}}}:{}", "k".repeat(1 << 20), "\n  1".repeat(40));
    let input = serde_json::Value::from(toon);
    let said = server.call("caveman_toon_decode", &format!("{{\"input\":{input}}}"));
    assert!(said[0].starts_with("{\"error\":\"cave_payload_too_large\""), "{}", said[0].len());
    assert!(said[0].contains("decode the text in parts"), "it was built first: {}", said[0]);
    // A list of 100,000 items, each on a line with a thousand spaces before it.
    let depth = 500;
    let items = vec!["{},1"; 50_000].join(",");
    let json = format!("{}{items}{}", "[0,".repeat(depth), "]".repeat(depth));
    let input = serde_json::Value::from(json.clone());
    let said = server.call("caveman_toon_encode", &format!("{{\"input\":{input}}}"));
    assert!(said[0] == json && said[1].contains("longer than was allowed"), "{}", said[1]);
    assert_eq!(server.line(PING), PONG);
}

fn boom<'a>(_: &mut Context<'_>, _: Arguments<'a>) -> Result<Content<'a>, Failure> {
    panic!("boom")
}

fn huge<'a>(_: &mut Context<'_>, _: Arguments<'a>) -> Result<Content<'a>, Failure> {
    let blocks = vec![Block::Text("z".repeat(17 << 20).into())];
    Ok(Content { blocks, ..Content::default() })
}

const BROKEN: [Tool; 2] = [
    Tool { name: "boom", definition: "{\"name\":\"boom\"}", call: boom },
    Tool { name: "huge", definition: "{\"name\":\"huge\"}", call: huge },
];

#[test]
fn a_panic_is_answered_and_the_next_request_works() {
    let tools = [ALL, &BROKEN].concat();
    let (mut session, mut store) = (Session::new(&tools), MemoryStore::default());
    let mut say = |line: &str| {
        let caught = catch_unwind(AssertUnwindSafe(|| {
            session.handle_line(&mut store, &Epoch, line.as_bytes())
        }));
        let reply = caught.unwrap_or_else(|_| Session::panic_reply(line.as_bytes(), "fuzz.rs:1"));
        match reply {
            Reply::Line(line) => String::from_utf8(line).unwrap(),
            Reply::Nothing => String::new(),
            Reply::Pending(_) => panic!("the memory store never waits"),
        }
    };
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"boom"}}"#;
    let answer = say(call);
    assert!(
        answer.contains("cave_tool_panicked") && answer.contains("\"isError\":true"),
        "{answer}"
    );
    assert!(
        answer.starts_with(r#"{"jsonrpc":"2.0","id":1,"result""#) && answer.contains("fuzz.rs:1")
    );
    assert_eq!(say(PING), format!("{PONG}\n"));

    let modern = call.replace(
        "\"name\"",
        r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},"name""#,
    );
    assert!(say(&modern).contains("\"resultType\":\"complete\""));

    let batch = say(&format!("[{PING},{call},{{\"jsonrpc\":\"2.0\",\"method\":\"x\"}}]"));
    assert!(batch.starts_with("[{") && batch.ends_with("}]\n"), "{batch}");
    assert!(
        batch.contains("cave_internal_error") && batch.contains("cave_tool_panicked"),
        "{batch}"
    );

    let answer = say(&call.replace("boom", "huge"));
    assert!(answer.contains("cave_payload_too_large") && answer.len() < 500, "{}", answer.len());
    assert_eq!(say(PING), format!("{PONG}\n"));
}

#[test]
fn a_panic_over_a_line_that_wants_no_answer_sends_none() {
    for line in [r#"{"jsonrpc":"2.0","method":"x"}"#, "", r#"[{"jsonrpc":"2.0","method":"x"}]"#] {
        assert_eq!(Session::panic_reply(line.as_bytes(), "x"), Reply::Nothing);
    }
    let damaged = Session::panic_reply(br#"{"id":7,"#, "x");
    let Reply::Line(line) = damaged else { panic!("a bad line is answered") };
    assert!(line.starts_with(br#"{"jsonrpc":"2.0","id":7,"error":{"code":-32603"#));
}
