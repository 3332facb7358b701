//! Numbers that look random and follow from a seed.

/// A generator.
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d)
    }

    /// A number below `sides`.
    pub(crate) fn roll(&mut self, sides: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides.max(1)
    }

    /// A number from `from` to `to`, both included.
    pub(crate) fn between(&mut self, from: u64, to: u64) -> u64 {
        from + self.roll(to.saturating_sub(from) + 1)
    }
}
