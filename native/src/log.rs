//! Lines on stderr, as many as `CAVEMAN_LOG` wants. stdout belongs to payloads and to the protocol.

use crate::settings::Level;
use std::fmt::Arguments;
use std::io::Write;
use std::sync::OnceLock;

static LEVEL: OnceLock<Level> = OnceLock::new();
static PROGRAM: OnceLock<&str> = OnceLock::new();

/// Sets the name that stands before each line, once per process.
pub fn set_program(name: &'static str) {
    PROGRAM.get_or_init(|| name);
}

/// The name that stands before each line. Default: `caveman-mcp`.
pub fn program() -> &'static str {
    PROGRAM.get().copied().unwrap_or("caveman-mcp")
}

/// Sets the level, once per process; what is said before it is set is said at [`Level::Warn`].
pub fn set_level(level: Level) {
    LEVEL.get_or_init(|| level);
}

/// What failed.
pub fn error(text: Arguments<'_>) {
    say(Level::Error, text);
}

/// What was worked around.
pub fn warn(text: Arguments<'_>) {
    say(Level::Warn, text);
}

/// What was done.
pub fn info(text: Arguments<'_>) {
    say(Level::Info, text);
}

/// What every request does.
pub fn debug(text: Arguments<'_>) {
    say(Level::Debug, text);
}

fn say(level: Level, text: Arguments<'_>) {
    let wanted = LEVEL.get().copied().unwrap_or(Level::Warn);
    if level > wanted {
        return;
    }
    // One write, so that lines of several processes do not mix. Where stderr is closed there is nobody to tell.
    drop(std::io::stderr().write_all(format!("{}: {text}\n", program()).as_bytes()));
}
