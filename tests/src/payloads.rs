//! Payloads like those that agents read, generated from a seed: the subjects of the promise suite and of the benches.

use crate::printed;
use crate::random::Random;

/// A payload of a kind that grows with its size.
#[derive(Clone, Copy, Debug)]
pub struct Growing {
    /// Names the payload in reports.
    pub name: &'static str,
    /// At least so many bytes of it, whole units.
    pub make: fn(usize) -> String,
}

/// Ordinary payloads, one or more for each kind that can be detected but `mixed`.
pub const ORDINARY: &[Growing] = &[
    Growing { name: "json-records", make: |n| grow_json(n, order) },
    Growing { name: "json-nested", make: |n| grow_json(n, pod) },
    Growing { name: "ndjson", make: |n| grow(n, 2, gateway_line) },
    Growing { name: "log-app", make: |n| grow(n, 3, app_log_line) },
    Growing { name: "log-sshd", make: |n| grow(n, 4, sshd_line) },
    Growing { name: "log-uuid", make: |n| grow(n, 5, uuid_line) },
    Growing { name: "stack-traces", make: |n| grow(n, 6, java_trace) },
    Growing { name: "csv", make: |n| format!("{CSV_HEADER}{}", grow(n, 7, csv_row)) },
    Growing { name: "table", make: |n| format!("{POD_HEADER}{}", grow(n, 8, pod_row)) },
    Growing { name: "listing", make: |n| grow(n, 9, listing_row) },
    Growing { name: "search", make: |n| grow(n, 10, search_hit) },
    Growing { name: "text", make: |n| grow(n, 11, |r, at| format!("{}\n", sentence(r, at))) },
    Growing { name: "yaml", make: |n| format!("services:\n{}", grow(n, 12, printed::service)) },
    Growing {
        name: "lockfile",
        make: |n| format!("version = 4\n\n{}", grow(n, 13, printed::locked)),
    },
    Growing {
        name: "code",
        make: |n| format!("use crate::table::Table;\n\n{}", grow(n, 14, printed::function)),
    },
    Growing { name: "diff", make: |n| grow(n, 15, printed::changed_file) },
    Growing {
        name: "html",
        make: |n| {
            format!(
                "<!DOCTYPE html>\n<html><head><title>Shop</title></head><body>\n{}</body></html>\n",
                grow(n, 16, printed::section)
            )
        },
    },
    Growing {
        name: "xml",
        make: |n| {
            format!("<?xml version=\"1.0\"?>\n<items>\n{}</items>\n", grow(n, 17, printed::item))
        },
    },
    Growing {
        name: "markdown",
        make: |n| format!("# Handbook\n\n{}", grow(n, 18, printed::chapter)),
    },
    Growing { name: "terminal", make: |n| grow(n, 19, printed::command) },
    Growing { name: "test-report", make: test_report },
    Growing { name: "diagnostics", make: |n| grow(n, 25, printed::warning) },
    Growing { name: "git-log", make: |n| grow(n, 26, printed::commit) },
];

