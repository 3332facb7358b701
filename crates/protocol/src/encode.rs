//! From Rust types to JSON tokens.

use std::collections::BTreeMap;

use monotable_item::stored::CorruptItem;

use crate::json::Writer;

/// Room for the body of most responses, so that the buffer seldom grows.
const BODY_BYTES_USUAL: usize = 1024;

/// A type that a response can hold.
///
/// Responses hold stored items as they lie on disk, so writing one can find that it is corrupt.
pub trait Encode {
    /// Writes the value.
    fn encode(&self, writer: &mut Writer) -> Result<(), CorruptItem>;
}

/// Writes a whole response body.
pub fn encode_response<T: Encode>(response: &T) -> Result<Vec<u8>, CorruptItem> {
    let mut writer = Writer::with_capacity(BODY_BYTES_USUAL);
    response.encode(&mut writer)?;
    Ok(writer.into_bytes())
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
}
