//! Figures as they are written in tables and drawn in plots.

use std::time::Duration;

use monotable_bench::columns::{number, unknown};
use monotable_bench::load::{Burst, Second};
use monotable_bench::statistics::Spread;
use monotable_bench::usage::Memory;

/// A figure, or a dash where there is none.
pub(super) fn known<T>(value: Option<T>, write: impl FnOnce(T) -> String) -> String {
    value.map_or_else(unknown, write)
}

/// The median alone.
pub(super) fn median(spread: Spread) -> String {
    number(spread.median)
}

/// Half of the range, in percent of the median.
pub(super) fn range(spread: Spread) -> String {
    format!("{:.0} %", spread.percent())
}

/// A share in percent.
pub(super) fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// A ratio.
pub(super) fn times(ratio: f64) -> String {
    format!("{ratio:.2} ×")
}

/// A number with two decimals where it is small: tenths of a millisecond matter.
pub(super) fn precise(value: f64) -> String {
    if value < 9.95 { format!("{value:.2}") } else { number(value) }
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
pub(super) fn own_megabytes(memory: Option<Memory>) -> String {
    known(memory, |memory| number(megabytes(memory.anonymous_bytes)))
}

/// The pages of mapped files, in megabytes.
pub(super) fn mapped_megabytes(memory: Option<Memory>) -> String {
    known(memory, |memory| number(megabytes(memory.file_bytes)))
}

/// A figure of each second, for a plot.
pub(super) fn over_seconds(burst: &Burst, figure: impl Fn(&Second) -> f64) -> Vec<(f64, f64)> {
    let seconds = burst.seconds.iter().zip(1..);
    let points = seconds.map(|(second, number)| (f64::from(number), figure(second)));
    // A second in which nothing was answered has no latency.
    points.filter(|(_, value)| *value > 0.0).collect()
}
