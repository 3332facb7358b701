//! Shows a place in a statement.

use monotable_chart::{char_width, display_width, printable};

/// The cells of a line before and after the place that are shown.
const CELLS_AROUND: usize = 60;

/// The line of a statement that has the place, and a caret below it.
pub(super) fn point(statement: &str, offset: usize) -> String {
    let offset = statement.floor_char_boundary(offset);
    let (before, after) = statement.split_at(offset);
    let before = printable(before.rsplit('\n').next().unwrap_or_default());
    let after = printable(after.split('\n').next().unwrap_or_default());
    let kept: String = take_cells(before.chars().rev()).chars().rev().collect();
    let ahead = take_cells(after.chars());
    let start = if kept.len() < before.len() { "…" } else { "" };
    let end = if ahead.len() < after.len() { "…" } else { "" };
    let indent = " ".repeat(display_width(start) + display_width(&kept));
    format!("  {start}{kept}{ahead}{end}\n  {indent}^")
}

/// The first characters that have room.
fn take_cells(characters: impl Iterator<Item = char>) -> String {
    let mut cells = 0;
    let has_room = |character: &char| {
        cells += char_width(*character);
        cells <= CELLS_AROUND
    };
    characters.take_while(has_room).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_stands_below_the_place() {
        assert_eq!(point("SELECT * FORM t", 9), "  SELECT * FORM t\n           ^");
        assert_eq!(point("SELECT *\nFROM 注 WHRE a", 18), "  FROM 注 WHRE a\n          ^");
    }

    #[test]
    fn a_place_outside_is_the_end() {
        assert_eq!(point("SELECT", 99), "  SELECT\n        ^");
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let statement = format!("{}here{}", "a".repeat(200), "b".repeat(200));
        let shown = point(&statement, 200);
        let (line, caret) = shown.split_once('\n').unwrap();
        assert!(line.starts_with("  …aaa") && line.ends_with("bbb…"), "{line}");
        assert_eq!(line.chars().position(|c| c == 'h'), caret.chars().position(|c| c == '^'));
    }
}
