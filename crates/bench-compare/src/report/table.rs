//! Tables: a list of anything, and columns that say what to show of each.
//!
//! A cell has a text to read and the same as a value for programs: a figure as it was found, and of
//! what was found in several rounds the median and each of them. Text, Markdown and JSON are made
//! of the same cells.

use monotable_bench::columns::{align, unknown};
use monotable_bench::statistics::Spread;
use serde_json::{Value, json};

use super::texts::range;

/// How a figure is written.
pub(super) type Write = fn(f64) -> String;

#[derive(Debug, Clone)]
struct Cell {
    text: String,
    /// What programs read; null if it is not known.
    value: Value,
}

/// A table with a title. The first column names the row.
#[derive(Debug, Clone)]
pub(super) struct Table {
    title: String,
    headings: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// Whether it has no rows.
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// As a text to read.
    pub(super) fn text(&self) -> String {
        format!("\n{}\n{}", self.title, align(&self.lines()))
    }

    /// As a part of a document.
    pub(super) fn markdown(&self) -> String {
        let mut lines = self.lines().into_iter().map(|line| format!("| {} |\n", line.join(" | ")));
        let (headings, rows) = (lines.next().unwrap_or_default(), lines.collect::<String>());
        let rule = "--:|".repeat(self.headings.len().saturating_sub(1));
        format!("\n## {}\n\n{headings}|---|{rule}\n{rows}", self.title)
    }

    /// For programs: in each row the headings with their values.
    pub(super) fn json(&self) -> Value {
        let row = |row: &Vec<Cell>| -> Value {
            let values = row.iter().map(|cell| cell.value.clone());
            self.headings.iter().cloned().zip(values).collect()
        };
        json!({ "title": self.title, "rows": self.rows.iter().map(row).collect::<Value>() })
    }

    fn lines(&self) -> Vec<Vec<String>> {
        let texts = |row: &Vec<Cell>| row.iter().map(|cell| cell.text.clone()).collect();
        std::iter::once(self.headings.clone()).chain(self.rows.iter().map(texts)).collect()
    }
}

/// What is shown in a table, while columns are added.
#[derive(Debug, Clone)]
pub(super) struct Rows<T> {
    table: Table,
    shown: Vec<T>,
}

impl<T> Rows<T> {
    /// Rows without columns.
    pub(super) fn new(title: impl Into<String>, shown: impl IntoIterator<Item = T>) -> Rows<T> {
        let shown: Vec<T> = shown.into_iter().collect();
        let rows = vec![Vec::new(); shown.len()];
        Rows { table: Table { title: title.into(), headings: Vec::new(), rows }, shown }
    }

    /// A column of words.
    pub(super) fn words(self, heading: &str, word: impl Fn(&T) -> String) -> Rows<T> {
        self.column(heading, |row| {
            let text = word(row);
            Some(Cell { value: text.clone().into(), text })
        })
    }

    /// A column of figures.
    pub(super) fn figure<F: Into<Option<f64>>>(
        self,
        heading: &str,
        write: Write,
        figure: impl Fn(&T) -> F,
    ) -> Rows<T> {
        self.column(heading, |row| {
            let figure: Option<f64> = figure(row).into();
            figure.map(|figure| Cell { text: write(figure), value: figure.into() })
        })
    }

    /// A column of medians of what each round found.
    pub(super) fn median(
        self,
        heading: &str,
        write: Write,
        rounds: impl Fn(&T) -> Vec<f64>,
    ) -> Rows<T> {
        self.column(heading, |row| {
            let rounds = rounds(row);
            let median = Spread::of(rounds.iter().copied())?.median;
            Some(Cell { text: write(median), value: json!({ "median": median, "rounds": rounds }) })
        })
    }

    /// The same with a column of half of the range after it, in percent of the median.
    pub(super) fn spread(
        self,
        [heading, heading_of_range]: [&str; 2],
        write: Write,
        rounds: impl Fn(&T) -> Vec<f64>,
    ) -> Rows<T> {
        let percent = |row: &T| Spread::of(rounds(row)).map(|spread| spread.percent());
        self.median(heading, write, &rounds).figure(heading_of_range, range, percent)
    }

    /// The table, without the columns in which nothing is known of any row.
    pub(super) fn table(self) -> Table {
        self.table
    }

    fn column(mut self, heading: &str, cell: impl Fn(&T) -> Option<Cell>) -> Rows<T> {
        let cells: Vec<Option<Cell>> = self.shown.iter().map(cell).collect();
        if cells.iter().all(Option::is_none) {
            return self;
        }
        self.table.headings.push(heading.to_owned());
        for (row, cell) in self.table.rows.iter_mut().zip(cells) {
            let nothing = || Cell { text: unknown(), value: Value::Null };
            row.push(cell.unwrap_or_else(nothing));
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use monotable_bench::columns::number;

    use super::*;

    fn table() -> Table {
        let shown = [("one", vec![4.0, 8.0, 6.0]), ("other", vec![])];
        Rows::new("Waits", shown)
            .words("who", |(name, _)| (*name).to_owned())
            .spread(["ms", "±"], number, |(_, rounds)| rounds.clone())
            .figure("never known", number, |_| None)
            .table()
    }

    #[test]
    fn a_text_has_medians_and_a_dash_for_what_is_not_known() {
        expect![[r#"

            Waits
              who     ms     ±
              one    6.0  33 %
              other    –     –
        "#]]
        .assert_eq(&table().text());
        expect![[r#"

            ## Waits

            | who | ms | ± |
            |---|--:|--:|
            | one | 6.0 | 33 % |
            | other | – | – |
        "#]]
        .assert_eq(&table().markdown());
    }

    #[test]
    fn programs_read_what_each_round_found() {
        let rows = &table().json()["rows"];
        assert_eq!(rows[0]["ms"], json!({ "median": 6.0, "rounds": [4.0, 8.0, 6.0] }));
        assert_eq!(rows[1], json!({ "who": "other", "ms": null, "±": null }));
    }
}
