//! Payloads above 64 MiB: piece by piece where they have lines, else as they come, in bounded memory.

use crate::harness::{Home, Process, peak_kib, run, size};
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
    let (output, peak) = read_to_end(&mut process);
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

/// `n_lines` lines of a log of 128 bytes each, from line `from` on.
fn lines(from: usize, n_lines: usize) -> Vec<u8> {
    let line = |at: usize| {
        format!(
            "2026-03-01T{:02}:{:02}:{:02}.{:03}Z INFO  worker finished job={at:08} queue=orders region=eu-west-1 state=done duration_ms={:04} retries=0\n",
            at / 3_600_000 % 24,
            at / 60_000 % 60,
            at / 1000 % 60,
            at % 1000,
            at % 97
        )
    };
    (from..from + n_lines).map(line).collect::<String>().into_bytes()
}

/// MiB of the stream; 1024 for the whole claim.
const LARGE: (&str, usize) = ("CAVEMAN_TEST_STREAM_MIB", 72);

#[test]
fn a_stream_of_lines_is_shrunk_piece_by_piece() {
    let home = Home::new();
    let n_mib = size(LARGE.0, LARGE.1);
    let mut command = home.caveman(&["compress"]);
    command.env("CAVEMAN_CCR_MAX_BYTES", "0").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = Process::start(command);
    let mut stdin = process.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        let mut n_lines = 0;
        let mut n_bytes = 0;
        while n_bytes < n_mib << 20 {
            let piece = lines(n_lines, 8192);
            stdin.write_all(&piece).unwrap();
            (n_lines, n_bytes) = (n_lines + 8192, n_bytes + piece.len());
        }
        n_lines
    });
    let (output, peak) = read_to_end(&mut process);
    let n_lines = writer.join().unwrap();
    assert_eq!(process.wait().code(), Some(0));
    let output = String::from_utf8(output).unwrap();
    println!("{n_mib} MiB became {} bytes, peak {peak} KiB", output.len());
    assert!(output.len() < n_mib * 4096, "{} bytes", output.len());
    assert!(peak < 300 << 10, "peak of {peak} KiB");

    // Every line is in exactly one original.
    let handles = output.split("caveman_retrieve(\"").skip(1).map(|rest| rest.get(..36).unwrap());
    let mut at = 0;
    for handle in handles {
        let original = home.run(&["retrieve", handle], b"");
        let original = original.done();
        let n = original.iter().filter(|byte| **byte == b'\n').count();
        assert!(original == lines(at, n), "{handle} from line {at}");
        at += n;
    }
    assert_eq!(at, n_lines);
    assert!(output.contains("[caveman: part 2 of the stream, from line "), "{output:.2000}");
}

#[test]
fn a_full_store_lets_the_rest_of_a_stream_through() {
    let home = Home::new();
    let payload = lines(0, 600_000);
    assert!(payload.len() > 64 << 20);
    let mut command = home.caveman(&["compress"]);
    command.env("CAVEMAN_CCR_MAX_BYTES", (20 << 20).to_string());
    let run = run(command, &payload);
    let output = run.done();
    assert!(run.stderr().contains("pieces passed through: cave_store_full"), "{}", run.stderr());
    assert!(output.ends_with(&lines(500_000, 100_000)));
    assert!(output.len() < payload.len() - (15 << 20));
}

#[test]
fn a_reader_that_goes_away_ends_a_stream_quietly() {
    let home = Home::new();
    let mut command = home.caveman(&["compress"]);
    command.env("CAVEMAN_CCR_MAX_BYTES", "1").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = Process::start(command);
    let mut stdin = process.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        let payload = lines(0, 700_000);
        drop(stdin.write_all(&payload));
    });
    let mut stdout = process.stdout.take().unwrap();
    stdout.read_exact(&mut [0; 100]).unwrap();
    drop(stdout);
    assert_eq!(process.wait().code(), Some(0));
    writer.join().unwrap();
}

/// All that the process writes, and the most memory that it was seen to take, in KiB.
fn read_to_end(process: &mut Process) -> (Vec<u8>, u64) {
    let mut output = Vec::new();
    let mut stdout = process.stdout.take().unwrap();
    let mut buffer = vec![0; 1 << 16];
    let mut peak = 0;
    loop {
        let n_bytes = stdout.read(&mut buffer).unwrap();
        if n_bytes == 0 {
            return (output, peak);
        }
        output.extend_from_slice(&buffer[..n_bytes]);
        peak = peak.max(peak_kib(process.id()));
    }
}
