//! How far a command is: one line on standard error that is written over. Only a terminal shows it,
//! so that files and pipes get what a command has to say and nothing else.

use std::io::{self, IsTerminal, Write};

use monotable_chart::{char_width, display_width};

use crate::output;

/// The width of a terminal that does not say it.
const CELLS_DEFAULT: usize = 80;
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

    /// The same for a command that writes lines at the same time: not where both would be on one
    /// terminal.
    pub(crate) fn beside_output() -> ProgressLine {
        ProgressLine { is_shown: io::stderr().is_terminal() && !io::stdout().is_terminal() }
    }

    /// Says what is going on.
    pub(crate) fn say(&self, text: &str) {
        if self.is_shown {
            let room = output::terminal_width().unwrap_or(CELLS_DEFAULT).saturating_sub(1);
            write(&format!("\r\x1b[K{}", cut(text, room)));
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

/// What fits of a line: one that went on in the next could not be taken back.
fn cut(text: &str, cells: usize) -> String {
    if display_width(text) <= cells {
        return text.to_owned();
    }
    let mut used = 1;
    let fits = |character: &char| {
        used += char_width(*character);
        used <= cells
    };
    text.chars().take_while(fits).collect::<String>() + "…"
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
    fn a_line_that_is_too_long_is_cut() {
        assert_eq!(cut("12% read 7 of 9", 80), "12% read 7 of 9");
        assert_eq!(cut("12% read 7 of 9", 9), "12% read…");
    }

    #[test]
    fn the_bar_fills_with_what_is_done() {
        assert_eq!(bar(0, 4, "items"), "░░░░░░░░░░░░░░░░░░░░ 0/4 items");
        assert_eq!(bar(1, 4, "items"), "█████░░░░░░░░░░░░░░░ 1/4 items");
        assert_eq!(bar(4, 4, "items"), "████████████████████ 4/4 items");
        assert_eq!(bar(0, 0, "items"), "░░░░░░░░░░░░░░░░░░░░ 0/0 items");
    }
}
