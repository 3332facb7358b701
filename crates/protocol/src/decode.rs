//! From JSON tokens to Rust types.

use std::collections::BTreeMap;

use crate::error::{DecodeError, ValueRole, WireType};
use crate::json::{Reader, Token};

/// A type that a request can hold.
pub trait Decode: Sized {
    /// What DynamoDB's service model calls the type.
    const TYPE: WireType;

    /// How many of them a list keeps. What follows must be JSON, and is passed over.
    const LIST_MAX: usize = usize::MAX;

    /// Reads the next value.
    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError>;
}

/// How many indexes, tags and the like a list keeps: far more than a table may have of any kind.
pub const FEW_MAX: usize = 1_000;

/// Reads a whole request body.
pub fn decode_request<T: Decode>(body: &[u8]) -> Result<T, DecodeError> {
    let mut reader = Reader::new(body)?;
    let request = T::decode(&mut reader)?;
    reader.finish()?;
    Ok(request)
}

/// A member that may be absent. `null` is absent too.
impl<T: Decode> Decode for Option<T> {
    const TYPE: WireType = T::TYPE;

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        if reader.take_null()? {
            return Ok(None);
        }
        T::decode(reader).map(Some)
    }
}

impl<T: Decode> Decode for Box<T> {
    const TYPE: WireType = T::TYPE;

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        T::decode(reader).map(Box::new)
    }
}

impl Decode for String {
    const TYPE: WireType = WireType::String;

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        match reader.peek()? {
            Token::String => reader.string().map(|text| text.into_owned()),
            _ => Err(reader.mismatch(Self::TYPE)),
        }
    }
}

/// DynamoDB takes the words `true` and `false` as strings too, in any case.
impl Decode for bool {
    const TYPE: WireType = WireType::Boolean;

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        match reader.peek()? {
            Token::True => reader.literal("true").map(|()| true),
            Token::False => reader.literal("false").map(|()| false),
            Token::String => decode_word(reader),
            _ => Err(reader.mismatch(Self::TYPE)),
        }
    }
}

fn decode_word(reader: &mut Reader<'_>) -> Result<bool, DecodeError> {
    let mut ahead = reader.clone();
    let word = ahead.string()?;
    let is_true = word.eq_ignore_ascii_case("true");
    if !is_true && !word.eq_ignore_ascii_case("false") {
        return Err(reader.mismatch(WireType::Boolean));
    }
    *reader = ahead;
    Ok(is_true)
}

impl Decode for i32 {
    const TYPE: WireType = WireType::Integer;

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let long = decode_integer(reader, Self::TYPE)?;
        Ok(i32::try_from(long).unwrap_or(if long < 0 { i32::MIN } else { i32::MAX }))
    }
}

impl Decode for i64 {
    const TYPE: WireType = WireType::Long;

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        decode_integer(reader, Self::TYPE)
    }
}

/// Reads a number as an integer. DynamoDB takes any number here: it drops the fraction, and one
/// that is out of range becomes the nearest that is within.
fn decode_integer(reader: &mut Reader<'_>, expected: WireType) -> Result<i64, DecodeError> {
    if reader.peek()? != Token::Number {
        return Err(reader.mismatch(expected));
    }
    let text = reader.number()?;
    Ok(text.parse().unwrap_or_else(|_| parse_float(text) as i64))
}

impl Decode for f64 {
    const TYPE: WireType = WireType::Double;

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        match reader.peek()? {
            Token::Number => reader.number().map(parse_float),
            _ => Err(reader.mismatch(Self::TYPE)),
        }
    }
}

pub(crate) fn parse_float(json_number: &str) -> f64 {
    json_number.parse().expect("a JSON number is a Rust float")
}

impl<T: Decode> Decode for Vec<T> {
    const TYPE: WireType = WireType::List(&T::TYPE);

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        if reader.peek()? != Token::Array {
            return Err(reader.mismatch(Self::TYPE));
        }
        let mut elements = Vec::new();
        reader.array(|reader| {
            if elements.len() == T::LIST_MAX {
                return reader.skip_value();
            }
            reader.set_role(ValueRole::Element);
            elements.push(T::decode(reader)?);
            Ok(())
        })?;
        Ok(elements)
    }
}

/// A map. The last of several entries with one name stands.
impl<T: Decode> Decode for BTreeMap<String, T> {
    const TYPE: WireType = WireType::Map(&T::TYPE);

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        if reader.peek()? != Token::Object {
            return Err(reader.mismatch(Self::TYPE));
        }
        let mut entries = BTreeMap::new();
        reader.object(|reader, name| {
            reader.set_role(ValueRole::Element);
            entries.insert(name.into_owned(), T::decode(reader)?);
            Ok(())
        })?;
        Ok(entries)
    }
}
