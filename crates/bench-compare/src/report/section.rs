//! A table of a report.

use monotable_bench::columns::align;

/// A table with a title.
#[derive(Debug, Clone)]
pub(super) struct Section {
    title: String,
    rows: Vec<Vec<String>>,
}

impl Section {
    /// A table with nothing but headings.
    pub(super) fn new(title: impl Into<String>, headings: &[&str]) -> Section {
        let headings = headings.iter().map(|heading| (*heading).to_owned()).collect();
        Section { title: title.into(), rows: vec![headings] }
    }

    /// The table with these rows.
    pub(super) fn with(mut self, rows: impl IntoIterator<Item = Vec<String>>) -> Section {
        self.rows.extend(rows);
        self
    }

    /// Adds a row.
    pub(super) fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// Whether it has no more than headings.
    pub(super) fn is_empty(&self) -> bool {
        self.rows.len() == 1
    }

    /// As a text to read.
    pub(super) fn render(&self) -> String {
        format!("\n{}\n{}", self.title, align(&self.rows))
    }

    /// As a part of a document.
    pub(super) fn render_markdown(&self) -> String {
        let mut text = format!("\n## {}\n\n", self.title);
        for (number, row) in self.rows.iter().enumerate() {
            text += &format!("| {} |\n", row.join(" | "));
            if number == 0 {
                text += &format!("|---|{}\n", "--:|".repeat(row.len() - 1));
            }
        }
        text
    }
}
