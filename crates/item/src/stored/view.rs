//! Borrowed views of a stored item: nothing is copied, nothing is decoded before it is needed.

use super::walk::Walk;
use super::{CorruptItem, FORM, FORM_WITH_METADATA, Metadata, tag};
use crate::Type;

/// A stored item, read in place.
#[derive(Debug, Clone, Copy)]
pub struct ItemView<'a> {
    size_bytes: usize,
    attributes: Attributes<'a>,
    stored: &'a [u8],
}

/// A stored value, read in place. Text is UTF-8; it is checked when it is decoded, not when it is
/// copied out.
#[derive(Debug, Clone, Copy)]
pub enum ValueView<'a> {
    /// Text.
    String(&'a [u8]),
    /// A number as DynamoDB prints it.
    Number(&'a [u8]),
    /// Bytes.
    Binary(&'a [u8]),
    /// A truth value.
    Bool(bool),
    /// Null.
    Null,
    /// Values in order.
    List(Values<'a>),
    /// Values by name.
    Map(Attributes<'a>),
    /// Distinct texts.
    StringSet(Members<'a>),
    /// Distinct numbers.
    NumberSet(Members<'a>),
    /// Distinct binaries.
    BinarySet(Members<'a>),
}

impl ValueView<'_> {
    /// The type of the value.
    pub fn kind(&self) -> Type {
        match self {
            ValueView::String(_) => Type::String,
            ValueView::Number(_) => Type::Number,
            ValueView::Binary(_) => Type::Binary,
            ValueView::Bool(_) => Type::Bool,
            ValueView::Null => Type::Null,
            ValueView::List(_) => Type::List,
            ValueView::Map(_) => Type::Map,
            ValueView::StringSet(_) => Type::StringSet,
            ValueView::NumberSet(_) => Type::NumberSet,
            ValueView::BinarySet(_) => Type::BinarySet,
        }
    }
}

impl<'a> ItemView<'a> {
    /// Reads the head of a stored item.
    #[inline]
    pub fn new(stored: &'a [u8]) -> Result<ItemView<'a>, CorruptItem> {
        let mut cursor = Cursor(stored);
        if cursor.byte()? != FORM {
            cursor = Cursor(split_metadata(stored)?.1);
        }
        let size_bytes = cursor.length()?;
        let count = cursor.length()?;
        Ok(ItemView { size_bytes, attributes: Attributes { cursor, count }, stored })
    }

    /// What is known about the write of the item. It is not read before it is needed.
    pub fn metadata(&self) -> Result<Metadata, CorruptItem> {
        Metadata::read(split_metadata(self.stored)?.0)
    }

    /// The bytes of the item.
    #[inline]
    pub fn stored(&self) -> &'a [u8] {
        self.stored
    }

    /// The item's size as DynamoDB counts it, which metadata is no part of.
    #[inline]
    pub fn size_bytes(&self) -> usize {
        self.size_bytes
    }

    /// The attributes in byte order of their names.
    #[inline]
    pub fn attributes(&self) -> Attributes<'a> {
        self.attributes
    }

    /// The value of one attribute.
    pub fn get(&self, name: &str) -> Result<Option<ValueView<'a>>, CorruptItem> {
        let mut attributes = self.attributes;
        while let Some(found) = attributes.next_name()? {
            if found == name.as_bytes() {
                return attributes.value().map(Some);
            }
            attributes.skip_value()?;
        }
        Ok(None)
    }
}

/// The fields of the metadata of a stored item, and what follows them: size, count and attributes.
/// It is kept out of the readers of items without metadata, which are shorter for it.
#[cold]
pub(super) fn split_metadata(stored: &[u8]) -> Result<(&[u8], &[u8]), CorruptItem> {
    let mut cursor = Cursor(stored);
    let fields: &[u8] = match cursor.byte()? {
        FORM => &[],
        FORM_WITH_METADATA => cursor.bytes()?,
        _ => return Err(CorruptItem("unknown form")),
    };
    Ok((fields, cursor.0))
}

/// The attributes of an item or map, one after the other.
#[derive(Debug, Clone, Copy)]
pub struct Attributes<'a> {
    cursor: Cursor<'a>,
    count: usize,
}

impl Attributes<'_> {
    /// How many are left.
    #[inline]
    pub fn count_left(&self) -> usize {
        self.count
    }
}

impl<'a> Attributes<'a> {
    /// So many attributes, one after the other in these bytes.
    pub(super) fn new(bytes: &'a [u8], count: usize) -> Attributes<'a> {
        Attributes { cursor: Cursor(bytes), count }
    }

    /// The bytes of those that are left.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.cursor.0
    }

    /// The name of the next attribute, if there is one. Its value must be read or skipped before
    /// the next.
    #[inline]
    pub(super) fn next_name(&mut self) -> Result<Option<&'a [u8]>, CorruptItem> {
        let Some(count) = self.count.checked_sub(1) else { return Ok(None) };
        self.count = count;
        self.cursor.bytes().map(Some)
    }

    /// Reads the value of the attribute whose name was read last.
    #[inline]
    pub(super) fn value(&mut self) -> Result<ValueView<'a>, CorruptItem> {
        self.cursor.value()
    }

    /// Skips the value of the attribute whose name was read last, which is cheaper than reading it.
    #[inline]
    pub(super) fn skip_value(&mut self) -> Result<(), CorruptItem> {
        self.cursor.skip_value()
    }

    /// The next attribute whose name is wanted. The values of all others are skipped, not read.
    #[inline]
    pub fn next_wanted(
        &mut self,
        mut wanted: impl FnMut(&'a [u8]) -> bool,
    ) -> Result<Option<ValueView<'a>>, CorruptItem> {
        while let Some(name) = self.next_name()? {
            if wanted(name) {
                return self.value().map(Some);
            }
            self.skip_value()?;
        }
        Ok(None)
    }

    /// The names alone.
    pub fn names(self) -> impl Iterator<Item = Result<&'a [u8], CorruptItem>> {
        let mut walk = Some(Walk::over(&self));
        std::iter::from_fn(move || {
            let name = walk.as_mut()?.step().transpose()?.map(|step| step.name);
            Some(name.inspect_err(|_| walk = None))
        })
    }
}

