//! What the service cannot change about a table.

use thiserror::Error;

/// A difference that no request can remove.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Obstacle {
    /// The key of the table differs.
    #[error(
        "the key of {table} is {found}, and the model says {wanted}: a key cannot be changed. Give \
         the table another name in the model, apply it, and move the items"
    )]
    Key {
        /// The table.
        table: String,
        /// The key as it is.
        found: String,
        /// The key as the model has it.
        wanted: String,
    },
    /// A local index differs, or is not there.
    #[error(
        "the local index {index} of {table} {difference}: local indexes are made with the table \
         and never changed. Make it a global index in the model, or give the table another name \
         and move the items"
    )]
    LocalIndex {
        /// The table.
        table: String,
        /// The index.
        index: String,
        /// How it differs.
        difference: &'static str,
    },
    /// A local index is there and not in the model.
    #[error(
        "{table} has a local index {index} that the model does not have: local indexes go only \
         with their table. Add it to the model, or give the table another name and move the items"
    )]
    ExtraLocalIndex {
        /// The table.
        table: String,
        /// The index.
        index: String,
    },
    /// An attribute is part of a key with another type.
    #[error(
        "the key attribute {attribute} of {table} is {found}, and the model says {wanted}: other \
         keys hold it with that type. Use another attribute in the model"
    )]
    KeyType {
        /// The table.
        table: String,
        /// The attribute.
        attribute: String,
        /// The type as it is.
        found: String,
        /// The type as the model has it.
        wanted: String,
    },
}
