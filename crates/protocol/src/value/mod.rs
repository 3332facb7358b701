//! Attribute values on the wire: `{"S": "text"}`, `{"L": [{"N": "1"}, {"NULL": true}]}`.
//!
//! Requests hold values in [`WireValue`] and [`WireItem`] and keys and items that are to be stored
//! in [`StoredItem`], responses hold items in [`ResponseItem`].

mod base64;
mod decode;
mod encode;
mod error;
mod given;
mod set;
mod stored_item;

pub use decode::{WireItem, WireValue};
pub use encode::ResponseItem;
pub use error::{InvalidAttribute, ValueError};
pub use stored_item::StoredItem;

#[cfg(test)]
mod tests;
