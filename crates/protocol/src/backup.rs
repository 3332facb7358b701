//! Backups that are made on demand, and tables made from them.

use std::convert::Infallible;

use crate::shapes::{
    GlobalSecondaryIndex, LocalSecondaryIndex, OnDemandThroughput, ProvisionedThroughput,
    SSESpecification, Timestamp, VectorIndex,
};

wire_struct! {
    /// The request of `CreateBackup`.
    pub struct CreateBackupRequest: Decode + Inspect {
        /// The table's name or Amazon resource name.
        pub table_name: String = "TableName",
        /// What the backup is to be called.
        pub backup_name: String = "BackupName",
    }
}

wire_struct! {
    /// The request of `DescribeBackup`.
    pub struct DescribeBackupRequest: Decode + Inspect {
        /// The backup's Amazon resource name.
        pub backup_arn: String = "BackupArn",
    }
}

wire_struct! {
    /// The request of `DeleteBackup`.
    pub struct DeleteBackupRequest: Decode + Inspect {
        /// The backup's Amazon resource name.
        pub backup_arn: String = "BackupArn",
    }
}

wire_struct! {
    /// The request of `ListBackups`.
    pub struct ListBackupsRequest: Decode + Inspect {
        /// The table whose backups are wanted.
        pub table_name: String = "TableName",
        /// The most backups to return.
        pub limit: i32 = "Limit",
        /// The moment from which backups are wanted.
        pub time_range_lower_bound: Timestamp = "TimeRangeLowerBound",
        /// The moment before which backups are wanted.
        pub time_range_upper_bound: Timestamp = "TimeRangeUpperBound",
        /// The backup after which the page starts.
        pub exclusive_start_backup_arn: String = "ExclusiveStartBackupArn",
        /// `USER`, `SYSTEM`, `AWS_BACKUP` or `ALL`.
        pub backup_type: String = "BackupType",
    }
}

wire_struct! {
    /// The response of `ListBackups`.
    pub struct ListBackupsResponse: Encode {
        /// The backups of the page: there are none.
        pub backup_summaries: Vec<Infallible> = "BackupSummaries",
    }
}

wire_struct! {
    /// The request of `RestoreTableFromBackup`.
    pub struct RestoreTableFromBackupRequest: Decode + Inspect {
        /// The name of the table to make.
        pub target_table_name: String = "TargetTableName",
        /// The backup's Amazon resource name.
        pub backup_arn: String = "BackupArn",
        /// How the table is to be paid for.
        pub billing_mode_override: String = "BillingModeOverride",
        /// The global secondary indexes to make.
        pub global_secondary_index_override: Vec<GlobalSecondaryIndex>
            = "GlobalSecondaryIndexOverride",
        /// The vector indexes to make.
        pub vector_index_override: Vec<VectorIndex> = "VectorIndexOverride",
        /// The local secondary indexes to make.
        pub local_secondary_index_override: Vec<LocalSecondaryIndex>
            = "LocalSecondaryIndexOverride",
        /// What the table may read and write, if provisioned.
        pub provisioned_throughput_override: ProvisionedThroughput
            = "ProvisionedThroughputOverride",
        /// What the table may read and write at most, if on demand.
        pub on_demand_throughput_override: OnDemandThroughput = "OnDemandThroughputOverride",
        /// How the table is to be encrypted.
        pub sse_specification_override: SSESpecification = "SSESpecificationOverride",
    }
}
