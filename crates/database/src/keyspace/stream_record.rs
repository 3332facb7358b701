//! Stream records: `0A table stream shard position` → one change of one item.
//!
//! Value: version `01`, event, cause, time in milliseconds (8 bytes), then keys, old image and new image, each
//! as a length (4 bytes, `FFFFFFFF` for none) and a stored item.

use bytes::Bytes;
use monotable_storage::KeyRange;

use super::{table_prefix, tag};
use crate::error::CorruptRecord;
use crate::schema::TableId;
use crate::stream::{Cause, Event, ShardId, StreamId, StreamRecord};

const VERSION: u8 = 1;
const ABSENT: u32 = u32::MAX;

/// The log of a shard: the start of the keys of its records.
pub(crate) fn log(table: TableId, stream: StreamId, shard: ShardId) -> Vec<u8> {
    let mut key = stream_prefix(table, stream);
    key.extend(shard.0.to_be_bytes());
    key
}

/// The keys of all records of a stream.
pub(crate) fn stream_range(table: TableId, stream: StreamId) -> KeyRange {
    KeyRange::prefix(&stream_prefix(table, stream))
}

fn stream_prefix(table: TableId, stream: StreamId) -> Vec<u8> {
    let mut key = table_prefix(tag::STREAM_RECORD, table);
    key.extend(stream.0.to_be_bytes());
    key
}

/// The bytes of a record.
pub(crate) fn encode_value(record: &StreamRecord) -> Vec<u8> {
    let images = [Some(&record.keys), record.old.as_ref(), record.new.as_ref()];
    let size: usize = images.iter().flatten().map(|image| image.len()).sum();
    let mut value = Vec::with_capacity(size + 24);
    value.push(VERSION);
    value.push(match record.event {
        Event::Insert => 0,
        Event::Modify => 1,
        Event::Remove => 2,
    });
    value.push(match record.cause {
        Cause::Client => 0,
        Cause::TimeToLive => 1,
    });
    value.extend(record.created_millis.to_be_bytes());
    for image in images {
        let length = image.map_or(ABSENT, |image| image.len() as u32);
        value.extend(length.to_be_bytes());
        value.extend_from_slice(image.map_or(&[], |image| image));
    }
    value
}

/// Reads what [`encode_value`] wrote, sharing its memory.
pub(crate) fn decode_value(value: &Bytes) -> Result<StreamRecord, CorruptRecord> {
    let (&[VERSION, event, cause], rest) = split::<3>(value)? else {
        return Err(CorruptRecord("stream record version"));
    };
    let (created, mut rest) = split::<8>(rest)?;
    let mut images = [None, None, None];
    for image in &mut images {
        let (length, after) = split::<4>(rest)?;
        rest = after;
        let length = u32::from_be_bytes(*length);
        if length != ABSENT {
            let (bytes, after) =
                rest.split_at_checked(length as usize).ok_or(CorruptRecord("stream record"))?;
            *image = Some(value.slice_ref(bytes));
            rest = after;
        }
    }
    let [keys, old, new] = images;
    Ok(StreamRecord {
        event: event_of(event)?,
        cause: cause_of(cause)?,
        created_millis: u64::from_be_bytes(*created),
        keys: keys.ok_or(CorruptRecord("stream record without keys"))?,
        old,
        new,
    })
}

fn split<const N: usize>(bytes: &[u8]) -> Result<(&[u8; N], &[u8]), CorruptRecord> {
    bytes.split_first_chunk::<N>().ok_or(CorruptRecord("stream record"))
}

fn event_of(code: u8) -> Result<Event, CorruptRecord> {
    match code {
        0 => Ok(Event::Insert),
        1 => Ok(Event::Modify),
        2 => Ok(Event::Remove),
        _ => Err(CorruptRecord("stream event")),
    }
}

fn cause_of(code: u8) -> Result<Cause, CorruptRecord> {
    match code {
        0 => Ok(Cause::Client),
        1 => Ok(Cause::TimeToLive),
        _ => Err(CorruptRecord("stream cause")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_read_back() {
        for (old, new) in
            [(None, Some("n")), (Some("o"), None), (Some(""), Some("n")), (None, None)]
        {
            let record = StreamRecord {
                event: Event::Modify,
                cause: Cause::TimeToLive,
                created_millis: 1_700_000_000_123,
                keys: Bytes::from_static(b"k"),
                old: old.map(Bytes::from),
                new: new.map(Bytes::from),
            };
            assert_eq!(decode_value(&encode_value(&record).into()), Ok(record));
        }
    }

    #[test]
    fn truncated_records_are_refused() {
        let record = StreamRecord {
            event: Event::Insert,
            cause: Cause::Client,
            created_millis: 7,
            keys: Bytes::from_static(b"key"),
            old: None,
            new: Some(Bytes::from_static(b"new")),
        };
        let bytes = Bytes::from(encode_value(&record));
        for end in 0..bytes.len() {
            assert!(decode_value(&bytes.slice(..end)).is_err(), "{end}");
        }
    }
}
