//! Writing the stored form.

use std::io::Write;

use super::metadata::push_form;
use super::{CorruptItem, FORM, ItemView, Metadata, tag};
use crate::{Item, Map, Number, Value, item_size_bytes};

/// The stored form of an item.
pub fn encode(item: &Item) -> Vec<u8> {
    let size_bytes = item_size_bytes(item);
    let mut out = Vec::with_capacity(size_bytes + size_bytes / 8 + 16);
    push_head(size_bytes, item.len(), &mut out);
    push_attributes(item, &mut out);
    out
}

/// The stored form of an item and of what is known about its write.
pub fn encode_with_metadata(item: &Item, metadata: &Metadata) -> Vec<u8> {
    let size_bytes = item_size_bytes(item);
    let mut out = Vec::with_capacity(size_bytes + size_bytes / 8 + 48);
    push_form(metadata, &mut out);
    push_lengths(size_bytes, item.len(), &mut out);
    push_attributes(item, &mut out);
    out
}

/// The stored form of the attributes of `item` that `wanted` accepts, which is asked in byte order
/// of the names. They are copied as they are; metadata is not copied.
pub fn select(
    item: ItemView<'_>,
    mut wanted: impl FnMut(&[u8]) -> bool,
) -> Result<Vec<u8>, CorruptItem> {
    let mut body = Vec::new();
    let (mut size_bytes, mut count) = (0, 0);
    let mut attributes = item.attributes();
    loop {
        let whole = attributes.rest();
        let Some(name) = attributes.next_name()? else { break };
        if !wanted(name) {
            attributes.skip_value()?;
            continue;
        }
        size_bytes += name.len() + attributes.value()?.size_bytes()?;
        count += 1;
        let length = whole.len() - attributes.rest().len();
        body.extend_from_slice(whole.get(..length).unwrap_or_default());
    }
    let mut out = Vec::with_capacity(body.len() + 12);
    push_head(size_bytes, count, &mut out);
    out.append(&mut body);
    Ok(out)
}

pub(super) fn push_head(size_bytes: usize, count: usize, out: &mut Vec<u8>) {
    out.push(FORM);
    push_lengths(size_bytes, count, out);
}

#[inline]
fn push_lengths(size_bytes: usize, count: usize, out: &mut Vec<u8>) {
    push_length(size_bytes, out);
    push_length(count, out);
}

fn push_attributes(map: &Map, out: &mut Vec<u8>) {
    for (name, value) in map {
        push_bytes(name.as_bytes(), out);
        push_value(value, out);
    }
}

pub(super) fn push_value(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::String(text) => push_tagged(tag::STRING, text.as_bytes(), out),
        Value::Number(number) => {
            out.push(tag::NUMBER);
            push_number(number, out);
        }
        Value::Binary(bytes) => push_tagged(tag::BINARY, bytes, out),
        Value::Bool(false) => out.push(tag::FALSE),
        Value::Bool(true) => out.push(tag::TRUE),
        Value::Null => out.push(tag::NULL),
        Value::List(values) => push_container(tag::LIST, values.len(), out, |out| {
            values.iter().for_each(|value| push_value(value, out));
        }),
        Value::Map(map) => {
            push_container(tag::MAP, map.len(), out, |out| push_attributes(map, out));
        }
        Value::StringSet(members) => push_container(tag::STRING_SET, members.len(), out, |out| {
            members.iter().for_each(|text| push_bytes(text.as_bytes(), out));
        }),
        Value::NumberSet(members) => push_container(tag::NUMBER_SET, members.len(), out, |out| {
            members.iter().for_each(|number| push_number(number, out));
        }),
        Value::BinarySet(members) => push_container(tag::BINARY_SET, members.len(), out, |out| {
            members.iter().for_each(|bytes| push_bytes(bytes, out));
        }),
    }
}

/// Writes a container: its content is written first and its length put in front of it, since most
/// contents are short and a length of unknown width cannot be filled in afterwards.
fn push_container(tag: u8, count: usize, out: &mut Vec<u8>, content: impl FnOnce(&mut Vec<u8>)) {
    out.push(tag);
    let mut inner = Vec::new();
    push_length(count, &mut inner);
    content(&mut inner);
    push_bytes(&inner, out);
}

/// Writes a number as text, its length in one byte in front: 38 digits, a sign and 130 places fit.
pub(super) fn push_number(number: &Number, out: &mut Vec<u8>) {
    let mut text = Vec::with_capacity(24);
    write!(text, "{number}").expect("writing to memory does not fail");
    push_bytes(&text, out);
}

/// Tag and length are written at once where the length takes a byte.
#[inline]
pub(super) fn push_tagged(tag: u8, bytes: &[u8], out: &mut Vec<u8>) {
    if bytes.len() < 0x80 {
        out.extend_from_slice(&[tag, bytes.len() as u8]);
        out.extend_from_slice(bytes);
        return;
    }
    out.push(tag);
    push_bytes(bytes, out);
}

#[inline]
pub(super) fn push_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    push_length(bytes.len(), out);
    out.extend_from_slice(bytes);
}

#[inline]
pub(super) fn push_length(length: usize, out: &mut Vec<u8>) {
    if length < 0x80 { out.push(length as u8) } else { push_long_length(length, out) }
}

fn push_long_length(mut length: usize, out: &mut Vec<u8>) {
    while length >= 0x80 {
        out.push((length & 0x7F) as u8 | 0x80);
        length >>= 7;
    }
    out.push(length as u8);
}
