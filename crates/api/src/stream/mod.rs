//! The names that clients have for streams, for their shards, and for places in them.

pub(crate) mod arn;
pub(crate) mod iterator;
pub(crate) mod sequence_number;
pub(crate) mod shard_id;
