//! Terminal sessions: prompts, progress frames.

use super::Scores;
use super::sample::{Line, Sample};
use super::shape::{begins, holds, looks_like, number, word};
use crate::kind::Kind;

pub(super) fn probe(sample: &Sample<'_>, scores: &mut Scores) {
    let (mut n_prompts, mut n_progress) = (0, 0);
    for line in sample.full() {
        n_prompts += usize::from(is_prompt(line));
        n_progress += usize::from(is_progress(line.body));
    }
    // Frames drawn over one another exist nowhere else.
    if sample.n_returns >= 3 && sample.n_returns * 4 >= sample.n_full {
        scores.claim(Kind::Terminal, 960);
    }
    scores.claim(Kind::Terminal, sample.share(n_progress));
    // A prompt makes what follows it the session's, if the payload starts with one and more come.
    if is_prompt_text(sample.first()) && n_prompts >= 2 {
        scores.claim(Kind::Terminal, 850);
    } else if n_prompts >= 3 {
        scores.claim(Kind::Terminal, 600 + sample.share(n_prompts) / 4);
    }
}

fn is_prompt(line: &Line<'_>) -> bool {
    line.indent() == 0 && is_prompt_text(line.body)
}

/// `$ cmd`, `user@host:~/dir$ cmd`, `[user@host dir]$ cmd`, `PS C:\> cmd`, `❯ cmd`, `>>> expr`.
pub(super) fn is_prompt_text(body: &str) -> bool {
    if begins(
        body,
        &["$ ", "❯ ", "➜ ", ">>> ", "PS C:\\", "C:\\", "sqlite> ", "mysql> ", "irb(main):"],
    ) {
        return true;
    }
    let Some(at) = memchr::memchr3(b'$', b'#', b'%', body.as_bytes()) else { return false };
    let before = body.get(..at).unwrap_or_default();
    let is_end = matches!(body.as_bytes().get(at + 1), None | Some(b' '));
    is_end
        && before.len() < 80
        && holds(before, "@")
        && (holds(before, ":") || before.starts_with('['))
        && before.split(' ').count() <= 2
}

/// Bars, percentages, layers, packages: what installers and builders print while they go.
fn is_progress(body: &str) -> bool {
    let (first, rest) = word(body);
    let is_step = match first {
        "Get" | "Hit" | "Ign" => rest.starts_with(':') && holds(rest, " http"),
        "Unpacking" | "Selecting" | "Preparing" => holds(rest, "..."),
        "Setting" => rest.starts_with(" up "),
        "Collecting" | "Downloading" | "Using" | "Requirement" => {
            rest.starts_with(' ')
                && (holds(rest, "(")
                    || holds(rest, "==")
                    || holds(rest, ">=")
                    || rest.split(' ').count() == 2)
        }
        "Inst" | "Conf" | "Remv" => rest.starts_with(' ') && holds(rest, " ("),
        // Ansible.
        "ok" | "changed" | "skipping" | "fatal" | "included" => rest.starts_with(": ["),
        "TASK" | "PLAY" => begins(rest, &[" [", " RECAP"]) && rest.ends_with("***"),
        "Step" => number(rest.trim_start()).is_some_and(|(_, r)| r.starts_with('/')),
        "Reading" | "Building" => rest.ends_with("...") || rest.ends_with("Done"),
        "Pulling" | "Digest" | "Status" => rest.starts_with(" from ") || rest.starts_with(": "),
        _ => {
            rest.starts_with(": Pulling from ")
                || (first.len() == 12
                    && begins(
                        rest,
                        &[
                            ": Pull",
                            ": Waiting",
                            ": Download",
                            ": Extracting",
                            ": Verifying",
                            ": Already",
                            ": Pushed",
                        ],
                    ))
                || body.starts_with(" ---> ")
                || (body.starts_with('#')
                    && number(body.get(1..).unwrap_or_default())
                        .is_some_and(|(n, r)| n < 1000 && r.starts_with(' ')))
        }
    };
    is_step
        || holds(body, "████")
        || holds(body, "━━━━")
        || holds(body, "#####") && body.ends_with('%')
        || holds(body, "[=====")
        || holds(body, "=====>")
        || percent_bar(body)
}

/// ` 45%|███`, ` 45% [====`, `100%  1234  100  1234`
fn percent_bar(body: &str) -> bool {
    let bytes = body.as_bytes();
    [&b"9%"[..], b"99%", b"999%"].iter().any(|p| {
        looks_like(bytes, p)
            && bytes.get(p.len()).is_some_and(|b| matches!(b, b'|' | b' ' | b'['))
            && body.contains(['|', '[', '█'])
    })
}
