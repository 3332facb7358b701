//! A burst: as many requests as the server takes, written down second by second.
//!
//! Whether latency stays bounded while a server works in the background shows in its worst second,
//! which a percentile over all of them would hide.

use std::time::{Duration, Instant};

use anyhow::Result;
use tokio::task::JoinSet;

use super::client::{Client, Load, gather};
use super::histogram::Histogram;
use crate::clock;
use crate::target::Target;

/// How long a connection waits when the server asked for patience.
const PATIENCE: Duration = Duration::from_millis(10);

/// What happened in one second.
#[derive(Debug, Clone)]
pub struct Second {
    /// The latencies of the requests that were answered in it.
    pub latencies: Histogram,
    /// How many requests the server refused because it had too much to do.
    pub refused: u64,
}

/// All seconds, one after the other.
#[derive(Debug, Clone, Default)]
pub struct Burst {
    /// The seconds.
    pub seconds: Vec<Second>,
}

impl Burst {
    /// The latencies of all seconds.
    pub fn latencies(&self) -> Histogram {
        let mut all = Histogram::new();
        self.seconds.iter().for_each(|second| all.merge(&second.latencies));
        all
    }

    /// How many requests were refused.
    pub fn refused(&self) -> u64 {
        self.seconds.iter().map(|second| second.refused).sum()
    }

    /// Counts what came after this many seconds for the last of them: a second that was cut short
    /// would look like one in which little happened.
    pub fn end_after(&mut self, seconds: usize) {
        let seconds = seconds.max(1);
        let rest = self.seconds.split_off(seconds.min(self.seconds.len()));
        let Some(last) = self.seconds.last_mut() else { return };
        for second in rest {
            last.latencies.merge(&second.latencies);
            last.refused += second.refused;
        }
    }

    pub(super) fn second(&mut self, number: usize) -> Option<&mut Second> {
        let nothing = || Second { latencies: Histogram::new(), refused: 0 };
        if self.seconds.len() <= number {
            self.seconds.resize_with(number + 1, nothing);
        }
        self.seconds.get_mut(number)
    }

    fn merge(&mut self, other: &Burst) {
        for (number, found) in other.seconds.iter().enumerate() {
            if let Some(second) = self.second(number) {
                second.latencies.merge(&found.latencies);
                second.refused += found.refused;
            }
        }
    }
}

/// Keeps all connections busy for the measured time.
pub async fn run_burst(target: &Target, load: &Load) -> Result<Burst> {
    let mut clients = JoinSet::new();
    let opened = Client::open_all(target, load).await?;
    let start = clock::now();
    for client in opened {
        clients.spawn(keep_busy(client, start, load.measured));
    }
    clock::wait(load.measured).await;
    let mut burst = Burst::default();
    gather(target, clients, |found| burst.merge(&found)).await?;
    Ok(burst)
}

async fn keep_busy(mut client: Client, start: Instant, length: Duration) -> Result<Burst> {
    let mut burst = Burst::default();
    // What is answered after the end was sent before it, and belongs to the last second.
    let last = (length.as_secs_f64().ceil() as usize).saturating_sub(1);
    while start.elapsed() < length {
        let exchange = client.send_patiently().await?;
        let number = (exchange.ended - start).as_secs() as usize;
        let Some(second) = burst.second(number.min(last)) else { continue };
        if exchange.is_answered {
            second.latencies.record(exchange.ended - exchange.started);
        } else {
            second.refused += 1;
            clock::wait(PATIENCE).await;
        }
    }
    Ok(burst)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bursts_are_put_together_by_the_second() {
        let mut all = Burst::default();
        for (number, refused) in [(0, 1), (2, 4), (0, 2)] {
            let mut one = Burst::default();
            let second = one.second(number).unwrap();
            second.refused = refused;
            second.latencies.record(Duration::from_millis(1));
            all.merge(&one);
        }
        let refused: Vec<u64> = all.seconds.iter().map(|second| second.refused).collect();
        assert_eq!(refused, [3, 0, 4]);
        assert_eq!((all.latencies().total(), all.refused()), (3, 7));
        all.end_after(2);
        assert_eq!((all.seconds.len(), all.refused(), all.latencies().total()), (2, 7, 3));
        all.end_after(9);
        assert_eq!(all.seconds.len(), 2);
    }
}
