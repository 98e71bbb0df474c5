//! Builds the one wasm artifact into `target/wasm`, or finds it up to date.
//!
//! ```text
//! toolchain -> cargo build (profile wasm) -> features -> wasm-bindgen (web glue) -> import list is empty -> target/wasm
//! ```

mod post;
mod sections;
mod toolchain;

use std::path::{Path, PathBuf};

/// Base name of the artifact's files: `caveman_core_bg.wasm`, `caveman_core.js`, `caveman_core.d.ts`.
const NAME: &str = "caveman_core";

/// What went wrong, in one line for the terminal.
pub type Outcome<T> = Result<T, String>;

/// Brings `target/wasm` up to date and gives the path of its `.wasm`.
pub fn build() -> Outcome<PathBuf> {
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
