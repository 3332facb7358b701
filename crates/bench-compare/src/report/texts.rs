//! Figures as they are written in tables and drawn in plots.

use std::time::Duration;

use monotable_bench::columns::number;
use monotable_bench::load::{Burst, Second};
use monotable_bench::usage::Memory;

/// A count.
pub(super) fn whole(count: f64) -> String {
    format!("{count:.0}")
}

/// Half of a range, which is in percent of a median.
pub(super) fn range(percent: f64) -> String {
    format!("{percent:.0} %")
}

/// A share in percent.
pub(super) fn percent(share: f64) -> String {
    range(share * 100.0)
}

/// A ratio.
pub(super) fn times(ratio: f64) -> String {
    format!("{ratio:.2} ×")
}

/// A number whose decimals matter, such as a latency in milliseconds.
pub(super) fn precise(value: f64) -> String {
    match value {
        value if value > 0.0 && value < 0.0995 => format!("{value:.3}"),
        value if value < 9.95 => format!("{value:.2}"),
        value => number(value),
    }
}

/// A time in milliseconds.
pub(super) fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// A number of bytes in megabytes.
pub(super) fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// What only the server has, in megabytes. Pages of mapped files are counted apart.
pub(super) fn own_megabytes(memory: Memory) -> f64 {
    megabytes(memory.anonymous_bytes)
}

/// The pages of mapped files, in megabytes.
pub(super) fn mapped_megabytes(memory: Memory) -> f64 {
    megabytes(memory.file_bytes)
}

/// A figure of each second, for a plot.
pub(super) fn over_seconds(burst: &Burst, figure: impl Fn(&Second) -> f64) -> Vec<(f64, f64)> {
    let seconds = burst.seconds.iter().zip(1..);
    let points = seconds.map(|(second, number)| (f64::from(number), figure(second)));
    // A second in which nothing was answered has no latency.
    points.filter(|(_, value)| *value > 0.0).collect()
}
