//! `store info`, `store prune`, `store verify`: looking after the recovery store.

use super::{Failure, STORE, output};
use crate::host::SystemHost;
use crate::settings::Settings;
use crate::store::{Access, SqliteStore};
use caveman_core::host::Host;
use caveman_core::mcp::{self, Object};
use caveman_core::store::RecoveryStore;
use output::grouped;

/// Look after the recovery store.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Verb {
    /// Print where it is, how much it holds, and whether it takes originals.
    Info {
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
    /// Delete originals that were not used for a while, and give the disk space back.
    Prune {
        /// Delete what was not used for so many days; 0 deletes everything. Default: CAVEMAN_CCR_RETENTION_DAYS.
        #[arg(long, value_name = "DAYS")]
        older_than: Option<u64>,
        /// Only say what would be deleted.
        #[arg(long)]
        dry_run: bool,
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
    /// Read every original and check that it is what its handle says. Status 74 when something is damaged.
    Verify {
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
}

pub(super) fn run(verb: &Verb, settings: &Settings) -> Result<(), Failure> {
    match *verb {
        Verb::Info { json } => info(json, settings),
        Verb::Prune { older_than, dry_run, json } => prune(older_than, dry_run, json, settings),
        Verb::Verify { json } => verify(json, settings),
    }
}

fn info(json: bool, settings: &Settings) -> Result<(), Failure> {
    let mut store = SqliteStore::of(settings, Access::ReadOnly)?;
    let path = store.path().display().to_string();
    let info = store.info();
    if json {
        return output::text(&mcp::store_figures(&info).text("path", &path).finish());
    }
    let limit = match info.limit_bytes {
        0 => "none".to_owned(),
        n_bytes => format!("{} bytes", grouped(n_bytes)),
    };
    output::text(&format!(
        "path       {path}\nkind       {}\noriginals  {}\nsize       {} bytes\nlimit      {limit}\nstate      {}\n",
        info.kind,
        grouped(info.entries),
        grouped(info.bytes),
        info.state,
    ))
}

fn prune(
    older_than: Option<u64>,
    dry_run: bool,
    json: bool,
    settings: &Settings,
) -> Result<(), Failure> {
    let days = match (older_than, settings.retention_days) {
        (Some(days), _) => days,
        (None, 0) => {
            return Err(Failure::usage(
                "CAVEMAN_CCR_RETENTION_DAYS=0 says never to prune: give --older-than DAYS to prune all the same",
            ));
        }
        (None, days) => days,
    };
    let access = if dry_run { Access::ReadOnly } else { Access::ReadWrite };
    let mut store = SqliteStore::of(settings, access)?;
    let now_ms = SystemHost.now_ms();
    let pruned = match dry_run {
        _ if !store.exists() => Default::default(),
        true => store.would_prune(days, now_ms)?,
        false => store.prune(days, now_ms)?,
    };
    if json {
        let line = Object::new()
            .number("entries", pruned.n_entries)
            .number("bytes", pruned.n_bytes)
            .number("older_than_days", days)
            .raw("dry_run", if dry_run { "true" } else { "false" });
        return output::text(&line.finish());
    }
    let verb = if dry_run { "would delete" } else { "deleted" };
    let (n_entries, n_bytes) = (grouped(pruned.n_entries), grouped(pruned.n_bytes));
    output::text(&format!("{verb} {n_entries} originals, {n_bytes} bytes, unused for {days} days"))
}

fn verify(json: bool, settings: &Settings) -> Result<(), Failure> {
    let mut store = SqliteStore::of(settings, Access::ReadOnly)?;
    let findings = if store.exists() { store.verify()? } else { Default::default() };
    let (n_entries, n_bytes) = (findings.n_entries, findings.n_bytes);
    let mut faults: Vec<String> =
        findings.damaged.iter().map(|handle| format!("{handle} is damaged")).collect();
    faults.extend(findings.file_faults.iter().cloned());
    if let Some((entries, bytes)) = findings.wrong_total {
        faults.push(format!(
            "the running total says {entries} originals of {bytes} bytes, there are {n_entries} of {n_bytes}"
        ));
    }
    if json {
        let line = Object::new()
            .raw("ok", if findings.is_sound() { "true" } else { "false" })
            .number("entries", n_entries)
            .number("bytes", n_bytes)
            .number("damaged", findings.damaged.len() as u64)
            .text("faults", &faults.join("; "));
        output::text(&line.finish())?;
    } else {
        let count = format!("{} originals, {} bytes read", grouped(n_entries), grouped(n_bytes));
        output::text(&format!(
            "{count}{}{}\n",
            if faults.is_empty() { ": all sound" } else { "\n" },
            faults.join("\n")
        ))?;
    }
    if findings.is_sound() {
        return Ok(());
    }
    let text = format!("the recovery store is damaged: {} faults", faults.len());
    Err(Failure { status: STORE, text })
}
