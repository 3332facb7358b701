//! Places in a file, for errors that say where.

use std::ops::Range;
use std::path::Path;

use crate::error::FileError;

/// A file that is being read.
#[derive(Clone, Copy)]
pub(super) struct Text<'a> {
    pub(super) text: &'a str,
    pub(super) path: &'a Path,
}

impl Text<'_> {
    /// An error about a part of the file. The part itself is not shown: it may be a secret.
    pub(super) fn error(&self, span: Range<usize>, reason: impl Into<String>) -> FileError {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let characters = before.get(line_start..).unwrap_or_default().chars().count();
        FileError::Invalid {
            path: self.path.to_owned(),
            line: before.matches('\n').count() + 1,
            column: characters + 1,
            reason: reason.into(),
        }
    }
}
