//! Conversations with the server: as a client leads them, and damaged as no client would. What survives them is asked of the
//! session in the core and of the binary alike.

use crate::payloads;
use crate::random::Random;
use caveman_core::store::Handle;

/// Messages for damaged lines to be made of, beside those of a conversation.
const MESSAGES: [&str; 8] = [
    r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"caveman_compress","arguments":{"input":"a\n1\n2\n3 é😀\u0000","content_type":"log"}}}"#,
    r#"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"caveman_retrieve","arguments":{"recovery_handle":"ccr_0123456789abcdef0123456789abcdef","query":"x","offset":3}}}"#,
    r#"{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"caveman_toon_decode","arguments":{"input":"a[2]{x}:\n  1\n  2"}}}"#,
    r#"{"jsonrpc":"2.0","id":8,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#,
    r#"[{"jsonrpc":"2.0","id":9,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},1]"#,
    r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}"#,
    r#"{"jsonrpc":"2.0","id":"\ud83d\ude00\u0000","method":"\u0070ing","params":[1,[2,[3]]]}"#,
    r#"{"id":null,"result":{},"error":{"code":1.5e300,"message":"x"},"jsonrpc":2.0}"#,
];

/// Pieces that a parser may trip over.
const PIECES: [&str; 18] = [
    "{", "}", "[", "]", "\"", "\\", ",", ":", "null", "\\u", "\\ud800", "1e999", "\"id\":",
    "\u{feff}", "\0", "é", "\u{2028}", "\r",
];

/// What stands between two lines; half of the time the second one runs on in the first.
const BETWEEN: [&str; 4] = ["\n", "", "\r\n", "\n\n"];

const HANDSHAKES: [&str; 5] =
    ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "1999-12-31"];

/// A conversation as a client leads it, one message a line: an opening in one of the eras, then calls of every tool, of which
/// the retrieves ask for what was compressed.
pub fn valid(random: &mut Random) -> Vec<String> {
    let is_modern = random.below(2) == 0;
    let mut lines = Vec::new();
    let mut request = |method: &str, members: String| {
        let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;
        let members = match (is_modern, members.is_empty()) {
            (false, _) => members,
            (true, true) => meta.to_owned(),
            (true, false) => format!("{members},{meta}"),
        };
        let id = lines.len();
        // Some clients write the id last.
        lines.push(match id % 2 {
            0 => format!(
                r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{members}}}}}"#
            ),
            _ => format!(
                r#"{{"method":"{method}","params":{{{members}}},"jsonrpc":"2.0","id":{id}}}"#
            ),
        });
    };
    match is_modern {
        true => request("server/discover", String::new()),
        false => {
            let version = random.pick(&HANDSHAKES);
            request("initialize", format!(r#""protocolVersion":"{version}","capabilities":{{}}"#));
        }
    }
    request("tools/list", String::new());
    for _ in 0..random.range(1, 4) {
        // Few of them, so that their originals are found again.
        let log = payloads::repeat(30, random.below(40), payloads::app_log_line);
        let handle = Handle::of(log.as_bytes());
        let calls = [
            ("compress", format!(r#""input":{}"#, quoted(&log))),
            ("retrieve", format!(r#""recovery_handle":"{handle}""#)),
            ("retrieve", format!(r#""recovery_handle":"{handle}","query":"error timeout""#)),
            (
                "toon_encode",
                r#""input":"[{\"a\":1,\"b\":\"x\"},{\"a\":2,\"b\":\"y\"}]""#.to_owned(),
            ),
            ("toon_decode", r#""input":"[2]{a,b}:\n  1,x\n  2,y""#.to_owned()),
            ("stats", String::new()),
        ];
        for (tool, arguments) in calls {
            request(
                "tools/call",
                format!(r#""name":"caveman_{tool}","arguments":{{{arguments}}}"#),
            );
        }
    }
    request("ping", String::new());
    lines
}

/// The bytes of a conversation with lines left out, doubled, swapped, run together and damaged. They may end within a line.
pub fn damaged(random: &mut Random) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = valid(random).into_iter().map(String::into_bytes).collect();
    for _ in 0..random.below(5) {
        let (one, other) = (below(random, lines.len()), below(random, lines.len()));
        match random.below(4) {
            0 => drop(lines.remove(one)),
            1 => lines.insert(other, lines.get(one).cloned().unwrap_or_default()),
            2 => lines.swap(one, other),
            _ => {
                let member = lines.get(one).map_or("1".as_bytes(), Vec::as_slice);
                let batch = ["[".as_bytes(), member, ",2]".as_bytes()].concat();
                lines.insert(other, batch);
            }
        }
    }
    let mut out = Vec::new();
    for mut line in lines {
        if random.below(3) == 0 {
            damage(&mut line, random);
        }
        out.extend(line);
        let at = if random.below(4) == 0 { random.pick(&BETWEEN) } else { "\n" };
        out.extend(at.bytes());
    }
    out
}

/// One damaged line, without a line end.
pub fn damaged_line(random: &mut Random) -> Vec<u8> {
    let mut line = random.pick(&MESSAGES).as_bytes().to_vec();
    damage(&mut line, random);
    line
}

fn damage(line: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..random.below(6) {
        let at = below(random, line.len() + 1);
        match random.below(6) {
            0 => line.truncate(at),
            1 => drop(line.splice(at..at, random.pick(&PIECES).bytes())),
            2 => drop(line.splice(at..at, random.pick(&MESSAGES).bytes())),
            3 => {
                let to = (at + below(random, 9)).min(line.len());
                drop(line.drain(at..to));
            }
            4 => line.insert(at, random.bits().to_le_bytes()[0]),
            _ => {
                if let Some(byte) = line.get_mut(at) {
                    *byte ^= 1 << random.below(8);
                }
            }
        }
    }
    line.retain(|byte| *byte != b'\n');
}

fn below(random: &mut Random, n: usize) -> usize {
    usize::try_from(random.below(n as u64)).unwrap_or_default()
}

/// A text as JSON.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for char in text.chars() {
        match char {
            '"' | '\\' => out.extend(['\\', char]),
            '\n' => out.push_str("\\n"),
            control if control < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(control))),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}
