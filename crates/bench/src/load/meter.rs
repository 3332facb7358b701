//! Time and processor time between two moments.

use std::thread;
use std::time::{Duration, Instant};

use crate::clock;
use crate::usage;

/// What had been used when a measurement began.
#[derive(Debug)]
pub struct Meter {
    process: Option<u32>,
    started: Instant,
    server_cpu: Option<Duration>,
    own_cpu: Option<Duration>,
    machine_cpu: Option<Duration>,
}

/// What was used from then on. What the system does not tell is none.
#[derive(Debug)]
pub struct Reading {
    /// The time that passed.
    pub elapsed: Duration,
    /// The processor time of the server.
    pub server_cpu: Option<Duration>,
    /// The resident memory of the server at the end.
    pub resident_bytes: Option<u64>,
    own_cpu: Option<Duration>,
    machine_cpu: Option<Duration>,
}

impl Meter {
    /// Begins to measure what a process uses, if it is known.
    pub fn start(process: Option<u32>) -> Meter {
        Meter {
            process,
            started: clock::now(),
            server_cpu: process.and_then(usage::cpu),
            own_cpu: usage::cpu(std::process::id()),
            machine_cpu: usage::machine_cpu(),
        }
    }

    /// Reads what was used since the start.
    pub fn read(&self) -> Reading {
        let end = Meter::start(self.process);
        Reading {
            resident_bytes: self.process.and_then(usage::resident_bytes),
            elapsed: end.started - self.started,
            server_cpu: difference(self.server_cpu, end.server_cpu),
            own_cpu: difference(self.own_cpu, end.own_cpu),
            machine_cpu: difference(self.machine_cpu, end.machine_cpu),
        }
    }
}

impl Reading {
    /// The share of all processors that went to neither the server nor this program.
    pub fn disturbance(&self) -> Option<f64> {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let all = self.elapsed.as_secs_f64() * cores as f64;
        let ours = self.server_cpu? + self.own_cpu?;
        Some(self.machine_cpu?.saturating_sub(ours).as_secs_f64() / all)
    }
}

fn difference(before: Option<Duration>, after: Option<Duration>) -> Option<Duration> {
    Some(after?.saturating_sub(before?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_of_the_machines_time_is_disturbance() {
        let cores = thread::available_parallelism().unwrap().get() as f64;
        let reading = Reading {
            elapsed: Duration::from_secs(10),
            server_cpu: Some(Duration::from_secs(2)),
            resident_bytes: None,
            own_cpu: Some(Duration::from_secs(3)),
            machine_cpu: Some(Duration::from_secs(9)),
        };
        assert_eq!(reading.disturbance(), Some(4.0 / (10.0 * cores)));
        assert_eq!(Reading { own_cpu: None, ..reading }.disturbance(), None);
    }
}
