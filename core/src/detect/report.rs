//! What build tools print: test reports and diagnostics. Each runner and tool has lines that nothing else writes; how many
//! of them there are, and how much of the payload belongs to them, decides.

use super::sample::{Line, Sample};
use super::shape::{begins, has_extension, holds, is_path, n_digits, number, word};
use super::{Scores, share, trace};
use crate::kind::Kind;

/// A report's own lines, by what they prove.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// Opens, closes or sums up a run: proves a report.
    Frame,
    /// The result of one test.
    Result,
}

/// Test reports.
pub(super) fn tests(sample: &Sample<'_>, scores: &mut Scores) {
    let first = sample.first();
    if first.starts_with('{') && holds(first, "\"Action\":") && holds(first, "\"Package\":") {
        scores.claim(Kind::TestReport, 1000);
    }
    if first.starts_with('<')
        && sample
            .lines
            .iter()
            .take(20)
            .any(|l| l.body.starts_with("<testsuite") || holds(l.body, "?><testsuite"))
    {
        scores.claim(Kind::TestReport, 1000);
    }
    let (mut n_frames, mut n_results, mut n_runs) = (0, 0, 0);
    for line in sample.full() {
        match sign(line) {
            Some(Sign::Frame) => n_frames += 1,
            Some(Sign::Result) => n_results += 1,
            None => n_runs += usize::from(is_progress(line.body)),
        }
    }
    let n_signs = n_frames + n_results;
    if n_frames == 0 && (n_results < 3 || share(n_results, sample.n_full) < 300) {
        return;
    }
    // Failures print pages that are nobody's own lines. Two frames, or one and a result, make those pages the report's.
    let own = sample.share(n_signs + n_runs);
    let score = match n_frames {
        3.. if own >= 150 => 1000,
        2.. => 700 + own * 3 / 10,
        1 if n_results + n_runs >= 1 => 700 + own * 3 / 10,
        _ => own,
    };
    // Frames of progress that outnumber the lines are a terminal's business first.
    let is_animated = sample.n_returns * 4 >= sample.n_full;
    scores.claim(Kind::TestReport, if is_animated { score * 9 / 10 } else { score });
}

fn sign(line: &Line<'_>) -> Option<Sign> {
    let body = line.body;
    let starts = |list: &[&str]| begins(body, list);
    match body.as_bytes().first()? {
        b'=' => {
            let inner = body.trim_matches('=');
            let is_titled =
                body.len() - inner.len() >= 6 && inner.starts_with(' ') && inner.ends_with(' ');
            let names = [
                "test session starts",
                "FAILURES",
                "ERRORS",
                "short test summary",
                "warnings summary",
                " passed",
                " failed",
                " error",
                "no tests ran",
                "PASSES",
                "slowest ",
                "rerun test",
            ];
            if is_titled && names.iter().any(|n| inner.contains(n)) || body.starts_with("=== RUN ")
            {
                return Some(if body.starts_with("=== RUN ") { Sign::Result } else { Sign::Frame });
            }
            starts(&["=== PAUSE ", "=== CONT ", "=== NAME "]).then_some(Sign::Result)
        }
        b'-' => starts(&["--- PASS: ", "--- FAIL: ", "--- SKIP: ", "--- BENCH: "])
            .then_some(Sign::Result),
        b'[' => {
            if starts(&["[==========] ", "[----------] ", "[  PASSED  ] "]) {
                return Some(Sign::Frame);
            }
            if starts(&["[ RUN      ] ", "[       OK ] ", "[  FAILED  ] ", "[  SKIPPED ] "]) {
                return Some(Sign::Result);
            }
            let rest =
                ["[INFO] ", "[ERROR] ", "[WARNING] "].iter().find_map(|p| body.strip_prefix(p))?;
            (rest.starts_with("Tests run: ") || rest.starts_with(" T E S T S"))
                .then_some(Sign::Frame)
        }
        b'0'..=b'9' => counts(body),
        b'#' => starts(&[
            "# tests ",
            "# pass ",
            "# fail ",
            "# suites ",
            "# Subtest: ",
            "# duration_ms ",
        ])
        .then_some(Sign::Frame),
        b'>' => (starts(&["> Task :"]) && holds(body, "est")).then_some(Sign::Result),
        b'?' => starts(&["?   \t"]).then_some(Sign::Result),
        b'$' | b'<' | b'{' | b'/' | b'*' | b'|' => None,
        _ => words(line),
    }
}

