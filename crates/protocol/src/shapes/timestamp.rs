//! Points in time.

use monotable_item::stored::CorruptItem;

use crate::decode::{Decode, parse_float};
use crate::encode::Encode;
use crate::error::{DecodeError, WireType};
use crate::json::{Reader, Token, Writer};

/// A point in time, on the wire a number of seconds since 1970 with milliseconds: `1731628800.123`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timestamp {
    /// Milliseconds since 1970.
    pub epoch_millis: i64,
}

impl Decode for Timestamp {
    const TYPE: WireType = WireType::Timestamp;

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        if reader.peek()? != Token::Number {
            return Err(reader.mismatch(Self::TYPE));
        }
        let seconds = parse_float(reader.number()?);
        Ok(Timestamp { epoch_millis: (seconds * 1000.0).round() as i64 })
    }
}

impl Encode for Timestamp {
    fn encode(&self, writer: &mut Writer) -> Result<(), CorruptItem> {
        writer.thousandths(self.epoch_millis);
        Ok(())
    }
}
