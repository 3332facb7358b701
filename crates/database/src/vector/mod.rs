//! Vector indexes: which items are nearest to a vector.
//!
//! A vector index holds an entry for each item that has a vector: the vector as 32-bit numbers, and
//! the projected attributes. Entries follow from the items alone and are kept like those of other
//! indexes, in the item's own transaction. A search reads the entries of one partition of the
//! index, or all if it has no partitions, and keeps the nearest: it is exact, sees every write that
//! was acknowledged, and finds the same on every server.
//!
//! Searching many entries is made faster by sketches of their vectors in memory, which say what
//! need not be looked at. They change nothing about what is found.
//!
//! Reading order: `schema` says what a vector index is, `value` what a vector is, `entry` makes the
//! entry of an item, `distance` compares vectors, and `search` finds the `nearest`. Then `sketch`
//! says what can be known of a distance from eight bits a number, `sketched_range` keeps the
//! sketches of a range in `segment`s, `sketches` those of a table within `sketch_memory`, whose
//! `sketch_ledger` knows which are searched. `sketching` makes them, and `prescan` searches by
//! them.

mod distance;
mod entry;
mod nearest;
mod prescan;
mod product;
mod schema;
mod search;
mod segment;
mod sketch;
mod sketch_ledger;
mod sketch_memory;
mod sketched_range;
mod sketches;
mod sketching;
mod value;

pub use schema::{Distance, SearchAttribute, SearchRole, VectorIndexDefinition, VectorIndexSchema};
pub use search::{VectorMatch, VectorSearch};
pub use sketch_memory::{VectorOptions, VectorStatistics};
pub use value::{VectorProblem, read_numbers};

pub(crate) use entry::{VectorEntry, entry};
pub(crate) use sketch_memory::SketchMemory;
pub(crate) use sketches::Sketches;
pub(crate) use value::{check_changed_vectors, check_vectors, vector_excess_bytes};
