//! How far a run is: one line that is written over on a terminal, and a line now and then
//! elsewhere.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use crate::clock;

/// The width of the bar.
const BAR_CELLS: usize = 20;
/// Where there is no terminal, a line is written at most this often.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Counts the steps of a run.
#[derive(Debug)]
pub struct Progress {
    done: usize,
    total: usize,
    step: String,
    is_terminal: bool,
    last_line: Option<Instant>,
}

impl Progress {
    /// A run of this many steps.
    pub fn new(total: usize) -> Progress {
        let is_terminal = std::io::stderr().is_terminal();
        Progress { done: 0, total, step: String::new(), is_terminal, last_line: None }
    }

    /// Says which step begins.
    pub fn begin(&mut self, step: &str) {
        self.done += 1;
        step.clone_into(&mut self.step);
        self.show("");
    }

    /// Says how far the step is.
    pub fn detail(&mut self, detail: &str) {
        self.show(detail);
    }

    fn show(&mut self, detail: &str) {
        let line = line(self.done, self.total, &self.step, detail);
        if self.is_terminal {
            return write(&format!("\r\x1b[K{line}"));
        }
        if self.last_line.is_none_or(|last| last.elapsed() >= LINE_INTERVAL) {
            self.last_line = Some(clock::now());
            write(&format!("{line}\n"));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.is_terminal {
            write("\r\x1b[K");
        }
    }
}

/// The bar fills with the steps that have begun.
fn line(done: usize, total: usize, step: &str, detail: &str) -> String {
    let filled = (done * BAR_CELLS / total.max(1)).min(BAR_CELLS);
    let bar = format!("{}{}", "█".repeat(filled), "░".repeat(BAR_CELLS - filled));
    let separator = if detail.is_empty() { "" } else { ": " };
    format!("{bar} {done}/{total} {step}{separator}{detail}")
}

fn write(text: &str) {
    let mut stderr = std::io::stderr().lock();
    // A terminal that is gone is no reason to stop measuring.
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_fills_with_the_steps() {
        assert_eq!(line(1, 4, "loading", ""), "█████░░░░░░░░░░░░░░░ 1/4 loading");
        assert_eq!(line(4, 4, "loading", "90 %"), "████████████████████ 4/4 loading: 90 %");
        assert_eq!(line(9, 4, "more", ""), "████████████████████ 9/4 more");
    }
}
