//! Reading attribute values.
//!
//! A value of the right shape can still be refused, but not here: DynamoDB checks other things
//! first. So decoding remembers the first refusal, goes on to the end of the body (where a mismatch
//! would still come first), and leaves the refusal in the place of the value.

use monotable_item::limits::NESTING_MAX;
use monotable_item::{Item, Map, Value};

use super::base64;
use super::error::{InvalidAttribute, ValueError};
use super::set;
use crate::decode::Decode;
use crate::error::{DecodeError, ValueRole, WireType};
use crate::json::{Reader, Token};

/// An attribute value of a request, or why it is refused.
#[derive(Debug, Clone, PartialEq)]
pub struct WireValue(pub Result<Value, ValueError>);

/// A map of attribute values of a request (an item, a key, or the values of an expression), or the
/// first of them that is refused.
#[derive(Debug, Clone, PartialEq)]
pub struct WireItem(pub Result<Item, InvalidAttribute>);

const ATTRIBUTE_VALUE: WireType = WireType::Structure("AttributeValue");
const LIST: WireType = WireType::List(&ATTRIBUTE_VALUE);
const MAP: WireType = WireType::Map(&ATTRIBUTE_VALUE);
const BLOB: WireType = WireType::Blob;

impl Decode for WireValue {
    const TYPE: WireType = ATTRIBUTE_VALUE;

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let mut refusal = None;
        let value = decode_value(reader, 0, &mut refusal)?;
        Ok(WireValue(refusal.map_or(Ok(value), Err)))
    }
}

impl Decode for WireItem {
    const TYPE: WireType = MAP;

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        if reader.peek()? != Token::Object {
            return Err(reader.mismatch(MAP));
        }
        let mut item = Item::new();
        let mut first: Option<(String, ValueError)> = None;
        let mut only_too_deep = true;
        reader.object(|reader, name| {
            reader.set_role(ValueRole::Element);
            let mut refusal = None;
            let value = decode_value(reader, 0, &mut refusal)?;
            if let Some(error) = refusal {
                only_too_deep &= error == ValueError::TooDeep;
                first.get_or_insert_with(|| (name.clone().into_owned(), error));
            }
            item.insert(name.into_owned(), value);
            Ok(())
        })?;
        Ok(WireItem(match first {
            None => Ok(item),
            Some((name, error)) => {
                let too_deep = only_too_deep.then_some(item);
                Err(InvalidAttribute { name, error, too_deep })
            }
        }))
    }
}

/// The first refusal, if there is one. A refused value is read as null, which nobody sees.
type Refusal = Option<ValueError>;

fn accept(value: Result<Value, ValueError>, refusal: &mut Refusal) -> Value {
    value.unwrap_or_else(|error| refuse(error, refusal))
}

/// Notes a refusal, if it is the first. One for depth gives way to any other, so that it stands
/// only for values that are read whole.
#[cold]
fn refuse(error: ValueError, refusal: &mut Refusal) -> Value {
    if matches!(refusal, None | Some(ValueError::TooDeep)) {
        *refusal = Some(error);
    }
    Value::Null
}

/// Reads a value that has `depth` maps and lists around it.
fn decode_value(
    reader: &mut Reader<'_>,
    depth: usize,
    refusal: &mut Refusal,
) -> Result<Value, DecodeError> {
    match reader.peek()? {
        Token::Object => {}
        // A value that is not there has no type either.
        Token::Null => return reader.literal("null").map(|()| refuse(ValueError::NoType, refusal)),
        _ => return Err(reader.mismatch(ATTRIBUTE_VALUE)),
    }
    let mut value = None;
    let mut several = false;
    reader.object(|reader, code| {
        reader.set_role(ValueRole::Member);
        if let Some(found) = decode_typed(reader, &code, depth, refusal)? {
            several |= value.replace(found).is_some();
        }
        Ok(())
    })?;
    Ok(match value {
        Some(value) if !several => value,
        Some(_) => refuse(ValueError::SeveralTypes, refusal),
        None => refuse(ValueError::NoType, refusal),
    })
}

/// Reads the content of a value, given the code of its type. A type that is null or unknown is
/// absent.
fn decode_typed(
    reader: &mut Reader<'_>,
    code: &str,
    depth: usize,
    refusal: &mut Refusal,
) -> Result<Option<Value>, DecodeError> {
    if reader.take_null()? {
        return Ok(None);
    }
    Ok(Some(match code {
        "S" => Value::String(String::decode(reader)?),
        "N" => accept(decode_number(reader)?, refusal),
        "B" => Value::Binary(decode_binary(reader)?),
        "BOOL" => Value::Bool(bool::decode(reader)?),
        "NULL" => {
            if bool::decode(reader)? {
                Value::Null
            } else {
                refuse(ValueError::NullNotTrue, refusal)
            }
        }
        "M" => Value::Map(decode_map(reader, depth + 1, refusal)?),
        "L" => Value::List(decode_list(reader, depth + 1, refusal)?),
        "SS" => accept(set::strings(Vec::decode(reader)?), refusal),
        "NS" => accept(set::numbers(Vec::decode(reader)?), refusal),
        "BS" => accept(set::binaries(decode_binaries(reader)?), refusal),
        _ => {
            reader.skip_value()?;
            return Ok(None);
        }
    }))
}

fn decode_number(reader: &mut Reader<'_>) -> Result<Result<Value, ValueError>, DecodeError> {
    if reader.peek()? != Token::String {
        return Err(reader.mismatch(WireType::String));
    }
    let text = reader.string()?;
    Ok(set::number(&text).map(Value::Number))
}

fn decode_binary(reader: &mut Reader<'_>) -> Result<Vec<u8>, DecodeError> {
    if reader.peek()? != Token::String {
        return Err(reader.mismatch(BLOB));
    }
    base64::decode(&reader.string()?)
}

fn decode_binaries(reader: &mut Reader<'_>) -> Result<Vec<Vec<u8>>, DecodeError> {
    if reader.peek()? != Token::Array {
        return Err(reader.mismatch(WireType::List(&BLOB)));
    }
    let mut members = Vec::new();
    reader.array(|reader| {
        reader.set_role(ValueRole::Element);
        members.push(decode_binary(reader)?);
        Ok(())
    })?;
    Ok(members)
}

fn decode_map(
    reader: &mut Reader<'_>,
    depth: usize,
    refusal: &mut Refusal,
) -> Result<Map, DecodeError> {
    if reader.peek()? != Token::Object {
        return Err(reader.mismatch(MAP));
    }
    check_depth(depth, refusal);
    let mut map = Map::new();
    reader.object(|reader, name| {
        reader.set_role(ValueRole::Element);
        map.insert(name.into_owned(), decode_value(reader, depth, refusal)?);
        Ok(())
    })?;
    Ok(map)
}

fn decode_list(
    reader: &mut Reader<'_>,
    depth: usize,
    refusal: &mut Refusal,
) -> Result<Vec<Value>, DecodeError> {
    if reader.peek()? != Token::Array {
        return Err(reader.mismatch(LIST));
    }
    check_depth(depth, refusal);
    let mut values = Vec::new();
    reader.array(|reader| {
        reader.set_role(ValueRole::Element);
        values.push(decode_value(reader, depth, refusal)?);
        Ok(())
    })?;
    Ok(values)
}

fn check_depth(depth: usize, refusal: &mut Refusal) {
    if depth > NESTING_MAX {
        refuse(ValueError::TooDeep, refusal);
    }
}