/// Source files, language by language.
pub const CODE: &[Growing] = &[
    Growing {
        name: "code-rust",
        make: |n| again(include_str!("../../core/src/compress/code/cases/rust.in.rs"), n),
    },
    Growing {
        name: "code-python",
        make: |n| again(include_str!("../../core/src/compress/code/cases/python.in.py"), n),
    },
    Growing {
        name: "code-javascript",
        make: |n| again(include_str!("../../core/src/compress/code/cases/javascript.in.js"), n),
    },
    Growing {
        name: "code-typescript",
        make: |n| again(include_str!("../../core/src/compress/code/cases/typescript.in.ts"), n),
    },
    Growing {
        name: "code-go",
        make: |n| again(include_str!("../../core/src/compress/code/cases/go.in.go"), n),
    },
    Growing {
        name: "code-java",
        make: |n| again(include_str!("../../core/src/compress/code/cases/java.in.java"), n),
    },
    Growing {
        name: "code-kotlin",
        make: |n| again(include_str!("../../core/src/compress/code/cases/kotlin.in.kt"), n),
    },
    Growing {
        name: "code-c",
        make: |n| again(include_str!("../../core/src/compress/code/cases/c.in.c"), n),
    },
    Growing {
        name: "code-cpp",
        make: |n| again(include_str!("../../core/src/compress/code/cases/cpp.in.cpp"), n),
    },
    Growing {
        name: "code-csharp",
        make: |n| again(include_str!("../../core/src/compress/code/cases/csharp.in.cs"), n),
    },
    Growing {
        name: "code-swift",
        make: |n| again(include_str!("../../core/src/compress/code/cases/swift.in.swift"), n),
    },
    Growing {
        name: "code-php",
        make: |n| again(include_str!("../../core/src/compress/code/cases/php.in.php"), n),
    },
    Growing {
        name: "code-ruby",
        make: |n| again(include_str!("../../core/src/compress/code/cases/ruby.in.rb"), n),
    },
    Growing {
        name: "code-scala",
        make: |n| again(include_str!("../../core/src/compress/code/cases/scala.in.scala"), n),
    },
    Growing {
        name: "code-shell",
        make: |n| again(include_str!("../../core/src/compress/code/cases/shell.in.sh"), n),
    },
    Growing {
        name: "code-sql",
        make: |n| again(include_str!("../../core/src/compress/code/cases/sql.in.sql"), n),
    },
    Growing {
        name: "code-lua",
        make: |n| again(include_str!("../../core/src/compress/code/cases/lua.in.lua"), n),
    },
];

/// A text again and again, up to about `n` bytes.
fn again(text: &str, n: usize) -> String {
    text.repeat(n / text.len() + 1)
}

/// Payloads made to be slow: what a quadratic step anywhere would show on.
pub const HOSTILE: &[Growing] = &[
    Growing { name: "one-line", make: |n| "word ".repeat(n / 5 + 1) },
    Growing { name: "one-letter", make: |n| "a".repeat(n) },
    Growing { name: "spaces", make: |n| " ".repeat(n) },
    Growing { name: "newlines", make: |n| "\n".repeat(n) },
    Growing {
        name: "distinct-lines",
        make: |n| grow(n, 20, |r, at| format!("{at} {} {}\n", r.uuid(), r.hex(24))),
    },
    Growing { name: "distinct-words", make: |n| grow(n, 21, distinct_words) },
    Growing { name: "many-columns", make: many_columns },
    Growing { name: "many-keys", make: many_keys },
    Growing {
        name: "deep-arrays",
        make: |n| format!("{}{}", "[".repeat(n / 2), "]".repeat(n / 2)),
    },
    Growing {
        name: "deep-objects",
        make: |n| format!("{}1{}", "{\"a\":".repeat(n / 6), "}".repeat(n / 6)),
    },
    Growing { name: "open-brackets", make: |n| "[{\"a\":".repeat(n / 6) },
    Growing { name: "one-string", make: |n| format!("[\"{}\"]", "\\u00e9\\n".repeat(n / 8)) },
    Growing { name: "quotes", make: |n| "\"".repeat(n) },
    Growing {
        name: "log-prefixes",
        make: |n| grow(n, 22, |_, at| format!("2026-03-01T10:00:00Z INFO {}\n", at % 7)),
    },
    Growing { name: "escapes", make: |n| "\u{1b}[31m".repeat(n / 5) },
    Growing { name: "carriage-returns", make: |n| "50%\r".repeat(n / 4) },
    Growing { name: "commas", make: |n| ",".repeat(n) },
    Growing { name: "cjk", make: |n| "漢".repeat(n / 3) },
];

/// Units until there are `n` bytes.
fn grow(n: usize, seed: u64, unit: impl Fn(&mut Random, u64) -> String) -> String {
    let mut random = Random::new(seed);
    let mut out = String::with_capacity(n.saturating_add(512));
    let mut at = 0;
    while out.len() < n {
        out.push_str(&unit(&mut random, at));
        at += 1;
    }
    out
}

/// Exactly `n` units.
pub fn repeat(n: u64, seed: u64, unit: impl Fn(&mut Random, u64) -> String) -> String {
    let mut random = Random::new(seed);
    (0..n).map(|at| unit(&mut random, at)).collect()
}

