//! Building the stored form out of values as they come, none of which is held as a [`Value`].
//!
//! Attributes may come in any order. They are written as they come, and where that is not the order
//! of their names they are moved when the map that holds them ends, so that an item whose
//! attributes are in order costs nothing more.

use std::ops::Range;

use super::Attributes;
use super::encode::{push_bytes, push_head, push_length, push_number, push_tagged, push_value};
use super::tag;
use crate::plain_number::plain_size_bytes;
use crate::size::{CONTAINER_BYTES, ELEMENT_BYTES};
use crate::{Number, NumberError, Value, value_size_bytes};

/// Room for the lengths in front of a container's content, if both take a byte, as most do.
const CONTAINER_HEAD: [u8; 2] = [0; 2];
/// The most bytes of an item's head.
const HEAD_BYTES_MAX: usize = 11;

/// The stored form of an item whose values come one after the other.
#[derive(Debug, Default)]
pub struct ItemBuilder {
    bytes: Vec<u8>,
    size_bytes: usize,
}

/// The attributes of an item or map that is being built.
#[derive(Debug)]
pub struct OpenMap {
    start: usize,
    count: usize,
    last_name: Range<usize>,
    is_ordered: bool,
}

/// A list that is being built.
#[derive(Debug)]
pub struct OpenList {
    start: usize,
    count: usize,
}

impl ItemBuilder {
    /// Starts an item that will take about so many bytes.
    pub fn with_capacity(bytes: usize) -> ItemBuilder {
        ItemBuilder { bytes: Vec::with_capacity(bytes), size_bytes: 0 }
    }

    /// The attributes of the item itself.
    pub fn attributes(&self) -> OpenMap {
        OpenMap { start: self.bytes.len(), count: 0, last_name: 0..0, is_ordered: true }
    }

    /// Writes the name of an attribute of the item or of a map inside it; its value must follow.
    #[inline]
    pub fn name(&mut self, map: &mut OpenMap, name: &str) {
        let last = self.bytes.get(map.last_name.clone()).unwrap_or_default();
        map.is_ordered &= last < name.as_bytes();
        map.count += 1;
        push_bytes(name.as_bytes(), &mut self.bytes);
        map.last_name = self.bytes.len() - name.len()..self.bytes.len();
        self.size_bytes += name.len();
    }

    /// Writes a string.
    #[inline]
    pub fn string(&mut self, text: &str) {
        self.tagged(tag::STRING, text.as_bytes());
    }

    /// Writes a number that is given as text, if it is one that can be stored.
    pub fn number(&mut self, text: &str) -> Result<(), NumberError> {
        if let Some(size_bytes) = plain_size_bytes(text) {
            push_tagged(tag::NUMBER, text.as_bytes(), &mut self.bytes);
            self.size_bytes += size_bytes;
            return Ok(());
        }
        let number: Number = text.parse()?;
        self.bytes.push(tag::NUMBER);
        push_number(&number, &mut self.bytes);
        self.size_bytes += number.size_bytes();
        Ok(())
    }

    /// Writes a binary.
    pub fn binary(&mut self, bytes: &[u8]) {
        self.tagged(tag::BINARY, bytes);
    }

    /// Writes a truth value.
    pub fn bool(&mut self, truth: bool) {
        self.bytes.push(if truth { tag::TRUE } else { tag::FALSE });
        self.size_bytes += 1;
    }

    /// Writes a null.
    pub fn null(&mut self) {
        self.bytes.push(tag::NULL);
        self.size_bytes += 1;
    }

    /// Writes a value of any type.
    pub fn value(&mut self, value: &Value) {
        push_value(value, &mut self.bytes);
        self.size_bytes += value_size_bytes(value);
    }

    /// Starts a map inside the item.
    pub fn begin_map(&mut self) -> OpenMap {
        self.begin_container(tag::MAP);
        self.attributes()
    }

    /// Ends a map; returns whether it can be stored, which it cannot if a name occurs twice.
    #[must_use]
    pub fn end_map(&mut self, map: &OpenMap) -> bool {
        let is_ordered = self.put_in_order(map);
        self.size_bytes += map.count * ELEMENT_BYTES;
        self.end_container(map.start, map.count);
        is_ordered
    }

    /// Starts a list.
    pub fn begin_list(&mut self) -> OpenList {
        self.begin_container(tag::LIST);
        OpenList { start: self.bytes.len(), count: 0 }
    }

    /// Notes an element of a list; its value must follow.
    pub fn element(&mut self, list: &mut OpenList) {
        list.count += 1;
        self.size_bytes += ELEMENT_BYTES;
    }

    /// Ends a list.
    pub fn end_list(&mut self, list: &OpenList) {
        self.end_container(list.start, list.count);
    }

    /// The stored form of the item that has these attributes: none if a name occurs twice.
    pub fn finish(mut self, attributes: &OpenMap) -> Option<Vec<u8>> {
        if !self.put_in_order(attributes) {
            return None;
        }
        let mut out = Vec::with_capacity(self.bytes.len() + HEAD_BYTES_MAX);
        push_head(self.size_bytes, attributes.count, &mut out);
        out.extend_from_slice(&self.bytes);
        Some(out)
    }

