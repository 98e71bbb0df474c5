//! A configuration file: read, backed up, replaced in one step.
//!
//! The backup is the file as it was before our first edit, and stays beside it until we are taken out. Two of us never
//! edit at once; who else edits meanwhile is noticed, and nothing is written.

use super::EditError;
use crate::host::Deadline;
use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// So long one of us waits for another.
const PATIENCE: Duration = Duration::from_secs(5);
/// And so long between two looks.
const PAUSE: Duration = Duration::from_millis(20);

/// Largest configuration that is read.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// Held while configurations are edited.
#[derive(Debug)]
pub struct Lock(#[expect(dead_code, reason = "the lock is held as long as the file is open")] File);

impl Lock {
    /// Waits for whoever else of us edits.
    pub fn take(folder: &Path) -> Result<Lock, EditError> {
        let path = folder.join("install.lock");
        let failed =
            |error: std::io::Error| EditError(format!("cannot lock {}: {error}", path.display()));
        private_folder().create(folder).map_err(failed)?;
        // Windows locks only what is open for reading too.
        let file =
            File::options().read(true).create(true).append(true).open(&path).map_err(failed)?;
        let deadline = Deadline::after(PATIENCE);
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Lock(file)),
                Err(TryLockError::WouldBlock) if deadline.left() > Duration::ZERO => {
                    std::thread::sleep(PAUSE);
                }
                Err(TryLockError::WouldBlock) => {
                    let text = format!("{} is held by another installation", path.display());
                    return Err(EditError(text));
                }
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
        }
    }
}

/// Makes folders that only their owner can enter, as the store does: it is the same folder.
fn private_folder() -> fs::DirBuilder {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true);
    builder
}

/// A file as it was read.
#[derive(Clone, Debug)]
pub(super) struct Configuration {
    pub(super) path: PathBuf,
    /// `None` when there is no file.
    pub(super) text: Option<String>,
    /// Whether we stood in it already.
    pub(super) has_ours: bool,
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.file_name().map(OsString::from).unwrap_or_default();
    name.push(suffix);
    path.with_file_name(name)
}

/// Where the file was kept before our first edit.
pub(super) fn backup_path(path: &Path) -> PathBuf {
    beside(path, ".caveman-backup")
}

/// The file before our first edit; `None` when there was none.
pub(super) fn backup(path: &Path) -> Option<String> {
    fs::read_to_string(backup_path(path)).ok()
}

impl Configuration {
    pub(super) fn read(path: &Path) -> Result<Configuration, EditError> {
        let failed = |what: &str| EditError(format!("{}: {what}", path.display()));
        let text = match fs::metadata(path) {
            Ok(metadata) if !metadata.is_file() => return Err(failed("is not a file")),
            Ok(metadata) if metadata.len() > MAX_BYTES => return Err(failed("is too long")),
            Ok(_) => match fs::read(path) {
                Ok(bytes) => Some(String::from_utf8(bytes).map_err(|error| {
                    failed(&format!("is not UTF-8 at byte {}", error.utf8_error().valid_up_to()))
                })?),
                Err(error) => return Err(failed(&format!("cannot be read: {error}"))),
            },
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(failed(&format!("cannot be read: {error}"))),
        };
        Ok(Configuration { path: path.to_owned(), text, has_ours: false })
    }

    /// Replaces the file, or removes it. `true` when a backup was made.
    pub(super) fn write(&self, after: Option<&str>) -> Result<bool, EditError> {
        let failed = |what: String| EditError(format!("{}: {what}", self.path.display()));
        let error = |error: std::io::Error| failed(format!("cannot be written: {error}"));
        // Where it is a link, as in a folder of dotfiles, what it leads to is edited.
        let target = fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        let now = fs::read(&target).ok();
        if now.as_deref() != self.text.as_ref().map(String::as_bytes) {
            return Err(failed("has changed in the meantime; run this again".to_owned()));
        }
        if fs::metadata(&target).is_ok_and(|metadata| metadata.permissions().readonly()) {
            return Err(failed("is read-only; make it writable and run this again".to_owned()));
        }
        let Some(after) = after else {
            fs::remove_file(&target).map_err(error)?;
            self.forget_backup();
            return Ok(false);
        };
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder).map_err(error)?;
        }
        let is_first = !self.has_ours && self.text.is_some();
        if is_first && let Some(text) = &self.text {
            replace(&backup_path(&self.path), text, &target).map_err(error)?;
        }
        replace(&target, after, &target).map_err(error)?;
        if self.has_ours && backup(&self.path).as_deref() == Some(after) {
            self.forget_backup();
        }
        Ok(is_first)
    }

    /// Puts back what was read.
    pub(super) fn undo(&self) -> Result<(), EditError> {
        let error = |error: std::io::Error| {
            EditError(format!("{}: cannot be put back: {error}", self.path.display()))
        };
        let target = fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        match &self.text {
            Some(text) => replace(&target, text, &target).map_err(error)?,
            None => match fs::remove_file(&target) {
                Err(cause) if cause.kind() != ErrorKind::NotFound => return Err(error(cause)),
                _ => {}
            },
        }
        if !self.has_ours {
            self.forget_backup();
        }
        Ok(())
    }

    /// It is of no more use: that it is not there, or stays, harms nobody.
    fn forget_backup(&self) {
        drop(fs::remove_file(backup_path(&self.path)));
    }
}

/// Writes beside `path` and renames over it, with the permissions of `like`.
fn replace(path: &Path, text: &str, like: &Path) -> std::io::Result<()> {
    let temporary = beside(path, &format!(".caveman-{}.tmp", std::process::id()));
    let written = File::create(&temporary).and_then(|mut file| {
        if let Ok(metadata) = fs::metadata(like) {
            file.set_permissions(metadata.permissions())?;
        }
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    let renamed = written.and_then(|()| fs::rename(&temporary, path));
    if renamed.is_err() {
        // The cause is told; the rest of a file that could not be written is not worth a second one.
        drop(fs::remove_file(&temporary));
    }
    renamed
}