/// A run of `cargo test` in which all pass but one.
fn test_report(n: usize) -> String {
    format!(
        "     Running unittests src/lib.rs (target/debug/deps/shop-1a2b)\n\nrunning 9 tests\n{}test cart::tests::odd ... FAILED\n\n\
         failures:\n\n---- cart::tests::odd stdout ----\n\nthread 'cart::tests::odd' panicked at src/cart.rs:88:9:\n\
         assertion `left == right` failed: total\n  left: 12\n right: 13\n\n\nfailures:\n    cart::tests::odd\n\n\
         test result: FAILED. 8 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.11s\n",
        grow(n, 24, printed::passed_test)
    )
}

fn grow_json(n: usize, unit: fn(&mut Random, u64) -> String) -> String {
    let mut records = grow(n, 1, |random, at| format!("{},\n", unit(random, at)));
    records.truncate(records.len().saturating_sub(2));
    format!("[{records}]")
}

/// `units` as one JSON array on one line.
pub fn json_array(n: u64, seed: u64, unit: impl Fn(&mut Random, u64) -> String) -> String {
    let mut random = Random::new(seed);
    let records: Vec<String> = (0..n).map(|at| unit(&mut random, at)).collect();
    format!("[{}]", records.join(","))
}

/// `2026-03-01T…Z`, `at` thirds of a second later.
fn time(at: u64) -> String {
    let (ms, s) = (at % 3 * 333, at / 3);
    format!(
        "2026-03-{:02}T{:02}:{:02}:{:02}.{ms:03}Z",
        1 + s / 86_400 % 28,
        s / 3600 % 24,
        s / 60 % 60,
        s % 60
    )
}

/// A wide order record; captured.
pub fn order(random: &mut Random, at: u64) -> String {
    order_that_is(random, at, "true")
}

/// A wide order record with `captured` as given.
pub fn order_that_is(random: &mut Random, at: u64, captured: &str) -> String {
    let cents = random.range(199, 24_999);
    format!(
        "{{\"id\":\"ord-{}\",\"created_at\":\"{}\",\"customer\":{{\"id\":\"cus_{}\",\"country\":\"{}\",\"tier\":\"{}\"}},\
         \"currency\":\"EUR\",\"amount\":{}.{:02},\"tax_rate\":0.19,\"items\":{},\"channel\":\"{}\",\"captured\":{captured},\
         \"refunded\":false,\"gateway\":\"stripe\",\"gateway_ref\":\"pi_{}\",\"shipping\":{{\"method\":\"standard\",\"carrier\":\"dhl\",\
         \"tracking\":\"JD{:012}\"}},\"warehouse\":\"ber-1\",\"notes\":null,\"schema\":4}}",
        1000 + at,
        time(at * 40),
        random.hex(14),
        random.pick(&["DE", "FR", "NL", "AT", "PL"]),
        random.pick(&["basic", "basic", "basic", "plus"]),
        cents / 100,
        cents % 100,
        random.range(1, 7),
        random.pick(&["web", "ios", "android"]),
        random.hex(24),
        random.below(1_000_000_000_000),
    )
}

/// A record with nesting and lists, as cluster tools print them.
pub fn pod(random: &mut Random, at: u64) -> String {
    let name = random.pick(&["api", "worker", "web", "cron", "cache"]);
    format!(
        "{{\"metadata\":{{\"name\":\"{name}-{}-{}\",\"namespace\":\"prod\",\"uid\":\"{}\",\"labels\":{{\"app\":\"{name}\",\
         \"release\":\"r{}\"}}}},\"spec\":{{\"nodeName\":\"node-{}\",\"containers\":[{{\"name\":\"{name}\",\"image\":\"registry.example/{name}:1.{}.0\",\
         \"ports\":[8080,9090]}}]}},\"status\":{{\"phase\":\"Running\",\"podIP\":\"10.4.{}.{}\",\"restartCount\":0,\"startTime\":\"{}\"}}}}",
        random.hex(10),
        random.hex(5),
        random.uuid(),
        at / 50,
        random.below(12),
        random.range(4, 7),
        random.below(16),
        random.below(255),
        time(at * 9),
    )
}

