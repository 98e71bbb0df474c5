//! Sources that were cut off, as agents send them: what goes of them may go of the whole.

use crate::files;
use crate::grammar;
use crate::judge;
use caveman_core::engine::{self, Options};
use caveman_core::kind::Kind;
use caveman_core::store::MemoryStore;
use caveman_tests::random::Random;

/// So many snippets are made, spread over the files.
const SNIPPETS: usize = 1_000;

#[test]
fn what_goes_of_a_snippet_may_go_of_the_whole() {
    let files = files::all();
    let mut random = Random::new(7);
    let mut faults = Vec::new();
    let mut n_cuts = 0;
    let each = SNIPPETS.div_ceil(files.len());
    for file in &files {
        let Some(grammar) = grammar::of(&file.language) else { continue };
        let tree = grammar.parse(&file.text);
        let mut starts = vec![0];
        starts.extend(file.text.match_indices('\n').map(|(at, _)| at + 1));
        for _ in 0..each {
            let from = below(&mut random, starts.len());
            let to = from + 1 + below(&mut random, starts.len() - from);
            let start = starts[from];
            let mut end = starts.get(to).copied().unwrap_or(file.text.len());
            if random.below(4) == 0 {
                // In the middle of a line.
                end = file.text.floor_char_boundary(start + (end - start) * 7 / 8);
            }
            let snippet = judge::slice(&file.text, start..end);
            let Some(draft) = judge::proposal(snippet) else { continue };
            for stretch in judge::elided(&draft) {
                n_cuts += 1;
                let whole = start + stretch.start..start + stretch.end;
                let is_last = judge::slice(snippet, stretch.end..snippet.len()).trim().is_empty();
                let fault = judge::fault(&file.text, &grammar, &tree, &whole)
                    // The last statement of a snippet may be half of one.
                    .filter(|_| {
                        !(is_last && judge::is_inside(&file.text, &grammar, &tree, &whole))
                    });
                let lines = format!("{}, lines {}-{}", file.name, from + 1, to);
                faults.extend(fault.map(|fault| format!("{lines}: {fault}")));
            }
        }
    }
    println!("{n_cuts} cuts");
    assert!(faults.is_empty(), "{} of {n_cuts} cuts: {faults:#?}", faults.len());
    assert!(n_cuts > 1_000, "{n_cuts}");
}

fn below(random: &mut Random, n: usize) -> usize {
    usize::try_from(random.below(n as u64)).expect("below a usize")
}

/// A gutter comes off and is put back: the same lines go, under the numbers that the gutter gives them.
#[test]
fn gutters_change_nothing() {
    let gutters: [fn(usize, &str) -> String; 3] = [
        |n, line| format!("{n:6}→{line}"),
        |n, line| format!("{n:6}\t{line}"),
        |n, line| format!("{n:05}| {line}"),
    ];
    let forced = Options { content_type: Some(Kind::Code), ..Options::default() };
    for file in files::all().iter().step_by(3) {
        let plain = judge::proposal(&file.text).map(|draft| judge::elided(&draft).len());
        for gutter in gutters {
            let lines: Vec<String> =
                file.text.lines().enumerate().map(|(at, line)| gutter(at + 1, line)).collect();
            let text = lines.join("\n") + "\n";
            let mut store = MemoryStore::default();
            let answer = engine::compress(&mut store, 0, text.as_bytes(), &forced);
            if answer.reason.is_some() {
                continue;
            }
            let output = String::from_utf8_lossy(&answer.output).into_owned();
            let mut rest = lines.iter();
            let mut n_markers = 0;
            for line in output.lines() {
                if line.contains("[caveman: ") {
                    n_markers += 1;
                } else {
                    assert!(rest.any(|kept| kept == line), "{}: {line}", file.name);
                }
            }
            assert_eq!(Some(n_markers - 1), plain, "{}", file.name);
        }
    }
}

/// A diff of code is a diff: every line that it adds or takes away stays.
#[test]
fn of_a_diff_every_changed_line_stays() {
    for file in files::all().iter().step_by(5) {
        let lines: Vec<&str> = file.text.lines().collect();
        if lines.len() <= 40 {
            continue;
        }
        // Every tenth line is written anew.
        let is_changed = |at: &usize| at % 10 == 5 && !lines[*at].trim().is_empty();
        let mut body = String::new();
        for (at, line) in lines.iter().enumerate() {
            if is_changed(&at) {
                body.push_str(&format!("-{line}\n+{line} // changed\n"));
            } else {
                body.push_str(&format!(" {line}\n"));
            }
        }
        let n = lines.len();
        let diff = format!("--- a/{0}\n+++ b/{0}\n@@ -1,{n} +1,{n} @@\n{body}", file.name);
        let answer =
            engine::compress(&mut MemoryStore::default(), 0, diff.as_bytes(), &Options::default());
        assert_eq!(answer.content_type, Kind::Diff, "{}", file.name);
        let output = String::from_utf8_lossy(&answer.output).into_owned();
        let mut kept = output.lines();
        for at in (0..n).filter(is_changed) {
            for line in [format!("-{}", lines[at]), format!("+{} // changed", lines[at])] {
                assert!(kept.any(|kept| kept == line), "{}: {line}", file.name);
            }
        }
    }
}

/// Code between the fences of a document loses what it would lose alone, or nothing.
#[test]
fn of_code_between_fences_no_cut_is_wrong() {
    let mut n_cuts = 0;
    let mut faults = Vec::new();
    for file in files::all().iter().step_by(4) {
        let Some(grammar) = grammar::of(&file.language) else { continue };
        if file.text.contains("````") {
            continue;
        }
        let before = format!("# {}\n\nWhat the module does:\n\n````{}\n", file.name, file.language);
        let document =
            format!("{before}{}\n````\n\nThat is all of it.\n", file.text.trim_end_matches('\n'));
        let answer = engine::compress(
            &mut MemoryStore::default(),
            0,
            document.as_bytes(),
            &Options::default(),
        );
        let tree = grammar.parse(&file.text);
        for elided in &answer.elided {
            let of = elided.of.range();
            let stretch =
                of.start.checked_sub(before.len()).map(|start| start..of.end - before.len());
            let Some(stretch) = stretch.filter(|stretch| stretch.end <= file.text.len()) else {
                faults.push(format!("{}: {of:?} reaches over the fence", file.name));
                continue;
            };
            n_cuts += 1;
            let fault = judge::fault(&file.text, &grammar, &tree, &stretch);
            faults.extend(fault.map(|fault| format!("{}: {fault}", file.name)));
        }
    }
    println!("{n_cuts} cuts");
    assert!(faults.is_empty(), "{} of {n_cuts} cuts: {faults:#?}", faults.len());
    assert!(n_cuts > 20, "{n_cuts}");
}
