//! Why a migration cannot begin or go on.

use monotable_migration::MigrationError;

/// What went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The endpoint does not answer, or refuses.
    #[error(transparent)]
    Remote(#[from] monotable_remote::Error),
    /// The models do not allow it.
    #[error(transparent)]
    Migration(#[from] MigrationError),
    /// The models have several tables, and none has the name of the one that is to be migrated.
    #[error("none of the tables of the model is called {table}: they are {}", known.join(", "))]
    UnknownTable {
        /// The table.
        table: String,
        /// The tables of the models.
        known: Vec<String>,
    },
    /// The key of the table is not the one of the models.
    #[error("the key of table {table} is {found}, and in the models {expected}")]
    OtherKey {
        /// The table.
        table: String,
        /// The key that it has.
        found: String,
        /// The key in the models.
        expected: String,
    },
    /// The table lacks an index of the new model.
    #[error(
        "table {table} has no index {}: add what is missing with UpdateTable first, so that items \
         appear there as they are written", indexes.join(", ")
    )]
    MissingIndex {
        /// The table.
        table: String,
        /// The indexes that are missing.
        indexes: Vec<String>,
    },
    /// The table has a number as its key, which no checkpoint can have.
    #[error(
        "table {table} has no room for checkpoints, since its key is a number: name another table \
         with --checkpoint-table"
    )]
    NoRoomForCheckpoints {
        /// The table.
        table: String,
    },
    /// There is an item where a checkpoint would go that is none.
    #[error(
        "table {table} has an item of its own under the key {key}: name another table with \
         --checkpoint-table"
    )]
    CheckpointTaken {
        /// The table.
        table: String,
        /// The key.
        key: String,
    },
    /// The checkpoint is of another migration.
    #[error(
        "another migration of {table} has begun and not ended (checkpoint {key}, models {found}): \
         let it end first, or begin this one with --restart, which forgets how far the other has \
         come"
    )]
    OtherMigration {
        /// The table that is migrated.
        table: String,
        /// The key of the checkpoint.
        key: String,
        /// The models that it belongs to, as a hash of both.
        found: String,
    },
    /// A checkpoint is not what was written.
    #[error("the checkpoint {key} cannot be read: begin again with --restart")]
    CorruptCheckpoint {
        /// The key of the checkpoint.
        key: String,
    },
    /// A part of the work ended without saying why.
    #[error("a segment ended without an answer: {reason}")]
    LostSegment {
        /// What the runtime says.
        reason: String,
    },
}
