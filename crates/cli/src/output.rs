//! What people read: plain text, with colours on a terminal whose owner has not refused them.

use std::io::{self, IsTerminal, Write};

/// How a piece of text stands out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// What the eye should find first.
    Strong,
    /// What went wrong.
    Failure,
    /// What has come.
    Added,
    /// What has changed.
    Changed,
    /// What has gone.
    Removed,
    /// What belongs to one kind of several, by its number.
    Kind(usize),
}

/// The colours of kinds. They come again when there are more kinds.
const KINDS: [&str; 6] = ["\x1b[36m", "\x1b[35m", "\x1b[33m", "\x1b[32m", "\x1b[34m", "\x1b[31m"];

impl Style {
    /// The escape sequence that begins the style.
    fn begin(self) -> &'static str {
        match self {
            Style::Strong => "\x1b[1m",
            Style::Failure => "\x1b[1;31m",
            Style::Added => "\x1b[32m",
            Style::Changed => "\x1b[33m",
            Style::Removed => "\x1b[31m",
            Style::Kind(number) => KINDS.iter().cycle().nth(number % KINDS.len()).unwrap_or(&END),
        }
    }
}

/// The escape sequence that ends every style.
const END: &str = "\x1b[0m";

/// Whether colours are wanted on a stream: it is a terminal, and `NO_COLOR` is not set.
pub(crate) fn wants_colour(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// The cells of a line of the terminal: what `COLUMNS` says, or else what the terminal does.
/// Nothing if there is none.
pub(crate) fn terminal_width() -> Option<usize> {
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let measured = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    said.filter(|columns| *columns > 0).or_else(measured)
}

/// The cells of a line of the terminal, and its lines. Nothing if there is none.
pub(crate) fn terminal_size() -> Option<(usize, usize)> {
    let (width, height) = terminal_size::terminal_size()?;
    Some((usize::from(width.0), usize::from(height.0)))
}

/// Text for standard output in a style, if it is to have one.
pub(crate) fn styled(style: Style, text: &str) -> String {
    paint(style, text, wants_colour(&io::stdout()))
}

/// Text in a style, if it is to be coloured.
pub(crate) fn paint(style: Style, text: &str, coloured: bool) -> String {
    if !coloured {
        return text.to_owned();
    }
    format!("{}{text}{END}", style.begin())
}

/// Prints a line to standard output at once. Nobody may be reading, which a server does not mind.
pub(crate) fn note(line: &str) {
    let mut stdout = io::stdout().lock();
    let _ = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
}

/// Prints a line of data to standard output at once.
pub(crate) fn line(line: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{line}")?;
    stdout.flush()
}

/// Prints text to standard output at once, without ending the line.
pub(crate) fn text(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    write!(stdout, "{text}")?;
    stdout.flush()
}

/// Prints an error and its causes to standard error.
pub(crate) fn error(error: &anyhow::Error) {
    let label = paint(Style::Failure, "error:", wants_colour(&io::stderr()));
    let _ = writeln!(io::stderr(), "{label} {error:#}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_without_colour_is_left_as_it_is() {
        assert_eq!(paint(Style::Strong, "text", false), "text");
        assert_eq!(paint(Style::Failure, "text", true), "\x1b[1;31mtext\x1b[0m");
    }
}
