//! The key of an item in an index, read from the stored item in place.

use monotable_item::key_encoding::{self, KeyType};
use monotable_item::limits::INDEX_KEY_PARTS_MAX;
use monotable_item::stored::{CorruptItem, ItemView, ValueView};
use monotable_item::{Number, Value, value_size_bytes};

use crate::error::KeyRole;
use crate::key::is_length_allowed;
use crate::keyspace::{index_entry, key_form};
use crate::schema::{IndexSchema, KeyAttribute, TableId};

/// How many attributes the key of an index has at most: some that decide the partition and some
/// that order it.
const ATTRIBUTES_MAX: usize = 2 * INDEX_KEY_PARTS_MAX;

/// The key attributes of an item in an index, partition first, as they are stored. Two items with
/// equal ones have the same place in the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IndexKey<'a> {
    values: [&'a [u8]; ATTRIBUTES_MAX],
}

impl<'a> IndexKey<'a> {
    /// The key attributes of a stored item: none if it lacks one, or has one of another type.
    pub(crate) fn of(
        index: &IndexSchema,
        item: &'a [u8],
    ) -> Result<Option<IndexKey<'a>>, CorruptItem> {
        let item = ItemView::new(item)?;
        let mut values: [&[u8]; ATTRIBUTES_MAX] = [&[]; ATTRIBUTES_MAX];
        for (part, value) in index.key.attributes().zip(&mut values) {
            let found = item.get(&part.name)?;
            let Some(found) = found.and_then(|found| key_bytes(part.kind, found)) else {
                return Ok(None);
            };
            *value = found;
        }
        Ok(Some(IndexKey { values }))
    }

    /// Where the entry of the item lies: none if a key attribute is empty or too long for a key.
    pub(crate) fn encode(
        &self,
        table: TableId,
        index: &IndexSchema,
        table_key: &[u8],
    ) -> Result<Option<Vec<u8>>, CorruptItem> {
        let (mut partition, mut sort) = (key_form::begin(), Vec::with_capacity(40));
        let mut values = self.values.iter();
        let fits =
            encode_parts(&index.key.partition, &mut values, KeyRole::Partition, &mut partition)?
                && encode_parts(&index.key.sort, &mut values, KeyRole::Sort, &mut sort)?;
        let partition = key_form::finish(partition);
        let key = || index_entry::encode_key(table, index.id, &partition, &sort, table_key);
        Ok(fits.then(key))
    }
}

/// The bytes of a value, if it has the type of a key attribute.
fn key_bytes(kind: KeyType, value: ValueView<'_>) -> Option<&[u8]> {
    match (kind, value) {
        (KeyType::String, ValueView::String(bytes))
        | (KeyType::Number, ValueView::Number(bytes))
        | (KeyType::Binary, ValueView::Binary(bytes)) => Some(bytes),
        (KeyType::String | KeyType::Number | KeyType::Binary, _) => None,
    }
}

/// Appends the parts of one role; returns whether they can be a key.
fn encode_parts<'a>(
    parts: &[KeyAttribute],
    values: &mut impl Iterator<Item = &'a &'a [u8]>,
    role: KeyRole,
    out: &mut Vec<u8>,
) -> Result<bool, CorruptItem> {
    let mut size_bytes = 0;
    for (part, value) in parts.iter().zip(values) {
        let part_bytes = encode_part(part.kind, value, out)?;
        size_bytes += part_bytes;
        if part_bytes == 0 || !is_length_allowed(size_bytes, role) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Appends one part; gives its size as DynamoDB counts it.
fn encode_part(kind: KeyType, value: &[u8], out: &mut Vec<u8>) -> Result<usize, CorruptItem> {
    match kind {
        KeyType::String | KeyType::Binary => {
            key_encoding::encode_bytes(value, out);
            Ok(value.len())
        }
        KeyType::Number => {
            let number = stored_number(value)?;
            key_encoding::encode_number(&number, out);
            Ok(value_size_bytes(&Value::Number(number)))
        }
    }
}

fn stored_number(text: &[u8]) -> Result<Number, CorruptItem> {
    let number = std::str::from_utf8(text).ok().and_then(|text| text.parse().ok());
    number.ok_or(CorruptItem::BAD_NUMBER)
}
