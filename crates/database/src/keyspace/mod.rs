//! Where everything lies: one file for each family of keys.
//!
//! A key is a one-byte family tag, then big-endian numbers, then order-preserving key bytes. Tags
//! are never reused.
//!
//! | tag | family | key after the tag | value |
//! |---|---|---|---|
//! | `01` | [`table`] | account, region, name | the table's record |
//! | `02` | [`item`] | table, hash, partition key, sort key | stored item |
//! | `03` | [`index_entry`] | table, index, hash, index key, table key | projected attributes |
//! | `04` | [`counter`] | table, index, what | a counter |
//! | `05` | [`collection`] | table, hash, partition key | a counter: bytes of an item collection |
//! | `06` | [`request_token`] | account, region, token | digest and time of a transaction |
//! | `07` | [`garbage`] | table, index | nothing: its data is to be removed |
//! | `08` | [`sequence`] | | the next table number |
//! | `09` | [`stream`] | account, region, table name, time | a stream and its shards |
//! | `0A` | [`stream_record`] | table, stream, lane | a log: the changes of items |
//! | `0B` | [`expiry`] | table, time, table key | where the partition key ends |
//! | `0C` | [`lease`] | job | who does it, and until when |
//! | `0D` | [`fill`] | table, index, slice | how far a new index is filled |
//! | `0E` | [`vector_entry`] | table, index, hash, partition key, table key | vector and projected attributes |
//!
//! Partition keys and table keys are made short where they are long ([`key_form`]), so that no key
//! is longer than 2,600 bytes.

pub(crate) mod collection;
pub(crate) mod counter;
pub(crate) mod expiry;
pub(crate) mod fill;
pub(crate) mod garbage;
pub(crate) mod home;
pub(crate) mod index_entry;
pub(crate) mod item;
pub(crate) mod key_form;
pub(crate) mod lease;
pub(crate) mod record;
pub(crate) mod request_token;
pub(crate) mod sequence;
pub(crate) mod stream;
pub(crate) mod stream_record;
pub(crate) mod table;
mod table_controls;
pub(crate) mod vector_entry;
pub(crate) mod vector_index;

use xxhash_rust::xxh3::xxh3_64;

use crate::schema::{IndexId, TableId};

/// The family tags.
pub(crate) mod tag {
    pub(crate) const TABLE: u8 = 0x01;
    pub(crate) const ITEM: u8 = 0x02;
    pub(crate) const INDEX_ENTRY: u8 = 0x03;
    pub(crate) const COUNTER: u8 = 0x04;
    pub(crate) const COLLECTION: u8 = 0x05;
    pub(crate) const REQUEST_TOKEN: u8 = 0x06;
    pub(crate) const GARBAGE: u8 = 0x07;
    pub(crate) const SEQUENCE: u8 = 0x08;
    pub(crate) const STREAM: u8 = 0x09;
    pub(crate) const STREAM_RECORD: u8 = 0x0A;
    pub(crate) const EXPIRY: u8 = 0x0B;
    pub(crate) const LEASE: u8 = 0x0C;
    pub(crate) const FILL: u8 = 0x0D;
    pub(crate) const VECTOR_ENTRY: u8 = 0x0E;
}

/// The hash that leads the keys of a partition, so that partitions spread evenly over the keyspace
/// and a segment of a parallel scan is a range of hashes.
pub(crate) fn partition_hash(partition_key: &[u8]) -> u64 {
    xxh3_64(partition_key)
}

fn table_prefix(tag: u8, table: TableId) -> Vec<u8> {
    let mut key = Vec::with_capacity(96);
    key.push(tag);
    key.extend(table.0.to_be_bytes());
    key
}

fn index_prefix(tag: u8, table: TableId, index: IndexId) -> Vec<u8> {
    let mut key = table_prefix(tag, table);
    key.extend(index.0.to_be_bytes());
    key
}

/// Appends the hash of a partition key and the key itself.
fn push_partition(key: &mut Vec<u8>, partition_key: &[u8]) {
    key.extend(partition_hash(partition_key).to_be_bytes());
    key.extend_from_slice(partition_key);
}
