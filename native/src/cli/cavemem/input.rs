//! A text from the command line or from stdin.

use crate::cli::Failure;
use crate::cli::input::Source;
use caveman_core::memory;

/// Where a text comes from.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub(super) struct Text {
    /// The text.
    text: Option<String>,
    /// Read the text from stdin.
    #[arg(long)]
    stdin: bool,
}

impl Text {
    /// The text as it was given.
    pub(super) fn read(&self) -> Result<String, Failure> {
        match &self.text {
            Some(text) => Ok(text.clone()),
            None => Source::default().read_text(),
        }
    }

    /// The text that is kept of it.
    pub(super) fn read_memory(&self) -> Result<String, Failure> {
        let text = self.read()?;
        Ok(memory::text(&text)?.to_owned())
    }
}
