//! `--version`: which build this is.

use super::{Failure, output};
use caveman_core::mcp::{self, Object};
use caveman_core::tokens;

pub(super) fn print(json: bool) -> Result<(), Failure> {
    let (name, version) = ("caveman-mcp", env!("CARGO_PKG_VERSION"));
    if !json {
        return output::text(&format!("{name} {version}"));
    }
    let revisions: Vec<String> = std::iter::once(mcp::MODERN)
        .chain(mcp::HANDSHAKES.iter().copied())
        .map(|revision| format!("\"{revision}\""))
        .collect();
    let line = Object::new()
        .text("name", name)
        .text("version", version)
        .raw("protocol_versions", &format!("[{}]", revisions.join(",")))
        .text("token_count_basis", tokens::BASIS)
        .text("sqlite", rusqlite::version())
        .text("os", std::env::consts::OS)
        .text("arch", std::env::consts::ARCH);
    output::text(&line.finish())
}
