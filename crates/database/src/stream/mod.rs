//! Streams: the changes of a table, in order, for a day.
//!
//! The hash space is cut into a few equal *lanes*. Each lane has one open shard; after a while it closes and a
//! child opens in the same lane. A write appends its record to the open shard of its partition's lane, in
//! the transaction that writes the item, so records and items never disagree, and all records of one item
//! stand in one lane in commit order.
//!
//! A lane is one log, over all its shards: a shard is the part of the log between two positions. Opening and closing
//! shards is a change of the table, and reads where the logs end when no write is under way. So a closed shard never
//! gets another record, and every record of a child comes after all of its parent's.

mod record;
mod records;
mod retention;
mod rotation;
mod schema;

pub use record::{Cause, Event, StreamRecord};
pub(crate) use record::{ChangeImages, encode_change};
pub use records::{PositionedRecord, RecordsPage};
pub(crate) use rotation::{disabled, enabled};
pub use schema::{OpenStream, ShardId, ShardSchema, StreamId, StreamSchema};

/// How long records are kept.
pub const RETENTION_MILLIS: u64 = 24 * 60 * 60 * 1000;

/// How streams are cut.
#[derive(Debug, Clone, Copy)]
pub struct StreamOptions {
    /// How many shards of a stream are open at a time.
    pub lanes: u32,
    /// How long a shard stays open.
    pub shard_age_millis: u64,
}

impl Default for StreamOptions {
    fn default() -> StreamOptions {
        StreamOptions { lanes: 4, shard_age_millis: 4 * 60 * 60 * 1000 }
    }
}
