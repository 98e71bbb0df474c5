//! Retrieval of originals that do not fit into one line of a client: page by page, and not one byte is lost.

use super::Server;
use caveman_core::mcp::{MAX_REPLY_BYTES, Session};
use caveman_core::store::Handle;
use serde_json::Value;

const PAGE_BYTES: usize = 8 << 20;

/// Follows the notes from page to page; the pages, and how many bytes the longest line had.
fn read_all(server: &mut Server, handle: Handle, first: &str) -> (Vec<String>, usize) {
    let (mut pages, mut longest) = (Vec::new(), 0);
    let mut arguments = first.replace("HANDLE", &handle.to_string());
    loop {
        let line = server.line(format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"caveman_retrieve","arguments":{arguments}}}}}"#
        ));
        longest = longest.max(line.len());
        let answer: Value = serde_json::from_str(&line).unwrap();
        let blocks = answer["result"]["content"].as_array().unwrap();
        pages.push(blocks[0]["text"].as_str().unwrap().to_owned());
        let note = blocks.get(1).and_then(|b| b["text"].as_str()).unwrap_or_default();
        // The note holds the very arguments of the next call.
        match note.split_once("caveman_retrieve {") {
            Some((_, rest)) => arguments = format!("{{{}", rest.strip_suffix(']').unwrap()),
            None => return (pages, longest),
        }
    }
}

#[test]
fn a_long_original_comes_in_pages_that_join_to_its_bytes() {
    let original = "a line with \"quotes\" and é, 😀\r\n".repeat(600_000);
    let mut server = Server::default();
    let handle = server.keep(original.as_bytes(), "text", 1);
    let (pages, longest) = read_all(&mut server, handle, r#"{"recovery_handle":"HANDLE"}"#);
    assert!(pages.concat() == original);
    assert!(pages.len() > 2 && longest <= PAGE_BYTES + 4096, "{} pages, {longest}", pages.len());
    assert!(pages.iter().all(|page| page.ends_with('\n')), "pages end at line ends where they can");
}

#[test]
fn a_page_without_line_ends_is_cut_between_characters() {
    let original = "é😀".repeat(2_000_000);
    let mut server = Server::default();
    let handle = server.keep(original.as_bytes(), "text", 1);
    let (pages, longest) = read_all(&mut server, handle, r#"{"recovery_handle":"HANDLE"}"#);
    assert!(pages.concat() == original);
    assert!(longest <= PAGE_BYTES + 4096);
}

#[test]
fn a_limit_is_kept_to_the_byte_and_carried_on() {
    let original: String = (0..100).map(|n| format!("line {n}\n")).collect();
    let mut server = Server::default();
    let handle = server.keep(original.as_bytes(), "text", 1);
    let (pages, _) =
        read_all(&mut server, handle, r#"{"recovery_handle":"HANDLE","offset":0,"limit":100}"#);
    assert_eq!(pages.concat(), original);
    assert!(pages.iter().rev().skip(1).all(|page| page.len() == 100));
    let rest = server.call(
        "caveman_retrieve",
        &format!(r#"{{"recovery_handle":"{handle}","offset":780,"query":"line"}}"#),
    );
    assert_eq!(Some(&*rest[0]), original.get(780..));
    assert!(rest[1].contains("these are the last"), "{rest:?}");
    assert!(rest[2].contains("query was not applied"), "{rest:?}");
}

#[test]
fn offsets_past_the_end_and_empty_limits_are_errors_that_name_the_argument() {
    let mut server = Server::default();
    let handle = server.keep(b"12345", "text", 1);
    for (arguments, wrong) in [("\"offset\":6", "offset"), ("\"limit\":0", "limit")] {
        let said = server
            .call("caveman_retrieve", &format!("{{\"recovery_handle\":\"{handle}\",{arguments}}}"));
        let said: Value = serde_json::from_str(&said[0]).unwrap();
        assert_eq!(said["error"], "cave_invalid_arguments");
        assert!(said["message"].as_str().unwrap().starts_with(wrong), "{said}");
    }
    let end = server
        .call("caveman_retrieve", &format!("{{\"recovery_handle\":\"{handle}\",\"offset\":5}}"));
    assert_eq!(end, ["", "[caveman: bytes 5 to 5 of 5; these are the last]"]);
}

#[test]
fn bytes_that_are_no_text_come_as_base64_with_a_note() {
    let original: Vec<u8> = (0..=255).cycle().take(1000).collect();
    let mut server = Server::default();
    let handle = server.keep(&original, "text", 0);
    let whole = server.retrieve(handle, None);
    assert_eq!(decode(&whole[0]), original);
    assert_eq!(whole[1], "[caveman: base64, because the bytes are not UTF-8 text]");
    for (offset, limit) in [(0, 1), (0, 2), (1, 3), (500, 300), (998, 7)] {
        let page = server.call(
            "caveman_retrieve",
            &format!(r#"{{"recovery_handle":"{handle}","offset":{offset},"limit":{limit}}}"#),
        );
        let end = (offset + limit).min(1000);
        let bytes =
            if page[1].contains("base64") { decode(&page[0]) } else { page[0].clone().into() };
        assert_eq!(bytes, original[offset..end], "{page:?}");
    }
    // An offset within a character: the bytes are exact, so they are no text.
    let handle = server.keep("aé".as_bytes(), "text", 0);
    let page =
        server.call("caveman_retrieve", &format!(r#"{{"recovery_handle":"{handle}","offset":2}}"#));
    assert_eq!(decode(&page[0]), [0xa9]);
}

#[test]
fn what_is_long_and_no_text_comes_in_pages_too() {
    let original: Vec<u8> = (0..9_000_000_u32).map(|n| n.to_le_bytes()[1] | 0x80).collect();
    let mut server = Server::default();
    let handle = server.keep(&original, "text", 0);
    let (pages, longest) = read_all(&mut server, handle, r#"{"recovery_handle":"HANDLE"}"#);
    let bytes: Vec<u8> = pages.iter().flat_map(|page| decode(page)).collect();
    assert!(bytes == original && longest <= PAGE_BYTES + 4096);
}

#[test]
fn a_caller_that_sets_a_limit_is_never_refused_for_size() {
    let original = "\u{1}".repeat(4 << 20);
    let mut server = Server { session: Session::default().without_ledger(), ..Server::default() };
    let handle = server.keep(original.as_bytes(), "text", 1);
    let limit = original.len();
    let page = server.call(
        "caveman_retrieve",
        &format!(r#"{{"recovery_handle":"{handle}","offset":0,"limit":{limit}}}"#),
    );
    assert!(page[0] == original && 6 * original.len() > MAX_REPLY_BYTES);
}

/// Base64 as RFC 4648 reads it.
fn decode(text: &str) -> Vec<u8> {
    let value = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut out = Vec::new();
    for group in text.as_bytes().chunks(4) {
        assert_eq!(group.len(), 4);
        let n_padding = group.iter().filter(|c| **c == b'=').count();
        let bits = group.iter().fold(0_u32, |bits, c| bits << 6 | u32::from(value(*c) & 63));
        out.extend_from_slice(&bits.to_be_bytes()[1..4 - n_padding]);
    }
    out
}
