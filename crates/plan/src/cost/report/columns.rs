//! Text in columns and in paragraphs, as wide as there is room.

/// How a column is aligned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
    /// Bars, which are left out where there is no room.
    Bar,
}

/// Columns of words are not made narrower than this.
const WORDS_MIN: usize = 9;
/// How wide paragraphs are where nothing says how much room there is.
const PARAGRAPH_CELLS: usize = 100;
/// What stands before each column, and before each line of a paragraph.
const INDENT: &str = "  ";

/// Lays rows out under one another, each line indented by two spaces. Where they do not fit, bars
/// give way first, then headings of numbers and words go on in the next line. Where that is not
/// enough, each row is a paragraph, in which the headings of the first row stand before the values.
pub(super) fn align(columns: &[Align], rows: &[Vec<String>], cells: Option<usize>) -> String {
    let cells_of = |column: usize| rows.iter().filter_map(move |row| row.get(column));
    let length = |text: &str| text.chars().count();
    let widest = |column| cells_of(column).map(|text| length(text)).max().unwrap_or(0);
    let longest_word = |column: usize| {
        cells_of(column).flat_map(|text| text.split(' ')).map(length).max().unwrap_or(0)
    };
    let mut widths: Vec<usize> = (0..columns.len()).map(widest).collect();
    if let Some(cells) = cells.filter(|cells| total(&widths) > *cells) {
        let least: Vec<usize> = (0..columns.len()).map(longest_word).collect();
        fit(columns, &least, &mut widths, cells);
        if total(&widths) > cells {
            return records(columns, rows, cells);
        }
    }
    rows.iter().map(|row| lines(row, columns, &widths)).collect()
}

/// Makes columns fit, as far as possible.
fn fit(columns: &[Align], least: &[usize], widths: &mut [usize], cells: usize) {
    for way in [Align::Bar, Align::Right] {
        let parts = columns.iter().zip(least).zip(widths.iter_mut());
        for ((_, least), width) in parts.filter(|((align, _), _)| **align == way) {
            *width = if way == Align::Bar { 0 } else { *least };
        }
        if total(widths) <= cells {
            return;
        }
    }
    while total(widths) > cells {
        let words = columns.iter().zip(widths.iter_mut());
        let words = words.filter(|(align, _)| **align == Align::Left);
        match words.map(|(_, width)| width).max() {
            Some(width) if *width > WORDS_MIN => *width -= 1,
            Some(_) | None => return,
        }
    }
}

/// Rows as paragraphs, each below its first cell.
fn records(columns: &[Align], rows: &[Vec<String>], cells: usize) -> String {
    let Some((head, rows)) = rows.split_first() else { return String::new() };
    let room = |indents: usize| cells.saturating_sub(indents * INDENT.len()).max(WORDS_MIN);
    let mut text = String::new();
    for row in rows {
        let titled = head.iter().zip(row).zip(columns).skip(1);
        let shown = titled.filter(|((_, cell), align)| **align != Align::Bar && !cell.is_empty());
        let parts = shown.map(|((head, cell), _)| format!("{head} {cell}").trim_start().to_owned());
        let details = parts.collect::<Vec<_>>().join(", ");
        let title = row.first().map_or("", String::as_str);
        for line in wrap(title, room(1)) {
            text += &format!("{INDENT}{line}\n");
        }
        for line in wrap(&details, room(2)) {
            text += &format!("{INDENT}{INDENT}{line}\n");
        }
    }
    text
}

/// The cells of columns of these widths. One without a width is not there.
fn total(widths: &[usize]) -> usize {
    widths.iter().filter(|width| **width > 0).map(|width| width + INDENT.len()).sum()
}

/// The lines of one row: several if words go on in the next.
fn lines(row: &[String], columns: &[Align], widths: &[usize]) -> String {
    let cell = |(text, width): (&String, &usize)| {
        if *width == 0 { Vec::new() } else { wrap(text, *width) }
    };
    let parts: Vec<Vec<String>> = row.iter().zip(widths).map(cell).collect();
    let height = parts.iter().map(Vec::len).max().unwrap_or(0).max(1);
    (0..height).map(|number| line(&parts, number, columns, widths)).collect()
}

fn line(parts: &[Vec<String>], number: usize, columns: &[Align], widths: &[usize]) -> String {
    let mut line = String::new();
    for ((part, align), width) in parts.iter().zip(columns).zip(widths) {
        if *width == 0 {
            continue;
        }
        let text = part.get(number).map_or("", String::as_str);
        line += INDENT;
        line += &match align {
            Align::Left | Align::Bar => format!("{text:<width$}"),
            Align::Right => format!("{text:>width$}"),
        };
    }
    line.truncate(line.trim_end().len());
    line + "\n"
}

/// A sentence or more, indented, in lines that fit.
pub(super) fn paragraph(text: &str, cells: Option<usize>) -> String {
    let room = cells.unwrap_or(PARAGRAPH_CELLS).min(PARAGRAPH_CELLS).saturating_sub(INDENT.len());
    wrap(text, room.max(WORDS_MIN)).iter().map(|line| format!("{INDENT}{line}\n")).collect()
}

/// The words of a text in lines of so many characters. A word that is longer has a line of its own.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            Some(_) | None => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<Vec<String>> {
        let rows =
            [["name", "units", ""], ["a", "1,000", "████"], ["orders of a customer", "2", "█"]];
        rows.map(|row| row.map(str::to_owned).to_vec()).to_vec()
    }

    #[test]
    fn words_stand_to_the_left_and_numbers_to_the_right() {
        let text = align(&[Align::Left, Align::Right, Align::Bar], &rows(), None);
        let expected = "  name                  units\n  a                     1,000  ████\n  \
                        orders of a customer      2  █\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn bars_give_way_before_words_do() {
        let columns = [Align::Left, Align::Right, Align::Bar];
        let without_bars = align(&columns, &rows(), Some(30));
        assert!(!without_bars.contains('█') && without_bars.contains("orders of a customer"));
        let narrow = align(&columns, &rows(), Some(20));
        assert!(narrow.lines().all(|line| line.chars().count() <= 20), "{narrow}");
        assert!(narrow.contains("orders of a\n") || narrow.contains("orders of"), "{narrow}");
    }

    #[test]
    fn rows_become_paragraphs_where_columns_have_no_room() {
        let rows = [["name", "read units", "month", ""], ["orders of a", "12", "1,000.50", "█"]];
        let rows = rows.map(|row| row.map(str::to_owned).to_vec());
        let columns = [Align::Left, Align::Right, Align::Right, Align::Bar];
        let expected = "  orders of a\n    read units 12,\n    month 1,000.50\n";
        assert_eq!(align(&columns, &rows, Some(22)), expected);
    }

    #[test]
    fn a_paragraph_keeps_its_margin() {
        assert_eq!(paragraph("one two three four", Some(14)), "  one two\n  three four\n");
    }
}
