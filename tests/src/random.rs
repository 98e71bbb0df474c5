//! A seeded source of numbers, so that generated payloads are the same on every machine and every run.

/// SplitMix64 (Steele, Lea, Flood 2014): one multiplication-xor mix per number, any seed is good.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of `seed`.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`; 0 when `n` is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        self.bits().checked_rem(n).unwrap_or(0)
    }

    /// A number in `from..to`.
    pub fn range(&mut self, from: u64, to: u64) -> u64 {
        from.saturating_add(self.below(to.saturating_sub(from)))
    }

    /// One of `choices`; the default of an empty list.
    pub fn pick<T: Copy + Default>(&mut self, choices: &[T]) -> T {
        let at = usize::try_from(self.below(choices.len() as u64)).unwrap_or(0);
        choices.get(at).copied().unwrap_or_default()
    }

    /// `n` hexadecimal digits.
    pub fn hex(&mut self, n: usize) -> String {
        (0..n)
            .map(|_| {
                char::from_digit(u32::try_from(self.below(16)).unwrap_or(0), 16).unwrap_or('0')
            })
            .collect()
    }

    /// A version 4 UUID.
    pub fn uuid(&mut self) -> String {
        let variant = self.pick(&["8", "9", "a", "b"]);
        format!(
            "{}-{}-4{}-{variant}{}-{}",
            self.hex(8),
            self.hex(4),
            self.hex(3),
            self.hex(3),
            self.hex(12)
        )
    }

    /// `n` bytes.
    pub fn bytes(&mut self, n: usize) -> Vec<u8> {
        let mut out = Vec::with_capacity(n.saturating_add(8));
        while out.len() < n {
            out.extend(self.bits().to_le_bytes());
        }
        out.truncate(n);
        out
    }
}
