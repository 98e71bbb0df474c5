//! What SQLite reports, as the store's own errors: one place decides which failure is which.

use super::place::{Name, Place};
use caveman_core::store::{StoreError, StoreErrorKind};
use rusqlite::{Error, ErrorCode};

/// `error`, which came while doing `what` ("read an original from") with the database at `place`.
pub(crate) fn of(what: &str, place: &Place, error: &Error) -> StoreError {
    let (file, Name { noun, check, .. }) = (place.file.display(), place.name);
    let (kind, why) = match error.sqlite_error_code() {
        Some(
            ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked
            | ErrorCode::FileLockingProtocolFailed,
        ) => (StoreErrorKind::Busy, "another program holds its lock; try again".to_owned()),
        Some(ErrorCode::DiskFull) => (StoreErrorKind::Full, "the disk is full".to_owned()),
        Some(ErrorCode::NotADatabase) => {
            (StoreErrorKind::Corrupt, "it is not an SQLite database; move it away".to_owned())
        }
        Some(ErrorCode::DatabaseCorrupt) => {
            (StoreErrorKind::Corrupt, format!("the file is damaged; see `{check}`"))
        }
        Some(ErrorCode::ReadOnly) => {
            (StoreErrorKind::Unavailable, "it cannot be written here".to_owned())
        }
        _ => (StoreErrorKind::Unavailable, error.to_string()),
    };
    StoreError::new(kind, format!("cannot {what} the {noun} {file}: {why}"))
}

/// Whether waiting may help.
pub(crate) fn is_busy(error: &Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(
            ErrorCode::DatabaseBusy
                | ErrorCode::DatabaseLocked
                | ErrorCode::FileLockingProtocolFailed
        )
    )
}

/// Whether the connection is better thrown away and opened anew.
pub(crate) fn is_lasting(error: &Error) -> bool {
    !is_busy(error) && !matches!(error.sqlite_error_code(), Some(ErrorCode::DiskFull) | None)
}
