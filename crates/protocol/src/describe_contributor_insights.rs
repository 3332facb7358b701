//! `DescribeContributorInsights`: tells whether the keys of a table or index are watched.

use crate::shapes::Timestamp;

wire_struct! {
    /// The request of `DescribeContributorInsights`.
    pub struct DescribeContributorInsightsRequest: Decode {
        /// The table's name or Amazon resource name.
        pub table_name: String = "TableName",
        /// The index, if it is about one.
        pub index_name: String = "IndexName",
    }
}

wire_struct! {
    /// The response of `DescribeContributorInsights`.
    pub struct DescribeContributorInsightsResponse: Encode {
        /// The table's name.
        pub table_name: String = "TableName",
        /// The index, if it is about one.
        pub index_name: String = "IndexName",
        /// The names of the rules that count.
        pub contributor_insights_rule_list: Vec<String> = "ContributorInsightsRuleList",
        /// `ENABLING`, `ENABLED`, `DISABLING` or `DISABLED`.
        pub contributor_insights_status: String = "ContributorInsightsStatus",
        /// When that last changed.
        pub last_update_date_time: Timestamp = "LastUpdateDateTime",
        /// Which calls are watched.
        pub contributor_insights_mode: String = "ContributorInsightsMode",
    }
}
