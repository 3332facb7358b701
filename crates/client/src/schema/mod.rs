//! What the derives say about tables and entities, and what the client makes of it.
//!
//! A derive writes a constant [`EntityDefinition`] or [`TableDefinition`]: names, types and key
//! templates as texts. The first use makes a schema of it, with parsed templates, in the terms of
//! the model document; keys are built by that crate alone, so that code, model files and the
//! server agree on every byte.

mod codec;
mod definition;
mod entity;
mod index_upkeep;
mod pattern;
mod scan;
mod table;
mod version;

pub use codec::{MemberError, Members, map_of, put_attribute, put_member, read_member};
pub use definition::{
    AttributeDefinition, EntityDefinition, IndexDefinition, IndexKeysDefinition, KeyColumn,
    OlderDefinition, ProjectionDefinition, TableDefinition, UniqueDefinition, prefixes_overlap,
    same_text,
};
pub use entity::EntitySchema;
pub use monotable_item::Type;
pub use monotable_item::key_encoding::KeyType;
pub use pattern::PatternSchema;
pub(crate) use pattern::{fingerprint, sort_bytes};
pub use scan::ScanSchema;
pub use table::TableSchema;

/// The type of a part of an entity's partition key, counted from 0. The derive implements it, so
/// that a collection can take the parts of its members.
pub trait PartitionPart<const NUMBER: usize> {
    /// The type of the field.
    type Type: crate::Attribute;
}
