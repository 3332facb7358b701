//! Attribute values on the wire: `{"S": "text"}`, `{"L": [{"N": "1"}, {"NULL": true}]}`.
//!
//! Requests hold values in [`WireValue`] and [`WireItem`] and items that are to be stored in [`NewItem`],
//! responses hold items in [`ResponseItem`].

mod base64;
mod decode;
mod encode;
mod error;
mod new_item;
mod set;

pub use decode::{WireItem, WireValue};
pub use encode::ResponseItem;
pub use error::{InvalidAttribute, ValueError};
pub use new_item::NewItem;

#[cfg(test)]
mod tests;
