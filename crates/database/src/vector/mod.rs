//! Vector indexes: which items are nearest to a vector.
//!
//! A vector index holds an entry for each item that has a vector: the vector as 32-bit numbers, and
//! the projected attributes. Entries follow from the items alone and are kept like those of other
//! indexes, in the item's own transaction. A search reads the entries of one partition of the
//! index, or all if it has no partitions, and keeps the nearest: it is exact, sees every write that
//! was acknowledged, and finds the same on every server.
//!
//! Reading order: `schema` says what a vector index is, `value` what a vector is, `entry` makes the
//! entry of an item, `distance` compares vectors, and `search` finds the nearest.

mod distance;
mod entry;
mod schema;
mod search;
mod value;

pub use schema::{Distance, SearchAttribute, SearchRole, VectorIndexDefinition, VectorIndexSchema};
pub use search::{VectorMatch, VectorSearch};
pub use value::{VectorProblem, read_numbers};

pub(crate) use entry::{VectorEntry, entry};
pub(crate) use value::{check_changed_vectors, check_vectors, vector_excess_bytes};
