//! `toon encode` and `toon decode`: JSON to TOON and back.

use super::input::{Payload, Source};
use super::{Failure, output};
use caveman_core::mcp::Object;
use caveman_core::tokens;
use caveman_core::toon::{
    self, DecodeOptions, Decoder, Delimiter, EncodeOptions, Strictness, ToonError,
};
use std::io::{BufRead, BufReader, Read};
use std::num::NonZeroU8;

/// JSON to TOON and back.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Verb {
    /// JSON text to TOON text.
    Encode {
        #[command(flatten)]
        source: Source,
        /// What stands between the cells of a row.
        #[arg(short, long, value_enum, default_value_t = Between::Comma)]
        delimiter: Between,
        /// Spaces for one level of nesting.
        #[arg(short, long, value_name = "SPACES", default_value = "2")]
        indent: NonZeroU8,
        /// Print sizes and tokens as JSON, with the output in the member `output`.
        #[arg(long)]
        json: bool,
    },
    /// TOON text to JSON text.
    Decode {
        #[command(flatten)]
        source: Source,
        /// Recover from wrong counts, repeated keys, uneven indentation, blank lines and skipped levels.
        #[arg(short, long)]
        lenient: bool,
        /// Spaces for one level of nesting.
        #[arg(short, long, value_name = "SPACES", default_value = "2")]
        indent: NonZeroU8,
    },
}

/// The delimiters by name.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(super) enum Between {
    Comma,
    Tab,
    Pipe,
}

pub(super) fn run(verb: &Verb) -> Result<(), Failure> {
    match verb {
        Verb::Encode { source, delimiter, indent, json } => {
            let delimiter = match delimiter {
                Between::Comma => Delimiter::Comma,
                Between::Tab => Delimiter::Tab,
                Between::Pipe => Delimiter::Pipe,
            };
            encode(
                source,
                &EncodeOptions { delimiter, indent_size: *indent, ..EncodeOptions::default() },
                *json,
            )
        }
        Verb::Decode { source, lenient, indent } => {
            let strictness = if *lenient { Strictness::Lenient } else { Strictness::Strict };
            decode(source, &DecodeOptions { indent_size: *indent, strictness })
        }
    }
}

fn encode(source: &Source, options: &EncodeOptions, json: bool) -> Result<(), Failure> {
    let input = source.read_text()?;
    let toon = toon::encode(&input, options).map_err(|error| bad_data(&error))?;
    if !json {
        return output::payload(toon.as_bytes());
    }
    let figures = Object::new()
        .number("input_bytes", input.len() as u64)
        .number("output_bytes", toon.len() as u64)
        .number("tokens_before", tokens::count(&input))
        .number("tokens_after", tokens::count(&toon))
        .text("token_count_basis", tokens::BASIS)
        .text("output", &toon);
    output::text(&figures.finish())
}

/// Up to 64 MiB all or nothing; beyond that as it is read, and a fault shows in the exit status only.
fn decode(source: &Source, options: &DecodeOptions) -> Result<(), Failure> {
    match source.read()? {
        Payload::Whole(bytes) => {
            let toon = source.text(bytes)?;
            let json = toon::decode(&toon, options).map_err(|error| bad_data(&error))?;
            output::payload(json.as_bytes())
        }
        Payload::Long(head, rest) => stream(source, &head, rest, options),
    }
}

fn stream(
    source: &Source,
    head: &[u8],
    rest: Box<dyn Read>,
    options: &DecodeOptions,
) -> Result<(), Failure> {
    let mut reader = BufReader::new(head.chain(rest));
    let mut decoder = Decoder::new(options);
    let mut json = String::new();
    loop {
        let mut line = Vec::new();
        let n_bytes = reader.read_until(b'\n', &mut line).map_err(|error| source.unread(&error))?;
        if n_bytes == 0 {
            break;
        }
        let line = source.text(line)?;
        decoder.line(&line, &mut json).map_err(|error| bad_data(&error))?;
        if json.len() > 1 << 16 {
            output::payload(json.as_bytes())?;
            json.clear();
        }
    }
    decoder.finish(&mut json).map_err(|error| bad_data(&error))?;
    output::payload(json.as_bytes())
}

fn bad_data(error: &ToonError) -> Failure {
    Failure::bad_data(format!("{}: {error}\n{}", error.code(), error.caret()))
}
