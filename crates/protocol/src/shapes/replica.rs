//! Replicas of global tables, as they are described.

use super::{
    GlobalSecondaryIndexWarmThroughputDescription, OnDemandThroughputOverride,
    ProvisionedThroughputOverride, TableClassSummary, TableWarmThroughputDescription, Timestamp,
};

wire_struct! {
    /// A replica of a table in another region.
    pub struct ReplicaDescription: Encode {
        /// The replica's region.
        pub region_name: String = "RegionName",
        /// `CREATING`, `ACTIVE` and so on.
        pub replica_status: String = "ReplicaStatus",
        /// Its Amazon resource name.
        pub replica_arn: String = "ReplicaArn",
        /// More about the status.
        pub replica_status_description: String = "ReplicaStatusDescription",
        /// How far its creation or deletion is.
        pub replica_status_percent_progress: String = "ReplicaStatusPercentProgress",
        /// Its encryption key.
        pub kms_master_key_id: String = "KMSMasterKeyId",
        /// Its own reserved read units.
        pub provisioned_throughput_override: ProvisionedThroughputOverride
            = "ProvisionedThroughputOverride",
        /// Its own most read units.
        pub on_demand_throughput_override: OnDemandThroughputOverride
            = "OnDemandThroughputOverride",
        /// What it can serve at once.
        pub warm_throughput: TableWarmThroughputDescription = "WarmThroughput",
        /// Its indexes.
        pub global_secondary_indexes: Vec<ReplicaGlobalSecondaryIndexDescription>
            = "GlobalSecondaryIndexes",
        /// Since when it cannot be reached.
        pub replica_inaccessible_date_time: Timestamp = "ReplicaInaccessibleDateTime",
        /// Its table class.
        pub replica_table_class_summary: TableClassSummary = "ReplicaTableClassSummary",
        /// Whether settings follow those of the table.
        pub global_table_settings_replication_mode: String = "GlobalTableSettingsReplicationMode",
    }
}

wire_struct! {
    /// An index of a replica.
    pub struct ReplicaGlobalSecondaryIndexDescription: Encode {
        /// The index's name.
        pub index_name: String = "IndexName",
        /// Its own reserved read units.
        pub provisioned_throughput_override: ProvisionedThroughputOverride
            = "ProvisionedThroughputOverride",
        /// Its own most read units.
        pub on_demand_throughput_override: OnDemandThroughputOverride
            = "OnDemandThroughputOverride",
        /// What it can serve at once.
        pub warm_throughput: GlobalSecondaryIndexWarmThroughputDescription = "WarmThroughput",
    }
}

wire_struct! {
    /// A region that takes part in a global table's decisions without holding its data.
    pub struct GlobalTableWitnessDescription: Encode {
        /// The witness's region.
        pub region_name: String = "RegionName",
        /// `CREATING`, `DELETING` or `ACTIVE`.
        pub witness_status: String = "WitnessStatus",
    }
}
