//! The open loop: requests are sent at a fixed rate, whatever becomes of the earlier ones.
//!
//! A latency runs from the moment at which its request *should have been* sent. If the server
//! stalls, or all connections are busy, the requests of that time wait, and their waiting counts;
//! leaving it out is known as coordinated omission. Requests that were never sent because the
//! server fell behind count with the time that they had waited at the end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use tokio::sync::Mutex;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;

use super::client::{Client, Load, gather};
use super::histogram::Histogram;
use super::meter::Meter;
use super::sample::{PacedSample, Sample};
use super::schedule::Schedule;
use crate::clock;
use crate::target::Target;

/// How long the schedule waits to begin, so that everything is in place.
pub(super) const LEAD: Duration = Duration::from_millis(20);

/// Takes one sample at a rate of requests per second. The connections of the load are how many
/// requests may be under way at a time.
pub async fn run_paced(target: &Target, load: &Load, per_second: f64) -> Result<PacedSample> {
    let (sender, receiver) = unbounded_channel();
    let start = clock::now() + LEAD;
    let window = Window { start: start + load.warm_up, stopped: Arc::default() };
    let moments = Arc::new(Mutex::new(receiver));
    let mut clients = JoinSet::new();
    for client in Client::open_all(target, load).await? {
        clients.spawn(serve_moments(client, moments.clone(), window.clone()));
    }
    let schedule = Schedule::new(start, per_second, load.warm_up + load.measured);
    // The thread ends with the schedule, or as soon as nobody listens.
    let stopped = window.stopped.clone();
    thread::spawn(move || pace(schedule, &sender, &stopped));
    clock::wait(window.start.saturating_duration_since(clock::now())).await;
    let meter = Meter::start(target.process);
    clock::wait(load.measured).await;
    let reading = meter.read();
    window.stopped.store(true, Ordering::Relaxed);
    let (mut latencies, mut answered) = (Histogram::new(), 0);
    gather(target, clients, |found: Found| {
        latencies.merge(&found.latencies);
        answered += found.answered;
    })
    .await?;
    let sample = Sample::new(&reading, latencies);
    Ok(PacedSample { asked_per_second: per_second, answered, sample })
}

/// A moment that has come, and its place in the schedule.
pub(super) type Due = (u64, Instant);

/// Hands out the moments of a schedule when they come, until it ends or is stopped. What was due
/// before the stop is handed out even then.
pub(super) fn pace(mut schedule: Schedule, moments: &UnboundedSender<Due>, stopped: &AtomicBool) {
    be_exact();
    let mut number = 0;
    while let Some(next) = schedule.next() {
        clock::sleep_until(next);
        let now = clock::now();
        while let Some(moment) = schedule.take_due(now) {
            if moments.send((number, moment)).is_err() {
                return;
            }
            number += 1;
        }
        if stopped.load(Ordering::Relaxed) {
            return;
        }
    }
}

/// Linux lets a thread sleep up to 50 µs too long, unless it asks for better. If it may not ask,
/// latencies are that much too long.
#[cfg(target_os = "linux")]
fn be_exact() {
    let _ = rustix::thread::set_current_timer_slack(std::num::NonZeroU64::new(1));
}

#[cfg(not(target_os = "linux"))]
fn be_exact() {}

/// Which moments count.
#[derive(Clone)]
struct Window {
    start: Instant,
    stopped: Arc<AtomicBool>,
}

/// What one connection has found.
struct Found {
    latencies: Histogram,
    answered: u64,
}

/// Sends a request for each moment that this connection gets, until there are no more.
async fn serve_moments(
    mut client: Client,
    moments: Arc<Mutex<UnboundedReceiver<Due>>>,
    window: Window,
) -> Result<Found> {
    let mut found = Found { latencies: Histogram::new(), answered: 0 };
    loop {
        let Some((_, intended)) = moments.lock().await.recv().await else { return Ok(found) };
        let is_late = window.stopped.load(Ordering::Relaxed);
        let ended = if is_late { clock::now() } else { client.send().await?.ended };
        if intended >= window.start {
            found.latencies.record(ended - intended);
            found.answered += u64::from(!is_late);
        }
    }
}
