//! Source files: bytes, lines and columns.

use std::ops::Range;

/// A range of bytes of a source file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

/// A position for people: both numbers begin at 1, and columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineColumn {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// A file that diagnostics are about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    name: String,
    text: String,
    /// Where each line begins.
    lines: Vec<usize>,
}

impl Span {
    /// From the first byte to before the end.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }

    /// The span of what two spans enclose.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Span {
        Span { start: range.start, end: range.end }
    }
}

impl SourceFile {
    /// A file of this name and text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> SourceFile {
        let text = text.into();
        let after_breaks = text.match_indices('\n').map(|(position, _)| position + 1);
        let lines = std::iter::once(0).chain(after_breaks).collect();
        SourceFile { name: name.into(), text, lines }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The line and column of a byte; of the end, if there is no such byte.
    pub fn position(&self, offset: usize) -> LineColumn {
        let line = self.lines.partition_point(|start| *start <= offset).max(1);
        let start = self.line_start(line);
        let before = self.text.get(start..offset.min(self.text.len())).unwrap_or_default();
        LineColumn { line, column: before.chars().count() + 1 }
    }

    /// The text of a line, counted from 1, without its end.
    pub fn line(&self, line: usize) -> &str {
        let start = self.line_start(line);
        let end = self.lines.get(line).copied().unwrap_or(self.text.len());
        self.text.get(start..end).unwrap_or_default().trim_end_matches(['\n', '\r'])
    }

    fn line_start(&self, line: usize) -> usize {
        self.lines.get(line.saturating_sub(1)).copied().unwrap_or(self.text.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_begin_at_one_and_count_characters() {
        let file = SourceFile::new("a.toml", "é = 1\r\nname = 2\n");
        assert_eq!(file.position(0), LineColumn { line: 1, column: 1 });
        assert_eq!(file.position(3), LineColumn { line: 1, column: 3 });
        assert_eq!(file.position(8), LineColumn { line: 2, column: 1 });
        assert_eq!(file.position(999), LineColumn { line: 3, column: 1 });
        assert_eq!(file.line(1), "é = 1");
        assert_eq!(file.line(2), "name = 2");
        assert_eq!(file.line(9), "");
    }
}
