//! Requests that have no members.

use crate::decode::Decode;
use crate::error::{DecodeError, WireType};
use crate::json::{Reader, Token};

/// A request without members. What a body has is passed over, as DynamoDB does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EmptyRequest;

impl Decode for EmptyRequest {
    const TYPE: WireType = WireType::Structure("EmptyRequest");

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        if reader.peek()? != Token::Object {
            return Err(reader.mismatch(Self::TYPE));
        }
        reader.skip_value()?;
        Ok(EmptyRequest)
    }
}
