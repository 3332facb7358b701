//! What the disk itself takes: a thread that overwrites 4 KB and syncs, at a fixed rate.
//!
//! A durable write cannot be answered before its sync. What the same disk takes for one in the same
//! minute, alone and while the server writes, is what its latency is held against.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Result, anyhow};
use monotable_bench::clock;
use monotable_bench::load::Histogram;

const BLOCK: [u8; 4096] = [7; 4096];
/// The file is written over from its beginning when it has so many blocks.
const BLOCKS: u64 = 1024;
/// Syncs per second: enough for the last percentiles of a sample, and few beside what a server
/// makes.
const PER_SECOND: u32 = 200;

/// A thread that syncs.
#[derive(Debug)]
pub(super) struct SyncLoop {
    stopped: Arc<AtomicBool>,
    thread: JoinHandle<io::Result<Histogram>>,
}

impl SyncLoop {
    /// Begins to sync a file of a directory.
    pub(super) fn start(directory: &Path) -> Result<SyncLoop> {
        let file = prepare(directory)?;
        let stopped = Arc::new(AtomicBool::new(false));
        let end = stopped.clone();
        let thread = thread::spawn(move || repeat(&file, &end));
        Ok(SyncLoop { stopped, thread })
    }

    /// Ends it; returns how long the syncs took.
    pub(super) fn stop(self) -> Result<Histogram> {
        self.stopped.store(true, Ordering::Relaxed);
        let found = self.thread.join().map_err(|_| anyhow!("the thread that syncs failed"))?;
        Ok(found?)
    }
}

/// A file without a name whose blocks all exist, so that a sync has no more to write than a block.
fn prepare(directory: &Path) -> Result<File> {
    let path = directory.join("sync-loop");
    let file = OpenOptions::new().create(true).write(true).truncate(true).open(&path)?;
    std::fs::remove_file(&path)?;
    for block in 0..BLOCKS {
        write(&file, block)?;
    }
    file.sync_all()?;
    Ok(file)
}

fn repeat(file: &File, stopped: &AtomicBool) -> io::Result<Histogram> {
    let mut latencies = Histogram::new();
    let interval = Duration::from_secs(1) / PER_SECOND;
    let mut next = clock::now();
    let mut block = 0;
    while !stopped.load(Ordering::Relaxed) {
        clock::sleep_until(next);
        let begin = clock::now();
        write(file, block % BLOCKS)?;
        file.sync_data()?;
        latencies.record(begin.elapsed());
        block += 1;
        next = (next + interval).max(clock::now());
    }
    Ok(latencies)
}

#[cfg(unix)]
fn write(file: &File, block: u64) -> io::Result<()> {
    use std::os::unix::fs::FileExt;

    file.write_all_at(&BLOCK, block * BLOCK.len() as u64)
}

#[cfg(not(unix))]
fn write(mut file: &File, block: u64) -> io::Result<()> {
    use std::io::{Seek, SeekFrom, Write};

    file.seek(SeekFrom::Start(block * BLOCK.len() as u64))?;
    file.write_all(&BLOCK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sync_loop_leaves_nothing_behind() {
        let directory = tempfile::tempdir().unwrap();
        let syncs = SyncLoop::start(directory.path()).unwrap();
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
        syncs.stop().unwrap();
    }
}
