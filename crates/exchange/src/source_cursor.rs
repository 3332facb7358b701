//! A text of a language, and how far it is read: what the readers of HCL and JavaScript share.

use monotable_model::diagnostic::{Diagnostic, Span};

use super::source_node::{DEPTH_MAX, syntax, too_deep};

/// See the module.
pub(super) struct SourceCursor<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    depth: usize,
}

impl<'t> SourceCursor<'t> {
    /// Begins at the first byte.
    pub(super) fn new(text: &'t str) -> SourceCursor<'t> {
        SourceCursor { text, at: 0, depth: 0 }
    }

    /// What is still to be read.
    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The next character.
    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Goes on after the next character.
    pub(super) fn bump(&mut self) {
        self.at += self.peek().map_or(0, char::len_utf8);
    }

    /// Goes on after a text, if it comes next.
    pub(super) fn take(&mut self, expected: &str) -> bool {
        let is_next = self.rest().starts_with(expected);
        if is_next {
            self.at += expected.len();
        }
        is_next
    }

    /// The bytes from a place to here.
    pub(super) fn since(&self, start: usize) -> Span {
        Span::new(start, self.at)
    }

    /// What is wrong here.
    pub(super) fn expected(&self, what: &str) -> Diagnostic {
        let end = self.at + self.peek().map_or(0, char::len_utf8);
        let found = self.peek().map_or("the end of the file".to_owned(), |c| format!("{c:?}"));
        syntax(Span::new(self.at, end), format!("expected {what}, found {found}"))
    }

    /// Goes one level deeper, unless that is too deep.
    pub(super) fn enter(&mut self) -> Result<(), Diagnostic> {
        if self.depth == DEPTH_MAX {
            return Err(too_deep(self.since(self.at)));
        }
        self.depth += 1;
        Ok(())
    }

    /// Comes back from one level.
    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }
}
