//! A page of rows.

use crate::cursor::Cursor;
use crate::entity::Pattern;

/// Some rows of an access pattern, and where the neighbouring pages begin.
pub struct Page<P: Pattern, R = <P as Pattern>::Row> {
    rows: Vec<R>,
    next: Option<Cursor<P>>,
    previous: Option<Cursor<P>>,
}

impl<P: Pattern, R> Page<P, R> {
    pub(super) fn new(
        rows: Vec<R>,
        next: Option<Cursor<P>>,
        previous: Option<Cursor<P>>,
    ) -> Page<P, R> {
        Page { rows, next, previous }
    }

    /// The rows.
    pub fn rows(&self) -> &[R] {
        &self.rows
    }

    /// Returns the rows without copying them.
    pub fn into_rows(self) -> Vec<R> {
        self.rows
    }

    /// Where the next page begins, for [`Query::after`](super::Query::after); nothing after the
    /// last one.
    pub fn next(&self) -> Option<Cursor<P>> {
        self.next.clone()
    }

    /// Where the previous page ends, for [`Query::before`](super::Query::before); nothing before
    /// the first one.
    pub fn previous(&self) -> Option<Cursor<P>> {
        self.previous.clone()
    }
}

impl<P: Pattern, R> IntoIterator for Page<P, R> {
    type Item = R;
    type IntoIter = std::vec::IntoIter<R>;

    fn into_iter(self) -> Self::IntoIter {
        self.rows.into_iter()
    }
}
