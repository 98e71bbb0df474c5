//! Many processes at once, and processes that die at any moment.

use crate::harness::{Home, Process, Server, size};
use crate::{cavemem, id_of};
use caveman_core::memory::Memories;
use caveman_native::memory::{SqliteMemories, Which};
use caveman_tests::random::Random;
use serde_json::{Value, json};
use std::io::Write;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

fn open(home: &Home) -> SqliteMemories {
    SqliteMemories::at(home.path(".caveman/mem/mem.db"))
}

#[test]
fn sixty_four_processes_remember_on_a_cold_store_and_all_land() {
    let home = Home::new();
    let start = |at: usize| -> Process {
        let mut command = home.cavemem(&["remember", &format!("process {at} was here")]);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Process::start(command)
    };
    let processes: Vec<Process> = (0..64).map(start).collect();
    for process in processes {
        let output = process.output();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let mut store = open(&home);
    assert_eq!(store.info().unwrap().n_memories, 64);
    for at in 0..64 {
        let found = texts_of(&mut store, &format!("process {at}"));
        assert!(found.contains(&format!("process {at} was here")), "{at}: {found:?}");
    }
}

fn texts_of(store: &mut SqliteMemories, query: &str) -> Vec<String> {
    let mut copies = caveman_core::store::MemoryStore::default();
    let options = caveman_core::memory::Options { limit: 64, token_budget: 0 };
    let found = caveman_core::memory::recall(store, &mut copies, 0, query, &options).unwrap();
    found.hits.into_iter().map(|hit| hit.text).collect()
}

/// Feeds a server with remembers and supersedes until it is killed; gives the lineages whose newest version was answered:
/// first id and newest text.
fn feed_until_killed(home: &Home, seed: usize, after: Duration) -> Vec<(String, String)> {
    let mut server = Server::of(home.cavemem(&["serve"]));
    let mut requests = String::new();
    for at in 0..400 {
        let call = json!({"jsonrpc": "2.0", "id": at, "method": "tools/call", "params":
            {"name": "cavemem_remember", "arguments": {"text": format!("run {seed} fact {at}")}}});
        requests.push_str(&format!("{call}\n"));
    }
    server.send(requests.as_bytes());
    sleep(after);
    server.kill();
    let mut answered = Vec::new();
    while let Some(line) = server.line() {
        let Ok(reply) = serde_json::from_str::<Value>(&line) else { break };
        let text = reply["result"]["content"][0]["text"].as_str().unwrap();
        let id = id_of(&serde_json::from_str(text).unwrap());
        answered.push((id, format!("run {seed} fact {}", reply["id"])));
    }
    answered
}

/// Supersedes one memory again and again until it is killed; gives the last text that was answered.
fn supersede_until_killed(
    home: &Home,
    first: &str,
    seed: usize,
    after: Duration,
) -> Option<String> {
    let mut command = home.cavemem(&["serve"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = Process::start(command);
    let mut stdin = process.stdin.take().unwrap();
    let stdout = process.stdout.take().unwrap();
    let first = first.to_owned();
    // It ends with the output of the server, which ends with the kill.
    let feeder = std::thread::spawn(move || {
        let mut lines = std::io::BufRead::lines(std::io::BufReader::new(stdout));
        let (mut id, mut last) = (first, None);
        for at in 0.. {
            let text = format!("run {seed} version {at}");
            let call = json!({"jsonrpc": "2.0", "id": at, "method": "tools/call", "params":
                {"name": "cavemem_supersede", "arguments": {"id": id, "text": text}}});
            if stdin.write_all(format!("{call}\n").as_bytes()).is_err() {
                break;
            }
            let Some(Ok(line)) = lines.next() else { break };
            let Ok(reply) = serde_json::from_str::<Value>(&line) else { break };
            let answer = reply["result"]["content"][0]["text"].as_str().unwrap().to_owned();
            id = id_of(&serde_json::from_str(&answer).unwrap_or_else(|_| panic!("{answer}")));
            last = Some(text);
        }
        last
    });
    sleep(after);
    process.kill();
    feeder.join().unwrap()
}

#[test]
fn what_was_answered_outlives_its_process_and_no_lineage_is_half_superseded() {
    let home = Home::new();
    let mut random = Random::new(8);
    let (mut n_answered, mut n_versions) = (0, 0);
    for seed in 0..size("CAVEMEM_TEST_KILLS", 20) {
        let after = Duration::from_micros(random.range(2_000, 60_000));
        let answered = feed_until_killed(&home, seed, after);
        let mut store = open(&home);
        for (id, text) in &answered {
            assert_eq!(store.history(id).unwrap()[0].text, *text);
        }
        n_answered += answered.len();

        let first = store.remember(&format!("run {seed} begins"), 0).unwrap().id;
        let last = supersede_until_killed(&home, &first, seed, after);
        let versions = store.history(&first).unwrap();
        let texts: Vec<&str> = versions.iter().map(|version| version.text.as_str()).collect();
        n_versions += texts.len();
        if let Some(last) = last {
            assert!(texts.iter().rev().take(2).any(|text| *text == last), "{last}: {texts:?}");
        }
        let n_current = versions.iter().filter(|version| version.is_current()).count();
        assert!(n_current == 1 && versions.last().unwrap().is_current(), "{versions:?}");
    }
    println!("{n_answered} memories answered, {n_versions} versions");
    assert!(n_answered > 0 && n_versions > 0);
    let mut store = open(&home);
    let current = store.list(Which::Current, u64::MAX).unwrap();
    assert_eq!(
        store.info().unwrap().n_memories,
        current.len() as u64,
        "the index holds what is current"
    );
    let db = rusqlite::Connection::open(home.path(".caveman/mem/mem.db")).unwrap();
    let sound: String = db.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(sound, "ok");
}

#[test]
fn a_forget_that_is_killed_is_finished_by_whoever_comes_next() {
    let home = Home::new();
    let mut store = open(&home);
    let secret = format!("zq{} opens the safe", Random::new(3).hex(16));
    let id = store.remember(&secret, 0).unwrap().id;
    for at in 0..50 {
        store.remember(&format!("filler {at}"), 0).unwrap();
    }
    // What a process leaves that dies between the deletion and the cleaning.
    store.forget(&id, &mut |_| Ok(())).unwrap();
    drop(store);
    let db = rusqlite::Connection::open(home.path(".caveman/mem/mem.db")).unwrap();
    db.execute_batch("UPDATE cavemem_state SET has_traces = 1").unwrap();
    drop(db);
    cavemem(&home, &["stats"], b"").done();
    let db = rusqlite::Connection::open(home.path(".caveman/mem/mem.db")).unwrap();
    let has_traces: bool =
        db.query_row("SELECT has_traces FROM cavemem_state", [], |row| row.get(0)).unwrap();
    assert!(!has_traces);
}
