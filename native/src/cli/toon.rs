//! `toon encode` and `toon decode`.

use super::Failure;
use super::input::Source;

/// JSON to TOON and back.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Verb {
    /// JSON text to TOON text.
    Encode(Source),
    /// TOON text to JSON text.
    Decode(Source),
}

pub(super) fn run(verb: &Verb) -> Result<(), Failure> {
    let (Verb::Encode(source) | Verb::Decode(source)) = verb;
    let text = source.read_text()?;
    Err(Failure::bad_data(format!("TOON cannot be written yet ({} bytes)", text.len())))
}
