//! A server on the store that was chosen when it started.
//!
//! ```text
//! store.rs  one type for the engines in memory, on disk and on a database
//! node.rs   the database, its API and its server on such a store
//! ```
//!
//! The database, the API and the server are compiled for one type of engine each. That happens
//! here and nowhere else: this crate is optimised for speed, and the commands of the binary, which
//! run once or wait for a person, for size. So nothing that is public here is generic or an `async
//! fn`; either would be compiled where it is called.

mod node;
mod store;

pub use crate::node::{Node, Serving, Stopped, Work};
pub use crate::store::{Store, StoreSnapshot};
