//! What SQLite reports, as the store's own errors: one place decides which failure is which.

use caveman_core::store::{StoreError, StoreErrorKind};
use rusqlite::{Error, ErrorCode};
use std::path::Path;

/// `error`, which came while doing `what` ("read an original from") with the database `file`.
pub(super) fn of(what: &str, file: &Path, error: &Error) -> StoreError {
    let file = file.display();
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
        Some(ErrorCode::DatabaseCorrupt) => (
            StoreErrorKind::Corrupt,
            "the file is damaged; see `caveman-mcp store verify`".to_owned(),
        ),
        Some(ErrorCode::ReadOnly) => {
            (StoreErrorKind::Unavailable, "it cannot be written here".to_owned())
        }
        _ => (StoreErrorKind::Unavailable, error.to_string()),
    };
    StoreError::new(kind, format!("cannot {what} the recovery store {file}: {why}"))
}

/// Whether waiting may help.
pub(super) fn is_busy(error: &Error) -> bool {
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
pub(super) fn is_lasting(error: &Error) -> bool {
    !is_busy(error) && !matches!(error.sqlite_error_code(), Some(ErrorCode::DiskFull) | None)
}
