//! Writing attribute values, decoded or stored.

use bytes::Bytes;
use monotable_item::stored::{Attributes, CorruptItem, ItemView, Members, ValueView, Values};
use monotable_item::{Map, Type, Value};

use super::decode::{WireItem, WireValue};
use super::stored_item::StoredItem;
use crate::encode::Encode;
use crate::json::Writer;

/// `"":{"S":""},`
const ATTRIBUTE_SIGNS_BYTES: usize = 12;

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

    fn room_bytes(&self) -> usize {
        match self {
            ResponseItem::Values(_) => 0,
            ResponseItem::Stored(stored) => stored_room_bytes(stored),
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

/// A refused item has nothing to write, and is null. One that is only too deep is there.
impl Encode for WireItem {
    fn encode(&self, writer: &mut Writer) -> Result<(), CorruptItem> {
        match self.0.as_ref().or_else(|invalid| invalid.too_deep.as_ref().ok_or(())) {
            Ok(item) => item.encode(writer),
            Err(()) => {
                writer.null();
                Ok(())
            }
        }
    }
}

/// A refused item has nothing to write, and is null.
impl Encode for StoredItem {
    fn encode(&self, writer: &mut Writer) -> Result<(), CorruptItem> {
        match &self.0 {
            Ok(stored) => encode_stored_attributes(ItemView::new(stored)?.attributes(), writer),
            Err(_) => {
                writer.null();
                Ok(())
            }
        }
    }

    fn room_bytes(&self) -> usize {
        self.0.as_ref().map_or(0, stored_room_bytes)
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

/// What an item takes: its bytes, the signs around each attribute, and some more for what lies
/// inside.
fn stored_room_bytes(stored: &Bytes) -> usize {
    let attributes = ItemView::new(stored).map_or(0, |item| item.attributes().count_left());
    // A damaged item may claim more attributes than it has bytes.
    let attributes = attributes.min(stored.len());
    stored.len() + stored.len() / 8 + attributes * ATTRIBUTE_SIGNS_BYTES
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
    match value {
        ValueView::String(text) => writer.object_of_string("{\"S\":\"", text),
        ValueView::Number(text) => writer.object_of_string("{\"N\":\"", text),
        ValueView::Binary(bytes) => typed(writer, Type::Binary, |writer| writer.base64(bytes)),
        ValueView::Bool(truth) => typed(writer, Type::Bool, |writer| writer.boolean(truth)),
        ValueView::Null => typed(writer, Type::Null, |writer| writer.boolean(true)),
        ValueView::List(values) => {
            return nested(writer, Type::List, |writer| encode_stored_values(values, writer));
        }
        ValueView::Map(attributes) => {
            return nested(writer, Type::Map, |writer| {
                encode_stored_attributes(attributes, writer)
            });
        }
        ValueView::StringSet(members) => {
            return encode_stored_members(Type::StringSet, members, writer, |writer, text| {
                writer.string(text);
            });
        }
        ValueView::NumberSet(members) => {
            return encode_stored_members(Type::NumberSet, members, writer, |writer, text| {
                writer.string(text);
            });
        }
        ValueView::BinarySet(members) => {
            return encode_stored_members(Type::BinarySet, members, writer, Writer::base64);
        }
    }
    Ok(())
}

/// Writes a value: its type, and what `content` writes.
fn typed<T>(writer: &mut Writer, kind: Type, content: impl FnOnce(&mut Writer) -> T) -> T {
    begin_value(writer, kind);
    let written = content(writer);
    writer.end_object();
    written
}

/// Writes a list or map, unless it lies deeper than it can in an item that is not damaged.
fn nested(
    writer: &mut Writer,
    kind: Type,
    content: impl FnOnce(&mut Writer) -> Result<(), CorruptItem>,
) -> Result<(), CorruptItem> {
    let around = writer.depth;
    writer.depth = around.inside()?;
    typed(writer, kind, content)?;
    writer.depth = around;
    Ok(())
}

fn encode_stored_values(values: Values<'_>, writer: &mut Writer) -> Result<(), CorruptItem> {
    writer.begin_array();
    for value in values {
        encode_stored_value(value?, writer)?;
    }
    writer.end_array();
    Ok(())
}

fn encode_stored_members(
    kind: Type,
    members: Members<'_>,
    writer: &mut Writer,
    write: impl Fn(&mut Writer, &[u8]),
) -> Result<(), CorruptItem> {
    typed(writer, kind, |writer| {
        writer.begin_array();
        for member in members {
            write(writer, member?);
        }
        writer.end_array();
        Ok(())
    })
}
