//! Reading every original and checking all that the store promises, for `store verify`.

use super::connect::{Opened, within_budget};
use super::{fault, layout};
use caveman_core::store::{Handle, Reference, StoreError};
use rusqlite::Result;

/// What a verification found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// Originals read.
    pub n_entries: u64,
    /// Their size in bytes.
    pub n_bytes: u64,
    /// Handles whose bytes have another hash.
    pub damaged: Vec<String>,
    /// What SQLite's own check says is wrong with the file.
    pub file_faults: Vec<String>,
    /// The running total, when it differs from the count: entries and bytes that it states.
    pub wrong_total: Option<(u64, u64)>,
}

impl Findings {
    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.damaged.is_empty() && self.file_faults.is_empty() && self.wrong_total.is_none()
    }
}

/// Reads everything.
pub(super) fn verify(opened: &Opened) -> std::result::Result<Findings, StoreError> {
    let failed = |error: &rusqlite::Error| fault::of("verify", &opened.place, error);
    // One read transaction: the rows and the total are of the same moment, whoever writes meanwhile.
    let transaction = opened.connection.unchecked_transaction().map_err(|error| failed(&error))?;
    let mut findings = Findings {
        file_faults: within_budget(&transaction, |_| faults_of_file(&transaction))
            .map_err(|error| failed(&error))?,
        ..Findings::default()
    };
    // Rows of a damaged file may be unreadable; what could be read before is still told.
    if let Err(error) = check_rows(&transaction, &mut findings) {
        findings.file_faults.push(error.to_string());
        return Ok(findings);
    }
    if let Ok(stated) = stated_total(&transaction) {
        let counted = layout::recount(&transaction).map_err(|error| failed(&error))?;
        findings.wrong_total = (stated != counted).then_some(stated);
    }
    Ok(findings)
}

fn faults_of_file(transaction: &rusqlite::Transaction<'_>) -> Result<Vec<String>> {
    let mut statement = transaction.prepare("PRAGMA integrity_check(20)")?;
    let lines = statement.query_map([], |row| row.get::<_, String>(0))?;
    let lines = lines.collect::<Result<Vec<_>>>()?;
    Ok(lines.into_iter().filter(|line| line != "ok").collect())
}

fn check_rows(transaction: &rusqlite::Transaction<'_>, findings: &mut Findings) -> Result<()> {
    let mut statement =
        transaction.prepare("SELECT handle, original FROM recoveries WHERE handle IS NOT NULL")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let name = row.get_ref(0)?.as_bytes()?;
        let name = String::from_utf8_lossy(name);
        let original = row.get_ref(1)?.as_bytes()?;
        findings.n_entries += 1;
        findings.n_bytes += original.len() as u64;
        let is_sound = Reference::parse(&name) == Some(Reference::Handle(Handle::of(original)));
        if !is_sound {
            findings.damaged.push(name.into_owned());
        }
    }
    Ok(())
}

fn stated_total(transaction: &rusqlite::Transaction<'_>) -> Result<(u64, u64)> {
    transaction.query_row("SELECT n_entries, n_bytes FROM caveman_totals", [], |row| {
        Ok((row.get(0)?, row.get(1)?))
    })
}
