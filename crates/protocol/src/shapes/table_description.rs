//! A table as the control plane describes it.

use super::{
    AttributeDefinition, GlobalSecondaryIndexDescription, GlobalTableWitnessDescription,
    KeySchemaElement, LocalSecondaryIndexDescription, OnDemandThroughput,
    ProvisionedThroughputDescription, ReplicaDescription, SSEDescription, StreamSpecification,
    TableWarmThroughputDescription, Timestamp, VectorIndexDescription,
};

wire_struct! {
    /// A table and its state.
    pub struct TableDescription: Encode {
        /// The types of the attributes that keys use.
        pub attribute_definitions: Vec<AttributeDefinition> = "AttributeDefinitions",
        /// The table's name.
        pub table_name: String = "TableName",
        /// Its key.
        pub key_schema: Vec<KeySchemaElement> = "KeySchema",
        /// `CREATING`, `UPDATING`, `DELETING`, `ACTIVE` and so on.
        pub table_status: String = "TableStatus",
        /// When it was created.
        pub creation_date_time: Timestamp = "CreationDateTime",
        /// What it may read and write.
        pub provisioned_throughput: ProvisionedThroughputDescription = "ProvisionedThroughput",
        /// The bytes of its items.
        pub table_size_bytes: i64 = "TableSizeBytes",
        /// The number of its items.
        pub item_count: i64 = "ItemCount",
        /// Its Amazon resource name.
        pub table_arn: String = "TableArn",
        /// Its identity, which a later table of the same name does not share.
        pub table_id: String = "TableId",
        /// How it is paid for.
        pub billing_mode_summary: BillingModeSummary = "BillingModeSummary",
        /// Its local secondary indexes.
        pub local_secondary_indexes: Vec<LocalSecondaryIndexDescription> = "LocalSecondaryIndexes",
        /// Its global secondary indexes.
        pub global_secondary_indexes: Vec<GlobalSecondaryIndexDescription>
            = "GlobalSecondaryIndexes",
        /// Its vector indexes.
        pub vector_indexes: Vec<VectorIndexDescription> = "VectorIndexes",
        /// Whether it has a stream.
        pub stream_specification: StreamSpecification = "StreamSpecification",
        /// The label of its latest stream.
        pub latest_stream_label: String = "LatestStreamLabel",
        /// The Amazon resource name of its latest stream.
        pub latest_stream_arn: String = "LatestStreamArn",
        /// The version of global tables it uses.
        pub global_table_version: String = "GlobalTableVersion",
        /// Its replicas.
        pub replicas: Vec<ReplicaDescription> = "Replicas",
        /// Its witnesses.
        pub global_table_witnesses: Vec<GlobalTableWitnessDescription> = "GlobalTableWitnesses",
        /// Whether replicas follow its settings.
        pub global_table_settings_replication_mode: String = "GlobalTableSettingsReplicationMode",
        /// The backup it came from.
        pub restore_summary: RestoreSummary = "RestoreSummary",
        /// How it is encrypted.
        pub sse_description: SSEDescription = "SSEDescription",
        /// Why it was archived.
        pub archival_summary: ArchivalSummary = "ArchivalSummary",
        /// Its table class.
        pub table_class_summary: TableClassSummary = "TableClassSummary",
        /// Whether it is protected from deletion.
        pub deletion_protection_enabled: bool = "DeletionProtectionEnabled",
        /// What it may read and write at most, if on demand.
        pub on_demand_throughput: OnDemandThroughput = "OnDemandThroughput",
        /// What it can serve at once.
        pub warm_throughput: TableWarmThroughputDescription = "WarmThroughput",
        /// `EVENTUAL` or `STRONG`, for a global table.
        pub multi_region_consistency: String = "MultiRegionConsistency",
    }
}

wire_struct! {
    /// How a table is paid for.
    pub struct BillingModeSummary: Encode {
        /// `PROVISIONED` or `PAY_PER_REQUEST`.
        pub billing_mode: String = "BillingMode",
        /// When it last became on demand.
        pub last_update_to_pay_per_request_date_time: Timestamp
            = "LastUpdateToPayPerRequestDateTime",
    }
}

wire_struct! {
    /// The table class, and when it last changed.
    pub struct TableClassSummary: Encode {
        /// `STANDARD` or `STANDARD_INFREQUENT_ACCESS`.
        pub table_class: String = "TableClass",
        /// When it last changed.
        pub last_update_date_time: Timestamp = "LastUpdateDateTime",
    }
}

wire_struct! {
    /// The backup that a table was restored from.
    pub struct RestoreSummary: Encode {
        /// The backup.
        pub source_backup_arn: String = "SourceBackupArn",
        /// The table that was backed up.
        pub source_table_arn: String = "SourceTableArn",
        /// The moment that was restored.
        pub restore_date_time: Timestamp = "RestoreDateTime",
        /// Whether items are still being restored.
        pub restore_in_progress: bool = "RestoreInProgress",
    }
}

wire_struct! {
    /// When and why a table was archived.
    pub struct ArchivalSummary: Encode {
        /// When it was archived.
        pub archival_date_time: Timestamp = "ArchivalDateTime",
        /// Why it was archived.
        pub archival_reason: String = "ArchivalReason",
        /// The backup that holds its items.
        pub archival_backup_arn: String = "ArchivalBackupArn",
    }
}
