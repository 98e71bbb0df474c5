//! From cargo's module to the artifact: web glue by wasm-bindgen, and the proof that the module imports nothing.

use super::{NAME, Outcome, sections};
use std::fs;
use std::path::Path;
use wasm_bindgen_cli_support::Bindgen;

/// Writes the artifact that stands for `compiled` into `out`: the module, its glue and its types.
pub(crate) fn process(compiled: &Path, out: &Path) -> Outcome<()> {
    let module = fs::read(compiled).map_err(|e| format!("{}: {e}", compiled.display()))?;
    let module = sections::without_feature(&module, "reference-types")?;
    // The module is looked at before it stands where others find it.
    let fresh = out.with_extension("new");
    drop(fs::remove_dir_all(&fresh));
    Bindgen::new()
        .input_bytes(NAME, module)
        .out_name(NAME)
        .typescript(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .reset_state_function(true)
        .web(true)
        .and_then(|bindgen| bindgen.generate(&fresh))
        .map_err(|e| format!("wasm-bindgen: {e:#}"))?;
    encode_at_once(&fresh.join(format!("{NAME}.js")))?;
    let artifact = fresh.join(format!("{NAME}_bg.wasm"));
    let module = fs::read(&artifact).map_err(|e| format!("{}: {e}", artifact.display()))?;
    match sections::n_imports(&module)? {
        0 => {}
        n => {
            return Err(format!(
                "the module imports {n} things; exports may take and return only bytes, strings and numbers"
            ));
        }
    }
    drop(fs::remove_dir_all(out));
    fs::rename(&fresh, out).map_err(|e| format!("{}: {e}", out.display()))
}

/// Has the glue hand over texts through the engine's own UTF-8 encoder. As it is made it copies ASCII character by character, in
/// JavaScript, which takes a third of the time of recoding a document; given no `realloc` it encodes at once.
fn encode_at_once(glue: &Path) -> Outcome<()> {
    const FROM: &str = ", wasm.__wbindgen_malloc, wasm.__wbindgen_realloc)";
    const TO: &str = ", wasm.__wbindgen_malloc)";
    const WITHOUT: &str = "if (realloc === undefined) {";
    let text = fs::read_to_string(glue).map_err(|e| format!("{}: {e}", glue.display()))?;
    if !text.contains(FROM) || !text.contains(WITHOUT) {
        return Err("the glue hands over texts in another way than it did".to_owned());
    }
    fs::write(glue, text.replace(FROM, TO)).map_err(|e| format!("{}: {e}", glue.display()))
}
