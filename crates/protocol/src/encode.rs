//! From Rust types to JSON tokens.

use std::collections::BTreeMap;
use std::convert::Infallible;

use monotable_item::stored::CorruptItem;

use crate::json::Writer;

/// Room for what a response holds beside its items.
const BODY_BYTES_MIN: usize = 128;

/// A type that can be written as JSON: all that responses hold, and what is sent back or hashed of
/// requests.
///
/// Responses hold stored items as they lie on disk, so writing one can find that it is corrupt.
pub trait Encode {
    /// Writes the value.
    fn encode(&self, writer: &mut Writer) -> Result<(), CorruptItem>;

    /// About how many bytes the value takes, if it can be large. A response is written into one
    /// buffer, which should not have to grow.
    fn room_bytes(&self) -> usize {
        0
    }
}

/// Writes a value as JSON, such as a whole response body. Equal values have equal bytes: maps are
/// sorted, and numbers have one form.
pub fn encode_json<T: Encode>(value: &T) -> Result<Vec<u8>, CorruptItem> {
    let mut writer = Writer::with_capacity(BODY_BYTES_MIN + value.room_bytes());
    value.encode(&mut writer)?;
    Ok(writer.into_bytes())
}

/// The response of an action that is always refused.
impl Encode for Infallible {
    fn encode(&self, _: &mut Writer) -> Result<(), CorruptItem> {
        match *self {}
    }
}

impl<T: Encode> Encode for Box<T> {
    fn encode(&self, writer: &mut Writer) -> Result<(), CorruptItem> {
        T::encode(self, writer)
    }

    fn room_bytes(&self) -> usize {
        T::room_bytes(self)
    }
}

impl Encode for String {
    fn encode(&self, writer: &mut Writer) -> Result<(), CorruptItem> {
        writer.string(self);
        Ok(())
    }
}

impl Encode for bool {
    fn encode(&self, writer: &mut Writer) -> Result<(), CorruptItem> {
        writer.boolean(*self);
        Ok(())
    }
}

impl Encode for i32 {
    fn encode(&self, writer: &mut Writer) -> Result<(), CorruptItem> {
        writer.integer(i64::from(*self));
        Ok(())
    }
}

impl Encode for i64 {
    fn encode(&self, writer: &mut Writer) -> Result<(), CorruptItem> {
        writer.integer(*self);
        Ok(())
    }
}

impl Encode for f64 {
    fn encode(&self, writer: &mut Writer) -> Result<(), CorruptItem> {
        writer.float(*self);
        Ok(())
    }
}

impl<T: Encode> Encode for Vec<T> {
    fn encode(&self, writer: &mut Writer) -> Result<(), CorruptItem> {
        writer.begin_array();
        for element in self {
            element.encode(writer)?;
        }
        writer.end_array();
        Ok(())
    }

    fn room_bytes(&self) -> usize {
        self.iter().map(Encode::room_bytes).sum()
    }
}

impl<T: Encode> Encode for BTreeMap<String, T> {
    fn encode(&self, writer: &mut Writer) -> Result<(), CorruptItem> {
        writer.begin_object();
        for (name, value) in self {
            writer.key(name);
            value.encode(writer)?;
        }
        writer.end_object();
        Ok(())
    }

    fn room_bytes(&self) -> usize {
        self.values().map(Encode::room_bytes).sum()
    }
}
