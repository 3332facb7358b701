//! Streams: the changes of a table, in order, for a day.
//!
//! The hash space is cut into a few equal *lanes*, as many as the table has partitions. Each lane
//! has one open shard; after a while it closes and a child opens in the same lane. When the table
//! gets more partitions, each lane is halved, and its shard has a child in both halves. A write
//! appends its record to the open shard of its partition's lane, in the transaction that writes the
//! item, so records and items never disagree, and all records of one item stand in one lane in
//! commit order.
//!
//! The lane of a number is one log, over all its shards: a shard is the part of the log between two
//! positions. Opening and closing shards is a change of the table, and reads where the logs end
//! when no write is under way. So a closed shard never gets another record, and every record of a
//! child comes after all of its parent's. The child may stand in another log, so a shard says how
//! far its sequence numbers are ahead of the positions in its log.

mod record;
mod records;
mod retention;
mod rotation;
mod schema;

pub use record::{Cause, Event, StreamRecord};
pub(crate) use record::{ChangeImages, encode_change};
pub use records::{PositionedRecord, RecordsPage};
pub(crate) use rotation::{disabled, enabled, grown};
pub use schema::{OpenStream, ShardId, ShardSchema, StreamId, StreamSchema};

use crate::partitions::table_partition_count;
use crate::schema::TableSettings;

/// How long records are kept.
pub const RETENTION_MILLIS: u64 = 24 * 60 * 60 * 1000;

/// The most shards of a stream that are open at a time.
const LANES_MAX: u32 = 64;

/// How streams are cut.
#[derive(Debug, Clone, Copy)]
pub struct StreamOptions {
    /// How many shards of a new stream are open at a time; as many as its table has partitions if
    /// none.
    pub lanes: Option<u32>,
    /// How long a shard stays open.
    pub shard_age_millis: u64,
}

impl Default for StreamOptions {
    fn default() -> StreamOptions {
        StreamOptions { lanes: None, shard_age_millis: 4 * 60 * 60 * 1000 }
    }
}

impl StreamOptions {
    /// How many lanes a new stream has.
    pub(crate) fn lanes_of_new(&self, settings: &TableSettings) -> u32 {
        self.lanes.unwrap_or_else(|| wanted_lanes(settings, 0))
    }

    /// How many lanes a stream has next that has so many. They become more by halving each, as
    /// partitions do, so that every shard has one parent; they never become fewer.
    pub(crate) fn lanes_after(&self, open: u32, settings: &TableSettings, size_bytes: u64) -> u32 {
        let wanted = self.lanes.map_or_else(|| wanted_lanes(settings, size_bytes), |_| open);
        let mut lanes = open.max(1);
        while lanes < wanted && lanes <= LANES_MAX / 2 {
            lanes *= 2;
        }
        lanes
    }
}

fn wanted_lanes(settings: &TableSettings, size_bytes: u64) -> u32 {
    let partitions = table_partition_count(settings, size_bytes);
    u32::try_from(partitions).unwrap_or(LANES_MAX).min(LANES_MAX)
}