/// One request of a gateway as a JSON line.
pub fn gateway_line(random: &mut Random, at: u64) -> String {
    let path =
        random.pick(&["/v1/orders", "/v1/orders/search", "/v1/customers", "/healthz", "/v1/cart"]);
    format!(
        "{{\"ts\":\"{}\",\"level\":\"info\",\"msg\":\"request\",\"method\":\"GET\",\"path\":\"{path}\",\"status\":200,\"ms\":{},\"request_id\":\"{}\",\"ip\":\"10.0.{}.{}\"}}\n",
        time(at),
        random.range(2, 90),
        random.uuid(),
        random.below(8),
        random.below(255),
    )
}

/// A line of an application's log, of one of five templates.
pub fn app_log_line(random: &mut Random, at: u64) -> String {
    let body = match random.below(20) {
        0 => format!(
            "WARN  [pool-{}] c.e.shop.Cache - eviction took {} ms, {} entries",
            random.below(8),
            random.range(90, 400),
            random.range(10, 900)
        ),
        1..=6 => format!(
            "DEBUG [pool-{}] c.e.shop.Sql - select * from orders where id = {} took {} ms",
            random.below(8),
            random.range(1, 999_999),
            random.range(1, 40)
        ),
        7..=12 => format!(
            "INFO  [http-{}] c.e.shop.Api - GET /orders/{} 200 {} ms",
            random.below(32),
            random.range(1, 999_999),
            random.range(1, 80)
        ),
        13..=16 => format!(
            "INFO  [http-{}] c.e.shop.Auth - session {} renewed for user {}",
            random.below(32),
            random.hex(16),
            random.range(1, 9_999)
        ),
        _ => format!(
            "INFO  [sched-1] c.e.shop.Jobs - job sync-stock finished in {} ms",
            random.range(100, 900)
        ),
    };
    format!("{} {body}\n", time(at))
}

/// A failed login.
pub fn sshd_line(random: &mut Random, at: u64) -> String {
    let (pid, port) = (random.range(10_000, 32_000), random.range(30_000, 65_000));
    let ip = format!(
        "{}.{}.{}.{}",
        random.range(60, 220),
        random.below(255),
        random.below(255),
        random.below(255)
    );
    let body = match at % 4 {
        0 => format!(
            "Invalid user {} from {ip}",
            random.pick(&["admin", "oracle", "test", "guest", "pi"])
        ),
        1 => format!(
            "pam_unix(sshd:auth): authentication failure; logname= uid=0 euid=0 tty=ssh ruser= rhost={ip}"
        ),
        2 => format!("Failed password for root from {ip} port {port} ssh2"),
        _ => format!("Received disconnect from {ip}: 11: Bye Bye [preauth]"),
    };
    format!(
        "Dec 10 {:02}:{:02}:{:02} LabSZ sshd[{pid}]: {body}\n",
        6 + at / 720 % 18,
        at / 12 % 60,
        at * 5 % 60
    )
}

/// A line whose only variety is a UUID and a duration.
pub fn uuid_line(random: &mut Random, at: u64) -> String {
    format!(
        "{} INFO worker: processed message {} in {} ms\n",
        time(at),
        random.uuid(),
        random.range(3, 60)
    )
}

/// A line with trace and span ids.
pub fn traced_line(random: &mut Random, at: u64) -> String {
    let call = random.pick(&["inventory.reserve", "payment.authorize", "mail.enqueue"]);
    format!(
        "{} INFO [trace_id={} span_id={}] rpc client: call {call} ok status=0 bytes={}\n",
        time(at),
        random.hex(32),
        random.hex(16),
        random.range(120, 900),
    )
}

