//! Shard iterators: places in shards, as texts that clients carry around.
//!
//! An iterator says all there is to know about the place, so the server keeps nothing for a reader.
//! Its form is AWS's, `<stream ARN>|1|<base64>`. The checksum at its end covers the ARN too: it is
//! no secret, but no text that was cut short, joined from two or made by hand passes for an
//! iterator.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use monotable_database::schema::TableId;
use monotable_database::stream::{ShardId, StreamId};
use xxhash_rust::xxh3::xxh3_64;

const VERSION: u8 = 1;
const FORM: &str = "1";

/// Where in a shard to read on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ShardPosition {
    /// At the oldest record that is there when it is read.
    Oldest,
    /// After the record at this position.
    After(u64),
}

/// A place in a shard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ShardIterator {
    /// The ARN of the stream.
    pub(crate) stream_arn: String,
    /// The table of the stream.
    pub(crate) table: TableId,
    /// The stream.
    pub(crate) stream: StreamId,
    /// The shard.
    pub(crate) shard: ShardId,
    /// The place.
    pub(crate) place: ShardPosition,
    /// When the iterator was given out, in milliseconds since 1970.
    pub(crate) issued_millis: u64,
}

impl ShardIterator {
    /// The iterator as text.
    pub(crate) fn encode(&self) -> String {
        let (tag, position) = match self.place {
            ShardPosition::Oldest => (0, 0),
            ShardPosition::After(position) => (1, position),
        };
        let mut bytes = vec![VERSION];
        bytes.extend(self.table.0.to_be_bytes());
        bytes.extend(self.stream.0.to_be_bytes());
        bytes.extend(self.shard.0.to_be_bytes());
        bytes.push(tag);
        bytes.extend(position.to_be_bytes());
        bytes.extend(self.issued_millis.to_be_bytes());
        bytes.extend(checksum(&self.stream_arn, &bytes).to_be_bytes());
        format!("{}|{FORM}|{}", self.stream_arn, STANDARD.encode(bytes))
    }

    /// Reads what [`ShardIterator::encode`] wrote, and nothing else.
    pub(crate) fn decode(text: &str) -> Option<ShardIterator> {
        let (stream_arn, rest) = text.split_once('|')?;
        let bytes = STANDARD.decode(rest.strip_prefix(FORM)?.strip_prefix('|')?).ok()?;
        let (bytes, sum) = bytes.split_last_chunk::<8>()?;
        if u64::from_be_bytes(*sum) != checksum(stream_arn, bytes) {
            return None;
        }
        let (&[VERSION], bytes) = bytes.split_first_chunk::<1>()? else { return None };
        let (table, bytes) = bytes.split_first_chunk::<4>()?;
        let (stream, bytes) = bytes.split_first_chunk::<4>()?;
        let (shard, bytes) = bytes.split_first_chunk::<4>()?;
        let ([tag], bytes) = bytes.split_first_chunk::<1>()?;
        let (position, issued) = bytes.split_first_chunk::<8>()?;
        let place = match tag {
            0 => ShardPosition::Oldest,
            1 => ShardPosition::After(u64::from_be_bytes(*position)),
            _ => return None,
        };
        Some(ShardIterator {
            stream_arn: stream_arn.to_owned(),
            table: TableId(u32::from_be_bytes(*table)),
            stream: StreamId(u32::from_be_bytes(*stream)),
            shard: ShardId(u32::from_be_bytes(*shard)),
            place,
            issued_millis: u64::from_be_bytes(issued.try_into().ok()?),
        })
    }
}

fn checksum(stream_arn: &str, bytes: &[u8]) -> u64 {
    xxh3_64(&[stream_arn.as_bytes(), bytes].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn iterator(place: ShardPosition) -> ShardIterator {
        ShardIterator {
            stream_arn: "arn:aws:dynamodb:us-east-1:000000000000:table/t/stream/x".to_owned(),
            table: TableId(7),
            stream: StreamId(1),
            shard: ShardId(u32::MAX),
            place,
            issued_millis: 1_794_744_000_250,
        }
    }

    #[test]
    fn iterators_read_back() {
        for place in
            [ShardPosition::Oldest, ShardPosition::After(0), ShardPosition::After(u64::MAX)]
        {
            let iterator = iterator(place);
            assert_eq!(ShardIterator::decode(&iterator.encode()), Some(iterator));
        }
    }

    #[test]
    fn no_text_with_another_character_or_fewer_is_an_iterator() {
        let text = iterator(ShardPosition::After(12)).encode();
        for (at, character) in text.char_indices() {
            assert_eq!(ShardIterator::decode(&text[..at]), None, "{at}");
            let other = if character == 'B' { 'C' } else { 'B' };
            let changed = format!("{}{other}{}", &text[..at], &text[at + 1..]);
            assert_eq!(ShardIterator::decode(&changed), None, "{changed}");
        }
        assert_eq!(ShardIterator::decode("sdfsdfsgagaddafgagasgasgasdfasdf"), None);
    }
}
