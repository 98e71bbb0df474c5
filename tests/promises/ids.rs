//! Lines that differ in identifiers only are repetition.

use crate::{compress, figures};
use caveman_tests::payloads::{error_line, repeat, traced_line, uuid_line};

#[track_caller]
fn check(payload: &str) {
    let answer = compress(payload.as_bytes());
    assert!(answer.ratio() >= 0.7, "{}", figures(&answer));
}

#[test]
fn four_hundred_lines_with_a_uuid_each() {
    check(&repeat(400, 1, uuid_line));
}

#[test]
fn four_hundred_lines_with_trace_and_span_ids() {
    check(&repeat(400, 2, traced_line));
}

#[test]
fn three_hundred_errors_of_three_templates() {
    check(&repeat(300, 3, error_line));
}
