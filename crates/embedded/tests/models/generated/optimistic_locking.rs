//! Optimistic locking
//!
//! Tables, entities and access patterns of the model `optimistic-locking`, written by `monotable
//! model export --to rust`.

use monotable::db::Get;
use monotable::prelude::*;

/// The table `data`.
#[derive(Table)]
#[table(name = "data", pk = "PK", sk = "SK", entities(ItemItem,))]
pub struct Data;

/// The entity `Item`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Data)]
#[key(by_item_id: pk = "ITEM#{item_id}", sk = "ITEM#{item_id}")]
pub struct ItemItem {
    /// The attribute `ItemId`.
    #[attr(name = "ItemId", max_len = 20)]
    pub item_id: String,
    /// The attribute `data`.
    #[attr(max_len = 1000)]
    pub data: Option<String>,
    /// The attribute `version`.
    #[attr(lock)]
    pub version: u64,
}

/// Access pattern: read with version.
pub fn read_with_version(db: &Db<Data>, item_id: &str) -> Get<ItemItem> {
    db.get(ItemItem::by_item_id(item_id))
}

/// Access pattern: write if unchanged.
pub fn write_if_unchanged(
    db: &Db<Data>,
    item_id: &str,
    data: &str,
    expected: u64,
) -> item_item::Patch<Db<Data>> {
    db.patch(ItemItem::by_item_id(item_id)).data(data).if_rev(expected)
}
