//! Properties that every view has, whatever the original, the kind and the query.

use caveman_core::kind::Kind;
use caveman_core::retrieve::{self, View};
use caveman_core::tokens;
use caveman_tests::payloads::{HOSTILE, ORDINARY};
use caveman_tests::random::Random;

/// A line of a view that is not the original's: how many units it says were skipped.
fn skipped(line: &str) -> Option<u64> {
    let rest = line.strip_prefix("… [caveman: ")?;
    let (n, rest) = rest.split_once(' ')?;
    rest.ends_with(" between] …").then(|| n.parse().ok()).flatten()
}

/// The stretches of the original that a view shows, and the sum of what it says was skipped.
fn parts(view: &View) -> (Vec<String>, u64) {
    let body = view.text.trim_end_matches('\n');
    let (body, last) = body.rsplit_once('\n').unwrap_or(("", body));
    assert_eq!(last, format!("{} of {} matching units shown", view.n_shown, view.n_matching));
    let mut parts = vec![String::new()];
    let mut n_skipped = 0;
    for line in body.split_inclusive('\n') {
        match skipped(line.trim_end()) {
            Some(n) => {
                n_skipped += n;
                parts.push(String::new());
            }
            None => parts.last_mut().unwrap().push_str(line),
        }
    }
    parts.retain(|part| !part.trim().is_empty());
    (parts, n_skipped)
}

/// That a view is what it claims to be.
fn check(original: &str, kind: Kind, query: &str) {
    let view = retrieve::view(original, kind, query);
    assert_eq!(view, retrieve::view(original, kind, query), "two runs differ");
    let Some(view) = view else { return };
    let says = || format!("{} {query:?}\n{}", kind.name(), view.text);
    let n_tokens = tokens::count(&view.text);
    assert!(n_tokens <= 8_000, "{n_tokens} tokens: {}", says());
    assert!(n_tokens < tokens::count(original), "not smaller: {}", says());
    assert!((1..=20).contains(&view.n_shown) && view.n_shown <= view.n_matching, "{}", says());
    // What is shown stands in the original, in the same order. Lines of one part may have a gap without units between them
    // (the brackets between two arrays), so lines are looked for, each after the one before.
    let mut rest = original;
    for line in parts(&view).0.iter().flat_map(|part| part.lines()) {
        let at = rest.find(line).unwrap_or_else(|| panic!("no slice: {line:?} in {}", says()));
        rest = rest.get(at + line.len()..).unwrap();
    }
}

/// A few words of the original, and some that are not in it.
fn queries(original: &str, random: &mut Random) -> Vec<String> {
    let head: String = original.chars().take(20_000).collect();
    let words: Vec<&str> = head
        .split(|c: char| c.is_whitespace() || "\",{}<>".contains(c))
        .filter(|w| !w.is_empty())
        .collect();
    let mut out =
        vec!["error".to_owned(), "the of".to_owned(), "zzyzx-1".to_owned(), "連接 数据".to_owned()];
    for n_words in [1, 1, 2, 3, 5] {
        let pick = |_| {
            let at = usize::try_from(random.below(words.len().max(1) as u64)).unwrap();
            words.get(at).map(|w| w.chars().take(60).collect::<String>()).unwrap_or_default()
        };
        out.push((0..n_words).map(pick).collect::<Vec<String>>().join(" "));
    }
    out
}

#[test]
fn every_view_is_made_of_slices_in_order_within_the_budget() {
    let mut random = Random::new(1);
    for growing in ORDINARY.iter().chain(HOSTILE) {
        let original = (growing.make)(20_000);
        let queries = queries(&original, &mut random);
        for kind in Kind::ALL {
            for query in &queries {
                check(&original, *kind, query);
            }
        }
    }
}

#[test]
fn odd_texts_and_odd_queries_give_no_panic() {
    let texts = [
        "",
        "\n",
        "a",
        "\r\n\r\n",
        "é",
        "{",
        "[]",
        "{}",
        "@@",
        "---\n+++\n",
        "#\n#\n",
        "\u{feff}",
        "|\n|\n",
        "\"\n\"",
    ];
    let queries = [
        "",
        " ",
        "\n",
        "é",
        "-",
        "…",
        "a-1",
        "\u{0}",
        "@",
        &"x ".repeat(10_000),
        &"é-1 ".repeat(3_000),
    ];
    for text in texts {
        for text in [text.to_owned(), text.repeat(500), format!("{text}needle-1 {text}")] {
            for query in queries {
                for kind in Kind::ALL {
                    check(&text, *kind, query);
                }
            }
        }
    }
}

