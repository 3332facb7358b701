//! The sizes and depths of stored values, counted without decoding them.

use super::decode::number;
use super::{CorruptItem, Depth, Members, ValueView};
use crate::plain_number::plain_size_bytes;
use crate::size::{CONTAINER_BYTES, ELEMENT_BYTES};

impl ValueView<'_> {
    /// The value's size as DynamoDB counts it.
    pub fn size_bytes(&self) -> Result<usize, CorruptItem> {
        self.size_bytes_at(Depth::default())
    }

    /// How many maps and lists the value has around its deepest part, itself among them.
    pub(super) fn nesting(&self) -> Result<usize, CorruptItem> {
        self.nesting_at(Depth::default())
    }

    fn nesting_at(&self, depth: Depth) -> Result<usize, CorruptItem> {
        let deepest = match *self {
            ValueView::List(mut values) => {
                let depth = depth.inside()?;
                values.try_fold(0, |deepest: usize, value| {
                    Ok(deepest.max(value?.nesting_at(depth)?))
                })?
            }
            ValueView::Map(mut attributes) => {
                let depth = depth.inside()?;
                attributes.try_fold(0, |deepest: usize, attribute| {
                    Ok(deepest.max(attribute?.1.nesting_at(depth)?))
                })?
            }
            _ => return Ok(0),
        };
        Ok(1 + deepest)
    }

    fn size_bytes_at(&self, depth: Depth) -> Result<usize, CorruptItem> {
        match *self {
            ValueView::String(bytes) | ValueView::Binary(bytes) => Ok(bytes.len()),
            ValueView::Number(text) => number_bytes(text),
            ValueView::Bool(_) | ValueView::Null => Ok(1),
            ValueView::List(mut values) => {
                let depth = depth.inside()?;
                values.try_fold(CONTAINER_BYTES, |sum, value| {
                    Ok(sum + ELEMENT_BYTES + value?.size_bytes_at(depth)?)
                })
            }
            ValueView::Map(mut attributes) => {
                let depth = depth.inside()?;
                attributes.try_fold(CONTAINER_BYTES, |sum, attribute| {
                    let (name, value) = attribute?;
                    Ok(sum + ELEMENT_BYTES + name.len() + value.size_bytes_at(depth)?)
                })
            }
            ValueView::StringSet(members) | ValueView::BinarySet(members) => {
                sum(members, |member| Ok(member.len()))
            }
            ValueView::NumberSet(members) => sum(members, number_bytes),
        }
    }
}

/// Numbers are stored as they are printed, so that most need not be read to be counted.
fn number_bytes(text: &[u8]) -> Result<usize, CorruptItem> {
    match std::str::from_utf8(text).ok().and_then(plain_size_bytes) {
        Some(size_bytes) => Ok(size_bytes),
        None => Ok(number(text)?.size_bytes()),
    }
}

fn sum(
    mut members: Members<'_>,
    size_bytes: impl Fn(&[u8]) -> Result<usize, CorruptItem>,
) -> Result<usize, CorruptItem> {
    members.try_fold(0, |sum, member| Ok(sum + size_bytes(member?)?))
}
