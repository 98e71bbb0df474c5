//! Putting the server, and the hook, into the configuration of a host, and taking them out again.
//!
//! ```text
//! hosts   which file, which key, which form, for each host
//! jsonc   an edit of JSON with comments, by span
//! toml    one table of a TOML document
//! file    lock, backup, temporary file, rename
//! probe   the very command that was written: handshake, compress, retrieve
//! doctor  what is wrong, in one line each
//! ```
//! Every byte of the file that is not ours stays. A file that cannot be read as what it is meant to be is not touched.

mod diff;
mod doctor;
mod file;
mod hosts;
mod jsonc;
mod probe;
mod toml;

pub use doctor::{Finding, examine};
pub use file::Lock;
pub use hosts::{ALL, Host, Scope};
pub use probe::{Probe, probe};

use crate::settings::Places;
use file::Configuration;
use hosts::Change;
use std::fmt;
use std::path::{Path, PathBuf};

/// Why a file was not changed: what is wrong with it, then what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditError(String);

impl EditError {
    fn broken(what: String) -> EditError {
        EditError(what)
    }

    fn at(self, path: &Path) -> EditError {
        EditError(format!("{}: {}", path.display(), self.0))
    }
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for EditError {}

/// A server as a host's configuration has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// The program.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Whether the host is told not to start it.
    pub is_off: bool,
}

/// What to write, and where.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The host.
    pub host: &'static Host,
    /// For the user or for the project in the current folder. Default: the user.
    pub scope: Scope,
    /// The program that the host is to start, an absolute path.
    pub command: PathBuf,
    /// Whether the hook goes in too. Default: no.
    pub hook: Hook,
}

/// Whether the host's post-tool hook is part of a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hook {
    /// Only the server.
    #[default]
    Without,
    /// The server and the hook.
    With,
}

/// One file as it was and as it is to be.
#[derive(Clone, Debug)]
pub struct Edited {
    configuration: Configuration,
    after: Option<String>,
}

impl Edited {
    /// The file.
    pub fn path(&self) -> &Path {
        &self.configuration.path
    }

    /// Whether there is nothing to do.
    pub fn is_unchanged(&self) -> bool {
        self.configuration.text == self.after
    }

    /// Whether the file goes.
    pub fn is_removal(&self) -> bool {
        self.after.is_none() && !self.is_unchanged()
    }

    /// The difference, as lines that begin with ` `, `-` and `+`.
    pub fn diff(&self) -> String {
        let before = self.configuration.text.as_deref().unwrap_or_default();
        diff::of(self.path(), before, self.after.as_deref().unwrap_or_default())
    }

    /// Writes it. `true` when a backup was made.
    pub fn write(&self) -> Result<bool, EditError> {
        self.configuration.write(self.after.as_deref())
    }

    /// Puts back what was there.
    pub fn undo(&self) -> Result<(), EditError> {
        self.configuration.undo()
    }
}

/// What putting it in changes, file by file. Changes nothing.
pub fn install(plan: &Plan, places: &Places) -> Result<Vec<Edited>, EditError> {
    let changes = plan.host.changes(plan, places)?;
    let put = |change: &Change, text: &str| change.put(text, plan);
    edited(changes, |change, before| put(change, before.unwrap_or_default()).map(Some))
}

/// What taking it out changes, hook included. Changes nothing.
pub fn uninstall(plan: &Plan, places: &Places) -> Result<Vec<Edited>, EditError> {
    let plan = Plan { hook: Hook::With, ..plan.clone() };
    let changes = plan.host.changes(&plan, places)?;
    edited(changes, |change, text| {
        let Some(text) = text else { return Ok(None) };
        let once = file::backup(&change.path).unwrap_or_default();
        let rest = change.remove(text, &once)?;
        // What was made for us and holds nothing else goes.
        let is_ours =
            file::backup(&change.path).is_none() && rest != text && change.is_nothing(&rest);
        Ok((!is_ours).then_some(rest))
    })
}

/// Files with several changes are read and written once.
fn edited(
    changes: Vec<Change>,
    apply: impl Fn(&Change, Option<&str>) -> Result<Option<String>, EditError>,
) -> Result<Vec<Edited>, EditError> {
    let mut out: Vec<Edited> = Vec::new();
    for change in changes {
        if !out.iter().any(|edited| edited.path() == change.path) {
            let configuration = Configuration::read(&change.path)?;
            let after = configuration.text.clone();
            out.push(Edited { configuration, after });
        }
        let Some(edited) = out.iter_mut().find(|edited| edited.path() == change.path) else {
            continue;
        };
        let text = edited.configuration.text.as_deref();
        edited.configuration.has_ours |=
            text.is_some_and(|text| change.remove(text, "").is_ok_and(|rest| rest != text));
        edited.after =
            apply(&change, edited.after.as_deref()).map_err(|error| error.at(&change.path))?;
    }
    Ok(out)
}
