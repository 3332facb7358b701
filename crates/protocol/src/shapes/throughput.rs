//! How much a table or index may read and write.

use super::Timestamp;

wire_struct! {
    /// Units a second that are reserved.
    pub struct ProvisionedThroughput: Decode + Encode + Inspect {
        /// Read units a second.
        pub read_capacity_units: i64 = "ReadCapacityUnits",
        /// Write units a second.
        pub write_capacity_units: i64 = "WriteCapacityUnits",
    }
}

wire_struct! {
    /// Units a second that are reserved, and when that last changed.
    pub struct ProvisionedThroughputDescription: Encode {
        /// When units were last added.
        pub last_increase_date_time: Timestamp = "LastIncreaseDateTime",
        /// When units were last taken away.
        pub last_decrease_date_time: Timestamp = "LastDecreaseDateTime",
        /// How often units were taken away on this UTC day.
        pub number_of_decreases_today: i64 = "NumberOfDecreasesToday",
        /// Read units a second; zero on demand.
        pub read_capacity_units: i64 = "ReadCapacityUnits",
        /// Write units a second; zero on demand.
        pub write_capacity_units: i64 = "WriteCapacityUnits",
    }
}

wire_struct! {
    /// Units a second that an on-demand table or index may not exceed.
    pub struct OnDemandThroughput: Decode + Encode + Inspect {
        /// Read units a second; -1 for no limit.
        pub max_read_request_units: i64 = "MaxReadRequestUnits",
        /// Write units a second; -1 for no limit.
        pub max_write_request_units: i64 = "MaxWriteRequestUnits",
    }
}

wire_struct! {
    /// Units a second that a table or index can serve at once.
    pub struct WarmThroughput: Decode + Encode + Inspect {
        /// Read units a second.
        pub read_units_per_second: i64 = "ReadUnitsPerSecond",
        /// Write units a second.
        pub write_units_per_second: i64 = "WriteUnitsPerSecond",
    }
}

wire_struct! {
    /// Units a second that a table can serve at once.
    pub struct TableWarmThroughputDescription: Encode {
        /// Read units a second.
        pub read_units_per_second: i64 = "ReadUnitsPerSecond",
        /// Write units a second.
        pub write_units_per_second: i64 = "WriteUnitsPerSecond",
        /// The status of a change, as of a table.
        pub status: String = "Status",
    }
}

wire_struct! {
    /// Units a second that a global secondary index can serve at once.
    pub struct GlobalSecondaryIndexWarmThroughputDescription: Encode {
        /// Read units a second.
        pub read_units_per_second: i64 = "ReadUnitsPerSecond",
        /// Write units a second.
        pub write_units_per_second: i64 = "WriteUnitsPerSecond",
        /// The status of a change, as of an index.
        pub status: String = "Status",
    }
}

wire_struct! {
    /// The reserved read units of a replica, where they differ from the table's.
    pub struct ProvisionedThroughputOverride: Decode + Encode + Inspect {
        /// Read units a second.
        pub read_capacity_units: i64 = "ReadCapacityUnits",
    }
}

wire_struct! {
    /// The most read units of a replica, where they differ from the table's.
    pub struct OnDemandThroughputOverride: Decode + Encode + Inspect {
        /// Read units a second.
        pub max_read_request_units: i64 = "MaxReadRequestUnits",
    }
}
