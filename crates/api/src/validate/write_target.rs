//! What a write names: a whole item, or the key of one.

use bytes::Bytes;
use monotable_database::schema::TableSchema;
use monotable_item::stored::{self, CorruptItem, ItemView};
use monotable_item::{Item, item_size_bytes};

/// The attributes of a request that tell its item.
#[derive(Debug, Clone, Copy)]
pub(crate) enum WriteTarget<'r> {
    /// An item that is put, in its stored form.
    Item(&'r Bytes),
    /// The key attributes of an item.
    Key(&'r Item),
}

impl WriteTarget<'_> {
    /// The size of the attributes as DynamoDB counts it.
    pub(crate) fn size_bytes(self) -> Result<usize, CorruptItem> {
        match self {
            WriteTarget::Item(item) => Ok(ItemView::new(item)?.size_bytes()),
            WriteTarget::Key(key) => Ok(item_size_bytes(key)),
        }
    }

    /// The attributes that decide the item's partition.
    pub(crate) fn partition(self, schema: &TableSchema) -> Result<Item, CorruptItem> {
        let parts = &schema.key.partition;
        match self {
            WriteTarget::Item(item) => stored::decode_attributes(item, |name| {
                parts.iter().any(|part| part.name.as_bytes() == name)
            }),
            WriteTarget::Key(key) => {
                let found = parts.iter().filter_map(|part| key.get_key_value(&part.name));
                Ok(found.map(|(name, value)| (name.clone(), value.clone())).collect())
            }
        }
    }
}
