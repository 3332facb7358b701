//! What one server did with one workload in one round.

use std::time::Duration;

use super::histogram::Histogram;

/// One measurement.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    /// How long was measured.
    pub(crate) elapsed: Duration,
    /// The latencies of all requests that were answered in that time.
    pub(crate) latencies: Histogram,
    /// The processor time that the server used in that time, if it runs as our child.
    pub(crate) cpu: Option<Duration>,
    /// The server's resident memory at the end, if it runs as our child.
    pub(crate) resident_bytes: Option<u64>,
    /// The share of all processors that neither the server nor the load generator used but somebody
    /// else: what makes rates too low and latencies too high.
    pub(crate) disturbance: Option<f64>,
}

impl Sample {
    /// Answers per second.
    pub(crate) fn requests_per_second(&self) -> f64 {
        self.latencies.total() as f64 / self.elapsed.as_secs_f64()
    }

    /// Processor time of the server per request, in microseconds.
    pub(crate) fn cpu_microseconds(&self) -> Option<f64> {
        let requests = self.latencies.total();
        let cpu = self.cpu.filter(|_| requests > 0)?;
        Some(cpu.as_secs_f64() * 1e6 / requests as f64)
    }

    /// The latency that this share of the requests did not exceed, in microseconds.
    pub(crate) fn latency_microseconds(&self, share: f64) -> f64 {
        self.latencies.quantile(share).as_secs_f64() * 1e6
    }

    /// The server's resident memory in megabytes of a million bytes.
    pub(crate) fn resident_megabytes(&self) -> Option<f64> {
        self.resident_bytes.map(|bytes| bytes as f64 / 1e6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_per_second_and_per_request() {
        let mut latencies = Histogram::new();
        for _ in 0..1000 {
            latencies.record(Duration::from_micros(100));
        }
        let (elapsed, cpu) = (Duration::from_millis(500), Some(Duration::from_millis(10)));
        let sample =
            Sample { elapsed, latencies, cpu, resident_bytes: Some(30_000_000), disturbance: None };
        assert_eq!(sample.requests_per_second(), 2000.0);
        assert_eq!(sample.cpu_microseconds(), Some(10.0));
        assert_eq!(sample.resident_megabytes(), Some(30.0));
    }

    #[test]
    fn without_requests_there_is_no_cost_per_request() {
        let elapsed = Duration::from_secs(1);
        let latencies = Histogram::new();
        let sample = Sample {
            elapsed,
            latencies,
            cpu: Some(elapsed),
            resident_bytes: None,
            disturbance: None,
        };
        assert_eq!(sample.cpu_microseconds(), None);
    }
}
