//! Ids of shards: `shardId-00000001794744000250-0000001f`.
//!
//! The first number is the moment at which the shard was opened, as in AWS's, so ids sort by age.
//! The second is the shard's own number in its stream.

use monotable_database::stream::{ShardSchema, StreamSchema};

/// The id of a shard.
pub(crate) fn shard_id(shard: &ShardSchema) -> String {
    format!("shardId-{:020}-{:08x}", shard.opened_millis, shard.id.0)
}

/// The shard of a stream with this id.
pub(crate) fn find<'a>(stream: &'a StreamSchema, id: &str) -> Option<&'a ShardSchema> {
    stream.shards.iter().find(|shard| shard_id(shard) == id)
}
