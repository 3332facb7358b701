//! Capacity that fills up again with time.

/// A bucket of capacity units. A call is let in while there is anything in it, and takes what it
/// has consumed afterwards, so that the bucket may owe some: what a call consumes is not known
/// before.
#[derive(Debug, Clone)]
pub(super) struct Bucket {
    units_per_sec: f64,
    units_max: f64,
    units: f64,
    filled_millis: u64,
}

impl Bucket {
    /// A bucket that holds what it gets in a second, and can keep what it gets in this many.
    pub(super) fn new(units_per_sec: f64, kept_secs: f64, now_millis: u64) -> Bucket {
        let units_max = units_per_sec * kept_secs;
        Bucket { units_per_sec, units_max, units: units_per_sec, filled_millis: now_millis }
    }

    /// Changes how much it gets. What it holds stays, as far as it has room.
    pub(super) fn resize(&mut self, units_per_sec: f64, kept_secs: f64, now_millis: u64) {
        if units_per_sec == self.units_per_sec {
            return;
        }
        self.fill(now_millis);
        // Capacity that was raised is there at once.
        self.units += (units_per_sec - self.units_per_sec).max(0.0);
        self.units_per_sec = units_per_sec;
        self.units_max = units_per_sec * kept_secs;
        self.units = self.units.min(self.units_max);
    }

    /// Whether there is anything in it.
    pub(super) fn has_any(&mut self, now_millis: u64) -> bool {
        self.fill(now_millis);
        self.units > 0.0
    }

    /// Takes units, or puts some back.
    pub(super) fn take(&mut self, units: f64, now_millis: u64) {
        self.fill(now_millis);
        self.units = (self.units - units).min(self.units_max);
    }

    fn fill(&mut self, now_millis: u64) {
        let secs = now_millis.saturating_sub(self.filled_millis) as f64 / 1000.0;
        self.units = (self.units + secs * self.units_per_sec).min(self.units_max);
        self.filled_millis = self.filled_millis.max(now_millis);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_lets_in_while_it_has_anything_and_then_owes() {
        let mut bucket = Bucket::new(5.0, 300.0, 0);
        bucket.take(4.5, 0);
        assert!(bucket.has_any(0));
        bucket.take(10.0, 0);
        assert!(!bucket.has_any(0));
        assert!(!bucket.has_any(1900));
        assert!(bucket.has_any(1901));
    }

    #[test]
    fn what_is_not_used_is_kept_for_five_minutes_and_no_longer() {
        let mut bucket = Bucket::new(5.0, 300.0, 0);
        bucket.take(1500.0 - 0.5, 3_600_000);
        assert!(bucket.has_any(3_600_000));
        bucket.take(0.5, 3_600_000);
        assert!(!bucket.has_any(3_600_000));
    }

    #[test]
    fn capacity_that_was_raised_is_there_at_once() {
        let mut bucket = Bucket::new(1.0, 300.0, 0);
        bucket.take(1.0, 0);
        assert!(!bucket.has_any(0));
        bucket.resize(10.0, 300.0, 0);
        assert!(bucket.has_any(0));
        bucket.resize(1.0, 1.0, 0);
        bucket.take(1.0, 0);
        assert!(!bucket.has_any(0));
    }
}
