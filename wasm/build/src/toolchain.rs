//! Which compiler builds for wasm32 here: rustup's target where it is installed, else Debian's compiler with its own
//! copy of the standard library's source.

use super::Outcome;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";

/// Debian's compiler, its cargo and the standard library's source, for a machine where rustup's target cannot be had.
const DEBIAN_PACKAGES: &str = "rustc-web rust-web-src cargo-web";
const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
const DEBIAN_CARGO: &str = "/usr/bin/cargo";
const DEBIAN_STD: &str = "/usr/lib/rustlib/src/rust/library";

/// Without reference types wasm-bindgen's output imports nothing and wasmtime needs no garbage collector.
const RUSTFLAGS: &str = "-Ctarget-feature=-reference-types";

/// A way to compile for wasm32.
pub(crate) enum Toolchain {
    /// `cargo` as it is, with an installed target.
    Rustup,
    /// Debian's compiler, building the standard library too.
    Debian {
        /// The linker.
        lld: PathBuf,
    },
}

impl Toolchain {
    /// The first way that works on this machine.
    pub(crate) fn find(root: &Path) -> Outcome<Toolchain> {
        let libraries =
            said(command("rustc", root).args(["--print", "target-libdir", "--target", TARGET]));
        if libraries.is_ok_and(|path| Path::new(&path).is_dir()) {
            return Ok(Toolchain::Rustup);
        }
        if ![DEBIAN_RUSTC, DEBIAN_CARGO, DEBIAN_STD].iter().all(|path| Path::new(path).exists()) {
            return Err(format!(
                "no compiler for {TARGET}: run scripts/setup, or `rustup target add {TARGET}`, \
                 or on Debian install {DEBIAN_PACKAGES}"
            ));
        }
        Ok(Toolchain::Debian { lld: lld(root)? })
    }

    /// Compiles the crate and gives the path of the module that cargo made.
    pub(crate) fn compile(&self, root: &Path) -> Outcome<PathBuf> {
        // A folder of its own: two compilers in one target folder would undo each other's work.
        let target_dir = target_dir(root).join("wasm-cargo");
        let mut cargo = match self {
            Toolchain::Rustup => command("cargo", root),
            Toolchain::Debian { lld } => {
                let mut cargo = command(DEBIAN_CARGO, root);
                cargo.env("RUSTC", DEBIAN_RUSTC).env("RUSTC_BOOTSTRAP", "1");
                cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", lld);
                cargo
            }
        };
        cargo.args(["build", "--quiet", "--package", "caveman-wasm", "--lib"]);
        cargo.args(["--profile", "wasm", "--target", TARGET, "--target-dir"]).arg(&target_dir);
        if matches!(self, Toolchain::Debian { .. }) {
            cargo.arg("-Zbuild-std=std,panic_abort");
        }
        cargo.env("RUSTFLAGS", RUSTFLAGS);
        let status =
            cargo.status().map_err(|e| format!("{}: {e}", cargo.get_program().display()))?;
        if !status.success() {
            return Err(format!("the compiler ended with {status}"));
        }
        Ok(target_dir.join(TARGET).join("wasm/caveman_wasm.wasm"))
    }
}

/// The linker for wasm: rustup's own, else Debian's.
fn lld(root: &Path) -> Outcome<PathBuf> {
    let rustup = said(command("rustc", root).args(["--print", "target-libdir"]));
    let beside = rustup.map(|libraries| Path::new(&libraries).join("../bin/rust-lld"));
    let debian = ["/usr/bin/rust-lld", "/usr/bin/wasm-ld"].map(PathBuf::from);
    beside.into_iter().chain(debian).find(|path| path.exists()).ok_or_else(|| {
        "no linker for wasm: neither rust-lld beside rustc nor in /usr/bin (Debian: package lld)".to_owned()
    })
}

/// Where cargo keeps what it compiles.
fn target_dir(root: &Path) -> PathBuf {
    #[expect(clippy::disallowed_methods, reason = "cargo's own variable, read by a build tool")]
    let named = std::env::var_os("CARGO_TARGET_DIR");
    root.join(named.unwrap_or_else(|| "target".into()))
}

/// A command in `root` that sees nothing of the cargo that runs this program.
fn command(program: &str, root: &Path) -> Command {
    #[expect(clippy::disallowed_methods, reason = "a build tool runs the compiler")]
    let mut command = Command::new(program);
    command.current_dir(root);
    for (name, _) in std::env::vars_os() {
        if is_of_outer_cargo(&name) {
            command.env_remove(name);
        }
    }
    command
}

/// Whether a variable was set by (or meant for) the outer cargo. Where registries and caches are is kept.
fn is_of_outer_cargo(name: &OsString) -> bool {
    let name = name.to_string_lossy();
    let kept = [
        "CARGO_HOME",
        "CARGO_NET_",
        "CARGO_HTTP_",
        "CARGO_REGISTRIES_",
        "CARGO_REGISTRY_",
        "CARGO_SOURCE_",
    ];
    let set_for_outer = ["RUSTC", "RUSTDOC", "RUSTFLAGS", "RUSTUP_TOOLCHAIN", "LD_LIBRARY_PATH"];
    set_for_outer.iter().any(|n| name == *n)
        || name.starts_with("RUSTC_")
        || (name.starts_with("CARGO") && !kept.iter().any(|n| name.starts_with(n)))
}

/// What a command says on its stdout, trimmed.
fn said(command: &mut Command) -> Outcome<String> {
    let name = command.get_program().display().to_string();
    let output = command.output().map_err(|e| format!("{name}: {e}"))?;
    if !output.status.success() {
        return Err(format!("{name}: {}", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
