//! Rows as a table that fits the terminal, or one attribute a line where they are too wide for it.
//!
//! ```text
//!  customer │ number │ state
//! ──────────┼────────┼───────
//!  alex     │      1 │ paid
//! ```

use monotable_chart::{char_width, display_width, printable};
use serde_json::{Map, Value};

use crate::change_line::render_value;

/// The attributes of a row, in DynamoDB's JSON.
pub(crate) type Row = Map<String, Value>;

/// Columns are not made narrower than this.
const CELLS_MIN: usize = 8;

/// What stands between two columns has this many cells, and so has what stands around them.
const SEPARATOR: &str = " │ ";
const SEPARATOR_CELLS: usize = 3;
const MARGIN_CELLS: usize = 2;

/// How rows are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// As a table, unless it is too wide.
    Automatic,
    /// As a table in any case.
    Table,
    /// One attribute a line.
    Vertical,
}

/// Lays rows out in this many cells; without a number there is room for everything. `first` is the
/// number of the first row.
pub(crate) fn render(
    columns: &[String],
    rows: &[Row],
    layout: Layout,
    cells: Option<usize>,
    first: u64,
) -> String {
    let grid = Grid::new(columns, rows);
    let widths = grid.widths(cells);
    match (layout, widths) {
        (Layout::Vertical, _) | (Layout::Automatic, None) => vertical(columns, rows, first),
        (Layout::Automatic | Layout::Table, Some(widths)) => grid.render(&widths),
        (Layout::Table, None) => grid.render(&vec![CELLS_MIN; columns.len()]),
    }
}

struct Grid {
    columns: Vec<Column>,
    row_count: usize,
}

struct Column {
    name: String,
    cells: Vec<String>,
    /// Whether all values are numbers, which stand at the right.
    is_numeric: bool,
}

impl Grid {
    fn new(columns: &[String], rows: &[Row]) -> Grid {
        let column = |name: &String| Column::new(name, rows);
        Grid { columns: columns.iter().map(column).collect(), row_count: rows.len() }
    }

    /// The widths of the columns so that they fit; the widest give way first. Nothing if that is
    /// not enough.
    fn widths(&self, cells: Option<usize>) -> Option<Vec<usize>> {
        let wanted: Vec<usize> = self.columns.iter().map(Column::width).collect();
        let Some(cells) = cells else { return Some(wanted) };
        let between = self.columns.len().saturating_sub(1) * SEPARATOR_CELLS + MARGIN_CELLS;
        let room = cells.checked_sub(between)?;
        let capped = |cap: usize| wanted.iter().map(move |width| (*width).min(cap));
        let widest = wanted.iter().copied().max().unwrap_or_default();
        let cap = (CELLS_MIN..=widest.max(CELLS_MIN))
            .rev()
            .find(|cap| capped(*cap).sum::<usize>() <= room)?;
        Some(capped(cap).collect())
    }

    fn render(&self, widths: &[usize]) -> String {
        let header = |column: &Column| (printable(&column.name), false);
        let rule: Vec<String> = widths.iter().map(|width| "─".repeat(width + 2)).collect();
        let mut text = self.line(widths, header);
        text.push_str(&rule.join("┼"));
        text.push('\n');
        for index in 0..self.row_count {
            let cell = |column: &Column| {
                (column.cells.get(index).cloned().unwrap_or_default(), column.is_numeric)
            };
            text.push_str(&self.line(widths, cell));
        }
        text
    }

    fn line(&self, widths: &[usize], cell: impl Fn(&Column) -> (String, bool)) -> String {
        let cells: Vec<String> = self
            .columns
            .iter()
            .zip(widths)
            .map(|(column, width)| {
                let (text, is_right) = cell(column);
                padded(&text, *width, is_right)
            })
            .collect();
        format!(" {}", cells.join(SEPARATOR)).trim_end().to_owned() + "\n"
    }
}

impl Column {
    fn new(name: &str, rows: &[Row]) -> Column {
        let values = || rows.iter().map(|row| row.get(name));
        let is_number = |value: &Value| value.get("N").is_some();
        let is_numeric = values().flatten().next().is_some() && values().flatten().all(is_number);
        let cells = values().map(|value| value.map(cell_text).unwrap_or_default()).collect();
        Column { name: name.to_owned(), cells, is_numeric }
    }

