//! Exact o200k_base token counts, ready at the first call: nothing is parsed or built when a program starts.

mod class;
mod merge;
mod split;
#[cfg_attr(not(target_arch = "wasm32"), expect(dead_code, reason = "build.rs runs the expansion"))]
mod tables;
mod view;

use view::{View, view};

/// Name of the counter, for `token_count_basis`.
pub const BASIS: &str = "o200k_base";

/// How many o200k_base tokens `text` has (special tokens are not recognised: their text counts as text).
pub fn count(text: &str) -> u64 {
    count_up_to(text, u64::MAX).unwrap_or(u64::MAX)
}

/// How many tokens `text` has, or `None` if more than `limit`; stops reading there.
pub fn count_up_to(text: &str, limit: u64) -> Option<u64> {
    let view: &'static View = view();
    let mut scratch = merge::Scratch::default();
    let mut n_tokens = 0;
    let mut rest = text;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at_checked(split::first_piece(view, rest))?;
        n_tokens += piece_tokens(view, &mut scratch, piece.as_bytes());
        if n_tokens > limit {
            return None;
        }
        rest = after;
    }
    Some(n_tokens)
}

fn piece_tokens(view: &View, scratch: &mut merge::Scratch, piece: &[u8]) -> u64 {
    if piece.len() == 1 {
        return 1;
    }
    let mut key = [0xFF; 16];
    if let Some(start) = key.get_mut(..piece.len()) {
        start.copy_from_slice(piece);
        if view.is_word(u128::from_le_bytes(key), piece.len()) {
            return 1;
        }
    }
    merge::count(view, scratch, piece)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, n_tokens: u64) {
        assert_eq!(count(text), n_tokens, "{text:?}");
        assert_eq!(count_up_to(text, n_tokens), Some(n_tokens));
        assert_eq!(n_tokens.checked_sub(1).and_then(|less| count_up_to(text, less)), None);
    }

    #[test]
    fn counts_are_those_of_the_published_counter() {
        check("", 0);
        check("a", 1);
        check("hello world", 2);
        check("Hello, world!", 4);
        check("don't they'LL", 4);
        check("getElementById(\"f47ac10b-58cc\")", 14);
        check("1234567 12.5", 7);
        check("  \n\n    x\r\n\r\n", 4);
        check("<|endoftext|>", 7);
        check("东京赛车，数据库服务器的日志。", 8);
        check("한국어 텍스트", 5);
        check("e\u{301}\u{301}ABC \u{301}ABC", 7);
        check("👩‍💻🇩🇪", 9);
    }
}
