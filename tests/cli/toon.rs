//! `toon encode` and `toon decode`.

use crate::harness::Home;

const JSON: &str = r#"{"items":[{"sku":"A1","qty":2},{"sku":"B2","qty":1e400}]}"#;

#[test]
fn json_goes_to_toon_and_back() {
    let home = Home::new();
    let toon = home.run(&["toon", "encode"], JSON.as_bytes());
    assert!(toon.text().starts_with("items[2]{sku,qty}:\n  A1,2\n"), "{toon}");
    assert!(!toon.text().ends_with('\n'), "the document, nothing else");
    let back = home.run(&["toon", "decode"], toon.text().as_bytes());
    let again = home.run(&["toon", "encode"], back.text().as_bytes());
    assert_eq!(again.text(), toon.text());

    let piped =
        home.run(&["toon", "encode", "--delimiter", "pipe", "--indent", "4"], JSON.as_bytes());
    assert!(piped.text().starts_with("items[2|]{sku|qty}:\n    A1|2\n"), "{piped}");
    let figures = home.run(&["toon", "encode", "--json"], JSON.as_bytes()).json();
    assert_eq!(figures["output"], toon.text());
    assert_eq!(figures["input_bytes"], JSON.len());
}

#[test]
fn bad_data_is_status_65_with_the_place() {
    let home = Home::new();
    let wrong = home.run(&["toon", "decode"], b"a: 1\nitems[3]: 1,2\n");
    wrong.fails(65, "cave_invalid_toon: line 2");
    assert!(wrong.stderr().trim_end().ends_with('^'), "{wrong}");
    assert_eq!(
        home.run(&["toon", "decode", "--lenient"], b"items[3]: 1,2\n").text(),
        r#"{"items":[1,2]}"#
    );
    home.run(&["toon", "encode"], b"{\"a\":1,\"a\":2}").fails(65, "cave_not_encodable");
    home.run(&["toon", "encode"], b"\xff").fails(65, "not UTF-8 at byte 0");
    home.run(&["toon", "encode", "--indent", "0"], b"1").fails(2, "--indent");
}