/// Lines that begin with a number: `12 passing (5ms)`, `3 examples, 1 failure`, `5 tests completed, 1 failed`, `1..12`.
fn counts(body: &str) -> Option<Sign> {
    let (_, rest) = number(body)?;
    if rest.starts_with("..") {
        return (rest.len() > 2 && n_digits(rest.get(2..)?.as_bytes()) == rest.len() - 2)
            .then_some(Sign::Frame);
    }
    let rest = rest.strip_prefix(' ')?;
    let is_sum = begins(
        rest,
        &[
            "passing",
            "failing",
            "pending",
            "passed",
            "failed",
            "examples, ",
            "example, ",
            "tests completed",
            "test completed",
            "runs, ",
            "tests, ",
            "test, ",
        ],
    );
    (is_sum && rest.len() < 160).then_some(Sign::Frame)
}

fn words(line: &Line<'_>) -> Option<Sign> {
    let body = line.body;
    const FRAMES: &[&str] = &[
        "test result: ",
        "Test Suites:",
        "Test suites:",
        "Snapshots: ",
        "Ran all test suites",
        "TAP version ",
        "Test Run ",
        "Total tests:",
        "Starting test execution",
        "Failed!  - Failed:",
        "Passed!  - Failed:",
        "Test summary: ",
        "Tests run: ",
        "OK (",
        "FAILED (",
        "FAILED (failures=",
        "PHPUnit ",
        "Testing started at",
        "Doc-tests ",
        "Failed examples:",
        "Finished in ",
        "There were failing tests",
        "BUILD FAILED in ",
        "BUILD SUCCESSFUL in ",
        "There was 1 failure",
        "Duration  ",
        "Test Files  ",
        "Nextest run ID",
        "Summary [",
        "ℹ tests ",
        "ℹ suites ",
        "ℹ pass ",
        "ℹ fail ",
        "ℹ duration_ms ",
        "test session starts",
    ];
    let is_package = begins(body, &["ok  \t", "FAIL\t"]);
    if is_package || begins(body, FRAMES) {
        return Some(Sign::Frame);
    }
    let (first, rest) = word(body);
    match first {
        "running" => number(rest.trim_start())
            .is_some_and(|(_, r)| r == " tests" || r == " test" || r.starts_with(" tests from"))
            .then_some(Sign::Frame),
        "Ran" => number(rest.trim_start())
            .is_some_and(|(_, r)| {
                r.starts_with(" tests in ")
                    || r.starts_with(" test in ")
                    || r.starts_with(" tests across")
            })
            .then_some(Sign::Frame),
        "Starting" => {
            (holds(rest, " tests across ") || holds(rest, " test across ")).then_some(Sign::Frame)
        }
        "collected" | "collecting" => {
            (holds(rest, " items") || holds(rest, " item")).then_some(Sign::Frame)
        }
        "Tests" => number(rest.trim_start_matches([':', ' ']))
            .is_some_and(|(_, r)| {
                holds(r, "passed") || holds(r, "failed") || holds(r, "total") || r.starts_with(',')
            })
            .then_some(Sign::Frame),
        "RUN" => rest.trim_start().starts_with('v').then_some(Sign::Frame),
        "test" => [" ... ok", " ... FAILED", " ... ignored", " ... failed"]
            .iter()
            .any(|e| body.contains(e))
            .then_some(Sign::Result),
        "ok" | "FAIL" | "PASS" | "TIMEOUT" | "SLOW" | "SIGABRT" | "LEAK" | "ERROR" => {
            let rest = rest.trim_start_matches([' ', '\t']);
            let is_result = number(rest)
                .is_some_and(|(_, r)| r.is_empty() || r.starts_with(" -") || r.starts_with(' '))
                || rest.starts_with('[') && holds(rest, "s]")
                || (is_path(rest.split([' ', '\t']).next().unwrap_or_default())
                    && !holds(body, ": "))
                || (rest.is_empty() && matches!(first, "PASS" | "FAIL"))
                || rest.starts_with(": ") && holds(body, " (")
                || rest.starts_with("| ");
            is_result.then_some(Sign::Result)
        }
        "not" => {
            rest.strip_prefix(" ok ").is_some_and(|r| number(r).is_some()).then_some(Sign::Result)
        }
        "Passed" | "Failed" | "Skipped" => (line.indent() >= 2
            && (body.ends_with(']') || rest.starts_with(' ')))
        .then_some(Sign::Result),
        "rspec" => rest.starts_with(" ./").then_some(Sign::Result),
        "failures" | "successes" => (rest == ":" && line.indent() == 0).then_some(Sign::Result),
        "Failures" => (rest == ":" && line.indent() == 0).then_some(Sign::Result),
        _ => is_result_line(body).then_some(Sign::Result),
    }
}

