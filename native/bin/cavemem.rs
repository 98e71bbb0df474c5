//! The binary `cavemem`: durable memories, as an MCP server and as a command.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    caveman_native::cli::cavemem::run()
}
