//! Long lines, on a terminal: broken between words, with what goes on indented.
//!
//! Into files and pipes lines go as they are.

use std::io::{self, IsTerminal};

use monotable_chart::char_width;

use crate::output;

/// By how much what goes on is indented, more than the line that it goes on from.
const HANGING_CELLS: usize = 2;
/// Lines are not made narrower than this.
const CELLS_MIN: usize = 20;

/// The cells that a line of standard output has; nothing if nobody looks at it.
pub(crate) fn output_cells() -> Option<usize> {
    output::terminal_width().filter(|_| io::stdout().is_terminal())
}

/// Prints a line, in as many lines of the terminal as it takes.
pub(crate) fn print(line: &str) -> io::Result<()> {
    match output_cells() {
        Some(cells) => output::line(&fitted(line, cells)),
        None => output::line(line),
    }
}

/// A line in lines of at most so many cells.
pub(crate) fn fitted(line: &str, cells: usize) -> String {
    let own_indent = line.len() - line.trim_start_matches(' ').len();
    paragraph(line, cells, own_indent + HANGING_CELLS)
}

/// Words in lines of at most so many cells, those after the first with an indent.
fn paragraph(text: &str, cells: usize, indent: usize) -> String {
    let cells = cells.max(CELLS_MIN);
    let mut lines: Vec<String> = Vec::new();
    let mut used = 0;
    let own_indent = text.len() - text.trim_start_matches(' ').len();
    for word in text.trim_start_matches(' ').split(' ') {
        let width = visible_width(word);
        match lines.last_mut() {
            Some(line) if used + 1 + width <= cells => {
                line.push(' ');
                line.push_str(word);
                used += 1 + width;
            }
            Some(_) => {
                lines.push(" ".repeat(indent) + word);
                used = indent + width;
            }
            None => {
                lines.push(" ".repeat(own_indent) + word);
                used = own_indent + width;
            }
        }
    }
    lines.join("\n")
}

/// The cells of a text, in which the escape sequences of colours have none.
fn visible_width(text: &str) -> usize {
    let mut width = 0;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character == '\x1b' {
            characters.by_ref().find(char::is_ascii_alphabetic);
        } else {
            width += char_width(character);
        }
    }
    width
}

/// Help text for so many cells: paragraphs are put together and broken anew, so that they are not
/// broken twice. What stands deeper than the paragraph before it is a command, and what has columns
/// is a list; both stay as they are.
pub(crate) fn fitted_help(text: &str, cells: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut paragraph_of: Option<(usize, String)> = None;
    for line in text.lines() {
        let words = line.trim_start_matches(' ');
        let indent = line.len() - words.len();
        let goes_on =
            is_prose(line) && paragraph_of.as_ref().is_some_and(|(own, _)| *own == indent);
        match &mut paragraph_of {
            Some((_, before)) if goes_on => {
                before.push(' ');
                before.push_str(words);
            }
            _ => {
                lines.extend(paragraph_of.take().map(|(own, text)| help_line(&text, own, cells)));
                if is_prose(line) {
                    paragraph_of = Some((indent, words.to_owned()));
                } else {
                    lines.push(line.to_owned());
                }
            }
        }
    }
    lines.extend(paragraph_of.map(|(own, text)| help_line(&text, own, cells)));
    lines.join("\n")
}

/// The deepest indent of a paragraph in help texts; commands stand deeper.
const PROSE_INDENT_MAX: usize = 2;

fn is_prose(line: &str) -> bool {
    let words = line.trim_start_matches(' ');
    let indent = line.len() - words.len();
    !words.is_empty() && indent <= PROSE_INDENT_MAX && !words.contains("  ") && line != "Examples:"
}

fn help_line(text: &str, indent: usize, cells: usize) -> String {
    paragraph(&(" ".repeat(indent) + text), cells, indent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_on_is_indented_and_colours_take_no_room() {
        let line = "    Query GSI1 where \x1b[1mPK = A\x1b[0m AND SK = B, ascending";
        assert_eq!(
            fitted(line, 30),
            "    Query GSI1 where \x1b[1mPK = A\x1b[0m\n      AND SK = B, ascending"
        );
        assert_eq!(fitted(line, 80), line);
    }

    #[test]
    fn help_is_broken_once() {
        let text = concat!(
            "Examples:\n  One two three four five\n  six seven:\n",
            "      monotable model check shop.toml\n\n",
            "  additive       nothing\n  rewrite        all\n\nExits with 0\nor 1.",
        );
        assert_eq!(
            fitted_help(text, 24),
            "Examples:\n  One two three four\n  five six seven:\n      monotable model check \
             shop.toml\n\n  additive       nothing\n  rewrite        all\n\nExits with 0 or 1."
        );
    }
}
