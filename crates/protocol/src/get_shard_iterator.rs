//! `GetShardIterator`: gives a place in a shard to read from.

wire_struct! {
    /// The request of `GetShardIterator`.
    pub struct GetShardIteratorRequest: Decode {
        /// The stream.
        pub stream_arn: String = "StreamArn",
        /// The shard.
        pub shard_id: String = "ShardId",
        /// `TRIM_HORIZON`, `LATEST`, `AT_SEQUENCE_NUMBER` or `AFTER_SEQUENCE_NUMBER`.
        pub shard_iterator_type: String = "ShardIteratorType",
        /// The sequence number, for the types that need one.
        pub sequence_number: String = "SequenceNumber",
    }
}

wire_struct! {
    /// The response of `GetShardIterator`.
    pub struct GetShardIteratorResponse: Encode {
        /// The place.
        pub shard_iterator: String = "ShardIterator",
    }
}
