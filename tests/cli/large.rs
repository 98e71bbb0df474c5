//! Payloads above 64 MiB stream through in bounded memory.

use crate::harness::{Home, Process, peak_kib, run};
use std::io::{Read, Write};
use std::process::Stdio;

/// Above the limit of 64 MiB.
const N_BYTES: usize = 96 << 20;

#[test]
fn a_payload_that_is_too_large_streams_through() {
    let home = Home::new();
    let mut command = home.caveman(&["compress"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = Process::start(command);
    let mut stdin = process.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        let piece: Vec<u8> =
            (0..1 << 20).map(|at: u32| at.to_le_bytes()[0] ^ at.to_le_bytes()[1]).collect();
        for _ in 0..N_BYTES >> 20 {
            stdin.write_all(&piece).unwrap();
        }
        piece
    });
    let mut output = Vec::new();
    let mut stdout = process.stdout.take().unwrap();
    let mut buffer = vec![0; 1 << 20];
    let mut peak = 0;
    loop {
        let n_bytes = stdout.read(&mut buffer).unwrap();
        if n_bytes == 0 {
            break;
        }
        output.extend_from_slice(&buffer[..n_bytes]);
        peak = peak.max(peak_kib(process.id()));
    }
    let piece = writer.join().unwrap();
    assert_eq!(output.len(), N_BYTES);
    assert!(output.chunks(piece.len()).all(|chunk| chunk == piece));
    assert_eq!(process.wait().code(), Some(0));
    // The 64 MiB that were read before it was known, in a buffer that grows by doubling, and nothing with the rest.
    assert!(peak < 150 << 10, "peak of {peak} KiB");
}

#[test]
fn its_figures_say_why() {
    let home = Home::new();
    let payload = vec![b'x'; (64 << 20) + 1];
    let figures = run(home.caveman(&["compress", "--json"]), &payload).json();
    assert_eq!(figures["reason"], "too_large");
    assert_eq!(figures["input_bytes"], payload.len());
    assert_eq!(figures["recovery_handle"], serde_json::Value::Null);
}
