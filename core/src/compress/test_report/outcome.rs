//! What one line of a report says of one test that did not fail.

use crate::elide::is_number;

/// How a runner writes a test that passed or was skipped, or what a build does on the way. Lines of one form are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::compress) enum Form {
    /// `test a::b ... ok`, `test_a (m.C) ... ok`
    Dotted = 1,
    /// The same, ignored or skipped.
    DottedSkip,
    /// `tests/a.py::b PASSED [ 1%]`, `A > b() PASSED`
    Trailing,
    /// The same, skipped.
    TrailingSkip,
    /// `PASS [ 0.1s] crate test`, `PASS src/a.test.ts`
    Leading,
    /// `SKIP …`
    LeadingSkip,
    /// `✓ adds numbers (3 ms)`
    Tick,
    /// `--- PASS: TestA (0.00s)`
    GoPass,
    /// `=== RUN TestA`
    GoStep,
    /// `ok 12 - name`
    Tap,
    /// `  Passed Name [1 ms]`
    Dotnet,
    /// `[       OK ] A.b (0 ms)`, `[ RUN      ] A.b`
    Google,
    /// `tests/a.py ......  [ 12%]`
    Dots,
    /// `   Compiling x v1.0.0`
    Build,
    /// `  adds numbers`, as rspec documents an example
    Documented,
}

/// What a line says.
#[derive(Clone, Copy, Debug)]
pub(in crate::compress) struct Outcome {
    pub(in crate::compress) form: Form,
    /// Where the word or glyph of the outcome stands.
    pub(in crate::compress) outcome: (usize, usize),
    /// Where its duration stands.
    pub(in crate::compress) time: Option<(usize, usize)>,
}

/// What the line says of a test that did not fail; `None` for everything else, and so for everything that must stay.
pub(in crate::compress) fn of(line: &str) -> Option<Outcome> {
    let lead = line.len() - line.trim_start().len();
    let body = line.trim();
    let first = body.split([' ', '\t']).next().unwrap_or_default();
    let at_first = (lead, lead + first.len());
    let found = |form, outcome| Some(Outcome { form, outcome, time: time_of(line) });
    match first {
        "✓" | "✔" | "√" | "∙" | "↓" | "⊘" if body.len() > first.len() => {
            return found(Form::Tick, at_first);
        }
        "PASS" | "PASS:" => return found(Form::Leading, at_first),
        "SKIP" | "SKIP:" if body.len() > first.len() => return found(Form::LeadingSkip, at_first),
        "Passed" | "passed" if lead >= 2 && body.ends_with(']') => {
            return found(Form::Dotnet, at_first);
        }
        "Skipped" if lead >= 2 && (body.ends_with(']') || !body.contains(':')) => {
            return found(Form::Dotnet, at_first);
        }
        "ok" if tap_number(body).is_some() => return found(Form::Tap, at_first),
        "test" if body.ends_with(" ... ok") => return found(Form::Dotted, ends(line, 2)),
        "==="
            if ["RUN", "PAUSE", "CONT", "NAME"]
                .iter()
                .any(|step| body.get(4..).is_some_and(|rest| rest.starts_with(step))) =>
        {
            return found(
                Form::GoStep,
                (lead + 4, lead + 4 + body.get(4..)?.split([' ', '\t']).next()?.len()),
            );
        }
        "---" if body.starts_with("--- PASS: ") || body.starts_with("--- SKIP: ") => {
            return found(Form::GoPass, (lead + 4, lead + 8));
        }
        "[" if body.starts_with("[       OK ]") || body.starts_with("[ RUN      ]") => {
            let word = body.get(1..11)?;
            let start = lead + 1 + (word.len() - word.trim_start().len());
            return found(Form::Google, (start, start + word.trim().len()));
        }
        "Compiling" | "Downloaded" | "Downloading" | "Checking" | "Fresh" | "Adding"
        | "Locking" | "Building" | "Collecting" | "Using" | "Fetching"
            if lead >= 1 || first == "Collecting" =>
        {
            return found(Form::Build, at_first);
        }
        _ => {}
    }
    let ends_with = |word: &str| body.len() > word.len() && body.ends_with(word);
    if ends_with(" ... ok") {
        return found(Form::Dotted, ends(line, 2));
    }
    if ends_with(" ... ignored") || body.starts_with("test ") && body.contains(" ... ignored, ") {
        let at = line.find("ignored")?;
        return found(Form::DottedSkip, (at, at + 7));
    }
    if let Some(at) = line.find(" ... skipped") {
        return found(Form::DottedSkip, (at + 5, at + 12));
    }
    trailing(line)
}

