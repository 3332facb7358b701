//! How often each latency was seen, to within one percent.
//!
//! Every power of two is cut into [`STEPS`] buckets of equal width, so a bucket is at most 1/128 of
//! its value wide, whether that is a microsecond or a second. Recording is a few shifts and one
//! addition, and memory stays the same however many latencies are recorded.

use std::time::Duration;

/// Buckets per power of two.
const STEPS: u64 = 1 << STEPS_LOG2;
const STEPS_LOG2: u32 = 7;
/// Latencies from here on (18 minutes) are counted as this one.
const NANOSECONDS_MAX: u64 = (1 << 40) - 1;
const BUCKETS: usize = (40 - STEPS_LOG2 as usize + 1) * STEPS as usize;

/// Counts of latencies.
#[derive(Debug, Clone)]
pub struct Histogram {
    counts: Vec<u64>,
    total: u64,
}

impl Default for Histogram {
    fn default() -> Histogram {
        Histogram::new()
    }
}

impl Histogram {
    /// A histogram of nothing.
    pub fn new() -> Histogram {
        Histogram { counts: vec![0; BUCKETS], total: 0 }
    }

    /// Counts one latency.
    pub fn record(&mut self, latency: Duration) {
        let nanoseconds = u64::try_from(latency.as_nanos()).unwrap_or(u64::MAX);
        let bucket = bucket(nanoseconds.min(NANOSECONDS_MAX));
        *self.counts.get_mut(bucket).expect("every latency up to the greatest has a bucket") += 1;
        self.total += 1;
    }

    /// Adds what another histogram counted.
    pub fn merge(&mut self, other: &Histogram) {
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count += more;
        }
        self.total += other.total;
    }

    /// How many latencies were recorded.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The latency that this share of all requests did not exceed; zero if nothing was recorded.
    pub fn quantile(&self, share: f64) -> Duration {
        let rank = ((self.total as f64 * share).ceil() as u64).max(1);
        let mut seen = 0;
        for (bucket, count) in self.counts.iter().enumerate() {
            seen += count;
            if seen >= rank {
                return Duration::from_nanos(middle(bucket as u64));
            }
        }
        Duration::ZERO
    }
}

/// The bucket of a latency. Latencies below [`STEPS`] nanoseconds have a bucket each.
fn bucket(nanoseconds: u64) -> usize {
    let Some(magnitude) = nanoseconds.checked_ilog2().filter(|log| *log >= STEPS_LOG2) else {
        return nanoseconds as usize;
    };
    let shift = magnitude - STEPS_LOG2;
    let step = (nanoseconds >> shift) - STEPS;
    (u64::from(shift + 1) * STEPS + step) as usize
}

/// The latency in the middle of a bucket: the inverse of [`bucket`].
fn middle(bucket: u64) -> u64 {
    let (group, step) = (bucket / STEPS, bucket % STEPS);
    match group.checked_sub(1) {
        None => step,
        Some(shift) => ((STEPS + step) << shift) + (1 << shift) / 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_latency_is_known_to_within_one_percent() {
        let mut nanoseconds: u64 = 1;
        while nanoseconds < NANOSECONDS_MAX {
            let read_back = middle(bucket(nanoseconds) as u64);
            let error = read_back.abs_diff(nanoseconds) as f64 / nanoseconds as f64;
            assert!(error <= 0.01, "{nanoseconds} is read back as {read_back}");
            nanoseconds += 1 + nanoseconds / 97;
        }
    }

    #[test]
    fn buckets_grow_with_latencies_and_end_with_the_last() {
        let edges: Vec<usize> = [0, 127, 128, 129, 255, 256, 511, 512].map(bucket).into();
        assert_eq!(edges, [0, 127, 128, 129, 255, 256, 383, 384]);
        assert_eq!(bucket(NANOSECONDS_MAX), BUCKETS - 1);
    }

    #[test]
    fn quantiles_are_those_of_the_sorted_latencies() {
        let mut histogram = Histogram::new();
        for microseconds in 1..=1000 {
            histogram.record(Duration::from_micros(microseconds));
        }
        for (share, expected) in [(0.5, 500.0), (0.99, 990.0), (0.999, 999.0), (1.0, 1000.0)] {
            let microseconds = histogram.quantile(share).as_secs_f64() * 1e6;
            assert!((microseconds / expected - 1.0).abs() <= 0.01, "{share}: {microseconds}");
        }
    }

    #[test]
    fn a_merged_histogram_counts_both() {
        let (mut left, mut right) = (Histogram::new(), Histogram::new());
        left.record(Duration::from_nanos(10));
        right.record(Duration::from_nanos(20));
        right.record(Duration::from_secs(3600));
        left.merge(&right);
        assert_eq!(left.total(), 3);
        assert_eq!(left.quantile(0.5), Duration::from_nanos(20));
        assert!(left.quantile(1.0) > Duration::from_secs(1000));
    }

    #[test]
    fn a_histogram_of_nothing_has_no_latency() {
        assert_eq!(Histogram::new().quantile(0.5), Duration::ZERO);
    }
}
