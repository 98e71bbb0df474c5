//! `cargo wasm`: builds the one wasm artifact into `target/wasm`, or finds it up to date.
//!
//! ```text
//! toolchain -> cargo build (profile wasm) -> features -> wasm-bindgen (web glue) -> import list is empty -> target/wasm
//! ```
#![expect(clippy::print_stderr, reason = "a build tool talks on stderr")]

mod post;
mod sections;
mod toolchain;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Base name of the artifact's files: `caveman_core_bg.wasm`, `caveman_core.js`, `caveman_core.d.ts`.
const NAME: &str = "caveman_core";

/// What went wrong, in one line for the terminal.
type Outcome<T> = Result<T, String>;

fn main() -> ExitCode {
    match build() {
        Ok(artifact) => {
            eprintln!("{}", artifact.display());
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

/// Brings `target/wasm` up to date and gives the path of its `.wasm`.
fn build() -> Outcome<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let root = root.canonicalize().map_err(|e| format!("{}: {e}", root.display()))?;
    let compiled = toolchain::Toolchain::find(&root)?.compile(&root)?;
    let out = root.join("target/wasm");
    let artifact = out.join(format!("{NAME}_bg.wasm"));
    if !is_newer(&artifact, &compiled) {
        post::process(&compiled, &out)?;
    }
    Ok(artifact)
}

/// Whether `artifact` was made after `compiled` and after this program.
fn is_newer(artifact: &Path, compiled: &Path) -> bool {
    let modified = |path: &Path| path.metadata().and_then(|m| m.modified()).ok();
    let this_program = std::env::current_exe().ok().and_then(|path| modified(&path));
    match (modified(artifact), modified(compiled), this_program) {
        (Some(artifact), Some(compiled), Some(program)) => {
            artifact > compiled && artifact > program
        }
        _ => false,
    }
}
