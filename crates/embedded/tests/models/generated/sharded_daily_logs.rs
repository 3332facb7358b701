//! Daily logs in write shards
//!
//! Tables, entities and access patterns of the model `sharded-daily-logs`, written by `monotable
//! model export --to rust`.

use monotable::Number;
use monotable::db::{Create, Query};
use monotable::prelude::*;

/// The table `data`.
#[derive(Table)]
#[table(name = "data", pk = "PK", sk = "SK", type_attr = "TYPE", entities(Log,))]
pub struct Data;

/// The entity `Log`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Data, tag = "LOG")]
#[key(by_date: pk = "LOG#{date}#{shard_mod(order_id, 4, 1)}", sk = "{timestamp:raw}")]
pub struct Log {
    /// The attribute `Date`.
    #[attr(name = "Date")]
    pub date: String,
    /// The number in the key, for people
    #[attr(name = "Shard")]
    pub shard: Option<Number>,
    /// Without an offset, so it is kept as it is written
    #[attr(name = "Timestamp", max_len = 19)]
    pub timestamp: String,
    /// The attribute `OrderId`.
    #[attr(name = "OrderId")]
    pub order_id: Number,
}

/// Access pattern: write log entry.
pub fn write_log_entry(db: &Db<Data>, log: &Log) -> Create<Log> {
    db.create(log)
}

/// Access pattern: log of an order on a day.
///
/// One shard holds all of it, among the entries of other orders
pub fn log_of_an_order_on_a_day(db: &Db<Data>, date: &str, order_id: Number) -> Query<log::ByDate> {
    db.query(Log::by_date(date).selection().with(Log::ORDER_ID, order_id))
        .filter(Log::ORDER_ID.is(order_id))
}

/// Access pattern: log of a day.
///
/// A query for each shard, merged by time
pub fn log_of_a_day(db: &Db<Data>, date: &str) -> Query<log::ByDate> {
    db.query(Log::by_date(date))
}

/// Access pattern: log of a day within a time range.
pub fn log_of_a_day_within_a_time_range(
    db: &Db<Data>,
    date: &str,
    from: &str,
    to: &str,
) -> Query<log::ByDate> {
    db.query(Log::by_date(date).timestamp_in(from..=to))
}
