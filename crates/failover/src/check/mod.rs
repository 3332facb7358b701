//! Whether a history can be true.
//!
//! - [`order`]: together with the stream, which says in which order the values of each item
//!   came, all operations fit into one order that agrees with real time,
//! - [`registers`]: the history of each item alone is linearizable, whatever the stream says.

pub(crate) mod order;
pub(crate) mod registers;
