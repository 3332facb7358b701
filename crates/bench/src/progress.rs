//! One line on the terminal that says how far a run is. Where there is no terminal there is no line.

use std::io::{IsTerminal, Write};

/// Counts the steps of a run.
#[derive(Debug)]
pub(crate) struct Progress {
    done: usize,
    total: usize,
    visible: bool,
}

impl Progress {
    /// A run of so many steps.
    pub(crate) fn new(total: usize) -> Progress {
        Progress { done: 0, total, visible: std::io::stderr().is_terminal() }
    }

    /// Says which step begins.
    pub(crate) fn begin(&mut self, step: &str) {
        self.done += 1;
        self.write(&format!("\r\x1b[K[{}/{}] {step}", self.done, self.total));
    }

    fn write(&self, text: &str) {
        if self.visible {
            let mut stderr = std::io::stderr().lock();
            // A terminal that is gone is no reason to stop measuring.
            let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.write("\r\x1b[K");
    }
}