/// An ERROR line of one of three templates.
pub fn error_line(random: &mut Random, at: u64) -> String {
    let body = match at % 3 {
        0 => format!(
            "connection to db-{} refused after {} ms (attempt {})",
            random.below(4),
            random.range(900, 3000),
            random.range(1, 6)
        ),
        1 => format!(
            "request {} timed out waiting for upstream inventory:{}",
            random.uuid(),
            random.range(8000, 8010)
        ),
        _ => format!(
            "failed to deserialize event at offset {}: unexpected end of input",
            random.range(100_000, 999_999)
        ),
    };
    format!("{} ERROR {body}\n", time(at))
}

/// A Java stack trace under its log line.
pub fn java_trace(random: &mut Random, at: u64) -> String {
    let mut out = format!(
        "{} ERROR c.e.shop.Api - order {} failed\n",
        time(at * 20),
        random.range(1, 99_999)
    );
    let cause = random.pick(&[
        "java.net.SocketTimeoutException: Read timed out",
        "java.lang.IllegalStateException: cart is closed",
    ]);
    out.push_str(cause);
    out.push('\n');
    for depth in 0..random.range(18, 30) {
        let frame = match depth {
            0..=2 => {
                let class = random.pick(&["Api", "Cart", "Stock"]);
                format!("com.example.shop.{class}.handle({class}.java:{})", random.range(20, 400))
            }
            _ => format!(
                "org.springframework.web.filter.F{}.doFilter(F{}.java:{})",
                depth,
                depth,
                40 + depth * 7
            ),
        };
        out.push_str(&format!("\tat {frame}\n"));
    }
    out
}

/// Header of [`csv_row`].
pub const CSV_HEADER: &str = "invoice,date,customer,country,net,vat,status\n";

/// An invoice.
pub fn csv_row(random: &mut Random, at: u64) -> String {
    let net = random.range(1_000, 90_000);
    format!(
        "INV-{},2026-{:02}-{:02},\"{} {}\",{},{}.{:02},19,paid\n",
        20_000 + at,
        1 + at / 28 % 12,
        1 + at % 28,
        random.pick(&["Berg", "Novak", "Silva", "Okafor", "Müller"]),
        random.pick(&["GmbH", "Ltd", "SARL", "BV"]),
        random.pick(&["DE", "CZ", "PT", "NG", "NL"]),
        net / 100,
        net % 100,
    )
}

/// Header of [`pod_row`].
pub const POD_HEADER: &str =
    "NAMESPACE   NAME                               READY   STATUS    RESTARTS   AGE\n";

/// A row of aligned columns.
pub fn pod_row(random: &mut Random, at: u64) -> String {
    let name = format!(
        "{}-{}-{}",
        random.pick(&["api", "worker", "web", "cron"]),
        random.hex(10),
        random.hex(5)
    );
    format!(
        "{:<12}{name:<35}1/1     Running   0          {}d\n",
        random.pick(&["prod", "prod", "infra"]),
        1 + at % 40
    )
}

/// A row of `ls -l`.
pub fn listing_row(random: &mut Random, at: u64) -> String {
    let name = random.pick(&["index", "types", "utils", "client", "server"]);
    format!(
        "-rw-r--r-- 1 dev dev {:>7} Mar {:>2} 10:{:02} {name}-{at}.js\n",
        random.range(100, 90_000),
        1 + at % 28,
        at % 60
    )
}

/// A hit of a recursive search.
pub fn search_hit(random: &mut Random, at: u64) -> String {
    let file = at / 9;
    format!(
        "src/modules/{}/handlers/handler_{file}.ts:{}:  const user = await getUser(ctx, {});\n",
        random.pick(&["auth", "cart", "mail"]),
        10 + at % 9 * 14,
        random.pick(&["id", "req.id", "session.user"])
    )
}

const WORDS: &[&str] = &[
    "adaptive",
    "ancient",
    "boundary",
    "canal",
    "coastal",
    "compiler",
    "copper",
    "distributed",
    "drainage",
    "early",
    "economy",
    "elastic",
    "estuary",
    "failure",
    "garden",
    "glacial",
    "grammar",
    "harbour",
    "hidden",
    "index",
    "island",
    "kernel",
    "ledger",
    "lexical",
    "marine",
    "memory",
    "merchant",
    "migration",
    "monsoon",
    "network",
    "northern",
    "orchard",
    "packet",
    "parsing",
    "pollen",
    "protocol",
    "quarry",
    "queue",
    "railway",
    "regional",
    "river",
    "salinity",
    "schedule",
    "seasonal",
    "sediment",
    "signal",
    "silver",
    "stochastic",
    "storage",
    "terrace",
    "tidal",
    "timber",
    "topology",
    "trade",
    "upland",
    "urban",
    "valley",
    "variance",
    "vector",
    "village",
    "volcanic",
    "water",
    "weather",
    "winter",
];

