//! Keys taken apart again: what the bytes of a key say without the item that lies there.

use monotable_item::key_encoding::KeyType;
use monotable_item::{Number, Value};

use super::LocationKey;
use crate::any_index::AnyIndex;
use crate::keyspace::{index_entry, item, vector_entry};
use crate::schema::{KeyAttribute, KeySchema, TableId, TableSchema};

/// How many bytes of an entry's key lie before its index key: tag, table, index and hash.
const ENTRY_HEAD_BYTES: usize = 1 + 4 + 4 + 8;
const HASH_BYTES: usize = 32;
/// The first bytes of the two forms of a key; see [`crate::keyspace::key_form`].
const PLAIN: u8 = 0;
const HASHED: u8 = 1;

/// The encoded key of an item, taken apart.
#[derive(Debug, PartialEq)]
pub(super) struct TableKey<'a> {
    /// The encoded partition key.
    pub(super) partition: &'a [u8],
    /// The encoded sort key.
    pub(super) sort: &'a [u8],
    /// The key attributes, unless a hash stands for the partition key.
    values: Option<Vec<Value>>,
}

impl<'a> TableKey<'a> {
    /// Takes apart the encoded partition and sort key of an item.
    pub(super) fn split(key: &KeySchema, parts: &'a [u8]) -> Option<TableKey<'a>> {
        let (partition_values, sort) = take_formed(&key.partition, parts)?;
        let (sort_values, rest) = take_parts(&key.sort, sort)?;
        let partition = parts.get(..parts.len() - sort.len())?;
        let values = partition_values.map(|values| [values, sort_values].concat());
        rest.is_empty().then_some(TableKey { partition, sort, values })
    }

    /// Where the item lies.
    pub(super) fn storage_key(&self, table: TableId) -> Vec<u8> {
        item::encode_key(table, self.partition, self.sort)
    }
}

/// The key of an item for people, from where it lies.
pub(super) fn place_key(schema: &TableSchema, storage_key: &[u8]) -> LocationKey {
    let values = TableKey::split(&schema.key, item::key_parts(storage_key))
        .filter(|parts| parts.storage_key(schema.id) == storage_key)
        .and_then(|parts| parts.values);
    let named = |values: Vec<Value>| {
        let names = schema.key.attributes().map(|attribute| attribute.name.clone());
        LocationKey::Attributes(names.zip(values).collect())
    };
    values.map_or_else(|| LocationKey::Bytes(storage_key.to_vec()), named)
}

/// The encoded key of the item that an index entry belongs to.
#[derive(Debug, PartialEq)]
pub(super) enum EntryItem<'a> {
    /// The key itself.
    Plain(&'a [u8]),
    /// Only a hash of it: the entry's attributes tell which it is.
    Hashed,
}

/// Takes the key of the item from the end of the key of an index entry.
pub(super) fn item_of_entry<'a>(
    schema: &TableSchema,
    index: AnyIndex<'_>,
    entry_key: &'a [u8],
) -> Option<EntryItem<'a>> {
    let index_key = entry_key.get(ENTRY_HEAD_BYTES..)?;
    let sort = match index {
        AnyIndex::Secondary(index) => take_formed(&index.key.partition, index_key)?.1,
        AnyIndex::Vector(index) => match index.definition.partition() {
            Some(part) => take_formed(std::slice::from_ref(part), index_key)?.1,
            None => index_key,
        },
    };
    let partition = index_key.get(..index_key.len() - sort.len())?;
    let (prefix, table_key) = match index {
        AnyIndex::Secondary(index) => {
            let prefix = index_entry::partition_prefix(schema.id, index.id, partition);
            (prefix, take_parts(&index.key.sort, sort)?.1)
        }
        AnyIndex::Vector(index) => {
            (vector_entry::partition_prefix(schema.id, index.id, partition), sort)
        }
    };
    if !entry_key.starts_with(&prefix) {
        return None;
    }
    match table_key.split_first()? {
        (&PLAIN, plain) => Some(EntryItem::Plain(plain)),
        (&HASHED, hash) if hash.len() == HASH_BYTES => Some(EntryItem::Hashed),
        _ => None,
    }
}

/// The values of a key in its form, if it is not hashed, and what follows it.
fn take_formed<'a>(
    parts: &[KeyAttribute],
    bytes: &'a [u8],
) -> Option<(Option<Vec<Value>>, &'a [u8])> {
    match bytes.split_first()? {
        (&PLAIN, encoded) => {
            let (values, rest) = take_parts(parts, encoded)?;
            Some((Some(values), rest))
        }
        (&HASHED, hash) => Some((None, hash.get(HASH_BYTES..)?)),
        _ => None,
    }
}

