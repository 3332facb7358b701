//! The closed loop: every connection sends its next request when the last one is answered.
//!
//! It finds how much a server can do, and what a request takes under that load. It says nothing
//! about latency at a given rate, because a server that stalls is asked less meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use anyhow::Result;
use tokio::task::JoinSet;

use super::client::{Client, Load, gather};
use super::histogram::Histogram;
use super::meter::Meter;
use super::sample::Sample;
use crate::clock;
use crate::target::Target;

/// What the connections do now. It moves on from one to the next.
const WARM_UP: u8 = 0;
const MEASURE: u8 = 1;
const STOP: u8 = 2;

/// Takes one sample of a server. Any answer that is not right is an error.
pub async fn run(target: &Target, load: &Load) -> Result<Sample> {
    run_during(target, load, clock::wait(load.measured)).await
}

/// Takes one sample for as long as something else takes, which begins after the warm-up.
pub async fn run_during(
    target: &Target,
    load: &Load,
    something: impl Future<Output = ()>,
) -> Result<Sample> {
    let phase = Arc::new(AtomicU8::new(WARM_UP));
    let mut clients = JoinSet::new();
    for client in Client::open_all(target, load).await? {
        clients.spawn(keep_busy(client, phase.clone()));
    }
    clock::wait(load.warm_up).await;
    let meter = Meter::start(target.process);
    phase.store(MEASURE, Ordering::Relaxed);
    something.await;
    let reading = meter.read();
    phase.store(STOP, Ordering::Relaxed);
    let mut latencies = Histogram::new();
    gather(target, clients, |found| latencies.merge(&found)).await?;
    Ok(Sample::new(&reading, latencies))
}

/// Sends requests until it is told to stop, at least one.
async fn keep_busy(mut client: Client, phase: Arc<AtomicU8>) -> Result<Histogram> {
    let mut latencies = Histogram::new();
    loop {
        let exchange = client.send().await?;
        match phase.load(Ordering::Relaxed) {
            WARM_UP => {}
            MEASURE => latencies.record(exchange.ended - exchange.started),
            _ => return Ok(latencies),
        }
    }
}
