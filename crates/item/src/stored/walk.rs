//! A walk over the attributes of an item, past values that are not read.
//!
//! Nearly all names and values have lengths below 128, which are one byte, and the walk is written
//! for them: what it looks at of an attribute, it looks at with few questions about where the bytes
//! end. All others are read out of line.

use super::view::{Attributes, Cursor};
use super::{CorruptItem, tag};

const TRUNCATED: CorruptItem = CorruptItem("truncated");

/// The attributes that are left, and how many these are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Walk<'a> {
    rest: &'a [u8],
    left: usize,
}

/// An attribute that the walk went past.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step<'a> {
    pub(super) name: &'a [u8],
    /// The value, and all that follows it.
    pub(super) value: &'a [u8],
    /// The first eight bytes of the name, and of what follows it if it is shorter.
    pub(super) first: u64,
}

/// Where the parts of an attribute lie, from its beginning on.
struct Passed {
    value: usize,
    after: usize,
    /// The first eight bytes of the name, and of what follows it if it is shorter.
    first: u64,
}

impl Step<'_> {
    /// The first eight bytes of the name; a shorter one ends with zeros.
    #[inline]
    pub(super) fn head(&self) -> u64 {
        self.first & head_mask(self.name.len())
    }
}

impl<'a> Walk<'a> {
    #[inline]
    pub(super) fn over(attributes: &Attributes<'a>) -> Walk<'a> {
        Walk { rest: attributes.rest(), left: attributes.count_left() }
    }

    /// Goes past the next attribute, if there is one.
    #[inline]
    pub(super) fn step(&mut self) -> Result<Option<Step<'a>>, CorruptItem> {
        self.step_from(0)
    }

    /// The same past all attributes before it whose names are less than one that begins with these
    /// eight bytes. It may stop at one that is less.
    ///
    /// With what follows a short name its bytes are no less than without, so a name that is less
    /// with it is less.
    #[inline]
    pub(super) fn step_from(&mut self, head: u64) -> Result<Option<Step<'a>>, CorruptItem> {
        let Walk { mut rest, mut left } = *self;
        while left > 0 {
            left -= 1;
            let from = rest;
            let Some(Passed { value, after, first }) = short_step(from) else {
                let (step, after) = any_step(from)?;
                rest = after;
                if step.first < head {
                    continue;
                }
                *self = Walk { rest, left };
                return Ok(Some(step));
            };
            rest = from.get(after..).ok_or(TRUNCATED)?;
            if first >= head {
                *self = Walk { rest, left };
                let (name, value) = from.split_at_checked(value).ok_or(TRUNCATED)?;
                return Ok(Some(Step { name: name.get(1..).unwrap_or_default(), value, first }));
            }
        }
        *self = Walk { rest, left };
        Ok(None)
    }
}

/// Where the value of an attribute begins and where it ends, if its name, which begins at 1, has a
/// short length and its value one of up to two bytes.
#[inline(always)]
fn short_step(rest: &[u8]) -> Option<Passed> {
    let [length @ ..0x80, first @ ..] = *rest.first_chunk::<9>()? else { return None };
    let value = 1 + usize::from(length);
    let size = *rest.get(value + 1)?;
    let after = match *rest.get(value)? {
        tag::FALSE | tag::TRUE | tag::NULL => value + 1,
        tag::STRING
        | tag::NUMBER
        | tag::BINARY
        | tag::LIST
        | tag::MAP
        | tag::STRING_SET
        | tag::NUMBER_SET
        | tag::BINARY_SET => match size {
            ..0x80 => value + 2 + usize::from(size),
            0x80.. => {
                let more @ ..0x80 = *rest.get(value + 2)? else { return None };
                value + 3 + usize::from(size & 0x7F) + (usize::from(more) << 7)
            }
        },
        _ => return None,
    };
    Some(Passed { value, after, first: u64::from_be_bytes(first) })
}

/// The same with lengths of any size and near the end of an item, and what is wrong with it if it
/// cannot be read.
#[cold]
fn any_step(rest: &[u8]) -> Result<(Step<'_>, &[u8]), CorruptItem> {
    let mut cursor = Cursor(rest);
    let name = cursor.bytes()?;
    let value = cursor.0;
    cursor.skip_value()?;
    Ok((Step { name, value, first: name_head(name) }, cursor.0))
}

/// The first eight bytes of a name; a shorter one ends with zeros.
#[inline]
pub(super) fn name_head(name: &[u8]) -> u64 {
    match name.first_chunk() {
        Some(first) => u64::from_be_bytes(*first),
        None => {
            let mut head = [0; 8];
            head.iter_mut().zip(name).for_each(|(place, byte)| *place = *byte);
            u64::from_be_bytes(head)
        }
    }
}

/// Which of eight bytes belong to a name of so many bytes.
#[inline]
pub(super) fn head_mask(length: usize) -> u64 {
    if length >= 8 { u64::MAX } else { !(u64::MAX >> (8 * length)) }
}