impl<'a> Iterator for Attributes<'a> {
    type Item = Result<(&'a [u8], ValueView<'a>), CorruptItem>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.count = self.count.checked_sub(1)?;
        let name = self.cursor.bytes();
        Some(name.and_then(|name| Ok((name, self.cursor.value()?))).inspect_err(|_| self.count = 0))
    }
}

/// The values of a list, one after the other.
#[derive(Debug, Clone, Copy)]
pub struct Values<'a> {
    cursor: Cursor<'a>,
    count: usize,
}

impl<'a> Values<'a> {
    /// How many are left.
    pub fn count_left(&self) -> usize {
        self.count
    }

    /// The bytes of those that are left.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.cursor.0
    }

    /// Skips one, which is cheaper than reading it; returns whether there was one.
    pub(super) fn skip_next(&mut self) -> Result<bool, CorruptItem> {
        let Some(count) = self.count.checked_sub(1) else { return Ok(false) };
        self.count = count;
        self.cursor.skip_value()?;
        Ok(true)
    }
}

impl<'a> Iterator for Values<'a> {
    type Item = Result<ValueView<'a>, CorruptItem>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.count = self.count.checked_sub(1)?;
        Some(self.cursor.value().inspect_err(|_| self.count = 0))
    }
}

/// The members of a set, one after the other.
#[derive(Debug, Clone, Copy)]
pub struct Members<'a> {
    cursor: Cursor<'a>,
    count: usize,
}

impl<'a> Iterator for Members<'a> {
    type Item = Result<&'a [u8], CorruptItem>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.count = self.count.checked_sub(1)?;
        Some(self.cursor.bytes().inspect_err(|_| self.count = 0))
    }
}

/// What is left to read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor<'a>(pub(super) &'a [u8]);

impl<'a> Cursor<'a> {
    #[inline]
    pub(super) fn byte(&mut self) -> Result<u8, CorruptItem> {
        let (first, rest) = self.0.split_first().ok_or(CorruptItem("truncated"))?;
        self.0 = rest;
        Ok(*first)
    }

    /// A varint: seven bits a byte, lowest first, the top bit set on all but the last.
    #[inline]
    pub(super) fn length(&mut self) -> Result<usize, CorruptItem> {
        let first = self.byte()?;
        if first & 0x80 == 0 {
            return Ok(usize::from(first));
        }
        self.long_length(first)
    }

    /// The rest of a varint of two to five bytes.
    fn long_length(&mut self, first: u8) -> Result<usize, CorruptItem> {
        let mut length = usize::from(first & 0x7F);
        for shift in [7, 14, 21, 28] {
            let byte = self.byte()?;
            length |= usize::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Ok(length);
            }
        }
        Err(CorruptItem("length is too long"))
    }

    #[inline]
    pub(super) fn bytes(&mut self) -> Result<&'a [u8], CorruptItem> {
        let length = self.length()?;
        self.take(length)
    }

    #[inline]
    fn take(&mut self, length: usize) -> Result<&'a [u8], CorruptItem> {
        let (bytes, rest) = self.0.split_at_checked(length).ok_or(CorruptItem("truncated"))?;
        self.0 = rest;
        Ok(bytes)
    }

    /// A container's content: what it holds, and how many.
    #[inline]
    fn container(&mut self) -> Result<(Cursor<'a>, usize), CorruptItem> {
        let mut content = Cursor(self.bytes()?);
        let count = content.length()?;
        Ok((content, count))
    }

    #[inline]
    fn members(&mut self) -> Result<Members<'a>, CorruptItem> {
        let (cursor, count) = self.container()?;
        Ok(Members { cursor, count })
    }

    #[inline]
    pub(super) fn skip_value(&mut self) -> Result<(), CorruptItem> {
        match self.byte()? {
            tag::FALSE | tag::TRUE | tag::NULL => Ok(()),
            tag::STRING
            | tag::NUMBER
            | tag::BINARY
            | tag::LIST
            | tag::MAP
            | tag::STRING_SET
            | tag::NUMBER_SET
            | tag::BINARY_SET => self.bytes().map(drop),
            _ => Err(CorruptItem("unknown type tag")),
        }
    }

    /// It is taken into each of the few loops that read values: most of them go on to tell the
    /// types apart, as this does.
    #[inline(always)]
    pub(super) fn value(&mut self) -> Result<ValueView<'a>, CorruptItem> {
        Ok(match self.byte()? {
            tag::STRING => ValueView::String(self.bytes()?),
            tag::NUMBER => ValueView::Number(self.bytes()?),
            tag::BINARY => ValueView::Binary(self.bytes()?),
            tag::FALSE => ValueView::Bool(false),
            tag::TRUE => ValueView::Bool(true),
            tag::NULL => ValueView::Null,
            tag::LIST => {
                let (cursor, count) = self.container()?;
                ValueView::List(Values { cursor, count })
            }
            tag::MAP => {
                let (cursor, count) = self.container()?;
                ValueView::Map(Attributes { cursor, count })
            }
            tag::STRING_SET => ValueView::StringSet(self.members()?),
            tag::NUMBER_SET => ValueView::NumberSet(self.members()?),
            tag::BINARY_SET => ValueView::BinarySet(self.members()?),
            _ => return Err(CorruptItem("unknown type tag")),
        })
    }
}
