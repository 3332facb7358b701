//! Secondary indexes, as they are asked for and as they are described.

use super::{
    GlobalSecondaryIndexWarmThroughputDescription, KeySchemaElement, OnDemandThroughput,
    ProvisionedThroughput, ProvisionedThroughputDescription, WarmThroughput,
};

wire_struct! {
    /// Which attributes an index holds beside the keys.
    pub struct Projection: Decode + Encode + Inspect {
        /// `ALL`, `KEYS_ONLY` or `INCLUDE`.
        pub projection_type: String = "ProjectionType",
        /// The names that `INCLUDE` adds.
        pub non_key_attributes: Vec<String> = "NonKeyAttributes",
    }
}

wire_struct! {
    /// A local secondary index to create.
    pub struct LocalSecondaryIndex: DecodeFew + Encode + Inspect {
        /// The index's name.
        pub index_name: String = "IndexName",
        /// Its key: the table's partition key and another sort key.
        pub key_schema: Vec<KeySchemaElement> = "KeySchema",
        /// What it holds.
        pub projection: Projection = "Projection",
    }
}

wire_struct! {
    /// A global secondary index to create.
    pub struct GlobalSecondaryIndex: DecodeFew + Encode + Inspect {
        /// The index's name.
        pub index_name: String = "IndexName",
        /// Its key: up to four partition key attributes and up to four sort key attributes.
        pub key_schema: Vec<KeySchemaElement> = "KeySchema",
        /// What it holds.
        pub projection: Projection = "Projection",
        /// What it may read and write, if provisioned.
        pub provisioned_throughput: ProvisionedThroughput = "ProvisionedThroughput",
        /// What it may read and write at most, if on demand.
        pub on_demand_throughput: OnDemandThroughput = "OnDemandThroughput",
        /// What it must be able to serve at once.
        pub warm_throughput: WarmThroughput = "WarmThroughput",
    }
}

wire_struct! {
    /// A local secondary index of a table.
    pub struct LocalSecondaryIndexDescription: Encode {
        /// The index's name.
        pub index_name: String = "IndexName",
        /// Its key.
        pub key_schema: Vec<KeySchemaElement> = "KeySchema",
        /// What it holds.
        pub projection: Projection = "Projection",
        /// The bytes of its entries.
        pub index_size_bytes: i64 = "IndexSizeBytes",
        /// The number of its entries.
        pub item_count: i64 = "ItemCount",
        /// Its Amazon resource name.
        pub index_arn: String = "IndexArn",
    }
}

wire_struct! {
    /// A global secondary index of a table.
    pub struct GlobalSecondaryIndexDescription: Encode {
        /// The index's name.
        pub index_name: String = "IndexName",
        /// Its key.
        pub key_schema: Vec<KeySchemaElement> = "KeySchema",
        /// What it holds.
        pub projection: Projection = "Projection",
        /// `CREATING`, `UPDATING`, `DELETING` or `ACTIVE`.
        pub index_status: String = "IndexStatus",
        /// Whether items that were there before the index are still being added to it.
        pub backfilling: bool = "Backfilling",
        /// What it may read and write.
        pub provisioned_throughput: ProvisionedThroughputDescription = "ProvisionedThroughput",
        /// The bytes of its entries.
        pub index_size_bytes: i64 = "IndexSizeBytes",
        /// The number of its entries.
        pub item_count: i64 = "ItemCount",
        /// Its Amazon resource name.
        pub index_arn: String = "IndexArn",
        /// What it may read and write at most, if on demand.
        pub on_demand_throughput: OnDemandThroughput = "OnDemandThroughput",
        /// What it can serve at once.
        pub warm_throughput: GlobalSecondaryIndexWarmThroughputDescription = "WarmThroughput",
    }
}
