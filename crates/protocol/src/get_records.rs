//! `GetRecords`: reads records of a shard.
//!
//! A record's own members begin with a small letter, those of the change inside it with a capital.

use crate::ResponseItem;
use crate::shapes::Timestamp;

wire_struct! {
    /// The request of `GetRecords`.
    pub struct GetRecordsRequest: Decode {
        /// The place to read from.
        pub shard_iterator: String = "ShardIterator",
        /// The most records to return.
        pub limit: i32 = "Limit",
    }
}

wire_struct! {
    /// The response of `GetRecords`.
    pub struct GetRecordsResponse: Encode {
        /// The records, in order.
        pub records: Vec<Record> = "Records",
        /// The place after them, unless the shard has ended there.
        pub next_shard_iterator: String = "NextShardIterator",
    }
}

wire_struct! {
    /// A change of an item, and where it comes from.
    pub struct Record: Encode {
        /// An id that no other record has.
        pub event_id: String = "eventID",
        /// `INSERT`, `MODIFY` or `REMOVE`.
        pub event_name: String = "eventName",
        /// The version of the record's form.
        pub event_version: String = "eventVersion",
        /// `aws:dynamodb`.
        pub event_source: String = "eventSource",
        /// The region of the table.
        pub aws_region: String = "awsRegion",
        /// The change.
        pub dynamodb: StreamRecord = "dynamodb",
        /// Who caused it, if it was not a client.
        pub user_identity: Identity = "userIdentity",
    }
}

wire_struct! {
    /// A change of an item.
    pub struct StreamRecord: Encode {
        /// When it happened, to the second.
        pub approximate_creation_date_time: Timestamp = "ApproximateCreationDateTime",
        /// The item's key.
        pub keys: ResponseItem = "Keys",
        /// The item after the change.
        pub new_image: ResponseItem = "NewImage",
        /// The item before the change.
        pub old_image: ResponseItem = "OldImage",
        /// Its place in the order of the shard's records.
        pub sequence_number: String = "SequenceNumber",
        /// The size of the keys and images.
        pub size_bytes: i64 = "SizeBytes",
        /// What the stream holds.
        pub stream_view_type: String = "StreamViewType",
    }
}

wire_struct! {
    /// Who caused a change.
    pub struct Identity: Encode {
        /// For the expiry of an item, `dynamodb.amazonaws.com`.
        pub principal_id: String = "PrincipalId",
        /// For the expiry of an item, `Service`.
        pub kind: String = "Type",
    }
}
