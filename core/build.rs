//! The tables of the token counter are made here and stand in read-only data. A wasm build carries only what takes long to
//! find, and makes the rest at the first count: see `src/tokens/tables.rs`.

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
    let out = told("OUT_DIR")?;
    let tables = tables::expand(&fs::read(VOCABULARY)?, &fs::read(CLASSES)?, None);
    let files = match told("CARGO_CFG_TARGET_ARCH")?.as_str() {
        "wasm32" => tables.found().to_vec(),
        _ => tables.named().to_vec(),
    };
    for (name, table) in files {
        fs::write(Path::new(&out).join(name), table)?;
    }
    Ok(())
}
