//! The committed samples are those of the generator, and each comes out as it should.

use crate::{compress, figures, text};
use caveman_tests::payloads::samples;
use std::path::Path;

/// Rewrites the samples with `UPDATE_CASES=1`.
#[test]
fn samples_are_those_of_the_generator() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    for (name, made) in samples() {
        let path = folder.join(name);
        #[expect(clippy::disallowed_methods, reason = "the switch of all cases")]
        if std::env::var_os("UPDATE_CASES").is_some() {
            std::fs::write(&path, &made).expect("a sample is written");
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(committed == made, "tests/samples/{name} differs: UPDATE_CASES=1 rewrites it");
    }
}

#[test]
fn what_is_odd_in_a_sample_is_in_its_output() {
    let odd: &[(&str, &[&str])] = &[
        ("checkout.log", &["order=40311", "result=declined", "retry 1 of 3"]),
        ("gateway.ndjson", &["\"status\":502"]),
        ("invoices.csv", &["INV-20222", "overdue"]),
        ("orders.json", &["ord-1037", "\"captured\":false"]),
        ("pods.txt", &["Pending"]),
        ("sshd.log", &["Accepted password for fztu from 119.137.62.142"]),
    ];
    for (name, made) in samples() {
        let answer = compress(made.as_bytes());
        let Some((_, strings)) = odd.iter().find(|(odd, _)| *odd == name) else { continue };
        for string in *strings {
            assert!(
                text(&answer).contains(string),
                "{name}: {string} in {}\n{}",
                figures(&answer),
                text(&answer)
            );
        }
        assert!(answer.ratio() > 0.5, "{name}: {}", figures(&answer));
    }
}
