//! The specification's fixtures and the tricky inputs through the artifact, by both doors: text and bytes.

use crate::door::{Argument, Door};
use crate::fixtures::{self, Case};
use crate::machine::Machine;
use caveman_core::toon::Strictness;

/// What an export of the artifact makes of a case.
fn wasm(
    machine: &mut Machine,
    case: &Case,
    export: &str,
    input: Argument<'_>,
) -> Result<String, String> {
    let indent = case.decode.indent_size;
    let options = if case.is_encode {
        let delimiter = char::from(case.encode.delimiter.byte()).to_string();
        serde_json::json!({ "delimiter": delimiter, "indent_size": case.encode.indent_size })
    } else {
        let is_strict = case.decode.strictness == Strictness::Strict;
        serde_json::json!({ "strict": is_strict, "indent_size": indent })
    };
    let envelope = machine.call(export, &[input, Argument::Text(&options.to_string())]);
    let envelope =
        String::from_utf8(envelope.unwrap_or_else(|trap| panic!("{}: {trap}", case.name)));
    let envelope = envelope.expect("an envelope is text");
    let (figures, payload) = envelope.split_once('\n').expect("an envelope begins with a line");
    let figures: serde_json::Value = serde_json::from_str(figures).expect("figures are JSON");
    match figures["error"].as_str() {
        Some(code) => {
            let wanted = if case.is_encode { "cave_not_encodable" } else { "cave_invalid_toon" };
            assert_eq!(code, wanted, "{}: {figures}", case.name);
            assert!(figures["line"].as_u64() >= Some(1) && figures["column"].as_u64() >= Some(1));
            Err(figures.to_string())
        }
        None => Ok(payload.to_owned()),
    }
}

fn hold(cases: &[Case]) {
    let mut machine = Machine::new();
    fixtures::all_hold(cases, |case| {
        let export = if case.is_encode { "toonEncode" } else { "toonDecode" };
        wasm(&mut machine, case, export, Argument::Text(&case.input))
    });
    fixtures::all_hold(cases, |case| {
        let export = if case.is_encode { "toonEncodeBytes" } else { "toonDecodeBytes" };
        wasm(&mut machine, case, export, Argument::Bytes(case.input.as_bytes()))
    });
}

#[test]
fn every_fixture_of_the_specification_holds_in_wasm() {
    hold(&fixtures::specification());
}

#[test]
fn inputs_that_broke_other_implementations_hold_in_wasm() {
    hold(&fixtures::tricky());
}
