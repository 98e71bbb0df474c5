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
    change(&fresh.join(format!("{NAME}.js")))?;
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

/// What the glue is made to do otherwise. As it is made it hands over ASCII character by character in JavaScript, and reads
/// ASCII as the UTF-8 that it might be: together as long as recoding a document takes.
const CHANGES: &[(&str, &str)] = &[
    // Texts are encoded straight into the memory, by the engine's own encoder; what does not fit makes room.
    (
        "    for (; offset < len; offset++) {
        const code = arg.charCodeAt(offset);
        if (code > 0x7F) break;
        mem[ptr + offset] = code;
    }
    if (offset !== len) {
        if (offset !== 0) {
            arg = arg.slice(offset);
        }
",
        "    const begun = cachedTextEncoder.encodeInto(arg, mem.subarray(ptr, ptr + len));
    offset = begun.written;
    if (begun.read !== len) {
        arg = arg.slice(begun.read);
",
    ),
    // Node.js says at once whether bytes are ASCII, and takes those as they are.
    (
        "function decodeText(bytes) {
",
        "const { Buffer: NodeBuffer, isAscii } = globalThis.process?.getBuiltinModule?.('node:buffer') ?? {};
function decodeText(bytes) {
    if (isAscii?.(bytes)) return NodeBuffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
",
    ),
];

/// Changes the glue; fails when it is not what it was.
fn change(glue: &Path) -> Outcome<()> {
    let mut text = fs::read_to_string(glue).map_err(|e| format!("{}: {e}", glue.display()))?;
    for (from, to) in CHANGES {
        if text.matches(from).count() != 1 {
            return Err(format!("the glue is made in another way than it was: no single {from:?}"));
        }
        text = text.replace(from, to);
    }
    fs::write(glue, text).map_err(|e| format!("{}: {e}", glue.display()))
}
