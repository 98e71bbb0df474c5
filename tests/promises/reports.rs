//! A run with failures never reads like a success: what every runner says of failures is visible, coloured or not, with
//! either line end, and among a thousand passes little else is. `cases/reports/SOURCES.md` says how the reports were made.

use crate::{compress, figures, text};
use caveman_core::kind::Kind;
use std::fs;
use std::path::Path;

/// One failure among a thousand passes: the report, where a pass begins and ends, its own part, and what must be visible.
struct Thousand {
    file: &'static str,
    pass: (&'static str, &'static str),
    name: &'static str,
    facts: &'static [&'static str],
}

const ONE: &[Thousand] = &[
    Thousand {
        file: "pytest_one.txt",
        pass: ("tests/test_orders.py::test_adds_order_5 PASSED", "\n"),
        name: "adds_order_5",
        facts: &[
            "tests/test_orders.py::test_quote_holds_every_line FAILED",
            ">       assert quote([\"tea\", \"cup\"]) == expected",
            "{'total': 1249} != {'total': 1250}",
            "tests/test_orders.py:1505: AssertionError",
            "1 failed, 1000 passed",
        ],
    },
    Thousand {
        file: "unittest_one.txt",
        pass: ("test_adds_basket_1 (", "\n"),
        name: "adds_basket_1",
        facts: &[
            "test_quote (test_shop.Shop.test_quote) ... FAIL",
            "test_shop.py\", line 3006, in test_quote",
            "AssertionError: {'lines': ['tea', 'cup'], 'total': 1250} != {'lines': ['tea', 'cup'], 'total': 1249}",
            "- {'lines': ['tea', 'cup'], 'total': 1250}",
            "+ {'lines': ['tea', 'cup'], 'total': 1249}",
            "Ran 1001 tests in",
            "FAILED (failures=1)",
        ],
    },
    Thousand {
        file: "cargo_one.txt",
        pass: ("test tests::adds_basket_1 ... ok", "\n"),
        name: "adds_basket_1",
        facts: &[
            "test tests::quote_holds_every_line ... FAILED",
            "panicked at src/lib.rs:4014:9:",
            "the quote of order 1249",
            "left: [\"tea\", \"cup\"]",
            "right: [\"tea\", \"pot\"]",
            "test result: FAILED. 1000 passed; 1 failed",
        ],
    },
    Thousand {
        file: "nextest_one.txt",
        pass: ("        PASS [", "\n"),
        name: "shop tests::",
        facts: &[
            "shop tests::quote_holds_every_line",
            "panicked at src/lib.rs:4014:9:",
            "the quote of order 1249",
            "left: [\"tea\", \"cup\"]",
            "1001 tests run: 1000 passed, 1 failed, 0 skipped",
            "error: test run failed",
        ],
    },
    Thousand {
        file: "jest_one.txt",
        pass: ("    ✓ adds order 0", "\n"),
        name: "adds order 0",
        facts: &[
            "FAIL jest/one/shop.test.js",
            "✕ quotes every line",
            "● shop › quotes every line",
            "-   \"total\": 1250,",
            "+   \"total\": 1249,",
            "shop.test.js:1004:5",
            "Tests:       1 failed, 1000 passed, 1001 total",
        ],
    },
    Thousand {
        file: "vitest_one.txt",
        pass: (" ✓ shop.test.mjs > shop > adds order 0", "\n"),
        name: "adds order 0",
        facts: &[
            " × shop.test.mjs > shop > quotes every line",
            "AssertionError: expected { Object (lines, total) } to deeply equal { Object (lines, total) }",
            "-   \"total\": 1250,",
            "+   \"total\": 1249,",
            "shop.test.mjs:1005:5",
            "Tests  1 failed | 1000 passed (1001)",
        ],
    },
    Thousand {
        file: "mocha_one.txt",
        pass: ("    ✔ adds order 0", "\n"),
        name: "adds order 0",
        facts: &[
            "1) quotes every line",
            "1000 passing",
            "1 failing",
            "+   total: 1249",
            "-   total: 1250",
            "mocha/one/shop.spec.js:1005:5",
        ],
    },
    Thousand {
        file: "tap_node_one.txt",
        pass: ("    # Subtest: adds order 0", "      ...\n"),
        name: "adds order 0",
        facts: &[
            "not ok 1001 - quotes every line",
            "+   total: 1249",
            "-   total: 1250",
            "/shop.test.js:1006:5",
            "not ok 1 - shop",
            "# pass 1000",
            "# fail 1",
        ],
    },
    Thousand {
        file: "node_spec_one.txt",
        pass: ("  ✔ adds order 0", "\n"),
        name: "adds order 0",
        facts: &[
            "✖ quotes every line",
            "+   total: 1249",
            "-   total: 1250",
            "/shop.test.js:1006:5",
            "ℹ pass 1000",
            "ℹ fail 1",
        ],
    },
    Thousand {
        file: "go_one.txt",
        pass: ("=== RUN   TestAddsOrder0\n", "s)\n"),
        name: "AddsOrder0",
        facts: &[
            "--- FAIL: TestQuote",
            "shop_test.go:6007: quote of order 1249: got 3, want 4",
            "FAIL\tacme.test/shop/shop",
        ],
    },
    Thousand {
        file: "rspec_one.txt",
        pass: ("  adds order 0", "\n"),
        name: "adds order 0",
        facts: &[
            "quotes every line (FAILED - 1)",
            "1) shop quotes every line",
            "-:total => 1250,",
            "+:total => 1249,",
            "./spec/shop_spec.rb:3003",
            "1001 examples, 1 failure",
        ],
    },
    Thousand {
        file: "junit_pytest_one.xml",
        pass: ("<testcase classname=\"tests.test_orders\" name=\"test_adds_order_5\"", "/>"),
        name: "adds_order_5",
        facts: &[
            "failures=\"1\" skipped=\"0\" tests=\"1001\"",
            "name=\"test_quote_holds_every_line\"",
            "<failure message=\"AssertionError: assert",
            "{'total': 1249} != {'total': 1250}",
            "tests/test_orders.py:1505: AssertionError",
        ],
    },
    Thousand {
        file: "junit_vitest_one.xml",
        pass: (
            "        <testcase classname=\"shop.test.mjs\" name=\"shop &gt; adds order 0\"",
            "</testcase>\n",
        ),
        name: "adds order 0",
        facts: &[
            "tests=\"1001\" failures=\"1\"",
            "name=\"shop &gt; quotes every line\"",
            "<failure message=\"expected { Object (lines, total) } to deeply equal",
            "-   &quot;total&quot;: 1250,",
            "+   &quot;total&quot;: 1249,",
            "shop.test.mjs:1005:5",
        ],
    },
    Thousand {
        file: "gradle_one.txt",
        pass: ("CartTest > addsOrder() PASSED\n", "\n"),
        name: "addsOrder",
        facts: &[
            "QuoteTest > quotesEveryLine() FAILED",
            "expected: <1250> but was: <1249>",
            "QuoteTest.java:41",
            "1001 tests completed, 1 failed",
            "> Task :test FAILED",
            "BUILD FAILED",
        ],
    },
    Thousand {
        file: "dotnet_one.txt",
        pass: ("  Passed Shop.Tests.CartTests.addsOrder ", "\n"),
        name: "addsOrder",
        facts: &[
            "Failed Shop.Tests.QuoteTests.QuotesEveryLine",
            "Expected: 1250",
            "Actual:   1249",
            "QuoteTests.cs:line 41",
            "Test Run Failed.",
            "Total tests: 1001",
            "Passed: 1000",
            "Failed: 1",
        ],
    },
];

