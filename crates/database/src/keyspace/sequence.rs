//! The sequence of table numbers: `08` → the next one, four bytes, big-endian.

use super::tag;
use crate::schema::TableId;

/// The key of the sequence.
pub(crate) fn encode_key() -> Vec<u8> {
    vec![tag::SEQUENCE]
}

/// The value that says which number comes next.
pub(crate) fn encode_value(next: TableId) -> Vec<u8> {
    next.0.to_be_bytes().to_vec()
}

/// The next number: 1 in a new store.
pub(crate) fn decode_value(value: Option<&[u8]>) -> Option<TableId> {
    let Some(bytes) = value else { return Some(TableId(1)) };
    bytes.try_into().ok().map(|bytes| TableId(u32::from_be_bytes(bytes)))
}
