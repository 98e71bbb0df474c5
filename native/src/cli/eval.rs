//! `eval`: fact files over the server, and what they show.

use super::{Failure, output};
use crate::eval::{self, Facts, Row};
use crate::host::SystemHost;
use caveman_core::mcp::Object;
use std::fs;
use std::path::{Path, PathBuf};

/// Measure what is saved, and whether the facts that matter survive, over a folder of payloads with fact files.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Beside each payload, `PAYLOAD.facts.json` says what a reader needs of it:\n  \
{\"critical\": [[\"a\", \"b\"]],                          must stand together in the output\n   \
\"needles\": [{\"query\": \"q\", \"all\": [\"a\", \"b\"]}]}   there, or in what one retrieve with the query gives\n\n\
`net` is what an agent saves that answers one needle, the retrieve included. Nothing is written to the recovery store.\n\
Status 1 when a fact is lost, a critical one is not shown, or an original does not come back byte for byte.\n\n\
Examples:\n  \
caveman-mcp eval corpus\n  \
caveman-mcp eval corpus --html report.html --verbose app.log")]
pub(super) struct Args {
    /// The folder.
    dir: PathBuf,
    /// Only these payloads.
    #[arg(value_name = "PAYLOAD")]
    only: Vec<String>,
    /// Also write a page with bars, facts and outputs.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Name each fact that was not met.
    #[arg(short, long)]
    verbose: bool,
    /// Print the figures as JSON.
    #[arg(long)]
    json: bool,
}

const SUFFIX: &str = ".facts.json";

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let rows = payloads(args)?
        .iter()
        .map(|name| measure(&args.dir, name))
        .collect::<Result<Vec<Row>, Failure>>()?;
    if rows.is_empty() {
        let text = format!("{}: no payload has a facts file", args.dir.display());
        return Err(Failure::bad_data(text));
    }
    if let Some(path) = &args.html {
        fs::write(path, eval::html(&rows)).map_err(|error| {
            Failure::failed(format!("cannot write {}: {error}", path.display()))
        })?;
    }
    if args.json {
        let rows: Vec<String> = rows.iter().map(figures).collect();
        output::text(&format!("[{}]", rows.join(",")))?;
    } else {
        if args.verbose {
            let missed = rows
                .iter()
                .flat_map(|row| row.missed.iter().map(|text| format!("{}: {text}\n", row.name)));
            output::text(&missed.collect::<String>())?;
        }
        output::text(&eval::table(&rows))?;
    }
    match rows.iter().filter(|row| !row.is_good()).count() {
        0 => Ok(()),
        n => Err(Failure::failed(format!("facts were not met in {n} of {} payloads", rows.len()))),
    }
}

/// The names of the payloads that have a facts file, in order.
fn payloads(args: &Args) -> Result<Vec<String>, Failure> {
    let failed = |error: std::io::Error| {
        Failure::failed(format!("cannot read {}: {error}", args.dir.display()))
    };
    let mut names = Vec::new();
    for entry in fs::read_dir(&args.dir).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        let name = name.to_str().and_then(|name| name.strip_suffix(SUFFIX));
        names.extend(name.map(str::to_owned));
    }
    names.sort();
    if let Some(stray) = args.only.iter().find(|only| !names.contains(only)) {
        let text = format!("{}: {stray} has no facts file there", args.dir.display());
        return Err(Failure::usage(text));
    }
    names.retain(|name| args.only.is_empty() || args.only.contains(name));
    Ok(names)
}

fn measure(dir: &Path, name: &str) -> Result<Row, Failure> {
    let read = |name: &str| {
        let path = dir.join(name);
        fs::read_to_string(&path)
            .map_err(|error| Failure::failed(format!("cannot read {}: {error}", path.display())))
    };
    let facts = Facts::read(&read(&format!("{name}{SUFFIX}"))?)
        .map_err(|error| Failure::bad_data(format!("{name}{SUFFIX}: {error}")))?;
    Ok(eval::measure(name, &read(name)?, &facts, &SystemHost))
}

fn figures(row: &Row) -> String {
    let count = |n: usize| n as u64;
    let share = |share: f64| format!("{share:.4}");
    Object::new()
        .text("payload", &row.name)
        .text("type", &row.content_type)
        .number("before", row.before)
        .number("after", row.after)
        .raw("saved", &share(row.saved()))
        .number("critical", count(row.critical.0))
        .number("criticals", count(row.critical.1))
        .number("visible", count(row.n_visible))
        .number("recovered", count(row.n_recovered))
        .number("lost", count(row.n_lost))
        .raw("net", &share(row.net))
        .raw("exact", if row.is_exact { "true" } else { "false" })
        .number("ms", row.ms)
        .text("basis", "inferred")
        .finish()
}
