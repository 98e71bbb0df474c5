//! The content address of an original, and every form in which a model may copy it.

use super::Reference;
use crate::prelude::*;
use core::fmt;
use sha2::{Digest, Sha256};

/// The first 16 bytes of SHA-256 over an original. Written `ccr_` and 32 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Handle(pub [u8; 16]);

impl Handle {
    /// The handle of `original`.
    pub fn of(original: &[u8]) -> Handle {
        let digest = Sha256::digest(original);
        let mut head = [0; 16];
        head.iter_mut().zip(digest).for_each(|(to, from)| *to = from);
        Handle(head)
    }
}

impl fmt::Display for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ccr_")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Reference {
    /// Finds the handle or object id in `text`: `ccr_…`, `<<ccr:ccr_…>>`, `ccr:ccr_…`, `ccr://…`, quoted, in backticks,
    /// with trailing punctuation, in upper case. `None` when there is no such thing.
    pub fn parse(text: &str) -> Option<Reference> {
        let lower = text.trim().to_ascii_lowercase();
        if let Some(at) = lower.find("ccr_obj_") {
            // Object ids belong to another program: their case is kept.
            let original = text.trim();
            let id: String = original
                .get(at..)?
                .chars()
                .take_while(|c| c.is_ascii_alphanumeric() || *c == '_' || *c == '-')
                .collect();
            return (id.len() > "ccr_obj_".len()).then_some(Reference::Object(id));
        }
        let digits = match lower.find("ccr_") {
            Some(at) => lower.get(at + 4..)?,
            None => lower
                .trim_start_matches(['<', '"', '\'', '`', '(', '['])
                .strip_prefix("ccr:")?
                .trim_start_matches('/'),
        };
        let hex: &str = digits.split(|c: char| !c.is_ascii_hexdigit()).next()?;
        if hex.len() != 32 {
            return None;
        }
        let mut head = [0; 16];
        for (to, at) in head.iter_mut().zip((0..32).step_by(2)) {
            *to = u8::from_str_radix(hex.get(at..at + 2)?, 16).ok()?;
        }
        Some(Reference::Handle(Handle(head)))
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reference::Handle(handle) => handle.fmt(f),
            Reference::Object(id) => f.write_str(id),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_is_the_beginning_of_the_sha_256() {
        // FIPS 180-4, the examples of NIST for no bytes and for three.
        assert_eq!(Handle::of(b"").to_string(), "ccr_e3b0c44298fc1c149afbf4c8996fb924");
        assert_eq!(Handle::of(b"abc").to_string(), "ccr_ba7816bf8f01cfea414140de5dae2223");
    }

    #[test]
    fn every_copied_form_resolves() {
        let handle = Handle::of(b"x");
        let plain = handle.to_string();
        let hex = plain.strip_prefix("ccr_").unwrap();
        for form in [
            plain.clone(),
            format!("<<ccr:{plain}>>"),
            format!("ccr:{plain}"),
            format!("ccr://{plain}"),
            format!("ccr://{hex}"),
            format!("`{plain}`."),
            format!("\"{plain}\","),
            format!("  {} ", plain.to_uppercase()),
            format!("caveman_retrieve(\"{plain}\")"),
        ] {
            assert_eq!(Reference::parse(&form), Some(Reference::Handle(handle)), "{form}");
        }
        for wrong in ["", "ccr_", "ccr_12", "hello", &format!("{plain}0"), plain.get(..35).unwrap()]
        {
            assert_eq!(Reference::parse(wrong), None, "{wrong}");
        }
        assert_eq!(
            Reference::parse("'ccr_obj_Ab-1'"),
            Some(Reference::Object("ccr_obj_Ab-1".into()))
        );
    }
}
