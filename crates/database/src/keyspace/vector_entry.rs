//! Vector entries: `0E table index hash(partition key) partition key table key` → a vector and
//! projected attributes.
//!
//! The partition key is that of the search schema, in the form of `key_form`,
//! and empty if it has none: so a search reads one range. The table key ends the key, in the same
//! form. Value: the numbers of the vector, four bytes each with the lowest first, as many as the
//! index has dimensions; then the projected attributes without the vector, in the stored form of an
//! item.

use monotable_storage::KeyRange;

use super::{index_prefix, key_form, push_partition, tag};
use crate::schema::{IndexId, TableId};

/// How many bytes a number of a vector takes.
pub(crate) const NUMBER_BYTES: usize = 4;

/// The key of the entry of the item whose encoded table key is `table_key`.
pub(crate) fn encode_key(
    table: TableId,
    index: IndexId,
    partition_key: &[u8],
    table_key: &[u8],
) -> Vec<u8> {
    let mut key = partition_prefix(table, index, partition_key);
    key_form::push(&mut key, table_key);
    key
}

/// The start of the keys of all entries with this partition key.
pub(crate) fn partition_prefix(table: TableId, index: IndexId, partition_key: &[u8]) -> Vec<u8> {
    let mut key = index_prefix(tag::VECTOR_ENTRY, table, index);
    push_partition(&mut key, partition_key);
    key
}

/// The start of the keys of all entries of an index.
pub(crate) fn prefix(table: TableId, index: IndexId) -> Vec<u8> {
    index_prefix(tag::VECTOR_ENTRY, table, index)
}

/// The keys of all entries of an index.
pub(crate) fn range(table: TableId, index: IndexId) -> KeyRange {
    KeyRange::prefix(&prefix(table, index))
}

/// The value of an entry with a vector and projected attributes.
pub(crate) fn encode_value(vector: &[f32], attributes: &[u8]) -> Vec<u8> {
    let mut value = Vec::with_capacity(vector.len() * NUMBER_BYTES + attributes.len());
    vector.iter().for_each(|number| value.extend(number.to_le_bytes()));
    value.extend_from_slice(attributes);
    value
}

/// The bytes of the vector and the projected attributes, if the value is long enough for a vector
/// of this many dimensions.
pub(crate) fn split_value(dimensions: u32, value: &[u8]) -> Option<(&[u8], &[u8])> {
    value.split_at_checked(dimensions as usize * NUMBER_BYTES)
}

/// The numbers of a vector.
pub(crate) fn numbers(vector: &[u8]) -> impl Iterator<Item = f32> {
    let (numbers, _) = vector.as_chunks::<NUMBER_BYTES>();
    numbers.iter().map(|number| f32::from_le_bytes(*number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_partition_is_one_range() {
        let key =
            |partition: &[u8], item: &[u8]| encode_key(TableId(1), IndexId(2), partition, item);
        let first = KeyRange::prefix(&partition_prefix(TableId(1), IndexId(2), b"p"));
        assert!(first.contains(&key(b"p", b"a")) && first.contains(&key(b"p", b"b")));
        assert!(!first.contains(&key(b"q", b"a")));
        assert!(range(TableId(1), IndexId(2)).contains(&key(b"", b"a")));
        assert!(!range(TableId(1), IndexId(3)).contains(&key(b"", b"a")));
    }

    #[test]
    fn values_read_back() {
        let value = encode_value(&[1.5, -0.1], b"rest");
        let (vector, attributes) = split_value(2, &value).unwrap();
        assert_eq!(numbers(vector).collect::<Vec<_>>(), [1.5, -0.1]);
        assert_eq!(attributes, b"rest");
        assert_eq!(split_value(4, &value), None);
    }
}
