//! The splitting pattern over ASCII, eight bytes at a time; whatever touches another character goes to `split`.

/// Bit 7 of every byte.
const TOP: u64 = 0x8080_8080_8080_8080;

const fn every(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// Eight bytes of the text, with marks in bit 7 of each byte for what it is.
#[derive(Clone, Copy)]
pub(super) struct Eight(pub(super) u64);

impl Eight {
    /// Marks the ASCII bytes from `first` to `last`.
    #[inline(always)]
    fn between(bytes: u64, first: u8, last: u8) -> u64 {
        let low = bytes & !TOP;
        (low + every(0x80 - first)) & !(low + every(0x7F - last)) & !bytes & TOP
    }

    #[inline(always)]
    pub(super) fn lower(self) -> u64 {
        Eight::between(self.0, b'a', b'z')
    }

    #[inline(always)]
    pub(super) fn upper(self) -> u64 {
        Eight::between(self.0, b'A', b'Z')
    }

    #[inline(always)]
    fn letters(self) -> u64 {
        let low = (self.0 & !TOP) | every(0x20);
        (low + every(0x80 - b'a')) & !(low + every(0x7F - b'z')) & !self.0 & TOP
    }

    #[inline(always)]
    pub(super) fn digits(self) -> u64 {
        Eight::between(self.0, b'0', b'9')
    }

    #[inline(always)]
    pub(super) fn equal(self, byte: u8) -> u64 {
        Eight::between(self.0, byte, byte)
    }

    #[inline(always)]
    pub(super) fn spaces(self) -> u64 {
        Eight::between(self.0, b'\t', b'\r') | Eight::between(self.0, b' ', b' ')
    }

    #[inline(always)]
    pub(super) fn breaks(self) -> u64 {
        Eight::between(self.0, b'\r', b'\r') | Eight::between(self.0, b'\n', b'\n')
    }

    /// Neither letter, digit, white space nor outside ASCII.
    #[inline(always)]
    pub(super) fn others(self) -> u64 {
        !(self.letters() | self.digits() | self.spaces() | self.0) & TOP
    }

    /// `\r`, `\n` and `/`.
    #[inline(always)]
    pub(super) fn tail(self) -> u64 {
        self.breaks() | Eight::between(self.0, b'/', b'/')
    }
}

/// How many bytes from the first on have their mark; 8 when all have.
#[inline(always)]
pub(super) fn run(marks: u64) -> usize {
    ((!marks & TOP).trailing_zeros() / 8) as usize
}

/// Eight bytes from `at`; bytes past the end read as `0xFF`, which no text holds.
#[inline(always)]
pub(super) fn load(bytes: &[u8], at: usize) -> u64 {
    match bytes.get(at..).and_then(<[u8]>::first_chunk) {
        Some(eight) => u64::from_le_bytes(*eight),
        None => load_end(bytes, at),
    }
}

#[cold]
fn load_end(bytes: &[u8], at: usize) -> u64 {
    let rest = bytes.get(at..).unwrap_or_default();
    rest.iter().rev().fold(u64::MAX, |word, &byte| word << 8 | u64::from(byte))
}

/// Where the run that `marks` describes ends, from `at` on.
#[inline(always)]
pub(super) fn run_end(bytes: &[u8], mut at: usize, marks: impl Fn(Eight) -> u64) -> usize {
    loop {
        let n = run(marks(Eight(load(bytes, at))));
        at += n;
        if n < 8 {
            return at;
        }
    }
}

/// What a byte may begin.
pub(super) const LETTER: u8 = 0;
pub(super) const DIGIT: u8 = 1;
pub(super) const BLANK: u8 = 2;
pub(super) const TAB: u8 = 3;
pub(super) const BREAK: u8 = 4;
pub(super) const OTHER: u8 = 5;
pub(super) const BEYOND: u8 = 6;

/// The kind of each byte.
pub(super) static KINDS: [u8; 256] = kinds();

#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
#[expect(clippy::cast_possible_truncation, reason = "below 256")]
const fn kinds() -> [u8; 256] {
    let mut kinds = [OTHER; 256];
    let mut at = 0;
    while at < 256 {
        kinds[at] = match at as u8 {
            b'a'..=b'z' | b'A'..=b'Z' => LETTER,
            b'0'..=b'9' => DIGIT,
            b' ' => BLANK,
            b'\r' | b'\n' => BREAK,
            b'\t' | 0x0B | 0x0C => TAB,
            0x80.. => BEYOND,
            _ => OTHER,
        };
        at += 1;
    }
    kinds
}
