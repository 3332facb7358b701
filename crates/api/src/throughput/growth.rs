//! How much an on-demand table can take at once: twice what it has taken before.
//!
//! A new table takes 4,000 write and 12,000 read units a second. It takes twice its earlier peak at
//! once, where a peak counts as earlier when the half hour in which it was reached has passed.

use super::Flow;

/// How long it takes until a peak counts.
const SETTLING_MILLIS: u64 = 30 * 60 * 1000;

/// The traffic of a table or index in the past.
#[derive(Debug, Clone, Default)]
pub(super) struct Growth {
    /// The greatest units of a second before this half hour.
    settled_peak: f64,
    /// The greatest units of a second in this half hour.
    recent_peak: f64,
    /// When this half hour began.
    since_millis: u64,
    /// Which second is under way, and its units.
    second: u64,
    second_units: f64,
}

impl Growth {
    pub(super) fn new(now_millis: u64) -> Growth {
        Growth { since_millis: now_millis, ..Growth::default() }
    }

    /// What it can take a second.
    pub(super) fn units_per_sec(&mut self, flow: Flow, now_millis: u64) -> f64 {
        self.settle(now_millis);
        (self.settled_peak * 2.0).max(initial_units(flow))
    }

    /// Notes what was consumed.
    pub(super) fn note(&mut self, units: f64, now_millis: u64) {
        self.settle(now_millis);
        let second = now_millis / 1000;
        if second != self.second {
            (self.second, self.second_units) = (second, 0.0);
        }
        self.second_units += units;
        self.recent_peak = self.recent_peak.max(self.second_units);
    }

    fn settle(&mut self, now_millis: u64) {
        if now_millis.saturating_sub(self.since_millis) >= SETTLING_MILLIS {
            self.settled_peak = self.settled_peak.max(self.recent_peak);
            (self.recent_peak, self.since_millis) = (0.0, now_millis);
        }
    }
}

/// What a new table can take a second.
pub(super) fn initial_units(flow: Flow) -> f64 {
    match flow {
        Flow::Read => 12_000.0,
        Flow::Write => 4_000.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_takes_twice_its_peak_after_half_an_hour() {
        let mut growth = Growth::new(0);
        assert_eq!(growth.units_per_sec(Flow::Write, 0), 4000.0);
        growth.note(1500.0, 10_000);
        growth.note(1500.0, 10_900);
        growth.note(100.0, 11_000);
        assert_eq!(growth.units_per_sec(Flow::Write, SETTLING_MILLIS - 1), 4000.0);
        assert_eq!(growth.units_per_sec(Flow::Write, SETTLING_MILLIS), 6000.0);
        assert_eq!(growth.units_per_sec(Flow::Read, SETTLING_MILLIS), 12_000.0);
    }
}
