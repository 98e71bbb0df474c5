//! What a JavaScript host does with a session, in Rust: the protocol of `wasm/src/session.rs` over a map in memory.

use crate::door::{Argument, Door};
use std::collections::BTreeMap;

/// Whether the host keeps what a session puts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keeping {
    Keeps,
    Refuses,
}

/// Everything that went over the border while `input` was served, and the replies, as one text to compare.
pub(crate) fn serve(
    door: &mut dyn Door,
    tools: &str,
    input: &[u8],
    chunk_bytes: usize,
    keeping: Keeping,
) -> Result<Vec<u8>, String> {
    let mut log = Vec::new();
    let mut originals = BTreeMap::<String, Vec<u8>>::new();
    let mut now_ms = 1_700_000_000_000.0;
    log.extend(door.call("sessionOpen", &[Argument::Text(tools)])?);
    let chunks = input.chunks(chunk_bytes.max(1)).map(Some).chain([None]);
    for chunk in chunks {
        match chunk {
            Some(chunk) => drop(door.call("framerPush", &[Argument::Bytes(chunk)])?),
            None => drop(door.call("framerFinish", &[])?),
        }
        loop {
            let frame = door.call("framerTake", &[])?;
            if frame.is_empty() {
                break;
            }
            now_ms += 250.0;
            let n_bytes: usize = originals.values().map(Vec::len).sum();
            let info = format!(
                r#"{{"kind":"files","entries":{},"bytes":{n_bytes},"limit_bytes":0,"state":"ok"}}"#,
                originals.len()
            );
            door.call("sessionStore", &[Argument::Text(&info)])?;
            let reply = handle(door, &frame, now_ms, keeping, &mut originals, &mut log)?;
            log.extend_from_slice(&reply);
            door.call("sessionDone", &[])?;
        }
    }
    Ok(log)
}

/// One frame to its reply, with what the session wanted of its host on the way.
fn handle(
    door: &mut dyn Door,
    frame: &[u8],
    now_ms: f64,
    keeping: Keeping,
    originals: &mut BTreeMap<String, Vec<u8>>,
    log: &mut Vec<u8>,
) -> Result<Vec<u8>, String> {
    let arguments = [Argument::Bytes(frame), Argument::Number(now_ms)];
    loop {
        let reply = door.call("sessionHandle", &arguments)?;
        let Some((b'p', reference)) = reply.split_first() else {
            let puts = door.call("sessionPuts", &[])?;
            log.extend_from_slice(&puts);
            let puts: Vec<serde_json::Value> =
                serde_json::from_slice(&puts).map_err(|e| e.to_string())?;
            if !puts.is_empty() && keeping == Keeping::Refuses {
                let why = Argument::Text("the disk is full");
                door.call("sessionRefuse", &[Argument::Text("cave_store_full"), why])?;
                return door.call("sessionHandle", &arguments);
            }
            for (index, put) in (0..).zip(&puts) {
                let original = door.call("sessionOriginal", &[Argument::Index(index)])?;
                let handle = put["handle"].as_str().unwrap_or_default().to_owned();
                originals.insert(handle, original);
            }
            return Ok(reply);
        };
        let reference = String::from_utf8_lossy(reference).into_owned();
        let name = Argument::Text(&reference);
        match originals.get(&reference) {
            Some(original) => {
                let (kind, n_tokens) = (Argument::Text(""), Argument::Number(0.0));
                let arguments = [name, Argument::Bytes(original), kind, n_tokens];
                door.call("sessionSupply", &arguments)?;
            }
            None => {
                let why = format!("no original is stored under {reference}");
                let arguments = [name, Argument::Text("cave_unknown_handle"), Argument::Text(&why)];
                door.call("sessionSupplyError", &arguments)?;
            }
        }
    }
}
