//! Continuous backups: recovery to any moment of the last days.

use crate::shapes::{
    GlobalSecondaryIndex, LocalSecondaryIndex, OnDemandThroughput, ProvisionedThroughput,
    SSESpecification, Timestamp, VectorIndex,
};

wire_struct! {
    /// The request of `UpdateContinuousBackups`.
    pub struct UpdateContinuousBackupsRequest: Decode + Inspect {
        /// The table's name or Amazon resource name.
        pub table_name: String = "TableName",
        /// Whether it can be recovered to a point in time.
        pub point_in_time_recovery_specification: PointInTimeRecoverySpecification
            = "PointInTimeRecoverySpecification",
    }
}

wire_struct! {
    /// Whether a table is to be recoverable to a point in time.
    pub struct PointInTimeRecoverySpecification: Decode + Inspect {
        /// Whether it is.
        pub point_in_time_recovery_enabled: bool = "PointInTimeRecoveryEnabled",
        /// How many days back.
        pub recovery_period_in_days: i32 = "RecoveryPeriodInDays",
    }
}

wire_struct! {
    /// The response of `UpdateContinuousBackups`.
    pub struct UpdateContinuousBackupsResponse: Encode {
        /// What holds from here on.
        pub continuous_backups_description: ContinuousBackupsDescription
            = "ContinuousBackupsDescription",
    }
}

wire_struct! {
    /// The request of `DescribeContinuousBackups`.
    pub struct DescribeContinuousBackupsRequest: Decode {
        /// The table's name or Amazon resource name.
        pub table_name: String = "TableName",
    }
}

wire_struct! {
    /// The response of `DescribeContinuousBackups`.
    pub struct DescribeContinuousBackupsResponse: Encode {
        /// What holds.
        pub continuous_backups_description: ContinuousBackupsDescription
            = "ContinuousBackupsDescription",
    }
}

wire_struct! {
    /// How a table is backed up continuously.
    pub struct ContinuousBackupsDescription: Encode {
        /// `ENABLED` or `DISABLED`.
        pub continuous_backups_status: String = "ContinuousBackupsStatus",
        /// Whether it can be recovered to a point in time.
        pub point_in_time_recovery_description: PointInTimeRecoveryDescription
            = "PointInTimeRecoveryDescription",
    }
}

wire_struct! {
    /// Whether a table can be recovered to a point in time.
    pub struct PointInTimeRecoveryDescription: Encode {
        /// `ENABLED` or `DISABLED`.
        pub point_in_time_recovery_status: String = "PointInTimeRecoveryStatus",
    }
}

wire_struct! {
    /// The request of `RestoreTableToPointInTime`.
    pub struct RestoreTableToPointInTimeRequest: Decode + Inspect {
        /// The Amazon resource name of the table to recover.
        pub source_table_arn: String = "SourceTableArn",
        /// The name of the table to recover.
        pub source_table_name: String = "SourceTableName",
        /// The name of the table to make.
        pub target_table_name: String = "TargetTableName",
        /// Whether the latest possible moment is meant.
        pub use_latest_restorable_time: bool = "UseLatestRestorableTime",
        /// The moment that is meant otherwise.
        pub restore_date_time: Timestamp = "RestoreDateTime",
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
