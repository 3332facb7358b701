//! Prints the rows of a statement, block by block, so that any number of them takes little memory.

use std::io::{self, Write};

use anyhow::{Result, bail};
use clap::ValueEnum;
use serde_json::Value;

use super::columns::{columns, without_column};
use super::cursor::Row;
use super::{csv, plain_json};
use crate::grid::{self, Layout};

/// Rows that are laid out together.
pub(super) const BLOCK_ROWS: usize = 1000;

/// Rows whose attributes become the columns of comma-separated values, if the statement does not
/// name them.
const CSV_ROWS: usize = 10_000;

/// How rows are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Tables for people, as wide as the terminal
    Table,
    /// One line of plain JSON per row: numbers with all digits, sets as lists, bytes in Base64
    Json,
    /// One line of JSON per row, with the types of all values, as in DynamoDB's own requests
    DynamodbJson,
    /// Comma-separated values with a header, as RFC 4180 has them
    Csv,
}

/// How the rows of one statement are printed.
#[derive(Debug)]
pub(super) struct Style {
    pub(super) format: Format,
    pub(super) layout: Layout,
    /// The cells of a line; nothing if there is no end to it.
    pub(super) cells: Option<usize>,
    /// The columns that the statement names.
    pub(super) named: Vec<String>,
    /// The keys of the table, which come first.
    pub(super) keys: Vec<String>,
}

/// Prints the rows of one statement.
pub(super) struct ResultWriter<'o> {
    style: Style,
    output: &'o mut dyn Write,
    written: u64,
    /// The columns of comma-separated values, once they are fixed.
    header: Option<Vec<String>>,
}

impl<'o> ResultWriter<'o> {
    pub(super) fn new(style: Style, output: &'o mut dyn Write) -> ResultWriter<'o> {
        ResultWriter { style, output, written: 0, header: None }
    }

    /// The same, after rows that were printed before.
    pub(super) fn after(self, written: u64) -> ResultWriter<'o> {
        ResultWriter { written, ..self }
    }

    /// How many rows it wants to see at once.
    pub(super) fn block_rows(&self) -> usize {
        let fixes_columns = self.style.format == Format::Csv && self.style.named.is_empty();
        if fixes_columns && self.header.is_none() { CSV_ROWS } else { BLOCK_ROWS }
    }

    /// The rows that were printed.
    pub(super) fn written(&self) -> u64 {
        self.written
    }

    /// Prints the next rows.
    pub(super) fn write(&mut self, rows: &[Row]) -> Result<()> {
        match self.style.format {
            Format::Table => self.write_table(rows)?,
            Format::Json => self.write_lines(rows, plain_json::item_text)?,
            Format::DynamodbJson => {
                self.write_lines(rows, |row| Value::Object(row.clone()).to_string())?;
            }
            Format::Csv => self.write_csv(rows)?,
        }
        self.written += u64::try_from(rows.len()).unwrap_or_default();
        Ok(self.output.flush()?)
    }

    fn write_table(&mut self, rows: &[Row]) -> io::Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let Style { layout, cells, named, keys, .. } = &self.style;
        let columns = columns(named, keys, rows);
        let text = grid::render(&columns, rows, *layout, *cells, self.written + 1);
        self.output.write_all(text.as_bytes())
    }

    fn write_lines(&mut self, rows: &[Row], text: impl Fn(&Row) -> String) -> io::Result<()> {
        rows.iter().try_for_each(|row| writeln!(self.output, "{}", text(row)))
    }

    fn write_csv(&mut self, rows: &[Row]) -> Result<()> {
        let columns = match self.header.take() {
            Some(columns) => columns,
            None => self.begin_csv(rows)?,
        };
        for row in rows {
            if let Some(name) = without_column(&columns, row) {
                bail!(
                    "the attribute {name:?} is in none of the first {CSV_ROWS} rows, so it has no \
                     column: name the columns in SELECT, or use --output json"
                );
            }
            self.output.write_all(csv::row(&columns, row).as_bytes())?;
        }
        self.header = Some(columns);
        Ok(())
    }

    fn begin_csv(&mut self, rows: &[Row]) -> io::Result<Vec<String>> {
        let columns = columns(&self.style.named, &self.style.keys, rows);
        if !columns.is_empty() {
            self.output.write_all(csv::header(&columns).as_bytes())?;
        }
        Ok(columns)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn style(format: Format, named: &[&str]) -> Style {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Style {
            format,
            layout: Layout::Automatic,
            cells: None,
            named: names(named),
            keys: names(&["id"]),
        }
    }

    fn row(id: u32, more: &str) -> Row {
        json!({ "id": { "N": id.to_string() }, more: { "S": "x" } }).as_object().unwrap().clone()
    }

    fn written(style: Style, blocks: &[Vec<Row>]) -> String {
        let mut output = Vec::new();
        let mut writer = ResultWriter::new(style, &mut output);
        blocks.iter().for_each(|block| writer.write(block).unwrap());
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn lines_of_json_are_plain_or_typed() {
        let rows = [vec![row(1, "a")], vec![row(2, "b")]];
        assert_eq!(
            written(style(Format::Json, &[]), &rows),
            "{\"a\":\"x\",\"id\":1}\n{\"b\":\"x\",\"id\":2}\n"
        );
        assert_eq!(
            written(style(Format::DynamodbJson, &[]), &rows[..1]),
            "{\"a\":{\"S\":\"x\"},\"id\":{\"N\":\"1\"}}\n"
        );
    }

    #[test]
    fn comma_separated_values_have_one_header() {
        let rows = [vec![row(1, "a"), row(2, "b")], vec![row(3, "a")]];
        assert_eq!(written(style(Format::Csv, &[]), &rows), "id,a,b\r\n1,x,\r\n2,,x\r\n3,x,\r\n");
        assert_eq!(written(style(Format::Csv, &["a", "id", "b"]), &[Vec::new()]), "a,id,b\r\n");
    }

    #[test]
    fn an_attribute_that_comes_too_late_for_a_column_is_an_error_and_not_lost() {
        let mut output = Vec::new();
        let mut writer = ResultWriter::new(style(Format::Csv, &[]), &mut output);
        assert_eq!(writer.block_rows(), CSV_ROWS);
        writer.write(&[row(1, "a")]).unwrap();
        let error = writer.write(&[row(2, "late")]).unwrap_err().to_string();
        assert!(error.contains("\"late\""), "{error}");
    }

    #[test]
    fn rows_are_counted_over_blocks() {
        let vertical = Style { layout: Layout::Vertical, ..style(Format::Table, &["id"]) };
        let text = written(vertical, &[vec![row(7, "a")], vec![row(8, "a")]]);
        assert_eq!(text, "─[ row 1 ]─\nid │ 7\n─[ row 2 ]─\nid │ 8\n");
    }
}
