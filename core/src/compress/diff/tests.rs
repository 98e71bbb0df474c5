//! What is kept of a diff, asked of generated ones: both files are known, so every line of the output can be looked up.

use super::*;

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = mask::mix(self.0, 7);
        self.0 % n
    }
}

fn compressed(diff: &str) -> Option<String> {
    Diff.compress(diff, &Focus::default()).elided.map(|draft| draft.render(diff))
}

/// Every hunk of `output` holds what both files hold where its header says.
fn fits(output: &str, old: &[String], new: &[String]) {
    let lines = lines(output);
    let mut n_hunks = 0;
    for hunk in hunks(output, &lines) {
        n_hunks += 1;
        let head = lines[hunk.head].of(output);
        let range = |sign: char| -> (usize, usize) {
            let range = head.split(sign).nth(1).unwrap().split(' ').next().unwrap();
            let (start, n) = range.split_once(',').unwrap_or((range, "1"));
            let (start, n): (usize, usize) = (start.parse().unwrap(), n.parse().unwrap());
            (start - usize::from(n > 0), n)
        };
        let ((old_start, n_old), (new_start, n_new)) = (range('-'), range('+'));
        let (mut in_old, mut in_new) = (old_start, new_start);
        for line in &lines[hunk.head + 1..hunk.end] {
            let line = trim_eol(line.of(output));
            if let Some(added) = line.strip_prefix('+') {
                assert_eq!(added, new[in_new], "{output}");
                in_new += 1;
            } else if let Some(removed) = line.strip_prefix('-') {
                assert_eq!(removed, old[in_old], "{output}");
                in_old += 1;
            } else if let Some(same) = line.strip_prefix(' ') {
                assert_eq!((same, same), (old[in_old].as_str(), new[in_new].as_str()), "{output}");
                (in_old, in_new) = (in_old + 1, in_new + 1);
            }
        }
        assert_eq!((in_old - old_start, in_new - new_start), (n_old, n_new), "{output}");
    }
    assert!(n_hunks > 0, "{output}");
}

/// Two files and their diff with `n_context` lines of context, hunks that touch joined as `diff` joins them.
fn generated(random: &mut Random, n_context: usize) -> (Vec<String>, Vec<String>, String) {
    let mut signs: Vec<(char, String)> = Vec::new();
    for n in 0..20 + random.below(120) {
        let text = match random.below(6) {
            0 => "-- a dashed text".to_owned(),
            1 => "++ a crossed text".to_owned(),
            2 => String::new(),
            3 => format!("größe {n}"),
            _ => format!("a line of some length with the number {n} in it"),
        };
        match random.below(14) {
            0 => signs.push(('-', text)),
            1 => signs.push(('+', text)),
            2 => signs.extend([('-', text.clone()), ('+', format!("{text}!"))]),
            _ => signs.push((' ', text)),
        }
    }
    let side = |sign: char| -> Vec<String> {
        signs
            .iter()
            .filter(|(s, _)| [' ', sign].contains(s))
            .map(|(_, text)| text.clone())
            .collect()
    };
    let near = |at: usize| {
        let from = at.saturating_sub(n_context);
        signs.iter().take(at + n_context + 1).skip(from).any(|(sign, _)| *sign != ' ')
    };
    let mut diff = String::new();
    let (mut in_old, mut in_new, mut at) = (0, 0, 0);
    while at < signs.len() {
        let n = (at..signs.len()).take_while(|next| near(*next)).count();
        let hunk = &signs[at..at + n];
        let n_of = |sign: char| hunk.iter().filter(|(s, _)| [' ', sign].contains(s)).count();
        if n > 0 {
            let range = |start: usize, n: usize| format!("{},{n}", start + usize::from(n > 0));
            let (old, new) = (range(in_old, n_of('-')), range(in_new, n_of('+')));
            diff.push_str(&format!("@@ -{old} +{new} @@ fn x()\n"));
            hunk.iter().for_each(|(sign, text)| diff.push_str(&format!("{sign}{text}\n")));
        }
        (in_old, in_new) = (in_old + n_of('-'), in_new + n_of('+'));
        at += n;
        if n == 0 {
            (in_old, in_new, at) = (in_old + 1, in_new + 1, at + 1);
        }
    }
    (side('-'), side('+'), diff)
}

