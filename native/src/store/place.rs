//! Where the database lies on disk, and whether that place may be trusted with originals.
//!
//! Originals are kept in clear, so the place must be this user's alone: a folder that does not exist is created 0700, the
//! file 0600. A folder of ours that others may write is repaired; what belongs to somebody else is refused, and so is a
//! symbolic link in place of the file (whoever planted it would choose where originals go). The folder itself may be
//! reached through links: it is resolved once, and only the resolved path is used.

use caveman_core::store::{StoreError, StoreErrorKind};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What SQLite keeps beside the database.
const SIDE_FILES: [&str; 3] = ["-wal", "-shm", "-journal"];

/// The smallest page that SQLite knows, in bytes; a database has at least one (its file format, section 1.3).
const SMALLEST: u64 = 512;

/// How a database of ours is called in messages.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Name {
    /// `recovery store`.
    pub(crate) noun: &'static str,
    /// The variable that says where it lies.
    pub(crate) variable: &'static str,
    /// The command that looks for damage.
    pub(crate) check: &'static str,
}

/// A checked place. [`Place::is_unchanged`] tells later whether the same file still stands there.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The database, its folder resolved.
    pub(crate) file: PathBuf,
    /// The folder of the database, resolved.
    pub(super) folder: PathBuf,
    /// How the database is called.
    pub(crate) name: &'static Name,
    asked: PathBuf,
    identity: Option<Identity>,
}

/// What to do when there is no database yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IfAbsent {
    /// Create it, and its folder.
    Create,
    /// Leave the disk as it is and say so.
    Fail,
}

/// Checks, repairs and, where asked, creates the place of the database `path`.
pub(super) fn prepare(
    path: &Path,
    if_absent: IfAbsent,
    name: &'static Name,
) -> Result<Place, StoreError> {
    let Some(file_name) = path.file_name() else {
        return Err(name.refused(path, "does not name a file"));
    };
    let parent = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if if_absent == IfAbsent::Create {
        create_folder(parent).map_err(|error| name.failed("create the folder", parent, &error))?;
    }
    let folder =
        mode::resolve(parent).map_err(|error| name.failed("find the folder", parent, &error))?;
    let is_home = folder.file_name().is_some_and(|name| name == ".caveman");
    check_folder(&folder, is_home, name)?;

    let file = folder.join(file_name);
    if if_absent == IfAbsent::Create {
        create_file(&file).map_err(|error| name.failed("create the database", &file, &error))?;
    }
    let found = fs::symlink_metadata(&file).map_err(|error| name.failed("find", &file, &error))?;
    check_file(&file, &found, name)?;
    // SQLite takes a file shorter than any database for a new one, and would write over it.
    if (1..SMALLEST).contains(&found.len()) {
        return Err(name.refused(&file, "is not an SQLite database; move it away"));
    }
    for suffix in SIDE_FILES {
        let mut side = file.clone().into_os_string();
        side.push(suffix);
        let side = PathBuf::from(side);
        // A side file may go at any moment: whoever closes the database last removes it.
        if let Ok(found) = fs::symlink_metadata(&side) {
            check_file(&side, &found, name)?;
        }
    }
    let identity = identity(&file);
    Ok(Place { file, folder, asked: parent.join(file_name), identity, name })
}

/// Whether the database `path`, which is not there yet, may be created: nothing is, to find out.
pub(super) fn check_absent(path: &Path, name: &'static Name) -> Result<(), StoreError> {
    let folders = path.ancestors().skip(1).map(|folder| match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    });
    let Some(nearest) = folders.into_iter().find(|folder| folder.exists()) else { return Ok(()) };
    mode::check_writable(nearest)
        .map_err(|error| name.failed("create the database in", nearest, &error))
}

impl Place {
    /// That of a database in memory.
    pub(crate) fn nowhere(name: &'static Name) -> Place {
        let (file, asked) = (PathBuf::from(":memory:"), PathBuf::new());
        Place { file, folder: PathBuf::new(), name, asked, identity: None }
    }

    /// Whether the path that was asked for, and the one it was resolved to, still lead to the file that was checked: neither
    /// it nor a folder or link on the way was deleted or swapped.
    pub(crate) fn is_unchanged(&self) -> bool {
        self.identity.is_some()
            && identity(&self.asked) == self.identity
            && identity(&self.file) == self.identity
    }
}

impl Name {
    fn refused(&self, path: &Path, why: &str) -> StoreError {
        let detail = format!("the {} {} {why}", self.noun, path.display());
        StoreError::new(StoreErrorKind::Unavailable, detail)
    }

    fn failed(&self, what: &str, path: &Path, error: &io::Error) -> StoreError {
        let kind = match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => StoreErrorKind::Full,
            _ => StoreErrorKind::Unavailable,
        };
        StoreError::new(
            kind,
            format!("cannot {what} {} of the {}: {error}", path.display(), self.noun),
        )
    }
}

/// An empty file, mode 0600, unless there is something of that name already. SQLite gives its side files the same mode.
fn create_file(file: &Path) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    mode::private_file(&mut options);
    match options.open(file) {
        // Whatever stands there is judged by `check_file`; on read-only media the error has another kind.
        Err(_) if file.symlink_metadata().is_ok() => Ok(()),
        outcome => outcome.map(drop),
    }
}

fn create_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    mode::private_folder(&mut builder);
    builder.create(folder)
}

fn check_folder(folder: &Path, is_home: bool, name: &Name) -> Result<(), StoreError> {
    let found =
        fs::metadata(folder).map_err(|error| name.failed("read the folder", folder, &error))?;
    if !found.is_dir() {
        return Err(name.refused(folder, "does not lie in a folder"));
    }
    mode::check_folder(folder, &found, is_home, name)
}

