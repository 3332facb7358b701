//! `UpdateTable`: changes a table's settings, adds and removes global secondary indexes.

use crate::shapes::{
    AttributeDefinition, KeySchemaElement, OnDemandThroughput, OnDemandThroughputOverride,
    Projection, ProvisionedThroughput, ProvisionedThroughputOverride, SSESpecification,
    StreamSpecification, TableDescription, VectorIndexUpdate, WarmThroughput,
};

wire_struct! {
    /// The request of `UpdateTable`.
    pub struct UpdateTableRequest: Decode {
        /// The types of attributes that new keys use.
        pub attribute_definitions: Vec<AttributeDefinition> = "AttributeDefinitions",
        /// The table's name or Amazon resource name.
        pub table_name: String = "TableName",
        /// `PROVISIONED` or `PAY_PER_REQUEST`.
        pub billing_mode: String = "BillingMode",
        /// What it may read and write, if provisioned.
        pub provisioned_throughput: ProvisionedThroughput = "ProvisionedThroughput",
        /// Changes to global secondary indexes.
        pub global_secondary_index_updates: Vec<GlobalSecondaryIndexUpdate>
            = "GlobalSecondaryIndexUpdates",
        /// Whether it has a stream.
        pub stream_specification: StreamSpecification = "StreamSpecification",
        /// How it is to be encrypted.
        pub sse_specification: SSESpecification = "SSESpecification",
        /// Changes to replicas.
        pub replica_updates: Vec<ReplicationGroupUpdate> = "ReplicaUpdates",
        /// `STANDARD` or `STANDARD_INFREQUENT_ACCESS`.
        pub table_class: String = "TableClass",
        /// Whether it is protected from deletion.
        pub deletion_protection_enabled: bool = "DeletionProtectionEnabled",
        /// `EVENTUAL` or `STRONG`, for a global table.
        pub multi_region_consistency: String = "MultiRegionConsistency",
        /// Changes to witnesses.
        pub global_table_witness_updates: Vec<GlobalTableWitnessGroupUpdate>
            = "GlobalTableWitnessUpdates",
        /// What it may read and write at most, if on demand.
        pub on_demand_throughput: OnDemandThroughput = "OnDemandThroughput",
        /// What it must be able to serve at once.
        pub warm_throughput: WarmThroughput = "WarmThroughput",
        /// Whether replicas follow its settings.
        pub global_table_settings_replication_mode: String = "GlobalTableSettingsReplicationMode",
        /// Whether a replica is protected from leaving its global table.
        pub disassociation_protection_enabled: bool = "DisassociationProtectionEnabled",
        /// Changes to vector indexes.
        pub vector_index_updates: Vec<VectorIndexUpdate> = "VectorIndexUpdates",
    }
}

wire_struct! {
    /// The response of `UpdateTable`.
    pub struct UpdateTableResponse: Encode {
        /// The table, perhaps still changing.
        pub table_description: TableDescription = "TableDescription",
    }
}

wire_struct! {
    /// One change to a global secondary index; exactly one member is expected.
    pub struct GlobalSecondaryIndexUpdate: DecodeFew {
        /// Changes an index.
        pub update: UpdateGlobalSecondaryIndexAction = "Update",
        /// Adds an index.
        pub create: CreateGlobalSecondaryIndexAction = "Create",
        /// Removes an index.
        pub delete: DeleteGlobalSecondaryIndexAction = "Delete",
    }
}

wire_struct! {
    /// What an index may read and write from here on.
    pub struct UpdateGlobalSecondaryIndexAction: Decode {
        /// The index's name.
        pub index_name: String = "IndexName",
        /// What it may read and write, if provisioned.
        pub provisioned_throughput: ProvisionedThroughput = "ProvisionedThroughput",
        /// What it may read and write at most, if on demand.
        pub on_demand_throughput: OnDemandThroughput = "OnDemandThroughput",
        /// What it must be able to serve at once.
        pub warm_throughput: WarmThroughput = "WarmThroughput",
    }
}

