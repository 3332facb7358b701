//! What is the same in the figures of all runs, as JSON: every figure of every round, so that
//! others can summarize and plot it.

use monotable_bench::load::{Burst, Histogram, PacedSample, Sample, Second};
use monotable_bench::statistics::Spread;
use monotable_bench::summary::Summary;
use monotable_bench::usage::Memory;
use serde_json::{Value, json};

use super::texts::milliseconds;
use crate::machine::Machine;
use crate::settings::Settings;

/// A list, each member written in the same way.
pub(super) fn list<'a, T: 'a>(
    members: impl IntoIterator<Item = &'a T>,
    write: impl Fn(&'a T) -> Value,
) -> Value {
    members.into_iter().map(write).collect()
}

/// An object with more members.
pub(super) fn with<const N: usize>(mut object: Value, more: [(&str, Value); N]) -> Value {
    if let Some(members) = object.as_object_mut() {
        members.extend(more.map(|(name, value)| (name.to_owned(), value)));
    }
    object
}

/// The machine.
pub(super) fn machine(machine: &Machine) -> Value {
    json!({
        "processor": machine.processor,
        "cores": machine.cores,
        "system": machine.system,
        "commit": machine.commit,
    })
}

/// What was asked for.
pub(super) fn settings(settings: &Settings) -> Value {
    json!({
        "items": settings.dataset.items(),
        "seconds": settings.measured.as_secs_f64(),
        "rounds": settings.rounds,
        "seed": settings.seed,
    })
}

/// Medians with their ranges; nothing without samples.
pub(super) fn summary(samples: &[Sample]) -> Value {
    Summary::of(samples).map_or(Value::Null, |summary| {
        json!({
            "requests_per_second": spread(summary.requests_per_second),
            "cpu_us": summary.cpu_microseconds.map(spread),
            "p50_us": spread(summary.p50_microseconds),
            "p99_us": spread(summary.p99_microseconds),
            "p999_us": spread(summary.p999_microseconds),
            "resident_mb": summary.resident_megabytes.map(spread),
        })
    })
}

/// A median with its range.
pub(super) fn spread(spread: Spread) -> Value {
    json!({ "median": spread.median, "least": spread.least, "most": spread.most })
}

/// Medians, and every round.
pub(super) fn samples(samples: &[Sample]) -> Value {
    json!({ "median": summary(samples), "rounds": list(samples, sample) })
}

/// One round.
pub(super) fn sample(sample: &Sample) -> Value {
    json!({
        "requests": sample.latencies.total(),
        "seconds": sample.elapsed.as_secs_f64(),
        "requests_per_second": sample.requests_per_second(),
        "cpu_us": sample.cpu_microseconds(),
        "p50_us": sample.latency_microseconds(0.5),
        "p99_us": sample.latency_microseconds(0.99),
        "p999_us": sample.latency_microseconds(0.999),
        "resident_mb": sample.resident_megabytes(),
        "disturbance": sample.disturbance,
    })
}

/// One round at a fixed rate.
pub(super) fn paced_sample(paced: &PacedSample) -> Value {
    let more = [("achieved_per_second", paced.achieved_per_second().into())];
    with(sample(&paced.sample), more)
}

/// Latencies, and how many of them there are, by the name of what is counted.
pub(super) fn latencies(counted: &str, found: &Histogram) -> Value {
    let at = |share| milliseconds(found.quantile(share));
    json!({
        counted: found.total(),
        "p50_ms": at(0.5),
        "p99_ms": at(0.99),
        "p999_ms": at(0.999),
        "max_ms": at(1.0),
    })
}

/// What was felt in each second.
pub(super) fn seconds(burst: &Burst) -> Value {
    list(&burst.seconds, |second: &Second| {
        with(latencies("requests", &second.latencies), [("refused", second.refused.into())])
    })
}

/// The memory of a server.
pub(super) fn memory(memory: Memory) -> Value {
    json!({ "anonymous_bytes": memory.anonymous_bytes, "file_bytes": memory.file_bytes })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_second_says_how_long_its_slowest_request_waited() {
        let mut second = Second { latencies: Default::default(), refused: 2 };
        second.latencies.record(Duration::from_millis(100));
        let found = &seconds(&Burst { seconds: vec![second] })[0];
        assert!((99.0..101.0).contains(&found["max_ms"].as_f64().unwrap()), "{found}");
        assert_eq!((&found["requests"], &found["refused"]), (&json!(1), &json!(2)));
    }
}