fn check_file(file: &Path, found: &fs::Metadata, name: &Name) -> Result<(), StoreError> {
    if found.is_symlink() {
        let why = format!("is a symbolic link: name the file itself in {}", name.variable);
        return Err(name.refused(file, &why));
    }
    if !found.is_file() {
        return Err(name.refused(file, "is not a regular file"));
    }
    mode::check_file(file, found, name)
}

use mode::{Identity, identity};

#[cfg(unix)]
mod mode {
    //! Owners and modes, where the system has them.

    use super::{Name, StoreError};
    use ErrorKind::{NotFound, ReadOnlyFilesystem};
    use std::fs::{self, DirBuilder, Metadata, OpenOptions, Permissions};
    use std::io::ErrorKind;
    use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
    use std::path::{Path, PathBuf};

    const WRITABLE_BY_OTHERS: u32 = 0o022;
    const STICKY: u32 = 0o1000;

    /// Device and inode.
    pub(super) type Identity = (u64, u64);

    pub(super) fn resolve(folder: &Path) -> std::io::Result<PathBuf> {
        folder.canonicalize()
    }

    pub(super) fn identity(path: &Path) -> Option<Identity> {
        fs::symlink_metadata(path).ok().map(|found| (found.dev(), found.ino()))
    }

    pub(super) fn private_file(options: &mut OpenOptions) {
        options.mode(0o600);
    }

    pub(super) fn private_folder(builder: &mut DirBuilder) {
        builder.mode(0o700);
    }

    pub(super) fn check_folder(
        folder: &Path,
        found: &Metadata,
        is_home: bool,
        name: &Name,
    ) -> Result<(), StoreError> {
        check_owner(folder, found, name)?;
        let mode = found.mode();
        // A sticky folder (/tmp) is shared on purpose: others may write there, but not touch files that are ours.
        if mode & WRITABLE_BY_OTHERS == 0 || mode & STICKY != 0 {
            return Ok(());
        }
        // A folder that the user chose for the database may hold more than ours: only the right to write is taken away.
        let repaired = if is_home { 0o700 } else { mode & 0o7777 & !WRITABLE_BY_OTHERS };
        set_mode(folder, repaired, name)
    }

    pub(super) fn check_writable(folder: &Path) -> std::io::Result<()> {
        use rustix::fs::Access;
        Ok(rustix::fs::access(folder, Access::WRITE_OK | Access::EXEC_OK)?)
    }

    pub(super) fn check_file(file: &Path, found: &Metadata, name: &Name) -> Result<(), StoreError> {
        check_owner(file, found, name)?;
        if found.mode() & 0o077 == 0 { Ok(()) } else { set_mode(file, 0o600, name) }
    }

    fn check_owner(path: &Path, found: &Metadata, name: &Name) -> Result<(), StoreError> {
        let us = rustix::process::geteuid().as_raw();
        if found.uid() == us {
            return Ok(());
        }
        let why = format!("belongs to user {}, not to user {us} who runs this", found.uid());
        Err(name.refused(path, &why))
    }

    fn set_mode(path: &Path, mode: u32, name: &Name) -> Result<(), StoreError> {
        match fs::set_permissions(path, Permissions::from_mode(mode)) {
            // On media that nobody can write the mode does no harm, and a side file may just have gone.
            Err(error) if matches!(error.kind(), ReadOnlyFilesystem | NotFound) => Ok(()),
            outcome => outcome.map_err(|error| name.failed("repair the mode of", path, &error)),
        }
    }
}

#[cfg(windows)]
mod mode {
    //! There are no modes: what is created inherits the access list of its folder, in a user's profile that of this user,
    //! the administrators and the system. There is nothing to check or to repair.

    use super::{Name, StoreError};
    use std::fs::{DirBuilder, Metadata, OpenOptions};
    use std::os::windows::fs::OpenOptionsExt;
    use std::path::{Path, PathBuf};

    /// Nothing is asked of a file but what it is.
    const NO_ACCESS: u32 = 0;
    /// `FILE_FLAG_OPEN_REPARSE_POINT`: a link itself, not what it leads to.
    const OF_LINKS: u32 = 0x0020_0000;
    /// `FILE_FLAG_BACKUP_SEMANTICS`: folders too.
    const OF_FOLDERS: u32 = 0x0200_0000;

    /// Serial number of the volume, and index of the file in it.
    pub(super) type Identity = (u64, u64);

    /// Not `canonicalize`: SQLite does not take the `\\?\` paths that it gives.
    pub(super) fn resolve(folder: &Path) -> std::io::Result<PathBuf> {
        std::path::absolute(folder)
    }

    pub(super) fn identity(path: &Path) -> Option<Identity> {
        let mut options = OpenOptions::new();
        options.access_mode(NO_ACCESS).custom_flags(OF_LINKS | OF_FOLDERS);
        let found = winapi_util::file::information(options.open(path).ok()?).ok()?;
        Some((found.volume_serial_number(), found.file_index()))
    }

    pub(super) fn private_file(_options: &mut OpenOptions) {}

    pub(super) fn private_folder(_builder: &mut DirBuilder) {}

    pub(super) fn check_folder(
        _folder: &Path,
        _found: &Metadata,
        _is_home: bool,
        _name: &Name,
    ) -> Result<(), StoreError> {
        Ok(())
    }

    pub(super) fn check_writable(_folder: &Path) -> std::io::Result<()> {
        Ok(())
    }

    pub(super) fn check_file(
        _file: &Path,
        _found: &Metadata,
        _name: &Name,
    ) -> Result<(), StoreError> {
        Ok(())
    }
}
