//! A page of rows.

use crate::cursor::Cursor;
use crate::entity::Pattern;

/// Some rows of an access pattern, and where the neighbouring pages begin.
pub struct Page<P: Pattern> {
    rows: Vec<P::Row>,
    next: Option<Cursor<P>>,
    previous: Option<Cursor<P>>,
}

impl<P: Pattern> Page<P> {
    pub(super) fn new(
        rows: Vec<P::Row>,
        next: Option<Cursor<P>>,
        previous: Option<Cursor<P>>,
    ) -> Page<P> {
        Page { rows, next, previous }
    }

    /// The rows.
    pub fn rows(&self) -> &[P::Row] {
        &self.rows
    }

    /// The rows themselves.
    pub fn into_rows(self) -> Vec<P::Row> {
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

impl<P: Pattern> IntoIterator for Page<P> {
    type Item = P::Row;
    type IntoIter = std::vec::IntoIter<P::Row>;

    fn into_iter(self) -> Self::IntoIter {
        self.rows.into_iter()
    }
}
