//! The rounds of one measurement as medians with spreads.

use crate::load::Sample;
use crate::statistics::Spread;

/// Medians over rounds. What the system does not tell is none.
#[derive(Debug, Clone, Copy)]
pub struct Summary {
    /// Answers per second.
    pub requests_per_second: Spread,
    /// Processor time of the server per request.
    pub cpu_microseconds: Option<Spread>,
    /// The latency that half of the requests did not exceed.
    pub p50_microseconds: Spread,
    /// That of 99 in 100.
    pub p99_microseconds: Spread,
    /// That of 999 in 1000.
    pub p999_microseconds: Spread,
    /// Memory of the server.
    pub resident_megabytes: Option<Spread>,
}

impl Summary {
    /// Summarizes samples of the same thing; none if there are none.
    pub fn of(samples: &[Sample]) -> Option<Summary> {
        let over =
            |figure: &dyn Fn(&Sample) -> Option<f64>| Spread::of(samples.iter().filter_map(figure));
        let latency = |share| over(&|sample| Some(sample.latency_microseconds(share)));
        Some(Summary {
            requests_per_second: over(&|sample| Some(sample.requests_per_second()))?,
            cpu_microseconds: over(&Sample::cpu_microseconds),
            p50_microseconds: latency(0.5)?,
            p99_microseconds: latency(0.99)?,
            p999_microseconds: latency(0.999)?,
            resident_megabytes: over(&Sample::resident_megabytes),
        })
    }
}
