//! Random numbers that are the same everywhere: SplitMix64.

/// A sequence of numbers that depends on where it began, and on nothing else.
#[derive(Debug, Clone)]
pub(super) struct Random {
    state: u64,
}

const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

impl Random {
    /// The sequence of a seed for one purpose, so that what is drawn for one does not change
    /// another.
    pub(super) fn of(seed: u64, purpose: &str) -> Random {
        // FNV-1a
        let hash = purpose.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
        });
        Random { state: seed.wrapping_mul(STEP) ^ hash }
    }

    pub(super) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, or 0 if there is none. The bias is far below what sample data shows.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.next().checked_rem(end).unwrap_or(0)
    }

    /// Whether something of this chance, in percent, happens.
    pub(super) fn happens(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// One of some things.
    pub(super) fn pick<'t, T>(&mut self, things: &'t [T]) -> Option<&'t T> {
        let count = u64::try_from(things.len()).unwrap_or(u64::MAX);
        things.get(usize::try_from(self.below(count)).unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_published_algorithm() {
        let mut random = Random { state: 1_234_567 };
        let numbers: Vec<u64> = (0..3).map(|_| random.next()).collect();
        assert_eq!(
            numbers,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn purposes_have_sequences_of_their_own() {
        let first = |purpose| Random::of(42, purpose).next();
        assert_eq!(first("Order"), first("Order"));
        assert_ne!(first("Order"), first("Customer"));
        assert_eq!(Random::of(42, "Order").below(0), 0);
    }
}