wire_struct! {
    /// An index to add to a table that may have items.
    pub struct CreateGlobalSecondaryIndexAction: Decode {
        /// The index's name.
        pub index_name: String = "IndexName",
        /// Its key.
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
    /// An index to remove.
    pub struct DeleteGlobalSecondaryIndexAction: Decode {
        /// The index's name.
        pub index_name: String = "IndexName",
    }
}

wire_struct! {
    /// One change to the replicas of a table; exactly one member is expected.
    pub struct ReplicationGroupUpdate: DecodeFew + Inspect {
        /// Adds a replica.
        pub create: CreateReplicationGroupMemberAction = "Create",
        /// Changes a replica.
        pub update: UpdateReplicationGroupMemberAction = "Update",
        /// Removes a replica.
        pub delete: DeleteReplicationGroupMemberAction = "Delete",
        /// Makes a replica a table of its own.
        pub disassociate: DisassociateReplicationGroupMemberAction = "Disassociate",
    }
}

wire_struct! {
    /// A replica to add.
    pub struct CreateReplicationGroupMemberAction: Decode + Inspect {
        /// The replica's region.
        pub region_name: String = "RegionName",
        /// Its encryption key.
        pub kms_master_key_id: String = "KMSMasterKeyId",
        /// Its own reserved read units.
        pub provisioned_throughput_override: ProvisionedThroughputOverride
            = "ProvisionedThroughputOverride",
        /// Its own most read units.
        pub on_demand_throughput_override: OnDemandThroughputOverride
            = "OnDemandThroughputOverride",
        /// Settings of its indexes.
        pub global_secondary_indexes: Vec<ReplicaGlobalSecondaryIndex> = "GlobalSecondaryIndexes",
        /// Its own table class.
        pub table_class_override: String = "TableClassOverride",
    }
}

wire_struct! {
    /// A replica to change.
    pub struct UpdateReplicationGroupMemberAction: Decode + Inspect {
        /// The replica's region.
        pub region_name: String = "RegionName",
        /// Its encryption key.
        pub kms_master_key_id: String = "KMSMasterKeyId",
        /// Its own reserved read units.
        pub provisioned_throughput_override: ProvisionedThroughputOverride
            = "ProvisionedThroughputOverride",
        /// Its own most read units.
        pub on_demand_throughput_override: OnDemandThroughputOverride
            = "OnDemandThroughputOverride",
        /// Settings of its indexes.
        pub global_secondary_indexes: Vec<ReplicaGlobalSecondaryIndex> = "GlobalSecondaryIndexes",
        /// Its own table class.
        pub table_class_override: String = "TableClassOverride",
    }
}

wire_struct! {
    /// A replica to remove.
    pub struct DeleteReplicationGroupMemberAction: Decode + Inspect {
        /// The replica's region.
        pub region_name: String = "RegionName",
    }
}

wire_struct! {
    /// A replica that becomes a table of its own.
    pub struct DisassociateReplicationGroupMemberAction: Decode + Inspect {
        /// The replica's region.
        pub region_name: String = "RegionName",
        /// What happens to changes that are on their way.
        pub disassociation_mode: String = "DisassociationMode",
    }
}

wire_struct! {
    /// The settings of an index in one replica.
    pub struct ReplicaGlobalSecondaryIndex: DecodeFew + Inspect {
        /// The index's name.
        pub index_name: String = "IndexName",
        /// Its own reserved read units.
        pub provisioned_throughput_override: ProvisionedThroughputOverride
            = "ProvisionedThroughputOverride",
        /// Its own most read units.
        pub on_demand_throughput_override: OnDemandThroughputOverride
            = "OnDemandThroughputOverride",
    }
}

wire_struct! {
    /// One change to the witnesses of a table; exactly one member is expected.
    pub struct GlobalTableWitnessGroupUpdate: DecodeFew + Inspect {
        /// Adds a witness.
        pub create: CreateGlobalTableWitnessGroupMemberAction = "Create",
        /// Removes a witness.
        pub delete: DeleteGlobalTableWitnessGroupMemberAction = "Delete",
    }
}

wire_struct! {
    /// A witness to add.
    pub struct CreateGlobalTableWitnessGroupMemberAction: Decode + Inspect {
        /// The witness's region.
        pub region_name: String = "RegionName",
    }
}

wire_struct! {
    /// A witness to remove.
    pub struct DeleteGlobalTableWitnessGroupMemberAction: Decode + Inspect {
        /// The witness's region.
        pub region_name: String = "RegionName",
    }
}