#[test]
fn nesting_a_hundred_thousand_deep_is_survived() {
    let deep = format!("{}\"needle-1\"{}", "{\"a\":[".repeat(100_000), "]}".repeat(100_000));
    let steps: String = (0..1_000).map(|n| format!("{}needle-{n}\n", " ".repeat(n))).collect();
    for kind in Kind::ALL {
        check(&deep, *kind, "needle-1");
        check(&steps, *kind, "needle-990 needle-1");
    }
}

/// A generated original with an identifier in every unit.
struct Marked {
    kind: Kind,
    original: String,
    /// Each identifier with the unit that holds it.
    units: Vec<(String, String)>,
}

fn marked() -> Vec<Marked> {
    let mut random = Random::new(9);
    let mut lines = Vec::new();
    for n in 0..150_u64 {
        let (uuid, ms) = (random.uuid(), random.below(900));
        let hour = 8 + n / 60;
        let log = format!(
            "2026-09-14T{hour:02}:{:02}:00Z INFO api - request {uuid} took {ms} ms",
            n % 60
        );
        let csv = format!("INV-{n},2026-09-14,\"Acme, Inc.\",{ms}.50,{uuid}");
        let json =
            format!("{{\"id\":\"{uuid}\",\"took_ms\":{ms},\"items\":[{{\"n\":{n}}},{{\"n\":1}}]}}");
        let hit = format!("src/part_{n}/{}.rs:{ms}:    call(\"{uuid}\");", random.hex(6));
        let row = format!("prod   worker-{:<20} Running   {uuid}", random.hex(8));
        lines.push((uuid, [log, csv, json, hit, row]));
    }
    let of = |at: usize| lines.iter().map(|(_, lines)| lines[at].clone()).collect::<Vec<String>>();
    let units =
        |at: usize| lines.iter().map(|(id, lines)| (id.clone(), lines[at].clone())).collect();
    let text = |at: usize| of(at).join("\n") + "\n";
    let headed = |header: &str, at: usize| format!("{header}\n{}", text(at));
    let array = format!("{{\"total\":150,\"data\":[\n  {}\n]}}\n", of(2).join(",\n  "));
    [
        (Kind::Log, text(0), 0),
        (Kind::Tabular, headed("invoice,date,customer,net,request", 1), 1),
        (Kind::Json, array, 2),
        (Kind::Json, format!("[{}]", of(2).join(",")), 2),
        (Kind::Ndjson, text(2), 2),
        (Kind::Search, text(3), 3),
        (Kind::Table, headed("NAMESPACE   NAME   STATUS   REQUEST", 4), 4),
        (Kind::Text, text(0), 0),
    ]
    .into_iter()
    .map(|(kind, original, at)| Marked { kind, original, units: units(at) })
    .collect()
}

#[test]
fn an_identifier_gives_its_unit_alone() {
    for Marked { kind, original, units } in marked() {
        for (id, unit) in &units {
            for query in
                [id.clone(), format!("which request was `{id}`?"), format!("{id} request INFO")]
            {
                let view = retrieve::view(&original, kind, &query).unwrap();
                assert!(
                    view.text.contains(unit.as_str()),
                    "{} {query}\n{}",
                    kind.name(),
                    view.text
                );
                assert_eq!((view.n_shown, view.n_matching), (1, 1), "{} {query}", kind.name());
            }
        }
    }
}

#[test]
fn what_is_skipped_is_counted() {
    for Marked { kind, original, units } in marked() {
        let (a, b) = (&units[17].0, &units[101].0);
        let view = retrieve::view(&original, kind, &format!("{a} {b}")).unwrap();
        let (parts, n_skipped) = parts(&view);
        // The member `total` is a unit too; a header is none.
        let n_units =
            units.len() as u64 + u64::from(original.starts_with('{') && kind == Kind::Json);
        assert_eq!(n_skipped + 2, n_units, "{}\n{}", kind.name(), view.text);
        assert!(parts.iter().any(|part| part.contains(&units[101].1)), "{}", view.text);
    }
}
