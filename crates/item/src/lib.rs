//! Values, numbers, keys and stored items: the bytes of DynamoDB's data model.
//!
//! Everything here is a plain function of its arguments: no I/O, no clock, no async. From the
//! bottom up: a [`Number`] is an exact decimal, a [`Value`] one of ten types, an [`Item`] a map of
//! them. [`size`](item_size_bytes) counts them as DynamoDB does, [`capacity`] is what such sizes
//! cost, [`key_encoding`] turns key values into bytes that sort as the values do, and [`stored`] is
//! the form in which items lie on disk.
//!
//! ```text
//! number, plain_number   exact decimals, and the short way for those that are sent as they print
//! value, nesting         the ten types, and how deep they lie in each other
//! path                   where in an item a value lies
//! size, capacity         bytes, and the units that they cost
//! key_encoding           key values as bytes in their order
//! stored                 items as bytes, read and edited in place
//! limits                 what DynamoDB allows of all that, each limit named once
//! ```

pub mod capacity;
pub mod key_encoding;
pub mod limits;
pub mod stored;

mod nesting;
mod number;
mod path;
mod plain_number;
mod size;
mod value;

pub use nesting::item_nesting;
pub use number::{Number, NumberError};
pub use path::{Path, Step};
pub use size::{item_size_bytes, value_size_bytes};
pub use value::{Item, Map, Type, Value};
