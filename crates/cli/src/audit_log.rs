//! The audit log: a line of JSON for every call.
//!
//! Calls wait in a queue for a thread that writes them, so that no answer waits for the disk. The
//! queue has a limit in bytes. When the disk is full, or too slow, lines are dropped: the service
//! goes on, the log says so once, and the metrics count them. If every call must be in the log,
//! calls are refused from then on instead; the refusals are lines too, and the first one that can
//! be written ends it. A line is in the hands of the operating system a moment after its call was
//! answered; it is not synced.

mod line;

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;

use anyhow::{Context, Result};
use monotable_server::{AuditedCall, Auditor, Metrics};

use self::line::{Keys, line_of};

/// The most bytes of calls that wait to be written.
const QUEUED_BYTES_MAX: usize = 32 << 20;
/// How many bytes of lines are written at once.
const WRITTEN_BYTES: usize = 256 << 10;

/// Where lines go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Destination {
    StandardOutput,
    File(PathBuf),
}

impl Destination {
    /// What the argument of `--audit` means.
    pub(crate) fn of_argument(path: &Path) -> Destination {
        if path.as_os_str() == "-" {
            Destination::StandardOutput
        } else {
            Destination::File(path.to_owned())
        }
    }

    /// Opens it to add to. A file that is made now is for its owner alone.
    fn open(&self) -> io::Result<Box<dyn Write + Send>> {
        match self {
            Destination::StandardOutput => Ok(Box::new(io::stdout())),
            Destination::File(path) => Ok(Box::new(open_file(path)?)),
        }
    }
}

fn open_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// A log that is being written.
pub(crate) struct AuditLog {
    auditor: Arc<QueueAuditor>,
    writer: JoinHandle<()>,
    /// Reopens the file when it is told to.
    reopening: tokio::task::JoinHandle<()>,
}

/// What the writer is told.
enum Message {
    Call(Box<AuditedCall>),
    Reopen,
    End,
}

/// Puts calls into the queue.
#[derive(Debug)]
struct QueueAuditor {
    queue: Sender<Message>,
    queued_bytes: Arc<AtomicUsize>,
    keeps_keys: bool,
    is_required: bool,
    /// Whether lines were lost since the last ones that were written.
    loses_lines: Arc<AtomicBool>,
    metrics: Arc<Metrics>,
}

/// What is written, and what happens if it cannot be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AuditRules {
    /// Lines have the keys of items.
    pub(crate) keeps_keys: bool,
    /// Calls are refused while they cannot be written down.
    pub(crate) is_required: bool,
}

impl AuditLog {
    /// Opens the log, or makes it. What it holds stays there. It takes a runtime, for signals.
    pub(crate) fn start(
        destination: Destination,
        rules: AuditRules,
        metrics: Arc<Metrics>,
    ) -> Result<AuditLog> {
        let AuditRules { keeps_keys, is_required } = rules;
        let loses_lines = Arc::new(AtomicBool::new(false));
        let open = destination.open();
        let output = open.with_context(|| format!("cannot write the audit log {destination:?}"))?;
        let (queue, messages) = mpsc::channel();
        let queued_bytes = Arc::new(AtomicUsize::new(0));
        let keys = if keeps_keys { Keys::Kept } else { Keys::LeftOut };
        let mut writer = Writer {
            destination,
            output,
            keys,
            queued_bytes: queued_bytes.clone(),
            metrics: metrics.clone(),
            loses_lines: loses_lines.clone(),
            is_failing: false,
        };
        let thread = std::thread::Builder::new().name("audit-log".to_owned());
        let writer = thread.spawn(move || writer.run(&messages))?;
        let reopening = reopen_on_signal(queue.clone())?;
        let auditor =
            QueueAuditor { queue, queued_bytes, keeps_keys, is_required, loses_lines, metrics };
        Ok(AuditLog { auditor: Arc::new(auditor), writer, reopening })
    }

