//! What a later version has written into a record, and this one does not know.

use monotable_item::Item;

/// Attributes of a record that this version does not know. They are written back as they were
/// read: servers of neighbouring versions share a store while they are replaced one by one, and an
/// earlier one that changes a table must not erase what a later one has said about it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LaterAttributes(Option<Box<Item>>);

impl LaterAttributes {
    /// Those of a record whose attributes of this version are `known`.
    pub(crate) fn of(record: &Item, known: &[&str]) -> LaterAttributes {
        let is_later = |name: &str| !known.contains(&name);
        if !record.keys().any(|name| is_later(name)) {
            return LaterAttributes(None);
        }
        let later = record.iter().filter(|(name, _)| is_later(name));
        let later = later.map(|(name, value)| (name.clone(), value.clone()));
        LaterAttributes(Some(Box::new(later.collect())))
    }

    /// Writes them into a record, beside those of this version.
    pub(crate) fn put_into(&self, record: &mut Item) {
        let later = self.0.iter().flat_map(|later| later.iter());
        record.extend(later.map(|(name, value)| (name.clone(), value.clone())));
    }
}
