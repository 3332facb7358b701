//! `GetShardIterator`: gives a place in a shard to read from.

use crate::shapes::Timestamp;

wire_struct! {
    /// The request of `GetShardIterator`.
    pub struct GetShardIteratorRequest: Decode {
        /// The stream.
        pub stream_arn: String = "StreamArn",
        /// The shard.
        pub shard_id: String = "ShardId",
        /// `TRIM_HORIZON`, `LATEST`, `AT_SEQUENCE_NUMBER`, `AFTER_SEQUENCE_NUMBER` or
        /// `AT_TIMESTAMP`.
        pub shard_iterator_type: String = "ShardIteratorType",
        /// The sequence number, for the types that need one.
        pub sequence_number: String = "SequenceNumber",
        /// The time, for the type that needs one.
        pub timestamp: Timestamp = "Timestamp",
    }
}

wire_struct! {
    /// The response of `GetShardIterator`.
    pub struct GetShardIteratorResponse: Encode {
        /// The place.
        pub shard_iterator: String = "ShardIterator",
    }
}
