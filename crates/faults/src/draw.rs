//! Random numbers that are the same every time.

/// A number drawn for one decision. Further numbers for the same decision come from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draw(u64);

impl Draw {
    /// The draw for the call with this number among those that the fault at a position matches.
    pub(crate) fn new(seed: u64, position: u64, call: u64) -> Draw {
        Draw(mix(mix(mix(seed) ^ position) ^ call))
    }

    /// Another draw for the same decision.
    #[must_use]
    pub fn further(self, number: u64) -> Draw {
        Draw(mix(self.0 ^ mix(number.wrapping_add(1))))
    }

    /// A number from 0 up to but not including 1.
    pub fn unit(self) -> f64 {
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number to sort by.
    pub(crate) fn rank(self) -> u64 {
        self.0
    }
}

/// SplitMix64: spreads the bits of a number over all bits of another.
fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_spread_evenly_and_repeat_exactly() {
        let draws: Vec<f64> = (0..10_000).map(|call| Draw::new(7, 0, call).unit()).collect();
        let below = |limit: f64| draws.iter().filter(|draw| **draw < limit).count();
        assert!((900..1100).contains(&below(0.1)), "{}", below(0.1));
        assert!((4800..5200).contains(&below(0.5)), "{}", below(0.5));
        assert_eq!(Draw::new(7, 0, 3), Draw::new(7, 0, 3));
        assert_ne!(Draw::new(7, 0, 3), Draw::new(8, 0, 3));
        assert_ne!(Draw::new(7, 0, 3), Draw::new(7, 1, 3));
        assert_ne!(Draw::new(7, 0, 3).further(0), Draw::new(7, 0, 3).further(1));
    }
}
