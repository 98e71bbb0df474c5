//! A rare value never vanishes without a trace: it is visible in the output together with what identifies it.

use crate::{compress, figures, text};
use caveman_core::engine::{self, Answer, Options, Reason};
use caveman_core::kind::Kind;
use caveman_core::store::MemoryStore;
use caveman_tests::payloads::{self, json_array, order_that_is, repeat};

/// As it is detected and as a log, the payload shrinks, and one line or record of the output holds all of `together`.
#[track_caller]
fn check(payload: &str, together: &[&str]) {
    check_detected(payload, together);
    let as_log = Options { content_type: Some(Kind::Log), ..Options::default() };
    let mut store = MemoryStore::default();
    check_answer(payload, together, &engine::compress(&mut store, 0, payload.as_bytes(), &as_log));
}

/// As [`check`], as it is detected; a kind without a compressor passes through whole.
#[track_caller]
fn check_detected(payload: &str, together: &[&str]) {
    let answer = compress(payload.as_bytes());
    if answer.reason != Some(Reason::NoCompressor) {
        check_answer(payload, together, &answer);
    }
}

#[track_caller]
fn check_answer(payload: &str, together: &[&str], answer: &Answer<'_>) {
    let output = text(answer);
    assert!(
        stand_together(output, together),
        "{together:?} not together in {}:\n{output}",
        figures(answer)
    );
    assert!(answer.reason.is_none(), "{}", figures(answer));
    assert!(output.len() < payload.len() / 2, "hardly smaller: {}", figures(answer));
}

/// Whether a line, or the smallest braces around one of the strings, holds all of them.
fn stand_together(output: &str, together: &[&str]) -> bool {
    let holds_all = |text: &str| text.len() < 2000 && together.iter().all(|s| text.contains(s));
    output.lines().any(holds_all) || records(output).into_iter().any(holds_all)
}

/// Every stretch from a `{` to its `}`.
fn records(text: &str) -> Vec<&str> {
    let mut open = Vec::new();
    let mut found = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '{' => open.push(at),
            '}' => found.extend(open.pop().and_then(|from| text.get(from..=at))),
            _ => {}
        }
    }
    found
}

#[test]
fn one_uncaptured_order_among_sixty() {
    for odd in [7, 31, 58] {
        let payload = json_array(60, odd, |random, at| {
            order_that_is(random, at, if at == odd { "false" } else { "true" })
        });
        let id = format!("ord-{}", 1000 + odd);
        check_detected(&payload, &[&id, "\"captured\":false"]);
    }
}

#[test]
fn one_declined_payment_among_150_lines() {
    for odd in [12, 77, 140] {
        let payload = repeat(150, 41 + odd, |random, at| {
            let result = if at == odd { "declined" } else { "approved" };
            format!(
                "2026-03-01T10:{:02}:{:02}Z INFO payments: payment=pay_{} amount={} result={result}\n",
                at / 60,
                at % 60,
                if at == odd { "0ddc0ffee".to_owned() } else { random.hex(9) },
                random.range(100, 9999),
            )
        });
        check(&payload, &["pay_0ddc0ffee", "result=declined"]);
    }
}

#[test]
fn one_accepted_password_among_2000_sshd_lines() {
    for odd in [3, 998, 1990] {
        let payload = repeat(2000, odd, |random, at| {
            if at == odd {
                return "Dec 10 09:32:20 LabSZ sshd[24680]: Accepted password for fztu from 119.137.62.142 port 49116 ssh2\n".to_owned();
            }
            payloads::sshd_line(random, at)
        });
        check(&payload, &["sshd[24680]", "Accepted password for fztu", "119.137.62.142"]);
    }
}

#[test]
fn one_cross_among_100_ticks() {
    for odd in [5, 50, 96] {
        let payload = repeat(100, odd, |random, at| {
            let (mark, name) = if at == odd {
                ("✗", "rejects an expired coupon")
            } else {
                ("✓", "accepts a valid coupon")
            };
            format!("{mark} {name} {at} ({} ms)\n", random.range(1, 30))
        });
        check_detected(&payload.replace('\n', "\n  "), &["✗ rejects an expired coupon"]);
        check(&payload, &["✗ rejects an expired coupon"]);
    }
}

#[test]
fn one_cross_among_100_ticks_with_one_wording() {
    let payload = repeat(100, 9, |random, at| {
        let mark = if at == 61 { "✗" } else { "✓" };
        format!("{mark} case {at} handles its input ({} ms)\n", random.range(1, 30))
    });
    check(&payload, &["✗ case 61"]);
}

#[test]
fn one_not_ok_among_100_oks() {
    let payload = repeat(100, 10, |_, at| {
        let mark = if at == 43 { "not ok" } else { "ok" };
        format!("{mark} {} - parses the header\n", at + 1)
    });
    check(&payload, &["not ok 44"]);
}

#[test]
fn one_slow_request_among_300() {
    let payload = repeat(300, 11, |random, at| {
        let ms = if at == 200 { 48_211 } else { random.range(20, 60) };
        format!(
            "2026-03-01T10:00:{:02}Z INFO request GET /orders/{} done in {ms} ms\n",
            at % 60,
            5000 + at
        )
    });
    check(&payload, &["/orders/5200", "48211 ms"]);
}

#[test]
fn one_pending_pod_among_200_running() {
    let rows = repeat(200, 12, |random, at| {
        let row = payloads::pod_row(random, at);
        if at == 120 { row.replace("1/1     Running  ", "0/1     Pending  ") } else { row }
    });
    let odd = rows.lines().nth(120).expect("row 120").to_owned();
    let name = odd.split_whitespace().nth(1).expect("a name");
    check_detected(&format!("{}{rows}", payloads::POD_HEADER), &[name, "Pending"]);
}

#[test]
fn one_unpaid_invoice_among_400() {
    let rows = repeat(400, 13, |random, at| {
        let row = payloads::csv_row(random, at);
        if at == 222 { row.replace(",paid", ",overdue") } else { row }
    });
    check_detected(&format!("{}{rows}", payloads::CSV_HEADER), &["INV-20222", "overdue"]);
}

#[test]
fn strings_apart_do_not_stand_together() {
    assert!(stand_together("[{\"id\":1,\n\"ok\":false},{\"id\":2}]", &["\"id\":1", "false"]));
    assert!(!stand_together("[{\"id\":1},\n{\"id\":2,\"ok\":false}]", &["\"id\":1", "false"]));
    assert!(!stand_together("pay_1 approved\npay_2 declined\n", &["pay_1", "declined"]));
}