/// Two targets with a failure each, or an error outside every test.
const OTHERS: &[(&str, &[&str])] = &[
    ("pytest_two", PYTEST_TWO),
    ("pytest_two_coloured", PYTEST_TWO),
    (
        "unittest_two",
        &[
            "test_cart_fails (test_cart.Cart.test_cart_fails) ... FAIL",
            "AssertionError: 3 != 4 : cart is off by one",
            "test_cart.py\", line",
            "test_tax_fails (test_tax.Tax.test_tax_fails) ... FAIL",
            "AssertionError: Lists differ: [3.61, 'EUR'] != [3.61, 'USD']",
            "- [3.61, 'EUR']",
            "+ [3.61, 'USD']",
            "Ran 102 tests in",
            "FAILED (failures=2)",
        ],
    ),
    ("cargo_two", CARGO_TWO),
    ("cargo_two_coloured", CARGO_TWO),
    ("nextest_two", NEXTEST_TWO),
    ("nextest_two_coloured", NEXTEST_TWO),
    ("jest_two", JEST_TWO),
    ("jest_two_coloured", JEST_TWO),
    ("vitest_two", VITEST_TWO),
    ("vitest_two_coloured", VITEST_TWO),
    ("mocha_two", MOCHA_TWO),
    ("mocha_two_coloured", MOCHA_TWO),
    (
        "tap_node_two",
        &[
            "not ok 41 - cart fails",
            "3 !== 4",
            "cart.test.js:45:28",
            "not ok 1 - cart",
            "not ok 41 - tax fails",
            "error: 'no rate for XX'",
            "tax.test.js:45:33",
            "not ok 2 - tax",
            "# pass 80",
            "# fail 2",
        ],
    ),
    ("node_spec_two", NODE_TWO),
    ("node_spec_two_coloured", NODE_TWO),
    (
        "go_two",
        &[
            "cart_test.go:306: cart is off by one: got 3, want 4",
            "--- FAIL: TestCartFails",
            "FAIL\tacme.test/shop/cart",
            "tax_test.go:306: no rate for XX",
            "--- FAIL: TestTaxFails",
            "--- FAIL: TestTaxFails/XX",
            "FAIL\tacme.test/shop/tax",
        ],
    ),
    ("rspec_two", RSPEC_TWO),
    ("rspec_two_coloured", RSPEC_TWO),
    (
        "gradle_two",
        &[
            "CartTest > cartFails() FAILED",
            "cart is off by one ==> expected: <4> but was: <3>",
            "CartTest.java:12",
            "> Task :cart:test FAILED",
            "TaxTest > taxFails() FAILED",
            "no rate for XX",
            "TaxTest.java:19",
            "> Task :tax:test FAILED",
            "BUILD FAILED",
        ],
    ),
    (
        "dotnet_two",
        &[
            "Failed Shop.Tests.CartTests.CartFails",
            "Expected: 4",
            "CartTests.cs:line 12",
            "Failed Shop.Tests.TaxTests.TaxFails",
            "Actual:   \"USD\"",
            "TaxTests.cs:line 19",
            "Total tests: 16",
            "Failed: 1",
        ],
    ),
    (
        "pytest_error_collect",
        &[
            "ERROR collecting tests/test_pay.py",
            "ModuleNotFoundError: No module named 'stripe_gateway'",
            "ERROR tests/test_pay.py",
            "1 error in",
        ],
    ),
    (
        "pytest_error_setup",
        &[
            "tests/test_shop.py::test_saves ERROR",
            "ERROR at setup of test_saves",
            "ConnectionRefusedError: database at db.internal:5432 refused the connection",
            "tests/test_shop.py:6: ConnectionRefusedError",
            "60 passed, 1 error",
        ],
    ),
    (
        "unittest_error",
        &[
            "setUpClass (test_db.Db) ... ERROR",
            "ConnectionRefusedError: database at db.internal:5432 refused the connection",
            "ModuleNotFoundError: No module named 'stripe_gateway'",
            "Ran 61 tests in",
            "FAILED (errors=2)",
        ],
    ),
    ("cargo_error", COMPILE_ERROR),
    ("nextest_error", COMPILE_ERROR),
    (
        "jest_error",
        &[
            "FAIL jest/err/pay.test.js",
            "Test suite failed to run",
            "Cannot find module './stripe-gateway' from 'pay.test.js'",
            "Test Suites: 1 failed, 1 passed, 2 total",
            "Tests:       60 passed, 60 total",
        ],
    ),
    (
        "vitest_error",
        &[
            " FAIL  pay.test.mjs",
            "Failed to load url ./stripe-gateway.mjs",
            "Test Files  1 failed | 1 passed (2)",
            "Tests  60 passed (60)",
        ],
    ),
    (
        "mocha_error",
        &[
            "1) \"before all\" hook for \"adds cart 2\"",
            "Error: database at db.internal:5432 refused the connection",
            "mocha/err/pay.spec.js:4:24",
            "60 passing",
            "1 failing",
        ],
    ),
    (
        "tap_node_error",
        &[
            "Cannot find module './stripe-gateway'",
            "not ok 2 - /home/dev/shop/node/err/pay.test.js",
            "exitCode: 1",
            "# pass 60",
            "# fail 1",
        ],
    ),
    (
        "node_spec_error",
        &["Cannot find module './stripe-gateway'", "pay.test.js", "ℹ pass 60", "ℹ fail 1"],
    ),
    (
        "go_error",
        &[
            "tax/tax_test.go:66:17: cannot use \"nineteen\" (untyped string constant) as int value",
            "ok  \tacme.test/shop/cart",
            "FAIL\tacme.test/shop/tax [build failed]",
        ],
    ),
    (
        "rspec_error",
        &[
            "An error occurred while loading ./spec/pay_spec.rb",
            "cannot load such file -- stripe_gateway",
            "0 examples, 0 failures, 1 error occurred outside of examples",
        ],
    ),
    (
        "rspec_error_hook",
        &[
            "An error occurred in an `after(:context)` hook.",
            "database at db.internal:5432 refused the connection",
            "./spec/cart_spec.rb:182",
            "60 examples, 0 failures, 1 error occurred outside of examples",
        ],
    ),
    (
        "gradle_error",
        &[
            "> Task :tax:compileTestJava FAILED",
            "TaxTest.java:12: error: incompatible types: String cannot be converted to int",
            "BUILD FAILED",
        ],
    ),
    (
        "dotnet_error",
        &[
            "TaxTests.cs(12,20): error CS0029: Cannot implicitly convert type 'string' to 'int'",
            "Total tests: 15",
        ],
    ),
];

