//! The screen that a live view is drawn on.

use std::io;

use crate::output;

/// The cells of a terminal that does not say how many it has.
const UNKNOWN_SIZE: (usize, usize) = (80, 24);
/// What stands on the last line.
const HELP: &str = "q leaves";

/// The other screen of the terminal. What was there before is back when this is dropped.
pub(super) struct Screen;

impl Screen {
    pub(super) fn enter() -> io::Result<Screen> {
        output::text("\x1b[?1049h\x1b[?25l")?;
        Ok(Screen)
    }

    /// How many cells a line has, and how many lines there are, which may change at any time.
    pub(super) fn size() -> (usize, usize) {
        output::terminal_size().unwrap_or(UNKNOWN_SIZE)
    }

    /// How many lines there is room for on a screen of this size: the last one says how to leave.
    pub(super) fn room((_, height): (usize, usize)) -> usize {
        height.saturating_sub(1)
    }

    /// Draws lines over those that are there, as far as there is room for them, and why they are
    /// not of now if they are not.
    pub(super) fn draw(
        &self,
        lines: &[String],
        trouble: Option<&str>,
        size: (usize, usize),
    ) -> io::Result<()> {
        output::text(&frame(lines, trouble, size))
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // Nothing is left to be done about a terminal that takes nothing.
        let _ = output::text("\x1b[?25h\x1b[?1049l");
    }
}

/// What draws lines from the top, each to its end, and clears what is below them.
fn frame(lines: &[String], trouble: Option<&str>, (width, height): (usize, usize)) -> String {
    let room = Screen::room((width, height));
    let mut frame = String::from("\x1b[H");
    for line in lines.iter().take(room) {
        frame.push_str(&clipped(line, width));
        frame.push_str("\x1b[K\r\n");
    }
    let help = match (trouble, lines.len().checked_sub(room)) {
        (Some(trouble), _) => format!("{HELP} · {trouble}"),
        (None, Some(hidden @ 1..)) => format!("{HELP} · {hidden} more lines with --once"),
        (None, Some(0) | None) => HELP.to_owned(),
    };
    frame.push_str(&format!("{}\x1b[K\x1b[J", clipped(&help, width)));
    frame
}

/// A line in so many cells. What only changes the style takes none, and stays.
fn clipped(line: &str, width: usize) -> String {
    let is_cut = cells(line) > width;
    let room = if is_cut { width.saturating_sub(1) } else { width };
    let (mut out, mut taken, mut is_style) = (String::new(), 0, false);
    for character in line.chars() {
        is_style |= character == '\x1b';
        if is_style || taken < room {
            out.push(character);
        }
        taken += usize::from(!is_style);
        is_style &= character != 'm';
    }
    if is_cut {
        out.push('…');
    }
    out
}

/// How many cells a line takes.
fn cells(line: &str) -> usize {
    let (mut cells, mut is_style) = (0, false);
    for character in line.chars() {
        is_style |= character == '\x1b';
        cells += usize::from(!is_style);
        is_style &= character != 'm';
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_longer_than_the_screen_and_no_frame_higher() {
        let lines: Vec<String> = (0..9).map(|line| format!("{line} {}", "x".repeat(90))).collect();
        let frame = frame(&lines, None, (20, 5));
        let rows: Vec<&str> = frame.split("\r\n").collect();
        assert_eq!(rows.len(), 5);
        assert_eq!(rows[1], "1 xxxxxxxxxxxxxxxxx…\x1b[K");
        assert_eq!(rows[4], "q leaves · 5 more l…\x1b[K\x1b[J");
    }

    #[test]
    fn a_frame_that_fits_says_only_how_to_leave() {
        let rows = frame(&["one".to_owned(), "two".to_owned()], None, (20, 5));
        assert_eq!(rows, "\x1b[Hone\x1b[K\r\ntwo\x1b[K\r\nq leaves\x1b[K\x1b[J");
    }

    #[test]
    fn the_last_line_says_why_the_others_are_not_of_now() {
        let rows = frame(&["one".to_owned()], Some("no answer"), (30, 3));
        assert_eq!(rows, "\x1b[Hone\x1b[K\r\nq leaves · no answer\x1b[K\x1b[J");
    }

    #[test]
    fn a_style_takes_no_cells_and_ends_where_it_is_cut() {
        assert_eq!(clipped("\x1b[1mshop\x1b[0m", 4), "\x1b[1mshop\x1b[0m");
        assert_eq!(clipped("\x1b[1mshops\x1b[0m", 4), "\x1b[1msho\x1b[0m…");
    }
}