/// Result lines told by their end or glyph: `x.py::test_a PASSED [ 1%]`, `✓ adds (3 ms)`, `Calc > adds() PASSED`, `test_a (m.T) ... ok`.
fn is_result_line(body: &str) -> bool {
    if body.starts_with(['✓', '✔', '✕', '✗', '✘', '×', '√', '●', '❯', '○', 'ℹ', '▶', '↓'])
    {
        return true;
    }
    let end = body.split_once("  ").map_or(body, |(b, _)| b).trim_end();
    let last = end.rsplit(' ').next().unwrap_or_default();
    match last {
        "PASSED" | "FAILED" | "SKIPPED" | "XFAIL" | "XPASS" | "ERROR" => {
            holds(body, "::") || holds(body, " > ") || holds(body, "test") || holds(body, "()")
        }
        "ok" | "FAIL" => end.ends_with(" ... ok") || end.ends_with(" ... FAIL"),
        _ => {
            holds(body, " ... skipped")
                || holds(body, " ... expected failure")
                || holds(body, "::") && (body.starts_with("FAILED ") || body.starts_with("ERROR "))
        }
    }
}

/// `tests/a.py ..F.s  [ 40%]`, `....F..`: only results, whatever their number.
fn is_progress(body: &str) -> bool {
    let dots = body.split(" [").next().unwrap_or_default();
    let dots = dots.split_once(".py ").map_or(dots, |(_, d)| d).trim();
    dots.len() >= 2
        && holds(dots, ".")
        && dots
            .bytes()
            .all(|b| matches!(b, b'.' | b'F' | b'E' | b's' | b'x' | b'X' | b'*' | b'P' | b'S'))
        || trace::is_headline(body)
}

/// Output of compilers and linters.
pub(super) fn diagnostics(sample: &Sample<'_>, scores: &mut Scores) {
    let (mut n_marks, mut n_more, mut n_builds, mut n_left, mut after_mark) = (0, 0, 0, 0, false);
    for line in sample.full() {
        if is_diagnostic(line) {
            n_marks += 1;
            after_mark = true;
        } else if is_excerpt(line, after_mark) {
            n_more += 1;
        } else if is_build_step(line.body) {
            n_builds += 1;
        } else {
            n_left += 1;
            // Two lines of continued message at most.
            after_mark = after_mark && n_left < 2;
            continue;
        }
        n_left = 0;
    }
    if n_marks > 0 {
        scores.claim(Kind::Diagnostics, sample.share(n_marks + n_more + n_builds));
    } else if n_builds >= 3 {
        scores.claim(Kind::Diagnostics, sample.share(n_builds) * 9 / 10);
    }
}

/// A line that names a place and a severity or code, or one that opens such a message.
fn is_diagnostic(line: &Line<'_>) -> bool {
    let body = line.body;
    // rustc, clang drivers, linkers
    if let Some(rest) =
        ["error", "warning", "fatal error"].iter().find_map(|p| body.strip_prefix(p))
    {
        return rest.starts_with(": ") || (rest.starts_with('[') && holds(rest, "]: "));
    }
    if body.starts_with("--> ") || body.starts_with("::: ") {
        return place_end(body.get(4..).unwrap_or_default().trim()).is_some();
    }
    // shellcheck
    if body.starts_with("In ") && body.ends_with(':') && holds(body, " line ") {
        return true;
    }
    // eslint: `  12:5  error  message  rule`
    if line.indent() > 0
        && let Some(("", rest)) = place(body)
    {
        let (severity, _) = word(rest.trim_start());
        return matches!(severity, "error" | "warning" | "warn" | "info");
    }
    // Maven, Kotlin
    if let Some(rest) =
        ["[ERROR] ", "[WARNING] ", "e: ", "w: "].iter().find_map(|p| body.strip_prefix(p))
    {
        return holds(rest, ":[")
            || holds(rest, ".kt:")
            || holds(rest, ".kt: (")
            || holds(rest, ".java:");
    }
    // ruff's full form: `F401 [*] message`
    if let Some((code, rest)) = body.split_once(' ')
        && is_code(code)
        && line.indent() == 0
    {
        return rest.starts_with("[*] ")
            || rest.starts_with(|c: char| c.is_ascii_uppercase() || c == '`');
    }
    // `go vet` names itself where it could not read a package.
    let body = body.strip_prefix("vet: ").unwrap_or(body);
    let Some((path, rest)) = place(body) else { return false };
    if !is_path(path) {
        return false;
    }
    let message = rest.trim_start_matches([':', '-', ' ']);
    let (first, after) = word(message);
    let is_severity = matches!(
        first,
        "error"
            | "warning"
            | "note"
            | "info"
            | "remark"
            | "fatal"
            | "hint"
            | "style"
            | "convention"
            | "Error"
            | "Warning"
    ) && after.starts_with([':', ' ', '[']);
    let is_coded = (is_code(first) && after.starts_with([':', ' '])) || message.starts_with('[');
    // go: `./main.go:12:5: undefined: x`
    let is_go = path.ends_with(".go")
        && rest.starts_with(": ")
        && !rest.starts_with(":  ")
        && body.get(path.len()..).is_some_and(|r| r.matches(':').count() >= 3);
    is_severity || is_coded || is_go
}

