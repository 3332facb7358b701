//! What the server used, second by second.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use monotable_bench::clock;
use monotable_bench::target::Target;
use monotable_bench::usage::{self, Memory};

use crate::disk::directory_bytes;

/// How often the server is looked at.
const INTERVAL: Duration = Duration::from_secs(1);
/// How soon the end of a run is seen.
const LOOK: Duration = Duration::from_millis(50);

/// What was seen at the end of one second.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    /// Seconds since the beginning.
    pub(crate) at: f64,
    /// The share of one processor that the server used since the moment before.
    pub(crate) cpu_share: f64,
    /// Its memory.
    pub(crate) memory: Memory,
    /// What its data takes on disk.
    pub(crate) disk_bytes: u64,
}

/// Everything that was seen of a server.
#[derive(Debug, Clone, Default)]
pub(crate) struct Timeline {
    /// The moments, in order.
    pub(crate) moments: Vec<Look>,
}

impl Timeline {
    /// The mean share of one processor.
    pub(crate) fn cpu_share(&self) -> Option<f64> {
        let shares = self.moments.iter().map(|moment| moment.cpu_share);
        (!self.moments.is_empty()).then(|| shares.sum::<f64>() / self.moments.len() as f64)
    }

    /// The most of a figure.
    pub(crate) fn most(&self, figure: impl Fn(&Look) -> u64) -> Option<u64> {
        self.moments.iter().map(figure).max()
    }
}

/// Looks at a server every second until it is told to stop.
pub(super) async fn watch(target: Target, data: PathBuf, stopped: Arc<AtomicBool>) -> Timeline {
    let mut timeline = Timeline::default();
    let Some(process) = target.process else { return timeline };
    let start = clock::now();
    let mut last = (start, usage::cpu(process).unwrap_or_default());
    while !stopped.load(Ordering::Relaxed) {
        let next = start + INTERVAL * (timeline.moments.len() as u32 + 1);
        wait_until(next, &stopped).await;
        if clock::now() < next {
            break;
        }
        let (now, cpu) = (clock::now(), usage::cpu(process).unwrap_or_default());
        let used = cpu.saturating_sub(last.1).as_secs_f64();
        timeline.moments.push(Look {
            at: (now - start).as_secs_f64(),
            cpu_share: used / (now - last.0).as_secs_f64(),
            memory: usage::memory(process).unwrap_or_default(),
            // Files may go while they are counted.
            disk_bytes: directory_bytes(&data).unwrap_or_default(),
        });
        last = (now, cpu);
    }
    timeline
}

async fn wait_until(moment: Instant, stopped: &AtomicBool) {
    while clock::now() < moment && !stopped.load(Ordering::Relaxed) {
        clock::wait(LOOK.min(moment.saturating_duration_since(clock::now()))).await;
    }
}