fn take_parts<'a>(parts: &[KeyAttribute], bytes: &'a [u8]) -> Option<(Vec<Value>, &'a [u8])> {
    let (mut values, mut rest) = (Vec::with_capacity(parts.len()), bytes);
    for part in parts {
        let (value, after) = take_part(part.kind, rest)?;
        values.push(value);
        rest = after;
    }
    Some((values, rest))
}

/// One value as `key_encoding` writes it, and what follows it.
fn take_part(kind: KeyType, bytes: &[u8]) -> Option<(Value, &[u8])> {
    match kind {
        KeyType::String => {
            let (text, rest) = take_bytes(bytes)?;
            Some((Value::String(String::from_utf8(text).ok()?), rest))
        }
        KeyType::Binary => {
            let (binary, rest) = take_bytes(bytes)?;
            Some((Value::Binary(binary), rest))
        }
        KeyType::Number => {
            let (number, rest) = take_number(bytes)?;
            Some((Value::Number(number), rest))
        }
    }
}

/// Bytes, of which `00` stands as `00 FF`, up to `00 00`.
fn take_bytes(bytes: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let (mut out, mut rest) = (Vec::new(), bytes);
    loop {
        let zero = rest.iter().position(|byte| *byte == 0)?;
        out.extend_from_slice(rest.get(..zero)?);
        let (after, left) = rest.get(zero + 1..)?.split_first()?;
        rest = left;
        match after {
            0x00 => return Some((out, rest)),
            0xFF => out.push(0),
            _ => return None,
        }
    }
}

fn take_number(bytes: &[u8]) -> Option<(Number, &[u8])> {
    let (sign, rest) = bytes.split_first()?;
    let (prefix, flip) = match sign {
        0x00 => ("-", 0xFF),
        0x01 => return Some((Number::from(0), rest)),
        0x02 => ("", 0x00),
        _ => return None,
    };
    let (exponent, pairs) = rest.split_first()?;
    let end = pairs.iter().position(|byte| byte ^ flip == 0)?;
    let mut digits = String::new();
    for pair in pairs.get(..end)? {
        let pair = (pair ^ flip).checked_sub(1).filter(|pair| *pair < 100)?;
        digits.push_str(&format!("{pair:02}"));
    }
    let (first, fraction) = digits.split_at_checked(1)?;
    let exponent = i32::from(exponent ^ flip) - 130;
    let number = format!("{prefix}{first}.{fraction}E{exponent}").parse().ok()?;
    Some((number, pairs.get(end + 1..)?))
}

#[cfg(test)]
mod tests {
    use monotable_item::key_encoding;
    use proptest::prelude::*;

    use super::*;

    fn check(kind: KeyType, value: &Value) {
        let mut encoded = Vec::new();
        assert!(key_encoding::encode(value, &mut encoded));
        encoded.extend(b"rest");
        assert_eq!(take_part(kind, &encoded), Some((value.clone(), &b"rest"[..])));
    }

    proptest! {
        #[test]
        fn bytes_read_back(
            bytes in prop::collection::vec(prop_oneof![Just(0), Just(255), any::<u8>()], 0..9),
        ) {
            check(KeyType::Binary, &Value::Binary(bytes));
        }

        #[test]
        fn numbers_read_back(
            digits in "[1-9][0-9]{0,37}", exponent in -120..80_i32, negative: bool,
        ) {
            let sign = if negative { "-" } else { "" };
            let number: Number = format!("{sign}{digits}E{exponent}").parse().unwrap();
            check(KeyType::Number, &Value::Number(number));
        }
    }

    #[test]
    fn zero_and_text_read_back() {
        check(KeyType::Number, &Value::from(0));
        check(KeyType::String, &Value::from("a\0é"));
    }

    #[test]
    fn what_was_never_written_is_no_key() {
        for (kind, bytes) in [
            (KeyType::String, &b"no end"[..]),
            (KeyType::String, b"\xFF\0\0"),
            (KeyType::Binary, b"\0\x01"),
            (KeyType::Number, b"\x03"),
            (KeyType::Number, b"\x02\x80"),
        ] {
            assert_eq!(take_part(kind, bytes), None, "{bytes:?}");
        }
    }
}
