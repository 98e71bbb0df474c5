//! Writing to stdout. A reader that goes away (`| head`) is an ordinary end, not a failure.

use super::Failure;
use crate::settings::Settings;
use caveman_core::engine::Answer;
use std::io::{self, ErrorKind, IsTerminal, Read, Write};

/// Writes a payload as it is; only at a terminal its last line is ended, so that the prompt does not stand in it.
pub(super) fn payload(bytes: &[u8]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    if stdout.is_terminal() && !bytes.ends_with(b"\n") {
        return settle(stdout.write_all(&[bytes, b"\n"].concat()));
    }
    settle(stdout.write_all(bytes).and_then(|()| stdout.flush()))
}

/// Writes an output at a terminal, its markers in colour.
pub(super) fn marked(answer: &Answer<'_>, settings: &Settings) -> Result<(), Failure> {
    let (Ok(text), true) = (std::str::from_utf8(&answer.output), settings.color) else {
        return payload(&answer.output);
    };
    let (mut out, mut at) = (String::with_capacity(text.len() + 1024), 0);
    for run in &answer.elided {
        let (start, end) = (run.marker.start as usize, run.marker.end as usize);
        let (Some(before), Some(marker)) = (text.get(at..start), text.get(start..end)) else {
            break;
        };
        out.push_str(&format!("{before}\u{1b}[36m{marker}\u{1b}[0m"));
        at = end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    payload(out.as_bytes())
}

/// Writes text of our own, ending its last line.
pub(super) fn text(text: &str) -> Result<(), Failure> {
    let end = if text.ends_with('\n') { "" } else { "\n" };
    payload(format!("{text}{end}").as_bytes())
}

/// Writes what was read, then everything that is still to be read.
pub(super) fn stream(head: &[u8], rest: &mut dyn Read) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(head);
    settle(written.and_then(|()| io::copy(rest, &mut stdout)).and_then(|_| stdout.flush()))
}

/// Whether a person looks at stdout.
pub(super) fn is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// A line for the person at the terminal, on stderr.
pub(super) fn summary(text: &str) {
    // Where stderr is closed there is nobody to tell.
    drop(io::stderr().write_all(format!("{}: {text}\n", crate::log::program()).as_bytes()));
}

/// The outcome of writing.
pub(super) fn settle(outcome: io::Result<()>) -> Result<(), Failure> {
    match outcome {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        outcome => outcome.map_err(|error| Failure::failed(format!("cannot write: {error}"))),
    }
}

/// A number with its thousands apart: `12,345`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
    }
}
