//! No marker prints what a field holds that is named like a credential, not even where it holds one of two values.

use crate::{compress, text};
use caveman_tests::payloads::{json_array, repeat};

const NAMES: [&str; 6] =
    ["password", "client_secret", "api_key", "authorization", "session_cookie", "private_key"];

/// Two values that a marker would count, were the name another one; beside it a field whose two values it does count.
const SECRET: [&str; 2] = ["hunter2-one", "hunter2-two"];
const REGION: [&str; 2] = ["eu-west-7", "us-east-4"];

#[track_caller]
fn check(payload: &str) {
    let answer = compress(payload.as_bytes());
    let output = text(&answer);
    let markers: Vec<&str> = output
        .lines()
        .filter(|line| line.contains("elided") || line.contains("[caveman:"))
        .collect();
    assert!(
        markers.iter().any(|marker| marker.contains(REGION[0])),
        "no marker counts the other field:\n{output}"
    );
    for marker in markers {
        assert!(!marker.contains("hunter2"), "{marker}");
    }
}

/// The values of the unit `at`.
fn values(at: u64) -> (&'static str, &'static str) {
    let which = usize::from(at.is_multiple_of(3));
    (REGION[which], SECRET[which])
}

#[test]
fn records_with_a_credential() {
    for name in NAMES {
        check(&json_array(300, 1, |random, at| {
            let (region, secret) = values(at);
            format!(
                r#"{{"id":{at},"region":"{region}","{name}":"{secret}","ms":{}}}"#,
                random.below(90)
            )
        }));
        check(&repeat(300, 2, |random, at| {
            let (region, secret) = values(at);
            format!(
                "{{\"id\":{at},\"region\":\"{region}\",\"{name}\":\"{secret}\",\"ms\":{}}}\n",
                random.below(90)
            )
        }));
    }
}

#[test]
fn rows_and_lines_with_a_credential() {
    for name in NAMES {
        let rows = repeat(300, 3, |random, at| {
            let (region, secret) = values(at);
            format!("{at},{region},{secret},{}\n", random.below(90))
        });
        check(&format!("id,region,{name},ms\n{rows}"));
        check(&repeat(300, 4, |random, at| {
            let (region, secret) = values(at);
            format!(
                "2026-03-01T10:{:02}:{:02}Z INFO request done id={at} region={region} {name}={secret} ms={}\n",
                at / 60,
                at % 60,
                random.below(90)
            )
        }));
    }
}
