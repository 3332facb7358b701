//! Request ids, which answers carry in `x-amzn-requestid`.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts the requests of one database. AWS's ids have 52 digits and upper-case letters.
#[derive(Debug, Default)]
pub(crate) struct RequestIds(AtomicU64);

impl RequestIds {
    /// An id that no other request of this database has.
    pub(super) fn next(&self) -> String {
        format!("EMBEDDED{:044}", self.0.fetch_add(1, Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_have_52_characters_and_differ() {
        let ids = RequestIds::default();
        let (first, second) = (ids.next(), ids.next());
        assert_eq!((first.len(), second.len()), (52, 52));
        assert_ne!(first, second);
    }
}
