//! Attribute values on the wire: `{"S": "text"}`, `{"L": [{"N": "1"}, {"NULL": true}]}`.
//!
//! Requests hold values in [`WireValue`] and [`WireItem`], responses in [`ResponseItem`].

mod base64;
mod decode;
mod encode;
mod error;
mod set;

pub use decode::{WireItem, WireValue};
pub use encode::ResponseItem;
pub use error::{InvalidAttribute, ValueError};

#[cfg(test)]
mod tests;
