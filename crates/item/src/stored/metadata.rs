//! What is known about the write of a stored item, beside its attributes.
//!
//! ```text
//! metadata   length field*                   in the order of the tags, each tag once
//! field      tag length bytes
//!            01 time of the write, in milliseconds since 1970
//!            02 origin    03 version         numbers: lowest byte first, without zeros at the end
//! ```
//!
//! A field says its length, so that a reader passes over those that it does not know and a later
//! field breaks no earlier reader. Tags are never reused. Readers of attributes pass over the whole
//! block. It is no part of the item that DynamoDB knows: neither of its size nor of its equality
//! with another.

use std::borrow::Cow;

use super::encode::{push_bytes, push_length};
use super::view::{Cursor, split_metadata};
use super::{CorruptItem, FORM, FORM_WITH_METADATA};

mod tag {
    pub(super) const WRITTEN_MILLIS: u8 = 0x01;
    pub(super) const ORIGIN: u8 = 0x02;
    pub(super) const VERSION: u8 = 0x03;
}

/// The most bytes of the fields that are written here: a tag, a length and a number each.
const FIELDS_BYTES_MAX: usize = 3 * (2 + size_of::<u64>());

/// Where a write was made: the number of a region or replica.
///
/// Numbers that are handed out from 1 on take a byte; 64 bits that are drawn at random fit too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin(pub u64);

/// What is known about the write that made an item what it is.
///
/// An item without any of it takes no byte more than its attributes do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Metadata {
    /// When the item was written, in milliseconds since 1970.
    pub written_millis: Option<u64>,
    /// Where the item was written.
    pub origin: Option<Origin>,
    /// Which of the writes of this item it was, by a counter that only grows.
    pub version: Option<u64>,
}

impl Metadata {
    /// Returns whether nothing is known.
    pub fn is_empty(&self) -> bool {
        *self == Metadata::default()
    }

    /// Reads the fields of a block.
    pub(super) fn read(fields: &[u8]) -> Result<Metadata, CorruptItem> {
        let mut metadata = Metadata::default();
        let mut cursor = Cursor(fields);
        let mut last_tag = None;
        while !cursor.0.is_empty() {
            let tag = cursor.byte()?;
            if last_tag.replace(tag) >= Some(tag) {
                return Err(CorruptItem("metadata is out of order"));
            }
            let bytes = cursor.bytes()?;
            match tag {
                tag::WRITTEN_MILLIS => metadata.written_millis = Some(read_number(bytes)?),
                tag::ORIGIN => metadata.origin = Some(Origin(read_number(bytes)?)),
                tag::VERSION => metadata.version = Some(read_number(bytes)?),
                // A later version of this program wrote it.
                _ => {}
            }
        }
        Ok(metadata)
    }

    fn push_fields(&self, out: &mut Vec<u8>) {
        push_number(tag::WRITTEN_MILLIS, self.written_millis, out);
        push_number(tag::ORIGIN, self.origin.map(|origin| origin.0), out);
        push_number(tag::VERSION, self.version, out);
    }
}

/// The stored item with this metadata in place of what it has; with empty metadata, without any.
///
/// The attributes are copied without being looked into. Fields that are not known here are not
/// kept: they belong to the write that the old metadata was about.
pub fn with_metadata(stored: &[u8], metadata: &Metadata) -> Result<Vec<u8>, CorruptItem> {
    let body = body(stored)?;
    let mut out = Vec::with_capacity(body.len() + FIELDS_BYTES_MAX + 2);
    push_form(metadata, &mut out);
    out.extend_from_slice(body);
    Ok(out)
}

/// The stored item without metadata, which is what it is if it has none.
pub fn without_metadata(stored: &[u8]) -> Result<Cow<'_, [u8]>, CorruptItem> {
    match stored.first() {
        Some(&FORM) => Ok(Cow::Borrowed(stored)),
        _ => with_metadata(stored, &Metadata::default()).map(Cow::Owned),
    }
}

/// Returns whether two stored items have the same attributes, whatever their metadata is.
///
/// There is one stored form of an item, so that this compares bytes, and all of them at once where
/// neither item has metadata.
#[inline]
pub fn same_attributes(left: &[u8], right: &[u8]) -> bool {
    left == right || (has_metadata(left) || has_metadata(right)) && is_same_body(left, right)
}

#[inline]
fn has_metadata(stored: &[u8]) -> bool {
    stored.first() == Some(&FORM_WITH_METADATA)
}

#[cold]
fn is_same_body(left: &[u8], right: &[u8]) -> bool {
    matches!((body(left), body(right)), (Ok(left), Ok(right)) if left == right)
}

/// Size, count and attributes: what follows the form and the metadata.
fn body(stored: &[u8]) -> Result<&[u8], CorruptItem> {
    Ok(split_metadata(stored)?.1)
}

/// Writes what stands before the size of an item: its form and, if there is any, its metadata.
pub(super) fn push_form(metadata: &Metadata, out: &mut Vec<u8>) {
    if metadata.is_empty() {
        return out.push(FORM);
    }
    let mut fields = Vec::with_capacity(FIELDS_BYTES_MAX);
    metadata.push_fields(&mut fields);
    out.push(FORM_WITH_METADATA);
    push_bytes(&fields, out);
}

fn push_number(tag: u8, number: Option<u64>, out: &mut Vec<u8>) {
    let Some(number) = number else { return };
    let length = size_of::<u64>() - number.leading_zeros() as usize / 8;
    out.push(tag);
    push_length(length, out);
    out.extend(number.to_le_bytes().iter().take(length));
}

/// A number has one form, so that equal metadata has equal bytes.
fn read_number(bytes: &[u8]) -> Result<u64, CorruptItem> {
    let mut whole = [0; size_of::<u64>()];
    match whole.get_mut(..bytes.len()) {
        Some(low) if bytes.last() != Some(&0) => low.copy_from_slice(bytes),
        Some(_) | None => return Err(CorruptItem("metadata has a number that is not one")),
    }
    Ok(u64::from_le_bytes(whole))
}

#[cfg(test)]
mod tests;
