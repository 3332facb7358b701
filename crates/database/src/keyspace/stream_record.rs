//! Stream records: the log `0A table stream lane` has the changes of the items of a lane, over all
//! its shards.
//!
//! Value: form, event, cause, time in milliseconds (8 bytes), then the images: keys, old image and
//! new image, each as a length (4 bytes, `FFFFFFFF` for none) and a stored item.
//!
//! Form `03` has the images as they are. Form `04` has their length (4 bytes, little-endian) and an
//! LZ4 block of them. A change mostly leaves most of an item as it was, so that the second image
//! takes little room beside the first; what a stream costs a writer is mainly the bytes that its
//! records add to the store.

use bytes::Bytes;
use lz4_flex::block::{compress_prepend_size, decompress, uncompressed_size};
use monotable_item::limits::ITEM_BYTES_MAX;

use super::{table_prefix, tag};
use crate::error::CorruptRecord;
use crate::schema::TableId;
use crate::stream::{Cause, Event, StreamId, StreamRecord};

const PLAIN: u8 = 3;
const COMPRESSED: u8 = 4;
const ABSENT: u32 = u32::MAX;
/// More than the images of any record take: stored items are about as large as the items they hold.
const IMAGES_BYTES_MAX: usize = 8 * ITEM_BYTES_MAX;

/// The log of a lane.
pub(crate) fn log(table: TableId, stream: StreamId, lane: u32) -> Vec<u8> {
    let mut key = table_prefix(tag::STREAM_RECORD, table);
    key.extend(stream.0.to_be_bytes());
    key.extend(lane.to_be_bytes());
    key
}

/// The bytes of a record.
pub(crate) fn encode_value(record: &StreamRecord) -> Vec<u8> {
    // Only a pair of images has enough in common to be worth it.
    let is_pair = record.old.is_some() && record.new.is_some();
    let images = encode_images(record);
    let (version, images) =
        if is_pair { (COMPRESSED, compress_prepend_size(&images)) } else { (PLAIN, images) };
    let mut value = Vec::with_capacity(images.len() + 11);
    value.push(version);
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
    value.extend(images);
    value
}

fn encode_images(record: &StreamRecord) -> Vec<u8> {
    let images = [Some(&record.keys), record.old.as_ref(), record.new.as_ref()];
    let size: usize = images.iter().flatten().map(|image| image.len()).sum();
    let mut bytes = Vec::with_capacity(size + 12);
    for image in images {
        let length = image.map_or(ABSENT, |image| image.len() as u32);
        bytes.extend(length.to_be_bytes());
        bytes.extend_from_slice(image.map_or(&[], |image| image));
    }
    bytes
}

/// Reads what [`encode_value`] wrote, sharing its memory where it can.
pub(crate) fn decode_value(value: &Bytes) -> Result<StreamRecord, CorruptRecord> {
    let (&[version, event, cause], rest) = split::<3>(value)?;
    let (created, images) = split::<8>(rest)?;
    let images = match version {
        PLAIN => value.slice_ref(images),
        COMPRESSED => decompress_images(images)?,
        _ => return Err(CorruptRecord("stream record version")),
    };
    let [keys, old, new] = decode_images(&images)?;
    Ok(StreamRecord {
        event: event_of(event)?,
        cause: cause_of(cause)?,
        created_millis: u64::from_be_bytes(*created),
        keys: keys.ok_or(CorruptRecord("stream record without keys"))?,
        old,
        new,
    })
}

/// When a record was written, without its images.
pub(crate) fn decode_created_millis(value: &[u8]) -> Result<u64, CorruptRecord> {
    let (_, rest) = split::<3>(value)?;
    let (created, _) = split::<8>(rest)?;
    Ok(u64::from_be_bytes(*created))
}

/// How many bytes a record has when it is read. Those that are stored say little: images that
/// repeat themselves take a hundredth of it.
pub(crate) fn decoded_bytes(value: &[u8]) -> usize {
    let images = split::<3>(value).and_then(|(head, rest)| Ok((head, split::<8>(rest)?.1)));
    match images {
        Ok(([COMPRESSED, ..], images)) => {
            uncompressed_size(images).map_or(value.len(), |(size, _)| size.min(IMAGES_BYTES_MAX))
        }
        Ok(_) | Err(_) => value.len(),
    }
}

fn decompress_images(bytes: &[u8]) -> Result<Bytes, CorruptRecord> {
    let corrupt = CorruptRecord("compressed stream record");
    let (size, block) = uncompressed_size(bytes).map_err(|_| corrupt)?;
    // The size is read from the store, and memory is taken for it.
    if size > IMAGES_BYTES_MAX {
        return Err(corrupt);
    }
    decompress(block, size).map(Bytes::from).map_err(|_| corrupt)
}

fn decode_images(bytes: &Bytes) -> Result<[Option<Bytes>; 3], CorruptRecord> {
    let mut rest: &[u8] = bytes;
    let mut images = [None, None, None];
    for image in &mut images {
        let (length, after) = split::<4>(rest)?;
        rest = after;
        let length = u32::from_be_bytes(*length);
        if length != ABSENT {
            let (image_bytes, after) =
                rest.split_at_checked(length as usize).ok_or(CorruptRecord("stream record"))?;
            *image = Some(bytes.slice_ref(image_bytes));
            rest = after;
        }
    }
    Ok(images)
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
    fn images_that_repeat_themselves_count_with_all_their_bytes() {
        let image = Bytes::from(vec![b'a'; 100_000]);
        let record = StreamRecord {
            event: Event::Modify,
            cause: Cause::Client,
            created_millis: 0,
            keys: Bytes::from_static(b"k"),
            old: Some(image.clone()),
            new: Some(image.clone()),
        };
        let value = encode_value(&record);
        assert!(value.len() < 2_000, "{}", value.len());
        assert!(decoded_bytes(&value) > 2 * image.len());
        let plain = encode_value(&StreamRecord { old: None, ..record });
        assert_eq!(decoded_bytes(&plain), plain.len());
    }

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

    fn pair(old: Vec<u8>, new: Vec<u8>) -> StreamRecord {
        StreamRecord {
            event: Event::Modify,
            cause: Cause::Client,
            created_millis: 7,
            keys: Bytes::from_static(b"key"),
            old: Some(old.into()),
            new: Some(new.into()),
        }
    }

    #[test]
    fn what_two_images_have_in_common_is_stored_once() {
        let old: Vec<u8> =
            (0..1000_u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
        let mut new = old.clone();
        new.splice(2000..2004, *b"other");
        let record = pair(old, new);
        let bytes = encode_value(&record);
        assert!(bytes.len() < 4200, "{}", bytes.len());
        assert_eq!(decode_value(&bytes.into()), Ok(record));
    }

    #[test]
    fn a_size_that_no_record_has_is_refused_before_memory_is_taken() {
        let mut bytes = encode_value(&pair(b"old".to_vec(), b"new".to_vec()));
        bytes[11..15].copy_from_slice(&u32::MAX.to_le_bytes());
        assert!(decode_value(&bytes.into()).is_err());
    }

    #[test]
    fn truncated_pairs_are_refused() {
        let bytes = Bytes::from(encode_value(&pair(b"old".to_vec(), b"new".to_vec())));
        for end in 0..bytes.len() {
            assert!(decode_value(&bytes.slice(..end)).is_err(), "{end}");
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
