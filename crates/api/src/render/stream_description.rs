//! Streams as DescribeStream shows them.

use monotable_database::stream::{ShardSchema, StreamSchema};
use monotable_protocol::describe_stream::{SequenceNumberRange, Shard, StreamDescription};

use super::key_schema::key_schema;
use super::table_description::{stream_view_type, timestamp};
use crate::resource_name::stream_arn;
use crate::stream::arn::StreamName;
use crate::stream::sequence_number;
use crate::stream::shard_id::shard_id;

/// Describes a stream with at most `limit` of these shards; if there are more, it says where to go
/// on.
pub(crate) fn describe(
    stream: &StreamSchema,
    mut shards: Vec<&ShardSchema>,
    limit: usize,
) -> StreamDescription {
    let has_more = shards.len() > limit;
    shards.truncate(limit);
    let name = StreamName::of(stream);
    let status = if stream.disabled_millis.is_some() { "DISABLED" } else { "ENABLED" };
    StreamDescription {
        stream_arn: Some(stream_arn(&stream.home, &name)),
        stream_label: Some(name.label),
        stream_status: Some(status.to_owned()),
        stream_view_type: Some(stream_view_type(stream.view).to_owned()),
        creation_request_date_time: Some(timestamp(stream.created_millis)),
        table_name: Some(name.table),
        key_schema: Some(key_schema(&stream.key)),
        last_evaluated_shard_id: shards.last().filter(|_| has_more).map(|shard| shard_id(shard)),
        shards: Some(shards.into_iter().map(|shard| describe_shard(stream, shard)).collect()),
    }
}

/// A parent is named while it can be read. A closed shard without records ends where it starts.
fn describe_shard(stream: &StreamSchema, shard: &ShardSchema) -> Shard {
    let end = shard.closed_millis.map(|_| sequence_number::text(shard.end()));
    Shard {
        shard_id: Some(shard_id(shard)),
        sequence_number_range: Some(SequenceNumberRange {
            starting_sequence_number: Some(sequence_number::text(shard.start())),
            ending_sequence_number: end,
        }),
        parent_shard_id: shard.parent.and_then(|parent| stream.shard(parent)).map(shard_id),
    }
}
