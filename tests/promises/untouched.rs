//! Payloads in which there is nothing to leave out come back byte for byte, with a reason.

use crate::{compress, figures};
use caveman_core::engine::Reason;
use caveman_tests::payloads::{self, base64, reference, repeat};
use caveman_tests::random::Random;

#[track_caller]
fn check(payload: &[u8]) -> Reason {
    let answer = compress(payload);
    assert!(
        answer.recovery_handle.is_none(),
        "{}:\n{}",
        figures(&answer),
        String::from_utf8_lossy(&answer.output)
    );
    answer.reason.expect("asked by compress")
}

const PROSE: &str = "The mill stood where the river bends, and for two hundred years nobody had a reason to move it. When the\n\
    railway came, the surveyors drew their line through the wheel house without a second look, because on their map the\n\
    river was a thin blue thread and the mill a dot that might have been a blot.\n\n\
    The miller wrote one letter. It is kept in the county archive: four sentences, no complaint, an exact drawing of the\n\
    flood of 1824 with the height of the water marked against the church door. The line was moved forty metres north.\n\n\
    What strikes a reader now is the drawing. He did not argue that the mill was old or that his family lived there. He\n\
    showed where the water would stand, and left the engineers to notice that their embankment would be under it.\n\n\
    The church burned down in 1911 and the mark went with it, but the drawing agrees within a hand's breadth with the\n\
    flood of 2013, which came up to the rails of the line that had been moved, and no further.\n";

#[test]
fn a_small_json_document() {
    let json = r#"{"name":"left-pad","version":"1.3.0","description":"String left pad","main":"index.js","scripts":{"test":"node test","bench":"node perf/perf.js"},"repository":{"type":"git","url":"git@github.com:example/left-pad.git"},"author":"azer","maintainers":[{"name":"Cameron","email":"c@example.org"}],"license":"WTFPL"}"#;
    assert!((280..330).contains(&json.len()), "{}", json.len());
    check(json.as_bytes());
}

#[test]
fn a_bibliography_of_200_distinct_lines() {
    check(repeat(200, 1, reference).as_bytes());
}

#[test]
fn prose() {
    check(PROSE.as_bytes());
}

#[test]
fn minified_javascript() {
    check(payloads::minified_javascript().as_bytes());
}

#[test]
fn base64_in_one_line_and_in_many() {
    check(base64(12_000, 1, 0).as_bytes());
    check(base64(12_000, 2, 76).as_bytes());
}

#[test]
fn an_output_of_ours() {
    for payload in outputs_subjects() {
        let first = compress(payload.as_bytes());
        assert!(first.recovery_handle.is_some(), "the subject itself shrinks: {}", figures(&first));
        check(&first.output);
    }
}

fn outputs_subjects() -> Vec<String> {
    vec![
        repeat(500, 1, payloads::sshd_line),
        repeat(400, 2, payloads::uuid_line),
        payloads::json_array(80, 3, payloads::order),
        format!("{}{}", payloads::CSV_HEADER, repeat(300, 4, payloads::csv_row)),
    ]
}

#[test]
fn a_file_that_holds_our_markers() {
    let handle = "ccr_00112233445566778899aabbccddeeff";
    let document = format!(
        "# Reading shortened output\n\nA marker stands where lines were left out:\n\n\
         [caveman: 340 lines elided: 13-352; level: INFO×340]\n\n\
         The last line names the handle of the original. Ask for it when the answer is not in what you see:\n\n\
         [caveman: 340 of 360 lines elided; caveman_retrieve(\"{handle}\")]\n\n\
         In JSON a marker is an element: \"[caveman: 24 records elided: 25-48; status: paid×24]\". Never edit a marker.\n"
    );
    check(document.as_bytes());
}

#[test]
fn a_log_that_quotes_a_marker() {
    let lines = repeat(200, 5, payloads::uuid_line);
    let quoted = "[caveman: 999 lines elided: 1-999; result: approved×999]\n";
    check(format!("{lines}{quoted}{lines}").as_bytes());
}

#[test]
fn random_bytes() {
    assert_eq!(check(&Random::new(7).bytes(4096)), Reason::NotText);
    assert_eq!(check(b"text with a \0 in it"), Reason::NotText);
    assert_eq!(check("é".as_bytes().split_at(1).0), Reason::NotText);
}

#[test]
fn nothing_and_one_byte() {
    check(b"");
    for byte in 0..=255 {
        check(&[byte]);
    }
}
