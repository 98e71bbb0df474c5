//! Natively, the tables of the token counter are made here and stand in read-only data. For wasm they are made at the
//! first count: see `src/tokens/tables.rs`.

extern crate alloc;

#[path = "src/tokens/tables.rs"]
mod tables;

use std::path::Path;
use std::{env, fs, io};

const VOCABULARY: &str = "src/tokens/vocabulary/o200k_base.pairs";
const CLASSES: &str = "src/tokens/vocabulary/unicode-16.0.classes";

#[expect(
    clippy::disallowed_methods,
    reason = "cargo speaks to a build script through the environment"
)]
fn main() -> io::Result<()> {
    for input in ["build.rs", "src/tokens/tables.rs", VOCABULARY, CLASSES] {
        println!("cargo::rerun-if-changed={input}");
    }
    let told = |name| env::var(name).map_err(io::Error::other);
    if told("CARGO_CFG_TARGET_ARCH")? == "wasm32" {
        return Ok(());
    }
    let out = told("OUT_DIR")?;
    let tables = tables::expand(&fs::read(VOCABULARY)?, &fs::read(CLASSES)?);
    for (name, table) in tables.named() {
        fs::write(Path::new(&out).join(name), table)?;
    }
    Ok(())
}
