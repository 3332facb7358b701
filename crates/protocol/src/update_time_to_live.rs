//! `UpdateTimeToLive`: lets the items of a table expire, or no longer.

use crate::shapes::TimeToLiveSpecification;

wire_struct! {
    /// The request of `UpdateTimeToLive`.
    pub struct UpdateTimeToLiveRequest: Decode {
        /// The table's name or Amazon resource name.
        pub table_name: String = "TableName",
        /// What is wanted.
        pub time_to_live_specification: TimeToLiveSpecification = "TimeToLiveSpecification",
    }
}

wire_struct! {
    /// The response of `UpdateTimeToLive`.
    pub struct UpdateTimeToLiveResponse: Encode {
        /// What was asked for.
        pub time_to_live_specification: TimeToLiveSpecification = "TimeToLiveSpecification",
    }
}
