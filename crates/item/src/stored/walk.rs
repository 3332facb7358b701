//! A walk over the attributes of an item, past values that are not read.
//!
//! It goes by positions in the bytes of the item, not by a cursor that gets shorter: a step is then
//! a few additions, and what a step needs stays in registers. Lengths below 128 are one byte, and
//! the walk is written for them; the few others are read out of line.

use super::view::{Attributes, Cursor};
use super::{CorruptItem, tag};

const TRUNCATED: CorruptItem = CorruptItem("truncated");

/// Where the next attribute begins, and how many there are from there on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Walk<'a> {
    bytes: &'a [u8],
    at: usize,
    left: usize,
}

/// Where an attribute lies: its name ends where its value begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    name: usize,
    value: usize,
}

impl<'a> Walk<'a> {
    #[inline]
    pub(super) fn over(attributes: &Attributes<'a>) -> Walk<'a> {
        Walk { bytes: attributes.rest(), at: 0, left: attributes.count_left() }
    }

    /// Goes past the next attribute, if there is one. That its value is whole is known when it is
    /// asked for, and with the next step.
    #[inline(always)]
    pub(super) fn step(&mut self) -> Result<Option<Step>, CorruptItem> {
        let Some(left) = self.left.checked_sub(1) else {
            return if self.at <= self.bytes.len() { Ok(None) } else { Err(TRUNCATED) };
        };
        self.left = left;
        let (step, after) = match short_step(self.bytes, self.at) {
            Some(found) => found,
            None => any_step(self.bytes, self.at)?,
        };
        self.at = after;
        Ok(Some(step))
    }

    #[inline]
    pub(super) fn name(&self, step: Step) -> &'a [u8] {
        self.bytes.get(step.name..step.value).unwrap_or_default()
    }

    /// The value that the last step went past, and all that follows it.
    #[inline]
    pub(super) fn value(&self, step: Step) -> Result<&'a [u8], CorruptItem> {
        if self.at > self.bytes.len() {
            return Err(TRUNCATED);
        }
        self.bytes.get(step.value..).ok_or(TRUNCATED)
    }

    /// Returns whether a name is less than one that begins with these eight bytes. It may be wrong
    /// in saying no.
    ///
    /// With what follows a short name its bytes are no less than without, so a name that is less
    /// with it is less.
    #[inline(always)]
    pub(super) fn is_before(&self, step: Step, head: u64) -> bool {
        let first = self.bytes.get(step.name..).and_then(<[u8]>::first_chunk);
        first.is_some_and(|first| u64::from_be_bytes(*first) < head)
    }

    /// The first eight bytes of a name; a shorter one ends with zeros.
    #[inline]
    pub(super) fn head(&self, step: Step) -> u64 {
        let bytes = self.bytes.get(step.name..).unwrap_or_default();
        name_head(bytes, step.value - step.name)
    }
}

/// An attribute whose name and value have short lengths, and where it ends.
#[inline(always)]
fn short_step(bytes: &[u8], at: usize) -> Option<(Step, usize)> {
    let length @ ..0x80 = *bytes.get(at)? else { return None };
    let name = at + 1;
    let value = name + usize::from(length);
    let after = match *bytes.get(value)? {
        tag::FALSE | tag::TRUE | tag::NULL => value + 1,
        tag::STRING
        | tag::NUMBER
        | tag::BINARY
        | tag::LIST
        | tag::MAP
        | tag::STRING_SET
        | tag::NUMBER_SET
        | tag::BINARY_SET => {
            let length @ ..0x80 = *bytes.get(value + 1)? else { return None };
            value + 2 + usize::from(length)
        }
        _ => return None,
    };
    Some((Step { name, value }, after))
}

/// The same with lengths of any size, and what is wrong with it if it cannot be read.
#[cold]
fn any_step(bytes: &[u8], at: usize) -> Result<(Step, usize), CorruptItem> {
    let mut cursor = Cursor(bytes.get(at..).ok_or(TRUNCATED)?);
    let length = cursor.bytes()?.len();
    let value = bytes.len() - cursor.0.len();
    cursor.skip_value()?;
    Ok((Step { name: value - length, value }, bytes.len() - cursor.0.len()))
}

/// The first eight bytes of a name of so many bytes that these bytes begin with; a shorter one ends
/// with zeros.
#[inline]
pub(super) fn name_head(bytes: &[u8], length: usize) -> u64 {
    match bytes.first_chunk() {
        Some(first) if length >= 8 => u64::from_be_bytes(*first),
        Some(first) => u64::from_be_bytes(*first) & !(u64::MAX >> (8 * length)),
        None => short_head(bytes.get(..length).unwrap_or_default()),
    }
}

/// The same near the end of an item, where less than eight bytes are left.
fn short_head(name: &[u8]) -> u64 {
    let mut head = [0; 8];
    head.iter_mut().zip(name).for_each(|(place, byte)| *place = *byte);
    u64::from_be_bytes(head)
}
