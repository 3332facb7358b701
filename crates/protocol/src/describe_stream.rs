//! `DescribeStream`: tells what a stream is, and names its shards, a page at a time.

use crate::shapes::{KeySchemaElement, Timestamp};

wire_struct! {
    /// The request of `DescribeStream`.
    pub struct DescribeStreamRequest: Decode {
        /// The stream.
        pub stream_arn: String = "StreamArn",
        /// The most shards to return.
        pub limit: i32 = "Limit",
        /// The shard after which the page starts.
        pub exclusive_start_shard_id: String = "ExclusiveStartShardId",
        /// Which shards are wanted.
        pub shard_filter: ShardFilter = "ShardFilter",
    }
}

wire_struct! {
    /// Which shards of a stream are wanted.
    pub struct ShardFilter: Decode {
        /// `CHILD_SHARDS`.
        pub kind: String = "Type",
        /// The shard whose children are wanted.
        pub shard_id: String = "ShardId",
    }
}

wire_struct! {
    /// The response of `DescribeStream`.
    pub struct DescribeStreamResponse: Encode {
        /// The stream.
        pub stream_description: StreamDescription = "StreamDescription",
    }
}

wire_struct! {
    /// A stream and some of its shards.
    pub struct StreamDescription: Encode {
        /// Its Amazon resource name.
        pub stream_arn: String = "StreamArn",
        /// The moment it began, as text.
        pub stream_label: String = "StreamLabel",
        /// `ENABLING`, `ENABLED`, `DISABLING` or `DISABLED`.
        pub stream_status: String = "StreamStatus",
        /// `KEYS_ONLY`, `NEW_IMAGE`, `OLD_IMAGE` or `NEW_AND_OLD_IMAGES`.
        pub stream_view_type: String = "StreamViewType",
        /// When it began.
        pub creation_request_date_time: Timestamp = "CreationRequestDateTime",
        /// The table's name.
        pub table_name: String = "TableName",
        /// The table's key.
        pub key_schema: Vec<KeySchemaElement> = "KeySchema",
        /// The shards of the page.
        pub shards: Vec<Shard> = "Shards",
        /// Where the next page starts, if there is one.
        pub last_evaluated_shard_id: String = "LastEvaluatedShardId",
    }
}

wire_struct! {
    /// A shard of a stream.
    pub struct Shard: Encode {
        /// Its id.
        pub shard_id: String = "ShardId",
        /// The sequence numbers that its records can have.
        pub sequence_number_range: SequenceNumberRange = "SequenceNumberRange",
        /// The shard that it follows.
        pub parent_shard_id: String = "ParentShardId",
    }
}

wire_struct! {
    /// The sequence numbers that the records of a shard can have.
    pub struct SequenceNumberRange: Encode {
        /// The first.
        pub starting_sequence_number: String = "StartingSequenceNumber",
        /// The last, if the shard is closed.
        pub ending_sequence_number: String = "EndingSequenceNumber",
    }
}
