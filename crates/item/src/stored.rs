//! The stored form of an item.
//!
//! It is made for three things: its DynamoDB size stands at the front, one attribute is found by
//! skipping the others, and it is written out as JSON in one walk over borrowed bytes.
//!
//! ```text
//! item    02           size  count  attribute*    size: DynamoDB bytes; count, size, lengths: varint
//!         82 metadata  size  count  attribute*
//! attribute   length name value                    in byte order of the names
//! value   01 length text      string         02 length text     number, as DynamoDB prints it
//!         03 length bytes     binary         04 false  05 true  06 null
//!         07 length count value*      list   08 length count attribute*      map
//!         09 length count (length text)*     string set
//!         0A, 0B                      the same for number and binary sets
//! ```
//!
//! The first byte is the version of the form, with its top bit set if [`Metadata`] follows. Tags
//! are never reused. A container's `length` counts everything after it, so that it can be skipped
//! without looking inside.
//!
//! Metadata is about one write. So what is made out of an item has none of it: neither what
//! [`Edits`] make, which is a write of its own, nor a [`select`]ion, which is not the item that was
//! written.

mod builder;
mod decode;
mod depth;
mod edit;
mod encode;
mod locate;
mod metadata;
mod new_value;
mod size;
mod sorted_names;
mod view;
mod walk;

use thiserror::Error;

pub use builder::{ItemBuilder, OpenList, OpenMap};
pub use decode::{decode, decode_attributes};
pub use depth::Depth;
pub use edit::{AttributeEdit, Edit, Edits};
pub use encode::{encode, encode_with_metadata, select};
pub use locate::{PathEnd, StoredValue, locate};
pub use metadata::{Metadata, Origin, same_attributes, with_metadata, without_metadata};
pub use new_value::{ListPart, NewValue};
pub use sorted_names::{SortedNames, UnreadValue};
pub use view::{Attributes, ItemView, Members, ValueView, Values};

/// The first byte of a stored item without metadata. Forms are never given the same number again: 1
/// was one without room for metadata.
pub const FORM: u8 = 0x02;
/// The first byte of a stored item with metadata.
pub const FORM_WITH_METADATA: u8 = FORM | 0x80;

mod tag {
    pub(super) const STRING: u8 = 0x01;
    pub(super) const NUMBER: u8 = 0x02;
    pub(super) const BINARY: u8 = 0x03;
    pub(super) const FALSE: u8 = 0x04;
    pub(super) const TRUE: u8 = 0x05;
    pub(super) const NULL: u8 = 0x06;
    pub(super) const LIST: u8 = 0x07;
    pub(super) const MAP: u8 = 0x08;
    pub(super) const STRING_SET: u8 = 0x09;
    pub(super) const NUMBER_SET: u8 = 0x0A;
    pub(super) const BINARY_SET: u8 = 0x0B;
}

/// Bytes that are not a stored item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("stored item is corrupt: {0}")]
pub struct CorruptItem(pub(crate) &'static str);

impl CorruptItem {
    /// An item or index entry without the key attributes that it must have.
    pub const WITHOUT_KEYS: CorruptItem = CorruptItem("key attributes are missing");
    /// A number that cannot be read as one.
    pub const BAD_NUMBER: CorruptItem = CorruptItem("number is not a number");
    /// An entry of a vector index that has no room for its vector.
    pub const SHORT_VECTOR: CorruptItem = CorruptItem("vector is too short");
}

#[cfg(test)]
mod tests;
