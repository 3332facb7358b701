//! Checked keys: what names an item, as bytes.

use std::borrow::Borrow;

use bytes::Bytes;
use monotable_item::key_encoding::KeyType;
use monotable_item::limits::{
    PARTITION_KEY_BYTES_MAX, SEARCH_FILTER_BYTES_MAX, SORT_KEY_BYTES_MAX,
};
use monotable_item::stored::{CorruptItem, ItemView};
use monotable_item::{Item, key_encoding};

use crate::error::{KeyError, KeyProblem, KeyRole};
use crate::key_value::{KeySource, KeyValue};
use crate::keyspace::{self, key_form};
use crate::schema::{
    IndexSchema, KeyAttribute, KeySchema, SearchAttribute, SearchRole, TableSchema,
    VectorIndexSchema,
};

/// The key of one item, checked against its table's schema.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ItemKey {
    storage_key: Vec<u8>,
    partition_bytes: usize,
}

impl ItemKey {
    /// The key of `item`, which may have other attributes too.
    pub fn of(schema: &TableSchema, item: &impl KeySource) -> Result<ItemKey, KeyError> {
        let partition = encode_partition(&schema.key.partition, item, None)?;
        let sort = encode_sort(&schema.key.sort, item, None)?;
        Ok(ItemKey {
            storage_key: keyspace::item::encode_key(schema.id, &partition, &sort),
            partition_bytes: partition.len(),
        })
    }

    /// The key of a stored item, from where it lies and what it is; without an item, of none.
    pub(crate) fn from_storage(
        schema: &TableSchema,
        storage_key: &[u8],
        item: Option<&Bytes>,
    ) -> Result<ItemKey, CorruptItem> {
        let Some(item) = item else {
            return Ok(ItemKey { storage_key: storage_key.to_vec(), partition_bytes: 0 });
        };
        ItemKey::of(schema, &ItemView::new(item)?).map_err(|_| CorruptItem::WITHOUT_KEYS)
    }

    /// The key of the item that an expiry entry stands for.
    pub(crate) fn from_expiry(schema: &TableSchema, key: &[u8], value: &[u8]) -> Option<ItemKey> {
        let (partition, sort) = keyspace::expiry::item_key_parts(key, value)?;
        Some(ItemKey {
            storage_key: keyspace::item::encode_key(schema.id, partition, sort),
            partition_bytes: partition.len(),
        })
    }

    /// Where the item lies.
    pub(crate) fn storage_key(&self) -> &Vec<u8> {
        &self.storage_key
    }

    /// The encoded partition and sort key.
    pub(crate) fn parts(&self) -> &[u8] {
        keyspace::item::key_parts(&self.storage_key)
    }

    /// The hash that spreads partitions over the keyspace.
    pub fn partition_hash(&self) -> u64 {
        let written = keyspace::item::partition_hash(&self.storage_key);
        written.unwrap_or_else(|| keyspace::partition_hash(self.partition()))
    }

    /// The encoded partition key.
    pub(crate) fn partition(&self) -> &[u8] {
        self.parts().split_at_checked(self.partition_bytes).map_or(&[], |(partition, _)| partition)
    }

    /// The values of the partition and the sort key, if both are texts that lie in the key as they
    /// are: a long partition key does not, nor does a text with a byte 0.
    #[inline]
    pub fn texts(&self, schema: &TableSchema) -> Option<(&[u8], Option<&[u8]>)> {
        let (partition, sort) = self.parts().split_at_checked(self.partition_bytes)?;
        let partition = plain_text(&schema.key.partition, key_form::plain(partition)?)?;
        if schema.key.sort.is_empty() {
            return Some((partition, None));
        }
        Some((partition, Some(plain_text(&schema.key.sort, sort)?)))
    }
}

#[inline]
fn plain_text<'k>(attributes: &[KeyAttribute], encoded: &'k [u8]) -> Option<&'k [u8]> {
    match attributes {
        [KeyAttribute { kind: KeyType::String, .. }] => key_encoding::plain_text(encoded),
        _ => None,
    }
}

