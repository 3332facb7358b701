//! What the server costs while it does nothing: time to start, memory, size.

use std::fs;
use std::time::Duration;

use anyhow::Result;
use monotable_bench::clock;
use monotable_bench::statistics::Spread;

use crate::server::{Server, ServerKind};
use crate::settings::Settings;

/// How often a start is timed.
const STARTS: usize = 5;
/// How long a server idles before its memory is read.
const IDLE: Duration = Duration::from_millis(500);

/// What was measured, each beside the bar that it must stay under.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Footprint {
    /// From the start of the process on an empty directory to its first answer.
    pub(crate) start_milliseconds: Spread,
    /// Resident memory after the first answer; none where the system does not tell.
    pub(crate) idle_megabytes: Option<f64>,
    /// The size of the binary.
    pub(crate) binary_megabytes: f64,
}

impl Footprint {
    /// The bar for a start.
    pub(crate) const START_MILLISECONDS_MAX: f64 = 50.0;
    /// The bar for memory.
    pub(crate) const IDLE_MEGABYTES_MAX: f64 = 30.0;
    /// The bar for the binary.
    pub(crate) const BINARY_MEGABYTES_MAX: f64 = 20.0;
}

/// Starts the server on empty directories and watches it do nothing.
pub(crate) async fn measure(settings: &Settings) -> Result<Footprint> {
    let mut starts = Vec::new();
    let mut idle_bytes = None;
    for _ in 0..STARTS {
        let started = clock::now();
        let server = Server::start(ServerKind::Durable, settings).await?;
        starts.push(started.elapsed().as_secs_f64() * 1e3);
        clock::wait(IDLE.min(settings.measured)).await;
        idle_bytes = idle_bytes.max(server.resident_bytes());
    }
    Ok(Footprint {
        start_milliseconds: Spread::of(starts).expect("there is at least one start"),
        idle_megabytes: idle_bytes.map(|bytes| bytes as f64 / 1e6),
        binary_megabytes: fs::metadata(&settings.binary)?.len() as f64 / 1e6,
    })
}
