//! `detect`: what a payload is.

use super::input::{MAX_BYTES, Payload, Source};
use super::{Failure, output};
use caveman_core::kind::Kind;
use caveman_core::mcp::Object;
use caveman_core::{detect, present};

/// Print what a payload is: json, log, diff, …
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Evidence is scored over at most 64 KiB of head, middle and tail. `compress --type KIND` overrules it.\n\n\
Examples:\n  \
kubectl get pods -A | caveman-mcp detect     table\n  \
caveman-mcp detect --json app.log            with the scores")]
pub(super) struct Args {
    #[command(flatten)]
    source: Source,
    /// Print the language and the scores too, as JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let payload = match args.source.read()? {
        Payload::Whole(payload) => payload,
        Payload::Long(..) => {
            return Err(Failure::failed(format!("the payload is longer than {MAX_BYTES} bytes")));
        }
    };
    let Ok(text) = std::str::from_utf8(&payload) else {
        let figures =
            Object::new().text("content_type", Kind::Text.name()).text("reason", "not_text");
        return output::text(&if args.json { figures.finish() } else { "text".to_owned() });
    };
    let detection = detect::detect(&present::unwrap(text).text);
    if !args.json {
        return output::text(detection.kind.name());
    }
    let mut scores = Object::new();
    for (kind, score) in &detection.scores {
        scores = scores.number(kind.name(), (*score).into());
    }
    let figures = Object::new().text("content_type", detection.kind.name());
    let figures = match detection.language {
        Some(language) => figures.text("language", language),
        None => figures,
    };
    output::text(&figures.raw("scores", &scores.finish()).finish())
}
