//! `DescribeTimeToLive`: tells how the items of a table expire.

use crate::shapes::TimeToLiveDescription;

wire_struct! {
    /// The request of `DescribeTimeToLive`.
    pub struct DescribeTimeToLiveRequest: Decode {
        /// The table's name or Amazon resource name.
        pub table_name: String = "TableName",
    }
}

wire_struct! {
    /// The response of `DescribeTimeToLive`.
    pub struct DescribeTimeToLiveResponse: Encode {
        /// How they expire.
        pub time_to_live_description: TimeToLiveDescription = "TimeToLiveDescription",
    }
}
