//! As much of the wasm binary format as the build needs: sections, the import count, the list of target features.

use super::Outcome;

const HEADER: &[u8] = b"\0asm\x01\0\0\0";
const CUSTOM: u8 = 0;
const IMPORT: u8 = 2;

/// One section: its id and its bytes.
struct Section<'a> {
    id: u8,
    body: &'a [u8],
}

/// How many things the module wants from its host.
pub(crate) fn n_imports(module: &[u8]) -> Outcome<u32> {
    let sections = sections(module)?;
    let Some(imports) = sections.iter().find(|section| section.id == IMPORT) else { return Ok(0) };
    leb(&mut &*imports.body)
}

/// The module with target feature `feature` taken off its list.
///
/// A standard library that came built (rustup's) lists reference types whatever our flags say, and wasm-bindgen goes
/// by that list; the code itself uses none as long as no function takes or returns a JavaScript value.
pub(crate) fn without_feature(module: &[u8], feature: &str) -> Outcome<Vec<u8>> {
    let mut out = HEADER.to_vec();
    for section in sections(module)? {
        let body = match feature_list(section.body) {
            Some(list) if section.id == CUSTOM => rewrite(list, feature)?,
            _ => section.body.to_vec(),
        };
        out.push(section.id);
        put_leb(&mut out, body.len());
        out.extend_from_slice(&body);
    }
    Ok(out)
}

fn sections(module: &[u8]) -> Outcome<Vec<Section<'_>>> {
    let mut rest = module.strip_prefix(HEADER).ok_or("not a wasm module")?;
    let mut found = Vec::new();
    while let Some((id, after)) = rest.split_first() {
        rest = after;
        let n = leb(&mut rest)? as usize;
        let (body, after) =
            rest.split_at_checked(n).ok_or("a section runs past the end of the module")?;
        found.push(Section { id: *id, body });
        rest = after;
    }
    Ok(found)
}

/// What follows the name in the custom section `target_features`.
fn feature_list(body: &[u8]) -> Option<&[u8]> {
    body.strip_prefix(b"\x0ftarget_features")
}

/// The section `target_features` without `feature`: a count, then for each feature a sign and a name.
fn rewrite(mut list: &[u8], feature: &str) -> Outcome<Vec<u8>> {
    let mut kept = Vec::new();
    let mut n_kept = 0;
    for _ in 0..leb(&mut list)? {
        let (sign, after) = list.split_first().ok_or("the list of target features is cut short")?;
        list = after;
        let n = leb(&mut list)? as usize;
        let (name, after) =
            list.split_at_checked(n).ok_or("the list of target features is cut short")?;
        list = after;
        if name != feature.as_bytes() {
            n_kept += 1;
            kept.push(*sign);
            put_leb(&mut kept, n);
            kept.extend_from_slice(name);
        }
    }
    let mut body = b"\x0ftarget_features".to_vec();
    put_leb(&mut body, n_kept);
    body.extend_from_slice(&kept);
    Ok(body)
}

/// Reads an unsigned LEB128 number of at most 32 bits.
fn leb(bytes: &mut &[u8]) -> Outcome<u32> {
    let mut value = 0_u64;
    for shift in [0, 7, 14, 21, 28] {
        let (byte, rest) = bytes.split_first().ok_or("a number is cut short")?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return u32::try_from(value).map_err(|e| format!("a number is too large: {e}"));
        }
    }
    Err("a number is too long".to_owned())
}

/// Writes `value` as unsigned LEB128.
fn put_leb(out: &mut Vec<u8>, mut value: usize) {
    loop {
        let low = u8::try_from(value & 0x7f).unwrap_or(0x7f);
        value >>= 7;
        if value == 0 {
            out.push(low);
            return;
        }
        out.push(low | 0x80);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module with one imported function and the given features.
    fn module(features: &[&str]) -> Vec<u8> {
        let mut list = b"\x0ftarget_features".to_vec();
        put_leb(&mut list, features.len());
        for name in features {
            list.push(b'+');
            put_leb(&mut list, name.len());
            list.extend_from_slice(name.as_bytes());
        }
        let mut out = HEADER.to_vec();
        out.extend_from_slice(b"\x02\x07\x01\x01a\x01b\x00\x00");
        out.push(CUSTOM);
        put_leb(&mut out, list.len());
        out.extend_from_slice(&list);
        out
    }

    #[test]
    fn a_feature_is_taken_off_the_list_and_nothing_else_changes() {
        let with = module(&["bulk-memory", "reference-types", "sign-ext"]);
        let without = module(&["bulk-memory", "sign-ext"]);
        assert_eq!(without_feature(&with, "reference-types").unwrap(), without);
        assert_eq!(without_feature(&without, "reference-types").unwrap(), without);
    }

    #[test]
    fn imports_are_counted() {
        assert_eq!(n_imports(&module(&[])).unwrap(), 1);
        assert_eq!(n_imports(HEADER).unwrap(), 0);
    }

    #[test]
    fn what_is_no_module_is_an_error() {
        let whole = module(&["sign-ext"]);
        for wrong in [
            &b""[..],
            b"\0asm",
            &whole[..whole.len() - 1],
            &[HEADER, b"\x02\xff\xff\xff\xff\xff"].concat(),
        ] {
            assert!(n_imports(wrong).is_err(), "{wrong:?}");
        }
    }
}
