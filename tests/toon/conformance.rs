//! The fixtures and the tricky inputs through this codec, natively.

use crate::fixtures::{self, Case};
use caveman_core::toon;

fn native(case: &Case) -> Result<String, String> {
    let outcome = match case.is_encode {
        true => toon::encode(&case.input, &case.encode),
        false => toon::decode(&case.input, &case.decode),
    };
    outcome.map_err(|error| error.to_string())
}

#[test]
fn every_fixture_of_the_specification_holds() {
    fixtures::all_hold(&fixtures::specification(), native);
}

#[test]
fn inputs_that_broke_other_implementations_hold() {
    fixtures::all_hold(&fixtures::tricky(), native);
}

#[test]
fn a_fixture_that_does_not_hold_is_seen() {
    for mut case in fixtures::specification() {
        case.expected = match case.expected {
            Some(_) => None,
            None => Some("{}".to_owned()),
        };
        assert!(case.failure(&native(&case)).is_some(), "{}", case.name);
    }
}
