//! Text in columns.

/// Lays rows out under one another. The first column is aligned to the left, all others, which are
/// numbers, to the right.
pub fn align(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|text| text.chars().count()).max()
    };
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    rows.iter().map(|row| line(row, &widths)).collect()
}

fn line(row: &[String], widths: &[usize]) -> String {
    let mut line = String::new();
    for (column, (text, width)) in row.iter().zip(widths).enumerate() {
        line +=
            &if column == 0 { format!("  {text:<width$}") } else { format!("  {text:>width$}") };
    }
    line.truncate(line.trim_end().len());
    line + "\n"
}

/// A number with as many decimals as its size deserves, and commas between thousands.
pub fn number(value: f64) -> String {
    if value < 9.95 {
        return format!("{value:.1}");
    }
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// What stands where the system did not tell.
pub fn unknown() -> String {
    "–".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_to_be_read() {
        let written = [0.0, 9.94, 9.96, 123.4, 999.6, 81_000.0, 1_234_567.0].map(number);
        assert_eq!(written, ["0.0", "9.9", "10", "123", "1,000", "81,000", "1,234,567"]);
    }

    #[test]
    fn columns_stand_under_one_another() {
        let rows = [["server", "p50"], ["a", "1,000"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(align(&rows), "  server    p50\n  a       1,000\n");
    }
}
