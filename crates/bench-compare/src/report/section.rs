//! A table of a report.

use monotable_bench::columns::align;

/// A table with a title.
#[derive(Debug, Clone)]
pub(crate) struct Section {
    title: String,
    rows: Vec<Vec<String>>,
}

impl Section {
    /// A table with nothing but headings.
    pub(crate) fn new(title: impl Into<String>, headings: &[&str]) -> Section {
        let headings = headings.iter().map(|heading| (*heading).to_owned()).collect();
        Section { title: title.into(), rows: vec![headings] }
    }

    /// Adds a row.
    pub(crate) fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// As a text to read.
    pub(crate) fn render(&self) -> String {
        format!("\n{}\n{}", self.title, align(&self.rows))
    }

    /// As a part of a document.
    pub(crate) fn render_markdown(&self) -> String {
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
