//! How far a check is, on the terminal.

use monotable_database::Clock;
use monotable_database::check::{CheckProgress, CheckStage};
use monotable_storage_local::Progress;

use crate::progress_line::ProgressLine;
use crate::system::SystemClock;

/// How long the line stays as it is: a terminal is slower than a disk.
const PAUSE_MILLIS: u64 = 100;

/// A progress line that is written now and then.
pub(super) struct Watch {
    line: ProgressLine,
    last_millis: u64,
}

impl Watch {
    pub(super) fn new() -> Watch {
        Watch { line: ProgressLine::new(), last_millis: Clock::now_millis(&SystemClock) }
    }

    /// Shows how much of the files is read.
    pub(super) fn files(&mut self, progress: Progress) {
        let megabytes = |bytes: u64| usize::try_from(bytes >> 20).unwrap_or(usize::MAX);
        let (done, total) = (megabytes(progress.bytes), megabytes(progress.total_bytes));
        if self.is_due() {
            self.line.count(done, total, "MB of files");
        }
    }

    /// Shows which part of the contents is checked.
    pub(super) fn contents(&mut self, progress: &CheckProgress) {
        if !self.is_due() {
            return;
        }
        let what = stage(&progress.stage);
        let count = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
        match progress.total {
            Some(total) => self.line.count(count(progress.done), count(total), &what),
            None => self.line.say(&format!("{} {what}", progress.done)),
        }
    }

    /// Makes room for other lines.
    pub(super) fn clear(&mut self) {
        self.line.clear();
    }

    fn is_due(&mut self) -> bool {
        let now_millis = Clock::now_millis(&SystemClock);
        let is_due = now_millis.saturating_sub(self.last_millis) >= PAUSE_MILLIS;
        if is_due {
            self.last_millis = now_millis;
        }
        is_due
    }
}

fn stage(stage: &CheckStage) -> String {
    match stage {
        CheckStage::Catalogue => "records of tables and streams".to_owned(),
        CheckStage::Items { table } => format!("items of {table}"),
        CheckStage::Index { table, index } => format!("entries of {index} of {table}"),
        CheckStage::Expiry { table } => format!("expiry entries of {table}"),
        CheckStage::Counters => "counters".to_owned(),
        CheckStage::Stream { table } => format!("stream records, at {table}"),
    }
}
