//! Reading a payload from a file or from stdin, in bounded memory.

use super::Failure;
use super::progress::Progress;
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

/// The largest payload that is read whole; a longer one is a stream.
pub(super) const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// Where a payload comes from.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct Source {
    /// The file to read; `-` or nothing for stdin.
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
}

/// A payload, or the beginning of one that is too long.
pub(super) enum Payload {
    /// All of it.
    Whole(Vec<u8>),
    /// More than [`MAX_BYTES`]: what was read, and the rest still to be read.
    Long(Vec<u8>, Box<dyn Read>),
}

impl Source {
    /// Reads up to the limit.
    pub(super) fn read(&self) -> Result<Payload, Failure> {
        let mut reader = self.open()?;
        let mut payload = Vec::new();
        let read = reader.by_ref().take(MAX_BYTES + 1).read_to_end(&mut payload);
        read.map_err(|error| self.unread(&error))?;
        if payload.len() as u64 > MAX_BYTES {
            return Ok(Payload::Long(payload, reader));
        }
        Ok(Payload::Whole(payload))
    }

    /// Reads all of a payload that must be text.
    pub(super) fn read_text(&self) -> Result<String, Failure> {
        match self.read()? {
            Payload::Whole(bytes) => self.text(bytes),
            Payload::Long(..) => {
                Err(Failure::bad_data(format!("{} is longer than 64 MiB", self.name())))
            }
        }
    }

    /// Reads all of a text, however long.
    pub(super) fn read_all_text(&self) -> Result<String, Failure> {
        let mut bytes = Vec::new();
        self.open()?.read_to_end(&mut bytes).map_err(|error| self.unread(&error))?;
        self.text(bytes)
    }

    /// Bytes of this source as text.
    pub(super) fn text(&self, bytes: Vec<u8>) -> Result<String, Failure> {
        String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            Failure::bad_data(format!("{} is not UTF-8 at byte {at}", self.name()))
        })
    }

    /// That this source could not be read.
    pub(super) fn unread(&self, error: &io::Error) -> Failure {
        Failure::failed(format!("cannot read {}: {error}", self.name()))
    }

    fn open(&self) -> Result<Box<dyn Read>, Failure> {
        match &self.file {
            Some(path) if path != Path::new("-") => {
                let file = File::open(path).map_err(|error| self.unread(&error))?;
                let n_bytes = file.metadata().ok().filter(|m| m.is_file()).map(|m| m.len());
                Ok(Box::new(Progress::new(file, n_bytes)))
            }
            _ => {
                if io::stdin().is_terminal() {
                    crate::log::warn(format_args!("reading from the terminal; end with Ctrl-D"));
                }
                Ok(Box::new(Progress::new(io::stdin().lock(), None)))
            }
        }
    }

    fn name(&self) -> String {
        match &self.file {
            Some(path) if path != Path::new("-") => path.display().to_string(),
            _ => "stdin".to_owned(),
        }
    }
}
