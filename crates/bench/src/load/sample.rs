//! What one server did with one workload in one round.

use std::time::Duration;

use super::histogram::Histogram;
use super::meter::Reading;

/// One measurement.
#[derive(Debug, Clone)]
pub struct Sample {
    /// How long was measured.
    pub elapsed: Duration,
    /// The latencies of all requests that were answered in that time.
    pub latencies: Histogram,
    /// The processor time that the server used in that time, if its process is known.
    pub cpu: Option<Duration>,
    /// The server's resident memory at the end, if its process is known.
    pub resident_bytes: Option<u64>,
    /// The share of all processors that neither the server nor the load generator used but somebody
    /// else: what makes rates too low and latencies too high.
    pub disturbance: Option<f64>,
}

/// One measurement at a fixed rate. Its latencies run from the moments at which requests should
/// have been sent, and there is one for each of them.
#[derive(Debug, Clone)]
pub struct PacedSample {
    /// The rate that was asked for.
    pub asked_per_second: f64,
    /// How many requests were answered before the end.
    pub answered: u64,
    /// Everything else.
    pub sample: Sample,
}

impl PacedSample {
    /// The rate that was achieved. If it is less than what was asked for, the server did not keep
    /// up.
    pub fn achieved_per_second(&self) -> f64 {
        self.answered as f64 / self.sample.elapsed.as_secs_f64()
    }
}

impl Sample {
    /// What was measured between two moments.
    pub fn new(reading: &Reading, latencies: Histogram) -> Sample {
        Sample {
            elapsed: reading.elapsed,
            latencies,
            cpu: reading.server_cpu,
            resident_bytes: reading.resident_bytes,
            disturbance: reading.disturbance(),
        }
    }

    /// Answers per second.
    pub fn requests_per_second(&self) -> f64 {
        self.latencies.total() as f64 / self.elapsed.as_secs_f64()
    }

    /// Processor time of the server per request, in microseconds.
    pub fn cpu_microseconds(&self) -> Option<f64> {
        let requests = self.latencies.total();
        let cpu = self.cpu.filter(|_| requests > 0)?;
        Some(cpu.as_secs_f64() * 1e6 / requests as f64)
    }

    /// The latency that this share of the requests did not exceed, in microseconds.
    pub fn latency_microseconds(&self, share: f64) -> f64 {
        self.latencies.quantile(share).as_secs_f64() * 1e6
    }

    /// The server's resident memory in megabytes of a million bytes.
    pub fn resident_megabytes(&self) -> Option<f64> {
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