impl Borrow<Vec<u8>> for ItemKey {
    fn borrow(&self) -> &Vec<u8> {
        &self.storage_key
    }
}

/// The hash that spreads the partitions of an index, if the index holds this item.
pub fn index_partition_hash(index: &IndexSchema, item: &impl KeySource) -> Option<u64> {
    encode_sort(&index.key.sort, item, Some(&index.name)).ok()?;
    let partition = encode_partition(&index.key.partition, item, Some(&index.name)).ok()?;
    Some(keyspace::partition_hash(&partition))
}

/// Checks the index key attributes that `item` has: right types, not empty, not too long. Of
/// several indexes whose keys do not fit, the first by name is reported.
pub fn check_index_keys(schema: &TableSchema, item: &impl KeySource) -> Result<(), KeyError> {
    let check = |index: &IndexSchema| {
        check_index_parts(index, &index.key.partition, item, KeyRole::Partition)?;
        check_index_parts(index, &index.key.sort, item, KeyRole::Sort)
    };
    let failures = schema.maintained_indexes().filter_map(|index| check(index).err());
    let vectors = schema.vector_indexes.iter().filter(|index| index.is_maintained());
    let failures = failures.chain(vectors.filter_map(|index| search_failure(index, item)));
    match failures.min_by(|left, right| left.index.cmp(&right.index)) {
        Some(failure) => Err(failure),
        None => Ok(()),
    }
}

/// What is wrong with the attributes of a search schema that `item` has, if anything is.
fn search_failure(index: &VectorIndexSchema, item: &impl KeySource) -> Option<KeyError> {
    let failure = |element: &SearchAttribute| {
        let SearchAttribute { role, attribute } = element;
        let value = item.key_value(&attribute.name)?;
        let problem = match (check_part(attribute, &value), role) {
            (Err(KeyProblem::WrongType { expected, actual }), _) => {
                KeyProblem::WrongSearchType { expected, actual }
            }
            (Err(_), SearchRole::Filter) => return None,
            (Err(problem), SearchRole::Partition) => problem,
            (Ok(size_bytes), SearchRole::Partition) if size_bytes > PARTITION_KEY_BYTES_MAX => {
                KeyProblem::TooLongToSearch(*role)
            }
            (Ok(size_bytes), SearchRole::Filter) if size_bytes > SEARCH_FILTER_BYTES_MAX => {
                KeyProblem::TooLongToSearch(*role)
            }
            (Ok(_), _) => return None,
        };
        Some(fail(attribute, Some(index.name()), problem))
    };
    index.definition.search.iter().find_map(failure)
}

fn check_index_parts(
    index: &IndexSchema,
    parts: &[KeyAttribute],
    item: &impl KeySource,
    role: KeyRole,
) -> Result<(), KeyError> {
    let mut size_bytes = 0;
    for part in parts {
        let Some(value) = item.key_value(&part.name) else { continue };
        let fail = |problem| fail(part, Some(&index.name), problem);
        size_bytes += check_part(part, &value).map_err(fail)?;
        check_length(size_bytes, role).map_err(fail)?;
    }
    Ok(())
}

/// The partition key of an item in a table or index, as the keys of items and entries have it.
pub(crate) fn encode_partition(
    parts: &[KeyAttribute],
    item: &impl KeySource,
    index: Option<&str>,
) -> Result<Vec<u8>, KeyError> {
    let encoded = encode_parts(key_form::begin(), parts, item, KeyRole::Partition, index)?;
    Ok(key_form::finish(encoded))
}

/// The sort key of an item in a table or index.
pub(crate) fn encode_sort(
    parts: &[KeyAttribute],
    item: &impl KeySource,
    index: Option<&str>,
) -> Result<Vec<u8>, KeyError> {
    encode_parts(Vec::with_capacity(40), parts, item, KeyRole::Sort, index)
}