const PYTEST_TWO: &[&str] = &[
    "tests/test_cart.py::test_cart_fails FAILED",
    "AssertionError: cart is off by one",
    "tests/test_cart.py:124: AssertionError",
    "tests/test_tax.py::test_tax_fails FAILED",
    "At index 1 diff: 'EUR' != 'USD'",
    "tests/test_tax.py:124: AssertionError",
    "2 failed, 80 passed",
];
const CARGO_TWO: &[&str] = &[
    "test tests::cart_fails ... FAILED",
    "panicked at cart/src/lib.rs:254:9:",
    "cart is off by one",
    "left: 3",
    "right: 4",
    "error: test failed, to rerun pass `-p cart --lib`",
    "test result: ok. 1 passed; 0 failed",
    "test tests::tax_fails ... FAILED",
    "called `Result::unwrap()` on an `Err` value: \"no rate for XX\"",
    "panicked at tax/src/lib.rs:255:14:",
    "test result: FAILED. 60 passed; 1 failed",
    "error: 2 targets failed:",
];
const NEXTEST_TWO: &[&str] = &[
    "cart tests::cart_fails",
    "panicked at cart/src/lib.rs:254:9:",
    "cart is off by one",
    "tax tests::tax_fails",
    "panicked at tax/src/lib.rs:255:14:",
    "no rate for XX",
    "123 tests run: 121 passed, 2 failed, 0 skipped",
];
const JEST_TWO: &[&str] = &[
    "jest/two/cart.test.js",
    "✕ cart fails",
    "Expected: 4",
    "Received: 3",
    "jest/two/tax.test.js",
    "✕ tax fails",
    "no rate for XX",
    "tax.test.js:43:33",
    "Test Suites: 2 failed, 2 total",
    "Tests:       2 failed, 80 passed, 82 total",
];
const VITEST_TWO: &[&str] = &[
    "× cart.test.mjs > cart > cart fails",
    "AssertionError: expected 3 to deeply equal 4",
    "cart.test.mjs:44:28",
    "× tax.test.mjs > tax > tax fails",
    "TypeError: no rate for XX",
    "tax.test.mjs:44:33",
    "Test Files  2 failed (2)",
    "Tests  2 failed | 80 passed (82)",
];
const MOCHA_TWO: &[&str] = &[
    "1) cart fails",
    "3 !== 4",
    "mocha/two/cart.spec.js:44:28",
    "2) tax fails",
    "TypeError: no rate for XX",
    "mocha/two/tax.spec.js:44:33",
    "80 passing",
    "2 failing",
];
const NODE_TWO: &[&str] = &[
    "✖ cart fails",
    "3 !== 4",
    "cart.test.js:45:28",
    "✖ tax fails",
    "no rate for XX",
    "tax.test.js:45:33",
    "ℹ pass 80",
    "ℹ fail 2",
];
const RSPEC_TWO: &[&str] = &[
    "cart fails (FAILED - 1)",
    "expected: 4",
    "./spec/cart_spec.rb:123",
    "tax fails (FAILED - 2)",
    "no rate for XX",
    "./spec/tax_spec.rb:123",
    "82 examples, 2 failures",
];
const COMPILE_ERROR: &[&str] = &[
    "error[E0308]: mismatched types",
    "tax/src/lib.rs:94:25",
    "expected `u64`, found `&str`",
    "error: could not compile `tax` (lib test)",
];

