//! Budgets: what a recall gives never costs more than it may, and what does not go out whole is recoverable.

use crate::harness::{Home, log, run};
use crate::{cavemem, remember};
use caveman_core::tokens;
use caveman_tests::random::Random;
use serde_json::Value;

/// Recalls under a budget, checks the figures, gives the hits.
#[track_caller]
fn recall(home: &Home, query: &str, budget: Option<u64>) -> Vec<Value> {
    let budget_text = budget.unwrap_or_default().to_string();
    let mut arguments = vec!["recall", query, "--limit", "20"];
    if budget.is_some() {
        arguments.extend(["--token-budget", &budget_text]);
    }
    let found = cavemem(home, &arguments, b"").json();
    let hits = found["hits"].as_array().unwrap().clone();
    let mut sum = 0;
    for hit in &hits {
        let n_tokens = tokens::count(hit["text"].as_str().unwrap());
        assert_eq!(hit["tokens_added"], n_tokens, "{hit}");
        assert_eq!(hit["basis"], "inferred");
        sum += n_tokens;
    }
    assert_eq!(found["tokens_added"], sum);
    let limit = match budget {
        None => 2000,
        Some(0) => u64::MAX,
        Some(budget) => budget,
    };
    assert!(sum <= limit, "{sum} > {limit}");
    hits
}

#[test]
fn no_recall_exceeds_its_budget_by_a_token() {
    let home = Home::new();
    let mut random = Random::new(8);
    for at in 0..40 {
        let words = random.range(3, 120);
        let text: String = (0..words)
            .map(|_| {
                ["gateway ", "timeout ", "数据库", "Übermaß ", "0x9f31c0e\n"]
                    [usize::try_from(random.below(5)).unwrap()]
            })
            .collect();
        remember(&home, &format!("gateway note {at}: {text}"));
    }
    for budget in [1, 2, 3, 5, 8, 13, 40, 100, 333, 1000, 2000, 4000, u64::MAX] {
        let hits = recall(&home, "gateway note", Some(budget));
        assert!(!hits.is_empty(), "{budget}");
    }
    let all = recall(&home, "gateway note", Some(0));
    assert!(all.len() == 20 && all.iter().all(|hit| hit.get("form").is_none()));
    recall(&home, "gateway note", None);
}

#[test]
fn a_memory_that_does_not_fit_is_compressed_or_cut_and_recoverable() {
    let home = Home::new();
    let logged = log(7);
    let prose: String = (0..4000)
        .map(|at| format!("Gateways of tenant {} speak protocol {at}. ", at * 7919 % 9973))
        .collect();
    let wide = "数据库网关".repeat(9000);
    for (query, text, form) in [
        ("worker-7 job", &logged, "compressed"),
        ("gateways tenant", &prose, ""),
        ("数据库网关", &wide, ""),
    ] {
        let id = remember(&home, text);
        let hits = recall(&home, query, Some(700));
        assert_eq!(hits[0]["id"], id.as_str(), "{query}");
        // What can be compressed may change; that logs can will not.
        let shown = hits[0]["form"].as_str().unwrap();
        assert!(form.is_empty() || shown == form, "{query}: {shown}");
        let handle = hits[0]["recovery_handle"].as_str().unwrap_or_else(|| panic!("{:?}", hits[0]));
        if shown == "head" {
            assert!(text.starts_with(hits[0]["text"].as_str().unwrap()));
        }
        let whole = text.trim().as_bytes();
        assert_eq!(cavemem(&home, &["recover", handle], b"").done(), whole);
        assert_eq!(run(home.caveman(&["retrieve", handle]), b"").done(), whole);
        assert_eq!(recall(&home, query, Some(0))[0]["text"], text.trim());
    }
}

#[test]
fn without_a_recovery_store_recall_still_answers_and_recover_reads_the_memory() {
    let home = Home::new();
    let long = "one gateway after another ".repeat(900);
    remember(&home, &long);
    let mut command = home.cavemem(&["recall", "gateway", "--token-budget", "20"]);
    command.env("CAVEMAN_CCR_DB", "/dev/null/ccr.db");
    let found = run(command, b"").json();
    assert_eq!(found["hits"][0]["form"], "head");
    assert_eq!(found["hits"][0].get("recovery_handle"), None);
    let handle = caveman_core::store::Handle::of(long.trim().as_bytes()).to_string();
    assert_eq!(cavemem(&home, &["recover", &handle], b"").done(), long.trim().as_bytes());
}
