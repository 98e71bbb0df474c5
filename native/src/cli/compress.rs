//! `compress`: a payload in, the smaller one out.

use super::input::{Payload, Source};
use super::{Failure, output};
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
}

pub(super) fn run(args: &Args, settings: &Settings) -> Result<(), Failure> {
    let content_type = args.r#type.as_deref().map(parse_kind).transpose()?;
    let payload = match args.source.read()? {
        Payload::Whole(payload) => payload,
        Payload::Long(head, rest) => return pass_through(args, &head, rest),
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
    if args.json {
        let figures = mcp::figures(&answer, &note);
        // Bytes that are no text have no JSON form; they were passed through, so the caller has them.
        let figures = match std::str::from_utf8(&answer.output) {
            Ok(text) => figures.text("output", text),
            Err(_) => figures,
        };
        return output::text(&figures.finish());
    }
    output::payload(&answer.output)?;
    if output::is_terminal() {
        output::summary(&summary(&answer));
    }
    Ok(())
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

/// Too long to be compressed: out as it comes in.
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
