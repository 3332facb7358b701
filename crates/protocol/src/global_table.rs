//! Global tables of version 2017.11.29.

use std::convert::Infallible;

use crate::auto_scaling::AutoScalingSettingsUpdate;

wire_struct! {
    /// The request of `CreateGlobalTable`.
    pub struct CreateGlobalTableRequest: Decode + Inspect {
        /// What the tables of all regions are called.
        pub global_table_name: String = "GlobalTableName",
        /// The regions.
        pub replication_group: Vec<Replica> = "ReplicationGroup",
    }
}

wire_struct! {
    /// A region of a global table.
    pub struct Replica: DecodeFew + Inspect {
        /// The region's name.
        pub region_name: String = "RegionName",
    }
}

wire_struct! {
    /// The request of `DescribeGlobalTable`.
    pub struct DescribeGlobalTableRequest: Decode + Inspect {
        /// What the tables of all regions are called.
        pub global_table_name: String = "GlobalTableName",
    }
}

wire_struct! {
    /// The request of `DescribeGlobalTableSettings`.
    pub struct DescribeGlobalTableSettingsRequest: Decode + Inspect {
        /// What the tables of all regions are called.
        pub global_table_name: String = "GlobalTableName",
    }
}

wire_struct! {
    /// The request of `ListGlobalTables`.
    pub struct ListGlobalTablesRequest: Decode + Inspect {
        /// The name after which the page starts.
        pub exclusive_start_global_table_name: String = "ExclusiveStartGlobalTableName",
        /// The most names to return.
        pub limit: i32 = "Limit",
        /// The region whose tables are wanted.
        pub region_name: String = "RegionName",
    }
}

wire_struct! {
    /// The response of `ListGlobalTables`.
    pub struct ListGlobalTablesResponse: Encode {
        /// The global tables of the page: there are none.
        pub global_tables: Vec<Infallible> = "GlobalTables",
    }
}

wire_struct! {
    /// The request of `UpdateGlobalTable`.
    pub struct UpdateGlobalTableRequest: Decode + Inspect {
        /// What the tables of all regions are called.
        pub global_table_name: String = "GlobalTableName",
        /// Regions to add and to remove.
        pub replica_updates: Vec<ReplicaUpdate> = "ReplicaUpdates",
    }
}

wire_struct! {
    /// A region to add or to remove.
    pub struct ReplicaUpdate: DecodeFew + Inspect {
        /// The region to add.
        pub create: CreateReplicaAction = "Create",
        /// The region to remove.
        pub delete: DeleteReplicaAction = "Delete",
    }
}

wire_struct! {
    /// A region to add.
    pub struct CreateReplicaAction: Decode + Inspect {
        /// The region's name.
        pub region_name: String = "RegionName",
    }
}

wire_struct! {
    /// A region to remove.
    pub struct DeleteReplicaAction: Decode + Inspect {
        /// The region's name.
        pub region_name: String = "RegionName",
    }
}

wire_struct! {
    /// The request of `UpdateGlobalTableSettings`.
    pub struct UpdateGlobalTableSettingsRequest: Decode + Inspect {
        /// What the tables of all regions are called.
        pub global_table_name: String = "GlobalTableName",
        /// `PROVISIONED` or `PAY_PER_REQUEST`.
        pub global_table_billing_mode: String = "GlobalTableBillingMode",
        /// Write units a second.
        pub global_table_provisioned_write_capacity_units: i64
            = "GlobalTableProvisionedWriteCapacityUnits",
        /// How write units follow the load.
        pub global_table_provisioned_write_capacity_auto_scaling_settings_update:
            AutoScalingSettingsUpdate
            = "GlobalTableProvisionedWriteCapacityAutoScalingSettingsUpdate",
        /// The indexes.
        pub global_table_global_secondary_index_settings_update:
            Vec<GlobalTableGlobalSecondaryIndexSettingsUpdate>
            = "GlobalTableGlobalSecondaryIndexSettingsUpdate",
        /// The regions.
        pub replica_settings_update: Vec<ReplicaSettingsUpdate> = "ReplicaSettingsUpdate",
    }
}

wire_struct! {
    /// The settings of an index in all regions.
    pub struct GlobalTableGlobalSecondaryIndexSettingsUpdate: DecodeFew + Inspect {
        /// The index's name.
        pub index_name: String = "IndexName",
        /// Write units a second.
        pub provisioned_write_capacity_units: i64 = "ProvisionedWriteCapacityUnits",
        /// How write units follow the load.
        pub provisioned_write_capacity_auto_scaling_settings_update: Box<AutoScalingSettingsUpdate>
            = "ProvisionedWriteCapacityAutoScalingSettingsUpdate",
    }
}

wire_struct! {
    /// The settings of one region.
    pub struct ReplicaSettingsUpdate: DecodeFew + Inspect {
        /// The region's name.
        pub region_name: String = "RegionName",
        /// Read units a second.
        pub replica_provisioned_read_capacity_units: i64 = "ReplicaProvisionedReadCapacityUnits",
        /// How read units follow the load.
        pub replica_provisioned_read_capacity_auto_scaling_settings_update:
            Box<AutoScalingSettingsUpdate>
            = "ReplicaProvisionedReadCapacityAutoScalingSettingsUpdate",
        /// The indexes.
        pub replica_global_secondary_index_settings_update:
            Vec<ReplicaGlobalSecondaryIndexSettingsUpdate>
            = "ReplicaGlobalSecondaryIndexSettingsUpdate",
        /// `STANDARD` or `STANDARD_INFREQUENT_ACCESS`.
        pub replica_table_class: String = "ReplicaTableClass",
    }
}

wire_struct! {
    /// The settings of an index in one region.
    pub struct ReplicaGlobalSecondaryIndexSettingsUpdate: DecodeFew + Inspect {
        /// The index's name.
        pub index_name: String = "IndexName",
        /// Read units a second.
        pub provisioned_read_capacity_units: i64 = "ProvisionedReadCapacityUnits",
        /// How read units follow the load.
        pub provisioned_read_capacity_auto_scaling_settings_update: Box<AutoScalingSettingsUpdate>
            = "ProvisionedReadCapacityAutoScalingSettingsUpdate",
    }
}
