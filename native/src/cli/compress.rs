//! `compress`: a payload in, the smaller one out.

use super::input::{Payload, Source};
use super::{Failure, explain, output, pieces};
use crate::host::SystemHost;
use crate::log;
use crate::settings::Settings;
use crate::store::{self, Lifetime};
use caveman_core::engine::{self, Answer, Options};
use caveman_core::host::Host;
use caveman_core::kind::Kind;
use caveman_core::mcp::{self, Object};
use output::grouped;
use std::io::{self, Read};

/// Shrink a payload; the original stays retrievable.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The output goes to stdout, ready for a model: what is left out is named by markers, and the last line names the handle that \
`retrieve` (or the tool caveman_retrieve) takes. A payload that cannot be shrunk comes out as it is, with status 0.\n\n\
A stream of more than 64 MiB that has lines is shrunk piece by piece, each with a handle of its own; any other passes \
through.\n\n\
Examples:\n  \
cargo test 2>&1 | caveman-mcp compress                what an agent should read\n  \
caveman-mcp compress app.log --query 'order 40311'    keep what has to do with it\n  \
caveman-mcp compress app.log --budget 500             press harder\n  \
caveman-mcp compress app.log --explain                what it is, what went, what that cost\n  \
caveman-mcp compress data.txt --type csv              you know better")]
pub(super) struct Args {
    #[command(flatten)]
    source: Source,
    /// What the payload is, instead of detecting it: json, log, diff, csv, yaml, …
    #[arg(short, long, value_name = "KIND", visible_alias = "content-type")]
    r#type: Option<String>,
    /// Words that protect the parts that hold them.
    #[arg(short, long, value_name = "WORDS")]
    query: Option<String>,
    /// Fit the output into so many tokens, where that is possible.
    #[arg(short, long, value_name = "TOKENS")]
    budget: Option<u64>,
    /// Print the figures as JSON, with the output in the member `output`.
    #[arg(long)]
    json: bool,
    /// Print a report instead of the output: which kind and why, what was elided, what it cost.
    #[arg(long, conflicts_with = "json")]
    explain: bool,
}

pub(super) fn run(args: &Args, settings: &Settings) -> Result<(), Failure> {
    let content_type = args.r#type.as_deref().map(parse_kind).transpose()?;
    let payload = match args.source.read()? {
        Payload::Whole(payload) => payload,
        Payload::Long(head, rest) => return long(args, settings, head, rest, content_type),
    };
    let options = Options { content_type, query: args.query.as_deref(), token_budget: args.budget };
    let mut store = store::of(settings, Lifetime::Command);
    let answer = engine::compress(&mut *store, SystemHost.now_ms(), &payload, &options);
    let note = match &answer.store_error {
        Some(error) => {
            let note = format!("{}: {error}", error.code());
            log::warn(format_args!("passed through, the original cannot be stored: {note}"));
            note
        }
        None => String::new(),
    };
    if answer.within_budget == Some(false) {
        log::warn(format_args!(
            "above the budget: not even what says what was left out fits, or the payload is passed through"
        ));
    }
    if args.json {
        let figures = mcp::figures(&answer, &note);
        // Bytes that are no text have no JSON form; they were passed through, so the caller has them.
        let figures = match std::str::from_utf8(&answer.output) {
            Ok(text) => figures.text("output", text),
            Err(_) => figures,
        };
        return output::text(&figures.finish());
    }
    if args.explain {
        return output::text(&explain::report(&payload, &answer, content_type, args.budget));
    }
    if output::is_terminal() {
        output::marked(&answer, settings)?;
        output::summary(&summary(&answer));
        return Ok(());
    }
    output::payload(&answer.output)
}

/// A kind by its name or an alias.
pub(super) fn parse_kind(name: &str) -> Result<Kind, Failure> {
    Kind::parse(name).ok_or_else(|| {
        let names: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        Failure::usage(format!(
            "no such content type: {name:?}; the types are {}",
            names.join(", ")
        ))
    })
}

/// Too long to be read whole: in pieces where it has lines, else out as it comes in.
fn long(
    args: &Args,
    settings: &Settings,
    head: Vec<u8>,
    mut rest: Box<dyn Read>,
    content_type: Option<Kind>,
) -> Result<(), Failure> {
    if args.explain {
        return Err(Failure::failed("the payload is longer than 64 MiB: there is no report of it"));
    }
    let Some(kind) = pieces::kind_of(&head, content_type) else {
        return pass_through(args, &head, rest);
    };
    if args.budget.is_some() {
        log::warn(format_args!("a stream of more than 64 MiB cannot be fitted into a budget"));
    }
    let options = Options { content_type, query: args.query.as_deref(), token_budget: None };
    let mut store = store::of(settings, Lifetime::Command);
    if args.json {
        let sink = &mut pieces::Nowhere;
        let totals = pieces::run(head, &mut *rest, &options, &mut *store, sink)?;
        return output::text(&totals.figures(kind));
    }
    let sink = &mut pieces::Stdout(io::stdout().lock());
    let totals = pieces::run(head, &mut *rest, &options, &mut *store, sink)?;
    // The bar on stderr ends before anything is said there.
    drop(rest);
    totals.warn();
    if output::is_terminal() {
        output::summary(&totals.summary(kind));
    }
    Ok(())
}

/// Out as it comes in.
fn pass_through(args: &Args, head: &[u8], mut rest: Box<dyn Read>) -> Result<(), Failure> {
    let why = "longer than 64 MiB: passed through";
    if !args.json {
        output::stream(head, &mut *rest)?;
        log::warn(format_args!("{why}"));
        return Ok(());
    }
    let n_rest = io::copy(&mut rest, &mut io::sink())
        .map_err(|error| Failure::failed(format!("cannot read the payload: {error}")))?;
    let figures = Object::new()
        .raw("ratio", "0")
        .text("basis", "inferred")
        .number("input_bytes", n_rest.saturating_add(head.len() as u64))
        .raw("recovery_handle", "null")
        .text("method", "none")
        .raw("lossless_to_model", "true")
        .text("reason", "too_large")
        .text("note", why);
    output::text(&figures.finish())
}

fn summary(answer: &Answer<'_>) -> String {
    let (before, after) = (answer.tokens_before, answer.tokens_after);
    let kind = answer.content_type.name();
    match (answer.recovery_handle, answer.reason) {
        (Some(handle), _) => {
            let saved = before.saturating_sub(after).saturating_mul(100) / before.max(1);
            let (before, after) = (grouped(before), grouped(after));
            format!(
                "{kind}: {before} -> {after} tokens, {saved} % saved (inferred); original {handle}"
            )
        }
        (None, Some(reason)) => {
            format!("{kind}: {} tokens, passed through ({})", grouped(before), reason.name())
        }
        (None, None) => format!("{kind}: {} tokens", grouped(before)),
    }
}
