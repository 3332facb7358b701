//! Expiry: `0B table expiry expires_at_secs partition key sort key` → where the partition key ends.
//!
//! One entry for each item of a table with TTL whose TTL attribute is a time that can come. The
//! value is the length of the encoded partition key (2 bytes), from which the item's own key is
//! rebuilt.

use std::ops::{Bound, RangeInclusive};

use monotable_storage::KeyRange;

use super::{index_prefix, tag};
use crate::schema::{ExpiryId, IndexId, TableId};

const HEAD_BYTES: usize = 1 + 4 + 4 + 8;

/// The key of the entry of an item, given its encoded key.
pub(crate) fn encode_key(
    table: TableId,
    expiry: ExpiryId,
    expires_at_secs: u64,
    table_key: &[u8],
) -> Vec<u8> {
    let mut key = prefix(table, expiry);
    key.extend(expires_at_secs.to_be_bytes());
    key.extend_from_slice(table_key);
    key
}

/// The value of an entry.
pub(crate) fn encode_value(partition_bytes: usize) -> Vec<u8> {
    (partition_bytes as u16).to_be_bytes().to_vec()
}

/// The encoded partition and sort key of the item that an entry stands for.
pub(crate) fn item_key_parts<'k>(key: &'k [u8], value: &[u8]) -> Option<(&'k [u8], &'k [u8])> {
    let partition_bytes = u16::from_be_bytes(value.try_into().ok()?);
    key.get(HEAD_BYTES..)?.split_at_checked(usize::from(partition_bytes))
}

/// When the item of an entry expires.
pub(crate) fn expires_at_secs(key: &[u8]) -> Option<u64> {
    let secs = key.get(HEAD_BYTES - 8..HEAD_BYTES)?;
    Some(u64::from_be_bytes(secs.try_into().ok()?))
}

/// The encoded key of the item that an entry stands for.
pub(crate) fn table_key(key: &[u8]) -> &[u8] {
    key.get(HEAD_BYTES..).unwrap_or_default()
}

/// The entries of some seconds.
pub(crate) fn due_range(table: TableId, expiry: ExpiryId, secs: &RangeInclusive<u64>) -> KeyRange {
    let start = encode_key(table, expiry, *secs.start(), &[]);
    let end = encode_key(table, expiry, secs.end().saturating_add(1), &[]);
    KeyRange::new(Bound::Included(start), Bound::Excluded(end))
}

/// All entries of an expiry index.
pub(crate) fn range(table: TableId, expiry: ExpiryId) -> KeyRange {
    KeyRange::prefix(&prefix(table, expiry))
}

fn prefix(table: TableId, expiry: ExpiryId) -> Vec<u8> {
    index_prefix(tag::EXPIRY, table, IndexId(expiry.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_sort_by_time_and_lead_to_their_item() {
        let (table, expiry) = (TableId(4), ExpiryId(1));
        let early = encode_key(table, expiry, 99, b"zz");
        let late = encode_key(table, expiry, 100, b"aa");
        assert!(early < late);
        assert!(due_range(table, expiry, &(0..=99)).contains(&early));
        assert!(!due_range(table, expiry, &(0..=99)).contains(&late));
        assert_eq!(item_key_parts(&late, &encode_value(1)), Some((&b"a"[..], &b"a"[..])));
        assert_eq!(item_key_parts(&late, &[9]), None);
        assert_eq!((expires_at_secs(&early), expires_at_secs(&late)), (Some(99), Some(100)));
        assert_eq!(expires_at_secs(b"short"), None);
    }
}
