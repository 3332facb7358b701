//! Records as GetRecords shows them.

use monotable_database::stream::{Cause, Event, PositionedRecord, ShardSchema, StreamSchema};
use monotable_item::stored::{CorruptItem, ItemView};
use monotable_protocol::ResponseItem;
use monotable_protocol::get_records::{Identity, Record, StreamRecord};
use xxhash_rust::xxh3::xxh3_128;

use super::table_description::{stream_view_type, timestamp};
use crate::stream::sequence_number;

/// The version of the form of records.
const EVENT_VERSION: &str = "1.1";
/// Where records come from.
const EVENT_SOURCE: &str = "aws:dynamodb";

/// Shows a record of a stream.
pub(crate) fn render(
    stream: &StreamSchema,
    shard: &ShardSchema,
    record: PositionedRecord,
) -> Result<Record, CorruptItem> {
    Ok(Record {
        event_id: Some(event_id(stream, shard.lane, record.position)),
        event_name: Some(event_name(record.record.event).to_owned()),
        event_version: Some(EVENT_VERSION.to_owned()),
        event_source: Some(EVENT_SOURCE.to_owned()),
        aws_region: Some(stream.home.region().to_owned()),
        user_identity: identity(record.record.cause),
        dynamodb: Some(change(stream, shard, record)?),
    })
}

/// Ids look random but are always the same for a record, so that readers can tell that they have
/// seen it.
fn event_id(stream: &StreamSchema, lane: u32, position: u64) -> String {
    let mut place = stream.home.account().as_bytes().to_vec();
    place.extend_from_slice(stream.table_name.as_bytes());
    place.extend(stream.created_millis.to_be_bytes());
    place.extend(lane.to_be_bytes());
    place.extend(position.to_be_bytes());
    format!("{:032x}", xxh3_128(&place))
}

fn event_name(event: Event) -> &'static str {
    match event {
        Event::Insert => "INSERT",
        Event::Modify => "MODIFY",
        Event::Remove => "REMOVE",
    }
}

fn identity(cause: Cause) -> Option<Identity> {
    match cause {
        Cause::Client => None,
        Cause::TimeToLive => Some(Identity {
            principal_id: Some("dynamodb.amazonaws.com".to_owned()),
            kind: Some("Service".to_owned()),
        }),
    }
}

/// The time is that of the second in which the change happened.
fn change(
    stream: &StreamSchema,
    shard: &ShardSchema,
    PositionedRecord { position, record }: PositionedRecord,
) -> Result<StreamRecord, CorruptItem> {
    let mut size_bytes = 0;
    for item in [Some(&record.keys), record.new.as_ref(), record.old.as_ref()].into_iter().flatten()
    {
        size_bytes += ItemView::new(item)?.size_bytes();
    }
    let second = record.created_millis - record.created_millis % 1000;
    Ok(StreamRecord {
        approximate_creation_date_time: Some(timestamp(second)),
        keys: Some(ResponseItem::Stored(record.keys)),
        new_image: record.new.map(ResponseItem::Stored),
        old_image: record.old.map(ResponseItem::Stored),
        sequence_number: Some(sequence_number::text(shard.sequence_number(position))),
        size_bytes: Some(size_bytes as i64),
        stream_view_type: Some(stream_view_type(stream.view).to_owned()),
    })
}
