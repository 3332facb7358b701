//! Text in columns.

/// How a column is aligned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// Lays rows out under one another, each line indented by two spaces.
pub(super) fn align(columns: &[Align], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|text| text.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns.len()).map(width).collect();
    rows.iter().map(|row| line(row, columns, &widths)).collect()
}

fn line(row: &[String], columns: &[Align], widths: &[usize]) -> String {
    let mut line = String::new();
    for ((text, align), width) in row.iter().zip(columns).zip(widths) {
        line += &match align {
            Align::Left => format!("  {text:<width$}"),
            Align::Right => format!("  {text:>width$}"),
        };
    }
    line.truncate(line.trim_end().len());
    line + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_to_the_left_and_numbers_to_the_right() {
        let rows = [["name", "units"], ["a", "1,000"], ["longer", "2"]];
        let rows = rows.map(|row| row.map(str::to_owned).to_vec());
        let text = align(&[Align::Left, Align::Right], &rows);
        assert_eq!(text, "  name    units\n  a       1,000\n  longer      2\n");
    }
}
