//! What a person at a terminal sees, and what nobody sees who is not there.

use crate::harness::{Home, Process, log};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::File;
use std::io::Read;
use std::process::{Command, Stdio};

/// Runs a command with stdout and stderr at a terminal of its own, and gives what that shows.
fn at_terminal(mut command: Command) -> (String, Option<i32>) {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&ours).unwrap();
    unlockpt(&ours).unwrap();
    let name = ptsname(&ours, Vec::new()).unwrap();
    let open = || File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    command.stdin(Stdio::null()).stdout(open()).stderr(open());
    let process = Process::start(command);
    // The terminal's end is an error to its reader, once nobody has it open any more.
    let mut shown = Vec::new();
    drop(File::from(ours).read_to_end(&mut shown));
    (String::from_utf8_lossy(&shown).into_owned(), process.wait().code())
}

#[test]
fn at_a_terminal_there_is_colour_and_a_line_about_it() {
    let home = Home::new();
    std::fs::write(home.path("app.log"), log(1)).unwrap();
    let (shown, status) = at_terminal(home.caveman(&["compress", "app.log"]));
    assert_eq!(status, Some(0), "{shown}");
    assert!(shown.contains("\u{1b}[36m[caveman: "), "{shown}");
    assert!(
        shown.contains("tokens, ") && shown.contains("% saved (inferred); original ccr_"),
        "{shown}"
    );
    for (name, value) in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        let mut command = home.caveman(&["compress", "app.log"]);
        command.env(name, value);
        let (shown, _) = at_terminal(command);
        assert!(!shown.contains('\u{1b}') && shown.contains("% saved"), "{name}: {shown}");
    }
    let piped = home.run(&["compress", "app.log"], b"");
    assert!(!piped.text().contains('\u{1b}') && piped.stderr().is_empty(), "{piped}");
    let (help, _) = at_terminal({
        let mut command = home.caveman(&["compress", "--help"]);
        command.env("NO_COLOR", "1");
        command
    });
    assert!(!help.contains('\u{1b}') && help.contains("Usage:"), "{help}");
}

#[test]
fn a_long_payload_is_read_with_a_bar() {
    let home = Home::new();
    let line = "every line is the same and there are very many of them in this file\n";
    std::fs::write(home.path("long.txt"), line.repeat((16 << 20) / line.len())).unwrap();
    let (shown, status) = at_terminal(home.caveman(&["detect", "long.txt"]));
    assert_eq!(status, Some(0), "{shown}");
    assert!(shown.contains(" of 15 MiB") && shown.contains("\r\u{1b}[K"), "{shown}");
    std::fs::write(home.path("short.txt"), line.repeat(1000)).unwrap();
    let (shown, _) = at_terminal(home.caveman(&["detect", "short.txt"]));
    assert!(!shown.contains("MiB"), "{shown}");
    assert_eq!(home.run(&["detect", "long.txt"], b"").stderr(), "");
}

#[test]
fn an_interrupt_ends_a_command_at_once() {
    let home = Home::new();
    let mut command = home.caveman(&["compress"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let process = Process::start(command);
    let id = rustix::process::Pid::from_raw(i32::try_from(process.id()).unwrap()).unwrap();
    rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
    use std::os::unix::process::ExitStatusExt;
    assert_eq!(process.wait().signal(), Some(2));
}

#[test]
fn a_host_that_gives_its_hook_a_terminal_hears_nothing() {
    let home = Home::new();
    let mut command = home.caveman(&["hook", "nonsense"]);
    command.env("NO_COLOR", "1");
    let (shown, status) = at_terminal(command);
    assert_eq!((shown.as_str(), status), ("", Some(0)), "stdin is what tells a host from a person");
}
