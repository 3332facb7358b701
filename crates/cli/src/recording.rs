//! Recording calls into a file, one JSON object a line.
//!
//! Calls wait in a queue for a thread that writes them. The queue has a limit in bytes: when the
//! disk cannot keep up, calls are left out of the recording, and counted, but no answer waits.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, UNIX_EPOCH};

use anyhow::{Context, Result};
use monotable_database::Clock;
use monotable_server::{RecordedCall, Recorder};
use serde_json::{Value, json};

use crate::output;
use crate::system::SystemClock;

/// The most bytes of calls that wait to be written.
const QUEUED_BYTES_MAX: usize = 64 * 1024 * 1024;

/// A file that calls are recorded into.
pub(crate) struct Recording {
    path: PathBuf,
    recorder: Arc<QueueRecorder>,
    writer: JoinHandle<io::Result<()>>,
}

/// A call, and when it was answered, in milliseconds since 1970.
struct TimedCall {
    at_millis: u64,
    call: RecordedCall,
}

/// Puts calls into the queue.
struct QueueRecorder {
    queue: Sender<TimedCall>,
    queued_bytes: Arc<AtomicUsize>,
    left_out: AtomicU64,
}

impl Recording {
    /// Opens the file, or makes it. What it holds stays there.
    pub(crate) fn start(path: &Path) -> Result<Recording> {
        let file = open(path);
        let file = file.with_context(|| format!("cannot record into {}", path.display()))?;
        let (queue, calls) = mpsc::channel();
        let queued_bytes = Arc::new(AtomicUsize::new(0));
        let recorder = QueueRecorder {
            queue,
            queued_bytes: queued_bytes.clone(),
            left_out: AtomicU64::new(0),
        };
        let writer = std::thread::spawn(move || write_all(&calls, &queued_bytes, file));
        Ok(Recording { path: path.to_owned(), recorder: Arc::new(recorder), writer })
    }

    /// What the server gives calls to.
    pub(crate) fn recorder(&self) -> Arc<dyn Recorder> {
        self.recorder.clone()
    }

    /// Waits until all calls are written. The server must be gone.
    pub(crate) fn finish(self) {
        let left_out = self.recorder.left_out.load(Ordering::Relaxed);
        drop(self.recorder);
        let path = self.path.display();
        match self.writer.join() {
            Ok(Ok(())) if left_out == 0 => {}
            Ok(Ok(())) => {
                tracing::warn!("{left_out} calls are not in {path}: the disk was too slow")
            }
            Ok(Err(error)) => tracing::error!(%error, "calls are missing in {path}"),
            Err(_) => tracing::error!("calls are missing in {path}: the writer broke down"),
        }
        output::note(&format!("recorded calls are in {path}"));
    }
}

/// Opens a file to add to. One that is made now is for its owner alone: it holds the data that
/// calls carry.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

impl Recorder for QueueRecorder {
    fn record(&self, call: RecordedCall) {
        let bytes = size_of_call(&call);
        let call = TimedCall { at_millis: SystemClock.now_millis(), call };
        let queued = self.queued_bytes.fetch_add(bytes, Ordering::Relaxed);
        if queued + bytes > QUEUED_BYTES_MAX || self.queue.send(call).is_err() {
            self.queued_bytes.fetch_sub(bytes, Ordering::Relaxed);
            self.left_out.fetch_add(1, Ordering::Relaxed);
        }
    }
}

fn size_of_call(call: &RecordedCall) -> usize {
    size_of::<RecordedCall>() + call.target.len() + call.request.len() + call.response.len()
}

/// Writes calls until nobody is left to send more, and leaves nothing in memory whenever the queue
/// is empty.
fn write_all(
    calls: &Receiver<TimedCall>,
    queued_bytes: &AtomicUsize,
    file: File,
) -> io::Result<()> {
    let mut file = BufWriter::new(file);
    while let Ok(first) = calls.recv() {
        for call in std::iter::once(first).chain(calls.try_iter()) {
            queued_bytes.fetch_sub(size_of_call(&call.call), Ordering::Relaxed);
            if let Some(line) = line_of(&call) {
                writeln!(file, "{line}")?;
            }
        }
        file.flush()?;
    }
    Ok(())
}

/// The line of a call; nothing if its body is not JSON, which no rule could read.
fn line_of(TimedCall { at_millis, call }: &TimedCall) -> Option<String> {
    let at = UNIX_EPOCH + Duration::from_millis(*at_millis);
    let request: Value = serde_json::from_slice(&call.request).ok()?;
    let response: Value = serde_json::from_slice(&call.response).ok()?;
    let operation = call.target.rsplit('.').next().unwrap_or_default();
    let line = json!({
        "operation": operation,
        "request": request,
        "response": response,
        "connection": call.connection.to_string(),
        "at": humantime::format_rfc3339_millis(at).to_string(),
    });
    Some(line.to_string())
}