    #[inline]
    fn tagged(&mut self, tag: u8, bytes: &[u8]) {
        push_tagged(tag, bytes, &mut self.bytes);
        self.size_bytes += bytes.len();
    }

    fn begin_container(&mut self, tag: u8) {
        self.bytes.push(tag);
        self.bytes.extend(CONTAINER_HEAD);
        self.size_bytes += CONTAINER_BYTES;
    }

    /// Fills in the head of a container, and makes more room for it if its lengths need more.
    fn end_container(&mut self, start: usize, count: usize) {
        let room = start - CONTAINER_HEAD.len()..start;
        let length = self.bytes.len() - start;
        match self.bytes.get_mut(room.clone()) {
            Some(head) if length < 0x7F && count < 0x80 => {
                head.copy_from_slice(&[length as u8 + 1, count as u8]);
            }
            Some(_) | None => drop(self.bytes.splice(room, container_head(length, count))),
        }
    }

    /// Moves the attributes of a map, which are the last that was written, into the order of their
    /// names. Returns whether each name occurs once.
    fn put_in_order(&mut self, map: &OpenMap) -> bool {
        if map.is_ordered {
            return true;
        }
        let content = self.bytes.get(map.start..).unwrap_or_default();
        let Some(ordered) = ordered(Attributes::new(content, map.count)) else { return false };
        self.bytes.truncate(map.start);
        self.bytes.extend_from_slice(&ordered);
        true
    }
}

/// The lengths in front of this many bytes of content.
fn container_head(length: usize, count: usize) -> Vec<u8> {
    let mut counted = Vec::new();
    push_length(count, &mut counted);
    let mut head = Vec::new();
    push_length(counted.len() + length, &mut head);
    head.append(&mut counted);
    head
}

/// The bytes of attributes in the order of their names: none if a name occurs twice.
fn ordered(mut attributes: Attributes<'_>) -> Option<Vec<u8>> {
    let mut parts: Vec<(&[u8], &[u8])> = Vec::with_capacity(attributes.count_left());
    let length = attributes.rest().len();
    while attributes.count_left() > 0 {
        let whole = attributes.rest();
        let name = attributes.next_name().ok()??;
        attributes.skip_value().ok()?;
        parts.push((name, whole.get(..whole.len() - attributes.rest().len())?));
    }
    parts.sort_unstable();
    let mut out = Vec::with_capacity(length);
    let mut last = None;
    for (name, part) in parts {
        if last.replace(name) == Some(name) {
            return None;
        }
        out.extend_from_slice(part);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::any_value;
    use super::*;
    use crate::stored::encode;

    /// Writes a value piece by piece, maps from their last name to their first.
    fn write(builder: &mut ItemBuilder, value: &Value) {
        match value {
            Value::String(text) => builder.string(text),
            Value::Number(number) => builder.number(&number.to_string()).unwrap(),
            Value::Binary(bytes) => builder.binary(bytes),
            Value::Bool(truth) => builder.bool(*truth),
            Value::Null => builder.null(),
            Value::List(values) => {
                let mut list = builder.begin_list();
                for value in values {
                    builder.element(&mut list);
                    write(builder, value);
                }
                builder.end_list(&list);
            }
            Value::Map(map) => {
                let mut open = builder.begin_map();
                for (name, value) in map.iter().rev() {
                    builder.name(&mut open, name);
                    write(builder, value);
                }
                assert!(builder.end_map(&open));
            }
            Value::StringSet(_) | Value::NumberSet(_) | Value::BinarySet(_) => builder.value(value),
        }
    }

    fn built(attributes: &[(String, Value)]) -> Option<Vec<u8>> {
        let mut builder = ItemBuilder::default();
        let mut open = builder.attributes();
        for (name, value) in attributes {
            builder.name(&mut open, name);
            write(&mut builder, value);
        }
        builder.finish(&open)
    }

    proptest! {
        #[test]
        fn what_is_built_is_what_encoding_the_values_gives(
            attributes in prop::collection::vec(("[a-e]{0,2}", any_value()), 0..6),
        ) {
            let item: crate::Item = attributes.iter().cloned().collect();
            let expected = (item.len() == attributes.len()).then(|| encode(&item));
            prop_assert_eq!(built(&attributes), expected);
        }
    }

    #[test]
    fn a_container_may_be_longer_than_a_byte_can_say() {
        for length in [0, 62, 63, 126, 127, 128, 9_000, 20_000] {
            let list = Value::List(vec![Value::Null; length]);
            let map = Value::Map([("b".into(), "x".repeat(length).as_str().into())].into());
            let nested = Value::List(vec![map, list]);
            let item = crate::Item::from([("a".to_owned(), nested.clone())]);
            assert_eq!(built(&[("a".to_owned(), nested)]), Some(encode(&item)), "{length}");
        }
    }

    #[test]
    fn a_map_with_a_name_twice_is_told() {
        let mut builder = ItemBuilder::default();
        let mut map = builder.begin_map();
        for name in ["b", "a", "b"] {
            builder.name(&mut map, name);
            builder.null();
        }
        assert!(!builder.end_map(&map));
    }
}