fn report(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("promises/cases/reports").join(file);
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The report with its passes back: copies of one, told apart by a number in their names.
fn with_a_thousand(one: &Thousand) -> String {
    let report = report(one.file);
    let (head, rest) =
        report.split_once(one.pass.0).unwrap_or_else(|| panic!("{}: no pass", one.file));
    let (middle, rest) = rest.split_once(one.pass.1).expect("a pass ends");
    let pass = format!("{}{middle}{}", one.pass.0, one.pass.1);
    assert!(pass.contains(one.name), "{}: {pass}", one.file);
    let copies = (0..985).map(|n| pass.replace(one.name, &format!("{}_{n}", one.name)));
    format!("{head}{pass}{}{rest}", copies.collect::<String>())
}

/// As it stands and with the other line end, every fact is visible and the kind is seen; answers the share that was saved.
#[track_caller]
fn check(name: &str, report: &str, facts: &[&str]) -> f64 {
    let mut saved = f64::MAX;
    for payload in [report.to_owned(), report.replace('\n', "\r\n")] {
        let answer = compress(payload.as_bytes());
        let output = text(&answer);
        for fact in facts {
            assert!(payload.contains(fact) || payload.contains('\u{1b}'), "{name}: no {fact:?}");
            assert!(output.contains(fact), "{name}: {fact:?} is not visible in\n{output}");
        }
        let is_compile_error = facts == COMPILE_ERROR;
        let is_seen = answer.content_type == Kind::TestReport
            || is_compile_error && answer.content_type == Kind::Diagnostics;
        assert!(is_seen, "{name}: {}", figures(&answer));
        saved = saved.min(answer.ratio());
    }
    saved
}

#[test]
fn one_failure_among_a_thousand_passes_is_what_is_seen() {
    for one in ONE {
        let report = with_a_thousand(one);
        let saved = check(one.file, &report, one.facts);
        assert!(saved >= 0.85, "{}: {saved:.3} saved", one.file);
    }
}

#[test]
fn events_of_a_thousand_passes_go_and_those_of_a_failure_stay() {
    let report = report("go_one.ndjson");
    let pass: Vec<&str> =
        report.lines().filter(|line| line.contains("\"Test\":\"TestAddsOrder0\"")).collect();
    assert_eq!(pass.len(), 4);
    let pass = format!("{}\n", pass.join("\n"));
    let copies: String =
        (0..985).map(|n| pass.replace("AddsOrder0", &format!("AddsOrder0_{n}"))).collect();
    let saved = check(
        "go_one.ndjson",
        &format!("{copies}{report}"),
        &[
            "quote of order 1249: got 3, want 4",
            "\"Action\":\"fail\",\"Package\":\"acme.test/shop/shop\",\"Test\":\"TestQuote\"",
            "FAIL\\tacme.test/shop/shop",
        ],
    );
    assert!(saved >= 0.85, "{saved:.3} saved");
    check(
        "go_two.ndjson",
        &self::report("go_two.ndjson"),
        &[
            "cart is off by one: got 3, want 4",
            "FAIL\\tacme.test/shop/cart",
            "no rate for XX",
            "FAIL\\tacme.test/shop/tax",
        ],
    );
    check(
        "go_error.ndjson",
        &self::report("go_error.ndjson"),
        &["ok  \\tacme.test/shop/cart", "FAIL\tacme.test/shop/tax [build failed]"],
    );
}

#[test]
fn failures_of_two_targets_and_errors_outside_tests_are_seen() {
    for (name, facts) in OTHERS {
        check(name, &report(&format!("{name}.txt")), facts);
    }
    check(
        "junit_pytest_two",
        &report("junit_pytest_two.xml"),
        &[
            "failures=\"2\" skipped=\"0\" tests=\"82\"",
            "name=\"test_cart_fails\"",
            "AssertionError: cart is off by one",
            "tests/test_cart.py:124: AssertionError",
            "name=\"test_tax_fails\"",
            "At index 1 diff: 'EUR' != 'USD'",
        ],
    );
    check(
        "junit_pytest_error",
        &report("junit_pytest_error.xml"),
        &[
            "errors=\"1\"",
            "name=\"test_saves\"",
            "failed on setup with",
            "database at db.internal:5432 refused the connection",
        ],
    );
}

#[test]
fn coloured_reports_say_what_plain_ones_say() {
    for name in [
        "pytest_two",
        "cargo_two",
        "nextest_two",
        "jest_two",
        "vitest_two",
        "mocha_two",
        "node_spec_two",
        "rspec_two",
    ] {
        let coloured = report(&format!("{name}_coloured.txt"));
        assert!(coloured.contains("\u{1b}["), "{name} has no colours");
        assert!(!text(&compress(coloured.as_bytes())).contains('\u{1b}'), "{name}: colours stay");
    }
}
