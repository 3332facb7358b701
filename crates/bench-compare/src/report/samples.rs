//! Columns about requests, the same in all tables.

use std::time::Duration;

use monotable_bench::columns::number;
use monotable_bench::load::{Histogram, PacedSample, Sample};
use monotable_bench::statistics::Spread;

use super::table::Rows;
use super::texts::{milliseconds, percent, precise};

/// What is told of latencies.
const PERCENTILES: [(&str, f64); 4] =
    [("p50 ms", 0.5), ("p99 ms", 0.99), ("p99.9 ms", 0.999), ("max ms", 1.0)];

/// A percentile at a fixed rate in milliseconds, as the median of all rounds.
pub(super) fn latency(samples: &[PacedSample], share: f64) -> Option<f64> {
    let latency = |paced: &PacedSample| milliseconds(paced.sample.latencies.quantile(share));
    Spread::of(samples.iter().map(latency)).map(|spread| spread.median)
}

impl<T> Rows<T> {
    /// Columns about samples in a closed loop, a sample per round.
    pub(super) fn samples(self, of: impl Fn(&T) -> Vec<&Sample>) -> Rows<T> {
        let rates = |row: &T| of(row).into_iter().map(Sample::requests_per_second).collect();
        self.spread(["requests/s", "±"], number, rates).felt(&of).median("RSS MB", number, |row| {
            of(row).into_iter().filter_map(Sample::resident_megabytes).collect()
        })
    }

    /// Columns about samples at a fixed rate, a sample per round.
    pub(super) fn paced_samples(self, of: impl Fn(&T) -> &[PacedSample]) -> Rows<T> {
        let rounds =
            |row: &T, figure: fn(&PacedSample) -> f64| of(row).iter().map(figure).collect();
        self.median("asked/s", number, |row| rounds(row, |paced| paced.asked_per_second))
            .median("achieved/s", number, |row| rounds(row, PacedSample::achieved_per_second))
            .median("of asked", percent, |row| {
                rounds(row, |paced| paced.achieved_per_second() / paced.asked_per_second)
            })
            .felt(|row| of(row).iter().map(|paced| &paced.sample).collect())
    }

    /// Columns of latencies.
    pub(super) fn latencies(self, of: impl Fn(&T) -> &Histogram) -> Rows<T> {
        PERCENTILES.into_iter().fold(self, |rows, (heading, share)| {
            rows.figure(heading, precise, |row| milliseconds(of(row).quantile(share)))
        })
    }

    /// Columns of times that somebody took.
    pub(super) fn time<D: Into<Option<Duration>>>(
        self,
        heading: &str,
        time: impl Fn(&T) -> D,
    ) -> Rows<T> {
        self.figure(heading, precise, |row| {
            let time: Option<Duration> = time(row).into();
            time.map(milliseconds)
        })
    }

    /// What a request costs the server, and how long its client waits.
    fn felt(self, of: impl Fn(&T) -> Vec<&Sample>) -> Rows<T> {
        let rows = self.median("CPU µs", number, |row| {
            of(row).into_iter().filter_map(Sample::cpu_microseconds).collect()
        });
        PERCENTILES.into_iter().fold(rows, |rows, (heading, share)| {
            let latency = |sample: &Sample| milliseconds(sample.latencies.quantile(share));
            // A sample in which nothing was answered has no latency.
            let is_answered = |sample: &&Sample| sample.latencies.total() > 0;
            rows.median(heading, precise, |row| {
                of(row).into_iter().filter(is_answered).map(latency).collect()
            })
        })
    }
}
