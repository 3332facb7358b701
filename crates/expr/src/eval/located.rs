//! The places in a stored item that an update reads or changes.

use monotable_item::Path;
use monotable_item::stored::{CorruptItem, ItemView, PathEnd, StoredValue, locate};

/// Where the paths of an update lead.
pub(super) struct Located<'a> {
    paths: Vec<&'a Path>,
    places: Vec<PathEnd<'a>>,
}

impl<'a> Located<'a> {
    /// Finds all paths in one walk over the item.
    pub(super) fn new(
        item: ItemView<'a>,
        mut paths: Vec<&'a Path>,
    ) -> Result<Located<'a>, CorruptItem> {
        paths.sort_unstable();
        paths.dedup();
        let places = locate(item.attributes(), &paths)?;
        Ok(Located { paths, places })
    }

    /// Where a path of the update leads.
    pub(super) fn place(&self, path: &Path) -> PathEnd<'a> {
        let found = self.paths.binary_search(&path).ok();
        found.and_then(|found| self.places.get(found)).copied().unwrap_or(PathEnd::Nowhere)
    }

    /// The value that a path of the update leads to, if there is one.
    pub(super) fn value(&self, path: &Path) -> Option<StoredValue<'a>> {
        self.place(path).value()
    }
}
