//! A flow: requests at a fixed rate for as long as something else takes, written down second by
//! second.
//!
//! It is an open loop: a latency runs from the moment at which its request should have been sent,
//! and belongs to the second of that moment. A stall is seen in the second in which it began, and
//! in all that had to wait for its end.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex as Lock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use tokio::sync::Mutex;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::task::JoinSet;

use super::burst::Burst;
use super::client::gather;
use super::open_loop::{Due, LEAD, pace};
use super::schedule::Schedule;
use crate::clock;
use crate::http::Connection;
use crate::target::Target;

/// Longer than any flow.
const LENGTH_MAX: Duration = Duration::from_secs(7 * 24 * 3600);
/// How long a request of a batch waits when the server had no room for it, and how many times.
const PATIENCE: Duration = Duration::from_millis(20);
const ATTEMPTS_MAX: usize = 1000;

/// Makes the bytes of a request by its number.
pub type MakeRequest = Arc<dyn Fn(u64) -> Vec<u8> + Send + Sync>;

/// Requests that are due at equal distances.
#[derive(Clone)]
pub struct Flow {
    /// What it is called.
    pub title: String,
    /// How many requests are due in a second.
    pub per_second: f64,
    /// How many may be under way at once.
    pub connections: u64,
    /// The requests, from number zero on.
    pub request: MakeRequest,
}

impl fmt::Debug for Flow {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Flow").field("title", &self.title).finish_non_exhaustive()
    }
}

/// Sends a flow until it is told to stop. A server may refuse because it has too much to do; any
/// other answer but success is an error.
pub async fn run_flow(target: &Target, flow: &Flow, stopped: Arc<AtomicBool>) -> Result<Burst> {
    let (sender, receiver) = unbounded_channel();
    let due = Arc::new(Mutex::new(receiver));
    let start = clock::now() + LEAD;
    // One for all connections: a long run has many seconds.
    let burst = Arc::new(Lock::new(Burst::default()));
    let mut clients = JoinSet::new();
    for _ in 0..flow.connections {
        let connection = Connection::open(target).await?;
        let client = FlowClient { connection, request: flow.request.clone(), start };
        clients.spawn(client.follow(due.clone(), stopped.clone(), burst.clone()));
    }
    let schedule = Schedule::new(start, flow.per_second, LENGTH_MAX);
    let end = stopped.clone();
    thread::spawn(move || pace(schedule, &sender, &end));
    while !stopped.load(Ordering::Relaxed) {
        if let Some(ended) = clients.try_join_next() {
            ended?.with_context(|| flow.title.clone())?;
        }
        clock::wait(LEAD).await;
    }
    gather(target, clients, |()| {}).await.with_context(|| flow.title.clone())?;
    let burst = burst.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(burst.clone())
}

/// One connection of a flow.
struct FlowClient {
    connection: Connection,
    request: MakeRequest,
    start: Instant,
}

impl FlowClient {
    async fn follow(
        mut self,
        due: Arc<Mutex<UnboundedReceiver<Due>>>,
        stopped: Arc<AtomicBool>,
        burst: Arc<Lock<Burst>>,
    ) -> Result<()> {
        loop {
            let Some((number, moment)) = due.lock().await.recv().await else { return Ok(()) };
            // What was never sent counts with the time that it waited.
            let is_late = stopped.load(Ordering::Relaxed);
            let is_answered = is_late || self.send(number).await?;
            let waited = clock::now().saturating_duration_since(moment);
            let number = moment.saturating_duration_since(self.start).as_secs() as usize;
            let mut burst = burst.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(second) = burst.second(number) else { continue };
            if is_answered {
                second.latencies.record(waited);
            } else {
                second.refused += 1;
            }
        }
    }

    /// Says whether the server took the request.
    async fn send(&mut self, number: u64) -> Result<bool> {
        let answer = self.connection.exchange(&(self.request)(number)).await?;
        if answer.is_refusal() {
            return Ok(false);
        }
        answer.success()?;
        Ok(true)
    }
}

/// Sends the requests of these numbers as fast as they are answered, each until the server takes
/// it.
pub async fn run_each(
    target: &Target,
    request: &MakeRequest,
    numbers: impl Iterator<Item = u64>,
    connections: u64,
) -> Result<()> {
    let numbers: Arc<Vec<u64>> = Arc::new(numbers.collect());
    let next = Arc::new(AtomicU64::new(0));
    let mut clients = JoinSet::new();
    for _ in 0..connections {
        let connection = Connection::open(target).await?;
        clients.spawn(send_some(connection, request.clone(), numbers.clone(), next.clone()));
    }
    while let Some(client) = clients.join_next().await {
        client??;
    }
    Ok(())
}

async fn send_some(
    mut connection: Connection,
    request: MakeRequest,
    numbers: Arc<Vec<u64>>,
    next: Arc<AtomicU64>,
) -> Result<()> {
    loop {
        let place = next.fetch_add(1, Ordering::Relaxed) as usize;
        let Some(number) = numbers.get(place) else { return Ok(()) };
        send_patiently(&mut connection, &request(*number)).await?;
    }
}

async fn send_patiently(connection: &mut Connection, request: &[u8]) -> Result<()> {
    for _ in 0..ATTEMPTS_MAX {
        let answer = connection.exchange(request).await?;
        if !answer.is_refusal() && is_whole(answer.success()?) {
            return Ok(());
        }
        clock::wait(PATIENCE).await;
    }
    bail!("the server did not take a request after {ATTEMPTS_MAX} attempts")
}

/// Whether a batch was taken as a whole. Other requests have no such member.
fn is_whole(body: &[u8]) -> bool {
    let name = b"\"UnprocessedItems\":{\"";
    !body.windows(name.len()).any(|part| part == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_with_something_left_is_not_whole() {
        assert!(is_whole(b"{}"));
        assert!(is_whole(b"{\"UnprocessedItems\":{}}"));
        assert!(!is_whole(b"{\"UnprocessedItems\":{\"table\":[]}}"));
    }
}
