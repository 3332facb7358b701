//! `CreateTable`: makes a table with its indexes.

use crate::shapes::{
    AttributeDefinition, GlobalSecondaryIndex, KeySchemaElement, LocalSecondaryIndex,
    OnDemandThroughput, ProvisionedThroughput, SSESpecification, StreamSpecification,
    TableDescription, Tag, VectorIndex, WarmThroughput,
};

wire_struct! {
    /// The request of `CreateTable`.
    pub struct CreateTableRequest: Decode {
        /// The types of the attributes that keys use.
        pub attribute_definitions: Vec<AttributeDefinition> = "AttributeDefinitions",
        /// The table's name or Amazon resource name.
        pub table_name: String = "TableName",
        /// Its key.
        pub key_schema: Vec<KeySchemaElement> = "KeySchema",
        /// Its local secondary indexes.
        pub local_secondary_indexes: Vec<LocalSecondaryIndex> = "LocalSecondaryIndexes",
        /// Its global secondary indexes.
        pub global_secondary_indexes: Vec<GlobalSecondaryIndex> = "GlobalSecondaryIndexes",
        /// `PROVISIONED` or `PAY_PER_REQUEST`.
        pub billing_mode: String = "BillingMode",
        /// What it may read and write, if provisioned.
        pub provisioned_throughput: ProvisionedThroughput = "ProvisionedThroughput",
        /// Whether it has a stream.
        pub stream_specification: StreamSpecification = "StreamSpecification",
        /// How it is to be encrypted.
        pub sse_specification: SSESpecification = "SSESpecification",
        /// Its tags.
        pub tags: Vec<Tag> = "Tags",
        /// `STANDARD` or `STANDARD_INFREQUENT_ACCESS`.
        pub table_class: String = "TableClass",
        /// Whether it is protected from deletion.
        pub deletion_protection_enabled: bool = "DeletionProtectionEnabled",
        /// What it must be able to serve at once.
        pub warm_throughput: WarmThroughput = "WarmThroughput",
        /// Who may use it: a policy document as JSON text.
        pub resource_policy: String = "ResourcePolicy",
        /// What it may read and write at most, if on demand.
        pub on_demand_throughput: OnDemandThroughput = "OnDemandThroughput",
        /// The table of another account to replicate.
        pub global_table_source_arn: String = "GlobalTableSourceArn",
        /// Whether settings follow those of that table.
        pub global_table_settings_replication_mode: String = "GlobalTableSettingsReplicationMode",
        /// Its vector indexes.
        pub vector_indexes: Vec<VectorIndex> = "VectorIndexes",
    }
}

wire_struct! {
    /// The response of `CreateTable`.
    pub struct CreateTableResponse: Encode {
        /// The table, not yet ready.
        pub table_description: TableDescription = "TableDescription",
    }
}
