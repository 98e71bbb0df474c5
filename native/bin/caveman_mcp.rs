//! The binary `caveman-mcp`: the MCP server and the command line.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    caveman_native::cli::run()
}