/// Cuts `path:12:5…`, `path:12…`, `path(12,5)…`, `path:[12,5]…` into the path and what follows the place.
fn place(body: &str) -> Option<(&str, &str)> {
    let bytes = body.as_bytes();
    let from = if bytes.get(1) == Some(&b':') && bytes.get(2) == Some(&b'\\') { 2 } else { 0 };
    let at = from + memchr::memchr2(b':', b'(', bytes.get(from..)?)?;
    if bytes.first().is_some_and(u8::is_ascii_digit)
        && bytes.get(at) == Some(&b':')
        && n_digits(bytes) == at
    {
        // A place without path.
        let (_, rest) = number(body.get(at + 1..)?)?;
        return Some(("", rest));
    }
    let path = body.get(..at)?;
    let rest = body.get(at + 1..)?;
    if bytes.get(at) == Some(&b'(') {
        let (_, rest) = number(rest)?;
        let (_, rest) = rest.split_once(')')?;
        return rest.starts_with(':').then_some((path, rest));
    }
    let (_, rest) = number(rest)?;
    let rest = match rest.strip_prefix(':').and_then(number) {
        Some((_, behind)) => behind,
        None => rest,
    };
    rest.starts_with([':', ' ']).then_some((path, rest))
}

/// Whether `text` is nothing but `path:12:5`.
fn place_end(text: &str) -> Option<()> {
    let (path, line) = text.rsplit_once(':')?;
    let path =
        path.rsplit_once(':').map_or(path, |(p, n)| if number(n).is_some() { p } else { path });
    (number(line).is_some() && is_path(path)).then_some(())
}

/// `E0308`, `F401`, `TS2322`, `SC2086`, `C0116`, `CS1002`.
fn is_code(word: &str) -> bool {
    let n = word.bytes().take_while(u8::is_ascii_uppercase).count();
    let digits = word.as_bytes().get(n..).unwrap_or_default();
    (1..=6).contains(&n) && (2..=5).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit)
}

/// What belongs to a diagnostic: the source excerpt, its gutter, notes, carets, the file name above eslint's lines.
fn is_excerpt(line: &Line<'_>, after_mark: bool) -> bool {
    let body = line.body;
    let is_gutter = body.starts_with("| ")
        || body == "|"
        || body == "..."
        || number(body).is_some_and(|(_, r)| r.trim_start().starts_with('|'));
    let is_note = begins(
        body,
        &[
            "= note:",
            "= help:",
            "help: ",
            "note: ",
            "In file included from ",
            "from ",
            "For more information",
            "Found ",
            "Some errors have",
            "Did you mean:",
            "Your code has been rated",
            "************* Module ",
        ],
    );
    let is_caret = body.bytes().all(|b| matches!(b, b'^' | b'~' | b' ' | b'-' | b'|'))
        && body.contains(['^', '~'])
        || body.starts_with('^');
    let is_sum = (body.len() > 20 && body.bytes().all(|b| b == b'-'))
        || body.starts_with('✖')
        || number(body).is_some_and(|(_, r)| {
            r.starts_with(" error") || r.starts_with(" warning") || r.starts_with(" problem")
        });
    let is_file = line.indent() == 0 && is_path(body) && has_extension(body);
    let is_package =
        line.indent() == 0 && body.starts_with("# ") && is_path(body.get(2..).unwrap_or_default());
    is_gutter
        || is_note
        || is_caret
        || is_sum
        || is_file
        || is_package
        || holds(body, ": In function ")
        || (after_mark && line.indent() > 0)
}

/// `   Compiling serde v1.0.0`, `make[1]: …`, `[ 50%] Building …`.
fn is_build_step(body: &str) -> bool {
    let (first, rest) = word(body);
    match first {
        "Compiling" | "Checking" | "Downloading" | "Downloaded" | "Fresh" | "Documenting"
        | "Locking" | "Updating" | "Finished" | "Running" | "Adding" | "Installing"
        | "Building" | "Linking" | "Blocking" | "Packaging" | "Verifying" => rest.starts_with(' '),
        "make" => rest.starts_with('[') || rest.starts_with(": "),
        "gcc" | "cc" | "clang" | "g" => holds(rest, " -"),
        _ => {
            body.starts_with('[')
                && body.get(1..).is_some_and(|r| {
                    number(r.trim_start())
                        .is_some_and(|(_, r)| r.starts_with("%] ") || r.starts_with('/'))
                })
        }
    }
}
