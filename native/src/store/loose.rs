//! Loose originals: what a host without SQLite (JavaScript on an older Node) keeps beside the database.
//!
//! `objects/<hh>/<digits>`, where `digits` are the 32 hexadecimal digits of the handle and `hh` the first two of them, as in
//! git. The content is the original, nothing else. We only read them: a handle that such a host disclosed resolves here too.

use caveman_core::store::Handle;
use std::fs;
use std::io::{ErrorKind, Result};
use std::path::{Path, PathBuf};

/// Where the loose original of `handle` would lie; `folder` is that of the database.
pub(super) fn path(folder: &Path, handle: Handle) -> PathBuf {
    let name = handle.to_string();
    let digits = name.trim_start_matches("ccr_");
    folder.join("objects").join(digits.get(..2).unwrap_or_default()).join(digits)
}

/// The bytes of a loose original, not yet checked; `None` when there is none. A symbolic link is none of ours.
pub(super) fn read(folder: &Path, handle: Handle) -> Result<Option<Vec<u8>>> {
    let path = path(folder, handle);
    match fs::symlink_metadata(&path) {
        Ok(found) if found.is_file() => fs::read(&path).map(Some),
        Ok(_) => Ok(None),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}
