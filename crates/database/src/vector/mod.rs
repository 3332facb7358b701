//! Vector indexes: which items are nearest to a vector.
//!
//! A vector index holds an entry for each item that has a vector: the vector as 32-bit numbers, and
//! the projected attributes. Entries are derived from the items alone and are maintained like those
//! of other indexes, in the item's own transaction. A search reads the entries of one partition of
//! the index, or all of them if it has no partitions, and keeps the nearest: it is exact, sees
//! every acknowledged write, and finds the same on every server.
//!
//! Sketches of the vectors in memory speed up searches of many entries: they tell which entries
//! need not be read. They do not change the result.
//!
//! Reading order: `schema` defines a vector index, `value` a vector, `entry` makes the entry of an
//! item, `distance` compares vectors, and `search` finds the `nearest`. Then `sketch` shows what
//! eight bits a number tell about a distance, `sketched_range` keeps the sketches of a range in
//! `segment`s, and `sketches` those of a table within `sketch_memory`, whose `sketch_ledger` knows
//! which are searched. `sketching` builds them, and `prescan` uses them to search.

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