#[test]
fn every_changed_line_stays_and_every_header_is_right() {
    let mut random = Random(5);
    let mut n_shorter = 0;
    for round in 0..600 {
        let (old, new, hunks) = generated(&mut random, 1 + round % 9);
        if hunks.is_empty() {
            continue;
        }
        let diff = format!(
            "diff --git a/src/a.rs b/src/a.rs\nold mode 100644\nnew mode 100755\nsimilarity index 90%\nrename from src/b.rs\nrename to src/a.rs\nindex 1..2 100644\n--- a/src/b.rs\n+++ b/src/a.rs\n{hunks}\\ No newline at end of file\ndiff --git a/logo.png b/logo.png\nBinary files a/logo.png and b/logo.png differ\nOnly in src: c.rs\n"
        );
        for diff in [diff.clone(), diff.replace('\n', "\r\n")] {
            let Some(output) = compressed(&diff) else { continue };
            n_shorter += 1;
            let kept = |text: &str| -> Vec<String> {
                let is_kept =
                    |line: &&str| !line.starts_with([' ', '@']) && !line.trim().is_empty();
                text.lines().filter(is_kept).map(str::to_owned).collect()
            };
            assert_eq!(kept(&output), kept(&diff), "{diff}\n=>\n{output}");
            fits(&output, &old, &new);
        }
    }
    assert!(n_shorter > 600, "{n_shorter}");
}

#[test]
fn other_forms_stay_as_they_are() {
    let context = " a line of context that is long enough to be worth something\n".repeat(9);
    let body = format!("{context}-old\n+new\n{context}");
    for diff in [
        // Combined.
        format!("diff --cc a.rs\n@@@ -1,19 -1,19 +1,20 @@@\n{}", body.replace('\n', "\n ")),
        // By words.
        "@@ -1,21 +1,21 @@\n".to_owned()
            + &context
            + " let [-a-]{+b+} = 1;\n"
            + &context
            + " x\n y\n",
        format!(
            "@@ -1,22 +1,22 @@\n{context} let [-a-]{{+b+}} = 1;\n{context}- item\n+ item\n x\n y\n"
        ),
        // Counts that are wrong, a hunk that was cut, no change at all.
        format!("@@ -1,30 +1,30 @@\n{body}"),
        format!("@@ -1,9 +1,9 @@\n{context}"),
        format!("@@ -1,4294967295 +1,4294967295 @@\n{body}"),
        format!("@@ -x,19 +1,19 @@\n{body}"),
        // Context and normal forms.
        "*** 1,5 ****\n! a\n--- 1,5 ----\n! b\n".repeat(9),
        "3c3\n< a\n---\n> b\n".repeat(9),
        "Only in a: b\n".repeat(20),
        String::new(),
    ] {
        assert_eq!(compressed(&diff), None, "{diff}");
    }
}

#[test]
fn a_note_keeps_the_line_that_it_is_on() {
    let context = " a line of context that is long enough to be worth something\n";
    let diff =
        format!("@@ -1,8 +1,8 @@\n-old\n+new\n{}\\ No newline at end of file\n", context.repeat(7));
    let output = compressed(&diff).unwrap();
    assert!(output.ends_with(&format!("{context}\\ No newline at end of file\n")), "{output}");
    assert!(output.starts_with("@@ -1,2 +1,2 @@\n-old\n+new\n"), "{output}");
}

#[test]
fn what_is_asked_for_stays() {
    let context: String =
        (0..9).map(|n| format!(" a line of context with the number {n}\n")).collect();
    let diff = format!("@@ -1,10 +1,10 @@\n-old\n+new\n{context}");
    let focus = Focus { words: vec!["number 7".to_owned()], ..Focus::default() };
    let output = Diff.compress(&diff, &focus).elided.unwrap().render(&diff);
    assert!(
        output.contains("with the number 7") && !output.contains("with the number 4"),
        "{output}"
    );
}

#[test]
fn hostile_diffs_take_linear_time_and_no_panic() {
    for unit in
        ["@@ -1 +1 @@\n", "@@ -1,9 +1,9 @@\n x\n", "--- a\n+++ b\n", "@@ -", " \n", "\\\n", "-é\n"]
    {
        compressed(&format!("@@ -1,99999 +1,99999 @@\n{}", unit.repeat(60_000)));
        compressed(&unit.repeat(60_000));
    }
}