/// Appends the encoded parts of one role, one after the other.
fn encode_parts(
    mut out: Vec<u8>,
    parts: &[KeyAttribute],
    item: &impl KeySource,
    role: KeyRole,
    index: Option<&str>,
) -> Result<Vec<u8>, KeyError> {
    let mut size_bytes = 0;
    for part in parts {
        let fail = |problem| fail(part, index, problem);
        let value = item.key_value(&part.name).ok_or(KeyProblem::Missing).map_err(fail)?;
        size_bytes += check_part(part, &value).map_err(fail)?;
        check_length(size_bytes, role).map_err(fail)?;
        value.encode(&mut out);
    }
    Ok(out)
}

/// Returns whether `item` has exactly the attributes of these keys.
pub fn has_only_keys(item: &Item, table: &KeySchema, index: Option<&KeySchema>) -> bool {
    let in_index = |name: &String| index.is_some_and(|key| key.contains(name));
    item.keys().all(|name| table.contains(name) || in_index(name))
}

fn fail(part: &KeyAttribute, index: Option<&str>, problem: KeyProblem) -> KeyError {
    KeyError { name: part.name.clone(), index: index.map(str::to_owned), problem }
}

/// Checks the type of a key value and that it is not empty; gives its size.
fn check_part(part: &KeyAttribute, value: &KeyValue<'_>) -> Result<usize, KeyProblem> {
    let (expected, actual) = (part.kind.value_type(), value.kind());
    if actual != expected {
        return Err(KeyProblem::WrongType { expected, actual });
    }
    match value.size_bytes() {
        0 => Err(KeyProblem::Empty(actual)),
        size_bytes => Ok(size_bytes),
    }
}

fn check_length(size_bytes: usize, role: KeyRole) -> Result<(), KeyProblem> {
    if is_length_allowed(size_bytes, role) { Ok(()) } else { Err(KeyProblem::TooLong(role)) }
}

/// Returns whether the parts of one role of a key may have so many bytes together.
pub(crate) fn is_length_allowed(size_bytes: usize, role: KeyRole) -> bool {
    size_bytes
        <= match role {
            KeyRole::Partition => PARTITION_KEY_BYTES_MAX,
            KeyRole::Sort => SORT_KEY_BYTES_MAX,
        }
}

#[cfg(test)]
mod tests {
    use monotable_item::Value;

    use super::*;
    use crate::schema::testing;

    fn schema(sort: Option<KeyType>) -> TableSchema {
        let attribute = |name: &str, kind| KeyAttribute { name: name.to_owned(), kind };
        TableSchema {
            key: KeySchema {
                partition: vec![attribute("pk", KeyType::String)],
                sort: sort.map(|kind| attribute("sk", kind)).into_iter().collect(),
            },
            ..testing::schema("orders")
        }
    }

    fn key(schema: &TableSchema, values: &[(&str, Value)]) -> ItemKey {
        let item: Item =
            values.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        ItemKey::of(schema, &item).unwrap()
    }

    #[test]
    fn texts_are_read_out_of_a_key_if_they_lie_there_as_they_are() {
        let only = schema(None);
        let both = schema(Some(KeyType::String));
        let text = |text: &str| Value::from(text);
        let long = "x".repeat(300);
        let of = |schema: &TableSchema, pk: &str, sk: Option<Value>| {
            let sort = sk.map(|value| ("sk", value));
            let values: Vec<(&str, Value)> = [("pk", text(pk))].into_iter().chain(sort).collect();
            let key = key(schema, &values);
            key.texts(schema).map(|(one, other)| (one.to_vec(), other.map(<[u8]>::to_vec)))
        };
        assert_eq!(of(&only, "ORDER#1", None), Some((b"ORDER#1".to_vec(), None)));
        let found = of(&both, "é", Some(text(&long)));
        assert_eq!(found, Some(("é".as_bytes().to_vec(), Some(long.clone().into_bytes()))));
        assert_eq!(of(&both, "a\0b", Some(text("c"))), None);
        assert_eq!(of(&both, "a", Some(text("b\0"))), None);
        assert_eq!(of(&both, &long, Some(text("c"))), None);
        assert_eq!(of(&schema(Some(KeyType::Number)), "a", Some(Value::from(7))), None);
    }
}