    /// What the server gives calls to.
    pub(crate) fn auditor(&self) -> Arc<dyn Auditor> {
        self.auditor.clone()
    }

    /// Waits until all calls are written. The server must be gone.
    pub(crate) fn finish(self) {
        // Whoever could send more holds the queue open.
        self.reopening.abort();
        drop(self.auditor.queue.send(Message::End));
        drop(self.auditor);
        if self.writer.join().is_err() {
            tracing::error!("the thread that writes the audit log broke down");
        }
    }
}

impl Auditor for QueueAuditor {
    fn audit(&self, call: AuditedCall) {
        let bytes = size_of_call(&call);
        let queued = self.queued_bytes.fetch_add(bytes, Ordering::Relaxed);
        let is_over = queued + bytes > QUEUED_BYTES_MAX;
        if is_over || self.queue.send(Message::Call(Box::new(call))).is_err() {
            self.queued_bytes.fetch_sub(bytes, Ordering::Relaxed);
            self.metrics.audit.dropped.add(1);
            self.loses_lines.store(true, Ordering::Relaxed);
        }
    }

    fn permits_calls(&self) -> bool {
        !self.is_required || !self.loses_lines.load(Ordering::Relaxed)
    }

    fn keeps_keys(&self) -> bool {
        self.keeps_keys
    }
}

/// About what a call takes in the queue.
fn size_of_call(call: &AuditedCall) -> usize {
    let names: usize = call.tables.iter().map(|table| size_of_val(table) + table.name.len()).sum();
    let body = call.body.as_ref().map_or(0, |body| body.len());
    size_of::<AuditedCall>() + call.request_id.len() + call.action.len() + names + body
}

/// Sends a message when the process gets SIGHUP, as those do who have moved the file away.
#[cfg(unix)]
fn reopen_on_signal(queue: Sender<Message>) -> io::Result<tokio::task::JoinHandle<()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut hang_up = signal(SignalKind::hangup())?;
    Ok(tokio::spawn(async move {
        while hang_up.recv().await.is_some() && queue.send(Message::Reopen).is_ok() {}
    }))
}

#[cfg(not(unix))]
fn reopen_on_signal(_: Sender<Message>) -> io::Result<tokio::task::JoinHandle<()>> {
    Ok(tokio::spawn(std::future::ready(())))
}

/// What the thread works with.
struct Writer {
    destination: Destination,
    output: Box<dyn Write + Send>,
    keys: Keys,
    queued_bytes: Arc<AtomicUsize>,
    metrics: Arc<Metrics>,
    loses_lines: Arc<AtomicBool>,
    /// Whether the last lines could not be written. A part of one may be there.
    is_failing: bool,
}

impl Writer {
    /// Writes calls until the end, and leaves nothing in memory whenever the queue is empty.
    fn run(&mut self, messages: &Receiver<Message>) {
        let mut lines = Lines::default();
        while let Ok(first) = messages.recv() {
            for message in std::iter::once(first).chain(messages.try_iter()) {
                match message {
                    Message::Call(call) => {
                        self.queued_bytes.fetch_sub(size_of_call(&call), Ordering::Relaxed);
                        lines.add(&line_of(&call, self.keys));
                    }
                    Message::Reopen => {
                        self.write(&mut lines);
                        self.reopen();
                    }
                    Message::End => return self.write(&mut lines),
                }
                if lines.bytes.len() >= WRITTEN_BYTES {
                    self.write(&mut lines);
                }
            }
            self.write(&mut lines);
        }
    }

    fn write(&mut self, lines: &mut Lines) {
        if lines.count == 0 {
            return;
        }
        match self.try_write(&lines.bytes) {
            Ok(()) => {
                self.metrics.audit.written.add(lines.count);
                self.loses_lines.store(false, Ordering::Relaxed);
                if std::mem::take(&mut self.is_failing) {
                    tracing::warn!("the audit log is written again");
                }
            }
            Err(error) => {
                self.metrics.audit.dropped.add(lines.count);
                self.loses_lines.store(true, Ordering::Relaxed);
                if !std::mem::replace(&mut self.is_failing, true) {
                    tracing::error!(%error, "the audit log cannot be written, lines are dropped");
                }
            }
        }
        *lines = Lines::default();
    }

