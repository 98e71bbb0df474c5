//! opencode, `tool.execute.after`: its plugins change the result in place, so the plugin that `install` writes hands the
//! result over and takes what it is to become.
//!
//! ```text
//! stdin:  {"tool":"bash","args":{…},"output":{"title":…,"output":"320 lines …","metadata":{…}}}
//! stdout: {"title":…,"output":"8 lines","metadata":{…}}
//! ```

use super::shape::{self, Splice};
use super::shorten::{Shortener, Use};
use caveman_core::json::Value;

pub(super) fn answer(input: Value<'_>, shortener: &mut Shortener<'_>) -> Option<String> {
    let (tool, output) = (shape::text(input, "tool"), input.get("output")?);
    let arguments = input.get("args")?;
    let is_for = match tool.as_str() {
        "bash" | "grep" | "glob" | "list" | "webfetch" => Use::Output,
        "read" => Use::File,
        // What only an MCP result has.
        _ if output.get("content").is_some() && !shape::is_our_tool(&tool) => {
            let mut splice = Splice::default();
            shape::shorten_blocks(output, shortener, &mut splice)?;
            return splice.apply(output);
        }
        _ => return None,
    };
    let asks_for_part = shape::says(arguments, "offset") || shape::says(arguments, "limit");
    if shape::is_our_command(&shape::text(arguments, "command"))
        || (is_for == Use::File && asks_for_part)
    {
        return None;
    }
    let text = output.get("output")?;
    let shorter = shortener.shorten(&text.as_str()?, is_for)?;
    let mut splice = Splice::default();
    splice.text(text, &shorter);
    splice.apply(output)
}
