//! Values on their way into a stored item, before anything of them is copied.

use std::borrow::Cow;

use super::encode::{push_bytes, push_length, push_value};
use super::{CorruptItem, StoredValue, ValueView, Values, tag};
use crate::nesting::value_nesting;
use crate::size::{CONTAINER_BYTES, ELEMENT_BYTES};
use crate::{Type, Value, value_size_bytes};

/// A value that an item is to get.
#[derive(Debug, Clone)]
pub enum NewValue<'a> {
    /// A value of a request, or one that was worked out.
    Value(Cow<'a, Value>),
    /// A value of the item as it is, which is copied as it lies.
    Stored(StoredValue<'a>),
    /// The elements of some lists, one list after the other.
    Joined(Vec<ListPart<'a>>),
}

/// A list that becomes a part of another.
#[derive(Debug, Clone, Copy)]
pub enum ListPart<'a> {
    /// Elements of a request.
    Values(&'a [Value]),
    /// Elements of the item as it is.
    Stored(Values<'a>),
}

impl NewValue<'_> {
    /// The type of the value.
    pub fn kind(&self) -> Type {
        match self {
            NewValue::Value(value) => value.kind(),
            NewValue::Stored(value) => value.kind(),
            NewValue::Joined(_) => Type::List,
        }
    }

    /// The value's size as DynamoDB counts it.
    pub fn size_bytes(&self) -> Result<usize, CorruptItem> {
        match self {
            NewValue::Value(value) => Ok(value_size_bytes(value)),
            NewValue::Stored(value) => value.size_bytes(),
            NewValue::Joined(parts) => parts
                .iter()
                .try_fold(CONTAINER_BYTES, |sum, part| Ok(sum + part.elements_size_bytes()?)),
        }
    }

    /// How many maps and lists lie around the deepest part of the value.
    pub(super) fn nesting(&self) -> Result<usize, CorruptItem> {
        match self {
            NewValue::Value(value) => Ok(value_nesting(value)),
            NewValue::Stored(value) => value.view().nesting(),
            NewValue::Joined(parts) => parts
                .iter()
                .try_fold(1, |deepest: usize, part| Ok(deepest.max(1 + part.nesting()?))),
        }
    }

    /// Writes the value as an item holds it.
    pub(super) fn push(&self, out: &mut Vec<u8>) {
        match self {
            NewValue::Value(value) => push_value(value, out),
            NewValue::Stored(value) => out.extend_from_slice(value.bytes()),
            NewValue::Joined(parts) => {
                let mut content = Vec::new();
                push_length(parts.iter().map(ListPart::len).sum(), &mut content);
                parts.iter().for_each(|part| part.push(&mut content));
                out.push(tag::LIST);
                push_bytes(&content, out);
            }
        }
    }

    /// Returns whether a stored value is this one.
    pub fn is_as(&self, stored: StoredValue<'_>) -> bool {
        let mut bytes = Vec::new();
        self.kind() == stored.kind() && {
            self.push(&mut bytes);
            bytes == stored.bytes()
        }
    }
}

impl ListPart<'_> {
    fn len(&self) -> usize {
        match self {
            ListPart::Values(values) => values.len(),
            ListPart::Stored(values) => values.count_left(),
        }
    }

    fn elements_size_bytes(&self) -> Result<usize, CorruptItem> {
        match *self {
            ListPart::Values(values) => {
                Ok(values.iter().map(|value| ELEMENT_BYTES + value_size_bytes(value)).sum())
            }
            ListPart::Stored(values) => {
                ValueView::List(values).size_bytes().map(|size| size - CONTAINER_BYTES)
            }
        }
    }

    fn nesting(&self) -> Result<usize, CorruptItem> {
        match *self {
            ListPart::Values(values) => Ok(values.iter().map(value_nesting).max().unwrap_or(0)),
            ListPart::Stored(values) => ValueView::List(values).nesting().map(|depth| depth - 1),
        }
    }

    fn push(&self, out: &mut Vec<u8>) {
        match self {
            ListPart::Values(values) => values.iter().for_each(|value| push_value(value, out)),
            ListPart::Stored(values) => out.extend_from_slice(values.rest()),
        }
    }
}
