//! Writing attribute values, decoded or stored.

use bytes::Bytes;
use monotable_item::stored::{Attributes, CorruptItem, ItemView, Members, ValueView};
use monotable_item::{Map, Type, Value};

use super::decode::{WireItem, WireValue};
use crate::encode::Encode;
use crate::json::Writer;

/// An item of a response.
#[derive(Debug, Clone, PartialEq)]
pub enum ResponseItem {
    /// An item made of values, such as one that an expression projected.
    Values(Map),
    /// An item as it is stored; it is written without being decoded.
    Stored(Bytes),
}

impl From<Map> for ResponseItem {
    fn from(item: Map) -> ResponseItem {
        ResponseItem::Values(item)
    }
}

impl Encode for ResponseItem {
    fn encode(&self, writer: &mut Writer) -> Result<(), CorruptItem> {
        match self {
            ResponseItem::Values(item) => item.encode(writer),
            ResponseItem::Stored(stored) => {
                encode_stored_attributes(ItemView::new(stored)?.attributes(), writer)
            }
        }
    }
}

impl Encode for Value {
    fn encode(&self, writer: &mut Writer) -> Result<(), CorruptItem> {
        begin_value(writer, self.kind());
        match self {
            Value::String(text) => writer.string(text),
            Value::Number(number) => writer.plain_string(number),
            Value::Binary(bytes) => writer.base64(bytes),
            Value::Bool(truth) => writer.boolean(*truth),
            Value::Null => writer.boolean(true),
            Value::List(values) => values.encode(writer)?,
            Value::Map(map) => map.encode(writer)?,
            Value::StringSet(members) => members.encode(writer)?,
            Value::NumberSet(members) => array(writer, members, Writer::plain_string),
            Value::BinarySet(members) => array(writer, members, |writer, m| writer.base64(m)),
        }
        writer.end_object();
        Ok(())
    }
}

/// A refused value has nothing to write, and is null.
impl Encode for WireValue {
    fn encode(&self, writer: &mut Writer) -> Result<(), CorruptItem> {
        match &self.0 {
            Ok(value) => value.encode(writer),
            Err(_) => {
                writer.null();
                Ok(())
            }
        }
    }
}

/// A refused item has nothing to write, and is null.
impl Encode for WireItem {
    fn encode(&self, writer: &mut Writer) -> Result<(), CorruptItem> {
        match &self.0 {
            Ok(item) => item.encode(writer),
            Err(_) => {
                writer.null();
                Ok(())
            }
        }
    }
}

/// Starts a value. Its head is written in one piece, because there is one for every value.
fn begin_value(writer: &mut Writer, kind: Type) {
    writer.begin_object_with(match kind {
        Type::String => "{\"S\":",
        Type::Number => "{\"N\":",
        Type::Binary => "{\"B\":",
        Type::Bool => "{\"BOOL\":",
        Type::Null => "{\"NULL\":",
        Type::List => "{\"L\":",
        Type::Map => "{\"M\":",
        Type::StringSet => "{\"SS\":",
        Type::NumberSet => "{\"NS\":",
        Type::BinarySet => "{\"BS\":",
    });
}

fn array<'a, T>(writer: &mut Writer, members: &'a [T], write: impl Fn(&mut Writer, &'a T)) {
    writer.begin_array();
    members.iter().for_each(|member| write(writer, member));
    writer.end_array();
}

fn encode_stored_attributes(
    attributes: Attributes<'_>,
    writer: &mut Writer,
) -> Result<(), CorruptItem> {
    writer.begin_object();
    for attribute in attributes {
        let (name, value) = attribute?;
        writer.key(name);
        encode_stored_value(value, writer)?;
    }
    writer.end_object();
    Ok(())
}

fn encode_stored_value(value: ValueView<'_>, writer: &mut Writer) -> Result<(), CorruptItem> {
    begin_value(writer, kind_of(value));
    match value {
        ValueView::String(text) | ValueView::Number(text) => writer.string(text),
        ValueView::Binary(bytes) => writer.base64(bytes),
        ValueView::Bool(truth) => writer.boolean(truth),
        ValueView::Null => writer.boolean(true),
        ValueView::List(values) => {
            writer.begin_array();
            for value in values {
                encode_stored_value(value?, writer)?;
            }
            writer.end_array();
        }
        ValueView::Map(attributes) => encode_stored_attributes(attributes, writer)?,
        ValueView::StringSet(members) | ValueView::NumberSet(members) => {
            encode_stored_members(members, writer, |writer, text| writer.string(text))?;
        }
        ValueView::BinarySet(members) => encode_stored_members(members, writer, Writer::base64)?,
    }
    writer.end_object();
    Ok(())
}

fn encode_stored_members(
    members: Members<'_>,
    writer: &mut Writer,
    write: impl Fn(&mut Writer, &[u8]),
) -> Result<(), CorruptItem> {
    writer.begin_array();
    for member in members {
        write(writer, member?);
    }
    writer.end_array();
    Ok(())
}

fn kind_of(value: ValueView<'_>) -> Type {
    match value {
        ValueView::String(_) => Type::String,
        ValueView::Number(_) => Type::Number,
        ValueView::Binary(_) => Type::Binary,
        ValueView::Bool(_) => Type::Bool,
        ValueView::Null => Type::Null,
        ValueView::List(_) => Type::List,
        ValueView::Map(_) => Type::Map,
        ValueView::StringSet(_) => Type::StringSet,
        ValueView::NumberSet(_) => Type::NumberSet,
        ValueView::BinarySet(_) => Type::BinarySet,
    }
}
