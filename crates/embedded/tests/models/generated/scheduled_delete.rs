//! Scheduled deletion
//!
//! Tables, entities and access patterns of the model `scheduled-delete`, written by `monotable
//! model export --to rust`.

use monotable::Number;
use monotable::db::Query;
use monotable::prelude::*;

/// The table `data`.
#[derive(Table)]
#[table(name = "data", pk = "PK", sk = "SK", ttl = "ttl", entities(ExpiringItem,))]
pub struct Data;

/// The entity `ExpiringItem`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Data)]
#[key(by_username: pk = "USER#{username}", sk = "TOKEN#{token_id}")]
pub struct ExpiringItem {
    /// The attribute `Username`.
    #[attr(name = "Username", max_len = 40)]
    pub username: String,
    /// The attribute `TokenId`.
    #[attr(name = "TokenId", max_len = 40)]
    pub token_id: String,
    /// Not there means never
    #[attr(ttl)]
    pub ttl: Option<Number>,
}

/// Access pattern: live items of a user.
pub fn live_items_of_a_user(
    db: &Db<Data>,
    username: &str,
    now: Number,
) -> Query<expiring_item::ByUsername> {
    db.query(ExpiringItem::by_username(username))
        .filter(ExpiringItem::TTL.is_missing() | ExpiringItem::TTL.gt(now))
}
