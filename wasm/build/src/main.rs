//! `cargo wasm`: builds the one wasm artifact and says where it is.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a build tool talks to a terminal")]

use std::process::ExitCode;

fn main() -> ExitCode {
    match caveman_wasm_build::build() {
        Ok(artifact) => {
            println!("{}", artifact.display());
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}