    fn try_write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.is_failing {
            // What was written last may be half a line.
            self.output.write_all(b"\n")?;
        }
        self.output.write_all(bytes)?;
        self.output.flush()
    }

    fn reopen(&mut self) {
        match self.destination.open() {
            Ok(output) => self.output = output,
            Err(error) => tracing::error!(%error, "the audit log cannot be opened anew"),
        }
    }
}

/// Lines that are not written yet.
#[derive(Default)]
struct Lines {
    bytes: Vec<u8>,
    count: u64,
}

impl Lines {
    fn add(&mut self, line: &str) {
        self.bytes.extend_from_slice(line.as_bytes());
        self.bytes.push(b'\n');
        self.count += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use monotable_server::{AuditOutcome, AuditedCaller};

    use super::*;

    /// A disk that can be full.
    #[derive(Clone, Default)]
    struct Disk(Arc<Mutex<(Vec<u8>, bool)>>);

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let mut disk = self.0.lock().unwrap();
            if disk.1 {
                // Half a line still has room.
                disk.0.extend_from_slice(&bytes[..bytes.len().min(5)]);
                return Err(io::ErrorKind::StorageFull.into());
            }
            disk.0.extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn call(request_id: &str) -> AuditedCall {
        AuditedCall {
            time_millis: 0,
            request_id: request_id.to_owned(),
            caller: AuditedCaller::default(),
            source: None,
            action: "dynamodb:ListTables".to_owned(),
            tables: Vec::new(),
            outcome: AuditOutcome::Allowed,
            status: Some(200),
            error: None,
            body: None,
        }
    }

    #[test]
    fn lines_that_a_full_disk_does_not_take_are_counted_and_later_ones_are_whole() {
        let (disk, metrics) = (Disk::default(), Arc::new(Metrics::default()));
        let mut writer = Writer {
            destination: Destination::StandardOutput,
            output: Box::new(disk.clone()),
            keys: Keys::LeftOut,
            queued_bytes: Arc::new(AtomicUsize::new(usize::MAX)),
            metrics: metrics.clone(),
            loses_lines: Arc::default(),
            is_failing: false,
        };
        for (id, is_full) in [("A", false), ("B", true), ("C", true), ("D", false)] {
            disk.0.lock().unwrap().1 = is_full;
            let (queue, messages) = mpsc::channel();
            queue.send(Message::Call(Box::new(call(id)))).unwrap();
            drop(queue);
            writer.run(&messages);
            assert_eq!(writer.loses_lines.load(Ordering::Relaxed), is_full, "{id}");
        }
        assert_eq!((metrics.audit.written.get(), metrics.audit.dropped.get()), (2, 2));
        let text = String::from_utf8(disk.0.lock().unwrap().0.clone()).unwrap();
        let ids: Vec<String> = text
            .lines()
            .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
            .map(|line| line["requestId"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(ids, ["A", "D"]);
    }

    #[test]
    fn calls_beyond_what_may_wait_are_dropped_and_counted() {
        let metrics = Arc::new(Metrics::default());
        let (queue, messages) = mpsc::channel();
        let auditor = QueueAuditor {
            queue,
            queued_bytes: Arc::default(),
            keeps_keys: false,
            is_required: false,
            loses_lines: Arc::default(),
            metrics: metrics.clone(),
        };
        let large = AuditedCall { body: Some(vec![0; QUEUED_BYTES_MAX / 2].into()), ..call("A") };
        (0..3).for_each(|_| auditor.audit(large.clone()));
        assert_eq!(messages.try_iter().count(), 1);
        assert_eq!(metrics.audit.dropped.get(), 2);
    }
}