/// A word of outcome at the end, with pytest's percentage after it or without; or a row of dots.
fn trailing(line: &str) -> Option<Outcome> {
    let mut end = line.trim_end().len();
    let mut has_percent = false;
    let head = line.get(..end)?;
    if head.ends_with("%]")
        && let Some(open) = head.rfind('[')
        && head.get(open + 1..end - 2)?.trim().bytes().all(|b| b.is_ascii_digit())
    {
        end = head.get(..open)?.trim_end().len();
        has_percent = true;
    }
    let head = line.get(..end)?;
    let start = head.rfind([' ', '\t']).map_or(0, |at| at + 1);
    let word = head.get(start..)?;
    let name = head.get(..start)?.trim();
    let is_test = !name.is_empty()
        && (has_percent || name.contains("::") || name.contains(" > ") || name.ends_with(')'));
    let form = match word {
        "PASSED" if is_test => Form::Trailing,
        "SKIPPED" | "XFAIL" | "XPASS" if is_test && word != "XPASS" => Form::TrailingSkip,
        dots if has_percent && dots.bytes().all(|b| matches!(b, b'.' | b's')) => Form::Dots,
        // `tests/a.py ....` when the output is no terminal, and a bare row of dots (unittest, rspec, mocha).
        dots if dots.len() >= 8 && dots.bytes().all(|b| b == b'.') => Form::Dots,
        _ => return None,
    };
    Some(Outcome {
        form,
        outcome: (start, if form == Form::Dots { start + 1 } else { end }),
        time: time_of(line),
    })
}

/// The last `n` bytes of the line without trailing spaces.
fn ends(line: &str, n: usize) -> (usize, usize) {
    let end = line.trim_end().len();
    (end.saturating_sub(n), end)
}

/// The number of a TAP test point that passed; a `# TODO` point is none.
fn tap_number(body: &str) -> Option<&str> {
    let rest = body.strip_prefix("ok ")?;
    let number = rest.split([' ', '\t']).next()?;
    (!number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) && !rest.contains("# TODO"))
        .then_some(number)
}

/// The duration at the end of a line, in brackets or before its unit: `(3 ms)`, `[0.012s]`, `(0.00s)`.
fn time_of(line: &str) -> Option<(usize, usize)> {
    let body = line.trim_end();
    let close = body.rfind([')', ']'])?;
    let open = body.get(..close)?.rfind(['(', '['])?;
    let inside = body.get(open + 1..close)?;
    let lead = inside.len() - inside.trim_start().len();
    let number: &str = inside.trim_start();
    let len = number.bytes().take_while(|b| b.is_ascii_digit() || *b == b'.').count();
    let unit = number.get(len..)?.trim();
    let start = open + 1 + lead;
    (matches!(unit, "ms" | "s" | "sec" | "seconds") && is_number(number.get(..len)?))
        .then_some((start, start + len))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_are_told_from_everything_else() {
        for (line, want) in [
            ("test parse::empty ... ok", Some("ok")),
            ("test_a (tests.T.test_a) ... ok", Some("ok")),
            ("test x ... ignored, needs network", Some("ignored")),
            ("test_b (t.T) ... skipped 'no db'", Some("skipped")),
            ("tests/a.py::T::test_b PASSED          [  1%]", Some("PASSED")),
            ("tests/a.py ......                     [ 12%]", Some(".")),
            ("        PASS [   0.005s] core text::tests::x", Some("PASS")),
            ("PASS src/a.test.ts (5.1 s)", Some("PASS")),
            ("    ✓ adds numbers (3 ms)", Some("✓")),
            ("--- PASS: TestA (0.00s)", Some("PASS")),
            ("=== RUN   TestA", Some("RUN")),
            ("ok 12 - does it", Some("ok")),
            ("[       OK ] A.b (0 ms)", Some("OK")),
            ("  Passed Shop.Tests.Adds [2 ms]", Some("Passed")),
            ("CartTest > adds() PASSED", Some("PASSED")),
            ("   Compiling serde v1.0.0", Some("Compiling")),
            ("test parse::big ... FAILED", None),
            ("tests/a.py ..F...                     [ 12%]", None),
            ("tests/a.py::T::test_b FAILED          [  1%]", None),
            ("not ok 3 - it breaks", None),
            ("ok 3 - later # TODO", None),
            ("    ✗ adds numbers", None),
            ("ok  \tgithub.com/acme/shop\t0.012s", None),
            ("test result: ok. 3 passed; 0 failed", None),
            ("Passed: 12, Failed: 0", None),
            ("=== 3 failed, 142 passed in 0.5s ===", None),
            ("FAIL src/b.test.ts", None),
            ("error[E0308]: mismatched types", None),
            ("", None),
        ] {
            let got = of(line).and_then(|o| line.get(o.outcome.0..o.outcome.1));
            assert_eq!(got, want, "{line}");
        }
    }
}