    fn width(&self) -> usize {
        let cells = self.cells.iter().map(|cell| display_width(cell));
        cells.chain([display_width(&printable(&self.name))]).max().unwrap_or_default()
    }
}

/// A value as it stands in a cell: texts without quotes, everything on one line.
fn cell_text(value: &Value) -> String {
    let text = value.get("S").and_then(Value::as_str).map(str::to_owned);
    printable(&text.unwrap_or_else(|| render_value(value)))
}

fn padded(text: &str, width: usize, is_right: bool) -> String {
    let text = truncated(text, width);
    let blanks = " ".repeat(width.saturating_sub(display_width(&text)));
    if is_right { blanks + &text } else { text + &blanks }
}

fn truncated(text: &str, width: usize) -> String {
    if display_width(text) <= width {
        return text.to_owned();
    }
    let mut cells = 1;
    let has_room = |character: &char| {
        cells += char_width(*character);
        cells <= width
    };
    let kept: String = text.chars().take_while(has_room).collect();
    kept + "…"
}

/// Every row by itself, with the attributes that it has.
fn vertical(columns: &[String], rows: &[Row], first: u64) -> String {
    let names: Vec<String> = columns.iter().map(|name| printable(name)).collect();
    let width = names.iter().map(|name| display_width(name)).max().unwrap_or_default();
    let mut text = String::new();
    for (row, number) in rows.iter().zip(first..) {
        text.push_str(&format!("─[ row {number} ]─\n"));
        for (column, name) in columns.iter().zip(&names) {
            if let Some(value) = row.get(column) {
                let line = format!("{}{SEPARATOR}{}", padded(name, width, false), cell_text(value));
                text.push_str(line.trim_end());
                text.push('\n');
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::json;

    use super::*;

    fn rows() -> Vec<Row> {
        let rows = json!([
            { "id": { "S": "a" }, "total": { "N": "12.50" }, "tags": { "SS": ["x", "y"] } },
            { "id": { "S": "注文" }, "total": { "N": "7" },
                "lines": { "L": [{ "M": { "sku": { "S": "A1" } } }] },
              "note": { "S": "two\nlines of a note that is rather long" } },
        ]);
        rows.as_array().unwrap().iter().map(|row| row.as_object().unwrap().clone()).collect()
    }

    fn check(layout: Layout, cells: Option<usize>, expected: &Expect) {
        let columns = ["id", "lines", "note", "tags", "total"].map(str::to_owned);
        let text = render(&columns, &rows(), layout, cells, 1);
        expected.assert_eq(&text);
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_value() {
        check(
            Layout::Automatic,
            None,
            &expect![[r#"
                 id   │ lines         │ note                                    │ tags       │ total
                ──────┼───────────────┼─────────────────────────────────────────┼────────────┼───────
                 a    │               │                                         │ {"x", "y"} │ 12.50
                 注文 │ [{sku: "A1"}] │ two↵lines of a note that is rather long │            │     7
            "#]],
        );
    }

    #[test]
    fn the_widest_columns_give_way_when_there_is_no_room() {
        check(
            Layout::Automatic,
            Some(60),
            &expect![[r#"
                 id   │ lines         │ note           │ tags       │ total
                ──────┼───────────────┼────────────────┼────────────┼───────
                 a    │               │                │ {"x", "y"} │ 12.50
                 注文 │ [{sku: "A1"}] │ two↵lines of … │            │     7
            "#]],
        );
    }

    #[test]
    fn rows_stand_by_themselves_when_they_are_too_wide() {
        check(
            Layout::Automatic,
            Some(30),
            &expect![[r#"
                ─[ row 1 ]─
                id    │ a
                tags  │ {"x", "y"}
                total │ 12.50
                ─[ row 2 ]─
                id    │ 注文
                lines │ [{sku: "A1"}]
                note  │ two↵lines of a note that is rather long
                total │ 7
            "#]],
        );
    }

    #[test]
    fn a_table_in_any_case_is_as_narrow_as_can_be() {
        let columns = ["note".to_owned()];
        let text = render(&columns, &rows(), Layout::Table, Some(4), 1);
        assert!(text.contains("two↵lin…"), "{text}");
    }

    #[test]
    fn no_rows_have_only_a_header() {
        assert_eq!(render(&["id".to_owned()], &[], Layout::Automatic, Some(80), 1), " id\n────\n");
    }
}
