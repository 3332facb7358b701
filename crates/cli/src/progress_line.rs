//! How far a command is: one line on standard error that is written over. Only a terminal shows it,
//! so that files and pipes get what a command has to say and nothing else.

use std::io::{self, IsTerminal, Write};

/// The width of the bar.
const BAR_CELLS: usize = 20;

/// A line that is written over, and gone when this is dropped.
#[derive(Debug)]
pub(crate) struct ProgressLine {
    is_shown: bool,
}

impl ProgressLine {
    /// A line with nothing on it.
    pub(crate) fn new() -> ProgressLine {
        ProgressLine { is_shown: io::stderr().is_terminal() }
    }

    /// Says what is going on.
    pub(crate) fn say(&self, text: &str) {
        if self.is_shown {
            write(&format!("\r\x1b[K{text}"));
        }
    }

    /// Makes room for other lines.
    pub(crate) fn clear(&self) {
        self.say("");
    }

    /// Says how much of something is done.
    pub(crate) fn count(&self, done: usize, total: usize, what: &str) {
        self.say(&bar(done, total, what));
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if self.is_shown {
            write("\r\x1b[K");
        }
    }
}

fn bar(done: usize, total: usize, what: &str) -> String {
    let filled = done.saturating_mul(BAR_CELLS).checked_div(total).unwrap_or(0).min(BAR_CELLS);
    let (full, empty) = ("█".repeat(filled), "░".repeat(BAR_CELLS - filled));
    format!("{full}{empty} {done}/{total} {what}")
}

fn write(text: &str) {
    let mut stderr = io::stderr().lock();
    // A terminal that is gone is no reason to stop.
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_fills_with_what_is_done() {
        assert_eq!(bar(0, 4, "items"), "░░░░░░░░░░░░░░░░░░░░ 0/4 items");
        assert_eq!(bar(1, 4, "items"), "█████░░░░░░░░░░░░░░░ 1/4 items");
        assert_eq!(bar(4, 4, "items"), "████████████████████ 4/4 items");
        assert_eq!(bar(0, 0, "items"), "░░░░░░░░░░░░░░░░░░░░ 0/0 items");
    }
}