/// A sentence of distinct words.
pub fn sentence(random: &mut Random, at: u64) -> String {
    let n = random.range(7, 16);
    let words: Vec<&str> = (0..n).map(|_| random.pick(WORDS)).collect();
    format!("Note {at}: the {}.", words.join(" "))
}

/// An entry of a bibliography.
pub fn reference(random: &mut Random, at: u64) -> String {
    let author = |random: &mut Random| {
        format!(
            "{}{}, {}.",
            random.pick(&[
                "Ha", "Lin", "Mar", "Ost", "Pe", "Quin", "Ro", "Sal", "Tor", "Ver", "Wes", "Zim"
            ]),
            random.pick(&[
                "berg", "dano", "feld", "gren", "ley", "man", "nova", "ster", "tini", "wood"
            ]),
            random.pick(&["A", "B", "C", "D", "E", "J", "K", "L", "M", "R"]),
        )
    };
    let (first, second) = (author(random), author(random));
    let n = random.range(4, 9);
    let title: Vec<&str> = (0..n).map(|_| random.pick(WORDS)).collect();
    let page = random.range(1, 900);
    format!(
        "[{}] {first}, {second} ({}). {}. {} {} {}({}), {page}-{}.\n",
        at + 1,
        random.range(1961, 2026),
        title.join(" "),
        random.pick(&["Journal of", "Annals of", "Proceedings on", "Letters in"]),
        random.pick(WORDS),
        random.range(1, 80),
        random.range(1, 13),
        page + random.range(3, 40),
    )
}

fn distinct_words(random: &mut Random, at: u64) -> String {
    let (a, b) = (random.pick(WORDS), random.pick(WORDS));
    format!("{a}{} {b}{} {}\n", letters(at), letters(random.bits()), random.pick(WORDS))
}

/// A number in base 26 letters: a word that no mask takes for an identifier.
fn letters(mut n: u64) -> String {
    let mut out = String::new();
    loop {
        out.push(char::from(b'a'.saturating_add(u8::try_from(n % 26).unwrap_or(0))));
        n /= 26;
        if n == 0 {
            return out;
        }
    }
}

/// Rows of 100,000 columns; narrower where `n` is too small for two rows of them.
fn many_columns(n: usize) -> String {
    let n_columns = (n / 24).clamp(1, 100_000);
    let header: Vec<String> = (0..n_columns).map(|at| format!("column{at}")).collect();
    let mut out = header.join(",") + "\n";
    let mut random = Random::new(23);
    while out.len() < n {
        let cells: Vec<String> = (0..n_columns).map(|_| random.below(1000).to_string()).collect();
        out.push_str(&cells.join(","));
        out.push('\n');
    }
    out
}

fn many_keys(n: usize) -> String {
    let members: Vec<String> = (0..n / 24).map(|at| format!("\"key_{at:08}\":{at:08}")).collect();
    format!("{{{}}}", members.join(","))
}

/// Base64 of random bytes, `width` characters a line; 0 for one line.
pub fn base64(n_bytes: usize, seed: u64, width: usize) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digit =
        |n: u32| DIGITS.get(usize::try_from(n & 63).unwrap_or(0)).copied().map_or('A', char::from);
    let mut out = String::new();
    let mut in_line = 0;
    for three in Random::new(seed).bytes(n_bytes / 3 * 3).chunks_exact(3) {
        let n = three.iter().fold(0_u32, |n, byte| n << 8 | u32::from(*byte));
        out.extend([18, 12, 6, 0].map(|shift| digit(n >> shift)));
        in_line += 4;
        if width > 0 && in_line >= width {
            out.push('\n');
            in_line = 0;
        }
    }
    out
}

