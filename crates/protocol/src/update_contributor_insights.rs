//! `UpdateContributorInsights`: has the keys of a table or index watched, or no longer.

wire_struct! {
    /// The request of `UpdateContributorInsights`.
    pub struct UpdateContributorInsightsRequest: Decode {
        /// The table's name or Amazon resource name.
        pub table_name: String = "TableName",
        /// The index, if it is about one.
        pub index_name: String = "IndexName",
        /// `ENABLE` or `DISABLE`.
        pub contributor_insights_action: String = "ContributorInsightsAction",
        /// `ACCESSED_AND_THROTTLED_KEYS` or `THROTTLED_KEYS`.
        pub contributor_insights_mode: String = "ContributorInsightsMode",
    }
}

wire_struct! {
    /// The response of `UpdateContributorInsights`.
    pub struct UpdateContributorInsightsResponse: Encode {
        /// The table's name.
        pub table_name: String = "TableName",
        /// The index, if it is about one.
        pub index_name: String = "IndexName",
        /// `ENABLING`, `ENABLED`, `DISABLING` or `DISABLED`.
        pub contributor_insights_status: String = "ContributorInsightsStatus",
        /// Which calls are watched.
        pub contributor_insights_mode: String = "ContributorInsightsMode",
    }
}