/// JavaScript as a minifier leaves it, on one line.
pub fn minified_javascript() -> String {
    let mut random = Random::new(31);
    let mut out = String::from(
        "!function(e,t){\"object\"==typeof exports?module.exports=t():e.lib=t()}(this,function(){\"use strict\";",
    );
    for at in 0..120 {
        let (f, a, b) = (letters(700 + at), letters(random.below(26)), letters(random.below(700)));
        let piece = match random.below(5) {
            0 => format!(
                "function {f}({a}){{return {a}&&{a}.length>{}?{a}.slice({}):null}}",
                random.below(90),
                random.below(9)
            ),
            1 => format!("var {f}={{{a}:{},{b}:\"{}\"}};", random.below(999), random.pick(WORDS)),
            2 => format!(
                "for(var {a}=0;{a}<{};{a}++){f}[{a}]^={b}({a},\"{}\");",
                random.below(64),
                random.pick(WORDS)
            ),
            3 => format!(
                "{f}.prototype.{}=function({a},{b}){{if(!{a})throw new TypeError(\"{}\");return this.{}({b})}};",
                random.pick(WORDS),
                random.pick(WORDS),
                random.pick(WORDS)
            ),
            _ => format!(
                "{f}=null==({a}={b}.{})?void 0:{a}.{};",
                random.pick(WORDS),
                random.pick(WORDS)
            ),
        };
        out.push_str(&piece);
    }
    out.push_str("return e});");
    out
}

/// A line of a shop's checkout.
pub fn checkout_line(random: &mut Random, at: u64) -> String {
    let order = 40_100 + at;
    let ms = random.range(18, 64);
    match at {
        211 => format!(
            "{} INFO  checkout order={order} payment=pay_{} result=declined ms={ms}\n",
            time(at),
            random.hex(8)
        ),
        262 => format!(
            "{} WARN  checkout order={order} retry 1 of 3: payment gateway timed out after 3000 ms\n",
            time(at)
        ),
        _ => format!(
            "{} INFO  checkout order={order} payment=pay_{} result=approved ms={ms}\n",
            time(at),
            random.hex(8)
        ),
    }
}

/// The payloads in `tests/samples`, by file name. In each, a few units are unlike the others.
pub fn samples() -> Vec<(&'static str, String)> {
    let odd_pod = |random: &mut Random, at| {
        let row = pod_row(random, at);
        if at == 88 { row.replace("1/1     Running  ", "0/1     Pending  ") } else { row }
    };
    let odd_invoice = |random: &mut Random, at| {
        let row = csv_row(random, at);
        if at == 222 { row.replace(",paid", ",overdue") } else { row }
    };
    let odd_request = |random: &mut Random, at| {
        let line = gateway_line(random, at);
        if at == 97 {
            line.replace("\"status\":200", "\"status\":502").replace("info", "error")
        } else {
            line
        }
    };
    let odd_login = |random: &mut Random, at| {
        match at {
        188 => "Dec 10 06:15:40 LabSZ sshd[24680]: Accepted password for fztu from 119.137.62.142 port 49116 ssh2\n".to_owned(),
        _ => sshd_line(random, at),
    }
    };
    vec![
        ("app.log", repeat(300, 51, app_log_line)),
        ("checkout.log", repeat(320, 52, checkout_line)),
        ("gateway.ndjson", repeat(200, 53, odd_request)),
        ("grep.txt", repeat(180, 54, search_hit)),
        ("invoices.csv", format!("{CSV_HEADER}{}", repeat(300, 55, odd_invoice))),
        ("ls.txt", repeat(150, 56, listing_row)),
        (
            "orders.json",
            json_array(60, 57, |random, at| {
                order_that_is(random, at, if at == 37 { "false" } else { "true" })
            }),
        ),
        ("pods.txt", format!("{POD_HEADER}{}", repeat(120, 58, odd_pod))),
        ("references.txt", repeat(60, 59, reference)),
        ("sshd.log", repeat(400, 60, odd_login)),
        ("traces.log", repeat(12, 61, java_trace)),
    ]
}
